import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vector } from "../src/connection/protocol.ts";
import { distance, dot, sub } from "../src/scene/geometry.ts";
import { points_of, radii, ring_triangles, widening, write_rings } from "../src/scene/muscle_shapes.ts";

const straight = (length: number, count = 13) => Array.from({ length: count }, (_, k): Vector => [0, (length * k) / (count - 1), 0]);

test("a muscle that shortens keeps its volume", () => {
  assert.equal(widening(1, 1), 1);
  assert.ok(Math.abs(widening(1, 0.64) - 1.25) < 1e-12);
  assert.ok(widening(1, 0) === 1 && widening(1, 1e-9) < 2, "nothing of no length is drawn infinitely wide");
  const volume = (length: number) => {
    const line = straight(length), radius = radii(line, { length: 1, radius: 0.1 });
    return radius.reduce((sum, r) => sum + r * r, 0) * length;
  };
  assert.ok(Math.abs(volume(0.7) / volume(1) - 1) < 1e-9);
});

test("a spindle is as wide as its muscle in the middle, and wider only where it is shorter", () => {
  const rest = radii(straight(1), { length: 1, radius: 0.1 });
  assert.ok(Math.abs(rest[6] - 0.1) < 1e-12 && rest[0] < 0.02 && rest[12] < 0.02);
  // The middle has contracted and the tendons have lengthened.
  const line = straight(1).map(([x, y, z]): Vector => [x, 0.5 + (y - 0.5) * (Math.abs(y - 0.5) < 0.26 ? 0.8 : 1), z]);
  const now = radii(line, { length: 1, radius: 0.1 });
  assert.ok(now[6] > 1.1 * rest[6] && now[1] <= rest[1] + 1e-12);
});

test("rings lie around their line at its radius, and neighbours do not twist", () => {
  const line = Array.from({ length: 13 }, (_, k): Vector => [Math.cos(k / 8), Math.sin(k / 8), 0.1 * k]), sides = 9;
  const positions = new Float32Array(3 * 13 * sides), normals = new Float32Array(3 * 13 * sides);
  const radius = line.map(() => 0.05);
  write_rings(line, radius, sides, 0, positions, normals);
  for (let k = 0; k < 13; ++k)
    for (let s = 0; s < sides; ++s) {
      const at = points_of(positions, k, sides)[s], normal = points_of(normals, k, sides)[s];
      assert.ok(Math.abs(distance(at, line[k]) - 0.05) < 1e-6);
      assert.ok(Math.abs(dot(normal, normal) - 1) < 1e-6);
      if (k > 0) assert.ok(dot(normal, points_of(normals, k - 1, sides)[s]) > 0.9);
      if (k > 0 && k < 12) assert.ok(Math.abs(dot(normal, sub(line[k + 1], line[k - 1]))) < 1e-6, "across the line");
    }
  const triangles = ring_triangles(13, sides, 5);
  assert.equal(triangles.length, 6 * 12 * (sides - 1));
  assert.ok(Math.min(...triangles) === 5 && Math.max(...triangles) === 5 + 13 * sides - 1);
});
