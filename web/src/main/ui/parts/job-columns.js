/** The columns of lists of jobs: what one looks for differs between waiting, running and ended jobs. */
import {html} from "lit";
import {link} from "../lib/router.js";
import {between, clock, count, duration} from "../lib/format.js";
import {meter} from "./meter.js";
import {stateChip, tenantChip} from "./chips.js";
import {startBand, startText} from "./start-band.js";

/** The state as people see it: a held job is pending for the API. @param {any} job */
export function shownState(job) {
  if (job.queue_position === -1) return "held";
  return job.stop_cause ? "stopping" : job.state;
}

const name = {
  name: "Job", width: "minmax(0, 2.6fr)", narrow: true,
  cell: job => html`<a class="job-name" href=${link(["jobs", job.id])} title=${job.name}><bdi>${job.name}</bdi></a>
    <span class="muted">${job.id}</span>`,
};
const tenant = {name: "Tenant", width: "minmax(0, 112px)", cell: job => tenantChip(job.tenant_id)};
const gpus = {name: "GPUs", width: "52px", align: "right", narrow: true, cell: job => html`<span title=${gpuText(job)}>${count(job.gpu_count)}</span>`};
const priority = {name: "Priority", width: "64px", align: "right", wide: true, cell: job => count(job.priority)};
const state = {name: "State", width: "104px", narrow: true, cell: job => stateChip(shownState(job))};

/** @param {any} job */
export function gpuText(job) {
  const models = job.gpu_model.length > 0 ? ` of ${job.gpu_model.join(" or ")}` : "";
  const part = job.mig_profile ? ` slices ${job.mig_profile}` : job.gpu_percent ? ` × ${job.gpu_percent} %` : "";
  return `${count(job.gpu_count)}${part}${models}${job.tasks > 1 ? `, ${job.tasks} tasks` : ""}`;
}

/** @param {string} part @param {[number, string]} scale of the bands */
export function columnsOf(part, scale) {
  if (part === "waiting") return waiting(scale);
  if (part === "running") return running();
  if (part === "ended") return ended();
  return [name, state, tenant, gpus, priority,
    {name: "Submitted", width: "150px", cell: job => clock(job.submitted_at)},
    {name: "Reason", width: "minmax(0, 2fr)", cell: reason}];
}

function waiting(scale) {
  return [
    {name: "#", width: "44px", align: "right", narrow: true,
      cell: job => (job.queue_position > 0 ? count(job.queue_position) : html`<span class="muted">held</span>`)},
    name, tenant, gpus, priority,
    {name: "Waits", width: "72px", align: "right", wide: true, cell: job => duration(between(waitsSince(job)))},
    {name: `Start, now to ${scale[1]}`, width: "minmax(160px, 1.4fr)", cell: job => startBand(job.estimated_start, scale[0])},
    {name: "Reason", width: "minmax(0, 2.4fr)", cell: reason},
    {name: "Start", width: "96px", phone: true, cell: job => startText(job.estimated_start)},
  ];
}

/** A preempted job waits since it was preempted. */
function waitsSince(job) {
  return job.state === "preempted" ? job.updated_at : job.submitted_at;
}

function running() {
  return [
    name, state, tenant, gpus, priority,
    {name: "Node", width: "minmax(0, 1fr)", cell: job => html`<bdi title=${job.node_name}>${job.node_name}</bdi>`},
    {name: "Runs", width: "80px", align: "right", cell: job => duration(between(job.started_at))},
    {name: "Of its expected time", width: "minmax(150px, 1fr)", cell: progress},
  ];
}

function progress(job) {
  const run = between(job.started_at);
  const [whole, words] = job.estimated_duration ? [job.estimated_duration, "expected"] : [job.max_runtime, "limit"];
  if (run === null || !whole) return html`<span class="muted">no limit</span>`;
  return html`<span class="job-progress">${meter(`Run time in seconds, ${words}`, Math.round(run), Math.round(whole))}
    <span class="muted">${duration(whole)} ${words}</span></span>`;
}

function ended() {
  return [
    name, state, tenant, gpus,
    {name: "Ended", width: "130px", cell: job => clock(job.completed_at)},
    {name: "Ran", width: "80px", align: "right", cell: job => duration(job.actual_duration)},
    {name: "Exit", width: "44px", align: "right", cell: job => count(job.exit_code)},
    {name: "Reason", width: "minmax(0, 2fr)", cell: reason},
  ];
}

function reason(job) {
  const text = job.reason || (job.queue_position > 0 ? "waits for its turn" : "");
  return html`<bdi class="muted" title=${text}>${text}</bdi>`;
}
