/** What the colours and patterns of the heat map mean. */
import {html, svg} from "lit";
import {styled} from "../../lib/styled.js";
import {HEALTH, heat, tenantColour} from "../../lib/colours.js";
import {setQuery} from "../../lib/router.js";
import {count} from "../../lib/format.js";
import {MODES, scale} from "./modes.js";

/** @param {import("./selection.js").Selection} selection @param {string} mode */
export function legend(selection, mode) {
  return html`<div class="legend fleet-legend">
    ${MODES[mode].figure ? ramp(selection.fleet, mode) : mode === "health" ? health() : tenants(selection)}
    <span class="fleet-keys">
      <span><i class="fleet-key held"></i>held by a job</span>
      <span><i class="fleet-key part"></i>partly held</span>
      <span><i class="fleet-key free"></i>free</span>
      <span><i class="fleet-key closed"></i>closed</span>
      <span><i class="fleet-key away"></i>lost</span>
      <span><i class="fleet-key mark"></i>hot or unfit</span>
    </span></div>`;
}

function ramp(fleet, mode) {
  const [least, most] = scale(fleet, mode);
  const unit = MODES[mode].unit;
  const stops = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  return html`<span class="fleet-ramp"><span>${least} ${unit}</span>
    <svg width="150" height="10" role="img" aria-label="Scale from ${least} to ${most} ${unit}, from blue over green and yellow to red">
      <defs><linearGradient id="fleet-ramp">${stops.map(i => svg`<stop offset="${i * 10}%" stop-color=${heat(i / 10)}></stop>`)}
      </linearGradient></defs><rect width="150" height="10" rx="3" fill="url(#fleet-ramp)"></rect></svg>
    <span>${most} ${unit}</span></span>
    <span><i class="fleet-key unknown"></i>not reported</span>`;
}

function health() {
  return HEALTH.map(one => html`<span><i class="dot" ${styled({"--colour": one.colour})}></i>${one.name}</span>`);
}

/** Tenants with their GPUs; each is a switch of the filter. */
function tenants(selection) {
  const counts = selection.byTenant();
  const {fleet, filter} = selection;
  const hidden = counts[fleet.tenants.length];
  const largest = fleet.tenants.map((name, i) => ({name, gpus: counts[i]})).sort((a, b) => b.gpus - a.gpus).slice(0, 12);
  return html`${largest.map(one => html`<button class="chip fleet-tenant" aria-pressed=${filter.tenant === one.name}
      @click=${() => setQuery({tenant: filter.tenant === one.name ? "" : one.name})}>
      <i class="dot" ${styled({"--colour": tenantColour(one.name)})}></i><bdi>${one.name}</bdi> ${count(one.gpus)}</button>`)}
    ${hidden ? html`<span><i class="fleet-key unknown"></i>other tenants ${count(hidden)}</span>` : ""}
    ${fleet.tenants.length > 12 ? html`<span>and ${fleet.tenants.length - 12} more</span>` : ""}`;
}
