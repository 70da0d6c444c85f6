/** The same action as a command line, for people who want to repeat it or put it into a script. */

/** A word that a shell takes as one argument. @param {unknown} word */
export function quote(word) {
  const text = String(word);
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `gpu-cli` with its arguments. @param {...unknown} words */
export function cli(...words) {
  return ["gpu-cli", ...words].map(quote).join(" ");
}

/**
 * The request as a curl command. The token is read from the environment, so that no secret is
 * copied.
 *
 * @param {string} method @param {string} path below `api/v1/` @param {unknown} body
 */
export function curl(method, path, body = undefined, auth = true) {
  const url = new URL(`../api/v1/${path}`, document.baseURI).href;
  const words = ["curl", "-sS", "-X", method];
  if (auth) words.push("-H", "Authorization: Bearer $GPU_SCHEDULER_TOKEN");
  if (body !== undefined) words.push("-H", "Content-Type: application/json", "-d", JSON.stringify(body));
  words.push(url);
  // The variable must be expanded, so that this one word is in double quotes.
  return words.map(word => (word.includes("$GPU_SCHEDULER_TOKEN") ? `"${word}"` : quote(word))).join(" ");
}
