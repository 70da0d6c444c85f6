/** What can be done with a pool: hold its size, release it, change its rules, delete it. */
import {html} from "lit";
import {ApiError, change} from "../../lib/api.js";
import {cli, curl} from "../../lib/commands.js";
import {go} from "../../lib/router.js";
import {plural} from "../../lib/format.js";
import {pathOf} from "../../lib/pools.js";
import {confirm} from "../../parts/confirm.js";
import "../../parts/command-menu.js";

/** @param {any} pool @param {() => void} done reads the pool again */
export function poolActions(pool, done) {
  return html`<div class="filters">
    <button class="button primary" @click=${() => hold(pool, done)}>Scale …</button>
    <button class="button" @click=${() => edit(pool, done)}>Edit …</button>
    <button class="button" @click=${() => remove(pool)}>Delete …</button>
    <gs-commands label="Show this pool by command" .cli=${cli("pool", "show", pool.name)} .curl=${curl("GET", pathOf(pool.name))}></gs-commands>
  </div>`;
}

async function hold(pool, done) {
  const path = `${pathOf(pool.name)}/scale`;
  const body = form => {
    const reason = String(form.get("reason") ?? "").trim();
    return {replicas: Number(form.get("replicas")), ...(reason ? {reason} : {})};
  };
  const changed = await confirm({
    title: `Scale ${pool.name}`,
    text: "The pool keeps this size until you release it. Until then the scaler does not change it.",
    action: "Hold this size",
    form: html`<label class="field"><span>Replicas</span>
        <input name="replicas" type="number" min="0" max="100000" step="1" required .value=${String(pool.status.desired)}>
        <span class="help">Its own limits are ${pool.min_replicas} to ${pool.max_replicas}.</span></label>
      <label class="field"><span>Reason, for others</span><input name="reason" maxlength="500" autocomplete="off" placeholder="load test on Friday"></label>`,
    commands: form => ({
      cli: cli("pool", "scale", pool.name, "--replicas", body(form).replicas, ...(body(form).reason ? ["--reason", body(form).reason] : [])),
      curl: curl("POST", path, body(form)),
    }),
    done: `${pool.name}: the size is held.`,
    run: form => change("POST", path, body(form)),
  });
  if (changed) done();
}

/** @param {any} pool @param {() => void} done */
export async function release(pool, done) {
  const path = `${pathOf(pool.name)}/scale`;
  const changed = await confirm({
    title: `Release the size of ${pool.name}?`,
    text: `The scaler decides again, between ${pool.min_replicas} and ${plural(pool.max_replicas, "replica")}.`,
    action: "Release",
    cli: cli("pool", "scale", pool.name, "--auto"),
    curl: curl("POST", path, {replicas: null}),
    done: `${pool.name}: the scaler decides again.`,
    run: () => change("POST", path, {replicas: null}),
  });
  if (changed) done();
}

async function edit(pool, done) {
  const path = pathOf(pool.name);
  const {status, ...rules} = pool;
  const wanted = form => changesOf(String(form.get("rules")), rules);
  const changed = await confirm({
    title: `Edit ${pool.name}`,
    text: "Replicas that run keep what they were started with; new ones follow the change.",
    action: "Save",
    form: html`<label class="field"><span>Pool as JSON</span>
      <textarea class="pl-json" name="rules" spellcheck="false" required .value=${JSON.stringify(rules, null, 2)}></textarea></label>`,
    commands: form => ({curl: tried(() => curl("PATCH", path, wanted(form)))}),
    done: `${pool.name}: changed.`,
    run: form => change("PATCH", path, wanted(form)),
  });
  if (changed) done();
}

/** What the text changes, as the body of a PATCH. @param {string} text @param {any} before */
function changesOf(text, before) {
  let after;
  try {
    after = JSON.parse(text);
  } catch (wrong) {
    throw new ApiError(0, `This is not JSON: ${wrong.message}.`, "Correct the text and save again.");
  }
  if (!isObject(after)) throw new ApiError(0, "This is not a JSON object.", "Correct the text and save again.");
  return patchOf(before, after);
}

/** Objects are merged by the server, and null takes a value away. */
function patchOf(before, after) {
  const patch = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    patch[key] = isObject(was) && isObject(is) ? patchOf(was, is) : is ?? null;
  }
  return patch;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a command; none while the form cannot be read. */
function tried(command) {
  try {
    return command();
  } catch {
    return "";
  }
}

async function remove(pool) {
  const {replicas} = pool.status;
  const changed = await confirm({
    title: `Delete pool ${pool.name}?`,
    text: replicas.length === 0 ? "The scheduler forgets it."
      : `${plural(replicas.length, "replica")} drain and stop; then the scheduler forgets the pool. Requests to it are refused from now on.`,
    action: "Delete pool",
    danger: true,
    cli: cli("pool", "delete", pool.name),
    curl: curl("DELETE", pathOf(pool.name)),
    done: `${pool.name}: deleted.`,
    run: () => change("DELETE", pathOf(pool.name)),
  });
  if (changed) go(["pools"]);
}
