/** The cluster at a glance: GPUs, queue, throughput and wait over time, alerts, what just happened. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {get} from "../lib/api.js";
import {live} from "../lib/live.js";
import {session} from "../lib/session.js";
import {link} from "../lib/router.js";
import {RANGES, chosenRange, rangeButtons, windowOf} from "../lib/ranges.js";
import {clock, count, duration, percent, plural} from "../lib/format.js";
import {tenantColour} from "../lib/colours.js";
import {withFigures} from "../lib/history.js";
import {meter} from "../parts/meter.js";
import {jobLink, nodeLink, stateChip, tenantChip} from "../parts/chips.js";
import "../parts/chart.js";

const OFFERED = ["15m", "1h", "6h", "24h", "7d"];
const SERIES = "gpus_total,gpus_used,gpu_utilization,waiting,running,started,completed,failed,wait_p50_seconds,wait_p90_seconds,power_watts";

class Overview extends View {
  static every = 10_000;
  static least = 2_000;

  get range() {
    return chosenRange("1h");
  }

  async load(signal) {
    const window = windowOf(this.range);
    const [status, history, tenants, shares, alerts] = await Promise.all([
      get("cluster/status", {}, signal),
      get("history", {series: SERIES, ...window}, signal),
      get("tenants", {}, signal),
      get("history/tenants", {series: "gpus_used", ...window}, signal),
      get("alerts", {state: "firing"}, signal),
    ]);
    const known = history.series.gpus_total;
    return {
      status,
      history: withFigures(known, history),
      tenants: tenants.tenants,
      shares: withFigures(known, shares),
      alerts: alerts.alerts,
    };
  }

  show() {
    const {status} = this.data;
    return html`<div class="head"><h1>Overview</h1><span class="spring"></span>${rangeButtons(this.range, OFFERED)}</div>
      ${this.#alerts()}
      ${status.total_nodes === 0 ? this.#noNodes() : ""}
      <div class="grid">
        ${this.#figures()}
        <section class="card w8"><header><h2>GPUs in use${this.#ofAll}</h2></header>${this.#use()}</section>
        <section class="card w4"><header><h2>Tenants now</h2></header>${this.#tenants()}</section>
        <section class="card w6"><header><h2>Jobs waiting and running${this.#ofAll}</h2></header>${this.#queue()}</section>
        <section class="card w6"><header><h2>Wait of jobs that started${this.#ofAll}</h2></header>${this.#wait()}</section>
        <section class="card w8"><header><h2>GPUs held, by tenant</h2></header>${this.#share()}</section>
        <section class="card w4"><header><h2>Just now</h2></header>${this.#feed()}</section>
      </div>`;
  }

  #noNodes() {
    return html`<div class="notice">No machine has joined yet. Start an agent on each GPU machine:
      <code>bin/agent --server HOST:9090</code>.</div>`;
  }

  #alerts() {
    return this.data.alerts.slice(0, 3).map(alert => html`
      <div class="notice ${alert.severity === "critical" ? "bad" : "warn"}" role="status">
        ${stateChip(alert.severity)} <strong>${alert.message}</strong> ${alert.remedy}
        <a href=${link(["alerts"])}>All alerts</a></div>`);
  }

  /** A tenant's own figures stand beside those of the cluster, so that the latter are marked. */
  get #ofAll() {
    return session.isAdmin ? "" : ", all tenants";
  }

  #figures() {
    const {status, history} = this.data;
    const done = sum(history.series.completed);
    const failed = sum(history.series.failed);
    const hours = RANGES[this.range] / 3600;
    const p50 = last(history.series.wait_p50_seconds);
    return html`
      <section class="card figure w3"><span class="label">GPUs in use${this.#ofAll}</span>
        <span class="value">${count(status.used_gpus)} <small>of ${count(status.total_gpus)}</small></span>
        ${meter("GPUs in use", status.used_gpus, status.total_gpus)}
        <span class="sub">${this.#busy(history)}</span></section>
      <section class="card figure w3"><span class="label">${session.isAdmin ? "Waiting" : "Your jobs, waiting"}</span>
        <span class="value">${count(status.pending_jobs)} <small>jobs</small></span>
        <span class="sub">median wait of the latest starts${this.#ofAll}: ${duration(p50)}</span></section>
      <section class="card figure w3"><span class="label">${session.isAdmin ? "Running" : "Your jobs, running"}</span>
        <span class="value">${count(status.running_jobs)} <small>jobs</small></span>
        <span class="sub">on ${plural(status.online_nodes, "node")}${this.#closed(status)}</span></section>
      <section class="card figure w3"><span class="label">Finished, last ${this.range}${this.#ofAll}</span>
        <span class="value">${count(done)} <small>${count(done / hours)} per hour</small></span>
        <span class="sub">${failed ? plural(failed, "job") + " failed" : "none failed"}</span></section>`;
  }

  #busy(history) {
    const used = last(history.series.gpu_utilization);
    return used === null ? "the machines report no use yet" : `${percent(used)} busy on average`;
  }

  #closed(status) {
    const closed = status.total_nodes - status.online_nodes + status.cordoned_nodes + status.draining_nodes + status.drained_nodes;
    return closed > 0 ? html`, <a href=${link(["fleet"])}>${closed} closed or away</a>` : "";
  }

  #use() {
    const {times, series} = this.data.history;
    const total = series.gpus_total;
    const busy = series.gpu_utilization.map((ratio, i) => (ratio === null || total[i] === null ? null : ratio * total[i]));
    return html`<gs-chart label="GPUs in use" .times=${times} .series=${[
      {name: "all", values: total, colour: "#8b97a5", dashed: true},
      {name: "held by jobs", values: series.gpus_used, colour: "#14918a", fill: true},
      {name: "busy", values: busy, colour: "#d97706"},
    ]}></gs-chart>`;
  }

  #queue() {
    const {times, series} = this.data.history;
    return html`<gs-chart label="Jobs" .times=${times} .series=${[
      {name: "waiting", values: series.waiting, colour: "#3b82c4", fill: true},
      {name: "running", values: series.running, colour: "#14918a"},
    ]}></gs-chart>`;
  }

  #wait() {
    const {times, series} = this.data.history;
    return html`<gs-chart label="Wait before the start" .format=${duration} .times=${times} .series=${[
      {name: "median", values: series.wait_p50_seconds, colour: "#6d6ad8"},
      {name: "90th percentile", values: series.wait_p90_seconds, colour: "#b4509b"},
    ]}></gs-chart>`;
  }

  #share() {
    const {times, tenants} = this.data.shares;
    const series = Object.entries(tenants).map(([name, values]) => ({name, values, colour: tenantColour(name)}));
    return html`<gs-chart label="GPUs by tenant" stacked .times=${times} .series=${series}></gs-chart>`;
  }

  #tenants() {
    const tenants = this.data.tenants.filter(tenant => tenant.max_gpus !== 0).slice(0, 8);
    return html`<table class="plain"><thead><tr><th>Tenant</th><th class="right">GPUs</th><th>of its quota</th></tr></thead>
      <tbody>${tenants.map(tenant => html`<tr><td>${tenantChip(tenant.id)}</td>
        <td class="right">${count(tenant.current_gpus)}${tenant.max_gpus === null ? "" : ` / ${count(tenant.max_gpus)}`}</td>
        <td>${tenant.max_gpus === null ? html`<span class="muted">no limit</span>`
          : meter(`GPUs of ${tenant.id}`, tenant.current_gpus, tenant.max_gpus, tenantColour(tenant.id))}</td></tr>`)}
      </tbody></table>`;
  }

  #feed() {
    const events = live.recent.slice(-8).reverse();
    if (events.length === 0) return empty("Nothing yet", "Events appear here as they happen.");
    return html`<ul class="plain feed">${events.map(event => html`<li>
      <span class="muted">${clock(event.at)}</span>
      <span>${event.job_id ? jobLink(event.job_id) : event.node_id ? nodeLink(event.node_id) : ""}
        ${event.kind} <span class="muted"><bdi>${event.message}</bdi></span></span></li>`)}</ul>`;
  }
}

function last(values) {
  for (let i = values.length - 1; i >= 0; i--) {
    if (values[i] !== null) return values[i];
  }
  return null;
}

function sum(values) {
  return values.reduce((total, value) => total + (value ?? 0), 0);
}

customElements.define("gs-overview", Overview);
