/** Everything a job asked for, as a list and as JSON to copy. */
import {html} from "lit";
import {count, duration, memory} from "../../lib/format.js";
import {bodyOf, fieldsOf} from "../../lib/job-request.js";
import {joinWords} from "../../lib/shell-words.js";
import {poolLink} from "../../parts/chips.js";
import {gpuText} from "../../parts/job-columns.js";
import {toast} from "../../parts/toast.js";

/** @param {any} job */
export function jobFacts(job) {
  const pairs = entries(job).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return html`<dl class="facts">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <p><button class="button small" @click=${() => copy(job)}>Copy as JSON</button></p>`;
}

function entries(job) {
  const words = joinWords([...job.command, ...job.args]);
  return [
    ["Pool", job.pool ? html`${poolLink(job.pool)}, replica ${job.replica}` : ""],
    ["GPUs", gpuText(job)],
    ["GPU memory", job.gpu_memory_mb ? memory(job.gpu_memory_mb) : ""],
    ["Locality", job.gpu_locality && job.gpu_locality !== "any" ? job.gpu_locality : ""],
    ["Bandwidth", job.gpu_min_bandwidth ?? ""],
    ["Within", job.within.join(", ")],
    ["Near", job.near.join(", ")],
    ["Gang", job.gang_scheduling ? `${count(job.tasks)} tasks, all at once` : ""],
    ["CPU cores", count(job.cpu_cores)],
    ["Memory", job.memory_mb ? memory(job.memory_mb) : ""],
    ["Priority", count(job.priority)],
    ["Time limit", job.max_runtime ? duration(job.max_runtime) : "none"],
    ["Deadline", job.deadline ?? ""],
    ["Capacity", job.deadline_plan?.capacity ? `${job.deadline_plan.capacity.replace("_", " ")}: ${job.deadline_plan.reason}` : ""],
    ["Expected run", job.estimated_duration ? duration(job.estimated_duration) : ""],
    ["Time to stop", duration(job.grace_seconds)],
    ["Checkpoints", job.checkpoint_enabled ? "yes" : ""],
    ["Image", code(job.image)],
    ["Command", code(words)],
    ["Script", job.script ? html`<pre class="script" tabindex="0">${job.script}</pre>` : ""],
    ["Directory", code(job.working_dir)],
    ["Environment", pairs(job.environment)],
    ["Labels", pairs(job.labels)],
    ["Node labels", pairs(job.node_selector)],
    ["Tolerates", job.tolerations.map(one => one.key + (one.value ? `=${one.value}` : "")).join(", ")],
    ["Avoids", job.avoided_nodes.map(one => one.node).join(", ")],
  ];
}

function code(text) {
  return text ? html`<code><bdi>${text}</bdi></code>` : "";
}

function pairs(map) {
  const all = Object.entries(map);
  return all.length === 0 ? "" : all.map(([key, value]) => html`<div><code><bdi>${key}=${value}</bdi></code></div>`);
}

async function copy(job) {
  try {
    await navigator.clipboard.writeText(JSON.stringify(bodyOf(fieldsOf(job)), null, 2));
    toast("Copied. Submit it with gpu-cli submit -f FILE.");
  } catch {
    toast("The browser does not allow copying here. Use Submit again instead.", "warn");
  }
}
