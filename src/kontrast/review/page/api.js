// Questions to the server. An answer that never came, or not whole, is asked for again. One that is no longer wanted,
// because the view was left or the same was asked anew, ends as `Dropped`, which nobody is told of.
import { toast } from "./dom.js";

export const me = {
  get name() { try { return localStorage.getItem("kontrast-annotator") || ""; } catch { return ""; } },
  set name(value) { try { localStorage.setItem("kontrast-annotator", value); } catch { /* private window */ } },
};

export class Refused extends Error {
  constructor(status, body) { super(body.error || `the server answered ${status}`); this.status = status; this.body = body; }
}
export class Dropped extends Error {}

export const tell = (error) => { if (!(error instanceof Dropped)) toast(error.message, true); };

// Errors that no view has a use for are told here, so that views need not catch them.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Dropped || event.reason instanceof Refused)) return;
  event.preventDefault();
  tell(event.reason);
});

// Counts the views that were opened: what an earlier one asked for or put off is dropped.
let turn = 0;
const asked = {};
export const leave = () => { turn += 1; };
export const staying = () => { const mine = turn; return () => mine === turn; };
export const later = (job, milliseconds) => { const here = staying(); return setTimeout(() => here() && job(), milliseconds); };

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const ask = async (path, options, wanted) => {
  for (let attempt = 0; ; attempt += 1) {
    let answer, body;
    try {
      answer = await fetch(path, { ...options, headers: { ...options.headers, "x-annotator": encodeURIComponent(me.name) } });
      body = await answer.json().catch((error) => { if (answer.ok) throw error; return {}; });
    } catch (error) {
      // Asking again is safe: a decision carries the number of the one it replaces.
      if (attempt === 0) toast("The server does not answer; trying again …", true);
      if (attempt > 40) throw error;
      await pause(Math.min(3000, 300 * (attempt + 1)));
      continue;
    }
    if (attempt > 0) toast("The server is back.");
    if (answer.status === 401) body = { error: "Open the link that kontrast printed." };
    const refused = answer.ok ? null : new Refused(answer.status, body);
    if (!wanted()) {
      if (refused && options.method === "POST") tell(refused);  // what was not kept is always told
      throw new Dropped();
    }
    if (refused) throw refused;
    return body;
  }
};

// Of several questions for the same thing the newest counts.
export const get = (path, query) => {
  const here = staying();
  const mine = asked[path] = {};
  return ask(`/api/${path}${query ? `?${query}` : ""}`, { method: "GET" }, () => here() && asked[path] === mine);
};

export const post = (path, body = {}, query = "") => ask(`/api/${path}${query ? `?${query}` : ""}`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-kontrast-review": "1" },
  body: JSON.stringify(body),
}, staying());
