// The frame: views by address, keys, the reader's name, light and dark.
import { el, byId, show, toast, key, button } from "./dom.js";
import { get, post, me, leave, staying, Dropped } from "./api.js";

const VIEWS = [["", "Review"], ["items", "Items"], ["agreement", "Agreement"], ["adjudicate", "Adjudicate"], ["author", "Author"], ["export", "Export"]];
const FILES = { "": "review", item: "review", items: "items", agreement: "agreement", adjudicate: "adjudicate", author: "author", export: "export" };

let about;
let view;
let shortcuts = true;

const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window */ } };

const route = () => {
  const [, first = "", ...rest] = location.pathname.split("/");
  return { first, rest: rest.join("/") };
};

const start = async () => {
  about = await get("about");
  if (about.bound) me.name = about.bound;
  if (!me.name) return enter();
  if (!about.counts) about = await get("about");
  byId("suite").textContent = about.name;
  byId("who").textContent = me.name;
  byId("who").hidden = false;
  byId("who").disabled = Boolean(about.bound);
  await open();
};

// The view is left: its keys and its answers count no more.
const away = () => { leave(); view = null; };

const open = async () => {
  away();
  const here = staying();
  const { first, rest } = route();
  const name = FILES[first] ?? "review";
  byId("nav").replaceChildren(...VIEWS.map(([code, label]) => el("a", {
    href: `/${code}`, "data-view": code, "aria-current": FILES[code] === name ? "page" : null,
  }, label)));
  byId("stale").hidden = !about.stale;
  document.title = `${about.name} – kontrast review`;
  const opened = await import(`./${name}.js`);
  if (!here()) return;
  view = opened;
  try {
    await view.open(about, rest ? decodeURIComponent(rest) : null);
  } catch (error) {
    if (!(error instanceof Dropped)) show(el("p", { class: "note" }, error.message));
  }
};

export const visit = async (path) => {
  away();
  history.pushState(null, "", path);
  byId("dialog").close();
  about = await get("about");
  await open();
  byId("main").focus({ preventScroll: true });
  scrollTo(0, 0);
};

const enter = () => {
  away();
  const field = el("input", { id: "name", autocomplete: "name", maxlength: "80", required: true });
  field.value = me.name;
  const form = el("form", { class: "enter", onsubmit: async (event) => {
    event.preventDefault();
    me.name = (await post("annotator", { name: field.value })).name;
    byId("dialog").close();
    await start();
  } }, el("h1", {}, "Who is annotating?"), el("p", {}, "Your decisions are saved under this name, separately from those of others."),
  el("label", { for: "name" }, "Name"), field, el("button", { class: "primary" }, "Begin"));
  show(form);
  field.focus();
};

const help = () => {
  const dialog = byId("dialog");
  const rows = Object.entries(view?.keys || {}).map(([name, [words]]) => [el("dt", {}, el("kbd", {}, name)), el("dd", {}, words)]);
  const toggle = el("input", { type: "checkbox", onchange: (event) => { shortcuts = event.target.checked; keep("kontrast-shortcuts", shortcuts ? "on" : "off"); } });
  toggle.checked = shortcuts;
  dialog.replaceChildren(el("h2", {}, "Keys"), rows.length ? el("dl", { class: "keys" }, rows) : el("p", {}, "This view has no keys."),
    el("label", { class: "check" }, toggle, " Single keys decide"), el("div", { class: "choices" }, button("Close", "", () => dialog.close())));
  dialog.setAttribute("aria-label", "Keys");
  dialog.showModal();
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view], a[href^='/item/'], a[href^='/items']");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  visit(link.getAttribute("href"));
});
addEventListener("popstate", () => open());

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "Escape" && typing && !byId("dialog").open) { typing.blur(); view?.keys?.Escape?.[1](); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || byId("dialog").open || !shortcuts) return;
  if (event.key === "?") { event.preventDefault(); help(); return; }
  if (/^[0-9]$/.test(event.key) && view?.digit) { event.preventDefault(); view.digit(Number(event.key)); return; }
  const name = view?.aliases?.[event.key] || event.key;
  const found = view?.keys?.[name];
  if (found) { event.preventDefault(); found[1](); }
});

const root = document.documentElement;
if (stored("kontrast-theme")) root.dataset.theme = stored("kontrast-theme");
shortcuts = stored("kontrast-shortcuts") !== "off";
byId("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("kontrast-theme", root.dataset.theme);
});
byId("help").addEventListener("click", help);
byId("who").addEventListener("click", enter);
byId("stale").append("The file has changed on disk since it was read. ", button("Read it again", "", async () => {
  const { message } = await post("reread");
  byId("stale").hidden = true;
  await visit(location.pathname + location.search);
  toast(message);
}));

start().catch((error) => show(el("p", { class: "note" }, error.message)));
