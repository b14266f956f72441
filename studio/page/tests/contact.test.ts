// The shadow where a character touches the ground.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blur, fill_contact_grid } from "../src/scene/contact_grid.ts";

const n = 8, area = { x: 1, z: 2, side: 8 }; // cells of a metre; the first one's corner is at x = -3, z = -2

test("skin on the ground is dark where it is, and lighter the higher it is", () => {
  const cells = new Float32Array(n * n);
  fill_contact_grid([-2.5, 0, -1.5, 0.5, 0.5, 2.5, 3.5, 1, -1.5, 4.5, -3, 5.5], area, 0, 1, n, cells);
  assert.equal(cells[0], 1);
  assert.equal(cells[4 * n + 3], 0.25);
  assert.equal(cells[n * n - 1], 1); // below the ground is on it
  assert.equal(cells.reduce((sum, value) => sum + value, 0), 2.25);
});

test("the nearest skin of a cell counts, and skin beside the area does not", () => {
  const cells = new Float32Array(n * n).fill(0.7);
  fill_contact_grid([0, 0.9, 0, 0, 0.2, 0, 0, 0.5, 0, 100, 0, 0, 0, 0, -50], area, 0, 1, n, cells);
  assert.ok(Math.abs(cells[2 * n + 3] - 0.64) < 1e-6);
  assert.ok(Math.abs(cells.reduce((sum, value) => sum + value, 0) - 0.64) < 1e-6);
});

test("a blur spreads darkness evenly and keeps its sum away from the rim", () => {
  const cells = new Float32Array(n * n), spare = new Float32Array(n * n);
  cells[4 * n + 4] = 1;
  blur(cells, n, 1, 1, spare);
  for (let row = 3; row <= 5; ++row) for (let column = 3; column <= 5; ++column) assert.ok(Math.abs(cells[row * n + column] - 1 / 9) < 1e-6);
  blur(cells, n, 1, 1, spare);
  assert.ok(Math.abs(cells.reduce((sum, value) => sum + value, 0) - 1) < 1e-6);
  assert.ok(cells[4 * n + 4] > cells[4 * n + 3] && cells[4 * n + 3] === cells[3 * n + 4]);
});
