/** The lab: replay the past under another policy, and read a comparison that was made elsewhere. */
import {html} from "lit";
import {View} from "../lib/view.js";
import {get} from "../lib/api.js";
import {link} from "../lib/router.js";
import {whatIfs} from "./lab/what-if.js";
import "./lab/compare.js";

class Lab extends View {
  static every = 20_000;
  static least = 800;

  concerns() {
    return false;
  }

  get tab() {
    return this.route.query.get("tab") === "compare" ? "compare" : "what-if";
  }

  async load(signal) {
    if (this.tab === "compare") return this.data ?? {list: [], shown: null, policy: null};
    const [list, policy] = await Promise.all([get("what-if", {}, signal), get("policy", {}, signal)]);
    const id = this.route.query.get("id") ?? "";
    const known = list.what_ifs.some(one => one.id === id);
    const shown = known ? await get(`what-if/${encodeURIComponent(id)}`, {}, signal) : null;
    return {list: list.what_ifs, policy, shown, missing: id && !known ? id : ""};
  }

  updated() {
    if (this.tab === "what-if" && this.data?.list.some(one => one.state === "running")) this.later();
  }

  show() {
    return html`<div class="head"><h1>Lab</h1><span class="muted">try a policy on past or simulated jobs; nothing here changes the cluster</span></div>
      <nav class="tabs" aria-label="Parts of the lab">
        <a href=${link(["lab"])} aria-current=${this.tab === "what-if" ? "page" : "false"}>What if</a>
        <a href=${link(["lab"], {tab: "compare"})} aria-current=${this.tab === "compare" ? "page" : "false"}>Comparison report</a></nav>
      ${this.tab === "compare" ? html`<gs-comparison></gs-comparison>` : this.data.policy ? whatIfs(this) : html`<div class="skeleton"></div>`}`;
  }
}

customElements.define("gs-lab", Lab);
