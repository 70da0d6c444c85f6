/** Every GPU of the cluster as a heat map, and the nodes as a list. */
import {html} from "lit";
import {View, empty} from "../lib/view.js";
import {link, setQuery} from "../lib/router.js";
import {count, percent, plural} from "../lib/format.js";
import {meter} from "../parts/meter.js";
import {STATES} from "./fleet/data.js";
import {FleetReader} from "./fleet/reader.js";
import {Selection} from "./fleet/selection.js";
import {MODES} from "./fleet/modes.js";
import {legend} from "./fleet/legend.js";
import {nodeList} from "./fleet/list.js";
import "./fleet/map.js";

class FleetView extends View {
  static every = 3_000;
  static least = 2_000;

  #reader = new FleetReader();
  /** @type {Selection | null} */
  #selection = null;
  #routed = () => this.requestUpdate();

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.#routed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#routed);
  }

  concerns(event) {
    return event.subject === "node" || event.subject === "job";
  }

  load(signal) {
    return this.#reader.read(signal);
  }

  get mode() {
    const wanted = this.route.query.get("by") ?? "use";
    return wanted in MODES ? wanted : "use";
  }

  get zoom() {
    return Math.max(-14, Math.min(14, Number.parseInt(this.route.query.get("zoom") ?? "0", 10) || 0));
  }

  /** The nodes that the address asks for; computed again only when it or the picture changed. */
  get selection() {
    const query = this.route.query;
    const filter = {
      rack: query.get("rack"), model: query.get("model") ?? "", state: query.get("state") ?? "",
      tenant: query.get("tenant") ?? "", text: query.get("text") ?? "",
    };
    const same = this.#selection?.fleet === this.data && JSON.stringify(this.#selection?.filter) === JSON.stringify(filter);
    if (!same) this.#selection = new Selection(this.data, filter);
    return /** @type {Selection} */ (this.#selection);
  }

  show() {
    const selection = this.selection;
    return html`<div class="head"><h1>Fleet</h1><span class="spring"></span>
        <div class="segmented fleet-modes" role="group" aria-label="Colour by">${Object.entries(MODES).map(([name, mode]) => html`
          <button aria-pressed=${name === this.mode} @click=${() => setQuery({by: name})}>${mode.title}</button>`)}</div></div>
      ${this.data.nodes === 0 ? empty("No machine has joined yet",
        html`Start an agent on each GPU machine: <code>bin/agent --server HOST:9090</code>.`) : html`
      <div class="grid fleet-figures">${this.#figures(selection)}</div>
      <section class="card fleet-map-card" aria-label="Heat map">
        <header>${this.#filters()}<span class="spring"></span>${this.#zoomButtons()}</header>
        ${selection.nodes.length === 0
          ? empty("No node matches", html`<a href=${link(["fleet"], {by: this.mode})}>Clear the filters</a> to see all ${count(this.data.nodes)} nodes.`)
          : html`<gs-fleet-map .selection=${selection} .mode=${this.mode} .zoom=${this.zoom}
              label="Heat map of ${plural(selection.nodes.length, "node")} by ${MODES[this.mode].title.toLowerCase()}. Arrow keys move from GPU to GPU, Enter opens the node. The list below has the same nodes."></gs-fleet-map>
            ${legend(selection, this.mode)}`}
      </section>
      ${selection.nodes.length === 0 ? "" : nodeList(selection, this.route.query.get("sort") ?? "")}`}`;
  }

  #figures(selection) {
    const totals = selection.totals();
    const closed = selection.nodes.length - totals.states[0];
    const words = STATES.map((state, i) => (i && totals.states[i] ? `${totals.states[i]} ${state}` : "")).filter(Boolean);
    return html`
      <section class="card figure w3"><span class="label">GPUs in use</span>
        <span class="value">${count(totals.used)} <small>of ${count(totals.gpus)}</small></span>
        ${meter("GPUs in use", totals.used, totals.gpus)}
        <span class="sub">${totals.gpus ? percent(totals.used / totals.gpus) : "no GPUs"}</span></section>
      <section class="card figure w3"><span class="label">Free</span>
        <span class="value">${count(totals.free)} <small>GPUs</small></span>
        <span class="sub">${totals.closed ? `${count(totals.closed)} more free, but hot, unfit or on closed nodes` : "ready for jobs"}</span></section>
      <section class="card figure w3"><span class="label">Hot or unfit</span>
        <span class="value">${count(totals.hot + totals.unfit)} <small>GPUs</small></span>
        <span class="sub">${totals.hot + totals.unfit ? html`${count(totals.hot)} hot, ${count(totals.unfit)} unfit ·
          <a href=${link(["fleet"], {by: "health", sort: "health"})}>show</a>` : "all GPUs are healthy"}</span></section>
      <section class="card figure w3"><span class="label">Nodes not ready</span>
        <span class="value">${count(closed)} <small>of ${count(selection.nodes.length)}</small></span>
        <span class="sub">${closed ? html`${words.join(", ")} ·
          <a href=${link(["fleet"], {by: this.mode, state: "closed"})}>show</a>` : "all nodes take jobs"}</span></section>`;
  }

  #filters() {
    const {filter} = this.selection;
    const fleet = this.data;
    const racks = fleet.racks.length > 1 || fleet.racks[0] !== "" ? fleet.racks : [];
    return html`<div class="filters">
      <input type="search" size="14" placeholder="Node name" aria-label="Node name contains" .value=${filter.text}
        @input=${event => setQuery({text: event.target.value})}>
      ${racks.length ? choice("Rack", "rack", filter.rack ?? "", racks) : ""}
      ${choice("Model", "model", filter.model, fleet.models)}
      ${choice("State", "state", filter.state, ["closed", ...STATES], {closed: "not ready"})}
      ${choice("Tenant", "tenant", filter.tenant, fleet.tenants)}
    </div>`;
  }

  #zoomButtons() {
    return html`<div class="segmented" role="group" aria-label="Zoom">
      <button aria-label="Smaller cells" @click=${() => setQuery({zoom: this.zoom - 1 || ""})}>−</button>
      <button aria-label="Fit into the box" aria-pressed=${this.zoom === 0} @click=${() => setQuery({zoom: ""})}>Fit</button>
      <button aria-label="Larger cells" @click=${() => setQuery({zoom: this.zoom + 1 || ""})}>+</button></div>`;
  }
}

/** A list to choose from, whose value is in the address. */
function choice(title, name, value, options, words = {}) {
  return html`<select aria-label=${title} @change=${event => setQuery({[name]: event.target.value})}>
    <option value="" ?selected=${!value}>${title}: all</option>
    ${options.filter(Boolean).map(option => html`<option value=${option} ?selected=${option === value}>${words[option] ?? option}</option>`)}
  </select>`;
}

customElements.define("gs-fleet", FleetView);
