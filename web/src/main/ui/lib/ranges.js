/** The time range of a view, which is in its address as `range=6h`. */
import {html} from "lit";
import {route, setQuery} from "./router.js";

/** Length of each range in seconds. @type {Record<string, number>} */
export const RANGES = {"15m": 900, "1h": 3600, "6h": 21_600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000};

/** @param {string} usual the range if the address names none */
export function chosenRange(usual) {
  const wanted = route().query.get("range") ?? usual;
  return Object.hasOwn(RANGES, wanted) ? wanted : usual;
}

/** The range as parameters of a history request. @param {string} range */
export function windowOf(range, points = 180) {
  const to = new Date();
  const from = new Date(to.getTime() - RANGES[range] * 1000);
  return {from: from.toISOString(), to: to.toISOString(), points};
}

/** Buttons to choose among some ranges. @param {string} chosen @param {string[]} offered */
export function rangeButtons(chosen, offered) {
  return html`<div class="segmented" role="group" aria-label="Time range">${offered.map(range => html`
    <button aria-pressed=${range === chosen} @click=${() => setQuery({range})}>${range}</button>`)}</div>`;
}
