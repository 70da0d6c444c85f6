/** A comparison report from disk: policies side by side, as bars with intervals and as tables. */
import {LitElement, html} from "lit";
import {route, setQuery} from "../../lib/router.js";
import {empty} from "../../lib/view.js";
import {plural} from "../../lib/format.js";
import {COMPARISON, figureText} from "../../lib/figures.js";
import {BadReport, clearlyBest, readReport} from "./comparison.js";
import {intervalBar, scaleOf} from "../../parts/interval.js";
import {answer} from "./answer.js";

/** The report stays here while the page is open, also when another view is shown. */
let opened = /** @type {{name: string, report: import("./comparison.js").Report} | null} */ (null);

class ComparisonView extends LitElement {
  static properties = {problem: {state: true}, reading: {state: true}};

  constructor() {
    super();
    /** @type {BadReport | null} */
    this.problem = null;
    this.reading = false;
  }

  createRenderRoot() {
    return this;
  }

  #onRoute = () => this.requestUpdate();

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.#onRoute);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#onRoute);
  }

  async #open(file) {
    if (!file) return;
    this.reading = true;
    this.problem = null;
    try {
      opened = {name: file.name, report: await readReport(file)};
    } catch (failed) {
      this.problem = failed instanceof BadReport ? failed : new BadReport(String(failed), "");
    }
    this.reading = false;
  }

  #dropped(event) {
    event.preventDefault();
    this.#open(event.dataTransfer.files[0]);
  }

  render() {
    return html`<section class="card lb-open" @dragover=${event => event.preventDefault()} @drop=${this.#dropped}>
        <label class="field"><span>File results.json, which bin/lab compare writes</span>
          <input type="file" accept=".json,application/json" @change=${event => this.#open(event.target.files[0])}></label>
        <p class="muted">The file is read by this browser and not sent anywhere. You may also drop it here.</p>
        ${this.reading ? html`<p role="status">Reading …</p>` : ""}
        ${this.problem ? html`<div class="notice bad" role="alert"><strong>${this.problem.message}</strong> ${this.problem.hint}</div>` : ""}
      </section>
      ${opened ? this.#report(opened) : howToMakeOne()}`;
  }

  #report({name, report}) {
    if (report.kind === "what-if") return html`<section class="card lb-answer"><header><h2>${name}</h2></header>${answer(report.result)}</section>`;
    const {query} = route();
    const workload = report.workloads.find(one => one.name === query.get("workload")) ?? report.workloads[0];
    const known = Object.keys(COMPARISON).filter(key => workload.variants.some(one => one.figures[key]));
    const key = known.includes(query.get("figure") ?? "") ? query.get("figure") ?? "" : known.includes("wait_mean_s") ? "wait_mean_s" : known[0];
    return html`<div class="head lb-bar"><h2>${name}</h2><span class="spring"></span>
        ${report.workloads.length > 1 ? html`<label>Workload <select @change=${event => setQuery({workload: event.target.value})}>
          ${report.workloads.map(one => html`<option ?selected=${one === workload}>${one.name}</option>`)}</select></label>` : html`<span class="muted">workload <bdi>${workload.name}</bdi></span>`}
        <label>Figure <select @change=${event => setQuery({figure: event.target.value})}>
          ${known.map(one => html`<option value=${one} ?selected=${one === key}>${COMPARISON[one].title}</option>`)}</select></label></div>
      <div class="grid">
        <section class="card w7"><header><h2>${COMPARISON[key].title}</h2><span class="muted">${direction(key)}</span></header>${bars(workload, key)}</section>
        <section class="card w5"><header><h2>By tenant</h2></header>${byTenant(workload, key)}</section>
        <section class="card w12"><header><h2>All figures</h2><span class="muted">green: better than all others, beyond their intervals</span></header>${all(workload, known)}</section>
      </div>`;
  }
}

function direction(key) {
  const {better} = COMPARISON[key];
  return better ? `${better} is better` : "";
}

function howToMakeOne() {
  return html`<section class="card">${empty("No report is open", html`Make one with
    <code>bin/lab compare --scenario scenarios/busy-day.yaml --policy priority,fifo,sjf,fair --seeds 1..5 --out day</code>,
    then open <code>day/results.json</code>. The answer of <code>bin/lab what-if --json FILE</code> can be opened as well.`)}</section>`;
}

function bars(workload, key) {
  const figure = COMPARISON[key];
  const variants = workload.variants.filter(one => one.figures[key]);
  const scale = scaleOf(variants.map(one => ({low: one.figures[key].low, mid: one.figures[key].mean, high: one.figures[key].high})));
  const best = clearlyBest(variants, key);
  return html`<table class="plain lb-bars"><thead><tr><th>Policy</th><th>Mean and 95 % interval</th><th class="right">Mean</th><th class="right">Interval</th></tr></thead>
    <tbody>${variants.map(one => {
      const {mean, low, high} = one.figures[key];
      const range = low === null ? "one seed" : `${figureText(low, figure)} – ${figureText(high, figure)}`;
      return html`<tr><th scope="row">${one.name}</th>
        <td class="lb-barcell">${intervalBar(`${figureText(mean, figure)}, ${range}`, {low, mid: mean, high}, scale, {bar: true, tone: one === best ? "good" : ""})}</td>
        <td class="right sd-words">${figureText(mean, figure)}</td><td class="right muted">${range}</td></tr>`;
    })}</tbody></table>
    <p class="muted">${best ? html`<strong>${best.name}</strong> is clearly best.` : figure.better ? "These seeds do not show which one is best." : ""} ${plural(variants[0]?.seeds ?? 0, "seed")} each.</p>`;
}

function byTenant(workload, key) {
  const figure = COMPARISON[key];
  const tenants = [...new Set(workload.variants.flatMap(one => Object.keys(one.tenants)))].sort();
  if (!tenants.some(tenant => workload.variants.some(one => one.tenants[tenant]?.[key] !== undefined))) {
    return empty("This figure is of the whole cluster", "Choose another one to see tenants.");
  }
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="By tenant, scrollable"><table class="plain"><thead><tr><th>Policy</th>${tenants.map(tenant => html`<th scope="col"><bdi>${tenant}</bdi></th>`)}</tr></thead>
    <tbody>${workload.variants.map(one => html`<tr><th scope="row">${one.name}</th>
      ${tenants.map(tenant => html`<td class="sd-words">${figureText(one.tenants[tenant]?.[key], figure)}</td>`)}</tr>`)}</tbody></table></div>`;
}

function all(workload, known) {
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="All figures, scrollable"><table class="plain"><thead><tr><th>Figure</th>
      ${workload.variants.map(one => html`<th scope="col" class="right">${one.name}</th>`)}</tr></thead>
    <tbody>${known.map(key => {
      const best = clearlyBest(workload.variants, key);
      return html`<tr><th scope="row">${COMPARISON[key].title}</th>
        ${workload.variants.map(one => html`<td class="right sd-words ${one === best ? "lb-best" : ""}">${figureText(one.figures[key]?.mean, COMPARISON[key])}</td>`)}</tr>`;
    })}</tbody></table></div>`;
}

customElements.define("gs-comparison", ComparisonView);
