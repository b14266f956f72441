// Kept poses name joints, so that they fit another export of the character.
import type { Joint, Quaternion } from "../connection/protocol.ts";

export function by_name(joints: Joint[], pose: Record<string, Quaternion>): Record<string, Quaternion> {
  return Object.fromEntries(Object.entries(pose).filter(([joint]) => joints[Number(joint)]?.name).map(([joint, q]) => [joints[Number(joint)].name, q]));
}
export function by_number(joints: Joint[], pose: Record<string, Quaternion>): Record<string, Quaternion> {
  return Object.fromEntries(Object.entries(pose).map(([name, q]) => [joints.findIndex((joint) => joint.name === name), q] as const)
    .filter(([joint]) => joint >= 0));
}
