// Places that joints carry: settings name a joint, and give places as they are in the default pose.
import { Matrix4, Vector3 } from "three";
import type { Vector } from "../connection/protocol.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";

const standing = new Matrix4();

export function joint_number(name: string | null | undefined): number {
  return name ? (server.value.character?.joints ?? []).findIndex((joint) => joint.name === name) : -1;
}

// From the default pose to where a joint carries things now, metres, world; null: the world.
export function motion_of(studio: Studio, joint: string | null | undefined): Matrix4 {
  const number = joint_number(joint), motion = new Matrix4();
  return number >= 0 && studio.character?.joint_motion(number, motion) ? motion : standing;
}

export const carried = (motion: Matrix4, place: Vector): Vector => new Vector3(...place).applyMatrix4(motion).toArray() as Vector;
export const brought_back = (motion: Matrix4, place: Vector): Vector => carried(new Matrix4().copy(motion).invert(), place);
