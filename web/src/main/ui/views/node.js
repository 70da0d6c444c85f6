/** One node: its state, a drawing of its GPUs, its jobs, its timeline and its latest events. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {get} from "../lib/api.js";
import {live} from "../lib/live.js";
import {link} from "../lib/router.js";
import {ago, between, clock, count, duration, memory, plural, NONE} from "../lib/format.js";
import {jobLink, stateChip, tenantChip} from "../parts/chips.js";
import {readRuns} from "./gantt/rows.js";
import {RANGES, rangeButtons} from "../lib/ranges.js";
import {OFFERED, askedRange, shownRange} from "./gantt/range.js";
import {timelineLegend} from "./gantt/legend.js";
import {nodeActions} from "./node/actions.js";
import "./node/drawing.js";
import "./gantt/timeline.js";

const MOST_JOBS = 64;
const MOST_EVENTS = 12;

class NodeView extends View {
  static every = 4_000;
  static least = 2_000;

  get id() {
    return this.route.path[1] ?? "";
  }

  concerns(event) {
    return event.node_id === this.id || (this.data?.node.jobs ?? []).includes(event.job_id);
  }

  async load(signal) {
    const id = this.id;
    const to = Date.now();
    const from = to - RANGES[askedRange()] * 1000;
    const window = {node: id, from: new Date(from).toISOString(), to: new Date(to).toISOString()};
    const [node, runs, events] = await Promise.all([
      get(`nodes/${encodeURIComponent(id)}`, {}, signal),
      // The page is useful without its history, so that these two may fail.
      get("runs", window, signal).catch(() => null),
      get("events", {node: id, limit: MOST_EVENTS}, signal).catch(() => null),
    ]);
    const jobs = await Promise.all(node.jobs.slice(0, MOST_JOBS).map(job => get(`jobs/${job}`, {}, signal).catch(() => null)));
    const range = shownRange(runs?.runs ?? [], to);
    return {
      node, range, to,
      from: to - RANGES[range] * 1000,
      jobs: new Map(jobs.filter(Boolean).map(job => [job.id, job])),
      runs: runs ? readRuns(runs.runs, to) : null,
      nodes: [{id, gpus: node.gpus.length}],
      truncated: runs?.truncated ?? false,
      events: (events?.events ?? live.recent).filter(event => event.node_id === id).slice(-MOST_EVENTS).reverse(),
    };
  }

  render() {
    if (this.error?.status === 404) {
      return html`<div class="head"><h1>Node</h1></div>${empty(html`There is no node <bdi>${this.id}</bdi>`,
        html`It may have been removed. <a href=${link(["fleet"])}>See all nodes</a>.`)}`;
    }
    return super.render();
  }

  show() {
    const {node, jobs} = this.data;
    return html`<div class="head"><nav class="crumbs" aria-label="Where this is"><a href=${link(["fleet"])}>Fleet</a> ›
          ${node.gpu_model ? html`<a href=${link(["fleet"], {model: node.gpu_model})}>${node.gpu_model}</a>` : "no GPUs"}</nav>
        <h1 class="node-name" title=${node.id}><bdi>${node.id}</bdi></h1>${stateChip(node.state)}<span class="spring"></span>
        ${nodeActions(node, () => this.refresh())}</div>
      ${this.#closed()}
      <div class="grid">
        <section class="card w12"><header><h2>GPUs</h2><span class="muted">${plural(node.total_gpus - node.available_gpus, "GPU")} of
          ${node.total_gpus} in use</span></header>
          ${node.gpus.length ? html`<gs-node-drawing .gpus=${node.gpus} .jobs=${jobs}></gs-node-drawing>`
            : empty("This node has no GPUs", "Jobs that ask for cores and memory only can run here.")}</section>
        <section class="card w8"><header><h2>Jobs on this node</h2></header>${this.#jobs()}</section>
        <section class="card w4"><header><h2>Facts</h2></header>${this.#facts()}</section>
        <section class="card w12"><header><h2>Timeline</h2><span class="spring"></span>
          ${rangeButtons(this.data.range, OFFERED)}</header>${this.#timeline()}</section>
        <section class="card w12"><header><h2>Latest events</h2></header>${this.#events()}</section>
      </div>`;
  }

  /** Why the node takes no new jobs. */
  #closed() {
    const {node} = this.data;
    if (node.state === "lost" || node.state === "unreachable") {
      return html`<div class="notice bad" role="status"><strong>The agent of this node does not answer.</strong>
        ${node.agent_last_seen ? `It was last heard ${ago(node.agent_last_seen)}.` : ""}
        Check the machine and its agent; the node joins again by itself.</div>`;
    }
    if (node.schedulable) return "";
    const deadline = node.drain_deadline ? html` Jobs that still run at ${clock(node.drain_deadline)} are stopped.` : "";
    return html`<div class="notice warn" role="status"><strong>This node takes no new jobs:</strong>
      <bdi>${node.closed_reason || node.state}</bdi>.${deadline}
      ${node.state === "draining" ? `It still runs ${plural(node.jobs.length, "job")}.` : ""}
      ${node.cordoned_by_scheduler ? "The scheduler closed it by itself; uncordon it when the cause is fixed." : ""}</div>`;
  }

  #jobs() {
    const {node, jobs} = this.data;
    const hidden = new Set(node.gpus.filter(gpu => gpu.holders.some(holder => holder.job_id === null)).map(gpu => gpu.index));
    if (node.jobs.length === 0) {
      return hidden.size ? empty("No job of yours", `Other tenants hold ${plural(hidden.size, "GPU")}.`)
        : empty("Nothing runs here", node.schedulable ? html`<a href=${link(["submit"])}>Submit a job</a> or look at the <a href=${link(["queue"])}>queue</a>.`
          : "Uncordon the node, so that jobs can start here.");
    }
    return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Jobs on this node"><table class="plain node-jobs"><thead><tr><th>Job</th><th>Tenant</th><th>State</th><th>GPUs here</th>
        <th class="right">Running for</th><th class="right">Expected</th></tr></thead>
      <tbody>${node.jobs.map(id => this.#job(id, jobs.get(id), node))}</tbody></table></div>`;
  }

  #job(id, job, node) {
    const held = node.gpus.flatMap(gpu => gpu.holders.filter(holder => holder.job_id === id)
      .map(holder => (holder.part ? `${gpu.index} (${holder.part})` : String(gpu.index))));
    return html`<tr><td>${jobLink(id, job?.name || id)} ${job?.name ? html`<span class="muted">${id}</span>` : ""}</td>
      <td>${job ? tenantChip(job.tenant_id) : NONE}</td><td>${job ? stateChip(job.state) : NONE}</td>
      <td>${held.join(", ") || "none"}</td>
      <td class="right">${duration(between(job?.started_at ?? null))}</td>
      <td class="right">${duration(job?.estimated_duration)}</td></tr>`;
  }

  #facts() {
    const {node} = this.data;
    const used = (all, free, unit) => `${unit(all - free)} of ${unit(all)} in use`;
    return html`<dl class="facts">
      <dt>Host</dt><dd><bdi>${node.hostname}</bdi>${node.ip_address ? html` <span class="muted">${node.ip_address}</span>` : ""}</dd>
      <dt>Agent</dt><dd>${node.agent_connected ? "connected" : "not connected"}, heard ${ago(node.agent_last_seen)}</dd>
      <dt>Model</dt><dd>${node.gpu_model || "no GPUs"}</dd>
      <dt>Cores</dt><dd>${used(node.total_cpu_cores, node.available_cpu_cores, count)}</dd>
      <dt>Memory</dt><dd>${used(node.total_memory_mb, node.available_memory_mb, memory)}</dd>
      <dt>Refused starts</dt><dd>${count(node.refused_starts)}</dd>
      <dt>Labels</dt><dd>${Object.entries(node.labels).map(([key, value]) => html`<span class="chip"><bdi>${key}=${value}</bdi></span> `)}</dd>
      ${node.taints.length ? html`<dt>Taints</dt><dd>${node.taints.map(taint => html`<span class="chip warn"><bdi>${taint.key}=${taint.value}:${taint.effect}</bdi></span> `)}</dd>` : ""}
    </dl>`;
  }

  #timeline() {
    const {runs, nodes, from, to, truncated} = this.data;
    if (!runs) return empty("The history of runs is not available", "The scheduler did not answer this question; the page asks again.");
    if (runs.length === 0) return empty(`Nothing ran here in the last ${this.data.range}`, "Choose a longer range.");
    return html`<gs-timeline detail .nodes=${nodes} .runs=${runs} .from=${from} .to=${to}
        label="Timeline of ${plural(runs.length, "run")} on this node. Left and right go from run to run, Enter opens the job."></gs-timeline>
      ${truncated ? html`<p class="muted">Only a part of the runs is shown; choose a shorter range.</p>` : ""}
      ${timelineLegend([...new Set(runs.map(run => run.tenant_id))].sort())}`;
  }

  #events() {
    const {events} = this.data;
    if (events.length === 0) return empty("No recent events", "Starts, ends and changes of this node appear here as they happen.");
    return html`<ul class="plain feed">${events.map(event => html`<li><span class="muted">${clock(event.at)}</span>
      <span>${event.job_id ? jobLink(event.job_id) : ""} ${event.kind} <span class="muted"><bdi>${event.message}</bdi></span></span></li>`)}</ul>`;
  }
}

customElements.define("gs-node", NodeView);
