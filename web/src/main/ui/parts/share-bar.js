/** The share of a tenant: what it holds now as a bar, what it held lately as a line, its target as a mark. */
import {html} from "lit";
import {styled} from "../lib/styled.js";
import {tenantColour} from "../lib/colours.js";
import {percent} from "../lib/format.js";

/** @param {any} share of the fair-share report @param {number} most the share at the right end */
export function shareBar(share, most = 1) {
  const at = ratio => `${Math.min(1, ratio / most) * 100}%`;
  const label = `now ${percent(share.current_share)}, lately ${percent(share.recent_share)}, entitled to ${percent(share.effective_share)}`;
  return html`<span class="share-bar" role="img" aria-label=${label} title=${label}
      ${styled({"--colour": tenantColour(share.tenant_id)})}>
    <span class="now" ${styled({width: at(share.current_share)})}></span>
    <span class="lately" ${styled({left: at(share.recent_share)})}></span>
    <span class="target" ${styled({left: at(share.effective_share)})}></span>
  </span>`;
}
