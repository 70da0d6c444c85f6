/** Submits a job, and shows before what would happen to it. */
import {html} from "lit";
import {View} from "../lib/view.js";
import {ApiError, change, get, send} from "../lib/api.js";
import {go} from "../lib/router.js";
import {session} from "../lib/session.js";
import {curl} from "../lib/commands.js";
import {blank, bodyOf, changed, commandOf, fieldsOf} from "../lib/job-request.js";
import {dropDraft, keepDraft, keptDraft, newKey} from "./submit/draft.js";
import {toast} from "../parts/toast.js";
import {jobLink} from "../parts/chips.js";
import {isEnded} from "./job/actions.js";
import {jobPreview, previewDetails} from "./submit/preview.js";
import {MORE, mainFields, moreFields, wrongField} from "./submit/fields.js";
import "../parts/command-menu.js";

const PAUSE = 500;

class Submit extends View {
  static properties = {
    ...View.properties,
    fields: {state: true}, preview: {state: true}, refused: {state: true}, checking: {state: true}, sending: {state: true}, cancelOld: {state: true},
  };
  static every = 30_000;

  constructor() {
    super();
    this.fields = blank();
    this.preview = null;
    /** @type {ApiError | null} */
    this.refused = null;
    this.checking = false;
    this.sending = false;
    this.cancelOld = false;
    /** @type {string | null} the address parameters that the form was filled from */
    this.origin = null;
    this.key = newKey();
    this.sentBody = "";
    this.timer = 0;
    this.asked = 0;
  }

  get from() {
    return this.route.query.get("from") ?? "";
  }

  concerns() {
    return false;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  async load(signal) {
    // The address changes before the view goes; the form must not follow it.
    if (this.route.path[0] !== "submit") return this.data;
    const [tenants, nodes, old] = await Promise.all([
      get("tenants", {}, signal),
      get("nodes", {limit: 200}, signal).catch(() => ({nodes: []})),
      this.from ? get(`jobs/${encodeURIComponent(this.from)}`, {}, signal).catch(ignoreUnknown) : null,
    ]);
    const models = [...new Set(nodes.nodes.map(node => node.gpu_model).filter(Boolean))].sort();
    const data = {tenants: tenants.tenants.map(tenant => tenant.id), models, old};
    this.#begin(old);
    if (this.refused?.status === 0) this.#checkSoon();
    return data;
  }

  /** Fills the form once for each address: from the draft, from the job that the address names, or empty. */
  #begin(old) {
    const change = this.route.query.get("change") ?? "";
    const origin = `${this.from}|${change}`;
    if (origin === this.origin) return;
    this.origin = origin;
    const draft = keptDraft(origin);
    if (draft) {
      this.fields = {...blank(), ...draft.fields};
      this.key = draft.key;
      this.sentBody = draft.body;
    } else {
      this.fields = old ? fieldsOf(old) : blank();
      const colon = change.indexOf(":");
      if (old && colon > 0) this.fields = changed(this.fields, change.slice(0, colon), change.slice(colon + 1));
      this.key = newKey();
      this.sentBody = "";
    }
    if (!session.isAdmin) this.fields.tenant_id = "";
    this.preview = null;
    this.cancelOld = false;
    this.#checkSoon(0);
  }

  #set(name, value) {
    this.fields = {...this.fields, [name]: value};
    this.#keep();
    this.#checkSoon();
  }

  #apply(field, to) {
    this.fields = changed(this.fields, field, to);
    this.#keep();
    this.#checkSoon(0);
  }

  #keep() {
    keepDraft({origin: this.origin ?? "", fields: this.fields, key: this.key, body: this.sentBody});
  }

  #checkSoon(pause = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#check(), pause);
  }

  /** The dry run. Only the answer to the newest form counts. */
  async #check() {
    const number = ++this.asked;
    this.checking = true;
    try {
      const preview = await change("POST", "jobs", bodyOf(this.fields), {dry_run: true});
      if (number !== this.asked) return;
      this.preview = preview;
      this.refused = null;
    } catch (failed) {
      if (number !== this.asked) return;
      this.refused = failed;
    }
    this.checking = false;
  }

  async #submit(event) {
    event.preventDefault();
    if (this.sending) return;
    this.sending = true;
    const body = bodyOf(this.fields);
    // The same form under the same key is accepted once, however often it is sent.
    const text = JSON.stringify(body);
    if (text !== this.sentBody) {
      if (this.sentBody) this.key = newKey();
      this.sentBody = text;
      this.#keep();
    }
    try {
      const response = await send("POST", "api/v1/jobs", {body, headers: {"Idempotency-Key": this.key}});
      const {job_id: id, warnings = []} = await response.json();
      dropDraft();
      toast(`${id} is submitted.${warnings.length > 0 ? ` ${warnings.join(" ")}` : ""}`, warnings.length > 0 ? "warn" : "good");
      await this.#cancelOld();
      go(["jobs", id]);
    } catch (failed) {
      this.refused = failed instanceof ApiError ? failed : new ApiError(0, String(failed));
      await this.updateComplete;
      this.querySelector("[aria-invalid=true]")?.focus();
    }
    this.sending = false;
  }

  async #cancelOld() {
    if (!this.cancelOld || !this.from) return;
    try {
      await change("DELETE", `jobs/${encodeURIComponent(this.from)}`);
      toast(`${this.from} is cancelled.`);
    } catch (failed) {
      toast(`${this.from} was not cancelled: ${failed.message}`, "bad");
    }
  }

  #clear() {
    dropDraft();
    this.origin = null;
    if (this.from) go(["submit"]);
    else this.#begin(null);
  }

  show() {
    const body = bodyOf(this.fields);
    const form = {
      fields: this.fields, error: this.refused, set: (name, value) => this.#set(name, value),
      tenants: this.data.tenants, models: this.data.models, admin: session.isAdmin, from: this.from,
    };
    const wrong = wrongField(form);
    const used = MORE.filter(name => this.fields[name] !== blank()[name]).length;
    return html`<div class="head"><h1>Submit a job</h1><span class="spring"></span>
        <button class="button small" @click=${this.#clear}>Clear the form</button></div>
      ${this.#origin()}
      <form class="submit" @submit=${this.#submit} novalidate>
        <div class="stack">
          <section class="card">${mainFields(form)}
            <details class="more" ?open=${MORE.includes(wrong)}><summary>More: locality, slices, environment, labels${used > 0
              ? html` <span class="chip info">${used} set</span>` : ""}</summary>${moreFields(form)}</details></section>
        </div>
        <div class="stack submit-side">
          <section class="card" aria-busy=${this.checking}><header><h2>What would happen</h2><span class="spring"></span>
              <span class="muted">${this.checking ? "checking …" : ""}</span></header>
            <div class="submit-verdict">${jobPreview(this.preview, this.refused, this.checking)}</div>
            <div class="filters"><button class="button primary" ?disabled=${this.sending}>${this.sending ? "Submitting …" : "Submit"}</button>
              <gs-commands label="Copy the submission as command" .cli=${commandOf(body)} .curl=${curl("POST", "jobs", body)}></gs-commands></div>
            <div class="submit-details">${this.refused ? "" : previewDetails(this.preview, (field, to) => this.#apply(field, to))}</div>
          </section>
          <section class="card"><header><h2>The same as a command</h2></header>
            <pre class="submit-command" tabindex="0">${commandOf(body)}</pre>
            <pre class="submit-command" tabindex="0">${curl("POST", "jobs", body)}</pre></section>
        </div>
      </form>`;
  }

  #origin() {
    const {old} = this.data;
    if (!this.from) return "";
    if (!old) return html`<div class="notice warn" role="status">There is no job <bdi>${this.from}</bdi>, or you may not see it. The form is empty.</div>`;
    const change = this.route.query.get("change");
    return html`<div class="notice" role="status">This is a new job, filled in from ${jobLink(old.id)}${change
        ? html` with one change: <code><bdi>${change.replace(":", " = ")}</bdi></code>` : ""}.
      ${isEnded(old) ? "" : html`The old job stays as it is, unless you choose:
        <label class="check"><input type="checkbox" .checked=${this.cancelOld} @change=${event => (this.cancelOld = event.target.checked)}>
          Cancel ${old.id} when the new job is submitted</label>`}</div>`;
  }
}

function ignoreUnknown(failed) {
  if (failed instanceof ApiError && failed.status === 404) return null;
  throw failed;
}

customElements.define("gs-submit", Submit);
