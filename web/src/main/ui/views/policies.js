/** Policies: the one in force and its history, the shadow beside it, promotion and the fallback guard. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {get} from "../lib/api.js";
import {session} from "../lib/session.js";
import {link} from "../lib/router.js";
import {ago, clock, count, duration, plural} from "../lib/format.js";
import {cli, curl} from "../lib/commands.js";
import {describe} from "../lib/policies.js";
import {stateChip} from "../parts/chips.js";
import {changePolicy} from "./policies/dialogs.js";
import {shadow} from "./policies/shadow.js";
import "../parts/command-menu.js";

const CAUSES = {
  configuration: "from the configuration", command: "set by command", promotion: "promoted from the shadow by rule", fallback: "set by the fallback guard",
};

class Policies extends View {
  static every = 10_000;
  static least = 3_000;

  concerns(event) {
    return event.subject === "policy" || event.kind === "completed";
  }

  async load(signal) {
    const [policy, events, shadowed] = await Promise.all([
      get("policy", {}, signal),
      get("events", {kind: "policy", limit: 50}, signal).catch(() => ({events: []})),
      session.isAdmin ? get("shadow", {}, signal).catch(() => null) : null,
    ]);
    return {policy, events: events.events.filter(event => event.kind === "policy").reverse(), shadow: shadowed};
  }

  show() {
    const {policy, events} = this.data;
    return html`<div class="head"><h1>Policies</h1><span class="muted">which job is next</span><span class="spring"></span>
        ${session.isAdmin ? html`<a class="button" href=${link(["lab"], {policy: policy.shadow.policy || "fair"})}>Try on the past</a>
          <button class="button primary" @click=${() => changePolicy(policy, () => this.refresh())}>Change policy</button>` : ""}
        <gs-commands label="Show the policy by command" .cli=${cli("policy")} .curl=${curl("GET", "policy")}></gs-commands></div>
      <div class="grid">
        <section class="card w4 third"><header><h2>In force</h2></header>${this.#inForce(policy)}</section>
        <section class="card w4 third"><header><h2>Fallback guard</h2></header>${this.#guard(policy)}</section>
        <section class="card w4 third"><header><h2>Promotion by rule</h2></header>${this.#promotion(policy)}</section>
        ${this.#shadow(policy)}
        <section class="card w12"><header><h2>Changes</h2></header>${this.#changes(events, policy)}</section>
      </div>`;
  }

  #inForce(policy) {
    return html`<p class="po-name">${policy.policy}</p><p class="muted">${describe(policy.policy)}</p>
      <dl class="facts">
        <dt>Since</dt><dd>${policy.since ? html`<span title=${clock(policy.since)}>${ago(policy.since)}</span>` : "the first start"}</dd>
        <dt>Cause</dt><dd>${CAUSES[policy.cause] ?? policy.cause}${policy.by && policy.by !== "configuration" ? html`, by <bdi>${policy.by}</bdi>` : ""}</dd>
        ${policy.reason ? html`<dt>Reason</dt><dd><bdi>${policy.reason}</bdi></dd>` : ""}
        ${policy.previous ? html`<dt>Before</dt><dd>${policy.previous}</dd>` : ""}
        <dt>Configured</dt><dd>${policy.configured}</dd>
      </dl>`;
  }

  #guard({policy, fallback}) {
    const target = html`<strong>${fallback.policy}</strong>`;
    const state = fallback.guarding
      ? html`<p>${stateChip("watching")} Sets ${target} if:</p>`
      : policy === fallback.policy
        ? html`<p>${stateChip("at rest")} The fallback policy itself is in force. Under another policy, the guard sets ${target} if:</p>`
        : html`<p>${stateChip("off")} Switched off by <code>fallback.enabled</code>. It would set ${target} if:</p>`;
    return html`${state}<ul class="po-list">
      <li>${plural(fallback.late_cycles, "cycle")} in a row take longer than ${count(fallback.cycle_budget_ms)} ms</li>
      <li>a learned order is invalid ${fallback.invalid_rankings === 1 ? "once" : `${count(fallback.invalid_rankings)} times`}</li>
      <li>${fallback.watch_objective ? html`${fallback.policy} is better in the shadow for ${duration(fallback.min_minutes * 60)} and ${plural(fallback.min_jobs, "job")}${fallback.guarding && !fallback.compares ? html` <span class="muted">(not judged now: another policy runs in the shadow)</span>` : ""}`
        : html`<span class="muted">the objective is not watched</span>`}</li></ul>`;
  }

  #promotion({promotion, shadow: {verdict}}) {
    return html`<p>${promotion.enabled ? stateChip("on") : stateChip("off")} ${promotion.enabled
        ? "The scheduler promotes the shadow policy by itself if it is better without interruption."
        : html`An administrator promotes by hand. <code>promotion.enabled</code> lets the scheduler do it.`}</p>
      <dl class="facts">
        <dt>Objective</dt><dd>${promotion.objective}</dd>
        <dt>At least</dt><dd>${plural(promotion.min_jobs, "job")} and ${plural(promotion.min_hours, "hour")}</dd>
        <dt>Verdict now</dt><dd>${verdict ? stateChip(verdict) : "no shadow policy"}</dd>
        ${promotion.paused_until ? html`<dt>Paused until</dt><dd>${clock(promotion.paused_until)}, after a fallback</dd>` : ""}
      </dl>`;
  }

  #shadow(policy) {
    if (this.data.shadow) return shadow(this.data.shadow, policy, () => this.refresh());
    if (!policy.shadow.policy) return "";
    return html`<section class="card w12"><header><h2>Shadow policy</h2></header>
      <p><strong>${policy.shadow.policy}</strong> decides on the same jobs without effect. Verdict: ${stateChip(policy.shadow.verdict)}
        <span class="muted">Administrators see the comparison.</span></p></section>`;
  }

  #changes(events, policy) {
    if (events.length === 0) {
      return empty("The policy has not been changed", html`${policy.policy} is in force since the first start. Every change is recorded here with its author and reason.`);
    }
    return html`<ul class="plain feed po-feed">${events.map(event => html`<li><span class="muted" title=${event.at}>${clock(event.at)}</span><bdi>${event.message}</bdi></li>`)}</ul>`;
  }
}

customElements.define("gs-policies", Policies);
