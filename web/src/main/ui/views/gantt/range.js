/** The span of time that a timeline shows. */
import {html} from "lit";
import {setQuery} from "../../lib/router.js";

/** Seconds by the name that the address has. */
export const RANGES = {"15m": 900, "1h": 3600, "6h": 21_600, "24h": 86_400};
const USUAL = "1h";
const SHORTEST = "15m";

/** The range that the address asks for. @param {URLSearchParams} query */
export function rangeOf(query) {
  const wanted = query.get("range") ?? USUAL;
  return wanted in RANGES ? wanted : USUAL;
}

/**
 * The range to show: if the address names none and all runs are recent, as on a new cluster, the
 * shortest, so that they do not crowd at the edge.
 *
 * @param {URLSearchParams} query @param {{start: string}[]} runs @param {number} to
 */
export function shownRange(query, runs, to) {
  const recent = to - RANGES[SHORTEST] * 1000;
  const crowded = !query.has("range") && runs.length > 0 && runs.every(run => Date.parse(run.start) >= recent);
  return crowded ? SHORTEST : rangeOf(query);
}

/** Buttons to choose the range. @param {string} shown */
export function rangeButtons(shown) {
  return html`<div class="segmented" role="group" aria-label="Time range">${Object.keys(RANGES).map(range => html`
    <button aria-pressed=${range === shown} @click=${() => setQuery({range})}>${range}</button>`)}</div>`;
}
