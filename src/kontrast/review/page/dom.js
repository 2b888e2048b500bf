// Elements from data. Texts are only ever set as text: nothing that a suite holds can become markup.

export const el = (tag, properties = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};

export const byId = (id) => document.getElementById(id);

const MARKS = {
  changed: (side, words) => el(side === "candidate" ? "del" : "ins", { class: "mark" }, words),
  gap: (side) => el("span", { class: "gap", title: "words are missing here" },
    el("span", { class: "hidden" }, "[words missing]"), el("span", { "aria-hidden": "true" }, "⁁")),
  aligned: (side, words) => el("span", { class: "aligned", title: "the aligned word" }, words),
  antecedent: (side, words) => el("span", { class: "antecedent", title: "the antecedent" }, words),
};

// A text in pieces; dir="auto" lets right-to-left texts run their way.
export const text = (pieces, language, side = "reference", className = "") =>
  el("span", { dir: "auto", lang: language, class: `text ${className}` },
    (typeof pieces === "string" ? [[pieces, ""]] : pieces).map(([words, kind]) =>
      kind ? MARKS[kind](side, words) : words));

export const key = (name) => el("kbd", { "aria-hidden": "true" }, name);

export const button = (label, shortcut, onclick, className = "", words = null) =>
  el("button", { type: "button", class: className, onclick, "aria-keyshortcuts": shortcut || null, "aria-label": words, title: words },
    label, shortcut ? key(shortcut) : null);

let fading;
export const toast = (message, bad = false) => {
  const node = byId("toast");
  node.className = bad ? "bad shown" : "shown";
  node.textContent = message;
  clearTimeout(fading);
  fading = setTimeout(() => { node.className = ""; node.textContent = ""; }, bad ? 7000 : 2500);
};

export const show = (...children) => byId("main").replaceChildren(...children.flat().filter(Boolean));

// What may be wider than the page scrolls by itself, with the keyboard too.
export const scroll = (label, child) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, child);

export const number = (value) => value.toLocaleString("en");

export const select = (name, label, options, value, onchange) =>
  el("label", { class: "field" }, el("span", {}, label),
    el("select", { name, onchange: (event) => onchange(event.target.value) },
      options.map(([code, words]) => el("option", { value: code, selected: code === value }, words))));

export const tree = (nodes) => nodes.map((node) => typeof node === "string" ? node
  : el(node[0], node[0] === "a" && node[1] ? { href: node[1], rel: "noopener noreferrer", target: "_blank" } : {}, tree(node[2])));
