// Adjudication: where readers differ, one of them or a third text is chosen. Readers are numbered, not named.
import { el, show, text, button, key, toast, number } from "./dom.js";
import { get, post, tell } from "./api.js";
import { sides, question, YES, SIGNS } from "./card.js";

let about, found, panel;

export const open = async (state) => { about = state; await load(); };

const load = async (wanted) => {
  found = await get("disputes", wanted ? new URLSearchParams({ key: wanted }) : "");
  panel = null;
  draw();
};

const WORDS = { accepted: "keeps it as it is", changed: "keeps it with a change", rejected: "leaves it out" };

const draw = () => {
  const hidden = found.hidden ? el("p", { class: "note" }, `${number(found.hidden)} more that you have not decided yourself. Decide these first, so that you do not see other decisions.`) : null;
  if (!found.card) {
    show(el("section", { class: "sheet" }, el("h1", {}, "Adjudicate"), el("p", {}, "There is no candidate on which annotators differ."), hidden));
    return;
  }
  show(el("section", { class: "desk narrow" }, el("p", { class: "count" }, `${number(found.total)} to adjudicate · ${number(found.settled)} done`), hidden,
    el("article", { class: "card", "aria-label": `Entry ${found.card.key}` },
      sides(found.card, about),
      el("ol", { class: "said" }, found.said.map((said, i) => el("li", { class: said.status },
        el("button", { type: "button", onclick: () => choose(i) }, key(String(i + 1)),
          el("span", {}, el("span", { "aria-hidden": "true" }, `${SIGNS[said.status]} `), `Annotator ${said.reader} ${WORDS[said.status]}`, said.reason ? `: ${said.reason}` : "",
            said.pieces ? el("span", { class: "line" }, text(said.pieces, about.languages[1], "candidate")) : null,
            said.note ? el("span", { class: "line soft" }, said.note) : null))))),
      el("div", { class: "actions", role: "toolbar", "aria-label": "Decide" },
        question(found.card),
        button(YES, "a", () => send("accept"), "primary"),
        button("No, leave it out", "r", () => send("reject", { reason: found.said.find((s) => s.reason)?.reason || "adjudicated" })),
        button("Edit", "e", edit), el("span", { class: "spring" }), button("Undo", "u", undo, "quiet"),
        button("←", "k", () => found.previous && load(found.previous), "quiet", "Previous"), button("→", "j", () => found.next && load(found.next), "quiet", "Next")),
      el("div", { id: "panel" }))));
};

const choose = (i) => {
  const said = found.said[i];
  if (said) send(said.status === "rejected" ? "reject" : "accept", { reason: said.reason || "", text: said.text ?? null });
};

const send = async (verb, more = {}) => {
  try {
    await post("adjudicate", { key: found.card.key, verb, seen: 0, ...more });
    toast(verb === "accept" ? "Kept" : "Left out");
    await load(found.next);
  } catch (error) { tell(error); if (error.status === 409) await load(); }
};

const edit = () => {
  const field = el("textarea", { rows: "3", dir: "auto", lang: about.languages[1], "aria-label": "The candidate",
    onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); send("accept", { text: field.value }); } } });
  field.value = found.said.find((s) => s.text)?.text || found.card.text || "";
  panel = el("div", { class: "panel" }, el("p", { class: "ask" }, "The text to keep (", key("Enter"), ")"), field);
  document.getElementById("panel").replaceChildren(panel);
  field.focus();
};

const undo = async () => {
  const answer = await post("undo", {});
  toast("Undone");
  await load(answer.card.key);
};

export const keys = {
  "1": ["take the decision of annotator 1 (2, 3 … likewise)", () => choose(0)],
  a: ["yes, keep it as it is", () => found.card && send("accept")],
  r: ["no, leave it out", () => found.card && send("reject", { reason: found.said.find((s) => s.reason)?.reason || "adjudicated" })],
  e: ["edit the candidate", () => found.card && edit()],
  u: ["undo", undo],
  j: ["next", () => found.next && load(found.next)],
  k: ["previous", () => found.previous && load(found.previous)],
  Escape: ["close what is open", () => document.getElementById("panel")?.replaceChildren()],
};
export const aliases = { ArrowRight: "j", ArrowLeft: "k", z: "u" };
export const digit = (n) => choose(n - 1);
