// Angles of joints as animators type them: degrees about the joint's own axes x, then y, then z, from its rest. Pure.
import type { Quaternion, Vector } from "../connection/protocol.ts";
import { inverse, product } from "./geometry.ts";

const degree = Math.PI / 180;
const about = (axis: 0 | 1 | 2, degrees: number): Quaternion => {
  const q: Quaternion = [0, 0, 0, Math.cos(0.5 * degrees * degree)];
  q[axis] = Math.sin(0.5 * degrees * degree);
  return q;
};

// The rotation of these angles: first about x, then about the turned y, then about the turned z.
export const rotation_by = ([x, y, z]: Vector): Quaternion => product(product(about(0, x), about(1, y)), about(2, z));

// Angles of a rotation, y from -90 to 90. At those ends x and z turn about one axis, and z is 0.
export function angles_of(q: Quaternion): Vector {
  const [x, y, z, w] = q;
  const xz = Math.min(1, Math.max(-1, 2 * (x * z + y * w)));
  if (Math.abs(xz) > 1 - 1e-9) return [(2 * Math.atan2(x, w)) / degree, Math.sign(xz) * 90, 0];
  return [
    Math.atan2(-2 * (y * z - x * w), 1 - 2 * (x * x + y * y)) / degree, Math.asin(xz) / degree,
    Math.atan2(-2 * (x * y - z * w), 1 - 2 * (y * y + z * z)) / degree,
  ];
}

// Angles from rest of a local rotation, and back.
export const angles_from_rest = (local: Quaternion, rest: Quaternion): Vector => angles_of(product(inverse(rest), local));
export const from_rest = (angles: Vector, rest: Quaternion): Quaternion => product(rest, rotation_by(angles));
