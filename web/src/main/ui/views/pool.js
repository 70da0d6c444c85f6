/** One pool: its replicas, whether it keeps its SLO, its size, speed and cost over time, and why it has this size. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {ApiError, get} from "../lib/api.js";
import {link} from "../lib/router.js";
import {withFigures} from "../lib/history.js";
import {chosenRange, rangeButtons, windowOf} from "../lib/ranges.js";
import {clock, count} from "../lib/format.js";
import {money} from "../lib/tenants.js";
import {attained, firstTokenTone, millis, othersText, pathOf, rate, sloTone} from "../lib/pools.js";
import {meter} from "../parts/meter.js";
import {stateChip, tenantChip} from "../parts/chips.js";
import {sizeBar} from "../parts/size-bar.js";
import {poolActions, release} from "./pool/actions.js";
import {otherCharts, sizeCharts} from "./pool/charts.js";
import {decisions} from "./pool/decisions.js";
import {replicaTable} from "./pool/replicas.js";
import {poolRules} from "./pool/rules.js";

class PoolView extends View {
  static every = 5_000;
  static least = 1_000;

  get name() {
    return this.route.path[1] ?? "";
  }

  get range() {
    return chosenRange("1h");
  }

  concerns(event) {
    return event.subject === "pool" || (this.data?.pool.status.replicas ?? []).some(one => one.job_id === event.job_id);
  }

  async load(signal) {
    const path = pathOf(this.name);
    // The page is useful without its history and its explanation, so that these two may fail.
    const [pool, history, why] = await Promise.all([
      get(path, {}, signal),
      get(`${path}/history`, windowOf(this.range), signal).catch(() => null),
      get(`${path}/explain`, {}, signal).catch(() => null),
    ]);
    return {pool, why, history: history && withFigures(history.series.replicas, history)};
  }

  render() {
    if (this.error instanceof ApiError && this.error.status === 404) {
      return html`<div class="head"><h1>Pool</h1></div>${empty(html`There is no pool <bdi>${this.name}</bdi>`,
        html`It may have been deleted. <a href=${link(["pools"])}>See all pools</a>.`)}`;
    }
    return super.render();
  }

  show() {
    const {pool, why, history} = this.data;
    const done = () => this.refresh();
    return html`<div class="head"><nav class="crumbs" aria-label="Where this is"><a href=${link(["pools"])}>Pools</a></nav>
        <h1 class="tn-head" title=${pool.name}><bdi>${pool.name}</bdi></h1>${stateChip(pool.status.phase)}${tenantChip(pool.tenant_id)}
        <span class="spring"></span>${rangeButtons(this.range, ["15m", "1h", "6h", "24h", "7d"])}${poolActions(pool, done)}</div>
      ${notices(pool, done)}
      ${figures(pool)}
      <div class="grid">
        ${sizeCharts(pool, history)}
        <section class="card w8 pl-why">${decisions(pool, why)}</section>
        <section class="card w4 pl-rules"><header><h2>Rules</h2></header>${poolRules(pool)}</section>
        <section class="card w12"><header><h2>Replicas</h2></header>${replicaTable(pool)}</section>
        ${otherCharts(pool, history)}
      </div>`;
  }
}

function notices(pool, done) {
  const {status} = pool;
  return html`${status.failure ? html`<div class="notice bad" role="status"><strong>Replicas end by themselves, ${count(status.failures)} in a row.</strong>
      The last one: <bdi>${status.failure}</bdi>. The next one starts at ${clock(status.start_after)}.</div>` : ""}
    ${status.lapse ? html`<div class="notice warn" role="status"><strong>The pool finds no GPUs for more replicas.</strong> <bdi>${status.lapse}</bdi>.
      It tries again at ${clock(status.grow_after)}.</div>` : ""}
    ${status.stale ? html`<div class="notice warn" role="status"><strong>No fresh report of its load${status.reported_at ? ` since ${clock(status.reported_at)}` : ""}.</strong>
      The pool keeps its size until reports arrive. Check its gateway.</div>` : ""}
    ${isHeld(status) ? html`<div class="notice pl-held" role="status"><span><strong>The size is held at ${count(status.held_at)}.</strong>
      The scaler does not change it.${status.hold_reason ? html` Reason: <bdi>${status.hold_reason}</bdi>` : ""}</span>
      <button class="button small" @click=${() => release(pool, done)}>Release</button></div>` : ""}`;
}

function isHeld(status) {
  return status.held_at !== null && status.held_at !== undefined;
}

function figures(pool) {
  const {slo, status} = pool;
  const limit = pool.cost?.max_cost_per_hour;
  return html`<div class="pl-figures">
    <section class="card figure"><span class="label">Replicas ready</span>
      <span class="value">${count(status.ready)} <small>of ${count(status.desired)}</small></span>
      ${sizeBar(pool.name, status, pool.max_replicas)}
      <span class="sub">${[othersText(status), `at most ${count(pool.max_replicas)}`].filter(Boolean).join(", ")}</span></section>
    <section class="card figure"><span class="label">Requests within the SLO</span>
      <span class="value ${sloTone(pool) === "bad" ? "pl-bad" : ""}">${attained(status.slo_percent)}</span>
      <span class="sub">${slo?.percent ? `${count(slo.percent)} % wanted` : "no SLO is set"}</span></section>
    <section class="card figure"><span class="label">Time to first token, p95</span>
      <span class="value ${firstTokenTone(pool) ? "pl-bad" : ""}">${millis(status.ttft_p95_ms)}</span>
      ${slo?.ttft_ms ? meter("Time to first token, of the SLO in ms", Math.round(status.ttft_p95_ms ?? 0), slo.ttft_ms, firstTokenTone(pool) ? "var(--bad)" : "var(--accent)") : ""}
      <span class="sub">${slo?.ttft_ms ? `${millis(slo.ttft_ms)} allowed` : "no limit is set"}</span></section>
    <section class="card figure"><span class="label">Tokens per second</span>
      <span class="value">${rate(status.tokens_per_second)}</span>
      <span class="sub">${rate(status.arrivals_per_second)} requests per second</span></section>
    <section class="card figure"><span class="label">Cost per hour</span>
      <span class="value">${money(status.cost_per_hour)}</span>
      ${limit ? meter("Cost per hour, of the limit in dollars", status.cost_per_hour, limit, status.cost_per_hour > limit ? "var(--bad)" : "var(--accent)") : ""}
      <span class="sub">${limit ? `${money(limit)} allowed` : "no limit is set"}</span></section>
  </div>`;
}

customElements.define("gs-pool", PoolView);
