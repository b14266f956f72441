// The lattice as the page picks it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { edge_key, fan, middle_of, picked, shape_of, to_line, vertices_of } from "../src/lattice/lattice_shape.ts";

const base64 = (numbers: Float32Array | Uint32Array) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");
// Two tetrahedra that share the face 0 1 2.
const shape = shape_of({
  revision: 3,
  positions: base64(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1])),
  cell_start: base64(new Uint32Array([0, 4, 8])),
  face_start: base64(new Uint32Array([0, 3, 6, 9, 12, 15, 18, 21, 24])),
  corners: base64(new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 1, 2, 1, 0, 4, 2, 1, 4, 0, 2, 4])),
  bones: [], sharp_edges: [], sharp_vertices: [],
});

test("faces and edges are there once, with their cells", () => {
  assert.equal(shape.faces.length, 7);
  assert.equal(shape.edges.length, 9);
  assert.deepEqual(shape.face_cells[0], [0, 1]);
  assert.equal(shape.face_cells.filter((cells) => cells.length === 1).length, 6);
  assert.ok(shape.outer_edges.every((outer) => outer));
  assert.deepEqual([...shape.cells[1]].sort(), [0, 1, 2, 4]);
  assert.equal(edge_key(4, 2), edge_key(2, 4));
});

test("what is chosen has its vertices once, and a middle", () => {
  assert.deepEqual(vertices_of(shape, "cells", [0, 1]).sort(), [0, 1, 2, 3, 4]);
  assert.deepEqual(vertices_of(shape, "edges", [0]), shape.edges[0]);
  assert.deepEqual(middle_of(shape, [3, 4]), [0, 0, 0]);
  assert.deepEqual(fan([5, 6, 7, 8]), [[5, 6, 7], [5, 7, 8]]);
});

test("the pointer finds what is nearest to the eye within reach", () => {
  assert.deepEqual(to_line({ x: 5, y: 3 }, { x: 0, y: 0, depth: 1 }, { x: 10, y: 0, depth: 1 }), [3, 0.5]);
  const screen = [0, 1, 2, 3, 4].map((k) => ({ x: 100 * k, y: 0, depth: 5 - k }));
  assert.equal(picked(shape, "vertices", { x: 104, y: 3 }, screen, 10), 1);
  assert.equal(picked(shape, "vertices", { x: 150, y: 0 }, screen, 10), -1);
  screen[2] = { x: 103, y: 0, depth: 9 };
  assert.equal(picked(shape, "vertices", { x: 103, y: 0 }, screen, 10), 1, "vertex 2 lies behind");
  const edge = picked(shape, "edges", { x: 350, y: 200 }, [0, 1, 2].map(() => ({ x: 0, y: 0, depth: 1 })).concat([{ x: 400, y: 229, depth: 1 }, { x: 400, y: -229, depth: 1 }]), 10);
  assert.ok(shape.edges[edge].includes(3));
});
