/** Draws the rows of the timeline that are in sight, and the time axis over them. */
import {readable, tenantColour, themeColour} from "../../lib/colours.js";
import {clock} from "../../lib/format.js";

export const AXIS = 26;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const STEPS = [60, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600].map(seconds => seconds * 1000);

/** How a run ended, as its mark says. */
export const ENDS = {
  failed: {name: "failed", colour: "--bad"},
  preempted: {name: "preempted", colour: "--warn"},
  requeued: {name: "requeued", colour: "--warn"},
  cancelled: {name: "cancelled", colour: "--muted"},
};

/** Where times and rows are on the sheet. */
export class Frame {
  /** @param {import("./rows.js").Rows} rows @param {number} width @param {number} names @param {number} from @param {number} to */
  constructor(rows, width, names, from, to) {
    this.rows = rows;
    this.names = names;
    this.width = width;
    this.from = from;
    this.to = to;
  }

  /** @param {number} time */
  x(time) {
    const part = (Math.min(this.to, Math.max(this.from, time)) - this.from) / (this.to - this.from);
    return this.names + part * (this.width - this.names - 10);
  }

  /** @param {import("./rows.js").Bar} bar @param {number} node @returns {import("../../parts/scroll-canvas.js").Box} */
  box(bar, node) {
    const run = this.rows.runs[bar.run];
    const {lane} = this.rows;
    const x = this.x(run.from);
    const height = bar.lanes * lane - 1;
    const part = height / bar.slots;
    return {
      x,
      y: AXIS + this.rows.tops[node] + 4 + bar.lane * lane + bar.slot * part,
      width: Math.max(2, this.x(run.to) - x - 0.5),
      height: Math.max(1, part - (bar.slots > 1 ? 0.5 : 0)),
    };
  }
}

/** @param {import("../../parts/scroll-canvas.js").Sheet} sheet @param {Frame} frame @param {boolean} lanes whether GPUs are numbered */
export function draw(sheet, frame, lanes) {
  const {context, width, height, top} = sheet;
  const {rows} = frame;
  const theme = {
    surface: themeColour("--surface"), sunken: themeColour("--sunken"), line: themeColour("--line"),
    text: themeColour("--text"), muted: themeColour("--muted"), accent: themeColour("--accent"),
    "--bad": themeColour("--bad"), "--warn": themeColour("--warn"), "--muted": themeColour("--muted"),
  };
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, width, height);
  const ticks = ticksOf(frame);
  grid(context, frame, ticks, height, theme);
  context.textBaseline = "middle";
  for (let node = rows.rowAt(top); node < rows.nodes.length && rows.tops[node] + AXIS < top + height; node++) {
    row(sheet, frame, node, lanes, theme);
  }
  axis(context, frame, ticks, width, theme);
}

/** Times that are written on the axis: round ones, not too close. */
function ticksOf(frame) {
  const most = Math.max(2, Math.floor((frame.width - frame.names) / 90));
  const step = STEPS.find(one => (frame.to - frame.from) / one <= most) ?? STEPS[STEPS.length - 1];
  const shift = new Date(frame.from).getTimezoneOffset() * 60_000;
  const ticks = [];
  for (let time = Math.ceil((frame.from - shift) / step) * step + shift; time < frame.to; time += step) ticks.push(time);
  return ticks;
}

function grid(context, frame, ticks, height, theme) {
  context.fillStyle = theme.line;
  for (const time of ticks) context.fillRect(Math.round(frame.x(time)), AXIS, 1, height);
}

function axis(context, frame, ticks, width, theme) {
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, width, AXIS - 1);
  context.fillStyle = theme.line;
  context.fillRect(0, AXIS - 1, width, 1);
  context.font = `11px ${FONT}`;
  context.fillStyle = theme.muted;
  context.textAlign = "center";
  for (const time of ticks) {
    const x = frame.x(time);
    if (x < width - 24 && x > frame.names + 8) context.fillText(clock(time).replace(/:\d\d$/, ""), x, AXIS / 2);
  }
  context.textAlign = "left";
}

function row(sheet, frame, node, lanes, theme) {
  const {context, width, top} = sheet;
  const {rows} = frame;
  const y = AXIS + rows.tops[node] - top;
  const tall = rows.tops[node + 1] - rows.tops[node];
  context.fillStyle = theme.line;
  context.fillRect(0, Math.round(y + tall) - 1, width, 1);
  if (lanes) laneNames(context, frame, node, y, theme);
  else name(context, rows.nodes[node].id, frame.names - 10, y + tall / 2 - 1, theme);
  if (rows.lane >= 6) {
    context.globalAlpha = 0.45;
    for (let lane = 0; lane < rows.lanes(node); lane++) {
      context.fillStyle = theme.sunken;
      context.fillRect(frame.names, y + 4 + lane * rows.lane, width - frame.names - 10, rows.lane - 1);
    }
    context.globalAlpha = 1;
  }
  for (const bar of rows.bars(node)) drawBar(context, frame.box(bar, node), rows.runs[bar.run], top, theme);
}

function laneNames(context, frame, node, y, theme) {
  const {rows} = frame;
  context.font = `11px ${FONT}`;
  context.fillStyle = theme.muted;
  for (let lane = 0; lane < rows.lanes(node); lane++) {
    const text = lane < rows.nodes[node].gpus ? `GPU ${lane}` : "no GPU";
    context.fillText(text, 0, y + 4 + (lane + 0.5) * rows.lane);
  }
}

function name(context, id, room, y, theme) {
  context.font = `12px ${FONT}`;
  context.fillStyle = theme.text;
  let text = id.slice(0, 40);
  while (text.length > 1 && context.measureText(text + "…").width > room) text = text.slice(0, -1);
  context.fillText(text === id ? id : text + "…", 0, y);
}

function drawBar(context, box, run, top, theme) {
  const y = box.y - top;
  context.fillStyle = tenantColour(run.tenant_id);
  const running = run.end_kind === "running";
  context.globalAlpha = running ? 1 : 0.5;
  context.fillRect(box.x, y, box.width, box.height);
  context.globalAlpha = 1;
  const end = ENDS[run.end_kind];
  const right = box.x + box.width;
  if (end) {
    // A short run keeps something of its own colour.
    const cap = Math.min(4, Math.max(1.5, box.width / 2));
    context.fillStyle = theme.surface;
    if (box.width > 8) context.fillRect(right - cap - 1, y, 1, box.height);
    context.fillStyle = theme[end.colour];
    context.fillRect(right - cap, y, cap, box.height);
  } else if (running) {
    // An arrow beyond the edge: the job goes on.
    const half = Math.min(6, box.height / 2);
    context.beginPath();
    context.moveTo(right, y + box.height / 2 - half);
    context.lineTo(right + half, y + box.height / 2);
    context.lineTo(right, y + box.height / 2 + half);
    context.fillStyle = tenantColour(run.tenant_id);
    context.fill();
  }
  if (box.height >= 12 && box.width >= 34 && run.name) {
    label(context, box, y, run.name, running ? readable(tenantColour(run.tenant_id)) : theme.text);
  }
}

/** The name of the job, cut off at the end of its bar. */
function label(context, box, y, text, colour) {
  context.save();
  context.beginPath();
  context.rect(box.x, y, box.width - 6, box.height);
  context.clip();
  context.font = `11px ${FONT}`;
  context.fillStyle = colour;
  context.fillText(text.slice(0, 60), box.x + 5, y + box.height / 2 + 0.5);
  context.restore();
}
