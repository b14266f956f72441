import assert from "node:assert/strict";
import { test } from "node:test";
import { is_inside, lassoed, vertex_normals } from "../src/tools/lasso.ts";
import { swing_line, swing_text } from "../src/bars/rehearsal.ts";

const square = [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }, { x: 0, y: 10 }];

test("a point is inside a closed line, also a hollow one", () => {
  assert.ok(is_inside({ x: 5, y: 5 }, square));
  assert.ok(!is_inside({ x: 15, y: 5 }, square));
  const hollow = [...square.slice(0, 2), { x: 5, y: 5 }, ...square.slice(2)];
  assert.ok(!is_inside({ x: 8, y: 5 }, hollow));
  assert.ok(is_inside({ x: 2, y: 5 }, hollow));
  assert.ok(!is_inside({ x: 1, y: 1 }, []));
});

test("the lasso takes what faces the eye and is not hidden", () => {
  // A square facing +z and one behind it facing -z.
  const positions = [0, 0, 1, 10, 0, 1, 10, 10, 1, 0, 0, 0, 10, 10, 0, 10, 0, 0];
  const normals = vertex_normals(positions, [0, 1, 2, 3, 4, 5]);
  assert.ok(normals[2] > 0 && normals[11] < 0);
  const on_screen = (vertex: number) => ({ x: positions[3 * vertex], y: positions[3 * vertex + 1] });
  const around = [{ x: -1, y: -1 }, { x: 11, y: -1 }, { x: 11, y: 11 }, { x: -1, y: 11 }];
  const eye: [number, number, number] = [5, 5, 100];
  assert.deepEqual(lassoed(positions, normals, around, eye, on_screen, () => false), [0, 1, 2]);
  assert.deepEqual(lassoed(positions, normals, around, eye, on_screen, (vertex) => vertex === 1), [0, 2]);
  assert.deepEqual(lassoed(positions, normals, around, [5, 5, -100], on_screen, () => false), [3, 4, 5]);
});

test("a swing is told in a sentence and drawn to its end", () => {
  const swing = { seconds: [1, 2, 3], share: [0, 1.2, 1], overshoot: 0.2, settled: 2.5, reach: 0.01 };
  assert.match(swing_text(swing), /20 % beyond, settles after 2.5 s/);
  assert.match(swing_text({ ...swing, settled: null, overshoot: 0 }), /not beyond, still swings/);
  assert.match(swing_line(swing), /^80\.0,70\.0 160\.0,14\.0 240\.0,/);
});
