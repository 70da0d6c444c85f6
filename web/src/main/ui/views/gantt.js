/** What ran where in the last hours: a row per node, a lane per GPU. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {get} from "../lib/api.js";
import {link, setQuery} from "../lib/router.js";
import {clock, count, plural} from "../lib/format.js";
import {FleetReader} from "./fleet/reader.js";
import {readRuns} from "./gantt/rows.js";
import {RANGES, rangeButtons} from "../lib/ranges.js";
import {OFFERED, askedRange, shownRange} from "./gantt/range.js";
import {timelineLegend} from "./gantt/legend.js";
import "./gantt/timeline.js";

const MOST_RUNS = 5_000;

class GanttView extends View {
  static every = 10_000;
  static least = 4_000;

  #reader = new FleetReader();

  concerns(event) {
    return event.subject === "node" || event.subject === "job";
  }

  /** The end of the window; null while it moves with the time. */
  get until() {
    const time = Date.parse(this.route.query.get("to") ?? "");
    return Number.isNaN(time) ? null : time;
  }

  async load(signal) {
    const query = this.route.query;
    const now = Date.now();
    const to = this.until ?? now;
    const from = to - RANGES[askedRange()] * 1000;
    const window = {from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: MOST_RUNS};
    const fleet = await this.#reader.read(signal);
    const text = (query.get("node") ?? "").trim();
    // The server filters by a whole name only; a part of a name is filtered here.
    const node = fleet.ids.includes(text) ? text : "";
    const answer = await get("runs", {...window, node, tenant: query.get("tenant")}, signal);
    const range = shownRange(answer.runs, to);
    return {
      fleet, range, from: to - RANGES[range] * 1000, to, runs: readRuns(answer.runs, Math.min(to, now)), truncated: answer.truncated,
      ...this.#rows(fleet, answer.runs, text.toLowerCase(), query.get("idle") === "hide"),
    };
  }

  /** The nodes of the fleet in their order, then nodes that have gone but ran something. */
  #rows(fleet, runs, text, hideIdle) {
    const busy = new Set(runs.map(run => run.node_id));
    const nodes = [];
    const known = new Set(fleet.ids);
    for (const node of fleet.byName) nodes.push({id: fleet.ids[node], gpus: fleet.first[node + 1] - fleet.first[node]});
    for (const id of busy) {
      if (!known.has(id)) nodes.push({id, gpus: Math.max(1, ...runs.filter(run => run.node_id === id).flatMap(run => run.gpus.map(gpu => gpu + 1)))});
    }
    const shown = nodes.filter(node => (!text || node.id.toLowerCase().includes(text)) && (!hideIdle || busy.has(node.id)));
    return {nodes: shown, idle: nodes.filter(node => !busy.has(node.id)).length};
  }

  show() {
    const {nodes, runs, from, to, truncated, fleet} = this.data;
    const rows = new Set(nodes.map(node => node.id));
    const shown = runs.filter(run => rows.has(run.node_id));
    const tenants = [...new Set(shown.map(run => run.tenant_id))].sort();
    return html`<div class="head"><h1>Timeline</h1>
        <span class="muted">${clock(from)} – ${this.until ? clock(to) : "now"}</span><span class="spring"></span>
        <div class="filters">${this.#moves()}
          ${rangeButtons(this.data.range, OFFERED)}</div></div>
      ${truncated ? html`<div class="notice warn" role="status">There are more runs than the ${count(runs.length)} shown here.
        Choose a shorter range, one tenant, or the whole name of one node.</div>` : ""}
      <section class="card" aria-label="Runs">
        <header>${this.#filters(fleet, tenants)}<span class="spring"></span>
          <span class="muted">${plural(shown.length, "run")} on ${plural(nodes.length, "node")}</span></header>
        ${nodes.length === 0 ? this.#nothing() : html`
          <gs-timeline .nodes=${nodes} .runs=${runs} .from=${from} .to=${to}
            label="Timeline of ${plural(shown.length, "run")} on ${plural(nodes.length, "node")}. Left and right go from run to run, up and down from node to node, Enter opens the job."></gs-timeline>
          ${timelineLegend(tenants)}`}
      </section>`;
  }

  #nothing() {
    if (this.data.fleet.nodes === 0) {
      return empty("No machine has joined yet", html`Start an agent on each GPU machine: <code>bin/agent --server HOST:9090</code>.`);
    }
    return empty("Nothing ran here in this time", html`<a href=${link(["gantt"], {range: "24h"})}>Show all nodes in the last 24 hours</a>
      or <a href=${link(["submit"])}>submit a job</a>.`);
  }

  #moves() {
    const half = RANGES[this.data.range] * 500;
    const end = this.until ?? Date.now();
    const move = time => setQuery({to: time >= Date.now() ? "" : new Date(time).toISOString()});
    return html`<div class="segmented" role="group" aria-label="Move the window">
      <button @click=${() => move(end - half)}>Earlier</button>
      <button ?disabled=${!this.until} @click=${() => move(end + half)}>Later</button>
      <button aria-pressed=${!this.until} @click=${() => setQuery({to: ""})}>Now</button></div>`;
  }

  #filters(fleet, running) {
    const query = this.route.query;
    const tenant = query.get("tenant") ?? "";
    const tenants = [...new Set([...fleet.tenants, ...running.filter(Boolean), ...(tenant ? [tenant] : [])])].sort();
    return html`<div class="filters">
      <input type="search" size="14" placeholder="Node name" aria-label="Node name contains" .value=${query.get("node") ?? ""}
        @input=${event => setQuery({node: event.target.value})}>
      <select aria-label="Tenant" @change=${event => setQuery({tenant: event.target.value})}>
        <option value="" ?selected=${!tenant}>Tenant: all</option>
        ${tenants.map(one => html`<option value=${one} ?selected=${one === tenant}>${one}</option>`)}</select>
      <label class="check"><input type="checkbox" .checked=${query.get("idle") === "hide"}
        @change=${event => setQuery({idle: event.target.checked ? "hide" : ""})}>hide nodes without runs (${count(this.data.idle)})</label>
    </div>`;
  }
}

customElements.define("gs-gantt", GanttView);
