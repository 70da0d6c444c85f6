/**
 * Asks before an action that cannot be undone, shows the same action as a command, runs it, and
 * shows the server's answer if it refuses.
 */
import {html, render} from "lit";
import {toast} from "./toast.js";
import "./command-menu.js";

/**
 * @param {{title: string, text?: unknown, action: string, danger?: boolean, cli?: string, curl?: string,
 *     form?: unknown, done?: string, run: (form: FormData) => Promise<unknown>}} question
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

    const close = () => dialog.close();
    const submit = async event => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      error = null;
      draw();
      try {
        await question.run(new FormData(event.target));
        result = true;
        if (question.done) toast(question.done);
        close();
      } catch (failed) {
        error = failed;
      }
      busy = false;
      draw();
    };
    const draw = () => render(html`
      <form @submit=${submit}>
        <h2>${question.title}</h2>
        ${question.text ? html`<div class="text">${question.text}</div>` : ""}
        ${question.form ?? ""}
        ${error ? html`<div class="notice bad" role="alert"><strong>${error.message}</strong> ${error.hint ?? ""}</div>` : ""}
        <div class="actions">
          ${question.cli || question.curl ? html`<gs-commands .cli=${question.cli ?? ""} .curl=${question.curl ?? ""}></gs-commands>` : ""}
          <span class="spring"></span>
          <button type="button" class="button" @click=${close}>Go back</button>
          <button class="button ${question.danger ? "danger" : "primary"}" ?disabled=${busy}>${question.action}</button>
        </div>
      </form>`, dialog);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    draw();
    dialog.showModal();
  });
}
