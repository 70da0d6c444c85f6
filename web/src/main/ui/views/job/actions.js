/** What can be done with a job: cancel, hold, release, change the priority, submit again. */
import {html} from "lit";
import {change} from "../../lib/api.js";
import {cli, curl} from "../../lib/commands.js";
import {link} from "../../lib/router.js";
import {confirm} from "../../parts/confirm.js";
import {toast} from "../../parts/toast.js";
import {shownState} from "../../parts/job-columns.js";
import "../../parts/command-menu.js";

/** @param {any} job */
export function isEnded(job) {
  return ["completed", "failed", "cancelled"].includes(job.state);
}

/** @param {any} job */
export function isWaiting(job) {
  return job.state === "pending" || job.state === "preempted";
}

/** @param {any} job */
export function isRunning(job) {
  return job.state === "scheduled" || job.state === "running";
}

/** @param {any} job @param {() => void} done reads the job again */
export function jobActions(job, done) {
  const path = `jobs/${job.id}`;
  const held = shownState(job) === "held";
  return html`<div class="filters job-actions">
    ${isWaiting(job) && !held ? html`<span class="pair"><button class="button" @click=${() => run(`${path}/hold`, `${job.id} is held.`, done)}>Hold</button>
      <gs-commands label="Copy hold as command" .cli=${cli("hold", job.id)} .curl=${curl("POST", `${path}/hold`)}></gs-commands></span>` : ""}
    ${held ? html`<span class="pair"><button class="button" @click=${() => run(`${path}/release`, `${job.id} is released.`, done)}>Release</button>
      <gs-commands label="Copy release as command" .cli=${cli("release", job.id)} .curl=${curl("POST", `${path}/release`)}></gs-commands></span>` : ""}
    ${isWaiting(job) ? html`<button class="button" @click=${() => askPriority(job, job.priority, done)}>Priority …</button>` : ""}
    <a class="button" href=${link(["submit"], {from: job.id})}>Submit again …</a>
    ${isEnded(job) ? "" : html`<button class="button danger" @click=${() => askCancel(job, done)}>Cancel …</button>`}
    <gs-commands label="Copy this job as command" .cli=${cli("get", job.id)} .curl=${curl("GET", path)}></gs-commands>
  </div>`;
}

async function run(path, words, done) {
  try {
    await change("POST", path);
    toast(words);
  } catch (failed) {
    toast(`${failed.message} ${failed.hint ?? ""}`, "bad");
  }
  done();
}

/** @param {any} job @param {() => void} done */
export async function askCancel(job, done) {
  await confirm({
    title: `Cancel ${job.id}?`,
    text: html`<p><bdi>${job.name}</bdi> ${isRunning(job)
      ? `is stopped and has ${job.grace_seconds} s to end. Its output stays readable.`
      : "leaves the queue. It can be submitted again."}</p>`,
    action: "Cancel the job",
    danger: true,
    cli: cli("cancel", job.id),
    curl: curl("DELETE", `jobs/${job.id}`),
    done: `${job.id} is cancelled.`,
    run: () => change("DELETE", `jobs/${job.id}`),
  });
  done();
}

/** @param {any} job @param {number | string} proposed @param {() => void} done */
export async function askPriority(job, proposed, done) {
  await confirm({
    title: `Change the priority of ${job.id}`,
    text: html`<p>It is ${job.priority} now. Jobs of a higher priority go first.</p>`,
    form: html`<label class="field"><span>Priority</span>
      <input name="priority" type="number" step="1" required .value=${String(proposed)}></label>`,
    action: "Change",
    commands: form => ({
      cli: cli("priority", job.id, form.get("priority")),
      curl: curl("PATCH", `jobs/${job.id}`, {priority: Number(form.get("priority"))}),
    }),
    done: "The priority is changed.",
    run: form => change("PATCH", `jobs/${job.id}`, {priority: Number(form.get("priority"))}),
  });
  done();
}
