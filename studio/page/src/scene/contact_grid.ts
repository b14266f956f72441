// The darkness of the ground under a character, on a grid: the nearer its skin, the darker. Pure.

export interface GroundArea { x: number; z: number; side: number } // middle and side of a square on the ground, metres

// Fills `cells`, n x n values from 0 to 1, rows along z. `reach`: height above the ground, metres, at which skin darkens
// it no more; skin below the ground counts as on it.
export function fill_contact_grid(positions: ArrayLike<number>, area: GroundArea, ground: number, reach: number, n: number, cells: Float32Array) {
  cells.fill(0);
  const scale = n / area.side, left = area.x - area.side / 2, back = area.z - area.side / 2;
  for (let k = 0; k < positions.length; k += 3) {
    const above = positions[k + 1] - ground;
    if (above >= reach) continue;
    const column = Math.floor((positions[k] - left) * scale), row = Math.floor((positions[k + 2] - back) * scale);
    if (column < 0 || row < 0 || column >= n || row >= n) continue;
    const near = 1 - Math.max(0, above) / reach, cell = row * n + column;
    if (near * near > cells[cell]) cells[cell] = near * near;
  }
}

// Blurs by a box of 2 radius + 1 cells in both directions, `times` times: cells outside are light.
export function blur(cells: Float32Array, n: number, radius: number, times: number, spare: Float32Array) {
  for (let pass = 0; pass < times; ++pass) {
    blur_lines(cells, spare, n, radius, 1, n);
    blur_lines(spare, cells, n, radius, n, 1);
  }
}

function blur_lines(from: Float32Array, to: Float32Array, n: number, radius: number, step: number, line: number) {
  const share = 1 / (2 * radius + 1);
  for (let l = 0; l < n; ++l) {
    const begin = l * line;
    let sum = 0;
    for (let k = 0; k < Math.min(radius, n); ++k) sum += from[begin + k * step];
    for (let k = 0; k < n; ++k) {
      if (k + radius < n) sum += from[begin + (k + radius) * step];
      if (k - radius - 1 >= 0) sum -= from[begin + (k - radius - 1) * step];
      to[begin + k * step] = sum * share;
    }
  }
}
