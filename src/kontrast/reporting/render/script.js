"use strict";
(() => {
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });

  const holder = document.getElementById("items-data");
  if (!holder) return;
  const { systems, items } = JSON.parse(holder.textContent);
  const [text, phenomenon, who, but, sort] = ["find", "phenomenon", "who", "but", "sort"].map((id) => document.getElementById(id));
  const list = document.getElementById("items");
  const count = document.getElementById("count");
  const more = document.getElementById("more");
  const page = 25;
  let shown = page;

  const element = (name, className, content) => {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (content !== undefined) node.textContent = content;
    return node;
  };
  const marked = (pieces, mark) => {
    const node = element("span");
    for (const [same, words] of pieces) node.append(same ? words : element(mark, "", words), " ");
    return node;
  };
  const card = (item) => {
    const box = element("article", "item");
    const meta = element("div", "meta");
    box.id = item.anchor;
    const link = element("a", "", item.id);
    link.href = `#${encodeURIComponent(item.anchor)}`;
    link.title = "link to this item";
    meta.append(link);
    for (const tag of item.tags || []) meta.append(element("span", "tag", tag));
    box.append(meta);
    if (item.context) box.append(element("div", "context", item.context));
    box.append(element("div", "src", item.source));
    const side = element("div", "side");
    const correct = element("div");
    if (item.target_context) correct.append(element("span", "context", item.target_context + " "));
    correct.append(marked(item.correct, "ins"));
    side.append(element("div", "k", "correct"), correct);
    const wrote = new Map(item.wrote || []);
    for (const [who, pieces] of item.preferred) {
      const names = who.map((i) => systems[i]).join(", ");
      const label = wrote.has(who[0]) ? `${names} ${wrote.get(who[0])}` : systems.length > 1 ? names : "preferred";
      side.append(element("div", "k", label), marked(pieces, "del"));
    }
    box.append(side);
    const margins = element("div", "meta");
    item.margins.forEach((margin, i) => {
      const sign = item.missed.includes(i) ? "miss" : "hit";
      const text = margin === null ? sign === "hit" ? "wrote it" : "did not write it" : `${margin > 0 ? "+" : ""}${margin}`.replace("-", "−");
      margins.append(element("span", sign, systems.length > 1 ? `${systems[i]} ${text}` : text));
    });
    box.append(margins);
    return box;
  };
  const matches = (item) => {
    if (phenomenon.value && (item.phenomenon || "") !== phenomenon.value) return false;
    if (who.value === "all" && item.missed.length < systems.length) return false;
    if (who.value !== "" && who.value !== "all" && !item.missed.includes(Number(who.value))) return false;
    if (but && but.value !== "" && item.missed.includes(Number(but.value))) return false;
    const words = text.value.trim().toLowerCase();
    return !words || item.haystack.includes(words);
  };
  const draw = () => {
    const found = items.filter(matches);
    const key = Number(sort.value);
    const margin = (item) => item.margins[key] ?? (item.missed.includes(key) ? -1 : 1);
    if (sort.value !== "") found.sort((a, b) => margin(a) - margin(b));
    list.replaceChildren(...found.slice(0, shown).map(card));
    count.textContent = `${found.length} of ${items.length} items`;
    more.hidden = found.length <= shown;
  };
  const taken = new Set();
  for (const item of items) {
    item.anchor = `item-${item.id}`;
    for (let n = 2; taken.has(item.anchor); n++) item.anchor = `item-${item.id}-${n}`;
    taken.add(item.anchor);
    const words = (pieces) => pieces.map(([, w]) => w).join(" ");
    item.haystack = [item.id, item.source, item.context || "", words(item.correct), ...item.preferred.map(([, p]) => words(p))]
      .join(" ").toLowerCase();
  }
  for (const control of [text, phenomenon, who, but, sort].filter(Boolean)) control.addEventListener("input", () => { shown = page; draw(); });
  more.addEventListener("click", () => { shown += page; draw(); });
  const go = () => {
    const anchor = decodeURIComponent(location.hash.slice(1));
    const place = items.findIndex((item) => item.anchor === anchor);
    if (place < 0) return;
    for (const control of [text, phenomenon, who, but, sort].filter(Boolean)) control.value = "";
    shown = Math.max(shown, place + 1);
    draw();
    document.getElementById(anchor).scrollIntoView();
  };
  addEventListener("hashchange", go);
  draw();
  go();
})();
