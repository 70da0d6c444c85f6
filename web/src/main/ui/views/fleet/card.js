/** The facts of one GPU, as a card and as a sentence. */
import {html} from "lit";
import {HEALTH} from "../../lib/colours.js";
import {jobLink, nodeLink, stateChip, tenantChip} from "../../parts/chips.js";
import {STATES} from "./data.js";

/** @param {number} value @param {string} unit */
function known(value, unit) {
  return value < 0 ? "not reported" : `${value} ${unit}`;
}

/** @param {import("./data.js").Fleet} fleet @param {number} gpu */
export function card(fleet, gpu) {
  const node = fleet.nodeOf(gpu);
  const job = fleet.job[gpu];
  const tenant = fleet.tenantOf(gpu);
  const part = fleet.part[gpu];
  return html`<div class="fleet-card">
    <strong>${nodeLink(fleet.ids[node])} · GPU ${gpu - fleet.first[node]}</strong>
    <span class="muted">${fleet.models[fleet.model[node]] ?? "unknown model"}${rackWords(fleet, node)}</span>
    <dl class="facts">
      ${fleet.state[node] === 0 ? "" : html`<dt>Node</dt><dd>${stateChip(STATES[fleet.state[node]])}
        <bdi>${fleet.reasons.get(node) ?? ""}</bdi></dd>`}
      <dt>Job</dt><dd>${job > 0 ? jobLink(`job-${job}`) : tenant === null ? html`<span class="muted">free</span>` : "of another tenant"}
        ${part > 0 && part < 100 ? html`<span class="muted">${part} % held</span>` : ""}</dd>
      ${tenant ? html`<dt>Tenant</dt><dd>${tenantChip(tenant)}</dd>` : ""}
      <dt>Use</dt><dd>${known(fleet.util[gpu], "%")}</dd>
      <dt>Memory</dt><dd>${known(fleet.mem[gpu], "%")}</dd>
      <dt>Temperature</dt><dd>${known(fleet.temp[gpu], "°C")}</dd>
      <dt>Power</dt><dd>${known(fleet.power[gpu], "W")}</dd>
      ${fleet.health[gpu] ? html`<dt>Health</dt><dd>${stateChip(HEALTH[fleet.health[gpu]].name)}</dd>` : ""}
    </dl></div>`;
}

function rackWords(fleet, node) {
  const rack = fleet.racks[fleet.rack[node]];
  return rack ? html` · rack <bdi>${rack}</bdi>` : "";
}

/** @param {import("./data.js").Fleet} fleet @param {number} gpu */
export function inWords(fleet, gpu) {
  const node = fleet.nodeOf(gpu);
  const tenant = fleet.tenantOf(gpu);
  const holder = tenant === null ? "free" : tenant === "" ? "held by another tenant" : `job-${fleet.job[gpu]} of ${tenant}`;
  const closed = fleet.state[node] === 0 ? "" : `, node ${STATES[fleet.state[node]]}`;
  return `${fleet.ids[node]} GPU ${gpu - fleet.first[node]}: ${holder}, use ${known(fleet.util[gpu], "%")}, `
    + `memory ${known(fleet.mem[gpu], "%")}, ${known(fleet.temp[gpu], "°C")}, ${known(fleet.power[gpu], "W")}, `
    + `${HEALTH[fleet.health[gpu]].name}${closed}`;
}
