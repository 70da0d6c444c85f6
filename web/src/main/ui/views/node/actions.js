/** What an administrator can do with a node. */
import {html} from "lit";
import {change} from "../../lib/api.js";
import {cli, curl} from "../../lib/commands.js";
import {go} from "../../lib/router.js";
import {session} from "../../lib/session.js";
import {confirm} from "../../parts/confirm.js";
import {toast} from "../../parts/toast.js";
import "../../parts/command-menu.js";
import {drainBody} from "./drain-form.js";

/** @param {any} node @param {() => void} done reads the node again */
export function nodeActions(node, done) {
  if (!session.isAdmin) return "";
  const path = `nodes/${encodeURIComponent(node.id)}`;
  const closed = !node.schedulable;
  const away = node.state === "lost" || node.state === "unreachable";
  return html`<div class="filters node-actions">
    ${closed
      ? action("Uncordon", () => run(path, "uncordon", `${node.id} takes new jobs again.`, done), cli("uncordon", node.id), curl("POST", `${path}/uncordon`))
      : action("Cordon", () => run(path, "cordon", `${node.id} takes no new jobs; its jobs continue.`, done), cli("cordon", node.id), curl("POST", `${path}/cordon`))}
    ${node.draining_mode ? "" : action("Drain …", () => drain(node, path, done), cli("drain", node.id), curl("POST", `${path}/drain`, {}))}
    ${away ? action("Remove …", () => remove(node, path), cli("delete-node", node.id), curl("DELETE", path)) : ""}
  </div>`;
}

function action(name, run, line, request) {
  return html`<span class="node-action"><button class="button" @click=${run}>${name}</button>
    <gs-commands .cli=${line} .curl=${request} label="Copy ${name.replace(" …", "").toLowerCase()} as command"></gs-commands></span>`;
}

async function run(path, verb, words, done) {
  try {
    await change("POST", `${path}/${verb}`);
    toast(words);
  } catch (failed) {
    toast(`${failed.message} ${failed.hint ?? ""}`, "bad");
  }
  done();
}

async function drain(node, path, done) {
  await confirm({
    title: `Drain ${node.id}`,
    text: "A draining node takes no new jobs. Uncordon ends the drain.",
    action: "Drain",
    danger: true,
    form: html`<gs-drain-form .node=${node}></gs-drain-form>`,
    done: `${node.id} drains.`,
    run: form => change("POST", `${path}/drain`, drainBody(form)),
  });
  done();
}

async function remove(node, path) {
  const removed = await confirm({
    title: `Remove ${node.id}`,
    text: "The scheduler forgets the node. It joins again if its agent comes back.",
    action: "Remove",
    danger: true,
    cli: cli("delete-node", node.id),
    curl: curl("DELETE", path),
    done: `${node.id} is removed.`,
    run: () => change("DELETE", path),
  });
  if (removed) go(["fleet"]);
}
