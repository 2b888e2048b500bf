// Author: write items in a form, or paste a table; lint speaks beside the field while you type.
import { el, byId, show, toast, number, button } from "./dom.js";
import { get, post, later, Dropped } from "./api.js";

let about, key, waiting, previewing, latest;

export const open = async (state) => {
  about = state;
  key = new URLSearchParams(location.search).get("key");
  const found = key ? await get("form", new URLSearchParams({ key })) : null;
  const draft = found?.draft || { id: "", source: "", right: "", wrong: [{ text: "", error: "" }], context: "", target_context: "", tags: {} };
  show(el("section", { class: "sheet wide author" }, el("h1", {}, key ? `Edit ${key}` : "Write an item"),
    el("div", { class: "columns" }, form(draft), key ? null : table())));
  if (found) mark(found.findings);
};

const [left, right] = [0, 1];
const field = (name, label, value, { rows = 2, side, hint } = {}) => {
  const input = el("textarea", { name, rows: String(rows), dir: "auto", lang: side === undefined ? null : about.languages[side], id: `f-${name}`, "aria-describedby": `m-${name}`, oninput: changed });
  input.value = value || "";
  return el("div", { class: "row" }, el("label", { for: `f-${name}` }, label, hint ? el("span", { class: "soft" }, ` ${hint}`) : null), input, el("div", { class: "messages", id: `m-${name}`, role: "status" }));
};

const wrongField = (i, wrong) => el("div", { class: "wrongrow" }, field(`wrong.${i}`, `Wrong variant ${i + 1}`, wrong.text, { side: right }),
  el("div", { class: "row error" }, el("label", { for: `f-error.${i}` }, "Its error"), (() => {
    const input = el("input", { name: `error.${i}`, id: `f-error.${i}`, list: "phenomena", oninput: changed });
    input.value = wrong.error || "";
    return input;
  })()));

const form = (draft) => {
  const wrongs = el("div", { id: "wrongs" }, draft.wrong.map((wrong, i) => wrongField(i, wrong)));
  const tags = Object.entries(draft.tags).map(([name, value]) => `${name}: ${value}`).join("\n");
  return el("form", { id: "item", onsubmit: save },
    el("datalist", { id: "phenomena" }, about.phenomena.map(([name]) => el("option", { value: name }))),
    el("div", { class: "row error" }, el("label", { for: "f-id" }, "Id ", el("span", { class: "soft" }, "(a number if left empty)")), (() => {
      const input = el("input", { name: "id", id: "f-id", disabled: Boolean(key), oninput: changed });
      input.value = draft.id;
      return input;
    })()),
    field("context", "Source context", draft.context, { side: left, hint: "a sentence per line, oldest first" }),
    field("source", "Source", draft.source, { side: left }),
    field("target_context", "Target context", draft.target_context, { side: right, hint: "a sentence per line" }),
    field("right", "Right variant", draft.right, { side: right }),
    wrongs,
    el("p", {}, button("Another wrong variant", "", () => wrongs.append(wrongField(wrongs.children.length, { text: "", error: "" })))),
    field("tags", "Tags", tags, { hint: "name: value, one per line" }),
    el("div", { class: "messages", id: "m-", role: "status" }),
    el("div", { class: "choices" }, el("button", { class: "primary" }, key ? "Save" : "Add the item"),
      key ? button("Remove the item", "", remove) : null));
};

const value = (name) => document.querySelector(`#item [name="${name}"]`)?.value ?? "";

const read = () => ({
  id: value("id").trim(), source: value("source"), right: value("right"), context: value("context"), target_context: value("target_context"),
  wrong: [...byId("wrongs").children].map((_, i) => ({ text: value(`wrong.${i}`), error: value(`error.${i}`) })).filter((wrong) => wrong.text.trim()),
  tags: Object.fromEntries(value("tags").split("\n").filter((line) => line.includes(":")).map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()])),
});

// Lint follows the typing; an answer to an older question is dropped.
const changed = () => {
  clearTimeout(waiting);
  waiting = later(async () => {
    const draft = read();
    if (!draft.source.trim() && !draft.right.trim()) return mark([]);
    const asked = latest = {};
    const found = await post("lint", { draft, key });
    if (asked === latest) mark(found);
  }, 250);
};

const SIGNS = { error: "✗", warning: "!", note: "i" };
const message = (found) => el("p", { class: `message ${found.level}` }, el("b", {}, `${SIGNS[found.level]} ${found.level}: `), found.message);

const mark = (found) => {
  for (const place of document.querySelectorAll(".messages")) place.replaceChildren();
  for (const input of document.querySelectorAll("#item textarea")) input.removeAttribute("aria-invalid");
  for (const each of found) {
    (byId(`m-${each.field}`) || byId("m-")).append(message(each));
    if (each.level === "error") byId(`f-${each.field}`)?.setAttribute("aria-invalid", "true");
  }
};

const save = async (event) => {
  event.preventDefault();
  const { keys } = await post("keep", { draft: read(), key });
  toast(`Kept as ${keys[0]}`);
  if (!key) { await open(about); byId("f-source").focus(); }
};

const remove = async () => {
  await post("remove", { key });
  history.pushState(null, "", "/items");
  location.reload();
};

const table = () => {
  const box = el("textarea", { id: "table", rows: "7", "aria-label": "A table", placeholder: "source ⇥ right ⇥ wrong ⇥ phenomenon ⇥ context" });
  const list = el("div", { id: "pasted" });
  box.addEventListener("input", () => { clearTimeout(previewing); previewing = later(() => preview(box, list), 300); });
  return el("section", { class: "paste", "aria-label": "Paste a table" }, el("h2", {}, "Or paste a table"),
    el("p", { class: "note" }, "From a spreadsheet or as CSV. Columns: source, right, wrong (wrong2 …), phenomenon, context, target_context, id; any other is a tag. Without a heading: the first five in this order."), box, list);
};

const preview = async (box, list) => {
  if (!box.value.trim()) return list.replaceChildren();
  let rows;
  try { rows = await post("paste", { text: box.value }); } catch (error) { if (error instanceof Dropped) return; return list.replaceChildren(el("p", { class: "message error" }, error.message)); }
  const bad = rows.filter((row) => row.findings.some((f) => f.level === "error")).length;
  list.replaceChildren(
    el("p", {}, `${number(rows.length)} items${bad ? `, ${number(bad)} with errors` : ""}`),
    el("ol", { class: "preview" }, rows.slice(0, 50).map(({ draft, findings }) => el("li", {}, el("span", { class: "text line", dir: "auto" }, draft.source), [draft.right, ...draft.wrong.map((w) => w.text)].map((words) => el("span", { class: "text line soft", dir: "auto" }, words)), findings.map(message)))),
    rows.length > 50 ? el("p", { class: "note" }, `and ${number(rows.length - 50)} more`) : "",
    el("button", { type: "button", class: "primary", onclick: async () => {
      const { keys } = await post("add", { drafts: rows.map((row) => row.draft) });
      toast(`${number(keys.length)} candidates added`);
      box.value = "";
      list.replaceChildren();
    } }, `Add ${number(rows.length)} items`));
};

export const keys = {};
