/** The inputs of the submit form. Each shows the server's error about it beside it. */
import {html} from "lit";

/**
 * @typedef {{fields: import("../../lib/job-request.js").Fields, error: import("../../lib/api.js").ApiError | null,
 *     set: (name: string, value: string | boolean) => void, tenants: string[], models: string[], admin: boolean, from: string}} Form
 */

/** The server's name of a field, where it differs from the form's. */
const ALIASES = {max_runtime_seconds: "max_runtime_minutes", args: "command", gpu_milli: "gpu_percent"};

/** The field that an error is about; empty if the form does not have it. @param {Form} form */
export function wrongField(form) {
  const field = (form.error?.field ?? "").replace(/[.[].*$/, "");
  const name = ALIASES[field] ?? field;
  return name in form.fields ? name : "";
}

/** The error in the server's words, without the part that is the same for every field. @param {import("../../lib/api.js").ApiError | null} error */
export function problemText(error) {
  return (error?.message ?? "").replace(/^Invalid request body: /, "");
}

function problem(form, name) {
  return wrongField(form) === name
    ? html`<span class="field-error" id="error-${name}">${problemText(form.error)}${form.error?.hint ? `; ${form.error.hint}` : ""}</span>` : "";
}

/** @param {Form} form @param {string} name @param {string} label @param {{help?: string, type?: string, placeholder?: string, list?: string, wide?: boolean}} more */
function input(form, name, label, more = {}) {
  const wrong = wrongField(form) === name;
  return html`<label class="field ${more.wide ? "wide" : ""}"><span>${label}</span>
    <input name=${name} type="text" inputmode=${more.type === "number" ? "decimal" : "text"} autocomplete="off" spellcheck="false"
      placeholder=${more.placeholder ?? ""} list=${more.list ?? ""} .value=${String(form.fields[name])} dir="auto"
      aria-invalid=${wrong} aria-describedby=${wrong ? `error-${name}` : ""} @input=${event => form.set(name, event.target.value)}>
    ${problem(form, name)}${more.help ? html`<span class="help">${more.help}</span>` : ""}</label>`;
}

function area(form, name, label, more = {}) {
  const wrong = wrongField(form) === name;
  return html`<label class="field wide"><span>${label}</span>
    <textarea name=${name} rows=${more.rows ?? 3} spellcheck="false" placeholder=${more.placeholder ?? ""} .value=${String(form.fields[name])}
      aria-invalid=${wrong} aria-describedby=${wrong ? `error-${name}` : ""} @input=${event => form.set(name, event.target.value)}></textarea>
    ${problem(form, name)}${more.help ? html`<span class="help">${more.help}</span>` : ""}</label>`;
}

function select(form, name, label, options, help = "") {
  return html`<label class="field"><span>${label}</span>
    <select name=${name} @change=${event => form.set(name, event.target.value)}>
      ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === form.fields[name]}>${text}</option>`)}</select>
    ${problem(form, name)}${help ? html`<span class="help">${help}</span>` : ""}</label>`;
}

function check(form, name, label, help = "") {
  return html`<div class="field"><label class="check"><input type="checkbox" name=${name} .checked=${Boolean(form.fields[name])}
    @change=${event => form.set(name, event.target.checked)}> ${label}</label>
    ${problem(form, name)}${help ? html`<span class="help muted">${help}</span>` : ""}</div>`;
}

/** @param {Form} form */
export function mainFields(form) {
  const tenants = ["", ...form.tenants].map(id => [id, id || "default"]);
  if (form.fields.tenant_id && !form.tenants.includes(String(form.fields.tenant_id))) tenants.push([form.fields.tenant_id, form.fields.tenant_id]);
  return html`<fieldset><legend>What to run</legend><div class="submit-fields">
      ${input(form, "name", "Name", {placeholder: "job"})}
      ${form.admin ? select(form, "tenant_id", "Tenant", tenants) : ""}
      <div class="field wide"><div class="segmented" role="group" aria-label="How to run">
        ${[["script", "Shell script"], ["command", "Command"]].map(([run, text]) => html`<button type="button" aria-pressed=${form.fields.run === run}
          @click=${() => form.set("run", run)}>${text}</button>`)}</div></div>
      ${form.fields.run === "script"
        ? area(form, "script", "Script", {rows: 5, placeholder: "nvidia-smi\npython train.py --epochs 10", help: "Run by /bin/sh on the node."})
        : input(form, "command", "Command", {wide: true, placeholder: "python train.py --epochs 10", help: "The program and its arguments; quote words with spaces. No shell is involved."})}
    </div></fieldset>
    <fieldset><legend>What it needs</legend><div class="submit-fields">
      ${input(form, "gpu_count", "GPUs", {type: "number", help: "Of all tasks together."})}
      ${input(form, "gpu_model", "GPU model", {placeholder: "any", list: "gpu-models", help: "Several: separate them by commas."})}
      ${input(form, "gpu_memory_mb", "Memory per GPU, MiB", {type: "number", placeholder: "any"})}
      ${input(form, "cpu_cores", "CPU cores", {type: "number", placeholder: "1"})}
      ${input(form, "memory_mb", "Main memory, MiB", {type: "number", placeholder: "0"})}
      ${input(form, "max_runtime_minutes", "Time limit", {placeholder: "none", help: "Minutes, or 2h30m. A limit lets the job start earlier."})}
      ${input(form, "priority", "Priority", {type: "number", placeholder: "100", help: "Higher goes first."})}
      ${check(form, "gang_scheduling", "Gang of several tasks", "All tasks start at once or none; they may be on several nodes.")}
      ${form.fields.gang_scheduling ? input(form, "tasks", "Tasks", {type: "number", placeholder: "as few as possible"}) : ""}
    </div></fieldset>
    <datalist id="gpu-models">${form.models.map(model => html`<option value=${model}></option>`)}</datalist>`;
}

/** @param {Form} form */
export function moreFields(form) {
  return html`<div class="submit-fields">
    ${select(form, "gpu_locality", "GPUs of a task are connected by", [["any", "anything"], ["same-node", "the same node"], ["same-socket", "the same socket"], ["nvlink", "NVLink"]])}
    ${input(form, "gpu_min_bandwidth", "Bandwidth between GPUs", {placeholder: "any", help: "GB/s, such as 600Gi."})}
    ${input(form, "mig_profile", "MIG profile", {placeholder: "whole GPUs", help: "Such as 1g.10gb; GPUs counts slices."})}
    ${input(form, "gpu_percent", "Part of each GPU, %", {type: "number", placeholder: "100"})}
    ${input(form, "within", "All tasks must share", {placeholder: "nothing", help: "zone, block, rack or node."})}
    ${input(form, "near", "All tasks should share", {placeholder: "nothing", help: "zone, block, rack or node."})}
    ${input(form, "image", "Container image", {help: "Recorded only; the job runs without a container."})}
    ${input(form, "working_dir", "Working directory", {placeholder: "a new empty one"})}
    ${input(form, "grace_seconds", "Time to stop", {placeholder: "30", help: "Seconds between the request and the kill."})}
    ${check(form, "checkpoint_enabled", "Saves checkpoints", "It can resume after a preemption.")}
    ${check(form, "held", "Hold it", "It does not start until it is released.")}
    ${area(form, "environment", "Environment", {placeholder: "KEY=value", help: "One variable per line."})}
    ${area(form, "labels", "Labels", {placeholder: "team=vision", rows: 2})}
    ${area(form, "node_selector", "Only on nodes with these labels", {placeholder: "zone=a", rows: 2})}
    ${area(form, "tolerations", "Tolerated taints", {placeholder: "reserved=vision:NoSchedule", rows: 2})}
  </div>`;
}

/** Fields of the part that is folded at first. */
export const MORE = ["gpu_locality", "gpu_min_bandwidth", "mig_profile", "gpu_percent", "within", "near", "image", "working_dir",
  "grace_seconds", "checkpoint_enabled", "held", "environment", "labels", "node_selector", "tolerations"];
