/** Reads a report that `bin/lab compare` or `bin/lab what-if --json` wrote. Nothing leaves the browser. */
import {COMPARISON} from "../../lib/figures.js";

/** @typedef {{mean: number, low: number | null, high: number | null}} Mean */
/** @typedef {{name: string, seeds: number, figures: Record<string, Mean>, tenants: Record<string, Record<string, number>>}} Variant */
/** @typedef {{name: string, variants: Variant[]}} Workload */
/** @typedef {{kind: "comparison", workloads: Workload[]} | {kind: "what-if", result: any}} Report */

const LARGEST = 64 * 1024 * 1024;

/** Why a file cannot be shown, and what to do. */
export class BadReport extends Error {
  /** @param {string} message @param {string} hint */
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

/** @param {File} file @returns {Promise<Report>} */
export async function readReport(file) {
  if (file.size > LARGEST) {
    throw new BadReport(`${file.name} has ${Math.round(file.size / 1024 / 1024)} MB.`, "A report has a few MB at most. Choose results.json.");
  }
  return parse(await text(file), file.name);
}

/** @param {File} file @returns {Promise<string>} */
function text(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new BadReport(`${file.name} cannot be read.`, "Check that the file still exists and that you may read it."));
    reader.readAsText(file);
  });
}

/** @param {string} content @param {string} name of the file @returns {Report} */
export function parse(content, name) {
  let json;
  try {
    json = JSON.parse(content);
  } catch (failed) {
    const other = /\.(html|csv|png)$/i.test(name);
    throw new BadReport(`${name} is not JSON${other ? "" : `: ${failed.message}`}.`,
      other ? "Choose results.json from the same directory." : "Choose the file results.json that bin/lab compare wrote; it may have been cut off.");
  }
  if (isObject(json) && isObject(json.recorded) && isObject(json.what_if)) return {kind: "what-if", result: checkedWhatIf(json)};
  if (!isObject(json) || !Array.isArray(json.runs) || !Array.isArray(json.summary)) {
    throw new BadReport(`${name} has no lists “runs” and “summary”, so that it is not a comparison.`,
      "Choose results.json of bin/lab compare, or the file that bin/lab what-if --json wrote.");
  }
  if (json.summary.length === 0) throw new BadReport(`${name} compares no policy.`, "Run bin/lab compare again: no run had ended.");
  return {kind: "comparison", workloads: workloads(json)};
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function checkedWhatIf(json) {
  for (const side of ["recorded", "what_if"]) {
    if (!isObject(json[side].all) || !isObject(json[side].tenants) || typeof json[side].jain !== "number") {
      throw new BadReport(`“${side}” has no figures.`, "The file may come from another release. Run bin/lab what-if --json again.");
    }
  }
  return json;
}

/** @returns {Workload[]} */
function workloads(json) {
  const byName = new Map();
  json.summary.forEach((one, i) => {
    if (!isObject(one) || typeof one.policy !== "string" || !isObject(one.metrics)) {
      throw new BadReport(`Entry ${i + 1} of “summary” has no policy or no metrics.`, "The file may come from another release. Run bin/lab compare again.");
    }
    const name = String(one.workload ?? "");
    const runs = json.runs.filter(run => isObject(run) && run.workload === one.workload && run.policy === one.policy && run.placer === one.placer);
    byName.set(name, [...(byName.get(name) ?? []), {
      name: one.placer ? `${one.policy}+${one.placer}` : one.policy,
      seeds: runs.length,
      figures: means(one.metrics),
      tenants: tenantMeans(runs),
    }]);
  });
  return [...byName].map(([name, variants]) => ({name, variants}));
}

function means(metrics) {
  const out = {};
  for (const key of Object.keys(COMPARISON)) {
    const found = metrics[key];
    if (isObject(found) && Number.isFinite(found.mean)) {
      const known = Number.isFinite(found.low) && Number.isFinite(found.high) && found.low !== found.high;
      out[key] = {mean: found.mean, low: known ? found.low : null, high: known ? found.high : null};
    }
  }
  return out;
}

/** The mean of each figure of each tenant over the seeds. */
function tenantMeans(runs) {
  const sums = {};
  for (const run of runs) {
    for (const [tenant, figures] of Object.entries(isObject(run.tenants) ? run.tenants : {})) {
      const sum = (sums[tenant] ??= {});
      for (const [key, value] of Object.entries(isObject(figures) ? figures : {})) {
        if (Number.isFinite(value)) (sum[key] ??= []).push(value);
      }
    }
  }
  return Object.fromEntries(Object.entries(sums).map(([tenant, sum]) => [
    tenant, Object.fromEntries(Object.entries(sum).map(([key, values]) => [key, values.reduce((a, b) => a + b, 0) / values.length])),
  ]));
}

/**
 * The variant that is best in a figure, if its interval touches that of no other one; null otherwise.
 *
 * @param {Variant[]} variants @param {string} key
 */
export function clearlyBest(variants, key) {
  const {better} = COMPARISON[key];
  const known = variants.filter(one => one.figures[key]);
  if (!better || known.length < 2) return null;
  const sign = better === "less" ? 1 : -1;
  const sorted = [...known].sort((a, b) => sign * (a.figures[key].mean - b.figures[key].mean));
  const [best, second] = sorted.map(one => one.figures[key]);
  const [edge, other] = sign > 0 ? [best.high ?? best.mean, second.low ?? second.mean] : [second.high ?? second.mean, best.low ?? best.mean];
  return edge < other ? sorted[0] : null;
}
