/** What-ifs: start one, watch it, read its answer, delete it. */
import {html} from "lit";
import {empty} from "../../lib/view.js";
import {change} from "../../lib/api.js";
import {link, setQuery} from "../../lib/router.js";
import {ago, percent} from "../../lib/format.js";
import {cli, curl} from "../../lib/commands.js";
import {confirm} from "../../parts/confirm.js";
import {toast} from "../../parts/toast.js";
import {stateChip} from "../../parts/chips.js";
import {answer} from "./answer.js";
import {startForm} from "./form.js";
import "../../parts/command-menu.js";

/** @param {any} view */
export function whatIfs(view) {
  const {list, shown, missing} = view.data;
  return html`<div class="grid">
    <div class="w4 stack">${startForm(view, body => start(view, body))}${asked(view, list)}</div>
    <section class="card w8 lb-answer">
      ${shown ? one(view, shown) : missing ? empty(`There is no ${missing} any more`, "The scheduler keeps the last 20 answers until it stops. Start it again.")
        : empty("What would another policy have done?", html`Choose a policy and a period, and start. The scheduler replays its own journal under that
          policy and compares what each tenant would have got with what it got. A million events take about ten seconds.`)}
    </section></div>`;
}

async function start(view, body) {
  try {
    const made = await change("POST", "what-if", body);
    setQuery({id: made.id});
  } catch (failed) {
    toast(`${failed.message} ${failed.hint ?? ""}`, "bad");
  }
  view.refresh();
}

function title(run) {
  const parts = [run.policy || "the policy in force", run.placement ? `with placement ${run.placement}` : ""];
  return parts.filter(Boolean).join(" ");
}

function asked(view, list) {
  const shown = view.route.query.get("id");
  return html`<section class="card"><header><h2>Earlier what-ifs</h2></header>
    ${list.length === 0 ? html`<p class="muted">None yet. The scheduler keeps the last 20 until it stops.</p>` : html`<ul class="plain lb-list">
      ${[...list].sort((a, b) => Date.parse(b.asked_at) - Date.parse(a.asked_at)).map(run => html`<li class=${run.id === shown ? "chosen" : ""}>
        <a href=${link(["lab"], {...Object.fromEntries(view.route.query), id: run.id})} aria-current=${run.id === shown ? "true" : "false"}>${title(run)}</a>
        <span class="muted">${ago(run.asked_at)}</span>
        ${run.state === "running" ? html`<span class="muted">${percent(run.progress)}</span>` : stateChip(run.state)}
      </li>`)}</ul>`}</section>`;
}

function one(view, run) {
  const path = `what-if/${encodeURIComponent(run.id)}`;
  return html`<header><h2>${title(run)}</h2>${stateChip(run.state)}<span class="muted">${run.id}, asked ${ago(run.asked_at)}</span><span class="spring"></span>
      <button class="button small" @click=${() => drop(view, run, path)}>${run.state === "running" ? "Cancel" : "Delete"}</button>
      <gs-commands .cli=${cli("what-if", run.id)} .curl=${curl("GET", path)}></gs-commands></header>
    ${run.state === "running" ? progress(run) : ""}
    ${run.error ? html`<div class="notice bad" role="alert">${run.error}</div>` : ""}
    ${run.result ? answer(run.result) : ""}`;
}

function progress(run) {
  return html`<div class="lb-progress" role="status"><progress max="1" value=${run.progress} aria-label="Progress of ${run.id}"></progress>
    <p class="muted">${percent(run.progress)} of the journal is replayed. The page shows the answer when it is there.</p></div>`;
}

async function drop(view, run, path) {
  const running = run.state === "running";
  const changed = await confirm({
    title: `${running ? "Cancel" : "Delete"} ${run.id}?`,
    text: running ? "The replay stops without an answer." : "Its answer is thrown away. You can ask again.",
    action: running ? "Cancel what-if" : "Delete answer",
    danger: true,
    cli: cli("what-if", run.id, "--cancel"),
    curl: curl("DELETE", path),
    done: running ? `${run.id} is being cancelled.` : `${run.id} is deleted.`,
    run: () => change("DELETE", path),
  });
  if (changed) setQuery({id: ""});
}
