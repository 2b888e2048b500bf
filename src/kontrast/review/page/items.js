// The list of entries, and with score files loaded what each system made of them.
import { el, show, number, text } from "./dom.js";
import { get } from "./api.js";
import { SIGNS } from "./card.js";
import { current, address, filterBar, STATUSES } from "./filters.js";
import { charts, chooser, marginsOf } from "./explore.js";

let about, chosen, page;

export const open = async (state) => {
  about = state;
  chosen = current(about);
  if (!new URLSearchParams(location.search).has("order")) chosen.set("order", "file");
  page = Number(new URLSearchParams(location.search).get("page") || 0);
  show(el("section", { class: "sheet wide" }, el("h1", { class: "hidden" }, "Items"),
    filterBar(about, chosen, change), chooser(about, chosen, change), el("div", { id: "charts" }), el("div", { id: "list" })));
  if (about.views.systems.length) charts(about, chosen, change).then((node) => document.getElementById("charts").replaceChildren(node));
  await load();
};

const change = async (changed) => {
  chosen = changed;
  page = 0;
  await load();
  if (about.views.systems.length) document.getElementById("charts").replaceChildren(await charts(about, chosen, change));
};

const load = async () => {
  const query = new URLSearchParams(chosen);
  if (page) query.set("page", page);
  history.replaceState(null, "", address("/items", query));
  draw(await get("items", query));
};

const draw = (found) => {
  const turn = (by) => { page += by; load(); scrollTo(0, 0); };
  const pager = found.pages > 1 && el("div", { class: "pager" },
    el("button", { type: "button", disabled: page === 0, onclick: () => turn(-1) }, "← Previous page"),
    el("span", {}, `Page ${number(page + 1)} of ${number(found.pages)}`),
    el("button", { type: "button", disabled: page + 1 >= found.pages, onclick: () => turn(1) }, "Next page →"));
  const link = (row) => address(`/item/${encodeURIComponent(row.key)}`, chosen);
  document.getElementById("list").replaceChildren(
    el("p", { class: "count", role: "status" }, `${number(found.total)} ${found.total === 1 ? "entry" : "entries"}`),
    el("ul", { class: "rows" }, found.rows.map((row) => el("li", {},
      el("a", { href: link(row), class: "rowlink" },
        el("span", { class: `sign ${row.status}`, title: STATUSES[row.status] }, el("span", { "aria-hidden": "true" }, SIGNS[row.status]), el("span", { class: "hidden" }, STATUSES[row.status])),
        el("span", { class: "texts" },
          el("span", { class: "rowmeta" }, el("span", { class: "id" }, row.key), row.phenomenon ? el("span", { class: "tag" }, row.phenomenon) : null, marginsOf(row, about)),
          el("span", { class: "soft", dir: "auto", lang: about.languages[0] }, row.source),
          el("span", { class: "line" }, text(row.text, about.languages[1], "candidate"))))))),
    pager || "");
};

export const keys = {
  "/": ["search", () => document.getElementById("search").focus()],
};
