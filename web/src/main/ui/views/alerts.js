/** Alerts: what fires and what to do about it, what was resolved recently, what is watched. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {get} from "../lib/api.js";
import {session} from "../lib/session.js";
import {setQuery} from "../lib/router.js";
import {ago, between, clock, duration, plural} from "../lib/format.js";
import {cli, curl} from "../lib/commands.js";
import {CONDITIONS, thresholdOf, titleOf, valueOf} from "./alerts/conditions.js";
import {jobLink, nodeLink, stateChip, tenantChip} from "../parts/chips.js";
import {endSilence, silence, testWebhooks} from "./alerts/dialogs.js";
import "../parts/command-menu.js";

const SEVERITIES = ["critical", "warning", "info"];

class Alerts extends View {
  static every = 10_000;
  static least = 1_000;

  concerns(event) {
    return event.subject === "alert";
  }

  load(signal) {
    return get("alerts", {}, signal);
  }

  show() {
    const severity = this.route.query.get("severity") ?? "";
    const all = this.data.alerts.filter(alert => !severity || alert.severity === severity);
    const firing = all.filter(alert => alert.state === "firing");
    const resolved = all.filter(alert => alert.state !== "firing");
    return html`<div class="head"><h1>Alerts</h1><span class="muted">${summary(this.data.alerts)}</span><span class="spring"></span>
        ${this.#severities(severity)}
        ${session.isAdmin ? html`<button class="button" @click=${testWebhooks}>Test webhooks</button>` : ""}
        <gs-commands label="Show alerts by command" .cli=${cli("alerts")} .curl=${curl("GET", "alerts")}></gs-commands></div>
      ${firing.length === 0 ? html`<section class="card al-none">${empty(severity ? `No ${severity} alert is firing` : "No alert is firing", quiet(severity))}</section>` : ""}
      <div class="stack">${firing.map(alert => this.#firing(alert))}</div>
      ${this.data.suppressed ? html`<p class="muted">${plural(this.data.suppressed, "further subject")} exceed a threshold without an alert of their own, because a hundred of the same kind fire already.</p>` : ""}
      ${this.#resolved(resolved)}
      ${watched(this.data.conditions, firing.length === 0)}`;
  }

  #severities(chosen) {
    return html`<div class="segmented" role="group" aria-label="Severity">
      ${["", ...SEVERITIES].map(one => html`<button aria-pressed=${one === chosen} @click=${() => setQuery({severity: one})}>${one || "all"}</button>`)}</div>`;
  }

  #firing(alert) {
    const silenced = alert.silenced_until && Date.parse(alert.silenced_until) > Date.now();
    return html`<article class="card al-card ${alert.severity} ${silenced ? "silenced" : ""}">
      <header>${stateChip(alert.severity)}<h2>${titleOf(alert.name)}</h2>${subjects(alert)}<span class="spring"></span>
        <span class="muted" title=${clock(alert.since)}>for ${duration(between(alert.since))}</span></header>
      <p class="al-message"><bdi>${alert.message}</bdi></p>
      <div class="al-foot"><div class="al-remedy">${alert.remedy ? html`<strong>What to do:</strong> <bdi>${alert.remedy}</bdi>` : ""}
          ${silenced ? html`<p class="muted">Silenced until ${clock(alert.silenced_until)}${alert.silence_reason ? html`: <bdi>${alert.silence_reason}</bdi>` : ""}</p>` : ""}</div>
        <span class="muted al-value">${values(alert)}</span>
        ${session.isAdmin ? silenced
          ? html`<button class="button small" aria-label="End the silence of ${alert.id}" @click=${() => endSilence(alert, () => this.refresh())}>End silence</button>`
          : html`<button class="button small" aria-label="Silence ${alert.id}" @click=${() => silence(alert, () => this.refresh())}>Silence</button>` : ""}</div>
    </article>`;
  }

  #resolved(alerts) {
    return html`<section class="card al-resolved"><header><h2>Recently resolved</h2></header>
      ${alerts.length === 0 ? html`<p class="muted">None.</p>` : html`<div class="scroll-x" tabindex="0" role="region" aria-label="Resolved alerts, scrollable"><table class="plain">
        <thead><tr><th>Alert</th><th>Severity</th><th>About</th><th>What happened</th><th class="right">Lasted</th><th class="right">Resolved</th></tr></thead>
        <tbody>${alerts.map(alert => html`<tr><th scope="row">${titleOf(alert.name)}</th><td>${stateChip(alert.severity)}</td><td>${subjects(alert)}</td>
          <td class="al-what"><bdi>${alert.message}</bdi></td><td class="right tn-nowrap">${duration(between(alert.since, alert.resolved_at))}</td>
          <td class="right tn-nowrap" title=${clock(alert.resolved_at)}>${ago(alert.resolved_at)}</td></tr>`)}</tbody></table></div>`}
    </section>`;
  }
}

function summary(alerts) {
  const firing = alerts.filter(alert => alert.state === "firing");
  if (firing.length === 0) return "none is firing";
  return SEVERITIES.map(one => [one, firing.filter(alert => alert.severity === one).length])
    .filter(([, many]) => many > 0).map(([one, many]) => `${many} ${one}`).join(", ");
}

function subjects(alert) {
  return html`<span class="al-about">${alert.tenant_id ? tenantChip(alert.tenant_id) : ""}${alert.job_id ? html`<span class="chip">${jobLink(alert.job_id)}</span>` : ""}
    ${alert.node_id ? html`<span class="chip">${nodeLink(alert.node_id)}</span>` : ""}</span>`;
}

/** The measured value beside its threshold, where the unit is known. */
function values(alert) {
  const value = valueOf(alert.name, alert.value);
  return value === "" ? "" : `${value}, threshold ${valueOf(alert.name, alert.threshold)}`;
}

function quiet(severity) {
  if (severity) return html`<button class="button" @click=${() => setQuery({severity: ""})}>Show all severities</button>`;
  return session.isAdmin
    ? html`The scheduler checks the conditions below every few seconds. To be told outside this page, configure <code>alerts.webhooks</code>, then test them here.`
    : "The scheduler checks the conditions below every few seconds and shows here what concerns your tenant.";
}

function watched(conditions, open) {
  return html`<details class="card al-watched" ?open=${open}><summary>What is watched</summary>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Conditions, scrollable"><table class="plain"><thead><tr><th>Alert</th><th>Fires when</th><th class="right">Threshold</th><th class="right">For</th><th>Settings</th></tr></thead>
      <tbody>${conditions.map(one => html`<tr><th scope="row">${titleOf(one.name)}</th><td>${CONDITIONS[one.name]?.when ?? ""}</td>
        <td class="right tn-nowrap">${thresholdOf(one.name, one.threshold)}</td><td class="right tn-nowrap">${held(one)}</td><td><code>${one.setting}</code></td></tr>`)}</tbody></table></div></details>`;
}

function held(condition) {
  if (!condition.enabled) return "off";
  return condition.for_seconds === 0 ? "at once" : duration(condition.for_seconds);
}

customElements.define("gs-alerts", Alerts);
