/** Why a pool has this size: the steps of the last decision, what prevents more, and the changes before it. */
import {html} from "lit";
import {clock, count} from "../../lib/format.js";
import {cli, curl} from "../../lib/commands.js";
import {pathOf} from "../../lib/pools.js";
import {jobLink} from "../../parts/chips.js";
import "../../parts/command-menu.js";

/** @param {any} pool @param {any} why the answer of `explain`; null if there is none */
export function decisions(pool, why) {
  return html`<header><h2>Why ${count((why ?? pool.status).desired)}</h2><span class="spring"></span>
      <gs-commands label="Copy the explanation as command" .cli=${cli("pool", "explain", pool.name)}
        .curl=${curl("GET", `${pathOf(pool.name)}/explain`)}></gs-commands></header>
    ${why ? explained(why) : html`<p><bdi>${pool.status.reason || "The scheduler has not decided yet."}</bdi></p>`}`;
}

function explained(why) {
  return html`<p class="why-summary"><bdi>${sentence(why.reason) || "The scheduler has not decided yet."}</bdi></p>
    ${why.steps?.some(step => step !== why.reason) ? html`<h3>How the scheduler got there</h3>
      <ol class="pl-steps">${why.steps.map(step => html`<li><bdi>${step}</bdi></li>`)}</ol>` : ""}
    ${why.trouble ? html`<p class="pl-bad"><bdi>${sentence(why.trouble)}</bdi></p>` : ""}
    ${why.why_not_more && why.why_not_more !== why.reason ? html`<h3>Why not more</h3><p><bdi>${sentence(why.why_not_more)}</bdi></p>` : ""}
    ${why.capacity ? html`<p><bdi>${sentence(why.capacity)}</bdi></p>` : ""}
    ${waiting(why.waiting ?? [])}
    ${recent(why.recent ?? [])}`;
}

function sentence(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

function waiting(jobs) {
  if (jobs.length === 0) return "";
  return html`<h3>Replicas that wait</h3><ul class="plain pl-waiting">${jobs.map(job => html`<li>${jobLink(job.job_id)}
    <bdi class="muted">${job.reason || job.summary || "waits for its turn"}</bdi></li>`)}</ul>`;
}

function recent(changes) {
  return html`<h3>Latest changes</h3>
    ${changes.length === 0 ? html`<p class="muted">The size has not changed yet.</p>` : html`
    <div class="scroll-x pl-recent" tabindex="0" role="region" aria-label="Latest changes, scrollable"><table class="plain">
      <thead><tr><th>When</th><th>Size</th><th>Why</th></tr></thead>
      <tbody>${changes.map(one => html`<tr><td class="tn-nowrap">${clock(one.at)}</td>
        <td class="tn-nowrap">${count(one.from)} → <strong>${count(one.to)}</strong></td>
        <td><strong><bdi>${one.rule}</bdi></strong> <bdi class="muted">${one.reason}</bdi></td></tr>`)}</tbody></table></div>`}`;
}
