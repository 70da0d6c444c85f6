/** The span of time that a timeline shows. */
import {RANGES, chosenRange} from "../../lib/ranges.js";
import {route} from "../../lib/router.js";

export const OFFERED = ["15m", "1h", "6h", "24h"];
const SHORTEST = "15m";

/** The range that the address asks for. */
export function askedRange() {
  const wanted = chosenRange("1h");
  return OFFERED.includes(wanted) ? wanted : "24h";
}

/**
 * The range to show: if the address names none and all runs are recent, as on a new cluster, the
 * shortest, so that they do not crowd at the edge.
 *
 * @param {{start: string}[]} runs @param {number} to
 */
export function shownRange(runs, to) {
  const recent = to - RANGES[SHORTEST] * 1000;
  const crowded = !route().query.has("range") && runs.length > 0 && runs.every(run => Date.parse(run.start) >= recent);
  return crowded ? SHORTEST : askedRange();
}
