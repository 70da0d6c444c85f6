/**
 * Asks before an action that cannot be undone, shows the same action as a command, runs it, and
 * shows the server's answer if it refuses.
 */
import {html, render} from "lit";
import {toast} from "./toast.js";
import "./command-menu.js";

/**
 * @typedef {{cli?: string, curl?: string}} Commands
 * @typedef {{title: string, text?: unknown, action: string, danger?: boolean, cli?: string, curl?: string,
 *     form?: unknown, done?: string, run: (form: FormData) => Promise<unknown>,
 *     commands?: (form: FormData) => Commands, check?: {label: string, run: (form: FormData) => Promise<unknown>}}} Question
 *     `commands`: the action as a command, from what the form says now; `check`: tries the action
 *     without carrying it out and returns what it would do
 */

/**
 * @param {Question} question
 * @returns {Promise<boolean>} whether the action was carried out
 */
export function confirm(question) {
  return new Promise(resolve => {
    const dialog = document.createElement("dialog");
    dialog.className = "dialog";
    dialog.setAttribute("aria-label", question.title);
    document.body.append(dialog);
    let result = false;
    let error = null;
    let busy = false;
    let found = null;

    const form = () => new FormData(/** @type {HTMLFormElement} */ (dialog.querySelector("form")));
    const close = () => dialog.close();
    // A dialog belongs to its view.
    addEventListener("hashchange", close);
    const attempt = async action => {
      if (busy) return;
      busy = true;
      error = null;
      found = null;
      draw();
      try {
        await action();
      } catch (failed) {
        error = failed;
      }
      busy = false;
      draw();
    };
    const submit = event => {
      event.preventDefault();
      attempt(async () => {
        await question.run(form());
        result = true;
        if (question.done) toast(question.done);
        close();
      });
    };
    const check = () => attempt(async () => {
      found = await question.check?.run(form());
    });
    const changed = () => {
      found = null;
      draw();
    };
    const draw = () => {
      const told = question.commands && dialog.firstElementChild ? question.commands(form()) : question;
      render(html`
        <form @submit=${submit} @input=${changed}>
          <h2>${question.title}</h2>
          ${question.text ? html`<div class="text">${question.text}</div>` : ""}
          ${question.form ?? ""}
          ${error ? html`<div class="notice bad" role="alert"><strong>${error.message}</strong> ${error.hint ?? ""}</div>` : ""}
          ${found ? html`<div class="notice good" role="status">${found}</div>` : ""}
          <div class="actions">
            ${told.cli || told.curl ? html`<gs-commands .cli=${told.cli ?? ""} .curl=${told.curl ?? ""}></gs-commands>` : ""}
            <span class="spring"></span>
            <button type="button" class="button" @click=${close}>Go back</button>
            ${question.check ? html`<button type="button" class="button" ?disabled=${busy} @click=${check}>${question.check.label}</button>` : ""}
            <button class="button ${question.danger ? "danger" : "primary"}" ?disabled=${busy}>${question.action}</button>
          </div>
        </form>`, dialog);
    };
    dialog.addEventListener("close", () => {
      removeEventListener("hashchange", close);
      dialog.remove();
      resolve(result);
    });
    draw();
    if (question.commands) draw();
    dialog.showModal();
  });
}
