/** How the figures of pools are written, and what they say about the service level objective (SLO). */
import {count, NONE} from "./format.js";

/** @typedef {any} Pool a pool of the API, with its `status` */

/** The address of a pool below `api/v1/`. @param {string} name */
export function pathOf(name) {
  return `pools/${encodeURIComponent(name)}`;
}

/** @param {number | null | undefined} value */
export function millis(value) {
  if (value === null || value === undefined || value === 0) return NONE;
  return value < 10_000 ? `${Math.round(value).toLocaleString("en")} ms` : `${count(value / 1000)} s`;
}

/** So many per second: `0.4`, `12.3`, `1,843`. @param {number | null | undefined} value */
export function rate(value) {
  return count(value !== null && value !== undefined && value >= 100 ? Math.round(value) : value);
}

/** A percentage that does not round a miss away: 99.96 is not 100. @param {number | null | undefined} value of 100 */
export function attained(value) {
  if (value === null || value === undefined) return NONE;
  return `${value === 100 ? "100" : (Math.floor(value * 10) / 10).toFixed(1)} %`;
}

/** Whether the pool keeps its SLO; empty if nothing was answered. @param {Pool} pool @returns {"good" | "bad" | ""} */
export function sloTone(pool) {
  const {slo_percent: part} = pool.status;
  if (part === null || part === undefined || !pool.slo?.percent) return "";
  return part >= pool.slo.percent ? "good" : "bad";
}

/** @param {Pool} pool @returns {"bad" | ""} */
export function firstTokenTone(pool) {
  return pool.slo?.ttft_ms && pool.status.ttft_p95_ms > pool.slo.ttft_ms ? "bad" : "";
}

/** The SLO in words: `first token within 1,000 ms, then 75 ms per token, for 99 %`. @param {Pool} pool */
export function sloText(pool) {
  const {ttft_ms: first, itl_ms: next, tokens_per_second: rate, percent} = pool.slo ?? {};
  const parts = [
    first ? `first token within ${millis(first)}` : "",
    next ? `${millis(next)} per further token` : "",
    rate ? `at least ${count(rate)} tokens/s` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "none" : `${parts.join(", ")}, for ${count(percent)} % of requests`;
}

/** What a replica does that is not ready: `1 starting, 1 waiting`. @param {any} status */
export function othersText(status) {
  return ["starting", "waiting", "draining"].filter(state => status[state] > 0)
    .map(state => `${count(status[state])} ${state}`).join(", ");
}
