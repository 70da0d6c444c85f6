/**
 * Requests to the scheduler's REST API. Addresses are relative to the page, so that a proxy may
 * serve both below another path.
 */
import {session} from "./session.js";

const ROOT = new URL("../", document.baseURI);

/** An answer that is not a success, in the words of the server. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 if the server could not be reached
   * @param {string} message
   * @param {string} hint what to do about it
   * @param {string} field the input that was wrong
   */
  constructor(status, message, hint = "", field = "") {
    super(message);
    this.status = status;
    this.hint = hint;
    this.field = field;
  }
}

/** @param {string} path such as `api/v1/jobs` @param {Record<string, unknown>} query absent values are left out */
export function address(path, query = {}) {
  const url = new URL(path, ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      url.searchParams.set(name, String(value));
    }
  }
  return url;
}

/** @param {Headers} headers */
function authorize(headers) {
  if (session.token) {
    headers.set("Authorization", `Bearer ${session.token}`);
  }
  return headers;
}

/**
 * Sends a request and returns the response, whatever its type.
 *
 * @param {string} method
 * @param {string} path
 * @param {{query?: Record<string, unknown>, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal}} options
 */
export async function send(method, path, options = {}) {
  const headers = authorize(new Headers(options.headers));
  if (options.body !== undefined) {
    headers.set("Content-Type", "application/json");
  }
  let response;
  try {
    response = await fetch(address(path, options.query), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
  } catch (failed) {
    if (options.signal?.aborted) {
      throw failed;
    }
    throw new ApiError(0, "The scheduler does not answer.", "The page tries again by itself.");
  }
  // 304 answers a request with If-None-Match: what the caller has is still right.
  if (response.ok || response.status === 304) {
    return response;
  }
  const error = await errorOf(response);
  if (response.status === 401) {
    session.end(session.token ? "The scheduler no longer accepts this token. Log in again." : "");
  }
  throw error;
}

async function errorOf(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // Not JSON: a proxy answered, not the scheduler.
  }
  const message = body.error ?? body.detail ?? `The scheduler answered ${response.status}.`;
  return new ApiError(response.status, String(message), body.hint ?? "", body.field ?? "");
}

/** @param {string} path below `api/v1/` */
export async function get(path, query = {}, signal = undefined) {
  return (await send("GET", `api/v1/${path}`, {query, signal})).json();
}

/** @param {string} method @param {string} path below `api/v1/` @param {unknown} body @param {Record<string, unknown>} query */
export async function change(method, path, body = undefined, query = {}) {
  return (await send(method, `api/v1/${path}`, {query, body})).json();
}
