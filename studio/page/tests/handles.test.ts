// Free handles: where keys lead them, and rotation vectors.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vector } from "../src/connection/protocol.ts";
import { product } from "../src/scene/geometry.ts";
import { type FreeHandle, keyed, lead_at, led, rotation_by_vector, unkeyed, vector_of_rotation } from "../src/scene/handle_poses.ts";

const still: FreeHandle = { name: "tip", kind: "frame", place: [0, 1, 0], radius: null, grip: "flesh", joint: "", move: [0.1, 0, 0], turn: [0, 0, 0], keys: [] };

function near(a: readonly number[], b: readonly number[]) {
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < 1e-9, `${a} is not ${b}`));
}

test("a handle without keys is led at all times, one with keys at the time that is shown", () => {
  assert.deepEqual(led(still, { move: [1, 0, 0], turn: [0, 0, 9] }, 3).move, [1, 0, 0]);
  const two = led(keyed(still, { move: [0, 0, 0], turn: [0, 0, 0] }, 1), { move: [0, 2, 0], turn: [0, 0, 720] }, 3);
  assert.deepEqual(two.keys.map(({ time }) => time), [1, 3]);
  assert.deepEqual(two.move, [0, 0, 0]);
  near(lead_at(two, 2).move, [0, 1, 0]);
  near(lead_at(two, 2).turn, [0, 0, 360]);
  near(lead_at(two, 0).move, [0, 0, 0]);
  near(lead_at(two, 9).move, [0, 2, 0]);
  // Another key at the same time takes the place of the first.
  assert.deepEqual(led(two, { move: [5, 0, 0], turn: [0, 0, 0] }, 3.0004).keys.length, 2);
  near(unkeyed(two, 2).move, [0, 1, 0]);
  assert.equal(unkeyed(two, 2).keys.length, 0);
});

test("rotation vectors and rotations are each other's inverses, and go on from the last turn", () => {
  for (const turn of [[30, 0, 0], [0, -90, 0], [10, 20, 30], [100, 100, 0]] as Vector[]) near(vector_of_rotation(rotation_by_vector(turn), turn), turn);
  near(rotation_by_vector([0, 0, 0]), [0, 0, 0, 1]);
  near(vector_of_rotation([0, 0, 0, 1], [0, 0, 0]), [0, 0, 0]);
  near(vector_of_rotation(rotation_by_vector([0, 0, 190]), [0, 0, 170]), [0, 0, 190]);
  near(vector_of_rotation(rotation_by_vector([0, 0, 370]), [0, 0, 350]), [0, 0, 370]);
  const quarter = rotation_by_vector([0, 0, 90]);
  near(product(quarter, quarter).map(Math.abs), rotation_by_vector([0, 0, 180]).map(Math.abs));
});
