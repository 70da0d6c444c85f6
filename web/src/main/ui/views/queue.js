/** The queue in its order, and the jobs that run or have ended. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {ApiError, get} from "../lib/api.js";
import {session} from "../lib/session.js";
import {link, setQuery} from "../lib/router.js";
import {cli, curl} from "../lib/commands.js";
import {count, plural} from "../lib/format.js";
import {scaleOf} from "../parts/start-band.js";
import {columnsOf} from "../parts/job-columns.js";
import "../parts/command-menu.js";
import "../parts/table.js";

/** What each part of the list asks the server for. */
const PARTS = {
  waiting: {title: "Waiting", query: {sort: "position"}, states: "pending,preempted"},
  running: {title: "Running", query: {state: "scheduled,running"}, states: "scheduled,running"},
  ended: {title: "Ended", query: {state: "completed,failed,cancelled"}, states: "completed,failed,cancelled"},
  all: {title: "All", query: {}, states: ""},
};

const NEXT = {
  waiting: "Every submitted job has a place. New jobs appear here while they wait.",
  running: "Jobs appear here when the scheduler has placed them.",
  ended: "Jobs stay here for a while after their end.",
  all: "Submit the first one.",
};

class Queue extends View {
  static every = 10_000;
  static least = 2_000;

  constructor() {
    super();
    this.version = 0;
    /** @type {[number, string]} the scale of the bands: seconds and name */
    this.scale = [3600, "1 h"];
    this.typing = 0;
    this.key = "";
  }

  get part() {
    const wanted = this.route.query.get("show") ?? "waiting";
    return Object.hasOwn(PARTS, wanted) ? wanted : "waiting";
  }

  get filter() {
    const {query} = this.route;
    return {tenant_id: query.get("tenant") ?? "", name: query.get("name") ?? ""};
  }

  concerns(event) {
    return event.subject === "job";
  }

  async load(signal) {
    const totals = Object.entries(PARTS).map(async ([part, {states}]) => {
      const {total} = await get("jobs", {limit: 0, state: states, ...this.filter}, signal).catch(noSuchTenant);
      return [part, total];
    });
    const [tenants, ...counted] = await Promise.all([get("tenants", {}, signal), ...totals]);
    this.version++;
    return {tenants: tenants.tenants, totals: Object.fromEntries(counted)};
  }

  /** A function that stays the same while the list is the same. */
  #pageOf(part) {
    const filter = this.filter;
    const key = JSON.stringify([part, filter]);
    if (key !== this.key) {
      this.key = key;
      this.page = async (offset, limit) => {
        const {jobs} = await get("jobs", {...PARTS[part].query, ...filter, limit, offset});
        if (part === "waiting" && offset === 0) this.#fit(jobs);
        return jobs;
      };
    }
    return this.page;
  }

  /** Chooses the scale of the bands by the jobs at the front. */
  #fit(jobs) {
    const scale = scaleOf(jobs.map(job => job.estimated_start));
    if (scale[0] !== this.scale[0]) {
      this.scale = scale;
      this.requestUpdate();
    }
  }

  show() {
    const part = this.part;
    const total = this.data.totals[part];
    const page = this.#pageOf(part);
    return html`<div class="head"><h1>Queue</h1>${this.#parts(part)}<span class="spring"></span>${this.#commands(part)}</div>
      ${this.#filters()}
      <section class="card flush queue-list">
        ${total === 0 ? this.#nothing(part) : html`<gs-table label="${PARTS[part].title} jobs" .key=${this.key}
          .columns=${this.#columns(part)} .total=${total} .page=${page} .version=${this.version}
          .href=${job => link(["jobs", job.id])}></gs-table>`}
      </section>
      <p class="muted queue-foot" role="status">${total === 0 ? "" : html`${plural(total, "job")}${this.#note(part)}`}</p>`;
  }

  #columns(part) {
    const known = `${part} ${this.scale[0]}`;
    if (this.columnsFor !== known) {
      this.columnsFor = known;
      this.columns = columnsOf(part, this.scale);
    }
    return this.columns;
  }

  #parts(part) {
    return html`<div class="segmented" role="group" aria-label="Jobs to show">${Object.entries(PARTS).map(([name, {title}]) => html`
      <button aria-pressed=${name === part} @click=${() => setQuery({show: name === "waiting" ? "" : name})}
        >${title} <span class="muted">${count(this.data.totals[name])}</span></button>`)}</div>`;
  }

  #filters() {
    const {tenant_id: tenant, name} = this.filter;
    return html`<div class="filters queue-filters">
      ${session.isAdmin ? html`<select aria-label="Tenant" .value=${tenant} @change=${event => setQuery({tenant: event.target.value})}>
        <option value="">All tenants</option>
        ${this.#tenants(tenant).map(id => html`<option value=${id} ?selected=${id === tenant}>${id}</option>`)}
      </select>` : ""}
      <input type="search" aria-label="Part of the name" placeholder="Part of the name" .value=${name} @input=${this.#named}>
      ${tenant || name ? html`<button class="button small" @click=${() => setQuery({tenant: "", name: ""})}>Clear filters</button>` : ""}
    </div>`;
  }

  /** The tenants to choose from; also the chosen one, if an address names an unknown one. */
  #tenants(chosen) {
    const ids = this.data.tenants.map(tenant => tenant.id);
    return chosen && !ids.includes(chosen) ? [...ids, chosen] : ids;
  }

  #named(event) {
    clearTimeout(this.typing);
    const name = event.target.value;
    this.typing = setTimeout(() => setQuery({name}), 300);
  }

  #commands(part) {
    const {tenant_id: tenant} = this.filter;
    const state = PARTS[part].states;
    const words = ["list", ...(state ? ["--state", state] : ["--all"]), ...(tenant ? ["--tenant", tenant] : [])];
    const query = new URLSearchParams({...PARTS[part].query, ...present(this.filter)}).toString();
    return html`<gs-commands label="Copy this list as command" .cli=${cli(...words)}
      .curl=${curl("GET", `jobs${query ? `?${query}` : ""}`)}></gs-commands>`;
  }

  #note(part) {
    if (part !== "waiting") return ", newest first";
    return ", in the order in which they are considered; held jobs are last. A band shows when eight of ten such jobs start.";
  }

  #nothing(part) {
    const {tenant_id: tenant, name} = this.filter;
    if (tenant || name) return empty("No such job", "No job matches the filters. Clear them to see all.");
    const title = {waiting: "No job waits", running: "No job runs", ended: "No job has ended", all: "There are no jobs yet"}[part];
    return empty(title, html`${NEXT[part]} <a href=${link(["submit"])}>Submit a job</a>`);
  }
}

/** An address may name a tenant that is gone: it has no jobs, and the filter can be cleared. */
function noSuchTenant(failed) {
  if (failed instanceof ApiError && failed.status === 404) return {total: 0};
  throw failed;
}

function present(query) {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value));
}

customElements.define("gs-queue", Queue);
