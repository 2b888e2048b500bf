// Agreement: how far readers agree. Coefficients only, so that readers stay blind to each other's decisions.
import { el, show, number, scroll } from "./dom.js";
import { get } from "./api.js";

const percent = (share) => `${(100 * share).toFixed(1)}%`;

// A number with its interval as a line from -1 or 0 to 1.
const measure = (found) => {
  if (found.value === null) return el("span", { class: "soft" }, "not defined: only one category was used");
  const from = Math.min(0, found.low);
  const scale = (value) => `${(100 * (value - from)) / (1 - from)}%`;
  const range = el("i");
  range.style.left = scale(found.low);
  range.style.width = `calc(${scale(found.high)} - ${scale(found.low)})`;
  const dot = el("b");
  dot.style.left = scale(found.value);
  return el("span", { class: "measure" }, el("span", { class: "big" }, found.value.toFixed(3)),
    el("span", { class: "ci" }, ` [${found.low.toFixed(3)}, ${found.high.toFixed(3)}]`),
    el("span", { class: "range", "aria-hidden": "true" }, range, dot));
};

export const open = async () => {
  const found = await get("agreement");
  const measured = found.agreement;
  show(el("section", { class: "sheet" }, el("h1", {}, "Agreement"),
    measured && measured.entries
      ? [el("p", { class: "lead" }, "Krippendorff's α ", measure(measured.alpha)),
        el("p", { class: "note" }, `Keep it or leave it out: ${number(measured.entries)} candidates that two or more of ${measured.readers} annotators decided; 95% intervals, bootstrap over candidates. A changed candidate counts as kept; adjudicated decisions do not count.`),
        scroll("Pairs of readers", el("table", {},
          el("thead", {}, el("tr", {}, ["Annotators", "Both decided", "Agreed", "Cohen's κ", "both keep", "only 1st", "only 2nd", "both leave out"].map((h, i) => el("th", { scope: "col", class: i ? "n" : "" }, h)))),
          el("tbody", {}, measured.pairs.map((pair) => el("tr", {}, el("th", { scope: "row" }, `${pair.a}, ${pair.b}`), el("td", { class: "n" }, number(pair.entries)),
            el("td", { class: "n" }, percent(pair.agreed)), el("td", { class: "n" }, measure(pair.kappa)),
            [pair.table[0][0], pair.table[0][1], pair.table[1][0], pair.table[1][1]].map((n) => el("td", { class: "n" }, number(n)))))))) ]
      : el("p", {}, "Agreement appears when two annotators have decided the same candidates. Each annotator opens this page under their own name. The order is the same for all, so all judge the same candidates first."),
    el("h2", {}, "Annotators"),
    scroll("Annotators", el("table", {},
      el("thead", {}, el("tr", {}, ["Annotator", "Decided", "Kept", "Changed", "Left out", "Open"].map((h, i) => el("th", { scope: "col", class: i ? "n" : "" }, h)))),
      el("tbody", {}, found.readers.map(({ name, counts }) => el("tr", {}, el("th", { scope: "row" }, name),
        [counts.accepted + counts.changed + counts.rejected, counts.accepted, counts.changed, counts.rejected, counts.open].map((n) => el("td", { class: "n" }, number(n)))))))),
    el("p", {}, found.disputed
      ? [`${number(found.disputed)} candidate${found.disputed === 1 ? "" : "s"} on which annotators differ. `, el("a", { href: "/adjudicate", "data-view": "adjudicate" }, "Adjudicate")]
      : "No candidate needs adjudication.",
    found.adjudicated ? ` ${number(found.adjudicated)} adjudicated so far.` : "")));
};
