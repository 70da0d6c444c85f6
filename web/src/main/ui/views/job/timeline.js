/** The life of a job as a bar: waiting, starting, running, stopped and waiting again, ended. */
import {html} from "lit";
import {styled} from "../../lib/styled.js";
import {between, clock, count, duration} from "../../lib/format.js";
import {startText} from "../../parts/start-band.js";

/** @typedef {{kind: string, from: string, to: string | null, note: string}} Stretch */

/** Which stretch an event begins; null: it ends the job. */
const BEGINS = {
  submitted: "waiting", held: "held", released: "waiting", scheduled: "starting", running: "running",
  stopping: "stopping", preempted: "waiting", requeued: "waiting", completed: null, failed: null, cancelled: null,
};

/** Steps that are listed; those before are folded. */
const MOST_STEPS = 8;

const WORDS = {
  waiting: "waiting", held: "held", starting: "starting", running: "running", stopping: "stopping",
};

/** @param {{at: string, kind: string, message: string}[]} events oldest first @returns {Stretch[]} */
export function stretches(events) {
  /** @type {Stretch[]} */
  const all = [];
  for (const event of events) {
    if (!Object.hasOwn(BEGINS, event.kind)) continue;
    const open = all[all.length - 1];
    if (open && open.to === null) open.to = event.at;
    const kind = BEGINS[event.kind];
    if (kind) all.push({kind, from: event.at, to: null, note: event.kind === "submitted" ? "" : event.message});
  }
  return all;
}

/** @param {any} job @param {{at: string, kind: string, message: string}[]} events */
export function jobTimeline(job, events) {
  const all = stretches(events);
  if (all.length === 0) return html`<p class="muted">Its history is not known any more.</p>`;
  const end = events[events.length - 1];
  const open = all[all.length - 1].to === null;
  const spoken = all.map(one => `${WORDS[one.kind]} ${duration(between(one.from, one.to))}`).join(", ");
  return html`<div class="life" role="img" aria-label="Life of the job: ${spoken}">
      ${all.map(one => part(one))}${open ? ahead(job, between(all[0].from) ?? 0) : ""}</div>
    <div class="life-ends muted"><span>${clock(all[0].from)} submitted</span>
      <span>${open ? expected(job) : `${clock(end.at)} ${end.kind}`}</span></div>
    ${all.length > MOST_STEPS ? html`<details class="life-early"><summary>${count(all.length - MOST_STEPS)} earlier steps</summary>
      <ol class="life-steps">${all.slice(0, -MOST_STEPS).map(step)}</ol></details>` : ""}
    <ol class="life-steps">${all.slice(-MOST_STEPS).map(step)}
      ${open && job.estimated_start ? html`<li><i class="life-key future"></i><strong>expected start</strong>
        <span class="wide">${startText(job.estimated_start, true)}</span></li>` : ""}
      ${open ? "" : html`<li><i class="life-key ${end.kind}"></i><strong>${end.kind}</strong>
        <span>${job.exit_code === null ? "" : `exit code ${job.exit_code}`}</span>
        <span class="muted"><bdi>${end.kind === "completed" ? "" : end.message}</bdi></span></li>`}
    </ol>`;
}

function step(one) {
  return html`<li><i class="life-key ${one.kind}"></i><strong>${WORDS[one.kind]}</strong>
    <span>${lasted(one)}${one.to === null ? " so far" : ""}</span>
    <span class="muted"><bdi>${one.kind === "running" ? "" : one.note}</bdi></span></li>`;
}

function lasted(one) {
  const seconds = between(one.from, one.to) ?? 0;
  return one.to !== null && seconds < 1 ? "under 1 s" : duration(seconds);
}

/** Widths follow the time; the shortest stretch stays visible. */
function part(one) {
  const seconds = Math.max(0.001, between(one.from, one.to) ?? 0);
  return html`<span class="life-part ${one.kind}" title="${WORDS[one.kind]} ${duration(seconds)}, from ${clock(one.from)}"
    ${styled({"flex-grow": seconds})}></span>`;
}

/** Seconds until the expected start, or until the expected end of the run. */
function left(job) {
  if (job.estimated_start?.p50) return (Date.parse(job.estimated_start.p50) - Date.now()) / 1000;
  return job.started_at && job.estimated_duration ? job.estimated_duration - (between(job.started_at) ?? 0) : 0;
}

function expected(job) {
  const seconds = left(job);
  if (seconds <= 0) return "now";
  return `${job.started_at ? "end" : "start"} expected in ${duration(seconds)}`;
}

/** What is still to come; a long time is cut, so that what has been stays visible. */
function ahead(job, past) {
  const seconds = left(job);
  if (seconds <= 0) return "";
  return html`<span class="life-part future" title="expected: ${duration(seconds)} more"
    ${styled({"flex-grow": Math.min(seconds, 4 * Math.max(past, 1))})}></span>`;
}
