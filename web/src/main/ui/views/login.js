/** Login by token. */
import {LitElement, html} from "lit";
import {session} from "../lib/session.js";
import {get, ApiError} from "../lib/api.js";

class Login extends LitElement {
  static properties = {error: {state: true}, busy: {state: true}};

  constructor() {
    super();
    this.error = "";
    this.busy = false;
  }

  createRenderRoot() {
    return this;
  }

  render() {
    return html`<main class="login"><form class="card" @submit=${this.#submit}>
      <img src="icon.svg" alt="">
      <h1>Log in to gpu-scheduler</h1>
      ${session.reason ? html`<div class="notice warn" role="status">${session.reason}</div>` : ""}
      <label class="field"><span>Token</span>
        <input name="token" type="password" autocomplete="off" required autofocus spellcheck="false">
        <span class="help">An administrator makes one for a tenant with
          <code>gpu-cli create-token TENANT</code>. The administrator's own is in the file
          <code>admin-token</code> of the scheduler's data directory.</span>
      </label>
      <label class="check"><input type="checkbox" name="keep"> Stay logged in on this device</label>
      ${this.error ? html`<div class="notice bad" role="alert">${this.error}</div>` : ""}
      <button class="button primary" ?disabled=${this.busy}>Log in</button>
    </form></main>`;
  }

  async #submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    if (!/^[\x21-\x7e]+$/.test(String(form.get("token")).trim())) {
      this.error = "A token has only Latin letters, digits and signs, and no spaces. Copy it again.";
      return;
    }
    this.busy = true;
    this.error = "";
    session.use(String(form.get("token")).trim(), form.get("keep") !== null);
    try {
      await get("whoami");
      this.dispatchEvent(new Event("entered"));
    } catch (failed) {
      session.forget();
      const refused = failed instanceof ApiError && failed.status === 401;
      this.error = refused ? "The scheduler does not know this token. Check that it is complete." : String(failed.message);
    }
    session.reason = "";
    this.busy = false;
  }
}

customElements.define("gs-login", Login);
