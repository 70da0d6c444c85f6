/** Dialogs that change the policy or promote the shadow. */
import {html} from "lit";
import {change} from "../../lib/api.js";
import {cli, curl} from "../../lib/commands.js";
import {describe, grouped} from "../../lib/policies.js";
import {confirm} from "../../parts/confirm.js";

/** @param {any} policy as the API shows it @param {() => void} done */
export async function changePolicy(policy, done) {
  const body = form => {
    const reason = String(form.get("reason") ?? "").trim();
    return {policy: String(form.get("policy")), ...(reason ? {reason} : {})};
  };
  const changed = await confirm({
    title: "Change the policy",
    text: html`<strong>${policy.policy}</strong> is in force. Running jobs are not affected by the change itself; from the next cycle on the new
      policy orders the queue. A preemptive policy may then preempt. There is no undo, but you can change back.`,
    action: "Change policy",
    form: html`<label class="field"><span>Policy</span><select name="policy">${grouped(policy.policies).map(([base, names]) => html`
        <optgroup label=${describe(base) ? `${base}: ${describe(base)}` : base}>${names.map(name => html`<option value=${name} ?selected=${name === policy.policy}>${name}</option>`)}</optgroup>`)}</select></label>
      <label class="field"><span>Reason, for the record</span><input name="reason" maxlength="1000" autocomplete="off"></label>`,
    commands: form => ({
      cli: cli("policy", "set", body(form).policy, ...(body(form).reason ? ["--reason", body(form).reason] : [])),
      curl: curl("PUT", "policy", body(form)),
    }),
    check: {label: "Dry run", run: async form => found(await change("PUT", "policy", body(form), {dry_run: true}))},
    done: "The policy is changed.",
    run: form => change("PUT", "policy", body(form)),
  });
  if (changed) done();
}

function found(answer) {
  if (!answer.changed) return html`<strong>${answer.wanted}</strong> is in force already: nothing would change.`;
  return html`<strong>${answer.wanted}</strong> would replace <strong>${answer.policy}</strong>${describe(answer.wanted) ? `: ${describe(answer.wanted)}` : ""}.
    Nothing has been changed.`;
}

/** @param {any} policy as the API shows it @param {() => void} done */
export async function promoteShadow(policy, done) {
  const body = form => {
    const reason = String(form.get("reason") ?? "").trim();
    return {...(form.get("force") ? {force: true} : {}), ...(reason ? {reason} : {})};
  };
  const better = policy.shadow.verdict === "better";
  const changed = await confirm({
    title: `Put ${policy.shadow.policy} in force?`,
    text: html`${policy.policy} becomes the shadow, so that the comparison goes on with exchanged roles.
      ${better ? "" : html`The comparison says <strong>${policy.shadow.verdict}</strong> in ${policy.promotion.objective}, so the scheduler refuses the promotion
        unless you force it.`}`,
    action: "Promote",
    danger: !better,
    form: html`<label class="check"><input type="checkbox" name="force"> Force: promote it even if it is not better, or not yet</label>
      <label class="field"><span>Reason, for the record</span><input name="reason" maxlength="900" autocomplete="off"></label>`,
    commands: form => ({
      cli: cli("shadow", "promote", ...(form.get("force") ? ["--force"] : []), ...(body(form).reason ? ["--reason", body(form).reason] : [])),
      curl: curl("POST", "shadow/promote", body(form)),
    }),
    done: `${policy.shadow.policy} is in force.`,
    run: form => change("POST", "shadow/promote", body(form)),
  });
  if (changed) done();
}
