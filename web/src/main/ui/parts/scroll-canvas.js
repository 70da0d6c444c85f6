/**
 * The base of drawings that are larger than the screen: a canvas as large as what is in sight, in a
 * box that scrolls. Subclasses say how tall everything is, draw the part in sight, and say what is
 * at a point. Pointer and keyboard choose one thing at a time; its facts are shown in a card and
 * read out.
 */
import {LitElement, html} from "lit";
import {styled} from "../lib/styled.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box in the coordinates of the whole drawing */
/** @typedef {{context: CanvasRenderingContext2D, width: number, height: number, top: number, ratio: number}} Sheet */

const CARD_WIDTH = 264;
/** Measures of the browser are kept until somebody clears them; a page may be open for weeks. */
const MEASURES_KEPT = 500;

export class ScrollCanvas extends LitElement {
  static properties = {label: {}, chosen: {state: true}, pinned: {state: true}, width: {state: true}};

  /** The name under which the browser records how long drawing took. */
  static measure = "draw";

  constructor() {
    super();
    this.label = "";
    /** Number of the thing whose card is shown, or -1. */
    this.chosen = -1;
    /** Whether the card stays when the pointer leaves. */
    this.pinned = false;
    this.width = 0;
  }

  #frame = 0;
  #measured = 0;
  #observer = new ResizeObserver(() => this.#resized());
  #themed = () => this.themeChanged();

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("themechange", this.#themed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("themechange", this.#themed);
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Height of the whole drawing. @returns {number} */
  get tall() {
    return 0;
  }

  /** Greatest height of the box, in pixels of the screen. @returns {number} */
  get tallest() {
    return Math.max(280, Math.round(innerHeight * 0.64));
  }

  /** Draws what is in sight. @param {Sheet} sheet */
  draw(sheet) {}

  /** What is at this point, or -1. @param {number} x @param {number} y @returns {number} */
  at(x, y) {
    return -1;
  }

  /** Where a thing is. @param {number} thing @returns {Box | null} */
  boxOf(thing) {
    return null;
  }

  /** The facts of a thing. @param {number} thing */
  card(thing) {
    return html``;
  }

  /** The same in one sentence. @param {number} thing @returns {string} */
  inWords(thing) {
    return "";
  }

  /** The thing that a key leads to, or -1 if the key has no meaning. @param {string} key @returns {number} */
  next(key) {
    return -1;
  }

  /** Follows Enter or a double click. @param {number} thing */
  open(thing) {}

  themeChanged() {
    this.repaint();
  }

  get #scroller() {
    return /** @type {HTMLElement | null} */ (this.querySelector(".scan-box"));
  }

  firstUpdated() {
    const scroller = this.#scroller;
    if (scroller) this.#observer.observe(scroller);
    this.#resized();
  }

  updated() {
    this.repaint();
  }

  #resized() {
    const width = this.#scroller?.clientWidth ?? 0;
    if (width !== this.width) this.width = width;
    this.repaint();
  }

  /** Draws at the next frame, however often it is called. */
  repaint() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint() {
    const scroller = this.#scroller;
    const canvas = this.querySelector("canvas");
    const context = canvas?.getContext("2d", {alpha: false});
    if (!scroller || !canvas || !context || scroller.clientWidth === 0) return;
    const ratio = devicePixelRatio || 1;
    const width = scroller.clientWidth;
    const height = scroller.clientHeight;
    const across = Math.round(width * ratio);
    const down = Math.round(height * ratio);
    if (canvas.width !== across || canvas.height !== down) {
      canvas.width = across;
      canvas.height = down;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const name = /** @type {typeof ScrollCanvas} */ (this.constructor).measure;
    const start = performance.now();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw({context, width, height, top: scroller.scrollTop, ratio});
    if (this.#measured++ % MEASURES_KEPT === 0) performance.clearMeasures(name);
    performance.measure(name, {start, end: performance.now()});
  }

  render() {
    const tall = Math.max(1, this.tall);
    return html`<div class="scan">
      <div class="scan-box" tabindex="0" role="application" aria-label=${this.label}
          ${styled({height: `${Math.min(tall, this.tallest)}px`})}
          @scroll=${this.#scrolled} @pointermove=${this.#moved} @pointerleave=${this.#left}
          @click=${this.#clicked} @dblclick=${() => this.#openChosen()} @keydown=${this.#key}>
        <div class="scan-space" ${styled({height: `${tall}px`})}>
          <canvas role="img" aria-label=${this.label}></canvas>
          ${this.#cursor()}
        </div>
      </div>
      ${this.#card()}
      <p class="visually-hidden" role="status">${this.chosen >= 0 && this.pinned ? this.inWords(this.chosen) : ""}</p>
    </div>`;
  }

  #cursor() {
    const box = this.chosen >= 0 ? this.boxOf(this.chosen) : null;
    if (!box) return "";
    return html`<div class="scan-cursor" ${styled({
      left: `${box.x - 2}px`, top: `${box.y - 2}px`, width: `${box.width + 4}px`, height: `${box.height + 4}px`,
    })}></div>`;
  }

  #card() {
    const box = this.chosen >= 0 ? this.boxOf(this.chosen) : null;
    if (!box) return "";
    const room = this.width - CARD_WIDTH - 8;
    const right = box.x + box.width + 12;
    const left = right <= room ? right : Math.max(4, box.x - CARD_WIDTH - 12);
    const top = box.y - (this.#scroller?.scrollTop ?? 0);
    // Where there is no room at either side, the card goes below, so that it hides no neighbour.
    const beside = right <= room || box.x - CARD_WIDTH - 12 >= 0;
    return html`<div class="scan-card ${this.pinned ? "pinned" : ""}" ${styled({
      left: `${beside ? left : Math.max(4, Math.min(box.x, room))}px`, top: `${beside ? top - 6 : top + box.height + 10}px`,
    })} @keydown=${this.#leaveCard}>${this.card(this.chosen)}</div>`;
  }

  #thingAt(event) {
    const space = this.querySelector(".scan-space")?.getBoundingClientRect();
    return space ? this.at(event.clientX - space.left, event.clientY - space.top) : -1;
  }

  #moved(event) {
    if (this.pinned || event.pointerType === "touch") return;
    this.chosen = this.#thingAt(event);
  }

  #left(event) {
    if (!this.pinned && event.pointerType !== "touch") this.chosen = -1;
  }

  #clicked(event) {
    const thing = this.#thingAt(event);
    this.pinned = thing >= 0 && !(this.pinned && thing === this.chosen);
    this.chosen = thing;
  }

  #scrolled() {
    this.repaint();
    if (this.chosen >= 0) this.requestUpdate();
  }

  #leaveCard(event) {
    if (event.key === "Escape") this.#scroller?.focus();
  }

  #openChosen() {
    if (this.chosen >= 0) this.open(this.chosen);
  }

  #key(event) {
    if (event.key === "Escape") {
      this.chosen = -1;
      this.pinned = false;
    } else if (event.key === "Enter") {
      this.#openChosen();
    } else {
      const next = this.next(event.key);
      if (next < 0) return;
      this.chosen = next;
      this.pinned = true;
      this.#reveal(next);
    }
    event.preventDefault();
  }

  /** Scrolls so that the thing is in sight. */
  #reveal(thing) {
    const scroller = this.#scroller;
    const box = this.boxOf(thing);
    if (!scroller || !box) return;
    const margin = 40;
    if (box.y < scroller.scrollTop + margin) {
      scroller.scrollTop = box.y - margin;
    } else if (box.y + box.height > scroller.scrollTop + scroller.clientHeight - margin) {
      scroller.scrollTop = box.y + box.height + margin - scroller.clientHeight;
    }
  }
}
