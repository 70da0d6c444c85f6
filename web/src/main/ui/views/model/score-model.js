/** The model behind POST /v1/score: what other programs told the scheduler about run times. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {ago, count, duration} from "../../lib/format.js";

const MOST = 200;

/** @param {any} model */
export function scoreModel(model) {
  if (model.pairs.length + model.slowdowns.length === 0) {
    return html`<section class="card">${empty("No runs were reported to /v1/observe", html`Programs that ask <code>/v1/score</code> where to
      run a job tell <code>/v1/observe</code> how long it took. What the scheduler learns from that is shown here.`)}</section>`;
  }
  return html`<div class="grid">
    <section class="card w8"><header><h2>Run times</h2><span class="muted">keeps ${count(model.retention)} pairs</span></header><div class="scroll-x" tabindex="0" role="region" aria-label="Run times, scrollable"><table class="plain">
      <thead><tr><th>Kind of job</th><th>GPU model</th><th class="right">Run time</th><th class="right">Standard error</th><th class="right">Alone</th><th class="right">Beside others</th><th class="right">Last change</th></tr></thead>
      <tbody>${model.pairs.slice(0, MOST).map(one => html`<tr><td><bdi>${one.job_type}</bdi></td><td>${one.gpu_type}</td>
        <td class="right">${duration(one.estimate_s)}</td><td class="right">${duration(one.uncertainty_s)}</td>
        <td class="right">${samples(one.alone)}</td><td class="right">${samples(one.together)}</td>
        <td class="right">${ago(one.last_change)}</td></tr>`)}</tbody></table></div></section>
    <section class="card w4"><header><h2>Slowdowns</h2></header>${model.slowdowns.length === 0 ? html`<p class="muted">None yet.</p>` : html`<table class="plain">
      <thead><tr><th>Kind of job</th><th>Beside</th><th class="right">Slower by</th><th class="right">Runs</th></tr></thead>
      <tbody>${model.slowdowns.slice(0, MOST).map(one => html`<tr><td><bdi>${one.job_type}</bdi></td><td><bdi>${one.neighbour}</bdi></td>
        <td class="right">${Math.round(one.slowdown * 100)} %</td><td class="right">${count(one.samples)}</td></tr>`)}</tbody></table>`}</section>
  </div>`;
}

function samples(times) {
  return times ? `${duration(times.mean)} (${count(times.samples)})` : "–";
}
