// One item's scores: every variant by every system, side by side, with the log-probabilities of tokens where known.
import { el, text, scroll } from "./dom.js";
import { signed } from "./explore.js";

const VERDICTS = { right: "✓ right", wrong: "✗ wrong", both: "± both forms", neither: "? neither form", undecidable: "? cannot be decided by words" };

export const scores = (found, about) => {
  const shown = found.scores;
  if (!shown) return null;
  const systems = about.views.systems;
  return el("div", { class: "scores" },
    systems.length ? scroll("Scores", el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Variant"), systems.map((s) => el("th", { scope: "col", class: "n", title: s.signature }, s.name, s.context && s.context !== "none" && !s.name.includes(s.context) ? ` (${s.context})` : "")))),
      el("tbody", {},
        shown.variants.map((variant) => el("tr", { class: variant.here ? "here" : "" },
          el("td", {}, el("span", { class: "soft" }, variant.correct ? "correct " : "wrong "), text(variant.pieces, about.languages[1], variant.correct ? "reference" : "candidate")),
          variant.scores.map((value, i) => el("td", { class: "n" }, preferred(shown, systems[i], i) === value ? el("b", {}, value.toFixed(2), el("span", { class: "hidden" }, " preferred")) : value.toFixed(2))))),
        shown.margins.length ? el("tr", {}, el("th", { scope: "row" }, "margin"), shown.margins.map((m) => el("td", { class: `n ${m.right ? "hit" : "miss"}` }, `${m.right ? "✓" : "✗"} ${signed(m.margin)}`))) : null))) : null,
    shown.translations.length ? el("dl", { class: "sides" }, shown.translations.map((t) => [el("dt", {}, t.system, t.verdict ? el("span", { class: t.verdict === "right" ? "hit verdict" : "miss verdict" }, VERDICTS[t.verdict] || t.verdict) : null), el("dd", {}, text(t.pieces, about.languages[1], "candidate"))])) : null,
    systems.map((system, i) => shown.variants.some((v) => v.tokens[i]) ? tokens(shown, system, i) : null));
};

const preferred = (shown, system, i) => { const values = shown.variants.map((v) => v.scores[i]); return system.lower ? Math.min(...values) : Math.max(...values); };

// Five steps of colour; the number below each token says the same.
const step = (logprob) => (logprob > -0.25 ? 0 : logprob > -1 ? 1 : logprob > -2.5 ? 2 : logprob > -5 ? 3 : 4);

const tokens = (shown, system, i) => el("details", { class: "tokens" }, el("summary", {}, `Tokens of ${system.name}`),
  el("p", { class: "note" }, "Log-probability of each token; the darker, the less likely."),
  shown.variants.map((variant) => variant.tokens[i] && el("p", { class: "tokenline", lang: "x-tokens" }, el("span", { class: "soft" }, variant.correct ? "correct" : "wrong"),
    variant.tokens[i].tokens.map((token, k) => el("span", { class: `token p${step(variant.tokens[i].logprobs[k])}` }, el("span", { class: "piece", dir: "auto" }, token), el("span", { class: "logprob" }, variant.tokens[i].logprobs[k].toFixed(2)))))));
