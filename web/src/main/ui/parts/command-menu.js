/**
 * "Copy as gpu-cli" and "copy as curl", beside every action:
 * `<gs-commands .cli=${cli("cancel", id)} .curl=${curl("DELETE", `jobs/${id}`)}></gs-commands>`.
 */
import {LitElement, html} from "lit";
import {toast} from "./toast.js";

class CommandMenu extends LitElement {
  static properties = {cli: {}, curl: {}, label: {}};

  constructor() {
    super();
    this.cli = "";
    this.curl = "";
    this.label = "Copy as command";
  }

  createRenderRoot() {
    return this;
  }

  render() {
    return html`<details class="menu commands" @toggle=${this.#toggled} @keydown=${this.#key}>
      <summary class="button icon" aria-label=${this.label} title=${this.label}>&gt;_</summary>
      <div class="popup">
        ${this.#one("gpu-cli", this.cli)}${this.#one("curl", this.curl)}
      </div>
    </details>`;
  }

  #one(name, text) {
    return text
      ? html`<button type="button" class="command" @click=${() => this.#copy(text)}>
          <span>Copy as ${name}</span><code>${text}</code>
        </button>`
      : "";
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.");
    } catch {
      toast("The browser does not allow copying here. Select the text instead.", "warn");
      return;
    }
    this.#close();
  }

  #toggled(event) {
    if (event.target.open) {
      document.addEventListener("click", this.#outside);
    } else {
      document.removeEventListener("click", this.#outside);
    }
  }

  #outside = event => {
    if (!event.composedPath().includes(this)) this.#close();
  };

  #key(event) {
    if (event.key === "Escape" && this.querySelector("details")?.open) {
      // Closes this list, not the dialog around it.
      event.preventDefault();
      this.#close();
      this.querySelector("summary")?.focus();
    }
  }

  #close() {
    const details = this.querySelector("details");
    if (details) details.open = false;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("click", this.#outside);
  }
}

customElements.define("gs-commands", CommandMenu);
