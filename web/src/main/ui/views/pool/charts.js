/** A pool over time: size, time to first token, SLO, speed and cost. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {attained, millis} from "../../lib/pools.js";
import {money} from "../../lib/tenants.js";
import "../../parts/chart.js";

const WANTED = "#8b97a5";

/** Size and time to first token: what one looks at first. @param {any} pool @param {any} history null if there is none */
export function sizeCharts(pool, history) {
  if (!history) return html`<section class="card w12">${empty("No history yet", "It appears here as the scheduler records it.")}</section>`;
  const {times, series} = history;
  return html`
    <section class="card w6 half"><header><h2>Replicas</h2></header>
      <gs-chart label="Replicas" .times=${times} .series=${[
        {name: "wanted", values: series.replicas, colour: WANTED, dashed: true, stepped: true},
        {name: "ready", values: series.ready, colour: "#14918a", stepped: true, fill: true},
      ]}></gs-chart></section>
    <section class="card w6 half"><header><h2>Time to first token, 95th percentile</h2></header>
      <gs-chart label="Time to first token" .format=${millisText} .times=${times} .series=${[
        {name: "TTFT p95", values: series.ttft_p95_ms, colour: "#6d6ad8"}, ...limit("SLO", pool.slo?.ttft_ms, times),
      ]}></gs-chart></section>`;
}

/** SLO, speed and cost. @param {any} pool @param {any} history null if there is none */
export function otherCharts(pool, history) {
  if (!history) return "";
  const {times, series} = history;
  return html`
    <section class="card w4 third"><header><h2>Requests within the SLO</h2></header>
      <gs-chart label="Requests within the SLO" .format=${attained} .least=${bottom(series.slo_percent)} .most=${100} .times=${times} .series=${[
        {name: "within the SLO", values: series.slo_percent, colour: "#2f9e6e"}, ...limit("wanted", pool.slo?.percent, times),
      ]}></gs-chart></section>
    <section class="card w4 third"><header><h2>Tokens per second</h2></header>
      <gs-chart label="Tokens per second" .times=${times} .series=${[
        {name: "tokens per second", values: series.tokens_per_second, colour: "#d97706", fill: true},
      ]}></gs-chart></section>
    <section class="card w4 third"><header><h2>Cost per hour</h2></header>
      <gs-chart label="Cost per hour" .format=${money} .times=${times} .series=${[
        {name: "cost per hour", values: series.cost_per_hour, colour: "#b4509b", stepped: true, fill: true},
        ...limit("limit", pool.cost?.max_cost_per_hour, times),
      ]}></gs-chart></section>`;
}

/** A line at a fixed value; none if there is no value. */
function limit(name, value, times) {
  return value ? [{name, values: times.map(() => value), colour: "#c2504d", dashed: true}] : [];
}

function millisText(value) {
  return value === 0 ? "0" : millis(value);
}

/** The scale begins a little below the worst figure: near 100 % every tenth counts. */
function bottom(values) {
  const worst = Math.min(100, ...values.filter(value => value !== null));
  return worst > 95 ? 90 : Math.max(0, Math.floor((worst - 5) / 10) * 10);
}
