/** The time range of a view, which is in its address as `range=6h`. */
import {html} from "lit";
import {route, setQuery} from "./router.js";

/** Length of each range in seconds. @type {Record<string, number>} */
export const RANGES = {"1h": 3600, "6h": 21_600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000};

/** @param {string} usual the range if the address names none */
export function chosenRange(usual = "6h") {
  const wanted = route().query.get("range") ?? usual;
  return wanted in RANGES ? wanted : usual;
}

/** The range as parameters of a history request. @param {string} range */
export function windowOf(range, points = 180) {
  const to = new Date();
  const from = new Date(to.getTime() - RANGES[range] * 1000);
  return {from: from.toISOString(), to: to.toISOString(), points};
}

/** @param {string} chosen */
export function rangeButtons(chosen) {
  return html`<div class="segmented" role="group" aria-label="Time range">${Object.keys(RANGES).map(range => html`
    <button aria-pressed=${range === chosen} @click=${() => setQuery({range})}>${range}</button>`)}</div>`;
}
