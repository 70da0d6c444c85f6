/** The tokens of a tenant, for administrators. The text of a token is shown once. */
import {html, render} from "lit";
import {change} from "../../lib/api.js";
import {ago, clock} from "../../lib/format.js";
import {cli, curl} from "../../lib/commands.js";
import {confirm} from "../../parts/confirm.js";
import {toast} from "../../parts/toast.js";

/** @param {string} tenant @param {any[]} tokens @param {() => void} refresh */
export function tokenCard(tenant, tokens, refresh) {
  return html`<section class="card w6 half"><header><h2>Tokens</h2><span class="spring"></span>
      <button class="button small" @click=${() => makeToken(tenant, refresh)}>New token</button></header>
    ${tokens.length === 0
      ? html`<p class="muted">None. People of this tenant need a token to log in and to submit jobs.</p>`
      : html`<table class="plain"><thead><tr><th>Id</th><th>Created</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${tokens.map(token => html`<tr><td><code>${token.token_id}</code></td>
          <td title=${clock(token.created_at)}>${ago(token.created_at)}</td>
          <td class="right"><button class="button small" aria-label="Revoke ${token.token_id}" @click=${() => revoke(tenant, token.token_id, refresh)}>Revoke</button></td></tr>`)}
        </tbody></table>`}
  </section>`;
}

async function makeToken(tenant, refresh) {
  const path = `tenants/${encodeURIComponent(tenant)}/tokens`;
  let made = null;
  const changed = await confirm({
    title: `New token for ${tenant}`,
    text: "Whoever has it sees and changes the jobs of this tenant. The scheduler keeps no copy of its text.",
    action: "Make token",
    cli: cli("create-token", tenant),
    curl: curl("POST", path),
    run: async () => {
      made = await change("POST", path);
    },
  });
  if (changed && made) {
    showOnce(tenant, made);
    refresh();
  }
}

async function revoke(tenant, id, refresh) {
  const path = `tenants/${encodeURIComponent(tenant)}/tokens/${encodeURIComponent(id)}`;
  const changed = await confirm({
    title: `Revoke ${id}?`,
    text: `Programs and people that use this token of ${tenant} are refused from now on.`,
    action: "Revoke token",
    danger: true,
    cli: cli("revoke-token", tenant, id),
    curl: curl("DELETE", path),
    done: `${id}: revoked.`,
    run: () => change("DELETE", path),
  });
  if (changed) refresh();
}

/** The only moment at which the text of a token is known; it is gone when the dialog is closed. */
function showOnce(tenant, made) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", `Token of ${tenant}`);
  document.body.append(dialog);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.token);
      toast("Copied.");
    } catch {
      toast("The browser does not allow copying here. Select the text instead.", "warn");
    }
  };
  render(html`<form method="dialog"><h2>Token of ${tenant}</h2>
    <p>Copy it now: it is not shown again. Its id is <code>${made.token_id}</code>.</p>
    <code class="secret" tabindex="0">${made.token}</code>
    <div class="actions"><span class="spring"></span>
      <button type="button" class="button" @click=${copy}>Copy token</button>
      <button type="button" class="button primary" @click=${() => dialog.close()}>Done</button></div></form>`, dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
