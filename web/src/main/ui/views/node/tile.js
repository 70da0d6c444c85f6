/** One GPU of a node: who holds it or its parts, and what it reports. */
import {html} from "lit";
import {styled} from "../../lib/styled.js";
import {heat, readable, tenantColour} from "../../lib/colours.js";
import {count, memory, NONE} from "../../lib/format.js";
import {meter} from "../../parts/meter.js";
import {jobLink, stateChip} from "../../parts/chips.js";

/** MIG cuts a GPU into eight parts of memory; a slice starts at one of them. */
const MIG_PARTS = 8;
const MIG_SIZES = {1: 1, 2: 2, 3: 4, 4: 4, 7: 8};

/** @typedef {{job: string | null, left: number, width: number, text: string}} Segment in percent of the GPU */

/** @param {{job_id: string | null, part: string}[]} holders @returns {Segment[]} */
export function segments(holders) {
  let shared = 0;
  return holders.flatMap(({job_id: job, part}) => {
    if (!part) return [{job, left: 0, width: 100, text: ""}];
    if (part.endsWith("%")) {
      const width = Number.parseFloat(part);
      shared += width;
      return [{job, left: shared - width, width, text: part}];
    }
    return part.split(" ").map(slice => {
      const [profile, first = "0"] = slice.split("@");
      const size = MIG_SIZES[Number.parseInt(profile, 10)] ?? 1;
      return {job, left: Number(first) * 100 / MIG_PARTS, width: size * 100 / MIG_PARTS, text: profile};
    });
  });
}

/** @param {any} gpu @param {Map<string, any>} jobs by id @param {string} near how it is linked to the GPU that is looked at */
export function tile(gpu, jobs, near) {
  const parts = segments(gpu.holders);
  const sliced = gpu.holders.some(holder => holder.part && !holder.part.endsWith("%"));
  const unfit = gpu.health === "unhealthy";
  return html`<header><h3>GPU ${gpu.index}</h3>
      ${near ? html`<span class="chip info">${near}</span>`
        : unfit ? stateChip("unfit") : gpu.health === "degraded" ? stateChip("hot") : ""}</header>
    <div class="node-die ${sliced ? "sliced" : ""}">${parts.map(part => segment(part, jobs))}</div>
    <div class="node-holders">${holders(gpu, jobs)}</div>
    ${figure("Use", gpu.utilization, 100, gpu.utilization === null ? NONE : `${count(Math.round(gpu.utilization))} %`)}
    ${figure("Mem", gpu.memory_used_mb, gpu.memory_total_mb,
      `${gpu.memory_used_mb === null ? NONE : count(Math.round(gpu.memory_used_mb / 1024))} / ${memory(gpu.memory_total_mb)}`)}
    <div class="node-figure"><span><i class="dot" ${styled({"--colour": gpu.temperature === null ? "var(--line)" : heat((gpu.temperature - 30) / 60)})}></i>
        ${gpu.temperature === null ? NONE : `${Math.round(gpu.temperature)} °C`}</span>
      <span>${gpu.power_usage === null ? NONE : `${Math.round(gpu.power_usage)} W`}</span></div>
    ${unfit && gpu.reason ? html`<p class="node-reason" title=${gpu.reason}><bdi>${gpu.reason}</bdi></p>` : ""}`;
}

function segment(part, jobs) {
  const colour = tenantColour(jobs.get(part.job ?? "")?.tenant_id);
  return html`<span title="${part.job ?? "another tenant"} ${part.text}"
    ${styled({left: `${part.left}%`, width: `${part.width}%`, "--colour": colour, color: readable(colour)})}>${part.width >= 25 ? part.text : ""}</span>`;
}

function holders(gpu, jobs) {
  if (gpu.holders.length === 0) return html`<span class="muted">free</span>`;
  const shown = gpu.holders.slice(0, 2);
  return html`${shown.map(holder => html`<span class="node-holder">${holder.job_id
      ? jobLink(holder.job_id, jobs.get(holder.job_id)?.name || holder.job_id) : html`<span class="muted">another tenant</span>`}</span>`)}
    ${gpu.holders.length > 2 ? html`<span class="muted">and ${gpu.holders.length - 2} more</span>` : ""}`;
}

function figure(name, value, whole, text) {
  return html`<div class="node-figure"><span class="muted">${name}</span><span>${text}</span></div>
    ${meter(name, value === null ? null : Math.round(value), whole)}`;
}
