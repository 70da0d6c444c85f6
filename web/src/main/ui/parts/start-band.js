/**
 * When a waiting job is expected to start: eight of ten such jobs start within the band, half of
 * them before its mark. All bands of a list have one scale, so that they can be compared.
 */
import {html, svg} from "lit";
import {NONE, minute} from "../lib/format.js";

/** @typedef {{p10: string | null, p50: string | null, p90: string | null, due: boolean, method: string}} Estimate */

/** Lengths of the scale in seconds, with their names. */
const SCALES = /** @type {[number, string][]} */ ([
  [600, "10 min"], [3600, "1 h"], [21_600, "6 h"], [86_400, "24 h"], [604_800, "7 days"], [2_592_000, "30 days"],
]);

/** The shortest scale that all these estimates fit on. @param {(Estimate | null)[]} estimates */
export function scaleOf(estimates) {
  let latest = 0;
  for (const one of estimates) {
    const end = one?.p90 ?? one?.p50;
    if (end) latest = Math.max(latest, (Date.parse(end) - Date.now()) / 1000);
  }
  return SCALES.find(([seconds]) => seconds >= latest) ?? SCALES[SCALES.length - 1];
}

/** @param {Estimate | null | undefined} estimate */
export function startText(estimate) {
  if (!estimate) return NONE;
  if (estimate.due) return "due now";
  if (!estimate.p50 && !estimate.p10) return "not known";
  const early = minute(estimate.p10 ?? estimate.p50);
  const late = estimate.p90 ? minute(estimate.p90) : "later";
  return (early === late ? early : `${early}–${late}`) + (estimate.method === "extrapolated" ? " (rough)" : "");
}

/** @param {Estimate | null | undefined} estimate @param {number} seconds the length of the scale */
export function startBand(estimate, seconds) {
  const text = startText(estimate);
  const middle = estimate?.p50 ? `, half of such jobs before ${minute(estimate.p50)}` : "";
  return html`<span class="band" title=${estimate ? `${text}${middle}` : "no estimate yet"}
    ><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${drawing(estimate, seconds)}</svg
    ><span>${text}</span></span>`;
}

function drawing(estimate, seconds) {
  const place = time => Math.min(100, Math.max(0, (Date.parse(time) - Date.now()) / 10 / seconds));
  const rail = svg`<rect class="rail" x="0" y="4" width="100" height="2" rx="1"></rect>`;
  if (!estimate?.p50) return rail;
  const from = Math.min(98, place(estimate.p10 ?? estimate.p50));
  const to = estimate.p90 ? place(estimate.p90) : 100;
  return svg`${rail}<rect class="range" x=${from} y="2" width=${Math.max(2, to - from)} height="6" rx="2"></rect>
    <rect class="half" x=${Math.min(98.5, place(estimate.p50))} y="0" width="1.5" height="10"></rect>`;
}
