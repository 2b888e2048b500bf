// Questions to the server. An answer that never came is asked for again; one that was refused is said.
import { toast } from "./dom.js";

export const me = {
  get name() { try { return localStorage.getItem("kontrast-annotator") || ""; } catch { return ""; } },
  set name(value) { try { localStorage.setItem("kontrast-annotator", value); } catch { /* private window */ } },
};

export class Refused extends Error {
  constructor(status, body) { super(body.error || `the server answered ${status}`); this.status = status; this.body = body; }
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const ask = async (path, options) => {
  for (let attempt = 0; ; attempt += 1) {
    let answer;
    try {
      answer = await fetch(path, { ...options, headers: { ...options.headers, "x-annotator": encodeURIComponent(me.name) } });
    } catch (error) {
      // Asking again is safe: a decision carries the number of the one it replaces.
      if (attempt === 0) toast("The server does not answer; trying again …", true);
      if (attempt > 40) throw error;
      await pause(Math.min(3000, 300 * (attempt + 1)));
      continue;
    }
    if (attempt > 0) toast("The server is back.");
    const body = await answer.json().catch(() => ({ error: "Open the link that kontrast printed." }));
    if (!answer.ok) throw new Refused(answer.status, body);
    return body;
  }
};

export const get = (path, query) => ask(`/api/${path}${query ? `?${query}` : ""}`, { method: "GET" });

export const post = (path, body = {}, query = "") => ask(`/api/${path}${query ? `?${query}` : ""}`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-kontrast-review": "1" },
  body: JSON.stringify(body),
});
