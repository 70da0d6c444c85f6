/** The shadow policy beside the policy in force: paired differences with intervals, tenants, decisions. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {between, count, duration, plural} from "../../lib/format.js";
import {cli, curl} from "../../lib/commands.js";
import {figureText} from "../../lib/figures.js";
import {describe} from "../../lib/policies.js";
import {stateChip} from "../../parts/chips.js";
import {intervalBar} from "../../parts/interval.js";
import {sides} from "../../parts/sides.js";
import {difference, others, starts} from "../lab/answer.js";
import {promoteShadow} from "./dialogs.js";

const OBJECTIVES = {
  wait_seconds: {name: "wait", figure: {title: "wait", unit: "s", better: "less"}},
  completion_seconds: {name: "completion", figure: {title: "completion", unit: "s", better: "less"}},
  slowdown: {name: "slowdown", figure: {title: "slowdown", unit: "", better: "less"}},
};
const TONES = {better: "good", worse: "bad", undecided: "quiet"};

/** @param {any} shadow @param {any} policy @param {() => void} refresh */
export function shadow(shadow, policy, refresh) {
  if (!shadow.enabled) {
    return html`<section class="card w12"><header><h2>Shadow policy</h2></header>${empty("No policy runs in the shadow", html`A shadow policy decides on the same jobs
      without effect, so that you can compare before you change. Name one in the configuration, for example
      <code>scheduler.shadow_policy: fair</code>, and restart the scheduler.`)}</section>`;
  }
  const seen = shadow.seen;
  return html`<section class="card w12"><header><h2>Shadow: ${shadow.policy}</h2>
      <span class="muted">${describe(shadow.policy)}</span><span class="spring"></span>
      <gs-commands .cli=${cli("shadow")} .curl=${curl("GET", "shadow")}></gs-commands>
      <button class="button" @click=${() => promoteShadow(policy, refresh)}>Promote …</button></header>
    ${shadow.stopped ? html`<div class="notice bad" role="status">The shadow has stopped: ${shadow.stopped}. It starts again with the next change of the policy.</div>` : ""}
    ${shadow.resyncs ? html`<div class="notice warn" role="status">The shadow could not keep up and began again ${shadow.resyncs === 1 ? "once" : `${count(shadow.resyncs)} times`},
      last: ${shadow.last_resync}. Each time the comparison begins anew.</div>` : ""}
    ${seen ? comparison(seen, policy) : empty("The shadow has just begun", "The comparison appears with the first jobs.")}</section>`;
}

function comparison(seen, policy) {
  const begun = Date.parse(seen.since) > 0 ? `for ${duration(between(seen.since))}` : "since the first start";
  return html`<p class="muted">Compared ${begun}${seen.behind_seconds >= 1 ? `, ${duration(seen.behind_seconds)} behind the present` : ""}; none of the shadow's decisions is carried out.
      ${seen.guessed_runs ? `The run times of ${plural(seen.guessed_runs, "run")} are estimated.` : ""}</p>
    ${paired(seen.differences, policy)}
    ${starts(seen.starts)}
    ${sides(seen.live, seen.shadow, {before: `in force: ${policy.policy}`, after: `shadow: ${seen.policy}`})}
    ${seen.first_difference ? difference(seen.first_difference) : ""}
    ${seen.starts.last.length ? others(seen.starts.last) : ""}`;
}

function paired(differences, policy) {
  return html`<table class="plain po-paired"><caption>Difference per job, shadow minus in force, with its 95 % interval</caption>
    <thead><tr><th>Objective</th><th><span class="po-axis"><span>shadow better</span><span>0</span><span>shadow worse</span></span></th><th class="right">Mean</th><th class="right">Interval</th><th class="right">Jobs</th><th>Verdict</th></tr></thead>
    <tbody>${Object.entries(OBJECTIVES).map(([key, one]) => pairedRow(differences[key], one, policy.promotion.objective))}</tbody></table>`;
}

function pairedRow(interval, {name, figure}, objective) {
  const most = Math.max(1e-9, ...[interval.low, interval.mean, interval.high].filter(value => value !== null).map(Math.abs)) * 1.1;
  const known = interval.low !== null;
  const text = signed(interval.mean, figure);
  const range = known ? `${signed(interval.low, figure)} to ${signed(interval.high, figure)}` : "not before 50 jobs";
  return html`<tr><th scope="row">${name}${name === objective ? html` <span class="chip quiet">tracked</span>` : ""}</th>
    <td class="po-bar">${intervalBar(`${text}, interval ${range}`, {low: interval.low, mid: interval.mean, high: interval.high}, {from: -most, to: most}, {tone: TONES[interval.verdict] ?? "quiet", ticks: [0]})}</td>
    <td class="right sd-words">${text}</td><td class="right sd-words muted">${range}</td><td class="right">${count(interval.jobs)}</td><td>${stateChip(interval.verdict)}</td></tr>`;
}

function signed(value, figure) {
  const text = figureText(Math.abs(value), figure);
  return value < 0 ? `−${text}` : value > 0 ? `+${text}` : text;
}
