/** One tenant: fair share over time, quota and use, jobs, cost and energy, its place in the order, tokens. */
import {html} from "lit";
import {empty, errorBox} from "../../lib/view.js";
import {ApiError} from "../../lib/api.js";
import {session} from "../../lib/session.js";
import {link} from "../../lib/router.js";
import {tenantColour} from "../../lib/colours.js";
import {ago, between, clock, count, duration, memory, percent, plural} from "../../lib/format.js";
import {rangeButtons} from "../../lib/ranges.js";
import {cli, curl} from "../../lib/commands.js";
import {energy, money} from "../../lib/tenants.js";
import {meter} from "../../parts/meter.js";
import {jobLink, stateChip, tenantChip} from "../../parts/chips.js";
import {shareBar} from "../../parts/share-bar.js";
import {deleteTenant, editTenant} from "./dialogs.js";
import {tokenCard} from "./tokens.js";
import "../../parts/chart.js";
import "../../parts/command-menu.js";

/** @param {any} view */
export function tenantPage(view) {
  const {rows, one} = view.data;
  const row = rows.find(tenant => tenant.id === view.tenantId);
  if (!row || !one) {
    return html`<div class="head"><h1>Tenant</h1></div>
      ${errorBox(new ApiError(404, "There is no such tenant, or your token may not see it."), () => view.refresh())}
      <p><a href=${link(["tenants"])}>All tenants</a></p>`;
  }
  return html`<div class="head"><nav class="crumbs" aria-label="Path"><a href=${link(["tenants"])}>Tenants</a>${row.parent_id ? html` / <a href=${link(["tenants", row.parent_id])}><bdi>${row.parent_id}</bdi></a>` : ""}</nav>
      <h1 class="tn-head"><bdi>${row.name || row.id}</bdi></h1>${tenantChip(row.id)}${row.active ? "" : stateChip("closed")}
      <span class="spring"></span>${rangeButtons(view.range, ["1h", "6h", "24h", "7d", "30d"])}${actions(view, row)}</div>
    <div class="grid">
      ${figures(view, row)}
      <section class="card w8 tall"><header><h2>Share of the cluster</h2></header>${shareChart(row, one.history)}</section>
      <section class="card w4"><header><h2>Place in the order</h2></header>${order(view.data.fairShare, row)}</section>
      <section class="card w6 half"><header><h2>Jobs waiting and running</h2></header>${jobsChart(one.history)}</section>
      <section class="card w6 half"><header><h2>Power of its GPUs</h2></header>${powerChart(row, one.history)}</section>
      <section class="card w6 half"><header><h2>Quota and use</h2></header>${quotas(row)}</section>
      <section class="card w6 half"><header><h2>Rules and totals</h2></header>${facts(row, rows)}</section>
      ${jobs("Running", one.running, row, job => duration(between(job.started_at)))}
      ${jobs("Waiting", one.waiting, row, job => duration(between(job.submitted_at)))}
      ${one.tokens ? tokenCard(row.id, one.tokens, () => view.refresh()) : ""}
    </div>`;
}

function actions(view, row) {
  const path = `tenants/${encodeURIComponent(row.id)}`;
  return html`${session.isAdmin ? html`
      <button class="button" @click=${() => editTenant(row, view.data.rows, () => view.refresh())}>Change quota</button>
      <button class="button" @click=${() => deleteTenant(row)}>Delete</button>` : ""}
    <gs-commands label="Show this tenant by command" .cli=${cli("tenants", row.id)} .curl=${curl("GET", path)}></gs-commands>`;
}

function figures(view, row) {
  const {one} = view.data;
  return html`
    <section class="card figure w3"><span class="label">GPUs in use</span>
      <span class="value">${count(row.current_gpus)} <small>${row.max_gpus === null ? "no limit" : `of ${count(row.max_gpus)}`}</small></span>
      ${row.max_gpus === null ? "" : meter(`GPUs of ${row.id}`, row.current_gpus, row.max_gpus, tenantColour(row.id))}
      <span class="sub">${borrowedText(row)}</span></section>
    <section class="card figure w3"><span class="label">Jobs</span>
      <span class="value">${count(one.running.total)} <small>running,</small> <span class="tn-nowrap">${count(one.waiting.total)} <small>waiting</small></span></span>
      <span class="sub">${count(row.successful_jobs)} completed, ${count(row.failed_jobs)} failed of ${count(row.total_jobs)}</span></section>
    <section class="card figure w3"><span class="label">${row.cost_per_gpu_hour > 0 ? "Cost" : "Use"}, last ${view.range}</span>
      <span class="value">${row.cost_per_gpu_hour > 0 ? money(row.cost) : count(row.hours)} ${row.cost_per_gpu_hour > 0 ? "" : html`<small>GPU-hours</small>`}</span>
      <span class="sub">${row.cost_per_gpu_hour > 0 ? `${count(row.hours)} GPU-hours at ${money(row.cost_per_gpu_hour)}` : "no price is set for this tenant"}</span></section>
    <section class="card figure w3"><span class="label">Energy, last ${view.range}</span>
      <span class="value">${energy(row.kwh)}</span>
      <span class="sub">${row.kwh === null ? "nothing was measured yet" : row.hours ? `${Math.round((row.kwh * 1000) / row.hours)} W per GPU on average` : "of its GPUs"}</span></section>`;
}

function borrowedText(row) {
  if (row.owed > 0) return `${count(row.owed)} of its ${count(row.guaranteed_gpus)} guaranteed GPUs are not held`;
  const borrowed = row.share?.borrowed_gpus ?? 0;
  if (row.guaranteed_gpus === 0) return "no guarantee: all of them are borrowed";
  return borrowed > 0 ? `${count(borrowed)} more than its guarantee` : "within its guarantee";
}

function order(fairShare, row) {
  const share = row.share;
  if (!share) return empty("Unknown");
  return html`<div class="stack tn-order">
    <div class="filters">${stateChip(share.status)}${share.turn ? html`<strong>turn ${share.turn}</strong>` : html`<span class="muted">${fairShare.by_tenant ? "none of its jobs waits for a turn" : `no turns under ${fairShare.policy}`}</span>`}</div>
    ${shareBar(share, Math.max(0.1, share.current_share, share.effective_share, share.recent_share) * 1.1)}
    <p><bdi>${row.id}</bdi> ${share.why}.</p>
    <dl class="facts">
      <dt>Share now</dt><dd>${percent(share.current_share, 1)}</dd>
      <dt>Share lately</dt><dd>${percent(share.recent_share, 1)} <span class="muted">(half-life ${duration(fairShare.half_life_hours * 3600)})</span></dd>
      <dt>Entitled to</dt><dd>${percent(share.effective_share, 1)}${share.effective_share === share.target_share ? "" : html` <span class="muted">(target ${percent(share.target_share, 1)})</span>`}</dd>
      <dt>Weight</dt><dd>${count(share.weight)}${share.adjusted_weight === share.weight ? "" : `, counts as ${count(share.adjusted_weight)}: ${share.reason}`}</dd>
    </dl>
    ${fairShare.by_tenant ? "" : html`<p class="muted">The policy ${fairShare.policy} does not use fair share to order jobs.</p>`}</div>`;
}

function noHistory() {
  return html`<div class="chart">${empty("No history yet", "It appears here as the scheduler records it.")}</div>`;
}

function shareChart(row, history) {
  if (!history) return noHistory();
  const {times, series} = history;
  const entitled = row.share?.effective_share ?? null;
  return html`<gs-chart label="Share of the cluster's GPUs" .format=${value => percent(value)} .times=${times} .series=${[
    {name: "share held", values: series.share, colour: tenantColour(row.id), fill: true},
    {name: "entitled to now", values: times.map(() => entitled), colour: "#8b97a5", dashed: true},
  ]}></gs-chart>`;
}

function jobsChart(history) {
  if (!history) return noHistory();
  return html`<gs-chart label="Jobs" .times=${history.times} .series=${[
    {name: "waiting", values: history.series.waiting, colour: "#3b82c4", fill: true},
    {name: "running", values: history.series.running, colour: "#14918a"},
  ]}></gs-chart>`;
}

function powerChart(row, history) {
  if (!history) return noHistory();
  return html`<gs-chart label="Power" .format=${value => `${count(value / 1000)} kW`} .times=${history.times} .series=${[
    {name: "power", values: history.series.power_watts, colour: "#d97706", fill: true},
  ]}></gs-chart>`;
}

function quotas(row) {
  const line = (name, value, limit, text = count) => html`<tr><th scope="row">${name}</th>
    <td class="right tn-nowrap">${text(value)}</td><td class="right tn-nowrap">${limit === null ? html`<span class="muted tn-nowrap">no limit</span>` : text(limit)}</td>
    <td class="tn-meter">${limit === null ? "" : meter(name, value, limit, tenantColour(row.id))}</td></tr>`;
  return html`<table class="plain"><thead><tr><th>What</th><th class="right">In use</th><th class="right">Quota</th><th><span class="visually-hidden">Part of the quota</span></th></tr></thead><tbody>
    ${line("GPUs", row.current_gpus, row.max_gpus)}
    ${line("Running jobs", row.current_jobs, row.max_concurrent_jobs)}
    ${line("CPU cores", row.current_cpu_cores, row.max_cpu_cores)}
    ${line("Memory", row.current_memory, row.max_memory_mb, memory)}
    ${line(`GPU memory, counted ${row.gpu_memory_quota === "per_gpu" ? "per GPU" : "per job"}`, row.current_gpu_memory, row.max_gpu_memory_mb, memory)}
  </tbody></table>`;
}

function facts(row, rows) {
  const children = rows.filter(other => other.parent_id === row.id);
  return html`<dl class="facts">
    <dt>Guarantee</dt><dd>${row.guaranteed_gpus ? plural(row.guaranteed_gpus, "GPU") : "none"}</dd>
    <dt>Borrowed, owed</dt><dd>${count(row.share?.borrowed_gpus ?? 0)}, ${count(row.owed)} GPUs</dd>
    <dt>Priority tier</dt><dd>${row.priority_tier}</dd>
    <dt>Preemption</dt><dd>its jobs ${row.allow_preemption ? "may" : "may not"} be preempted and ${row.can_preempt_others ? "may" : "may not"} preempt others</dd>
    <dt>Children</dt><dd>${children.length === 0 ? "none" : children.map(child => html`${tenantChip(child.id)} `)}</dd>
    <dt>Runs that ended</dt><dd>${count(row.total_gpu_hours)} GPU-hours, ${row.cost_per_gpu_hour > 0 || row.total_cost > 0 ? money(row.total_cost) : "no price"}</dd>
    <dt>Contact</dt><dd>${row.organization || row.email ? html`<bdi>${[row.organization, row.email].filter(Boolean).join(", ")}</bdi>` : "none"}</dd>
    <dt>Last change</dt><dd title=${clock(row.updated_at)}>${row.updated_at ? ago(row.updated_at) : "since the start"}</dd>
  </dl>`;
}

function jobs(title, page, row, since) {
  const query = {tenant: row.id, show: title.toLowerCase()};
  return html`<section class="card w6 half tn-jobs"><header><h2>${title}</h2><span class="muted">${count(page.total)}</span><span class="spring"></span>
      ${page.total > 0 ? html`<a href=${link(["queue"], query)}>All in the queue</a>` : ""}</header>
    ${page.jobs.length === 0 ? empty(title === "Running" ? "No job runs" : "No job waits", html`<a href=${link(["submit"])}>Submit a job</a>`)
      : html`<table class="plain"><thead><tr><th>Job</th><th class="right">GPUs</th><th>${title === "Running" ? "Node" : "Why it waits"}</th><th class="right">${title === "Running" ? "For" : "Since"}</th></tr></thead>
        <tbody>${page.jobs.map(job => html`<tr><td>${jobLink(job.id, job.name || job.id)}</td><td class="right">${count(job.gpu_count * (job.tasks ?? 1))}</td>
          <td class="tn-why" title=${job.reason ?? ""}><bdi>${title === "Running" ? job.node_name || "several" : job.reason || "it has just been submitted"}</bdi></td>
          <td class="right tn-nowrap">${since(job)}</td></tr>`)}</tbody></table>`}
  </section>`;
}
