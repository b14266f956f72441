import assert from "node:assert/strict";
import { test } from "node:test";
import { MovedPoints } from "../src/bars/moved_points.ts";

test("a point that is moved again goes on from where the fit had it", () => {
  const moved = new MovedPoints();
  moved.move(3, [0, 0, 0], [0, 1, 0]);
  moved.move(5, [1, 0, 0], [1, 1, 0]);
  moved.move(3, [0, 1, 0], [0, 2, 0]);
  assert.deepEqual(moved.all, [{ point: 5, from: [1, 0, 0], to: [1, 1, 0] }, { point: 3, from: [0, 0, 0], to: [0, 2, 0] }]);
});

test("moves are taken back and made again; a new one ends what was taken back", () => {
  const moved = new MovedPoints();
  assert.equal(moved.undo(), false);
  moved.move(1, [0, 0, 0], [1, 0, 0]);
  moved.move(2, [0, 0, 0], [2, 0, 0]);
  assert.ok(moved.undo());
  assert.deepEqual(moved.all.map(({ point }) => point), [1]);
  assert.ok(moved.redo());
  assert.deepEqual(moved.all.map(({ point }) => point), [1, 2]);
  moved.undo();
  moved.move(4, [0, 0, 0], [4, 0, 0]);
  assert.equal(moved.can_redo, false);
  assert.deepEqual(moved.all.map(({ point }) => point), [1, 4]);
});

test("a move that is refused leaves no trace", () => {
  const moved = new MovedPoints();
  moved.move(1, [0, 0, 0], [1, 0, 0]);
  moved.move(2, [0, 0, 0], [9, 0, 0]);
  moved.refuse();
  assert.deepEqual(moved.all.map(({ point }) => point), [1]);
  assert.ok(moved.can_undo);
  assert.equal(moved.can_redo, false);
});
