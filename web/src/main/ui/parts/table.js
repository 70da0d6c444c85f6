/**
 * A table of any length. Only the rows in sight exist: `<gs-table .columns=… .total=100000
 * .page=${(offset, limit) => Promise<rows>} label="Queue">`, or with all `rows` at once.
 * Rows have one height, so that the place of a row follows from its number.
 */
import {LitElement, html} from "lit";
import {styled} from "../lib/styled.js";

const ROW = 40;
const PAGE = 100;
const BEYOND = 6;
/** How long scrolling must rest before rows are read, in milliseconds. */
const REST = 80;

/**
 * @typedef {{name: string, width?: string, align?: "right", narrow?: boolean, phone?: boolean, wide?: boolean, cell: (row: any) => unknown}} Column
 *     `narrow`: also shown on a phone; `phone`: only there; `wide`: only where there is much room; `width` in the syntax of CSS grids
 */

class VirtualTable extends LitElement {
  static properties = {
    label: {}, columns: {attribute: false}, rows: {attribute: false}, total: {type: Number},
    page: {attribute: false}, key: {attribute: false}, href: {attribute: false}, version: {attribute: false},
    first: {state: true},
  };

  constructor() {
    super();
    this.label = "";
    /** @type {Column[]} */
    this.columns = [];
    /** @type {any[] | null} */
    this.rows = null;
    this.total = 0;
    /** @type {((offset: number, limit: number) => Promise<any[]>) | null} reads rows when they come into sight */
    this.page = null;
    /** @type {((row: any) => string) | null} the address that a row leads to */
    this.href = null;
    /** Pages are read again when this changes. */
    this.version = 0;
    /** Names the list: under another key all rows are others, and the list begins at its top. */
    this.key = "";
    this.first = 0;
    /** @type {Map<number, any[]>} */
    this.pages = new Map();
    /** @type {Set<string>} pages that are being read */
    this.reading = new Set();
    /** @type {Set<number>} pages of the present version */
    this.fresh = new Set();
    this.stale = false;
    this.moving = false;
    this.soon = 0;
  }

  createRenderRoot() {
    return this;
  }

  get length() {
    return this.rows ? this.rows.length : this.total;
  }

  willUpdate(changed) {
    if (changed.has("key") && changed.get("key") !== undefined) {
      this.pages.clear();
      this.first = 0;
      const body = this.querySelector(".vtable-body");
      if (body) body.scrollTop = 0;
    }
    if (changed.has("key") || changed.has("version") || changed.has("page")) {
      // Old rows stay in sight until the new ones have come.
      this.stale = true;
    }
  }

  firstUpdated() {
    const body = this.querySelector(".vtable-body");
    this.resize = new ResizeObserver(() => this.requestUpdate());
    if (body) this.resize.observe(body);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.resize?.disconnect();
    clearTimeout(this.soon);
  }

  render() {
    const phone = matchMedia("(max-width: 760px)").matches;
    const wide = matchMedia("(min-width: 1240px)").matches;
    const columns = this.columns.filter(column => (phone ? column.narrow || column.phone : !column.phone && (wide || !column.wide)));
    const grid = columns.map(column => column.width ?? "minmax(0, 1fr)").join(" ");
    const height = this.querySelector(".vtable-body")?.clientHeight || 600;
    const from = Math.max(0, Math.min(this.first, this.length - 1) - BEYOND);
    const to = Math.min(this.length, this.first + Math.ceil(height / ROW) + BEYOND);
    const visible = [];
    for (let i = from; i < to; i++) visible.push(i);
    return html`<div class="vtable" role="table" aria-label=${this.label} aria-rowcount=${this.length + 1}
        ${styled({"--grid": grid})}>
      <div class="vtable-head" role="row" aria-rowindex="1">
        ${columns.map(column => html`<span role="columnheader" class=${column.align ?? ""}>${column.name}</span>`)}
      </div>
      <div class="vtable-body" role="rowgroup" tabindex="0" @scroll=${this.#scrolled} @keydown=${this.#key}
          aria-label="${this.label}, scrollable">
        <div class="vtable-space" role="presentation" ${styled({height: `${this.length * ROW}px`})}>
          ${visible.map(i => this.#row(i, columns))}
        </div>
      </div>
    </div>`;
  }

  #row(i, columns) {
    const row = this.#at(i);
    return html`<div class="vtable-row ${row === undefined ? "pending" : ""}" role="row" aria-rowindex=${i + 2}
        ${styled({transform: `translateY(${i * ROW}px)`})} @click=${event => this.#open(event, row)}>
      ${columns.map(column => html`<span role="cell" class=${column.align ?? ""}>${row === undefined ? "…" : column.cell(row)}</span>`)}
    </div>`;
  }

  #at(i) {
    if (this.rows) return this.rows[i];
    return this.pages.get(Math.floor(i / PAGE))?.[i % PAGE];
  }

  #open(event, row) {
    if (row !== undefined && this.href && !event.target.closest("a, button, input, summary")) {
      const address = this.href(row);
      if (address) location.hash = address;
    }
  }

  updated() {
    if (this.stale) {
      this.stale = false;
      this.fresh = new Set();
    }
    if (!this.page || this.rows) return;
    // While a person scrolls fast, only the pages where the scrolling rests are read.
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.#readVisible(), this.moving ? REST : 0);
    this.moving = false;
  }

  #readVisible() {
    const height = this.querySelector(".vtable-body")?.clientHeight || 600;
    const firstPage = Math.floor(Math.max(0, this.first - BEYOND) / PAGE);
    const lastPage = Math.floor((this.first + height / ROW + BEYOND) / PAGE);
    for (let number = firstPage; number <= lastPage && number * PAGE < Math.max(1, this.length); number++) {
      this.#read(number);
    }
  }

  /** Reads a page that is not fresh. Rows that come late are shown all the same, and read once more. */
  async #read(number) {
    const {page: read, key, fresh} = this;
    const name = `${key} ${number}`;
    if (!read || fresh.has(number) || this.reading.has(name)) return;
    this.reading.add(name);
    try {
      const rows = await read(number * PAGE, PAGE);
      if (this.key === key && this.isConnected) {
        fresh.add(number);
        this.pages.set(number, rows);
        this.#forgetFar(number);
        this.requestUpdate();
      }
    } catch {
      // The view shows the error of its own reading; the rows come with the next one.
    } finally {
      this.reading.delete(name);
    }
  }

  /** Keeps only pages near the present one: a list of any length takes bounded memory. */
  #forgetFar(number) {
    for (const other of this.pages.keys()) {
      if (Math.abs(other - number) > 20) {
        this.pages.delete(other);
        this.fresh.delete(other);
      }
    }
  }

  #scrolled(event) {
    this.moving = true;
    this.first = Math.floor(event.target.scrollTop / ROW);
  }

  #key(event) {
    const body = event.currentTarget;
    const steps = {ArrowDown: ROW, ArrowUp: -ROW, PageDown: body.clientHeight - ROW, PageUp: ROW - body.clientHeight};
    if (event.target !== body) return;
    if (event.key in steps) body.scrollTop += steps[event.key];
    else if (event.key === "Home") body.scrollTop = 0;
    else if (event.key === "End") body.scrollTop = body.scrollHeight;
    else return;
    event.preventDefault();
  }
}

customElements.define("gs-table", VirtualTable);
