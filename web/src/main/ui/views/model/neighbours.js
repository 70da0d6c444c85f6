/** How much jobs that share a GPU slow each other down, as a matrix. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {styled} from "../../lib/styled.js";
import {setQuery} from "../../lib/router.js";
import {plural} from "../../lib/format.js";

const MOST = 12;

/** @param {any} model @param {URLSearchParams} query */
export function neighbours(model, query) {
  const all = model.interference;
  if (all.length === 0) {
    return html`<section class="card">${empty("No jobs have shared a GPU yet", html`Jobs that ask for a part of a GPU, such as
      <code>gpu-cli submit --gpus 0.5</code>, run beside others. The model then learns what each neighbour costs.`)}</section>`;
  }
  const gpus = [...new Set(all.map(one => one.gpu_type))].sort();
  const gpu = gpus.includes(query.get("gpu") ?? "") ? query.get("gpu") ?? "" : gpus[0];
  const shown = all.filter(one => one.gpu_type === gpu);
  const kinds = common(shown, "job_type");
  const others = common(shown, "neighbour");
  const cells = new Map(shown.map(one => [JSON.stringify([one.job_type, one.neighbour]), one]));
  return html`<section class="card">
    <header><h2>Run time beside a neighbour, as a multiple of the run time alone</h2><span class="spring"></span>
      <select aria-label="GPU model" @change=${event => setQuery({gpu: event.target.value})}>
        ${gpus.map(one => html`<option value=${one} ?selected=${one === gpu}>${one || "all GPU models"}</option>`)}</select></header>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Slowdown by neighbours, scrollable"><table class="plain md-matrix">
      <thead><tr><th>Kind of job</th>${others.map(other => html`<th scope="col" title=${other}><bdi>${other || "any neighbour"}</bdi></th>`)}</tr></thead>
      <tbody>${kinds.map(kind => html`<tr><th scope="row" title=${kind}><bdi>${kind || "any kind"}</bdi></th>
        ${others.map(other => cell(cells.get(JSON.stringify([kind, other]))))}</tr>`)}</tbody></table></div>
    <p class="muted">The stronger the colour, the more a run is slowed down; the paler, the less certain. Each direction is learned separately.
      ${kinds.length === MOST || others.length === MOST ? `The ${MOST} kinds with most runs are shown.` : ""}</p>
  </section>`;
}

/** The names with most runs. */
function common(all, key) {
  const runs = new Map();
  for (const one of all) runs.set(one[key], (runs.get(one[key]) ?? 0) + one.samples);
  return [...runs].sort((a, b) => b[1] - a[1]).slice(0, MOST).map(([name]) => name).sort();
}

function cell(one) {
  if (!one) return html`<td class="muted">–</td>`;
  const slowed = Math.min(1, Math.max(0, one.factor - 1));
  const certain = 1 / (1 + 4 * one.uncertainty);
  const strength = Math.round((0.08 + 0.5 * slowed) * certain * 100);
  return html`<td class="md-cell" ${styled({"--strength": `${strength}%`})}>
    <strong>×${one.factor.toFixed(2)}</strong>
    <span>± ${Math.round(one.uncertainty * 100)} %, ${plural(one.samples, "run")}</span></td>`;
}
