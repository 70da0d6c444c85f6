/** All tenants: quota and use as bars, fair share, borrowed and owed, use over time. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {styled} from "../../lib/styled.js";
import {session} from "../../lib/session.js";
import {link, setQuery} from "../../lib/router.js";
import {tenantColour} from "../../lib/colours.js";
import {count, memory, percent, plural} from "../../lib/format.js";
import {rangeButtons} from "../../lib/ranges.js";
import {ORDERS, energy, inTree, money} from "../../lib/tenants.js";
import {meter} from "../../parts/meter.js";
import {stateChip, tenantChip} from "../../parts/chips.js";
import {shareBar} from "../../parts/share-bar.js";
import {createTenant} from "./dialogs.js";
import "../../parts/chart.js";

const MOST = 200;

/** @param {any} view */
export function tenantList(view) {
  const {rows, fairShare} = view.data;
  const wanted = view.route.query.get("q") ?? "";
  const order = view.route.query.get("sort") ?? "name";
  const tree = inTree(rows, order).filter(row => `${row.id} ${row.name}`.toLowerCase().includes(wanted.toLowerCase()));
  return html`<div class="head"><h1>Tenants</h1><span class="spring"></span>${rangeButtons(view.range, ["1h", "6h", "24h", "7d", "30d"])}
      ${session.isAdmin ? html`<button class="button primary" @click=${() => createTenant(rows, () => view.refresh())}>New tenant</button>` : ""}</div>
    ${figures(rows, view.range)}
    ${fairShare.by_tenant ? "" : html`<div class="notice">The policy in force, <a href=${link(["policies"])}>${fairShare.policy}</a>,
      does not order jobs by fair share. Shares are shown for information; guarantees still hold.</div>`}
    <section class="card flush">
      <header><h2>${plural(rows.length, "tenant")}</h2>
        <span class="tn-key muted">share: <i class="now"></i>now <i class="lately"></i>lately <i class="target"></i>entitled to</span><span class="spring"></span>
        <input type="search" aria-label="Filter tenants" placeholder="Filter" .value=${wanted} @input=${event => setQuery({q: event.target.value})}>
        <select aria-label="Order" @change=${event => setQuery({sort: event.target.value})}>
          ${Object.entries(ORDERS).map(([key, one]) => html`<option value=${key} ?selected=${key === order}>by ${one.title}</option>`)}
        </select>
      </header>
      ${tree.length === 0 ? nothing(wanted) : table(tree, view.range)}
    </section>
    ${held(view)}`;
}

function nothing(wanted) {
  return wanted
    ? empty("No tenant matches this filter", html`<button class="button" @click=${() => setQuery({q: ""})}>Show all</button>`)
    : empty("There is no tenant yet", "An administrator makes one with “New tenant” or gpu-cli create-tenant.");
}

function figures(rows, range) {
  const sum = pick => rows.reduce((total, row) => total + (pick(row) ?? 0), 0);
  const top = rows.filter(row => !rows.some(other => other.id === row.parent_id));
  const owed = top.reduce((total, row) => total + row.owed, 0);
  const users = rows.filter(row => row.current_gpus > 0).length;
  const priced = rows.some(row => row.cost_per_gpu_hour > 0);
  const below = rows.filter(row => row.share?.status === "below-guarantee").length;
  return html`<div class="grid tn-figures">
    <section class="card figure w3"><span class="label">GPUs in use</span>
      <span class="value">${count(top.reduce((total, row) => total + row.current_gpus, 0))}</span>
      <span class="sub">${users === 0 ? "no tenant holds any" : `held by ${plural(users, "tenant")}`}</span></section>
    <section class="card figure w3"><span class="label">Guaranteed but not held</span>
      <span class="value">${count(owed)} <small>GPUs</small></span>
      <span class="sub">${below === 0 ? "no tenant waits for its guarantee" : `${plural(below, "tenant")} below the guarantee`}</span></section>
    <section class="card figure w3"><span class="label">GPU-hours, last ${range}</span>
      <span class="value">${count(sum(row => row.hours))}</span>
      <span class="sub">${priced ? `${money(sum(row => row.cost))} at the tenants' prices` : "no tenant has a price"}</span></section>
    <section class="card figure w3"><span class="label">Energy, last ${range}</span>
      <span class="value">${rows.some(row => row.kwh !== null) ? energy(sum(row => row.kwh)) : "–"}</span>
      <span class="sub">measured at the GPUs that tenants held</span></section>
  </div>`;
}

function table(tree, range) {
  const most = Math.min(1, Math.max(0.05, ...tree.map(row => (row.share ? Math.max(row.share.current_share, row.share.effective_share, row.share.recent_share) : 0))) * 1.05);
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Tenants, scrollable"><table class="plain tn-table">
    <thead><tr><th>Tenant</th><th>GPUs</th><th>Jobs</th><th>CPUs</th><th>Memory</th>
      <th class="tn-wide">Fair share</th><th class="right">Borrowed</th><th class="right">Owed</th>
      <th class="right">Weight</th><th class="right">Guarantee</th>
      <th class="right">Used, last ${range}</th></tr></thead>
    <tbody>${tree.slice(0, MOST).map(row => tenantRow(row, most))}</tbody></table></div>
    ${tree.length > MOST ? html`<p class="muted tn-more">The first ${MOST} of ${count(tree.length)}. Filter to see others.</p>` : ""}`;
}

function tenantRow(row, most) {
  const colour = tenantColour(row.id);
  return html`<tr>
    <th scope="row" class="tn-name" ${styled({"--depth": row.depth})}>${tenantChip(row.id)}
      ${row.name && row.name !== row.id ? html`<span class="muted tn-title"><bdi>${row.name}</bdi></span>` : ""}
      ${row.active ? "" : stateChip("closed")}</th>
    ${use("GPUs", row.id, row.current_gpus, row.max_gpus, colour)}
    ${use("Jobs", row.id, row.current_jobs, row.max_concurrent_jobs, colour)}
    ${use("CPUs", row.id, row.current_cpu_cores, row.max_cpu_cores, colour)}
    ${use("Memory", row.id, row.current_memory, row.max_memory_mb, colour, memory)}
    <td data-label="Fair share" class="tn-wide">${row.share ? html`${shareBar(row.share, most)}
      <span class="tn-sub">${percent(row.share.current_share)} of ${percent(row.share.effective_share)}${row.share.turn ? `, turn ${row.share.turn}` : ""}</span>` : "–"}</td>
    <td data-label="Borrowed" class="right">${row.share?.borrowed_gpus ? count(row.share.borrowed_gpus) : "–"}</td>
    <td data-label="Owed" class="right">${row.owed ? count(row.owed) : "–"}</td>
    <td data-label="Weight" class="right">${count(row.fair_share_weight)}</td>
    <td data-label="Guarantee" class="right">${row.guaranteed_gpus ? count(row.guaranteed_gpus) : "–"}</td>
    <td data-label="Used" class="right tn-used">${row.hours === null ? "–" : `${count(row.hours)} GPU-hours`}
      <span class="tn-sub">${[row.cost_per_gpu_hour > 0 && row.cost !== null ? money(row.cost) : "", row.kwh === null ? "" : energy(row.kwh)].filter(Boolean).join(", ")}</span></td>
  </tr>`;
}

function use(name, tenant, value, limit, colour, text = count) {
  return html`<td data-label=${name}><span class="tn-use">${text(value)}${limit === null ? "" : html` <span class="muted">of ${text(limit)}</span>`}</span>
    ${limit === null ? "" : meter(`${name} of ${tenant}`, value, limit, colour)}</td>`;
}

function held(view) {
  const {gpus} = view.data;
  if (!gpus) return html`<p class="muted">This scheduler keeps no history, so that use over time is not shown.</p>`;
  const series = Object.entries(gpus.tenants).slice(0, 12).map(([name, values]) => ({name, values, colour: tenantColour(name)}));
  return html`<section class="card tn-chart"><header><h2>GPUs held, by tenant</h2></header>
    <gs-chart label="GPUs by tenant" stacked .times=${gpus.times} .series=${series}></gs-chart></section>`;
}
