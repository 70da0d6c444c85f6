/**
 * When a waiting job is expected to start: eight of ten such jobs start within the band, half of
 * them before its mark. All bands of a list have one scale, so that they can be compared.
 */
import {html, svg} from "lit";
import {NONE, day, isToday, minute} from "../lib/format.js";

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

/** `12:40–12:55`; of times on other days only the day, unless `full`. @param {Estimate | null | undefined} estimate */
export function startText(estimate, full = false) {
  if (!estimate) return NONE;
  if (estimate.due) return "due now";
  const from = estimate.p10 ?? estimate.p50;
  if (!from) return "not known";
  const short = time => (full || isToday(time) ? minute(time) : day(time));
  const early = short(from);
  const late = estimate.p90 ? short(estimate.p90) : "later";
  return (early === late ? early : `${early}–${late}`) + (full && estimate.method === "extrapolated" ? ", a rough guess" : "");
}

/** @param {Estimate | null | undefined} estimate @param {number} seconds the length of the scale */
export function startBand(estimate, seconds, full = false) {
  const middle = estimate?.p50 ? `, half of such jobs before ${minute(estimate.p50)}` : "";
  return html`<span class="band ${full ? "full" : ""}" title=${estimate ? `${startText(estimate, true)}${middle}` : "no estimate yet"}
    ><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${drawing(estimate, seconds)}</svg
    ><span>${startText(estimate, full)}</span></span>`;
}

function drawing(estimate, seconds) {
  // The scale is logarithmic: minutes matter for the next job, hours for the last one.
  const place = time => {
    const minutes = Math.max(0, (Date.parse(time) - Date.now()) / 60_000);
    return Math.min(100, 100 * Math.log1p(minutes) / Math.log1p(seconds / 60));
  };
  const rail = svg`<rect class="rail" x="0" y="4" width="100" height="2" rx="1"></rect>`;
  if (!estimate?.p50) return rail;
  const from = Math.min(98, place(estimate.p10 ?? estimate.p50));
  const to = estimate.p90 ? place(estimate.p90) : 100;
  return svg`${rail}<rect class="range" x=${from} y="2" width=${Math.max(2, to - from)} height="6" rx="2"></rect>
    <rect class="half" x=${Math.min(98.5, place(estimate.p50))} y="0" width="1.5" height="10"></rect>`;
}
