/** Two ways to schedule the same jobs side by side, per tenant and overall: a drawing of one figure, a table of all. */
import {html, svg} from "lit";
import {route, setQuery} from "../lib/router.js";
import {REPLAY, changeText, figureText, toneOf} from "../lib/figures.js";
import {count} from "../lib/format.js";
import {tenantChip} from "./chips.js";

/** @typedef {{jain: number, all: any, tenants: Record<string, any>}} Side */

const TABLE = ["wait_mean_seconds", "wait_p90_seconds", "completion_mean_seconds", "evictions", "gpu_hours", "cost_dollars", "energy_kwh"];

/** @param {Side} before @param {Side} after @param {{before: string, after: string}} names of the two */
export function sides(before, after, names) {
  const wanted = route().query.get("figure") ?? "";
  const key = wanted in REPLAY ? wanted : "wait_mean_seconds";
  const groups = [["", before.all, after.all], ...Object.keys(before.tenants).sort().map(name => [name, before.tenants[name], after.tenants[name] ?? null])];
  return html`<div class="sd-head"><label>Figure <select @change=${event => setQuery({figure: event.target.value})}>
      ${Object.entries(REPLAY).map(([name, figure]) => html`<option value=${name} ?selected=${name === key}>${figure.title}</option>`)}</select></label>
      <span class="sd-key"><i class="from"></i><bdi>${names.before}</bdi> <i class="to"></i><bdi>${names.after}</bdi></span></div>
    <table class="plain sd-drawn"><thead class="visually-hidden"><tr><th>Tenant</th><th>Drawing</th><th>From and to</th><th>Change</th></tr></thead>
      <tbody>${groups.map(([name, from, to]) => drawnRow(name, from, to, key, groups))}</tbody></table>
    <div class="scroll-x" tabindex="0" role="region" aria-label="All figures, scrollable">${table(groups)}</div>
    <p class="muted">Fairness between tenants (Jain's index, 1 is best): ${before.jain.toFixed(3)} → ${after.jain.toFixed(3)}.</p>`;
}

function label(name) {
  return name ? tenantChip(name) : html`<strong>All tenants</strong>`;
}

function drawnRow(name, from, to, key, groups) {
  const figure = REPLAY[key];
  const most = Math.max(1e-9, ...groups.flatMap(([, a, b]) => [a?.[key] ?? 0, b?.[key] ?? 0]));
  const [left, right] = [from[key], to?.[key] ?? 0];
  const x = value => 4 + (value / most) * 192;
  const tone = toneOf(left, right, figure);
  const words = `${figureText(left, figure)} → ${figureText(right, figure)}`;
  return html`<tr><th scope="row">${label(name)}</th>
    <td class="sd-line"><svg viewBox="0 0 200 16" preserveAspectRatio="none" class=${tone} role="img" aria-label=${words}>
      ${svg`<line class="base" x1="4" x2="196" y1="8" y2="8"></line>
      <line class="move" x1=${x(left)} x2=${x(right)} y1="8" y2="8"></line>
      <line class="from" x1=${x(left)} x2=${x(left)} y1="3" y2="13"></line>
      <line class="to" x1=${x(right)} x2=${x(right)} y1="1" y2="15"></line>`}</svg></td>
    <td class="right sd-words">${words}</td><td class="right sd-change ${tone}">${changeText(left, right) || "–"}</td></tr>`;
}

function table(groups) {
  return html`<table class="plain sd-table"><thead><tr><th>Tenant</th><th class="right">Jobs</th>
      ${TABLE.map(key => html`<th class="right">${REPLAY[key].title}</th>`)}</tr></thead>
    <tbody>${groups.map(([name, from, to]) => html`<tr><th scope="row">${label(name)}</th><td class="right">${count(from.jobs)}</td>
      ${TABLE.map(key => pair(from[key], to?.[key] ?? 0, REPLAY[key]))}</tr>`)}</tbody></table>`;
}

function pair(from, to, figure) {
  const tone = toneOf(from, to, figure);
  return html`<td class="right sd-pair">${figureText(from, figure)}<br><span class="sd-change ${tone}">→ ${figureText(to, figure)}</span></td>`;
}
