/** How to drain a node: wait for its jobs, wait until a deadline, or stop them now. */
import {LitElement, html} from "lit";
import {cli, curl} from "../../lib/commands.js";
import {plural} from "../../lib/format.js";
import "../../parts/command-menu.js";

const UNITS = {m: 60, h: 3600, d: 86_400};

/** The body of the request. @param {FormData} form */
export function drainBody(form) {
  const way = form.get("way");
  if (way === "stop") return {stop: true};
  if (way === "deadline") return {deadline_seconds: Math.round(Number(form.get("time")) * UNITS[String(form.get("unit"))])};
  return {};
}

class DrainForm extends LitElement {
  static properties = {node: {attribute: false}, way: {state: true}, time: {state: true}, unit: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.node = null;
    this.way = "wait";
    this.time = "2";
    this.unit = "h";
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const jobs = this.node.jobs.length;
    const many = jobs === 0 ? "no job runs there now" : `${plural(jobs, "job")} ${jobs === 1 ? "runs" : "run"} there now`;
    return html`<fieldset class="node-drain"><legend>Jobs on the node (${many})</legend>
        ${this.#way("wait", "Wait until they finish")}
        ${this.#way("deadline", "Wait, but stop those that still run after")}
        <span class="node-deadline">
          <input name="time" type="number" min="1" max="8760" step="1" required aria-label="Deadline" .value=${this.time}
            ?disabled=${this.way !== "deadline"} @input=${event => (this.time = event.target.value)}>
          <select name="unit" aria-label="Unit of the deadline" ?disabled=${this.way !== "deadline"} @change=${event => (this.unit = event.target.value)}>
            <option value="m">minutes</option><option value="h" selected>hours</option><option value="d">days</option></select></span>
        ${this.#way("stop", jobs ? `Stop ${jobs === 1 ? "it" : `all ${jobs}`} now and requeue` : "Stop jobs now and requeue")}
      </fieldset>
      ${this.way === "stop" && jobs ? html`<div class="notice warn" role="status">This stops ${plural(jobs, "job")}:
        <bdi>${this.node.jobs.slice(0, 12).join(", ")}</bdi>${jobs > 12 ? " and more" : ""}. ${jobs === 1 ? "It starts" : "They start"} again
        elsewhere, from the last checkpoint if there is one.</div>` : ""}
      <div class="filters"><span class="muted">The same as a command</span>
        <gs-commands .cli=${this.#cli()} .curl=${this.#curl()}></gs-commands></div>`;
  }

  #way(value, text) {
    return html`<label class="check"><input type="radio" name="way" value=${value} .checked=${this.way === value}
      @change=${() => (this.way = value)}>${text}</label>`;
  }

  #cli() {
    const more = {wait: [], deadline: ["--deadline", `${this.time}${this.unit}`], stop: ["--stop", "--yes"]}[this.way] ?? [];
    return cli("drain", this.node.id, ...more);
  }

  #curl() {
    const form = new FormData();
    form.set("way", this.way);
    form.set("time", this.time);
    form.set("unit", this.unit);
    return curl("POST", `nodes/${encodeURIComponent(this.node.id)}/drain`, drainBody(form));
  }
}

customElements.define("gs-drain-form", DrainForm);
