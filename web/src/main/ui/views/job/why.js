/** Why a job waits, in full: position, reasons, who holds what, and which changes would start it. */
import {html} from "lit";
import {link} from "../../lib/router.js";
import {clock, count, duration, plural} from "../../lib/format.js";
import {session} from "../../lib/session.js";
import {cli, curl} from "../../lib/commands.js";
import {meter} from "../../parts/meter.js";
import {jobLink, tenantChip} from "../../parts/chips.js";
import {scaleOf, startBand} from "../../parts/start-band.js";
import {askPriority} from "./actions.js";
import "../../parts/command-menu.js";

/** @param {any} job @param {any} why the answer of `explain` @param {() => void} done reads the job again */
export function jobWhy(job, why, done) {
  return html`<header><h2>Why it waits</h2><span class="spring"></span>
      <gs-commands label="Copy the explanation as command" .cli=${cli("explain", job.id)}
        .curl=${curl("GET", `jobs/${job.id}/explain`)}></gs-commands></header>
    <p class="why-summary"><bdi>${sentence(why.reason || why.summary)}</bdi></p>
    ${figures(job, why)}
    ${changes(job, why, done)}
    ${reasons(why)}
    ${holders(why)}`;
}

function sentence(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "It waits for its turn.";
}

function figures(job, why) {
  const [seconds, name] = scaleOf([job.estimated_start]);
  return html`<dl class="facts why-figures">
    <dt>Position</dt><dd>${why.position === null ? "none: it is held" : html`${count(why.position)}
      <span class="muted">${why.ahead === 0 ? "next" : `behind ${plural(why.ahead, "job")}`}${why.ordered_by
        ? html`; model <bdi>${why.ordered_by}</bdi> decides which of the first jobs goes next` : ""}</span>`}</dd>
    <dt>Expected start</dt><dd>${job.estimated_start
      ? html`<span class="why-band">${startBand(job.estimated_start, seconds, true)}<span class="muted">from now to ${name}</span></span>`
      : html`<span class="muted">no estimate yet</span>`}</dd>
    ${why.reserved_from ? html`<dt>Reserved</dt><dd>from ${clock(why.reserved_from)} at the latest
      ${why.reserved_if ? html`<span class="muted">if ${why.reserved_if}</span>` : ""}</dd>` : ""}
  </dl>`;
}

function changes(job, why, done) {
  if (why.changes.length === 0) return "";
  return html`<h3>What would start it now</h3>
    <ul class="plain why-changes">${why.changes.map(one => html`<li>
      <span><bdi>${sentence(one.change)}</bdi> <span class="muted">on <bdi>${one.place}</bdi>${victims(one)}</span></span>
      ${changeButton(job, one, done)}</li>`)}</ul>`;
}

/** @param {{stops: number, stops_jobs: string[]}} one */
export function victims(one) {
  if (!one.stops) return "";
  const unnamed = one.stops - one.stops_jobs.length;
  return html`, preempting ${one.stops_jobs.map((id, i) => html`${i > 0 ? ", " : ""}${jobLink(id)}`)}${unnamed > 0
    ? `${one.stops_jobs.length > 0 ? " and " : ""}${plural(unnamed, "job")} of other tenants` : ""}`;
}

/** Prepares the change: in place where the API allows it, else as a new job in the form. */
function changeButton(job, one, done) {
  if (one.field === "priority") {
    return html`<button class="button small" @click=${() => askPriority(job, one.to, done)}>Set priority ${one.to} …</button>`;
  }
  if (one.field === "quota") {
    return session.isAdmin
      ? html`<a class="button small" href=${link(["tenants", job.tenant_id])}>Open the tenant's quota</a>`
      : html`<span class="muted">an administrator can raise it</span>`;
  }
  return html`<a class="button small" href=${link(["submit"], {from: job.id, change: `${one.field}:${one.to}`})}>Prepare this change …</a>`;
}

function reasons(why) {
  if (why.reasons.length === 0) return "";
  return html`<h3>Reasons</h3><div class="scroll-x" tabindex="0" role="group" aria-label="Reasons"><table class="plain why-table"><thead><tr><th>Reason</th><th class="right">Nodes</th><th>Ends when</th></tr></thead>
    <tbody>${why.reasons.map(one => html`<tr><td><bdi>${one.why}</bdi></td>
      <td class="right">${one.nodes > 0 ? count(one.nodes) : html`<span class="muted">–</span>`}</td>
      <td class="muted"><bdi>${one.lifted_by.join("; ")}</bdi></td></tr>`)}</tbody></table></div>`;
}

function holders(why) {
  if (why.holders.length === 0) return "";
  return html`<h3>Who holds what it needs</h3><div class="scroll-x" tabindex="0" role="group" aria-label="Who holds what it needs"><table class="plain why-table"><thead><tr><th>Job</th><th>Tenant</th>
      <th class="right">GPUs</th><th class="right">Priority</th><th>Until</th></tr></thead>
    <tbody>${why.holders.map(one => html`<tr><td>${jobLink(one.job_id)}</td><td>${tenantChip(one.tenant_id)}</td>
      <td class="right">${count(one.gpus)}</td><td class="right">${count(one.priority)}</td>
      <td>${until(one)}${one.promised ? html` <span class="muted">reserved, not yet used</span>` : ""}${one.preemption_allowed
        ? "" : html` <span class="muted">may not be preempted</span>`}</td></tr>`)}</tbody></table></div>`;
}

function until(one) {
  if (!one.expected_end) return html`<span class="muted">not known</span>`;
  const left = (Date.parse(one.expected_end) - Date.now()) / 1000;
  return html`${clock(one.expected_end)} <span class="muted">${left > 0 ? `in ${duration(left)}` : "overdue"}${one.end_is_assumed
    ? ", assumed" : ""}</span>`;
}

/** Why a job is where it is: the terms of its score, the largest cost first. @param {any} why */
export function scoreTerms(why) {
  const terms = [...why.score_terms].sort((a, b) => b.contribution - a.contribution);
  const most = Math.max(0.0001, ...terms.map(term => term.contribution));
  return html`<table class="plain score"><thead><tr><th>Term</th><th>Cost</th><th class="right">Share</th><th class="right">Weight</th></tr></thead>
    <tbody>${terms.map(term => html`<tr><td><bdi>${term.name}</bdi>${term.note ? html` <span class="muted">${term.note}</span>` : ""}</td>
      <td>${meter(`Cost of ${term.name}, share of the total`, term.contribution, most)}</td>
      <td class="right">${term.contribution.toFixed(3)}</td><td class="right">${count(term.weight)}</td></tr>`)}</tbody></table>
    <p class="muted">Score ${count(why.score)} of 100. Each term is a cost from 0 (best) to 1, times its weight.</p>`;
}
