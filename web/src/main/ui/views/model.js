/** What the scheduler has learned: run times with their uncertainty, neighbours, and how well it predicts. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {get} from "../lib/api.js";
import {link} from "../lib/router.js";
import {count, percent, plural} from "../lib/format.js";
import {cli, curl} from "../lib/commands.js";
import {runTimes} from "./model/run-times.js";
import {neighbours} from "./model/neighbours.js";
import {scoreModel} from "./model/score-model.js";
import "../parts/command-menu.js";

/** Predicted ranges should hold eight of ten runs. */
const TARGET = 0.8;
const TABS = {times: "Run times", neighbours: "Neighbours", scores: "Score model"};

class Model extends View {
  static every = 30_000;
  static least = 5_000;

  concerns(event) {
    return event.subject === "model" || event.kind === "completed" || event.kind === "failed";
  }

  load(signal) {
    return get("model", {}, signal);
  }

  get tab() {
    const wanted = this.route.query.get("tab") ?? "times";
    return wanted in TABS ? wanted : "times";
  }

  show() {
    const model = this.data;
    const learned = model.run_times.length + model.pairs.length > 0;
    return html`<div class="head"><h1>Model</h1><span class="muted">what the scheduler has learned about jobs</span><span class="spring"></span>
        <gs-commands label="Export the model by command" .cli=${`${cli("model", "-o", "json")} > model.json`} .curl=${curl("GET", "model?runs=64")}></gs-commands></div>
      ${this.#figures(model)}
      ${learned ? this.#tabs(model) : howItLearns()}`;
  }

  #figures(model) {
    const kinds = new Set(model.run_times.map(one => one.job_type)).size;
    const runs = model.run_times.reduce((sum, one) => sum + one.samples, 0);
    const drifts = model.run_times.reduce((sum, one) => sum + one.drifts, 0);
    return html`<div class="grid md-figures">
      <section class="card figure w3"><span class="label">Learned</span>
        <span class="value">${count(kinds)} <small>${kinds === 1 ? "kind" : "kinds"} of job</small></span>
        <span class="sub">${plural(model.run_times.length, "pair")} of kind and GPU model, ${plural(runs, "run")}</span></section>
      <section class="card figure w3"><span class="label">Predicted ranges that held</span>
        <span class="value">${model.forecasts === 0 ? "–" : percent(model.coverage)}</span>
        ${model.forecasts === 0 ? "" : gauge("Predicted ranges that held", model.coverage, TARGET, model.coverage < TARGET - 0.1 ? "bad" : "good")}
        <span class="sub">${model.forecasts === 0 ? "no prediction could be checked yet" : `target ${percent(TARGET)}; ${this.#calibration(model.coverage)}`}</span></section>
      <section class="card figure w3"><span class="label">Decisions made to learn</span>
        <span class="value">${model.decisions.total === 0 ? "–" : percent(model.decisions.ratio, 1)}</span>
        ${model.decisions.total === 0 ? "" : gauge("Decisions made to learn", model.decisions.ratio, model.decisions.cap, model.decisions.ratio > model.decisions.cap ? "bad" : "good")}
        <span class="sub">${model.decisions.total === 0 ? "no score was asked for yet" : `${count(model.decisions.explored)} of ${count(model.decisions.total)} scores`}; cap ${percent(model.decisions.cap)}</span></section>
      <section class="card figure w3"><span class="label">Changes of the work noticed</span>
        <span class="value">${count(drifts)}</span>
        <span class="sub">after a change earlier runs hardly count</span></section>
    </div>`;
  }

  #calibration(coverage) {
    if (coverage < TARGET - 0.1) return "ranges are too narrow and get wider";
    return coverage > TARGET + 0.1 ? "ranges are wider than needed" : "well calibrated";
  }

  #tabs(model) {
    const counts = {
      times: model.run_times.length, neighbours: model.interference.length, scores: model.pairs.length + model.slowdowns.length,
    };
    const part = {times: runTimes, neighbours, scores: scoreModel}[this.tab];
    return html`<nav class="tabs" aria-label="Parts of the model">${Object.entries(TABS).map(([tab, title]) => html`
        <a href=${link(["model"], {tab: tab === "times" ? "" : tab})} aria-current=${tab === this.tab ? "page" : "false"}>${title}
          <span class="muted">${count(counts[tab])}</span></a>`)}</nav>
      ${part(model, this.route.query)}`;
  }
}

/** A ratio with a mark at its target or cap. */
function gauge(label, value, mark, tone) {
  return html`<svg class="md-gauge ${tone}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img"
      aria-label="${label}: ${percent(value)}, mark at ${percent(mark)}">
    <rect class="whole" width="100" height="8"></rect>
    <rect class="part" width=${Math.min(1, value) * 100} height="8"></rect>
    <line x1=${mark * 100} x2=${mark * 100} y1="0" y2="8"></line></svg>`;
}

function howItLearns() {
  return html`<section class="card">${empty("Nothing has been learned yet", html`The model learns from every run that ends by itself: how long
    jobs of a kind take on a GPU model. Give jobs a kind with <code>gpu-cli submit --kind train</code>, or a name such as
    <code>train-17</code>: the kind is then <code>train</code>. A few runs are enough for a first estimate. To begin with what
    another scheduler knows, use <code>gpu-cli model --import model.json</code>.`)}</section>`;
}

customElements.define("gs-model", Model);
