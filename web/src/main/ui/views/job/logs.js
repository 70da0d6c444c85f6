/** The output of a job, following live: `<gs-logs .job=${job}>`. */
import {LitElement, html} from "lit";
import {LogStream, wholeLog} from "./log-stream.js";
import {route, setQuery} from "../../lib/router.js";
import {cli, curl} from "../../lib/commands.js";
import {count} from "../../lib/format.js";
import {isRunning} from "./actions.js";
import {toast} from "../../parts/toast.js";
import "../../parts/command-menu.js";

const WORDS = {
  connecting: "connecting …", following: "following", ended: "complete", reconnecting: "reconnecting …", failed: "not available",
};
/** How close to the end the text must be scrolled to go on following it, in pixels. */
const NEAR = 24;

class JobLogs extends LitElement {
  static properties = {job: {attribute: false}, paused: {state: true}, wrap: {state: true}, behind: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.job = null;
    this.paused = false;
    this.wrap = true;
    /** Whether the person has scrolled away from the end. */
    this.behind = false;
    /** @type {LogStream | null} */
    this.stream = null;
    this.key = "";
    this.drawing = 0;
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stream?.close();
    this.stream = null;
    this.key = "";
  }

  get task() {
    return Math.min(this.job.tasks - 1, Math.max(0, Number(route().query.get("task")) || 0));
  }

  /** 0: the newest. */
  get attempt() {
    return Math.min(this.job.attempts, Math.max(0, Number(route().query.get("attempt")) || 0));
  }

  willUpdate() {
    if (!this.job || this.job.attempts === 0) return;
    // A new attempt has an output of its own.
    const key = `${this.job.id} ${this.task} ${this.attempt || this.job.attempts}`;
    if (key !== this.key) {
      this.key = key;
      this.stream?.close();
      this.behind = false;
      const over = !isRunning(this.job) || (this.attempt > 0 && this.attempt < this.job.attempts);
      this.stream = new LogStream(this.job.id, this.task, this.attempt || this.job.attempts, over);
      this.stream.addEventListener("change", () => this.#soon());
    }
  }

  /** Draws at most a few times per second, however fast the output comes. */
  #soon() {
    this.drawing ||= setTimeout(() => {
      this.drawing = 0;
      if (!this.paused) this.requestUpdate();
    }, 150);
  }

  render() {
    if (!this.job) return html``;
    const stream = this.stream;
    return html`<header><h2>Output</h2>
        ${stream ? html`<span class="chip ${stream.state === "following" ? "good" : stream.state === "reconnecting" ? "warn" : "quiet"}" role="status"
          >${this.paused ? "paused" : WORDS[stream.state]}</span>` : ""}
        <span class="spring"></span>${stream ? this.#controls() : ""}</header>
      ${stream?.problem ? html`<div class="notice warn" role="status">${stream.problem}</div>` : ""}
      ${this.#output()}`;
  }

  #controls() {
    const {tasks, attempts, id} = this.job;
    const words = ["logs", id, ...(this.task ? ["--task", this.task] : []), ...(this.attempt ? ["--attempt", this.attempt] : []), "-f"];
    const query = new URLSearchParams({follow: "true", ...(this.task ? {task: String(this.task)} : {}), ...(this.attempt ? {attempt: String(this.attempt)} : {})});
    return html`
      ${tasks > 1 ? this.#choice("Task", this.task, Array.from({length: Math.min(tasks, 512)}, (_, i) => [i, `Task ${i}`]), task => setQuery({task: task || ""})) : ""}
      ${attempts > 1 ? this.#choice("Attempt", this.attempt || attempts, Array.from({length: attempts}, (_, i) => [i + 1, `Attempt ${i + 1}`]), attempt => setQuery({attempt: attempt === attempts ? "" : attempt})) : ""}
      <button class="button small" aria-pressed=${this.paused} @click=${() => (this.paused = !this.paused)}>${this.paused ? "Go on" : "Pause"}</button>
      <button class="button small" aria-pressed=${this.wrap} @click=${() => (this.wrap = !this.wrap)}>${this.wrap ? "Do not wrap" : "Wrap"}</button>
      <button class="button small" @click=${this.#end}>Jump to end</button>
      <button class="button small" @click=${this.#download}>Download</button>
      <gs-commands label="Copy the output as command" .cli=${cli(...words)}
        .curl=${curl("GET", `jobs/${id}/logs?${query}`)}></gs-commands>`;
  }

  #choice(label, value, options, chosen) {
    return html`<select aria-label=${label} @change=${event => chosen(Number(event.target.value))}>
      ${options.map(([at, text]) => html`<option value=${at} ?selected=${at === value}>${text}</option>`)}</select>`;
  }

  #output() {
    const stream = this.stream;
    if (!stream) return html`<div class="log-empty muted">No output yet: the job has not started. It appears here when it does.</div>`;
    const none = stream.text === "";
    return html`${stream.dropped > 0 ? html`<p class="muted log-note">Only the last ${count(stream.lines.length)} lines are shown. Download has all of them.</p>` : ""}
      <pre class="log ${this.wrap ? "wrap" : ""}" tabindex="0" role="log" aria-live="off" aria-label="Output of the job" dir="ltr"
        @scroll=${this.#scrolled}>${none ? (stream.state === "ended" ? "The job has written nothing." : "") : stream.text}</pre>`;
  }

  updated() {
    if (!this.behind && !this.paused) this.#scroll();
  }

  #scroll() {
    const pre = this.querySelector("pre");
    if (pre) pre.scrollTop = pre.scrollHeight;
  }

  #scrolled(event) {
    const pre = event.target;
    this.behind = pre.scrollHeight - pre.scrollTop - pre.clientHeight > NEAR;
  }

  #end() {
    this.paused = false;
    this.behind = false;
    this.#scroll();
  }

  async #download() {
    if (!this.stream) return;
    try {
      const address = URL.createObjectURL(await wholeLog(this.stream));
      const link = document.createElement("a");
      link.href = address;
      link.download = `${this.job.id}-task${this.task}.log`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (failed) {
      toast(`${failed.message} ${failed.hint ?? ""}`, "bad");
    }
  }
}

customElements.define("gs-logs", JobLogs);
