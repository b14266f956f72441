import assert from "node:assert/strict";
import { test } from "node:test";
import { add, distance, dot, scaled, sub, unit } from "../src/scene/geometry.ts";
import type { Vector } from "../src/connection/protocol.ts";
import {
  along_line, handle_place, on_handle, on_wall, outward, resized, sides, type Wall, wall_axes, wall_before, with_extent,
} from "../src/scene/walls.ts";

const near = (a: number[], b: number[], tolerance = 1e-9) =>
  a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) <= tolerance, `${a} is not ${b}`));
const wall: Wall = { shape: "box", centre: [1, 2, 3], front: [0, 0, -2], up: [0, 5, 1], width: 2, height: 4, depth: 1 };

test("a wall's axes are at right angles, and its handles in the middle of its sides", () => {
  const [across, up, front] = wall_axes(wall);
  near(front, [0, 0, -1]);
  near(up, [0, 1, 0]);
  near(across, [-1, 0, 0]);
  near(handle_place(wall, "right"), [0, 2, 3]);
  near(handle_place(wall, "top"), [1, 4, 3]);
  near(handle_place(wall, "back"), [1, 2, 3.5]);
});

test("a side is drawn out, and the one across stays", () => {
  for (const side of sides)
    for (const by of [0.7, -0.3, -9]) {
      const other = scaled(outward(wall, side), -1), next = resized(wall, side, by, 0.05);
      const reach = (one: Wall, way: Vector) =>
        dot(one.centre, way) + [one.width, one.height, one.depth].reduce((sum, size, k) => sum + Math.abs(dot(wall_axes(one)[k], way)) * size / 2, 0);
      assert.ok(Math.abs(reach(next, other) - reach(wall, other)) < 1e-12);
      const size = reach(wall, outward(wall, side)) + reach(wall, other);
      assert.ok(Math.abs(reach(next, outward(wall, side)) + reach(next, other) - Math.max(0.05, size + by)) < 1e-12);
    }
  const taller = with_extent(wall, "height", 6), deeper = with_extent(wall, "depth", 3), wider = with_extent(wall, "width", 1);
  near(taller.centre, [1, 3, 3]);
  near(deeper.centre, [1, 2, 4]);
  near(wider.centre, wall.centre);
  assert.deepEqual([taller.height, deeper.depth, wider.width], [6, 3, 1]);
  assert.equal(resized({ ...wall, rounding: 0.4 }, "back", -0.5, 0.05).rounding, null);
  assert.equal(resized({ ...wall, rounding: 0.4 }, "back", 0.5, 0.05).rounding, 0.4);
});

test("a wall is put before the flesh, level, with its front towards it", () => {
  const size = { width: 1, height: 2, depth: 0.4 };
  const level = wall_before([0, 1, 0.5], unit([0, -0.3, -1]), 0.05, size);
  near(level.front, [0, 0, -1]);
  near(level.centre, [0, 1, 0.75]);
  for (const looking of [[0, -1, 0], [0, 1, 0], unit([0.3, -1, 0.2])] as Vector[]) {
    const from_above = wall_before([0, 1, 0], looking, 0.05, size), [across, up, front] = wall_axes(from_above);
    near(front, [0, Math.sign(looking[1]), 0]);
    near([dot(across, across), dot(up, up), dot(across, up)], [1, 1, 0]);
  }
});

test("a ray meets a wall where it is, and nothing beside its sides", () => {
  const ray = (from: Vector, to: Vector) => ({ origin: from, direction: unit(sub(to, from)) });
  const eye: Vector = [1, 2, 10];
  near([on_wall(ray(eye, [1, 2, 0]), wall)!], [6.5]);
  assert.equal(on_wall(ray(eye, [2.2, 2, 3.5]), wall), null);
  assert.ok(on_wall(ray(eye, [1.9, 2, 3.5]), wall)! > 0);
  assert.equal(on_wall({ origin: eye, direction: [0, 0, 1] }, wall), null);
  assert.equal(on_wall({ origin: [1, 2, 3], direction: [0, 0, 1] }, wall), 0);
  assert.equal(on_wall({ origin: [1, 4.5, 9], direction: [0, 0, -1] }, wall), null);
  assert.equal(on_handle(ray(eye, add(handle_place(wall, "top"), [0.05, 0, 0])), wall, 0.1), "top");
  assert.equal(on_handle(ray(eye, [1.5, 3, 3.5]), wall, 0.1), null);
});

test("a place on a line is found from the ray that passes it", () => {
  const eye: Vector = [3, 4, 9], point: Vector = [1, 0, 0], direction = unit([1, 2, -1]);
  const place = add(point, scaled(direction, 2.5));
  near([along_line({ origin: eye, direction: scaled(sub(place, eye), 1 / distance(place, eye)) }, point, direction)!], [2.5]);
  assert.equal(along_line({ origin: eye, direction }, point, direction), null);
});
