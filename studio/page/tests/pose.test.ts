// Angles of joints, and poses of the other side.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Joint, Quaternion, Vector } from "../src/connection/protocol.ts";
import { angles_from_rest, angles_of, from_rest, rotation_by } from "../src/scene/angles.ts";
import { inverse, product } from "../src/scene/geometry.ts";
import { mirrored_pose, other_side, partner_of, rest_in_world } from "../src/tools/pose_mirror.ts";
import { by_name, by_number } from "../src/tools/kept_poses.ts";

const near = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-9) =>
  Array.from(a).forEach((value, k) => assert.ok(Math.abs(value - b[k]) < tolerance, `${[...Array.from(a)]} is not ${[...Array.from(b)]}`));
const same_turn = (a: Quaternion, b: Quaternion) => assert.ok(Math.abs(a.reduce((sum, value, k) => sum + value * b[k], 0)) > 1 - 1e-12, `${a} is not ${b}`);
const turned = (q: Quaternion, v: Vector): Vector => product(product(q, [...v, 0]), inverse(q)).slice(0, 3) as Vector;

test("a quarter turn about an axis is 90 degrees of it", () => {
  near(angles_of([Math.SQRT1_2, 0, 0, Math.SQRT1_2]), [90, 0, 0]);
  near(angles_of([0, 0, -Math.SQRT1_2, Math.SQRT1_2]), [0, 0, -90]);
  near(turned(rotation_by([90, 0, 0]), [0, 1, 0]), [0, 0, 1]);
  near(turned(rotation_by([0, 0, 90]), [1, 0, 0]), [0, 1, 0]);
});

test("angles lead to the rotation that they were read from, also where y is at its ends", () => {
  for (const angles of [[10, 20, 30], [-170, 80, 5], [40, -60, 175], [0, 0, 0]] as Vector[]) near(angles_of(rotation_by(angles)), angles, 1e-7);
  for (const angles of [[30, 90, 20], [-50, -90, 10], [120, 90, -120]] as Vector[]) same_turn(rotation_by(angles_of(rotation_by(angles))), rotation_by(angles));
  const rest = rotation_by([12, -40, 70]);
  near(angles_from_rest(rest, rest), [0, 0, 0], 1e-6);
  near(angles_from_rest(from_rest([15, 25, -35], rest), rest), [15, 25, -35], 1e-7);
});

test("names of sides have partners, in the ways that rigs are named", () => {
  for (const [one, other] of [["arm_l", "arm_r"], ["Arm.L", "Arm.R"], ["mixamorig:LeftArm", "mixamorig:RightArm"], ["l_hand", "r_hand"], ["LEFT_leg", "RIGHT_leg"],
    ["legLeft", "legRight"], ["J_Bip_L_Hand", "J_Bip_R_Hand"], ["leftHand", "rightHand"], ["Bip01 L Calf", "Bip01 R Calf"]]) {
    assert.equal(other_side(one), other);
    assert.equal(other_side(other), one);
  }
  for (const name of ["spine", "belly", "pelvis", "collar", "clr", "bright"]) assert.equal(other_side(name), null, name);
});

// A spine with two arms, whose own axes differ: the left one's is turned about y, the right one's by hand about y and z.
const joints: Joint[] = [
  { name: "spine", parent: -1, bone: true }, { name: "arm_l", parent: 0, bone: true }, { name: "hand_l", parent: 1, bone: true },
  { name: "arm_r", parent: 0, bone: true }, { name: "hand_r", parent: 3, bone: true },
];
const rest: Quaternion[] = [rotation_by([5, 0, 0]), rotation_by([0, 70, 10]), rotation_by([20, 0, 0]), rotation_by([15, -70, 120]), rotation_by([0, 30, 40])];

// Directions in the space of the character that a point fixed to a joint goes to.
function led(pose: Record<string, Quaternion>, joint: number, direction: Vector): Vector {
  const world = rest_in_world(joints, joints.map((_, k) => pose[k] ?? rest[k])), at_rest = rest_in_world(joints, rest);
  return turned(product(world[joint], inverse(at_rest[joint])), direction);
}

test("a mirrored pose leads mirrored points to mirrored places, whatever the joints' axes", () => {
  const pose = { 1: from_rest([30, -20, 50], rest[1]), 2: from_rest([-10, 60, 5], rest[2]) };
  const other = mirrored_pose(joints, rest, pose, 1);
  assert.deepEqual(Object.keys(other).sort(), ["3", "4"]);
  for (const [left, right] of [[1, 3], [2, 4]])
    for (const [x, y, z] of [[1, 0, 0], [0, 1, 0], [0.3, -0.5, 0.8]] as Vector[]) {
      const [a, b, c] = led(pose, left, [x, y, z]);
      near(led(other, right, [-x, y, z]), [-a, b, c], 1e-9);
    }
});

test("a flipped pose flipped again is the pose; the middle changes sides too", () => {
  const pose: Record<string, Quaternion> = { 0: from_rest([0, 25, 10], rest[0]), 1: from_rest([30, -20, 50], rest[1]), 4: from_rest([0, 0, 45], rest[4]) };
  const flipped = mirrored_pose(joints, rest, pose, null);
  assert.deepEqual(Object.keys(flipped).sort(), ["0", "2", "3"]);
  const back = mirrored_pose(joints, rest, flipped, null);
  for (const joint of Object.keys(pose)) same_turn(back[joint], pose[joint]);
  const [a, b, c] = led(pose, 0, [1, 0, 0]);
  near(led(flipped, 0, [-1, 0, 0]), [-a, b, c], 1e-9);
});

test("a joint of the middle has no other side to go to, and a missing partner is left out", () => {
  assert.deepEqual(mirrored_pose(joints, rest, { 0: rest[0] }, 0), {});
  assert.equal(partner_of([{ name: "ear_l", parent: -1, bone: true }], 0), -1);
  assert.deepEqual(mirrored_pose([{ name: "ear_l", parent: -1, bone: true }], [rest[0]], { 0: rest[1] }, null), {});
});

test("a saved pose fits an export whose joints have other numbers", () => {
  const pose = { 1: rest[2], 4: rest[3] }, saved = by_name(joints, pose);
  assert.deepEqual(Object.keys(saved), ["arm_l", "hand_r"]);
  const other = [...joints].reverse();
  assert.deepEqual(by_number(other, saved), { 3: rest[2], 0: rest[3] });
  assert.deepEqual(by_number(joints, { tail: rest[0] }), {});
});
