import assert from "node:assert/strict";
import { test } from "node:test";
import { falloff, find_neighbours, find_pieces, mirrored_dab, nearest_vertex, paint_dab, reached, smooth_dab } from "../src/tools/brush.ts";

// A grid of n by n vertices in the plane z = `z`, from -1 to 1.
function sheet(n: number, z: number, first = 0) {
  const positions: number[] = [], triangles: number[] = [];
  for (let i = 0; i < n; ++i) for (let j = 0; j < n; ++j) positions.push((2 * i) / (n - 1) - 1, (2 * j) / (n - 1) - 1, z);
  for (let i = 0; i + 1 < n; ++i)
    for (let j = 0; j + 1 < n; ++j) {
      const a = first + i * n + j;
      triangles.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  return { positions, triangles };
}
const n = 21, front = sheet(n, 0), back = sheet(n, -0.05, n * n);
const positions = new Float32Array([...front.positions, ...back.positions]), vertices = positions.length / 3;
const neighbours = find_neighbours(new Uint32Array([...front.triangles, ...back.triangles]), vertices);
const middle = ((n * n) - 1) / 2;

test("a brush reaches what hangs together, and through where it is told to", () => {
  const dab = { middle: [0, 0, 0] as [number, number, number], radius: 0.3, from: middle };
  const on_front = reached({ ...dab, through: false }, positions, null, neighbours);
  const both = reached({ ...dab, through: true }, positions, null, neighbours);
  assert.ok([...on_front.keys()].every((vertex) => vertex < n * n));
  assert.ok([...both.keys()].some((vertex) => vertex >= n * n));
  // Exactly those of the front within the radius.
  const expected = [...Array(n * n).keys()].filter((k) => Math.hypot(positions[3 * k], positions[3 * k + 1]) < 0.3 - 1e-9);
  assert.deepEqual([...on_front.keys()].sort((a, b) => a - b), expected);
  assert.equal(on_front.get(middle), 1);
});

test("the weight falls from one to nothing", () => {
  assert.equal(falloff(0), 1);
  assert.equal(falloff(1), 0);
  for (let share = 0; share < 1; share += 0.1) assert.ok(falloff(share) > falloff(share + 0.1));
});

test("a stroke over one place twice paints it once", () => {
  const values = new Float32Array(vertices).fill(1), before = values.slice(), most = new Float32Array(vertices);
  const reach = reached({ middle: [0, 0, 0], radius: 0.3, from: middle, through: false }, positions, null, neighbours);
  paint_dab(values, before, most, reach, 0.2, 0.5);
  const once = values.slice();
  assert.ok(Math.abs(values[middle] - 0.6) < 1e-6);
  assert.deepEqual(paint_dab(values, before, most, reach, 0.2, 0.5), []);
  assert.deepEqual(values, once);
});

test("smoothing brings neighbours together and keeps what is even", () => {
  const values = new Float32Array(vertices);
  values[middle] = 1;
  const reach = reached({ middle: [0, 0, 0], radius: 0.5, from: middle, through: false }, positions, null, neighbours);
  smooth_dab(values, reach, 1, neighbours);
  assert.ok(values[middle] < 0.5 && Math.max(...values) <= 1);
  const even = new Float32Array(vertices).fill(0.7), kept = even.slice();
  smooth_dab(even, reach, 1, neighbours);
  even.forEach((value, k) => assert.ok(Math.abs(value - kept[k]) < 1e-6));
});

test("pieces are what edges connect", () => {
  const pieces = find_pieces(neighbours);
  assert.equal(new Set(pieces.subarray(0, n * n)).size, 1);
  assert.equal(new Set(pieces).size, 2);
});

test("a mirrored dab reaches the mirror image of what the dab reaches", () => {
  const at: [number, number, number] = [0.4, 0.1, 0], from = nearest_vertex(positions, at);
  const dab = { middle: at, radius: 0.3, from, through: false };
  const image = mirrored_dab(dab, at, 0, positions)!;
  const key = (vertex: number, side: number) => `${(side * positions[3 * vertex]).toFixed(3)} ${positions[3 * vertex + 1].toFixed(3)}`;
  const here = [...reached(dab, positions, null, neighbours).keys()].map((vertex) => key(vertex, 1)).sort();
  const there = [...reached(image, positions, null, neighbours).keys()].map((vertex) => key(vertex, -1)).sort();
  assert.ok(here.length > 10);
  assert.deepEqual(there, here);
  assert.equal(mirrored_dab(dab, at, 5, positions), null);
});
