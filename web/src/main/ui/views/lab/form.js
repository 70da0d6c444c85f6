/** The form that starts a what-if. What it says is in the address, so that a question can be shared. */
import {html} from "lit";
import {setQuery} from "../../lib/router.js";
import {cli, curl} from "../../lib/commands.js";
import "../../parts/command-menu.js";

const PERIODS = {"": "everything that is recorded", "1h": "the last hour", "6h": "the last 6 hours", "24h": "the last 24 hours", "7d": "the last 7 days", at: "since a time or batch …"};
const SECONDS = {"1h": 3600, "6h": 21_600, "24h": 86_400, "7d": 604_800};
/** Names that are often tried; the scheduler lists all if it does not know one. */
const PLACEMENTS = ["best-fit", "balanced-fit", "gpu-packing", "fgd", "five-term", "learned", "power-aware", "thermal-aware"];

/** @param {any} view @param {(body: any) => void} start */
export function startForm(view, start) {
  const {query} = view.route;
  const {policy} = view.data;
  const chosen = query.get("policy") ?? "";
  const period = query.get("period") ?? "";
  const body = question(query);
  const running = view.data.list.some(one => one.state === "running");
  const ready = Object.keys(body).length > 0;
  return html`<form class="card lb-form" @submit=${event => {
      event.preventDefault();
      start(question(view.route.query));
    }}>
    <header><h2>Ask</h2></header>
    <label class="field"><span>Policy</span><select @change=${event => setQuery({policy: event.target.value})}>
      <option value="">as it was (${policy.policy} now)</option>
      ${policy.policies.map(name => html`<option ?selected=${name === chosen}>${name}</option>`)}</select></label>
    <label class="field"><span>Placement strategy</span><input list="lb-placements" placeholder="as it was" autocomplete="off" spellcheck="false"
      .value=${query.get("placement") ?? ""} @change=${event => setQuery({placement: event.target.value.trim()})}></label>
    <datalist id="lb-placements">${PLACEMENTS.map(name => html`<option value=${name}></option>`)}</datalist>
    <label class="field"><span>Period</span><select @change=${event => setQuery({period: event.target.value})}>
      ${Object.entries(PERIODS).map(([key, words]) => html`<option value=${key} ?selected=${key === period}>${words}</option>`)}</select></label>
    ${period === "at" ? html`<label class="field"><span>Since</span><input placeholder="2026-01-05T04:00:00Z or 1000" autocomplete="off"
      .value=${query.get("since") ?? ""} @change=${event => setQuery({since: event.target.value.trim()})}>
      <span class="help">A time in UTC or the number of a batch.</span></label>` : ""}
    <div class="filters"><button class="button primary" ?disabled=${running || !ready}>Start</button>
      ${ready ? html`<gs-commands .cli=${command(body)} .curl=${curl("POST", "what-if", body)}></gs-commands>` : ""}
      <span class="muted">${running ? "One runs already; only one runs at a time." : ready ? "" : "Choose a policy, a placement or a period."}</span></div>
  </form>`;
}

/** @param {URLSearchParams} query */
function question(query) {
  const body = {};
  if (query.get("policy")) body.policy = query.get("policy");
  if (query.get("placement")) body.placement = query.get("placement");
  const period = query.get("period") ?? "";
  if (Object.hasOwn(SECONDS, period)) body.since = new Date(Date.now() - SECONDS[period] * 1000).toISOString().replace(/\.\d+Z$/, "Z");
  else if (period === "at" && query.get("since")) body.since = query.get("since");
  return body;
}

function command(body) {
  return cli("what-if", ...Object.entries(body).flatMap(([key, value]) => [`--${key}`, value]));
}
