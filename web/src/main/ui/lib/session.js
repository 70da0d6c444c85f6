/**
 * Who looks at the page. The token stays in this browser: in the tab, or on the device if the
 * person asked for that. It is never part of an address.
 */
const KEY = "gpu-scheduler-token";

/** @typedef {{name: string, role: "admin" | "tenant", tenant_id: string | null, auth: boolean, version: string, api: number}} WhoAmI */

class Session extends EventTarget {
  /** @type {WhoAmI | null} */
  who = null;
  /** Why the person must log in; empty if there is no reason beyond a missing token. */
  reason = "";

  get token() {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? "";
  }

  /** Whether the token outlives the tab. */
  get kept() {
    return localStorage.getItem(KEY) !== null;
  }

  get isAdmin() {
    return this.who?.role === "admin";
  }

  /** @param {string} token @param {boolean} keep also after this tab is closed */
  use(token, keep) {
    this.forget();
    (keep ? localStorage : sessionStorage).setItem(KEY, token);
    this.reason = "";
  }

  forget() {
    sessionStorage.removeItem(KEY);
    localStorage.removeItem(KEY);
  }

  /** @param {WhoAmI} who */
  begin(who) {
    this.who = who;
    this.reason = "";
    this.dispatchEvent(new Event("change"));
  }

  /** The person must log in (again). @param {string} reason */
  end(reason) {
    this.who = null;
    this.reason = reason;
    this.dispatchEvent(new Event("change"));
  }
}

export const session = new Session();
