/**
 * The submission of a job in three forms: the fields of the form (texts), the JSON that the API
 * takes, and the command line.
 */
import {cli} from "./commands.js";
import {joinWords, splitWords} from "./shell-words.js";

/** @typedef {Record<string, string | boolean>} Fields the inputs of the form; names as in the API */

/** @returns {Fields} an empty form */
export function blank() {
  return {
    name: "", tenant_id: "", gpu_count: "1", gpu_model: "", gpu_memory_mb: "", cpu_cores: "", memory_mb: "",
    gang_scheduling: false, tasks: "", near: "", within: "", gpu_locality: "any", gpu_min_bandwidth: "", mig_profile: "",
    gpu_percent: "", priority: "", max_runtime_minutes: "", grace_seconds: "", checkpoint_enabled: false, held: false,
    image: "", run: "script", script: "", command: "", working_dir: "", environment: "", labels: "", node_selector: "",
    tolerations: "",
  };
}

/** The form of a job that exists, so that it can be submitted again. @param {any} job @returns {Fields} */
export function fieldsOf(job) {
  const words = [...job.command, ...job.args];
  return {
    ...blank(),
    name: job.name,
    tenant_id: job.tenant_id,
    gpu_count: text(job.gpu_count, null),
    gpu_model: job.gpu_model.join(", "),
    gpu_memory_mb: text(job.gpu_memory_mb, 0),
    cpu_cores: text(job.cpu_cores, null),
    memory_mb: text(job.memory_mb, 0),
    gang_scheduling: job.gang_scheduling,
    tasks: job.gang_scheduling ? text(job.tasks, null) : "",
    near: job.near.join(", "),
    within: job.within.join(", "),
    gpu_locality: job.gpu_locality ?? "any",
    gpu_min_bandwidth: job.gpu_min_bandwidth ?? "",
    mig_profile: job.mig_profile ?? "",
    gpu_percent: text(job.gpu_percent, null),
    priority: text(job.priority, null),
    max_runtime_minutes: job.max_runtime % 60 === 0 ? text(job.max_runtime / 60, 0) : `${job.max_runtime}s`,
    grace_seconds: text(job.grace_seconds, 30),
    checkpoint_enabled: job.checkpoint_enabled,
    image: job.image,
    run: words.length > 0 ? "command" : "script",
    script: job.script,
    command: joinWords(words),
    working_dir: job.working_dir,
    environment: lines(job.environment),
    labels: lines(job.labels),
    node_selector: lines(job.node_selector),
    tolerations: job.tolerations.map(tolerationText).join("\n"),
  };
}

function text(value, absent) {
  return value === null || value === undefined || value === absent ? "" : String(value);
}

function lines(map) {
  return Object.entries(map).map(([key, value]) => `${key}=${value}`).join("\n");
}

function tolerationText({key, operator, value, effect}) {
  return key + (operator === "Equal" ? `=${value}` : "") + (effect ? `:${effect}` : "");
}

/**
 * A change that `explain` proposes, made in the form. @param {Fields} fields @param {string} field @param {string} to
 * @returns {Fields}
 */
export function changed(fields, field, to) {
  const next = {...fields};
  if (field === "locality") next.gpu_locality = to.toLowerCase().replaceAll("_", "-");
  else if (field === "near") next.within = to;
  else if (field === "node_selector") next.node_selector = to.replace(/^[{[]|[}\]]$/g, "").split(/,\s*/).join("\n");
  else if (field === "tolerations") next.tolerations = [fields.tolerations, to].filter(Boolean).join("\n");
  else if (field in fields) next[field] = to;
  if (field === "tasks") next.gang_scheduling = true;
  return next;
}

/** The JSON of the API. Empty inputs are left out, so that the server's defaults apply. @param {Fields} fields */
export function bodyOf(fields) {
  /** @type {Record<string, unknown>} */
  const body = {};
  for (const name of ["name", "tenant_id", "gpu_locality", "gpu_min_bandwidth", "mig_profile", "image", "working_dir"]) {
    if (fields[name] && !(name === "gpu_locality" && fields[name] === "any")) body[name] = String(fields[name]).trim();
  }
  for (const name of ["gpu_count", "gpu_memory_mb", "cpu_cores", "memory_mb", "tasks", "gpu_percent", "priority"]) {
    if (fields[name] !== "" && !(name === "tasks" && !fields.gang_scheduling)) body[name] = numberOr(fields[name]);
  }
  for (const name of ["max_runtime_minutes", "grace_seconds"]) {
    if (fields[name] !== "") body[name] = numberOr(fields[name]);
  }
  for (const name of ["gpu_model", "near", "within"]) {
    const list = listOf(fields[name]);
    if (list.length > 0) body[name] = list;
  }
  for (const name of ["gang_scheduling", "checkpoint_enabled", "held"]) {
    if (fields[name]) body[name] = true;
  }
  for (const name of ["environment", "labels", "node_selector"]) {
    const map = mapOf(fields[name]);
    if (Object.keys(map).length > 0) body[name] = map;
  }
  const tolerations = rows(fields.tolerations).map(tolerationOf);
  if (tolerations.length > 0) body.tolerations = tolerations;
  const words = splitWords(String(fields.command));
  if (fields.run === "command" && words.length > 0) {
    body.command = words.slice(0, 1);
    if (words.length > 1) body.args = words.slice(1);
  }
  if (fields.run === "script" && String(fields.script).trim()) body.script = fields.script;
  return body;
}

/** A number, or the text as it is: the server says what is wrong with it. */
function numberOr(value) {
  const trimmed = String(value).trim();
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function rows(value) {
  return String(value).split("\n").map(row => row.trim()).filter(Boolean);
}

function listOf(value) {
  return String(value).split(",").map(one => one.trim()).filter(Boolean);
}

function mapOf(value) {
  return Object.fromEntries(rows(value).map(row => {
    const at = row.indexOf("=");
    return at < 0 ? [row, ""] : [row.slice(0, at).trim(), row.slice(at + 1)];
  }));
}

function tolerationOf(row) {
  const [pair, effect] = row.split(/:(?=[^:]*$)/);
  const at = pair.indexOf("=");
  const base = at < 0 ? {key: pair, operator: "Exists"} : {key: pair.slice(0, at), operator: "Equal", value: pair.slice(at + 1)};
  return effect ? {...base, effect} : base;
}

const FLAGS = {
  name: "--name", tenant_id: "--tenant-id", gpu_count: "--gpus", gpu_memory_mb: "--gpu-memory", cpu_cores: "--cpus", memory_mb: "--memory",
  gpu_locality: "--gpu-locality", gpu_min_bandwidth: "--min-bandwidth", mig_profile: "--mig-profile",
  gpu_percent: "--gpu-percent", priority: "--priority", tasks: "--tasks", max_runtime_minutes: "--max-runtime",
  grace_seconds: "--grace", image: "--image", working_dir: "--working-dir", script: "--script",
};
const LISTS = {gpu_model: "--gpu-model", near: "--near", within: "--within"};
const MAPS = {environment: "--env", labels: "--label", node_selector: "--node-selector"};
const SWITCHES = {gang_scheduling: "--gang", checkpoint_enabled: "--checkpoint", held: "--hold"};

/** The same submission as a command. @param {Record<string, any>} body @param {boolean} dry */
export function commandOf(body, dry = false) {
  const words = ["submit"];
  for (const [name, flag] of Object.entries(FLAGS)) if (name in body) words.push(flag, body[name]);
  for (const [name, flag] of Object.entries(LISTS)) for (const one of body[name] ?? []) words.push(flag, one);
  for (const [name, flag] of Object.entries(MAPS)) {
    for (const [key, value] of Object.entries(body[name] ?? {})) words.push(flag, `${key}=${value}`);
  }
  for (const one of body.tolerations ?? []) words.push("--toleration", tolerationText(one));
  for (const [name, flag] of Object.entries(SWITCHES)) if (body[name]) words.push(flag);
  if (dry) words.push("--dry-run");
  if (body.command) words.push("--", ...body.command, ...(body.args ?? []));
  return cli(...words);
}
