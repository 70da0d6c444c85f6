/** All pools: size, SLO, speed, cost and the last decision; below them the models and where they are cached. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {ApiError, get} from "../lib/api.js";
import {setQuery} from "../lib/router.js";
import {ago, clock, count, plural} from "../lib/format.js";
import {money} from "../lib/tenants.js";
import {cli, curl} from "../lib/commands.js";
import {attained, firstTokenTone, millis, othersText, rate, sloTone} from "../lib/pools.js";
import {poolLink, stateChip, tenantChip} from "../parts/chips.js";
import {sizeBar} from "../parts/size-bar.js";
import {modelTable} from "./pool/models.js";
import {firstPool} from "./pool/first.js";
import "../parts/command-menu.js";

const MOST = 200;

class Pools extends View {
  static every = 5_000;
  static least = 1_000;

  concerns(event) {
    return event.subject === "pool";
  }

  async load(signal) {
    const [pools, models] = await Promise.all([get("pools", {}, signal), get("models", {}, signal).catch(none)]);
    return {pools: pools.pools, models: models?.models ?? []};
  }

  show() {
    const {pools, models} = this.data;
    return html`<div class="head"><h1>Pools</h1><span class="spring"></span>
        <gs-commands label="Show pools by command" .cli=${cli("pool", "list")} .curl=${curl("GET", "pools")}></gs-commands></div>
      ${pools.length === 0 ? firstPool() : html`${figures(pools)}${this.#list(pools)}`}
      ${models.length > 0 ? modelTable(models, pools) : ""}`;
  }

  #list(pools) {
    const wanted = this.route.query.get("q") ?? "";
    const shown = pools.filter(pool => `${pool.name} ${pool.model} ${pool.tenant_id}`.toLowerCase().includes(wanted.toLowerCase()));
    return html`<section class="card flush"><header><h2>${plural(pools.length, "pool")}</h2><span class="spring"></span>
        <input type="search" aria-label="Filter pools" placeholder="Filter" .value=${wanted} @input=${event => setQuery({q: event.target.value})}></header>
      ${shown.length === 0
        ? empty("No pool matches this filter", html`<button class="button" @click=${() => setQuery({q: ""})}>Show all</button>`)
        : table(shown.slice(0, MOST))}
      ${shown.length > MOST ? html`<p class="muted tn-more">The first ${MOST} of ${count(shown.length)}. Filter to see others.</p>` : ""}</section>`;
  }
}

/** A scheduler without models answers 404. */
function none(failed) {
  if (failed instanceof ApiError && [403, 404].includes(failed.status)) return null;
  throw failed;
}

function figures(pools) {
  const sum = pick => pools.reduce((total, pool) => total + (pick(pool.status) ?? 0), 0);
  const measured = pools.filter(pool => sloTone(pool) !== "");
  const missed = measured.filter(pool => sloTone(pool) === "bad");
  const waiting = sum(status => status.waiting);
  return html`<div class="grid tn-figures">
    <section class="card figure w3"><span class="label">Replicas ready</span>
      <span class="value">${count(sum(status => status.ready))} <small>of ${count(sum(status => status.desired))}</small></span>
      <span class="sub">${waiting > 0 ? `${count(waiting)} ${waiting === 1 ? "waits" : "wait"} for GPUs` : "none waits for GPUs"}</span></section>
    <section class="card figure w3"><span class="label">Pools that keep their SLO</span>
      <span class="value ${missed.length > 0 ? "pl-bad" : ""}">${count(measured.length - missed.length)} <small>of ${count(measured.length)}</small></span>
      <span class="sub">${measured.length === pools.length ? "" : `${plural(pools.length - measured.length, "pool")} without traffic`}</span></section>
    <section class="card figure w3"><span class="label">Tokens per second</span>
      <span class="value">${rate(sum(status => status.tokens_per_second))}</span>
      <span class="sub">${rate(sum(status => status.arrivals_per_second))} requests per second</span></section>
    <section class="card figure w3"><span class="label">Cost</span>
      <span class="value">${money(sum(status => status.cost_per_hour))} <small>per hour</small></span>
      <span class="sub">of the replicas that hold GPUs now</span></section>
  </div>`;
}

function table(pools) {
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Pools, scrollable"><table class="plain pl-table">
    <thead><tr><th>Pool</th><th>Tenant</th><th>Replicas</th><th>State</th><th class="right">SLO kept</th><th class="right">TTFT p95</th>
      <th class="right">Tokens/s</th><th class="right">Cost per hour</th><th>Last decision</th></tr></thead>
    <tbody>${pools.map(row)}</tbody></table></div>`;
}

function row(pool) {
  const {status} = pool;
  return html`<tr>
    <th scope="row" class="pl-name">${poolLink(pool.name)}${pool.model ? html`<span class="tn-sub pl-cut" title=${pool.model}><bdi>${pool.model}</bdi></span>` : ""}</th>
    <td data-label="Tenant" class="pl-tenant">${tenantChip(pool.tenant_id)}</td>
    <td data-label="Replicas" class="pl-size">${count(status.ready)} <span class="muted">of ${count(status.desired)}, at most ${count(pool.max_replicas)}</span>
      ${sizeBar(pool.name, status, pool.max_replicas)}<span class="tn-sub">${othersText(status)}</span></td>
    <td data-label="State">${stateChip(status.phase)}${status.stale ? html` <span class="chip warn">no reports</span>` : ""}</td>
    <td data-label="SLO kept" class="right ${tone(sloTone(pool))}">${attained(status.slo_percent)}
      ${pool.slo?.percent ? html`<span class="tn-sub">of ${count(pool.slo.percent)} %</span>` : ""}</td>
    <td data-label="TTFT p95" class="right ${tone(firstTokenTone(pool))}">${millis(status.ttft_p95_ms)}
      ${pool.slo?.ttft_ms ? html`<span class="tn-sub">of ${millis(pool.slo.ttft_ms)}</span>` : ""}</td>
    <td data-label="Tokens/s" class="right">${rate(status.tokens_per_second)}</td>
    <td data-label="Cost per hour" class="right">${money(status.cost_per_hour)}</td>
    <td data-label="Last decision" class="pl-reason"><span class="pl-two" title=${status.reason ?? ""}><bdi>${status.reason || "none yet"}</bdi></span>
      ${status.decided_at ? html`<span class="tn-sub" title=${clock(status.decided_at)}>${ago(status.decided_at)}</span>` : ""}</td>
  </tr>`;
}

function tone(name) {
  return name ? `pl-${name}` : "";
}

customElements.define("gs-pools", Pools);
