/** The figures by which policies are compared, as the server and the lab name them, and how to write them. */
import {count, duration, percent, NONE} from "./format.js";
import {energy, money} from "./tenants.js";

/** @typedef {{title: string, unit: "s" | "1" | "" | "h" | "kWh" | "$" | "g", better: "less" | "more" | ""}} Figure */

/** Figures of a what-if and of the shadow. @type {Record<string, Figure>} */
export const REPLAY = {
  wait_mean_seconds: {title: "wait, mean", unit: "s", better: "less"},
  wait_median_seconds: {title: "wait, median", unit: "s", better: "less"},
  wait_p90_seconds: {title: "wait, 90th percentile", unit: "s", better: "less"},
  completion_mean_seconds: {title: "completion, mean", unit: "s", better: "less"},
  evictions: {title: "evictions", unit: "", better: "less"},
  gpu_hours: {title: "GPU-hours held", unit: "h", better: ""},
  wasted_gpu_hours: {title: "GPU-hours of lost work", unit: "h", better: "less"},
  cost_dollars: {title: "cost", unit: "$", better: "less"},
  energy_kwh: {title: "energy", unit: "kWh", better: "less"},
  served: {title: "GPU time served of that wanted", unit: "1", better: "more"},
};

/** Figures of a comparison by the lab. @type {Record<string, Figure>} */
export const COMPARISON = {
  jobs: {title: "jobs", unit: "", better: ""},
  completed: {title: "completed", unit: "", better: "more"},
  failed: {title: "failed by themselves", unit: "", better: ""},
  unfinished: {title: "unfinished", unit: "", better: "less"},
  refused: {title: "refused", unit: "", better: ""},
  wait_mean_s: {title: "wait, mean", unit: "s", better: "less"},
  wait_median_s: {title: "wait, median", unit: "s", better: "less"},
  wait_p90_s: {title: "wait, p90", unit: "s", better: "less"},
  wait_p99_s: {title: "wait, p99", unit: "s", better: "less"},
  completion_mean_s: {title: "completion, mean", unit: "s", better: "less"},
  completion_median_s: {title: "completion, median", unit: "s", better: "less"},
  completion_p90_s: {title: "completion, p90", unit: "s", better: "less"},
  completion_p99_s: {title: "completion, p99", unit: "s", better: "less"},
  bounded_slowdown_mean: {title: "bounded slowdown, mean", unit: "", better: "less"},
  bounded_slowdown_median: {title: "bounded slowdown, median", unit: "", better: "less"},
  bounded_slowdown_p90: {title: "bounded slowdown, p90", unit: "", better: "less"},
  bounded_slowdown_p99: {title: "bounded slowdown, p99", unit: "", better: "less"},
  makespan_s: {title: "makespan", unit: "s", better: "less"},
  gpu_utilisation: {title: "GPU utilisation", unit: "1", better: "more"},
  gpu_allocation: {title: "GPU allocation", unit: "1", better: "more"},
  fragmentation: {title: "fragmentation", unit: "1", better: "less"},
  jain_fairness: {title: "Jain fairness", unit: "1", better: "more"},
  finish_time_fairness_mean: {title: "finish-time fairness ρ, mean", unit: "", better: "less"},
  finish_time_fairness_p99: {title: "finish-time fairness ρ, p99", unit: "", better: "less"},
  unfairly_treated: {title: "jobs with ρ over 1", unit: "1", better: "less"},
  waiting_at_quota: {title: "waiting time at a quota", unit: "1", better: ""},
  preemptions: {title: "preemptions", unit: "", better: "less"},
  losses: {title: "runs lost with a node", unit: "", better: ""},
  gpu_hours: {title: "GPU-hours held", unit: "h", better: ""},
  lost_gpu_hours: {title: "GPU-hours of lost work", unit: "h", better: "less"},
  energy_kwh: {title: "energy", unit: "kWh", better: "less"},
  energy_if_idle_nodes_sleep_kwh: {title: "energy, idle nodes asleep", unit: "kWh", better: "less"},
  cost_dollars: {title: "cost", unit: "$", better: "less"},
  carbon_gco2e: {title: "carbon", unit: "g", better: "less"},
};

/** @param {number | null | undefined} value @param {Figure} figure */
export function figureText(value, figure) {
  if (value === null || value === undefined || Number.isNaN(value)) return NONE;
  switch (figure.unit) {
    case "s": return Math.abs(value) < 10 && value !== 0 ? `${value.toFixed(1)} s` : duration(value);
    case "1": return percent(value, 1);
    case "h": return count(value);
    case "kWh": return energy(value);
    case "$": return money(value);
    case "g": return `${count(value / 1000)} kg`;
    default: return Math.abs(value) < 10 && value % 1 !== 0 ? value.toFixed(2) : count(value);
  }
}

/** Whether going from one value to another is an improvement. @param {number} from @param {number} to @param {Figure} figure */
export function toneOf(from, to, figure) {
  const change = to - from;
  const small = Math.abs(change) <= 0.01 * Math.max(Math.abs(from), Math.abs(to));
  if (small || !figure.better) return "quiet";
  return change < 0 === (figure.better === "less") ? "good" : "bad";
}

/** `−12 %`, or nothing if it cannot be said. @param {number} from @param {number} to */
export function changeText(from, to) {
  if (!from || from === to) return "";
  const part = ((to - from) / from) * 100;
  if (Math.abs(part) < 0.5) return "±0 %";
  return `${part > 0 ? "+" : "−"}${Math.abs(part) < 1000 ? Math.round(Math.abs(part)) : ">999"} %`;
}
