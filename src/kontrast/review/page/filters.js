// The filter, which lives in the page's address, so that a view can be bookmarked and sent.
import { el, select, number } from "./dom.js";
import { later } from "./api.js";

const NAMES = ["phenomenon", "status", "unsure", "part", "search", "order", "seed", "per", "show", "a", "b", "low", "high", "sort"];

export const current = (about) => {
  const query = new URLSearchParams(location.search);
  const chosen = new URLSearchParams();
  for (const name of NAMES) for (const value of query.getAll(name)) if (value) chosen.append(name, value);
  if (!chosen.has("order")) chosen.set("order", about.order);
  if (!chosen.has("seed")) chosen.set("seed", about.seed);
  if (!chosen.has("per")) chosen.set("per", about.per);
  return chosen;
};

export const address = (path, chosen) => {
  const text = chosen.toString();
  return text ? `${path}?${text}` : path;
};

const ORDERS = [["random", "random"], ["unsure", "least sure first"], ["file", "as in the file"], ["sample", "seeded sample"]];
export const STATUSES = { "": "any status", open: "open", accepted: "kept", changed: "kept with a change", rejected: "left out", decided: "decided" };

export const filterBar = (about, chosen, change) => {
  const put = (name) => (value) => {
    if (value) chosen.set(name, value); else chosen.delete(name);
    change(chosen);
  };
  let waiting;
  const search = el("input", {
    type: "search", id: "search", placeholder: "Search words ( / )", "aria-label": "Search words", value: chosen.get("search") || "",
    oninput: (event) => { clearTimeout(waiting); waiting = later(() => put("search")(event.target.value.trim()), 250); },
    onkeydown: (event) => { if (event.key === "Enter" || event.key === "Escape") { event.preventDefault(); event.target.blur(); } },
  });
  const phenomena = [["", `all phenomena (${number(about.entries)})`],
    ...about.phenomena.map(([name, n]) => [name, `${name || "none given"} (${number(n)})`])];
  return el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    search,
    about.phenomena.length > 1 && select("phenomenon", "Phenomenon", phenomena, chosen.get("phenomenon") || "", put("phenomenon")),
    about.parts.length > 1 && select("part", "File", [["", "all files"], ...about.parts.map((p) => [p, p])], chosen.get("part") || "", put("part")),
    select("status", "Status", Object.entries(STATUSES), chosen.get("status") || "", put("status")),
    about.has_confidence && select("unsure", "Confidence", [["", "any confidence"], ["0", "weak"], ["0.5", "at most 0.5"], ["0.7", "at most 0.7"], ["0.9", "at most 0.9"]],
      chosen.get("unsure") || "", put("unsure")),
    select("order", "Order", ORDERS, chosen.get("order") || "random", put("order")));
};
