/** The conditions that the scheduler watches, in words. The thresholds are settings of the scheduler. */

import {count, duration, percent} from "../../lib/format.js";

/**
 * `unit` of the value; absent if the value says nothing. `threshold` shows a configured threshold that has another unit.
 * @typedef {{title: string, when: string, unit?: "s" | "1" | "", threshold?: (value: number) => string}} Condition
 */

/** @type {Record<string, Condition>} */
export const CONDITIONS = {
  PendingTooLong: {title: "Pending too long", when: "a job waits longer than a limit", unit: "s"},
  Starvation: {title: "Starvation", when: "a job waits many times longer than 9 of 10 jobs that started recently", unit: "s", threshold: value => `${count(value)} times`},
  PreemptionRate: {title: "Preemption rate", when: "too many of the last hour's runs were preempted", unit: "1"},
  Fragmentation: {title: "Fragmentation", when: "GPUs are free but too scattered for every waiting job", unit: "1"},
  NodeLost: {title: "Node lost", when: "a node no longer answers"},
  BlackHoleNode: {title: "Black-hole node", when: "a node refuses one job after the other", unit: ""},
  HotGpus: {title: "Hot GPUs", when: "GPUs of a node are hotter than the threshold", unit: ""},
  JournalLag: {title: "Journal lag", when: "it takes long to make decisions durable", unit: "s"},
  ExplorationRatio: {title: "Exploration ratio", when: "more decisions are made to learn than the cap allows", unit: "1", threshold: value => `cap + ${percent(value, 1)}`},
  LowCertainty: {title: "Low certainty", when: "the learned run times are uncertain", unit: "1"},
  ForecastCoverage: {title: "Forecast coverage", when: "too few jobs start within their estimated range", unit: "1"},
  PoolSloAtRisk: {title: "Pool SLO at risk", when: "too few requests of a pool meet its objectives", unit: "1"},
  PoolWaiting: {title: "Pool waiting", when: "replicas of a pool find no GPUs", unit: "s"},
  PoolLoadStale: {title: "Pool load stale", when: "nobody reports the load of a pool that serves", unit: "s"},
  PoolCrashLoop: {title: "Pool crash loop", when: "replicas of a pool end by themselves", unit: ""},
  PoolCostLimit: {title: "Pool cost limit", when: "a pool costs as much as it may", unit: ""},
  DeadlineAtRisk: {title: "Deadline at risk", when: "jobs may miss their deadline", unit: "s"},
};

/** @param {string} name of an alert */
export function titleOf(name) {
  return CONDITIONS[name]?.title ?? name;
}

/** A value of an alert with its unit; empty if it says nothing. @param {string} name of the alert @param {number | null} value */
export function valueOf(name, value) {
  const unit = CONDITIONS[name] ? CONDITIONS[name].unit : "";
  if (unit === undefined || value === null) return "";
  if (unit === "1") return percent(value, 1);
  if (unit !== "s") return count(value);
  return value < 1 ? `${count(value * 1000)} ms` : duration(value);
}

/** A configured threshold with its unit. @param {string} name of the alert @param {number | null} value */
export function thresholdOf(name, value) {
  if (value === null) return "";
  return CONDITIONS[name]?.threshold?.(value) ?? valueOf(name, value);
}
