/** The life of a job as a bar: waiting, starting, running, stopped and waiting again, ended. */
import {html} from "lit";
import {styled} from "../lib/styled.js";
import {between, clock, duration} from "../lib/format.js";
import {startText} from "./start-band.js";

/** @typedef {{kind: string, from: string, to: string | null, note: string}} Stretch */

/** Which stretch an event begins; null: it ends the job. */
const BEGINS = {
  submitted: "waiting", held: "held", released: "waiting", scheduled: "starting", running: "running",
  stopping: "stopping", preempted: "waiting", requeued: "waiting", completed: null, failed: null, cancelled: null,
};

const WORDS = {
  waiting: "waiting", held: "held", starting: "starting", running: "running", stopping: "stopping",
};

/** @param {{at: string, kind: string, message: string}[]} events oldest first @returns {Stretch[]} */
export function stretches(events) {
  /** @type {Stretch[]} */
  const all = [];
  for (const event of events) {
    if (!(event.kind in BEGINS)) continue;
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
      ${all.map(one => part(one))}${open ? ahead(job) : ""}</div>
    <div class="life-ends muted"><span>${clock(all[0].from)} submitted</span>
      <span>${open ? "now" : `${clock(end.at)} ${end.kind}`}</span></div>
    <ol class="plain life-steps">${all.map((one, i) => html`<li class=${one.kind}>
      <i class="life-key ${one.kind}"></i><strong>${WORDS[one.kind]}</strong>
      <span>${duration(between(one.from, one.to))}${one.to === null ? " so far" : ""}</span>
      <span class="muted"><bdi>${i === 0 ? "" : one.note}</bdi></span></li>`)}
      ${open && job.estimated_start ? html`<li><i class="life-key future"></i><strong>expected start</strong>
        <span>${startText(job.estimated_start)}</span></li>` : ""}
      ${open ? "" : html`<li><i class="life-key ${end.kind}"></i><strong>${end.kind}</strong>
        <span>${job.exit_code === null ? "" : `exit code ${job.exit_code}`}</span>
        <span class="muted"><bdi>${end.message}</bdi></span></li>`}
    </ol>`;
}

/** Widths follow the time; the shortest stretch stays visible. */
function part(one) {
  const seconds = Math.max(0.001, between(one.from, one.to) ?? 0);
  return html`<span class="life-part ${one.kind}" title="${WORDS[one.kind]} ${duration(seconds)}, from ${clock(one.from)}"
    ${styled({"flex-grow": seconds})}></span>`;
}

/** What is still to come: the wait until the expected start, or the rest of the expected run. */
function ahead(job) {
  const until = job.estimated_start?.p50
    ? (Date.parse(job.estimated_start.p50) - Date.now()) / 1000
    : job.started_at && job.estimated_duration ? job.estimated_duration - (between(job.started_at) ?? 0) : 0;
  if (until <= 0) return "";
  return html`<span class="life-part future" title="expected: ${duration(until)} more" ${styled({"flex-grow": until})}></span>`;
}
