// Free handles as the setting `handles` has them, and where they are led over time. Pure functions. A handle's offset and
// rotation vector (degrees) are in the default pose; its joint then carries it.
import type { Quaternion, Vector } from "../connection/protocol.ts";
import { add, length, scaled, sub } from "./geometry.ts";

export interface HandleKey { time: number; move: Vector; turn: Vector }
export interface FreeHandle {
  name: string; kind: "point" | "frame" | "slide"; place: Vector; radius: number | null; grip: "flesh" | "skin"; joint: string;
  move: Vector; turn: Vector; keys: HandleKey[];
}
export type Lead = Pick<HandleKey, "move" | "turn">;

const same_time = 1e-3; // seconds

// Linear between keys, constant before the first and after the last, as in bakes.
export function lead_at({ keys, move, turn }: FreeHandle, time: number): Lead {
  if (keys.length === 0) return { move, turn };
  const next = keys.findIndex((key) => key.time > time);
  if (next === 0) return keys[0];
  if (next < 0) return keys[keys.length - 1];
  const from = keys[next - 1], to = keys[next], share = (time - from.time) / (to.time - from.time);
  const between = (a: Vector, b: Vector) => add(a, scaled(sub(b, a), share));
  return { move: between(from.move, to.move), turn: between(from.turn, to.turn) };
}

// The handle led there: at this time if it has keys, else at all times.
export function led(handle: FreeHandle, lead: Lead, time: number): FreeHandle {
  return handle.keys.length === 0 ? { ...handle, ...lead } : keyed(handle, lead, time);
}

// The handle with a key at this time.
export function keyed(handle: FreeHandle, { move, turn }: Lead, time: number): FreeHandle {
  const others = handle.keys.filter((key) => Math.abs(key.time - time) > same_time);
  const keys = [...others, { time, move, turn }].sort((a, b) => a.time - b.time);
  return { ...handle, move: [0, 0, 0], turn: [0, 0, 0], keys };
}

// The handle without keys, where it is led at this time.
export function unkeyed(handle: FreeHandle, time: number): FreeHandle {
  const { move, turn } = lead_at(handle, time);
  return { ...handle, move, turn, keys: [] };
}

export function rotation_by_vector(turn: Vector): Quaternion {
  const angle = length(turn), half = (angle * Math.PI) / 360;
  return angle > 0 ? [...scaled(turn, Math.sin(half) / angle), Math.cos(half)] : [0, 0, 0, 1];
}

// The rotation vector of a rotation, in degrees; of those that differ by whole turns the one next to `near`.
export function vector_of_rotation([x, y, z, w]: Quaternion, near: Vector): Vector {
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return Math.round(length(near) / 360) === 0 ? [0, 0, 0] : scaled(near, (360 * Math.round(length(near) / 360)) / length(near));
  const axis = scaled([x, y, z], 1 / sine), angle = (360 / Math.PI) * Math.atan2(sine, w);
  const along = axis[0] * near[0] + axis[1] * near[1] + axis[2] * near[2];
  return scaled(axis, angle + 360 * Math.round((along - angle) / 360));
}
