// Poses that the browser keeps for a character, by the names of its joints, so that they fit another export of it.
import type { Joint, Quaternion } from "../connection/protocol.ts";
import { keep_text, kept_value } from "../widgets/kept.ts";

export interface SavedPose { name: string; joints: Record<string, Quaternion> }

const is_rotation = (value: unknown): value is Quaternion => Array.isArray(value) && value.length === 4 && value.every(Number.isFinite);
function are_poses(value: unknown): value is SavedPose[] {
  return Array.isArray(value) && value.every((one: SavedPose) => typeof one?.name === "string" && typeof one.joints === "object" && one.joints !== null
    && Object.values(one.joints).every(is_rotation));
}

const key = (character: string) => `poses.${character}`;

export const saved_poses = (character: string): SavedPose[] => kept_value(key(character), are_poses) ?? [];

export function by_name(joints: Joint[], pose: Record<string, Quaternion>): Record<string, Quaternion> {
  return Object.fromEntries(Object.entries(pose).filter(([joint]) => joints[Number(joint)]?.name).map(([joint, q]) => [joints[Number(joint)].name, q]));
}
export function by_number(joints: Joint[], pose: Record<string, Quaternion>): Record<string, Quaternion> {
  return Object.fromEntries(Object.entries(pose).map(([name, q]) => [joints.findIndex((joint) => joint.name === name), q] as const)
    .filter(([joint]) => joint >= 0));
}

// A pose of this name that is there already is replaced.
export function save_pose(character: string, pose: SavedPose) {
  keep_text(key(character), JSON.stringify([...saved_poses(character).filter(({ name }) => name !== pose.name), pose]));
}
export function forget_pose(character: string, name: string) {
  keep_text(key(character), JSON.stringify(saved_poses(character).filter((pose) => pose.name !== name)));
}
