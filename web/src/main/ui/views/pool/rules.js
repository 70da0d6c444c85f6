/** What a pool was asked to do: sizes, SLO, scaling, cost, what one replica needs. */
import {html} from "lit";
import {count, duration, memory, plural} from "../../lib/format.js";
import {sloText} from "../../lib/pools.js";
import {money} from "../../lib/tenants.js";
import {joinWords} from "../../lib/shell-words.js";

/** @param {any} pool */
export function poolRules(pool) {
  const {replica, scaling, cost} = pool;
  const pairs = [
    ["Model", text(pool.model)],
    ["Size", pool.min_replicas === pool.max_replicas ? `always ${count(pool.min_replicas)}` : `${count(pool.min_replicas)} to ${count(pool.max_replicas)}`],
    ["Kept warm", pool.warm_percent ? `${count(pool.warm_percent)} % of the most` : ""],
    ["SLO", sloText(pool)],
    ["Scaling", scaling?.law ? LAWS[scaling.law] ?? scaling.law : ""],
    ["Targets", (scaling?.targets ?? []).map(one => html`<div>${one.metric} ${count(one.target)}</div>`)],
    ["Schedules", (scaling?.schedules ?? []).map(schedule)],
    ["Cool-down", scaling?.cooldown_seconds && pool.min_replicas === 0 ? duration(scaling.cooldown_seconds) : ""],
    ["Cost limit", cost?.max_cost_per_hour ? `${money(cost.max_cost_per_hour)} per hour` : ""],
    ["On spot", cost?.spot_percent ? `at most ${count(cost.spot_percent)} %` : ""],
    ["Falls back to", text(cost?.fallback_model)],
    ["A replica", needs(replica ?? {})],
    ["Image", code(replica?.image)],
    ["Command", code(joinWords([...(replica?.command ?? []), ...(replica?.args ?? [])]))],
    ["Ports", pool.serving?.port ? `from ${pool.serving.port} on, one per replica` : ""],
    ["Loads in", pool.serving?.load_seconds ? duration(pool.serving.load_seconds) : ""],
    ["Drains in", pool.serving?.drain_seconds ? `at most ${duration(pool.serving.drain_seconds)}` : ""],
  ];
  return html`<dl class="facts">${pairs.filter(([, value]) => value !== "" && value?.length !== 0)
    .map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

const LAWS = {
  slo: "by forecast, to keep the SLO", targets: "by targets of metrics", tokens: "by tokens per second",
  queue: "by the length of a queue", static: "fixed",
};

function schedule(one) {
  const when = one.cron ?? [one.days ?? "every day"].flat().join(", ");
  return html`<div><bdi>${one.name}</bdi>: ${plural(one.replicas, "replica")}, ${when}${one.from ? ` ${one.from} to ${one.to}` : ""}</div>`;
}

function needs(replica) {
  const models = [replica.gpu_model ?? []].flat().join(" or ");
  return [
    replica.gpu_count ? `${plural(replica.gpu_count, "GPU")}${models ? ` of ${models}` : ""}` : "no GPU",
    replica.tasks > 1 ? `a gang of ${count(replica.tasks)} tasks` : "",
    replica.cpu_cores ? plural(replica.cpu_cores, "core") : "",
    replica.memory_mb ? memory(replica.memory_mb) : "",
    replica.priority ? `priority ${count(replica.priority)}` : "",
  ].filter(Boolean).join(", ");
}

function text(value) {
  return value ? html`<bdi>${value}</bdi>` : "";
}

function code(value) {
  return value ? html`<code><bdi>${value}</bdi></code>` : "";
}
