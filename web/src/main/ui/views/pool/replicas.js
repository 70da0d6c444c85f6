/** The replicas of a pool, in the order of their numbers. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {ago, clock, count, percent} from "../../lib/format.js";
import {millis} from "../../lib/pools.js";
import {meter} from "../../parts/meter.js";
import {jobLink, nodeLink, stateChip} from "../../parts/chips.js";

const MOST = 200;

/** @param {any} pool */
export function replicaTable(pool) {
  const all = [...pool.status.replicas].sort((a, b) => a.number - b.number);
  if (all.length === 0) {
    return empty("No replica now", pool.min_replicas === 0
      ? "The pool starts one when a request arrives." : "The scheduler starts the first ones at its next decision.");
  }
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Replicas, scrollable"><table class="plain pl-replicas">
    <thead><tr><th class="right">Number</th><th>State</th><th>Job</th><th>Node</th><th class="pl-wide">Address</th><th class="right">Running</th><th class="right">Waiting</th>
      <th>KV cache</th><th class="right">TTFT</th><th class="right">Per token</th><th>Capacity</th></tr></thead>
    <tbody>${all.slice(0, MOST).map(row)}</tbody></table></div>
    ${all.length > MOST ? html`<p class="muted">The first ${MOST} of ${count(all.length)}.</p>` : ""}`;
}

function row(one) {
  const serves = one.state === "ready" || one.state === "draining";
  return html`<tr><th scope="row" class="right">${one.number}</th>
    <td data-label="State" title=${one.ready_since ? `ready since ${clock(one.ready_since)}` : ""}>${stateChip(one.state)}
      ${one.ready_since ? html`<span class="tn-sub">ready ${ago(one.ready_since)}</span>` : ""}</td>
    <td data-label="Job" class="pl-thing">${jobLink(one.job_id)}</td>
    <td data-label="Node" class="pl-thing">${one.node_id ? nodeLink(one.node_id) : html`<span class="muted">none yet</span>`}</td>
    <td data-label="Address" class="muted tn-nowrap pl-wide">${one.address ?? "–"}</td>
    <td data-label="Running" class="right">${serves ? count(one.running) : "–"}</td>
    <td data-label="Waiting" class="right">${serves ? count(one.waiting) : "–"}</td>
    <td data-label="KV cache" class="pl-kv">${serves ? html`<span class="pl-kv-pair">${meter(`KV cache of replica ${one.number}, percent`, Math.round((one.kv ?? 0) * 100), 100, one.kv > 0.9 ? "var(--warn)" : "var(--accent)")}
      <span>${percent(one.kv)}</span></span>` : "–"}</td>
    <td data-label="TTFT" class="right tn-nowrap">${serves ? millis(one.ttft_ms) : "–"}</td>
    <td data-label="Per token" class="right tn-nowrap">${serves ? millis(one.itl_ms) : "–"}</td>
    <td data-label="Capacity">${one.spot ? html`<span class="chip warn">spot</span>` : html`<span class="muted tn-nowrap">on demand</span>`}</td></tr>`;
}
