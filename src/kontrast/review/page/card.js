// What a card shows of an entry: its tags, its context, source, reference, candidate, and the question about it.
import { el, text, number } from "./dom.js";

// Folded behind one chip; a reader who unfolds them has them on every card.
let unfolded = false;
const tags = (facts) => facts.length > 0 && el("details", { class: "facts", open: unfolded, ontoggle: (event) => { unfolded = event.target.open; } },
  el("summary", { class: "tag" }, `${facts.length} tag${facts.length === 1 ? "" : "s"}`),
  facts.map(([name, value]) => el("span", { class: "tag" }, `${name} `, el("b", { dir: "auto" }, value))));

export const meta = (found, link) => el("div", { class: "meta" },
  found.place !== undefined && el("span", { class: "where" }, found.place ? `${number(found.place)} of ${number(found.total)}` : "outside the filter"),
  el("span", { class: "id" }, found.key),
  found.phenomenon && el("span", { class: "tag strong" }, found.phenomenon),
  found.confidence !== null && found.confidence !== undefined && el("span", { class: "tag" }, found.confidence === 0 ? "weak" : `confidence ${found.confidence}`),
  tags(found.facts), link);

const context = (found, source, target) => found.lacks_context
  ? el("p", { class: "note" }, "The previous sentences are not in the file, but the pronoun may depend on them.")
  : found.context.length > 0 && el("div", { class: "contexts", role: "group", "aria-label": "Context" },
  found.context.map((row) => el("div", { class: "pair" },
    row.source ? text(row.source, source, "source") : el("span"),
    el("span", {}, row.target ? text(row.target, target, "reference") : null,
      row.wrong ? el("span", { class: "wrong" }, text(row.wrong, target, "candidate")) : null))));

// Yes is "accept" in the data, No is "reject".
export const question = (found, more = null) => el("p", { class: "question" },
  !found.candidate ? "Is the item right as it is?"
    : same(found) ? "No candidate was proposed. Can you write one?"
      : "Is the candidate wrong, and only in the marked words?", more);
export const YES = "Yes, keep it";
export const NO = "No, because …";
export const SIGNS = { open: "·", accepted: "✓", changed: "✎", rejected: "✗" };

export const same = (found) => found.text === found.plain && found.candidate.every(([, kind]) => !kind);

export const sides = (found, about, link = null) => {
  const [source, target] = about.languages;
  const side = (label, pieces, language, kind, className) => [
    el("dt", {}, label), el("dd", { class: className }, text(pieces, language, kind))];
  return [
    meta(found, link),
    context(found, source, target),
    el("dl", { class: "sides" },
      side("Source", found.source, source, "source", "source"),
      side("Reference", found.reference, target, "reference", "reference"),
      found.candidate && (same(found) ? [el("dt", {}, "Candidate"), el("dd", { class: "soft" }, "None yet.")]
        : side("Candidate", found.candidate, target, "candidate", "candidate")),
      found.after.length ? side("Next", found.after.map((pair) => pair[0]).join(" "), source, "source", "soft") : null),
  ];
};
