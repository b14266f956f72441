import assert from "node:assert/strict";
import { test } from "node:test";
import { Matrix4, Quaternion, Vector3 } from "three";
import { as_thing, type Collider, first_met, middle_of_collider, moved, new_collider, on_capsule, ray_before, shifted, turned } from "../src/scene/collider_shapes.ts";
import { dragged, handles_of, met_handle, with_length } from "../src/scene/collider_handles.ts";
import { add, distance, dot, length, type Ray, sub } from "../src/scene/geometry.ts";
import type { Vector } from "../src/connection/protocol.ts";

const near = (a: Vector, b: Vector) => assert.ok(distance(a, b) < 1e-12, `${a} is not ${b}`);
const capsule: Collider = { shape: "capsule", from: [0, 0, 0], to: [0, 2, 0], radius: 0.5 };
const towards = (x: number, y: number): Ray => ({ origin: [x, y, 10], direction: [0, 0, -1] });

test("a ray meets a capsule at its side and its round ends", () => {
  const met = (x: number, y: number) => on_capsule(towards(x, y), capsule.from!, capsule.to!, capsule.radius!);
  assert.equal(met(0, 1), 9.5);
  for (const [x, y] of [[0.3, 1], [0.3, 2], [0, 2.3]]) assert.ok(Math.abs(met(x, y)! - (10 - 0.4)) < 1e-12);
  assert.equal(met(0, 2.6), null);
  assert.equal(met(0.6, 1), null);
  assert.equal(on_capsule({ origin: [0, 10, 0], direction: [0, -1, 0] }, capsule.from!, capsule.to!, 0.5), 7.5);
  assert.equal(on_capsule(towards(0, 0), [0, 0, 0], [0, 0, 0], 0.5), 9.5);
});

test("a collider goes with the motion of its joint, and rays are met alike", () => {
  const motion = new Matrix4().compose(new Vector3(1, 2, 3), new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), Math.PI / 2), new Vector3(1, 1, 1));
  const there = moved(capsule, motion);
  near(there.to!, [-1, 2, 3]);
  near(moved({ shape: "plane", point: [1, 0, 0], normal: [1, 0, 0] }, motion).normal!, [0, 1, 0]);
  const ray: Ray = { origin: [0, 2.2, 10], direction: [0, 0, -1] };
  assert.ok(Math.abs(first_met(ray, there, 1)! - first_met(ray_before(motion, ray), capsule, 1)!) < 1e-12);
  const back = moved(there, motion.clone().invert());
  near(back.to!, capsule.to!);
});

test("each shape has handles that size it, and they are met where they are", () => {
  for (const shape of ["sphere", "capsule", "plane", "box"] as const) {
    const thing = new_collider(shape, [1, 1, 1], [0.3, 0, 0], [0, 0, 1], 2), handles = handles_of(thing, 2);
    assert.ok(handles.length > 0);
    for (const handle of handles) {
      const ray: Ray = { origin: add(handle.place, [0, 0, 10]), direction: [0, 0, -1] };
      assert.ok(met_handle(handles, ray, 1e-3), `${shape} ${handle.name}`);
      if (!handle.direction) continue;
      assert.ok(Math.abs(length(handle.direction) - 1) < 1e-12);
      // The handle's collider moves with it.
      const after = handles_of(dragged(thing, handle.name, 0.1, 0.01), 2).find(({ name }) => name === handle.name)!;
      assert.ok(Math.abs(dot(sub(after.place, handle.place), handle.direction) - 0.1) < 1e-12, `${shape} ${handle.name}`);
    }
  }
  assert.equal(dragged({ shape: "sphere", centre: [0, 0, 0], radius: 1 }, "radius", -5, 0.01).radius, 0.01);
  near(dragged(capsule, "to", [0, 1, 0], 0.01).to!, [0, 3, 0]);
  near(with_length(capsule, 4).from!, [0, -1, 0]);
  near(shifted(capsule, [1, 0, 0]).from!, [1, 0, 0]);
  near((dragged(as_thing({ shape: "box", centre: [0, 0, 0], front: [0, 0, 1], up: [0, 1, 0], width: 1, height: 1, depth: 1 }), "right", 1, 0.1)).centre!, [0.5, 0, 0]);
});

test("a collider is turned about its middle", () => {
  const quarter = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
  const box = new_collider("box", [1, 2, 3], [0, 0.5, 0], [0, 0, 1], 2), once = turned(box, quarter) as Collider & { front: Vector; up: Vector };
  near(middle_of_collider(once), [1, 2, 3]);
  near(once.front, [1, 0, 0]);
  near(once.up, [0, 1, 0]);
  const lying: Collider = { ...capsule, from: [0, 0, 0], to: [2, 0, 0] }, across = turned(lying, quarter);
  near(across.from!, [1, 0, 1]);
  near(across.to!, [1, 0, -1]);
  near(turned(across, quarter.clone().invert()).to!, [2, 0, 0]);
});
