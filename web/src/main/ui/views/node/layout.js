/** Where the GPUs of a node are in its drawing: boxes for NUMA nodes, rows of tiles inside. */

export const RAIL = 30;
const TILE = 178;
const PAD = 12;
const TITLE = 26;
const BETWEEN = 10;
const GUTTER = 22;

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * @param {any[]} gpus of `GET /api/v1/nodes/{id}` @param {number} width
 * @param {boolean} joined whether room is left for lines that join rows
 * @returns {{boxes: (Box & {title: string})[], tiles: Map<number, Box>, height: number}}
 */
export function place(gpus, width, joined) {
  /** @type {Map<number | null, any[]>} */
  const groups = new Map();
  for (const gpu of gpus) groups.set(gpu.numa ?? null, [...(groups.get(gpu.numa ?? null) ?? []), gpu]);
  const beside = Math.max(1, Math.min(groups.size, Math.floor(width / 500)));
  const gutter = joined ? GUTTER : 0;
  const boxWidth = (width - gutter - (beside - 1) * BETWEEN) / beside;
  const inRow = boxWidth < 430 ? 2 : 4;
  const boxes = [];
  const tiles = new Map();
  let y = 0;
  let lineHeight = 0;
  [...groups].sort(([a], [b]) => (a ?? 1e9) - (b ?? 1e9)).forEach(([numa, members], i) => {
    if (i > 0 && i % beside === 0) {
      y += lineHeight + BETWEEN;
      lineHeight = 0;
    }
    const x = gutter + (i % beside) * (boxWidth + BETWEEN);
    const columns = Math.min(inRow, Math.max(members.length, 2));
    const tileWidth = (boxWidth - 2 * PAD - (columns - 1) * BETWEEN) / columns;
    members.forEach((gpu, k) => tiles.set(gpu.index, {
      x: x + PAD + (k % columns) * (tileWidth + BETWEEN),
      y: y + TITLE + Math.floor(k / columns) * (TILE + RAIL),
      width: tileWidth,
      height: TILE,
    }));
    const height = TITLE + Math.ceil(members.length / columns) * (TILE + RAIL);
    boxes.push({x, y, width: boxWidth, height, title: numa === null ? "NUMA node unknown" : `NUMA node ${numa}`});
    lineHeight = Math.max(lineHeight, height);
  });
  return {boxes, tiles, height: y + lineHeight};
}

/**
 * Islands of GPUs that NVLinks join.
 *
 * @param {any[]} gpus
 * @returns {{number: number, members: any[], mesh: boolean, links: number}[]} `mesh`: every GPU is linked to every other one
 */
export function islands(gpus) {
  /** @type {Map<number, any[]>} */
  const found = new Map();
  for (const gpu of gpus) {
    if (gpu.nvlink !== null && gpu.nvlink !== undefined) found.set(gpu.nvlink, [...(found.get(gpu.nvlink) ?? []), gpu]);
  }
  return [...found].map(([number, members]) => {
    const pairs = members.flatMap(one => members.filter(other => other !== one).map(other => one.nvlinks?.[other.index] ?? 0));
    return {number, members, mesh: pairs.every(links => links > 0), links: Math.max(0, ...pairs)};
  });
}
