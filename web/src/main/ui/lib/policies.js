/** What the names of policies mean. */

const ORDERS = {
  priority: "priority that grows with waiting",
  fifo: "first come, first served",
  sjf: "shortest time limit first",
  spf: "shortest predicted run time first",
  fair: "tenants in turn, by weight",
  srtf: "least remaining time first; preempts running jobs",
  las: "least attained service first; preempts running jobs",
  f1: "F1 from the literature: mostly the smallest job first",
  wfp3: "WFP3 from the literature: no job waits long in relation to its time limit",
  unicep: "UNICEP from the literature: narrow and short jobs soon",
  index: "many GPUs and a short time limit first",
  random: "any order; only for comparison",
  learned: "an order that was trained on past jobs",
  "learned-mixed": "a learned order in which priority is one of several inputs",
};

const RULES = {
  strict: "no job may pass another",
  skip: "every job that fits may pass",
  conservative: "jobs near the front have reservations, and no job that passes may delay them",
};

/** The order of a policy and its rule for passing. @param {string} name */
export function baseOf(name) {
  const rule = Object.keys(RULES).find(one => name.endsWith(`-${one}`)) ?? "";
  return {base: rule ? name.slice(0, -rule.length - 1) : name, rule};
}

/** A policy in words; empty if the page does not know it. @param {string} name */
export function describe(name) {
  const {base, rule} = baseOf(name);
  const order = ORDERS[base];
  if (!order) return "";
  return rule ? `${order}; ${RULES[rule]}` : order;
}

/** Policies by their order, for a select. @param {string[]} names @returns {[string, string[]][]} */
export function grouped(names) {
  const groups = new Map();
  for (const name of names) {
    const {base} = baseOf(name);
    groups.set(base, [...(groups.get(base) ?? []), name]);
  }
  return [...groups];
}
