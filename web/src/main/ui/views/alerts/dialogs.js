/** Dialogs that silence an alert or test the webhooks. */
import {html} from "lit";
import {ApiError, change} from "../../lib/api.js";
import {plural} from "../../lib/format.js";
import {cli, curl} from "../../lib/commands.js";
import {titleOf} from "./conditions.js";
import {confirm} from "../../parts/confirm.js";

const TIMES = {60: "1 hour", 240: "4 hours", 1440: "1 day", 10080: "7 days"};

/** @param {any} alert @param {() => void} done */
export async function silence(alert, done) {
  const path = `alerts/${encodeURIComponent(alert.id)}/silence`;
  const body = form => {
    const reason = String(form.get("reason") ?? "").trim();
    return {minutes: Number(form.get("minutes")), ...(reason ? {reason} : {})};
  };
  const changed = await confirm({
    title: `Silence ${titleOf(alert.name)}`,
    text: "No webhook is called for it until then, also if it fires again. The page still shows it.",
    action: "Silence",
    form: html`<label class="field"><span>For</span><select name="minutes">${Object.entries(TIMES).map(([minutes, words]) => html`<option value=${minutes}>${words}</option>`)}</select></label>
      <label class="field"><span>Reason, for others</span><input name="reason" maxlength="500" autocomplete="off" placeholder="new fans are ordered"></label>`,
    commands: form => ({
      cli: cli("alerts", "silence", alert.id, "--minutes", body(form).minutes, ...(body(form).reason ? ["--reason", body(form).reason] : [])),
      curl: curl("POST", path, body(form)),
    }),
    done: `${alert.id} is silenced.`,
    run: form => change("POST", path, body(form)),
  });
  if (changed) done();
}

/** @param {any} alert @param {() => void} done */
export async function endSilence(alert, done) {
  const path = `alerts/${encodeURIComponent(alert.id)}/silence`;
  const changed = await confirm({
    title: `End the silence of ${titleOf(alert.name)}?`,
    text: "Webhooks are called for it again, and now if they were not told of it yet.",
    action: "End silence",
    cli: cli("alerts", "unsilence", alert.id),
    curl: curl("DELETE", path),
    done: `${alert.id} is no longer silenced.`,
    run: () => change("DELETE", path),
  });
  if (changed) done();
}

export function testWebhooks() {
  return confirm({
    title: "Test the webhooks",
    text: "Sends a test message to every webhook and waits for the answers.",
    action: "Send test",
    cli: cli("alerts", "test"),
    curl: curl("POST", "alerts/test"),
    done: "Every webhook has answered.",
    run: async () => checkAll((await change("POST", "alerts/test")).webhooks),
  });
}

/** The dialog shows a failure as the server's refusal. @param {any[]} webhooks */
function checkAll(webhooks) {
  if (webhooks.length === 0) {
    throw new ApiError(0, "No webhook is configured.", "Name one in alerts.webhooks and restart the scheduler.");
  }
  const failed = webhooks.filter(one => !one.delivered);
  if (failed.length > 0) {
    const reasons = failed.map(one => `${one.name}: ${one.error ?? `it answered ${one.status}`}`).join("; ");
    throw new ApiError(0, `${failed.length} of ${plural(webhooks.length, "webhook")} failed.`, reasons);
  }
}
