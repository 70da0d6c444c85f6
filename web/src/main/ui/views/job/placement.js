/** Where a job runs: its nodes with every GPU, the job's own ones marked, NVLink islands framed. */
import {html} from "lit";
import {styled} from "../../lib/styled.js";
import {tenantColour} from "../../lib/colours.js";
import {count, plural} from "../../lib/format.js";
import {nodeLink} from "../../parts/chips.js";

/** Nodes that are drawn; a larger gang is listed by name. */
export const MOST_NODES = 16;

/**
 * The job's GPUs by node, with the slices of each: `node-1:3` is GPU 3, `node-1:3:1g.5gb@2` a slice of it.
 *
 * @param {string[]} allocated
 */
export function byNode(allocated) {
  /** @type {Map<string, Map<number, string[]>>} */
  const nodes = new Map();
  for (const one of allocated) {
    const [, node, gpu, slice] = /^(.*?):(\d+)(?::(.*))?$/.exec(one) ?? [one, one, "0", ""];
    if (!nodes.has(node)) nodes.set(node, new Map());
    const gpus = nodes.get(node);
    gpus?.set(Number(gpu), [...(gpus.get(Number(gpu)) ?? []), slice].filter(Boolean));
  }
  return nodes;
}

/** @param {any} job @param {Map<string, any>} known nodes as the API shows them; a tenant may not see all */
export function jobPlacement(job, known) {
  const nodes = byNode(job.allocated_gpus ?? []);
  if (nodes.size === 0) {
    return html`<p class="muted">It holds no GPU${job.node_name ? html`; it runs on <bdi>${job.node_name}</bdi>` : ""}.</p>`;
  }
  const drawn = [...nodes].slice(0, MOST_NODES);
  return html`<div class="slots">${drawn.map(([id, own]) => drawNode(job, id, own, known.get(id)))}</div>
    ${nodes.size > MOST_NODES ? html`<p class="muted">and ${count(nodes.size - MOST_NODES)} more nodes:
      <bdi>${[...nodes.keys()].slice(MOST_NODES).join(", ")}</bdi></p>` : ""}
    <p class="legend"><span><i class="slot-key own" ${styled({"--colour": tenantColour(job.tenant_id)})}></i>this job</span>
      ${known.size > 0 ? html`<span><i class="slot-key other"></i>held by others</span><span><i class="slot-key"></i>free</span>
        <span><i class="slot-key island"></i>linked by NVLink</span>` : ""}</p>`;
}

function drawNode(job, id, own, node) {
  const gpus = node?.gpus ?? [...own.keys()].map(index => ({index, allocated: true, nvlink: -1, holders: []}));
  return html`<section class="slot-node" aria-label="Node ${id}">
    <header><strong>${nodeLink(id)}</strong> <span class="muted">${node?.gpu_model ?? ""}</span>
      <span class="spring"></span><span class="muted">${node ? `${count(own.size)} of ${plural(gpus.length, "GPU")}` : plural(own.size, "GPU")}</span></header>
    <div class="islands">${islands(gpus).map(island => html`<div class="island ${island.linked ? "linked" : ""}">
      ${island.gpus.map(gpu => slot(job, gpu, own))}</div>`)}</div>
  </section>`;
}

/** GPUs of the same island together. A number below 0 means that the GPU has no link. */
function islands(gpus) {
  const groups = new Map();
  for (const gpu of gpus) {
    const linked = gpu.nvlink !== null && gpu.nvlink !== undefined && gpu.nvlink >= 0;
    const key = linked ? gpu.nvlink : "none";
    if (!groups.has(key)) groups.set(key, {linked, gpus: []});
    groups.get(key).gpus.push(gpu);
  }
  return [...groups.values()];
}

function slot(job, gpu, own) {
  const mine = own.get(gpu.index);
  const kind = mine ? "own" : gpu.allocated ? "other" : "";
  const words = `GPU ${gpu.index}: ${mine ? ["this job", ...mine].join(" ") : gpu.allocated ? "held by another job" : "free"}`
    + (gpu.utilization === undefined || gpu.utilization === null ? "" : `, ${Math.round(gpu.utilization)} % busy`)
    + (gpu.temperature ? `, ${Math.round(gpu.temperature)} °C` : "");
  return html`<span class="slot ${kind}" role="img" aria-label=${words} title=${words}
    ${styled({"--colour": tenantColour(job.tenant_id)})}>${gpu.index}</span>`;
}
