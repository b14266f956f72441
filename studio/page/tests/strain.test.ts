// Strain of the skin against the rig.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sampled_edges, strain_of } from "../src/scene/strain.ts";

const triangles = [0, 1, 2, 0, 2, 3];
const square = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const resolution = 2 / 400;

test("all sides of triangles are edges, or so many of them as are wanted", () => {
  assert.deepEqual([...sampled_edges(triangles, 100)], [0, 1, 1, 2, 2, 0, 0, 2, 2, 3, 3, 0]);
  const many = Array.from({ length: 3000 }, (_, k) => k % 50);
  assert.ok(sampled_edges(many, 500).length / 2 <= 500);
  assert.ok(sampled_edges(many, 500).length / 2 > 400);
});

test("skin that is moved and turned as a whole has no strain; stretched twice as far it has all of it", () => {
  const edges = sampled_edges(triangles, 100);
  const turned = square.map((_, k) => (k % 3 === 0 ? -square[k + 1] + 5 : k % 3 === 1 ? square[k - 1] - 2 : 7));
  assert.ok(strain_of(edges, turned, square, 0.99) < resolution);
  assert.ok(Math.abs(strain_of(edges, square.map((x) => 1.5 * x), square, 0.99) - 0.5) < resolution);
  assert.ok(Math.abs(strain_of(edges, square.map((x) => 0.7 * x), square, 0.5) - 0.3) < resolution);
  assert.ok(strain_of(edges, square.map((x) => 40 * x), square, 0.5) <= 2 + resolution);
});

test("a share of the edges decides, so that a single bad one does not", () => {
  const edges = sampled_edges(triangles, 100), pulled = [...square];
  pulled[9] = -1; // vertex 3: two of the six edges
  assert.ok(strain_of(edges, pulled, square, 0.6) < resolution);
  assert.ok(strain_of(edges, pulled, square, 0.99) > 0.4);
});

test("edges without a length do not count", () => {
  assert.equal(strain_of([0, 1], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0], 0.99), 0);
});
