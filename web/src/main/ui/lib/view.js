/**
 * The base of all views: reads data, reads it again when events or time say so, and shows loading,
 * empty and error states in one way. Views render into the page itself, not into a shadow tree, so
 * that one style sheet serves all.
 */
import {LitElement, html} from "lit";
import {live} from "./live.js";
import {ApiError} from "./api.js";
import {route} from "./router.js";

export class View extends LitElement {
  static properties = {
    data: {state: true},
    error: {state: true},
  };

  /** How often the data is read again even without events, in milliseconds. */
  static every = 15_000;
  /** The shortest time between two readings, in milliseconds. */
  static least = 1_000;

  constructor() {
    super();
    /** @type {any} */
    this.data = null;
    /** @type {ApiError | null} */
    this.error = null;
    this.#loading = null;
  }

  /** @type {AbortController | null} */
  #loading;
  #last = 0;
  #soon = 0;
  #timer = 0;
  #path = route().path;
  #unsubscribe = () => {};
  #onRoute = () => {
    // On the way to another view this one is about to go.
    if (route().path.join("/") === this.#path.join("/")) this.refresh();
  };
  #onVisible = () => {
    if (!document.hidden) this.later();
  };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#unsubscribe = live.subscribe(events => {
      if (events.length === 0 || events.some(event => this.concerns(event))) this.later();
    });
    this.#timer = setInterval(() => {
      if (!document.hidden) this.later();
    }, /** @type {typeof View} */ (this.constructor).every);
    addEventListener("hashchange", this.#onRoute);
    document.addEventListener("visibilitychange", this.#onVisible);
    this.refresh();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe();
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#soon = 0;
    removeEventListener("hashchange", this.#onRoute);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#loading?.abort();
  }

  /** The route that this view shows: its path stays, its query follows the address. */
  get route() {
    return {path: this.#path, query: route().query};
  }

  /** Whether the data must be read again after this event. @param {import("./live.js").LiveEvent} event */
  concerns(event) {
    return true;
  }

  /** Reads the data of the view. @param {AbortSignal} signal @returns {Promise<any>} */
  async load(signal) {
    return {};
  }

  /** Shows the data. */
  show() {
    return html``;
  }

  /**
   * Reads the data again soon, however often it is called. A reading that is under way is not cut
   * short: with steady events and a slow network none would ever end.
   */
  later() {
    if (this.#soon || document.hidden) return;
    const least = /** @type {typeof View} */ (this.constructor).least;
    const wait = Math.max(0, this.#last + least - Date.now());
    this.#soon = setTimeout(() => {
      this.#soon = 0;
      if (this.#loading) {
        this.#last = Date.now();
        this.later();
      } else {
        this.refresh();
      }
    }, wait);
  }

  /** Reads the data now. */
  async refresh() {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#last = Date.now();
    try {
      const data = await this.load(loading.signal);
      if (!loading.signal.aborted) {
        this.data = data;
        this.error = null;
      }
    } catch (failed) {
      if (!loading.signal.aborted) {
        this.error = failed instanceof ApiError ? failed : new ApiError(0, String(failed));
      }
    }
    if (this.#loading === loading) {
      this.#loading = null;
    }
  }

  render() {
    if (this.data === null && this.error) {
      return html`<div class="head"><h1>${document.title.split(" · ")[0]}</h1></div>${errorBox(this.error, () => this.refresh())}`;
    }
    if (this.data === null) return html`<div class="skeleton" role="status" aria-label="Loading"></div>`;
    // Old data with a note is better than no data.
    return html`${this.error ? staleNote(this.error) : ""}${this.show()}`;
  }
}

/** @param {ApiError} error @param {() => void} retry */
export function errorBox(error, retry) {
  return html`<div class="notice bad" role="alert">
    <strong>${error.message}</strong>
    ${error.hint ? html`<p>${error.hint}</p>` : ""}
    <button class="button" @click=${retry}>Try again</button>
  </div>`;
}

function staleNote(error) {
  return html`<div class="notice warn" role="status">
    ${error.message} What you see is from the last answer. ${error.hint}
  </div>`;
}

/** Says what to do next where there is nothing to show. @param {unknown} title @param {unknown} next */
export function empty(title, next = "") {
  return html`<div class="empty"><strong>${title}</strong><p>${next}</p></div>`;
}
