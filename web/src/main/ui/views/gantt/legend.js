/** What the bars of the timeline mean. */
import {html} from "lit";
import {styled} from "../../lib/styled.js";
import {tenantColour} from "../../lib/colours.js";

/** @param {(string | null)[]} tenants */
export function timelineLegend(tenants) {
  return html`<div class="legend fleet-legend">
    ${tenants.filter(Boolean).slice(0, 12).map(tenant => html`<span><i class="dot" ${styled({"--colour": tenantColour(tenant)})}></i><bdi>${tenant}</bdi></span>`)}
    ${tenants.includes(null) ? html`<span><i class="dot" ${styled({"--colour": tenantColour(null)})}></i>other tenants</span>` : ""}
    <span class="fleet-keys">
      <span><i class="gantt-end running"></i>running</span>
      <span><i class="gantt-end"></i>completed</span>
      <span><i class="gantt-end failed"></i>failed</span>
      <span><i class="gantt-end preempted"></i>preempted or requeued</span>
      <span><i class="gantt-end cancelled"></i>cancelled</span>
    </span></div>`;
}
