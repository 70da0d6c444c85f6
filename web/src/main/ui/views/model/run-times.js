/** Learned run times: one row per kind of job and GPU model, the estimate with its uncertainty on a log scale. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {setQuery} from "../../lib/router.js";
import {ago, clock, count, duration} from "../../lib/format.js";
import {intervalBar, place, scaleOf} from "../../parts/interval.js";
import {styled} from "../../lib/styled.js";
import "../../parts/table.js";

const ORDERS = {
  kind: {title: "kind", compare: (a, b) => a.job_type.localeCompare(b.job_type) || a.gpu_type.localeCompare(b.gpu_type)},
  time: {title: "run time", compare: (a, b) => b.estimate_s - a.estimate_s},
  unsure: {title: "least certain", compare: (a, b) => unsure(b) - unsure(a)},
  runs: {title: "most runs", compare: (a, b) => b.samples - a.samples},
  changed: {title: "last change", compare: (a, b) => Date.parse(b.last_change) - Date.parse(a.last_change)},
  drifts: {title: "drifts", compare: (a, b) => b.drifts - a.drifts},
};
const TICKS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 10_800, 36_000, 86_400, 259_200, 864_000];
/** The least distance of two labels of the axis, as a part of its length. */
const APART = innerWidth < 1250 ? 0.34 : 0.13;

/** @param {any} model @param {URLSearchParams} query */
export function runTimes(model, query) {
  const wanted = (query.get("q") ?? "").toLowerCase();
  const gpu = query.get("gpu") ?? "";
  const order = query.get("sort") ?? "kind";
  const gpus = [...new Set(model.run_times.map(one => one.gpu_type))].sort();
  const rows = model.run_times
    .filter(one => (!gpu || one.gpu_type === gpu) && one.job_type.toLowerCase().includes(wanted))
    .sort((ORDERS[order] ?? ORDERS.kind).compare);
  return html`<section class="card flush">
    <header><h2>How long jobs run</h2><span class="spring"></span>
      <input type="search" aria-label="Filter by kind" placeholder="Kind of job" .value=${query.get("q") ?? ""} @input=${event => setQuery({q: event.target.value})}>
      <select aria-label="GPU model" @change=${event => setQuery({gpu: event.target.value})}><option value="">all GPU models</option>
        ${gpus.map(one => html`<option ?selected=${one === gpu}>${one}</option>`)}</select>
      <select aria-label="Order" @change=${event => setQuery({sort: event.target.value})}>
        ${Object.entries(ORDERS).map(([key, one]) => html`<option value=${key} ?selected=${key === order}>by ${one.title}</option>`)}</select>
    </header>
    ${rows.length === 0 ? empty("No run time matches", html`<button class="button" @click=${() => setQuery({q: "", gpu: ""})}>Show all</button>`) : table(rows)}
    <p class="muted md-note">The mark is the typical run time, the bar its uncertainty: one standard error to either side, on a logarithmic scale.</p>
  </section>`;
}

function unsure(one) {
  return one.uncertainty_s / one.estimate_s;
}

/** The uncertainty is a factor: on a log scale it reaches equally far to both sides. */
function interval(one) {
  const factor = 1 + unsure(one);
  return {low: one.estimate_s / factor, mid: one.estimate_s, high: one.estimate_s * factor};
}

function table(rows) {
  const scale = scaleOf(rows.map(interval), true);
  const ticks = [];
  for (const tick of TICKS) {
    const at = place(tick, scale);
    const before = ticks.length ? place(ticks[ticks.length - 1], scale) : -1;
    if (tick > scale.from && at > 0.06 && at < 0.97 && at - before >= APART) ticks.push(tick);
  }
  const columns = [
    {name: "Kind of job", narrow: true, width: "minmax(0, 1.2fr)", cell: one => html`<bdi title=${one.job_type}>${one.job_type}</bdi>`},
    {name: "GPU model", width: "minmax(84px, 1fr)", narrow: true, cell: one => one.gpu_type},
    {name: axis(ticks, scale), width: "minmax(0, 2.6fr)", cell: one => intervalBar(words(one), interval(one), scale, {ticks})},
    {name: "Run time", width: "72px", align: "right", narrow: true, cell: one => duration(one.estimate_s)},
    {name: "±", width: "48px", align: "right", narrow: true, cell: one => html`<span title=${duration(one.uncertainty_s)}>${Math.round(unsure(one) * 100)} %</span>`},
    {name: "Runs", width: "60px", align: "right", cell: one => count(one.samples)},
    {name: "Drifts", width: "60px", align: "right", cell: one => (one.drifts ? html`<span title="last at ${clock(one.last_drift)}">${count(one.drifts)}</span>` : "–")},
    {name: "Last change", width: "110px", align: "right", cell: one => html`<span title=${clock(one.last_change)}>${ago(one.last_change)}</span>`},
  ];
  return html`<gs-table class="md-table" label="Learned run times" .columns=${columns} .rows=${rows}></gs-table>`;
}

function words(one) {
  const {low, high} = interval(one);
  return `${duration(one.estimate_s)}, between ${duration(low)} and ${duration(high)}`;
}

function axis(ticks, scale) {
  return html`<span class="md-axis">${ticks.map(tick => html`<span ${styled({left: `${place(tick, scale) * 100}%`})}>${short(tick)}</span>`)}</span>`;
}

function short(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${seconds / 60} min`;
  return seconds < 86_400 ? `${seconds / 3600} h` : `${seconds / 86_400} d`;
}
