/** A bar that shows a part of a whole, with the figures as text beside or above it. */
import {html} from "lit";
import {styled} from "../lib/styled.js";

/**
 * @param {string} label for screen readers
 * @param {number | null} value
 * @param {number | null} whole null: there is no limit
 * @param {string} colour
 */
export function meter(label, value, whole, colour = "var(--accent)") {
  const part = whole ? Math.min(1, (value ?? 0) / whole) : 0;
  return html`<span class="meter" role="img" aria-label="${label}: ${value ?? 0}${whole ? ` of ${whole}` : ""}"
    ><span ${styled({width: `${part * 100}%`, background: colour})}></span></span>`;
}
