/** The conditions that the scheduler watches, in words. The thresholds are settings of the scheduler. */

/** @typedef {{title: string, when: string, section: string, unit?: "s" | "1" | ""}} Condition `unit` of the value; absent if the value says nothing */

/** @type {Record<string, Condition>} */
export const CONDITIONS = {
  PendingTooLong: {title: "Pending too long", when: "a job waits longer than a limit", section: "pending_too_long", unit: "s"},
  Starvation: {title: "Starvation", when: "a job waits many times longer than 9 of 10 jobs that started recently", section: "starvation", unit: "s"},
  PreemptionRate: {title: "Preemption rate", when: "too many of the last hour's runs were preempted", section: "preemption_rate", unit: "1"},
  Fragmentation: {title: "Fragmentation", when: "GPUs are free but too scattered for every waiting job", section: "fragmentation", unit: "1"},
  NodeLost: {title: "Node lost", when: "a node no longer answers", section: "node_lost"},
  BlackHoleNode: {title: "Black-hole node", when: "a node refuses one job after the other", section: "black_hole_node", unit: ""},
  HotGpus: {title: "Hot GPUs", when: "GPUs of a node are hotter than the threshold", section: "hot_gpus", unit: ""},
  JournalLag: {title: "Journal lag", when: "it takes long to make decisions durable", section: "journal_lag", unit: "s"},
  ExplorationRatio: {title: "Exploration ratio", when: "more decisions are made to learn than the cap allows", section: "exploration_ratio", unit: "1"},
  LowCertainty: {title: "Low certainty", when: "the learned run times are uncertain", section: "low_certainty", unit: "1"},
  ForecastCoverage: {title: "Forecast coverage", when: "too few jobs start within their estimated range", section: "forecast_coverage", unit: "1"},
};

/** @param {string} name of an alert */
export function titleOf(name) {
  return CONDITIONS[name]?.title ?? name;
}
