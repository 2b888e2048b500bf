// Export: what was kept, in any format, with the decisions and a datasheet.
import { el, show, number, select } from "./dom.js";
import { get } from "./api.js";

const toLink = (to, undecided) => `/api/export?${new URLSearchParams({ to, undecided })}`;

export const open = async () => {
  const found = await get("summary");
  let to = found.suggested;
  const keep = el("input", { type: "checkbox", onchange: () => update() });
  const link = el("a", { class: "download primary", download: true });
  const note = el("p", { class: "note" });
  const nothing = el("p", { class: "note" }, "No candidate is kept yet: there is nothing to export.");
  const update = () => {
    link.href = toLink(to, keep.checked ? "keep" : "drop");
    link.hidden = !found.tally.accepted && !(keep.checked && found.tally.open);
    nothing.hidden = !link.hidden;
    link.textContent = `Download as ${to}`;
    note.textContent = to !== "pro-errors" ? "" : found.whole
      ? "The export includes the full perturbed reference and the index file."
      : "Start with --source-text and --reference to include the full perturbed reference and the index file.";
  };
  const row = (label, value, words) => el("tr", {}, el("th", { scope: "row" }, label), el("td", { class: "n" }, number(value || 0)), el("td", {}, words));
  show(el("section", { class: "sheet" },
    el("h1", {}, "Export"),
    el("table", {}, el("tbody", {},
      row("Kept", found.tally.accepted, "in the exported suite, with any changes"),
      row("Left out", found.tally.rejected, "answered No"),
      row("Disputed", found.tally.disputed, "readers differ: left out until adjudicated"),
      row("Open", found.tally.open, "not decided: left out, unless you keep them"))),
    el("p", {}, `${number(found.items)} items have at least one kept candidate.`),
    el("div", { class: "choices" },
      select("to", "Format", found.formats.map((name) => [name, name]), to, (value) => { to = value; update(); }),
      el("label", { class: "check" }, keep, " Keep undecided candidates"), link),
    note, nothing,
    el("p", { class: "note" }, "The archive holds the suite, ", el("code", {}, "decisions.jsonl"), " (every decision with annotator and time), ", el("code", {}, "datasheet.md"), " (counts, agreement, guidelines) and the guidelines. The same from the terminal:"),
    el("pre", {}, "kontrast review FILE --export DIR --to FORMAT")));
  update();
};
