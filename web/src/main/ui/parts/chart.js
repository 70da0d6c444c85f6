/**
 * A time series: `<gs-chart label="GPUs in use" .times=${[…]} .series=${[{name, values, colour}]}>`.
 * Times are seconds since 1970. The same figures are available as a table for screen readers.
 */
import {LitElement, html} from "lit";
import "../vendor/chart/chart.umd.min.js";
import {themeColour} from "../lib/colours.js";
import {clock, count} from "../lib/format.js";

/** @typedef {{name: string, values: (number | null)[], colour: string, dashed?: boolean, stepped?: boolean, fill?: boolean}} Series */

/** The library makes one global of itself. */
const Chart = /** @type {any} */ (globalThis).Chart;
Chart.defaults.font.family = "inherit";
Chart.defaults.animation = false;

class TimeChart extends LitElement {
  static properties = {
    label: {}, times: {attribute: false}, series: {attribute: false}, stacked: {type: Boolean},
    format: {attribute: false}, least: {attribute: false}, most: {attribute: false},
  };

  constructor() {
    super();
    this.label = "";
    /** @type {number[]} */
    this.times = [];
    /** @type {Series[]} */
    this.series = [];
    this.stacked = false;
    /** @type {(value: number) => string} */
    this.format = count;
    /** @type {number | undefined} the top of the scale, if it is fixed */
    this.most = undefined;
    /** @type {number | undefined} the bottom of the scale, if it is not 0 */
    this.least = undefined;
    this.chart = null;
  }

  #redraw = () => {
    this.chart?.destroy();
    this.chart = null;
    this.requestUpdate();
  };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("themechange", this.#redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("themechange", this.#redraw);
    this.chart?.destroy();
    this.chart = null;
  }

  render() {
    return html`<div class="chart"><canvas role="img" aria-label="${this.label}: ${this.#inWords()}"></canvas>
      ${this.#isEmpty() ? html`<p class="chart-empty">No figures yet. The first appear within a minute.</p>` : ""}</div>`;
  }

  #isEmpty() {
    return this.series.every(one => one.values.every(value => value === null || value === undefined));
  }

  #inWords() {
    return this.series
      .map(one => {
        const last = [...one.values].reverse().find(value => value !== null && value !== undefined);
        return `${one.name} now ${last === undefined ? "unknown" : this.format(last)}`;
      })
      .join(", ");
  }

  updated() {
    const canvas = this.querySelector("canvas");
    if (!canvas) return;
    const data = {
      labels: this.times,
      datasets: this.series.map((one, i) => ({
        label: one.name,
        data: one.values,
        borderColor: one.colour,
        backgroundColor: one.colour + (this.stacked ? "b0" : "22"),
        fill: this.stacked ? (i === 0 ? "origin" : "-1") : one.fill ? "origin" : false,
        borderDash: one.dashed ? [4, 4] : [],
        borderWidth: this.stacked ? 0.5 : 1.75,
        pointRadius: this.times.length < 3 ? 2 : 0, // One point has no line.
        pointHitRadius: 8,
        tension: one.stepped ? 0 : 0.25,
        stepped: one.stepped ?? false,
        spanGaps: false,
      })),
    };
    if (this.chart) {
      this.chart.data = data;
      this.chart.options.scales.y.min = this.least;
      this.chart.options.scales.y.max = this.most;
      this.chart.update("none");
      return;
    }
    this.chart = new Chart(canvas, {type: "line", data, options: this.#options()});
  }

  #options() {
    const text = themeColour("--muted");
    const line = themeColour("--line");
    return {
      responsive: true,
      maintainAspectRatio: false,
      interaction: {mode: "index", intersect: false},
      scales: {
        x: {
          ticks: {color: text, maxTicksLimit: 6, autoSkipPadding: 14, maxRotation: 0, callback: i => clock(this.times[i] * 1000).replace(/:\d\d$/, "")},
          grid: {display: false},
          border: {color: line},
        },
        y: {
          beginAtZero: true,
          stacked: this.stacked,
          min: this.least,
          max: this.most,
          ticks: {color: text, maxTicksLimit: 5, callback: value => this.format(value)},
          grid: {color: line},
          border: {display: false},
        },
      },
      plugins: {
        legend: {
          display: this.series.length > 1,
          position: "top",
          align: "start",
          labels: {color: themeColour("--text"), boxWidth: 10, boxHeight: 10},
        },
        tooltip: {
          callbacks: {
            title: items => clock(this.times[items[0].dataIndex] * 1000),
            label: item => `${item.dataset.label}: ${this.format(item.parsed.y)}`,
          },
        },
      },
    };
  }
}

customElements.define("gs-chart", TimeChart);
