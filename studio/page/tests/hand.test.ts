// The hand that the keyboard leads, and the direction in which things move away.
import assert from "node:assert/strict";
import { test } from "node:test";
import { away_from_viewer } from "../src/scene/walls.ts";
import { led } from "../src/tools/keyboard_hand.ts";

const area = { left: 100, top: 50, right: 300, bottom: 250 };
const key = (key: string, shiftKey = false, altKey = false) => ({ key, shiftKey, altKey });

test("arrows lead the hand, far with Shift and little with Alt, and not off the stage", () => {
  assert.deepEqual(led({ x: 200, y: 100 }, key("ArrowLeft"), area), { x: 192, y: 100 });
  assert.deepEqual(led({ x: 200, y: 100 }, key("ArrowDown", true), area), { x: 200, y: 140 });
  assert.deepEqual(led({ x: 200, y: 100 }, key("ArrowUp", false, true), area), { x: 200, y: 98 });
  assert.deepEqual(led({ x: 101, y: 249 }, key("ArrowLeft", true), area), { x: 100, y: 249 });
  assert.deepEqual(led({ x: 299, y: 249 }, key("ArrowDown", true), area), { x: 299, y: 249 });
  assert.equal(led({ x: 200, y: 100 }, key("Enter"), area), null);
});

test("things move away along the ground, and along the view where it is steep", () => {
  const [x, y, z] = away_from_viewer([0.6, -0.5, -0.8]);
  assert.ok(Math.abs(x - 0.6) < 1e-12 && y === 0 && Math.abs(z + 0.8) < 1e-12);
  assert.deepEqual(away_from_viewer([0, -1, 0]), [0, -1, 0]);
});
