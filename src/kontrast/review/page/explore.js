// Exploring: charts of what systems got right, which lead to the items, and the filters by verdict.
import { el, select, number, scroll } from "./dom.js";
import { get } from "./api.js";

const SHOWN = [["", "all items"], ["wrong", "A is wrong"], ["right", "A is right"], ["flip", "A right, B wrong"], ["any", "any system wrong"], ["all", "all systems wrong"]];
const SORTS = [["", "in this order"], ["worst", "worst margin of A first"], ["best", "best margin of A first"]];

export const chooser = (about, chosen, change) => {
  const systems = about.views.systems;
  if (!systems.length) return null;
  const put = (name) => (value) => { if (value) chosen.set(name, value); else chosen.delete(name); chosen.delete("low"); chosen.delete("high"); change(chosen); };
  const names = systems.map((system, i) => [String(i), system.name]);
  return el("div", { class: "filters systems" },
    select("a", "A", names, chosen.get("a") || "0", put("a")),
    systems.length > 1 && select("b", "B", names, other(chosen), put("b")),
    select("show", "Show", systems.length > 1 ? SHOWN : SHOWN.slice(0, 3), chosen.get("show") || "", put("show")),
    select("sort", "Sort", SORTS, chosen.get("sort") || "", put("sort")));
};

const other = (chosen) => { const [a, b] = [chosen.get("a") || "0", chosen.get("b") || "1"]; return a !== b ? b : a === "0" ? "1" : "0"; };

export const marginsOf = (row, about) => (row.systems || []).map((found, i) => el("span", { class: found.right ? "hit" : "miss" },
  `${found.right ? "✓" : "✗"} ${about.views.systems[i].name} ${signed(found.margin)}`));

export const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

const percent = (share) => (100 * share).toFixed(1);

export const charts = async (about, chosen, change) => {
  const found = await get("charts", chosen);
  const jump = (values) => { for (const [name, value] of Object.entries(values)) { if (value === "") chosen.delete(name); else chosen.set(name, value); } change(chosen); document.getElementById("list").scrollIntoView({ block: "start" }); };
  return el("details", { open: matchMedia("(min-width: 40rem)").matches, class: "charts" }, el("summary", {}, "Charts"),
    el("div", { class: "two" }, accuracies(found, about, jump), histogram(found, chosen, jump)));
};

const accuracies = (found, about, jump) => el("figure", {},
  el("figcaption", {}, el("b", {}, "Accuracy by phenomenon"), "Click a bar to see the items that the system gets wrong."),
  scroll("Accuracy by phenomenon", el("table", { class: "bars" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "phenomenon"), el("th", { scope: "col", class: "n" }, "n"), about.views.systems.map((s) => el("th", { scope: "col" }, s.name)))),
    el("tbody", {}, [{ name: null, systems: found.total }, ...(found.groups.length > 1 ? found.groups : [])].map((group) => el("tr", {},
      el("th", { scope: "row" }, group.name === null ? "all" : group.name || "none given"), el("td", { class: "n" }, number(group.systems[0].items)),
      group.systems.map((counts, i) => el("td", {}, bar(counts, `${group.name ?? "all"}, ${about.views.systems[i].name}`, () =>
        jump({ a: String(i), show: "wrong", ...(group.name !== null ? { phenomenon: group.name } : {}) }))))))))));

const bar = (counts, label, onclick) => {
  const fill = el("i");
  fill.style.width = `${100 * counts.accuracy}%`;
  const chance = el("u");
  chance.style.left = `${100 * counts.chance}%`;
  return el("button", { type: "button", class: "barlink", onclick, "aria-label": `${label}: ${percent(counts.accuracy)}% right, ${counts.wrong} wrong, ${counts.ties} tied`, title: `${counts.right} right, ${counts.wrong} wrong, ${counts.ties} tied; the mark is chance` },
    el("span", { class: "track", "aria-hidden": "true" }, fill, chance), el("span", { class: "value" }, percent(counts.accuracy)));
};

const histogram = (found, chosen, jump) => {
  const most = Math.max(1, ...found.histogram);
  return el("figure", {},
    el("figcaption", {}, el("b", {}, `Margins of ${found.system}`), "Left of the line the error is preferred. Choose a bar for its items."),
    el("div", { class: "histogram" }, found.histogram.map((count, i) => {
      const [low, high] = [found.edges[i], found.edges[i + 1]];
      const column = el("i", { class: high <= 0 ? "below" : "above" });
      column.style.height = `${(100 * count) / most}%`;
      const first = i === 0 ? "" : String(low);
      const last = i === found.histogram.length - 1 ? "" : String(high);
      return el("button", { type: "button", class: low === 0 ? "zero" : "", "aria-pressed": chosen.get("low") === first && chosen.get("high") === last && (first || last) ? "true" : "false",
        "aria-label": `${count} items with a margin from ${low.toFixed(2)} to ${high.toFixed(2)}`, title: `${count}: ${low.toFixed(2)} to ${high.toFixed(2)}`,
        onclick: () => jump({ low: first, high: last, show: "" }) }, column);
    })),
    el("p", { class: "axis" }, el("span", {}, found.edges[0].toFixed(1)), el("span", {}, found.edges.at(-1).toFixed(1))));
};
