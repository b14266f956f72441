// Poses of the other side: names of joints in pairs, and rotations mirrored across the plane between left and right. Pure.
import type { Joint, Quaternion } from "../connection/protocol.ts";
import { inverse, product } from "../scene/geometry.ts";

const others: Record<string, string> = { l: "r", r: "l", left: "right", right: "left" };

const like = (word: string, other: string) =>
  word === word.toUpperCase() ? other.toUpperCase() : word[0] === word[0].toUpperCase() ? other[0].toUpperCase() + other.slice(1) : other;

// "arm_l" is "arm_r" on the other side, "LeftArm" is "RightArm". Null: the name has no side.
export function other_side(name: string): string | null {
  const apart = /(^|[^a-zA-Z])(left|right|l|r)(?=$|[^a-zA-Z])/i, inside = /Left|Right|^left(?=[A-Z])|^right(?=[A-Z])/;
  const found = name.match(apart);
  if (found) return name.replace(apart, (_, before: string, side: string) => before + like(side, others[side.toLowerCase()]));
  return inside.test(name) ? name.replace(inside, (side) => like(side, others[side.toLowerCase()])) : null;
}

// The joint on the other side: itself where its name has no side, -1 where its partner is missing.
export function partner_of(joints: Joint[], joint: number): number {
  const other = other_side(joints[joint].name);
  return other === null ? joint : joints.findIndex(({ name }) => name === other);
}

// Rotations at rest in the space of the character, from local ones.
export function rest_in_world(joints: Joint[], rest: Quaternion[]): Quaternion[] {
  const world: Quaternion[] = [];
  const of = (joint: number): Quaternion => {
    if (!world[joint]) world[joint] = joints[joint].parent < 0 ? rest[joint] : product(of(joints[joint].parent), rest[joint]);
    return world[joint];
  };
  joints.forEach((_, joint) => of(joint));
  return world;
}

// The local rotation of the partner that mirrors `local` of `joint` across the plane x = 0. `rest` is local, `world` as
// of rest_in_world.
export function mirrored(joints: Joint[], rest: Quaternion[], world: Quaternion[], joint: number, partner: number, local: Quaternion): Quaternion {
  const parent = (of: number): Quaternion => (joints[of].parent < 0 ? [0, 0, 0, 1] : world[joints[of].parent]);
  const turn = product(product(parent(joint), product(local, inverse(rest[joint]))), inverse(parent(joint))); // from rest, axes of the character
  const other: Quaternion = [turn[0], -turn[1], -turn[2], turn[3]];
  return product(product(product(inverse(parent(partner)), other), parent(partner)), rest[partner]);
}

type Pose = Record<string, Quaternion>;

const below = (joints: Joint[], joint: number, above: number): boolean =>
  joint === above || (joint >= 0 && joints[joint].parent >= 0 && below(joints, joints[joint].parent, above));

// The pose of the other side. With `from`, rotations of this joint and those below it go over to their partners, and
// nothing else changes; without it, the whole pose changes sides. Joints without a partner are left out.
export function mirrored_pose(joints: Joint[], rest: Quaternion[], pose: Pose, from: number | null): Pose {
  const world = rest_in_world(joints, rest), result: Pose = {};
  for (const [key, local] of Object.entries(pose)) {
    const joint = Number(key);
    if (!joints[joint] || (from !== null && !below(joints, joint, from))) continue;
    const partner = partner_of(joints, joint);
    if (partner < 0 || (from !== null && partner === joint)) continue;
    result[partner] = mirrored(joints, rest, world, joint, partner, local);
  }
  return result;
}
