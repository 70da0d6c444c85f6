/** The same action as a command line, for people who want to repeat it or put it into a script. */
import {session} from "./session.js";

/** Characters that would show a command in another order than it is, or end its line. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escaped(letter) {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A word that a shell takes as one argument. @param {unknown} word */
export function quote(word) {
  const text = String(word);
  if (text.search(HIDDEN) >= 0) {
    return `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replace(HIDDEN, escaped)}'`;
  }
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Where `gpu-cli` looks for the scheduler by itself. */
const USUAL = ["http://localhost:8080/", "http://127.0.0.1:8080/"];

/** `gpu-cli` with its arguments, and the address of this scheduler if it is not the usual one. @param {...unknown} words */
export function cli(command, ...words) {
  const root = new URL("../", document.baseURI).href;
  const where = USUAL.includes(root) ? [] : ["--api-url", root.replace(/\/$/, "")];
  return ["gpu-cli", command, ...where, ...words].map(quote).join(" ");
}

/**
 * The request as a curl command. The token is read from the environment, so that no secret is
 * copied.
 *
 * @param {string} method @param {string} path below `api/v1/` @param {unknown} body
 */
export function curl(method, path, body = undefined) {
  const words = ["curl -sS -X", method];
  // The shell must expand the variable, so that only this word is in double quotes.
  if (session.who?.auth ?? true) words.push('-H "Authorization: Bearer $GPU_SCHEDULER_TOKEN"');
  if (body !== undefined) {
    words.push("-H 'Content-Type: application/json' -d", quote(JSON.stringify(body).replace(HIDDEN, escaped)));
  }
  words.push(quote(new URL(`../api/v1/${path}`, document.baseURI).href));
  return words.join(" ");
}
