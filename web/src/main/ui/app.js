/** The frame around the views: navigation, login, connection state, theme. */
import {LitElement, html} from "lit";
import {get, ApiError} from "./lib/api.js";
import {session} from "./lib/session.js";
import {live} from "./lib/live.js";
import {route, link} from "./lib/router.js";
import {applyTheme, isDark, setTheme} from "./lib/theme.js";
import {assignColours} from "./lib/colours.js";
import "./views/login.js";

/** The version of the API that this page was written for. */
const API = 1;

/** @typedef {{path: string, title: string, tag: string, file: string, admin?: boolean, hidden?: boolean}} Place */

/** Every view: its path, title, element and module. A module is loaded when its view is opened. @type {Place[]} */
const PLACES = [
  {path: "", title: "Overview", tag: "gs-overview", file: "overview"},
  {path: "queue", title: "Queue", tag: "gs-queue", file: "queue"},
  {path: "fleet", title: "Fleet", tag: "gs-fleet", file: "fleet"},
  {path: "gantt", title: "Timeline", tag: "gs-gantt", file: "gantt"},
  {path: "pools", title: "Pools", tag: "gs-pools", file: "pools"},
  {path: "pools/*", title: "Pool", tag: "gs-pool", file: "pool", hidden: true},
  {path: "tenants", title: "Tenants", tag: "gs-tenants", file: "tenants"},
  {path: "model", title: "Model", tag: "gs-model", file: "model", admin: true},
  {path: "policies", title: "Policies", tag: "gs-policies", file: "policies"},
  {path: "lab", title: "Lab", tag: "gs-lab", file: "lab", admin: true},
  {path: "alerts", title: "Alerts", tag: "gs-alerts", file: "alerts"},
  {path: "submit", title: "Submit a job", tag: "gs-submit", file: "submit", hidden: true},
  {path: "jobs", title: "Job", tag: "gs-job", file: "job", hidden: true},
  {path: "nodes", title: "Node", tag: "gs-node", file: "node", hidden: true},
];

/** The place of an address: `pools/chat` is one of the pools. @returns {Place} */
function placeOf() {
  const [first = "", second] = route().path;
  const one = second === undefined ? undefined : PLACES.find(place => place.path === `${first}/*`);
  return one ?? PLACES.find(place => place.path === first) ?? PLACES[0];
}

class App extends LitElement {
  static properties = {
    place: {state: true}, state: {state: true}, open: {state: true}, firing: {state: true}, reach: {state: true}, broken: {state: true},
  };

  constructor() {
    super();
    /** @type {Place} */
    this.place = PLACES[0];
    /** @type {"starting" | "login" | "ready"} */
    this.state = "starting";
    this.open = false;
    this.firing = 0;
    /** Why the server cannot be used; empty if it can. */
    this.reach = "";
    /** Why the chosen view cannot be shown; empty if it can. */
    this.broken = "";
    applyTheme();
  }

  createRenderRoot() {
    this.replaceChildren();
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", () => this.#navigate());
    session.addEventListener("change", () => this.#sessionChanged());
    live.addEventListener("state", () => this.requestUpdate());
    live.subscribe(events => {
      if (events.length === 0 || events.some(event => event.subject === "alert")) this.#countAlerts();
    });
    this.#navigate();
    this.#enter();
  }

  /** Finds out who looks at the page, and tries again while the server does not answer. */
  async #enter() {
    try {
      const who = await get("whoami");
      this.reach = who.api > API ? "This page is older than the scheduler. Reload it." : "";
      await this.#knowTenants();
      session.begin(who);
    } catch (failed) {
      const status = failed instanceof ApiError ? failed.status : 0;
      if (status === 401) return;
      if (status === 404) {
        this.reach = "This scheduler is older than the page and has no dashboard API. Update the scheduler.";
        return;
      }
      this.reach = `${failed.message ?? "The scheduler does not answer."} The page tries again every few seconds.`;
      setTimeout(() => this.#enter(), 2_000);
    }
  }

  async #knowTenants() {
    const {tenants} = await get("tenants");
    assignColours(tenants.map(tenant => tenant.id));
  }

  #sessionChanged() {
    if (session.who) {
      this.state = "ready";
      live.start();
      this.#countAlerts();
    } else {
      this.state = "login";
      // The next person must not see what this one saw.
      this.shown = null;
      this.shownKey = "";
      live.stop();
    }
  }

  async #countAlerts() {
    try {
      const {alerts} = await get("alerts", {state: "firing"});
      this.firing = alerts.length;
    } catch {
      this.firing = 0;
    }
  }

  async #navigate() {
    const place = placeOf();
    this.open = false;
    document.title = `${place.title} · gpu-scheduler`;
    try {
      await import(`./views/${place.file}.js`);
      this.broken = "";
    } catch {
      this.broken = `The view "${place.title}" could not be loaded. Reload the page.`;
    }
    if (placeOf() !== place) return; // Another view was chosen meanwhile.
    if (place !== this.place) {
      this.place = place;
      await this.updateComplete;
      scrollTo(0, 0);
    }
    this.requestUpdate();
  }

  render() {
    if (this.state === "login") return html`<gs-login @entered=${() => this.#enter()}></gs-login>`;
    if (this.state === "starting") {
      return html`<p class="boot" role="status">${this.reach || "Connecting to the scheduler …"}</p>`;
    }
    return html`<a class="skip" href="#main" @click=${this.#skip}>Skip to content</a>
      <span class="visually-hidden" role="status">${live.state === "offline" ? "The connection broke. The page reconnects." : ""}</span>
      <div class="topbar" role="banner">
        <button class="button" aria-expanded=${this.open} @click=${() => (this.open = !this.open)}>Menu</button>
        <strong>${this.place.title}</strong><span class="spring"></span>${this.#linkState()}
      </div>
      <div class="frame">
        <aside aria-label="Navigation" class="side ${this.open ? "open" : ""}">
          <a class="brand" href="#/"><img src="icon.svg" alt="">gpu-scheduler</a>
          <nav aria-label="Views">${PLACES.filter(place => this.#offered(place)).map(place => this.#entry(place))}</nav>
          <a class="button primary" href=${link(["submit"])}>Submit a job</a>
          ${this.#foot()}
        </aside>
        <main class="main" id="main" tabindex="-1">
          ${this.reach ? html`<div class="notice warn" role="status">${this.reach}</div>` : ""}
          ${this.broken ? html`<div class="notice bad" role="alert">${this.broken}</div>` : this.#view()}
        </main>
      </div>`;
  }

  #offered(place) {
    return !place.hidden && (!place.admin || session.isAdmin);
  }

  #entry(place) {
    const count = place.path === "alerts" && this.firing > 0
      ? html`<span class="count" aria-label="${this.firing} firing">${this.firing}</span>` : "";
    return html`<a href=${link(place.path ? [place.path] : [])}
        aria-current=${place === this.place || this.place.path === `${place.path}/*` ? "page" : "false"}>${place.title}${count}</a>`;
  }

  #foot() {
    const who = session.who;
    return html`<div class="foot">
      ${this.#linkState()}
      <span>${who?.auth ? html`<bdi>${who.name}</bdi> · ${who.role}` : "no login needed here"}</span>
      <span class="filters">
        <button class="button small" @click=${() => this.#flipTheme()}>${isDark() ? "Light theme" : "Dark theme"}</button>
        ${who?.auth ? html`<button class="button small" @click=${this.#logOut}>Log out</button>` : ""}
      </span>
      <span>version ${who?.version}</span>
    </div>`;
  }

  #linkState() {
    const words = {live: "live", polling: "every 5 s", connecting: "connecting", offline: "reconnecting"};
    return html`<span class="link-state ${live.state}"><i></i>${words[live.state]}</span>`;
  }

  /** One element per view and first path segments, so that another job is another element. */
  #view() {
    const key = `${this.place.tag} ${route().path[1] ?? ""}`;
    if (this.shownKey !== key) {
      this.shownKey = key;
      this.shown = document.createElement(this.place.tag);
    }
    return this.shown;
  }

  #skip(event) {
    event.preventDefault();
    this.querySelector("main")?.focus();
  }

  #flipTheme() {
    setTheme(isDark() ? "light" : "dark");
    this.requestUpdate();
  }

  #logOut() {
    session.forget();
    session.end("");
  }
}

customElements.define("gs-app", App);
