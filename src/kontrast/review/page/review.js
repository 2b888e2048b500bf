// Review: one entry at a time, all by keyboard.
import { el, byId, text, button, key, show, toast, number, tree } from "./dom.js";
import { sides, question, same, YES, NO, SIGNS } from "./card.js";
import { get, post, tell } from "./api.js";
import { current, address, filterBar } from "./filters.js";
import { scores } from "./scores.js";

let about, card, chosen, since, panel, note, busy;

export const open = async (state, wanted) => {
  about = state;
  card = null;
  busy = false;
  chosen = current(about);
  note = null;
  show(el("div", { class: "work" },
    el("section", { class: "desk", "aria-label": "Review" }, filterBar(about, chosen, refilter), el("div", { id: "progress" }), el("div", { id: "card" })),
    guide()));
  await load(wanted);
};

const refilter = async (changed) => {
  chosen = changed;
  history.replaceState(null, "", address("/", chosen));
  await load(null);
};

const load = async (wanted) => {
  const query = new URLSearchParams(chosen);
  if (wanted) query.set("key", wanted);
  draw(await get("card", query));
};

const go = (wanted) => (wanted ? load(wanted) : toast("There are no more entries in this direction."));

const draw = (found) => {
  card = found;
  panel = null;
  note = found.own?.note || "";
  since = performance.now();
  progress(found.counts, found.seconds_left);
  if (found.stale !== undefined) byId("stale").hidden = !found.stale;
  if (found.empty) {
    byId("card").replaceChildren(about.entries
      ? el("p", { class: "note empty" }, "No entry fits these filters.")
      : el("div", { class: "card done" }, el("h2", {}, "No items yet"), el("p", {}, el("a", { href: "/author", "data-view": "author" }, "Write the first one"), ", or paste a table.")));
    return;
  }
  history.replaceState(null, "", address(`/item/${encodeURIComponent(found.key)}`, chosen));
  document.title = `${found.key} – kontrast review`;
  byId("card").replaceChildren(sheet(found));
};

const sheet = (found) => el("article", { class: "card", "aria-label": `Entry ${found.key}` },
  sides(found, about, el("a", { class: "edit", href: `/author?key=${encodeURIComponent(found.key)}`, "data-view": "author" }, "edit the item")),
  scores(found, about),
  decision(found),
  actions(found),
  el("div", { id: "panel" }));

const WORDS = { accepted: "Kept", changed: "Kept with a change", rejected: "Left out" };

const decision = (found) => found.own && el("p", { class: `decision ${found.own.status}` },
  el("span", { "aria-hidden": "true" }, `${SIGNS[found.own.status]} `), WORDS[found.own.status],
  found.own.reason ? `: ${found.own.reason}` : "", found.own.note ? el("span", { class: "soft" }, ` — ${found.own.note}`) : "");

const actions = (found) => el("div", { class: "actions", role: "toolbar", "aria-label": "Decide" },
  question(found, button("Guidelines", "g", guidelines, "quiet")),
  found.candidate && same(found) ? button("Yes, write it", "e", edit, "primary") : button(YES, "a", accept, "primary"),
  button(NO, "r", reject),
  found.candidate && !same(found) && button("Edit", "e", edit),
  found.candidate && button("Other form", "f", forms),
  button("Note", "n", write),
  el("span", { class: "spring" }),
  button("Undo", "u", undo, "quiet"),
  button("←", "k", () => go(card.previous), "quiet", "Previous"),
  button("→", "j", () => go(card.next), "quiet", "Next"));

const progress = (counts, left) => {
  const total = Object.values(counts).reduce((a, b) => a + b, 0);
  const done = total - counts.open;
  const bar = el("div", { class: "meter", role: "progressbar", "aria-label": "Decided", "aria-valuemin": "0", "aria-valuemax": String(total), "aria-valuenow": String(done) });
  for (const status of ["accepted", "changed", "rejected"]) {
    const part = el("i", { class: status });
    part.style.width = `${(100 * counts[status]) / Math.max(1, total)}%`;
    bar.append(part);
  }
  const parts = [`${number(done)} of ${number(total)} decided`, `${number(counts.accepted + counts.changed)} kept`, `${number(counts.rejected)} left out`];
  if (left !== null && left !== undefined && counts.open) parts.push(`about ${duration(left)} left`);
  byId("progress").replaceChildren(bar, el("p", { class: "count" }, parts.join(" · ")));
};

const duration = (seconds) => seconds < 90 ? `${Math.max(5, Math.round(seconds / 5) * 5)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

const send = async (verb, more = {}) => {
  if (busy || !card || card.empty) return;
  busy = true;
  try {
    const answer = await post("decide", {
      key: card.key, verb, seen: card.own ? card.own.number : 0, note: note || "",
      seconds: Math.round(performance.now() - since) / 1000, ...more,
    }, chosen);
    toast(WORDS[verb === "reject" ? "rejected" : more.text ? "changed" : "accepted"]);
    if (answer.card) draw(answer.card);
    else finished(answer);
  } catch (error) {
    if (error.status === 409) await conflict(error);
    else tell(error);
  } finally { busy = false; }
};

const finished = (answer) => {
  progress(answer.counts, answer.seconds_left);
  card = { empty: true, previous: card.key };
  byId("card").replaceChildren(el("div", { class: "card done" }, el("h2", {}, "All decided"),
    el("p", {}, "Every entry of this view has a decision. Choose other filters, or "), el("p", {}, el("a", { href: "/export", "data-view": "export" }, "export the reviewed suite"), "."),
    el("div", { class: "actions" }, button("Undo", "u", undo, "quiet"))));
};

const conflict = async (error) => {
  toast(error.message, true);
  await load(card.key);
};

const openPanel = (name, ...content) => {
  panel = name;
  byId("panel").replaceChildren(el("div", { class: "panel" }, ...content));
  byId("panel").scrollIntoView({ block: "nearest" });
};
const closePanel = () => { panel = null; byId("panel")?.replaceChildren(); };

const accept = () => send("accept", card.own?.status === "changed" ? { text: card.own.text } : {});

const reject = () => {
  const other = el("input", {
    "aria-label": "Another reason", placeholder: "another reason, then Enter", maxlength: "200",
    onkeydown: (event) => { if (event.key === "Enter" && event.target.value.trim()) send("reject", { reason: event.target.value.trim() }); },
  });
  openPanel("reject", el("p", { class: "ask" }, "No, because"),
    el("div", { class: "choices" }, about.reasons.slice(0, 9).map((reason, i) => button(reason, String(i + 1), () => send("reject", { reason }))),
      el("label", { class: "other" }, key("0"), other)));
};

const edit = () => {
  const field = el("textarea", {
    rows: "3", dir: "auto", lang: about.languages[1], "aria-label": "The candidate",
    onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); send("accept", { text: field.value }); } },
  });
  field.value = card.own?.text || card.text || "";
  openPanel("edit", el("p", { class: "ask" }, "Change the candidate; ", key("Enter"), " keeps it so, ", key("Esc"), " leaves it."), field,
    el("div", { class: "choices" }, el("button", { type: "button", class: "primary", onclick: () => send("accept", { text: field.value }) }, "Keep it with this change"),
      el("button", { type: "button", onclick: closePanel }, "Cancel")));
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
};

const forms = async () => {
  const here = card.key;
  openPanel("forms", el("p", { class: "note" }, "Looking for other forms …"));
  const found = await get("forms", new URLSearchParams({ key: here }));
  if (panel !== "forms" || card.key !== here) return;
  if (!found.length) return openPanel("forms", el("p", { class: "note" }, "No other form is known; press e to edit."));
  openPanel("forms", el("p", { class: "ask" }, "Keep it with another form:"),
    el("ol", { class: "forms" }, found.map((form, i) => el("li", {}, el("button", { type: "button", onclick: () => send("accept", { text: form.text }) },
      key(String(i + 1)), text(snippet(form.pieces), about.languages[1], "candidate"))))));
};

// In a long sentence only the words around the change: forms differ in little.
const snippet = (pieces) => pieces.map(([words, kind], i) => {
  if (kind || words.length < 60) return [words, kind];
  const [head, tail] = [words.slice(0, 32).replace(/\S*$/u, ""), words.slice(-32).replace(/^\S*\s/u, "")];
  return [i === 0 ? `… ${tail}` : i === pieces.length - 1 ? `${head}…` : `${head}… ${tail}`, kind];
});

const write = () => {
  const field = el("input", {
    "aria-label": "Note", maxlength: "2000", placeholder: "Note for this decision",
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      note = field.value;
      if (card.own) send(card.own.status === "rejected" ? "reject" : "accept", { reason: card.own.reason || "", text: card.own.text });
      else { closePanel(); byId("panel").replaceChildren(el("p", { class: "soft" }, `Note: ${note}`)); }
    },
  });
  field.value = note || "";
  openPanel("note", el("p", { class: "ask" }, "Note for this decision (", key("Enter"), ")"), field);
  field.focus();
};

const undo = async () => {
  draw((await post("undo", {}, chosen)).card);
  toast("Undone");
};

// The reviewer's own guidelines stand beside the card, the built-in ones wait for the key.
const guide = () => el("aside", { id: "guide", "aria-label": "Guidelines", hidden: about.built_in },
  el("details", { open: about.built_in || matchMedia("(min-width: 70rem)").matches }, el("summary", {}, "Guidelines"), el("div", { class: "prose" }, tree(about.guidelines))));

const guidelines = () => {
  const box = byId("guide");
  if (about.built_in) box.hidden = !box.hidden;
  else box.firstChild.open = !box.firstChild.open;
  if (!box.hidden) box.scrollIntoView({ block: "nearest" });
};

// A key pressed before the card is there decides nothing.
const here = () => card && !card.empty && byId("panel");

export const keys = {
  a: ["yes, keep it", () => here() && accept()],
  r: ["no, then a number for the reason", () => here() && reject()],
  e: ["edit the candidate", () => here() && card.candidate && edit()],
  f: ["choose another form, then a number", () => here() && card.candidate && forms()],
  n: ["write a note", () => here() && write()],
  u: ["undo the last decision", () => undo()],
  j: ["next", () => card && go(card.next)],
  k: ["previous", () => card && go(card.previous)],
  "/": ["search", () => byId("search").focus()],
  g: ["guidelines", () => byId("guide") && guidelines()],
  Escape: ["close what is open", () => closePanel()],
};
export const aliases = { ArrowRight: "j", ArrowLeft: "k", z: "u" };

export const digit = (n) => {
  if (panel === "reject" && n === 0) document.querySelector("#panel input").focus();
  else if (panel === "reject" && about.reasons[n - 1]) send("reject", { reason: about.reasons[n - 1] });
  else if (panel === "forms") document.querySelectorAll("#panel .forms button")[n - 1]?.click();
};
