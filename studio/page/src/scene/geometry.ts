// Geometry for dragging, brushes and joints. Pure functions; points are arrays of three numbers, metres.
import type { Quaternion, SkinPoint, Vector } from "../connection/protocol.ts";

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
export const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vector) => Math.sqrt(dot(a, a));
export const distance = (a: Vector, b: Vector) => length(sub(a, b));
export const cross = (a: Vector, b: Vector): Vector =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export function unit(a: Vector): Vector {
  const l = length(a);
  return l > 0 ? scaled(a, 1 / l) : [0, 1, 0];
}

export const vertex_at = (positions: ArrayLike<number>, vertex: number): Vector =>
  [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];

// Weights of corners 1 and 2 for the point of the triangle nearest to `p` in its plane, clamped to the triangle.
export function weights_in_triangle(p: Vector, a: Vector, b: Vector, c: Vector): [u: number, v: number] {
  const e = sub(b, a), f = sub(c, a), d = sub(p, a);
  const ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), de = dot(d, e), df = dot(d, f);
  const det = ee * ff - ef * ef;
  if (!(det > 0)) return [0, 0];
  let u = Math.max(0, (ff * de - ef * df) / det), v = Math.max(0, (ee * df - ef * de) / det);
  const sum = u + v;
  if (sum > 1) {
    u /= sum;
    v /= sum;
  }
  return [u, v];
}

// Position of a point of the skin, with the surface's vertices at `positions`.
export function skin_position(at: SkinPoint, triangles: ArrayLike<number>, positions: ArrayLike<number>): Vector {
  const [triangle, u, v] = at;
  const result: Vector = [0, 0, 0];
  const weights = [1 - u - v, u, v];
  for (let corner = 0; corner < 3; ++corner) {
    const vertex = 3 * triangles[3 * triangle + corner];
    for (let k = 0; k < 3; ++k) result[k] += weights[corner] * positions[vertex + k];
  }
  return result;
}

export interface Ray { origin: Vector; direction: Vector }

// Intersection of the ray and the plane; null if the ray is parallel to it or points away.
export function on_plane(ray: Ray, point: Vector, normal: Vector): Vector | null {
  const along = dot(ray.direction, normal);
  if (Math.abs(along) < 1e-9) return null;
  const t = dot(sub(point, ray.origin), normal) / along;
  return t > 0 ? add(ray.origin, scaled(ray.direction, t)) : null;
}

// Target for flesh at rest at `start` that is dragged to `place`: follows closely at first, then less and less, and
// never farther than three times `reach`, so that flesh is not torn off.
export function within_reach(start: Vector, place: Vector, reach: number): Vector {
  const way = sub(place, start), far = length(way), most = 3 * reach;
  return far > 0 ? add(start, scaled(way, most * (1 - Math.exp(-far / most)) / far)) : start;
}

// ---- rotations, x y z w

export function product(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}
export const inverse = (q: Quaternion): Quaternion => [-q[0], -q[1], -q[2], q[3]];

// The rotation of a 3x3 matrix, row by row, whose columns may be scaled.
export function rotation_of(m: ArrayLike<number>): Quaternion {
  const columns = [0, 1, 2].map((k): Vector => [m[k], m[k + 3], m[k + 6]]);
  const x = unit(columns[0]);
  const y = unit(sub(columns[1], scaled(x, dot(columns[1], x))));
  const z = cross(x, y); // for a mirrored joint: its rotation without the mirror
  const trace = x[0] + y[1] + z[2];
  let q: Quaternion;
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    q = [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4];
  } else if (x[0] > y[1] && x[0] > z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    q = [s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
  } else if (y[1] > z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    q = [(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
  } else {
    const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
    q = [(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s];
  }
  return q;
}
