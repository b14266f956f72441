// The shape of a muscle as it is drawn: a spindle around its line, which thickens where the line shortens. Pure functions.
import type { Vector } from "../connection/protocol.ts";
import { add, cross, distance, dot, scaled, sub, unit } from "./geometry.ts";

// A muscle keeps its volume: half as long, it is 1.4 times as wide.
export function widening(rest: number, now: number): number {
  return now > 0 && rest > 0 ? Math.min(widest, Math.max(1 / widest, Math.sqrt(rest / now))) : 1;
}
const widest = 1.8;
// The spindle's radius at a share of its length; tendons stay seen.
const usual_radius = (radius: number, along: number) => radius * Math.max(tendon, Math.sin(Math.PI * along));
const tendon = 0.12;

export const points_of = (places: ArrayLike<number>, muscle: number, count: number): Vector[] =>
  Array.from({ length: count }, (_, k) => [0, 1, 2].map((c) => places[3 * (muscle * count + k) + c]) as Vector);

// Radius at each point of the line, metres.
export function radii(line: Vector[], { length, radius }: { length: number; radius: number }): number[] {
  const last = line.length - 1, piece = length / last;
  return line.map((_, k) => {
    const from = Math.max(0, k - 1), to = Math.min(last, k + 1);
    let now = 0;
    for (let p = from; p < to; ++p) now += distance(line[p], line[p + 1]);
    return usual_radius(radius, k / last) * widening(piece * (to - from), now);
  });
}

// Rings of `sides` points around the line, with their normals, into arrays from a vertex on. Neighbouring rings are not
// twisted against each other.
export function write_rings(line: Vector[], radius: number[], sides: number, from: number, positions: Float32Array, normals: Float32Array) {
  let across: Vector = [0, 0, 0];
  for (let k = 0; k < line.length; ++k) {
    const along = unit(sub(line[Math.min(k + 1, line.length - 1)], line[Math.max(k - 1, 0)]));
    if (k === 0) across = Math.abs(along[0]) < 0.8 ? [1, 0, 0] : [0, 0, 1];
    across = unit(sub(across, scaled(along, dot(across, along))));
    const third = cross(along, across);
    for (let s = 0; s < sides; ++s) {
      const angle = (2 * Math.PI * s) / (sides - 1), normal = add(scaled(across, Math.cos(angle)), scaled(third, Math.sin(angle)));
      const at = 3 * (from + k * sides + s);
      positions.set(add(line[k], scaled(normal, radius[k])), at);
      normals.set(normal, at);
    }
  }
}

// Triangles between the rings of a muscle whose first vertex is `from`.
export function ring_triangles(rings: number, sides: number, from: number): number[] {
  const triangles: number[] = [];
  for (let k = 0; k + 1 < rings; ++k)
    for (let s = 0; s + 1 < sides; ++s) {
      const a = from + k * sides + s, b = a + sides;
      triangles.push(a, a + 1, b, a + 1, b + 1, b);
    }
  return triangles;
}
