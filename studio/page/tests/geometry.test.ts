import assert from "node:assert/strict";
import { test } from "node:test";
import {
  distance, inverse, length, on_plane, product, rotation_of, skin_position, sub, unit, weights_in_triangle, within_reach,
} from "../src/scene/geometry.ts";
import type { Quaternion, Vector } from "../src/connection/protocol.ts";

const near = (a: number[], b: number[], tolerance = 1e-9) =>
  a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) <= tolerance, `${a} is not ${b}`));

test("weights give the point back", () => {
  const a: Vector = [0, 0, 0], b: Vector = [2, 0, 1], c: Vector = [0, 3, -1];
  for (const [u, v] of [[0.2, 0.3], [0, 0], [1, 0], [0, 1], [0.5, 0.5]]) {
    const positions = [...a, ...b, ...c], point = skin_position([0, u, v], [0, 1, 2], positions);
    near(weights_in_triangle(point, a, b, c), [u, v]);
  }
});

test("weights stay inside the triangle, and a triangle without area has the first corner", () => {
  const a: Vector = [0, 0, 0], b: Vector = [1, 0, 0], c: Vector = [0, 1, 0];
  for (const p of [[5, 5, 0], [-3, 0.5, 2], [0.5, -9, 0]] as Vector[]) {
    const [u, v] = weights_in_triangle(p, a, b, c);
    assert.ok(u >= 0 && v >= 0 && u + v <= 1 + 1e-12);
  }
  near(weights_in_triangle([1, 1, 1], a, a, a), [0, 0]);
});

test("a ray meets the plane that faces it, and none behind it", () => {
  const ray = { origin: [0, 0, 5] as Vector, direction: unit([0.1, 0.2, -1]) };
  const point = on_plane(ray, [0, 0, 1], [0, 0, 1])!;
  near([point[2]], [1]);
  near(unit(sub(point, ray.origin)), ray.direction);
  assert.equal(on_plane(ray, [0, 0, 9], [0, 0, 1]), null);
  assert.equal(on_plane({ origin: [0, 0, 0], direction: [1, 0, 0] }, [0, 0, 1], [0, 0, 1]), null);
});

test("flesh follows a hand closely, ever less beyond, in its own direction", () => {
  const start: Vector = [1, 2, 3];
  assert.ok(Math.abs(distance(within_reach(start, [1.002, 2, 3], 0.2), start) - 0.002) < 1e-5);
  assert.deepEqual(within_reach(start, start, 0.2), start);
  let before = 0;
  for (const far of [0.1, 0.2, 0.25, 0.5, 1, 10, 1e6]) {
    const led = within_reach(start, [1 + far, 2, 3], 0.2), way = distance(led, start);
    assert.ok(way >= before && way <= Math.min(far, 0.6 + 1e-9), `${far} leads ${way}`);
    near(unit(sub(led, start)), [1, 0, 0]);
    before = way;
  }
});

function matrix_of([x, y, z, w]: Quaternion, scale: number): number[] {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w), 1 - 2 * (x * x + z * z),
    2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
  ].map((value) => value * scale);
}

test("the rotation of a scaled matrix is found, whichever of its four forms is used", () => {
  const rotations = [[0, 0, 0, 1], [1, 0.1, 0.05, 0.02], [0.1, 1, 0.05, 0.02], [0.1, 0.05, 1, 0.02], [0.3, -0.4, 0.5, 0.7]];
  for (const given of rotations) {
    const size = Math.hypot(...given), q = given.map((value) => value / size) as Quaternion;
    const found = rotation_of(matrix_of(q, 0.01)), same = Math.sign(found[3] * q[3] || found[0] * q[0]) || 1;
    near(found, q.map((value) => same * value), 1e-9);
  }
});

test("a parent's rotation taken off leaves the local one", () => {
  const s = Math.SQRT1_2, parent: Quaternion = [0, s, 0, s], local: Quaternion = [s, 0, 0, s];
  near(product(inverse(parent), product(parent, local)), local);
  near([length([3, 4, 12])], [13]);
});
