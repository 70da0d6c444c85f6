/** Dialogs that create, change and delete a tenant. */
import {html} from "lit";
import {change} from "../../lib/api.js";
import {go} from "../../lib/router.js";
import {cli, curl} from "../../lib/commands.js";
import {confirm} from "../../parts/confirm.js";

/** @typedef {{key: string, label: string, flag: string, unlimited?: string, help?: string, step?: string}} NumberField */

/** @type {NumberField[]} */
const QUOTAS = [
  {key: "max_gpus", label: "Most GPUs", flag: "--max-gpus", unlimited: "gpus"},
  {key: "max_concurrent_jobs", label: "Most running jobs", flag: "--max-jobs", unlimited: "jobs"},
  {key: "max_cpu_cores", label: "Most CPU cores", flag: "--max-cpus", unlimited: "cpus"},
  {key: "max_memory_mb", label: "Most memory, MB", flag: "--max-memory", unlimited: "memory"},
  {key: "max_gpu_memory_mb", label: "Most GPU memory, MB", flag: "--max-gpu-memory", unlimited: "gpu-memory"},
];

/** @type {NumberField[]} */
const SHARES = [
  {key: "guaranteed_gpus", label: "Guaranteed GPUs", flag: "--guaranteed-gpus", help: "It gets them back from borrowers by preemption."},
  {key: "fair_share_weight", label: "Fair-share weight", flag: "--weight", step: "any", help: "1 is usual; 2 beside 1 is two thirds."},
  {key: "cost_per_gpu_hour", label: "Price of a GPU-hour, $", flag: "", step: "any"},
];

const TIERS = ["low", "medium", "high", "critical"];

/** @param {any[]} tenants @param {() => void} done */
export async function createTenant(tenants, done) {
  let made = "";
  const wanted = form => changes(form, {});
  const changed = await confirm({
    title: "New tenant",
    action: "Create tenant",
    form: html`<div class="fields">
      <label class="field"><span>Name</span><input name="name" required maxlength="200" autocomplete="off"></label>
      <label class="field"><span>Id</span><input name="id" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" maxlength="128" autocomplete="off" spellcheck="false">
        <span class="help">Empty: the scheduler makes one.</span></label>
      ${fields({fair_share_weight: 1, guaranteed_gpus: 0, priority_tier: "medium", can_preempt_others: true}, tenants)}</div>`,
    done: "The tenant is created.",
    commands: form => ({
      cli: command(["create-tenant"], wanted(form), {}),
      curl: curl("POST", "tenants", wanted(form)),
    }),
    run: async form => {
      made = (await change("POST", "tenants", wanted(form))).id;
    },
  });
  if (changed) {
    done();
    go(["tenants", made]);
  }
}

/** @param {any} tenant @param {any[]} tenants @param {() => void} done */
export async function editTenant(tenant, tenants, done) {
  const path = `tenants/${encodeURIComponent(tenant.id)}`;
  const wanted = form => changes(form, tenant);
  const changed = await confirm({
    title: `Change quota and share of ${tenant.id}`,
    text: "Jobs that run are not affected. A lower quota makes jobs wait until enough has ended.",
    action: "Save",
    form: html`<div class="fields">
      <label class="field wide"><span>Name</span><input name="name" required maxlength="200" .value=${tenant.name}></label>
      ${fields(tenant, tenants.filter(other => other.id !== tenant.id))}</div>`,
    done: `${tenant.id}: changed.`,
    commands: form => ({
      cli: command(["update-tenant", tenant.id], wanted(form), tenant),
      curl: curl("PATCH", path, wanted(form)),
    }),
    run: form => change("PATCH", path, wanted(form)),
  });
  if (changed) done();
}

/** @param {any} tenant */
export async function deleteTenant(tenant) {
  const path = `tenants/${encodeURIComponent(tenant.id)}`;
  const changed = await confirm({
    title: `Delete tenant ${tenant.id}?`,
    text: "Its tokens stop working. The scheduler refuses this while the tenant has jobs. Ended jobs keep the id of their tenant.",
    action: "Delete tenant",
    danger: true,
    cli: cli("delete-tenant", tenant.id),
    curl: curl("DELETE", path),
    done: `${tenant.id}: deleted.`,
    run: () => change("DELETE", path),
  });
  if (changed) go(["tenants"]);
}

function fields(known, parents) {
  return html`${QUOTAS.map(one => number(one, known[one.key], "no limit"))}
    ${SHARES.map(one => number(one, known[one.key], "0"))}
    <label class="field"><span>Priority tier</span><select name="priority_tier">
      ${TIERS.map(tier => html`<option ?selected=${tier === known.priority_tier}>${tier}</option>`)}</select>
      <span class="help">Bounds the priority of its jobs.</span></label>
    <label class="field"><span>Parent</span><select name="parent_id"><option value="">none</option>
      ${parents.map(other => html`<option value=${other.id} ?selected=${other.id === known.parent_id}>${other.id}</option>`)}</select></label>
    <label class="check"><input type="checkbox" name="allow_preemption" ?checked=${known.allow_preemption}> Its jobs may be preempted</label>
    <label class="check"><input type="checkbox" name="can_preempt_others" ?checked=${known.can_preempt_others}> Its jobs may preempt others</label>`;
}

function number(one, value, none) {
  return html`<label class="field"><span>${one.label}</span>
    <input type="number" name=${one.key} min="0" step=${one.step ?? "1"} placeholder=${none} .value=${String(value ?? "")}>
    ${one.help ? html`<span class="help">${one.help}</span>` : ""}</label>`;
}

/** What the form says otherwise than the tenant is; an empty quota is no quota. @param {FormData} form @param {any} before */
function changes(form, before) {
  const body = {};
  const put = (key, value, usual) => {
    if (value !== (before[key] ?? usual)) body[key] = value;
  };
  if (form.get("id")) body.id = form.get("id");
  put("name", String(form.get("name")), "");
  for (const {key} of QUOTAS) put(key, amount(form.get(key)), null);
  put("guaranteed_gpus", amount(form.get("guaranteed_gpus")) ?? 0, 0);
  put("fair_share_weight", amount(form.get("fair_share_weight")) ?? 1, 1);
  put("cost_per_gpu_hour", amount(form.get("cost_per_gpu_hour")) ?? 0, 0);
  put("priority_tier", form.get("priority_tier"), "medium");
  put("parent_id", form.get("parent_id") || null, null);
  put("allow_preemption", form.get("allow_preemption") !== null, false);
  put("can_preempt_others", form.get("can_preempt_others") !== null, true);
  return body;
}

function amount(text) {
  return text === null || String(text).trim() === "" ? null : Number(text);
}

/** The change as a gpu-cli command; empty where gpu-cli has no option for it. */
function command(words, body, before) {
  if ("cost_per_gpu_hour" in body) return "";
  const out = [...words];
  for (const [key, value] of Object.entries(body)) {
    const quota = [...QUOTAS, ...SHARES].find(one => one.key === key);
    if (quota) out.push(...(value === null ? ["--unlimited", quota.unlimited] : [quota.flag, value]));
    else if (key === "parent_id") out.push(...(value === null ? ["--no-parent"] : ["--parent", value]));
    else if (key === "priority_tier") out.push("--priority", value);
    else if (key === "allow_preemption") out.push(value ? "--allow-preemption" : "--no-preemption");
    else if (key === "can_preempt_others") out.push(value ? "--preempting" : "--no-preempting");
    else out.push(`--${key}`, value);
  }
  return cli(...out);
}
