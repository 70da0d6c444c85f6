/**
 * Addresses of the views: `#/jobs/job-7?tab=logs`. Everything that a view shows is in its address,
 * so that an address can be shared.
 */
/** @typedef {{path: string[], query: URLSearchParams}} Route */

/** @returns {Route} */
export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a view. @param {string[]} path @param {Record<string, unknown>} query */
export function link(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      parameters.set(name, String(value));
    }
  }
  const text = parameters.toString();
  return "#/" + path.map(encodeURIComponent).join("/") + (text ? "?" + text : "");
}

/** @param {string[]} path @param {Record<string, unknown>} query */
export function go(path, query = {}) {
  location.hash = link(path, query);
}

/** Changes parameters of the present address without a new entry in the history. @param {Record<string, unknown>} changes */
export function setQuery(changes) {
  const {path, query} = route();
  const next = {...Object.fromEntries(query), ...changes};
  history.replaceState(null, "", link(path, next));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
