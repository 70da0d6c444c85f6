/** One job: what it is, where it runs or why it waits, its output and its history. */
import {html} from "lit";
import {View} from "../lib/view.js";
import {ApiError, get} from "../lib/api.js";
import {link} from "../lib/router.js";
import {cli, curl} from "../lib/commands.js";
import {clock, count, duration} from "../lib/format.js";
import {stateChip, tenantChip} from "../parts/chips.js";
import {isEnded, isWaiting, jobActions} from "./job/actions.js";
import {shownState} from "../parts/job-columns.js";
import {jobFacts} from "./job/facts.js";
import {MOST_NODES, byNode, jobPlacement} from "./job/placement.js";
import {jobTimeline} from "./job/timeline.js";
import {jobWhy, scoreTerms, victims} from "./job/why.js";
import "./job/logs.js";

class Job extends View {
  static every = 5_000;

  constructor() {
    super();
    /** The job of the address that this view was made for: the address changes before the view goes. */
    this.job = this.route.path[1] ?? "";
  }

  /** A waiting job's position and reasons follow from the others. */
  concerns(event) {
    return event.job_id === this.job || (this.data !== null && isWaiting(this.data.job) && event.subject === "job");
  }

  async load(signal) {
    if (!this.job) throw new ApiError(404, "The address names no job.", "Open one from the queue.");
    const path = `jobs/${encodeURIComponent(this.job)}`;
    const [job, why, events] = await Promise.all([
      get(path, {}, signal),
      orNull(get(`${path}/explain`, {}, signal)),
      orNull(get(`${path}/events`, {}, signal)),
    ]);
    const names = [...byNode(job.allocated_gpus ?? []).keys()].slice(0, MOST_NODES);
    const nodes = isEnded(job) ? [] : await Promise.all(names.map(name => orNull(get(`nodes/${encodeURIComponent(name)}`, {}, signal))));
    return {job, why, events: events?.events ?? [], nodes: new Map(nodes.filter(Boolean).map(node => [node.id, node]))};
  }

  show() {
    const {job, why, events, nodes} = this.data;
    const again = () => this.refresh();
    const terms = why !== null && why.score_terms.length > 0;
    return html`<div class="head job-head">
        <div class="crumbs"><a href=${link(["queue"])}>Queue</a> / ${job.id}</div>
        <h1 title=${job.name}><bdi>${job.name}</bdi></h1>${stateChip(shownState(job))}${tenantChip(job.tenant_id)}
        <span class="spring"></span>${jobActions(job, again)}</div>
      ${this.#notices(job, why)}
      <div class="grid">
        <section class="card w12"><header><h2>Timeline</h2></header>${jobTimeline(job, events)}</section>
        ${isWaiting(job) && why ? html`<section class="card w8">${jobWhy(job, why, again)}</section>` : ""}
        ${isWaiting(job) ? "" : html`<section class="card w8"><header><h2>${isEnded(job) ? "Where it ran" : "Where it runs"}</h2>
          ${why?.place && terms ? html`<span class="muted">score ${count(why.score)}</span>` : ""}</header>${jobPlacement(job, nodes)}
          ${terms ? html`<h3>Why there</h3>${scoreTerms(why)}` : ""}</section>`}
        <section class="card w4"><header><h2>Request</h2></header>${jobFacts(job)}</section>
        <section class="card w12"><gs-logs .job=${job}></gs-logs></section>
        <section class="card w12"><header><h2>Events</h2><span class="spring"></span>
          <gs-commands label="Copy the events as command" .cli=${cli("events", job.id)}
            .curl=${curl("GET", `jobs/${job.id}/events`)}></gs-commands></header>${this.#events(events)}</section>
      </div>`;
  }

  /** What a person must know before everything else: preemptions, failures, a node that is away. */
  #notices(job, why) {
    const stopped = job.preempted_count + job.drained_count + job.lost_count;
    return html`
      ${job.unreachable_node ? html`<div class="notice warn" role="status">Node <bdi>${job.unreachable_node}</bdi> does not answer. ${job.reason}</div>` : ""}
      ${job.stop_cause ? html`<div class="notice warn" role="status">The scheduler stops it: <bdi>${job.reason || job.stop_cause}</bdi>.</div>` : ""}
      ${stopped > 0 && isWaiting(job) ? html`<div class="notice warn" role="status"><strong>${this.#stops(job)}.</strong>
        <bdi>${job.last_failure}</bdi></div>` : ""}
      ${job.state === "failed" ? html`<div class="notice bad" role="status"><strong>It failed.</strong> <bdi>${job.reason}</bdi></div>` : ""}
      ${job.idle_since && !isEnded(job) ? html`<div class="notice warn" role="status">It has used none of its GPUs since ${clock(job.idle_since)}.</div>` : ""}
      ${why?.preempted > 0 ? html`<div class="notice" role="status">To start it, the scheduler stopped other jobs${victims({stops: why.preempted, stops_jobs: why.preempted_jobs})}.</div>` : ""}`;
  }

  #stops(job) {
    const parts = [];
    if (job.preempted_count) parts.push(`preempted ${times(job.preempted_count)}`);
    if (job.drained_count) parts.push(`stopped ${times(job.drained_count)} because its node was drained`);
    if (job.lost_count) parts.push(`lost its node ${times(job.lost_count)}`);
    const text = parts.join(", ");
    return text[0].toUpperCase() + text.slice(1);
  }

  #events(events) {
    return html`<ul class="plain feed">${[...events].reverse().slice(0, 200).map((event, i, all) => html`<li>
      <span class="muted">${clock(event.at)}</span>
      <span><strong>${event.kind}</strong> <bdi>${event.message}</bdi>
        ${i + 1 < all.length && Date.parse(event.at) - Date.parse(all[i + 1].at) >= 1000 ? html`<span class="muted">${duration((Date.parse(event.at) - Date.parse(all[i + 1].at)) / 1000)} later</span>` : ""}</span></li>`)}</ul>`;
  }
}

function times(value) {
  return value === 1 ? "once" : `${count(value)} times`;
}

/** An old job may have no explanation any more; the page shows the rest. */
async function orNull(promise) {
  try {
    return await promise;
  } catch (failed) {
    if (failed instanceof ApiError && failed.status !== 0 && failed.status !== 401) return null;
    throw failed;
  }
}

customElements.define("gs-job", Job);
