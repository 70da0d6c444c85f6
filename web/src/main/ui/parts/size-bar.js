/** The size of a pool as a bar: ready replicas, those still to come, and the room up to the most. */
import {html} from "lit";
import {styled} from "../lib/styled.js";

/** @param {string} name @param {any} status @param {number} most */
export function sizeBar(name, status, most) {
  const whole = Math.max(most, status.desired, status.ready, 1);
  const part = value => `${(Math.min(value, whole) / whole) * 100}%`;
  return html`<span class="size-bar" role="img"
      aria-label="Replicas of ${name}: ${status.ready} ready, ${status.desired} wanted, ${most} at most"
    ><span class="wanted" ${styled({width: part(status.desired)})}></span><span class="ready" ${styled({width: part(status.ready)})}></span></span>`;
}
