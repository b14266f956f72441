// Effect of a brush on per-vertex values. Pure functions: the page draws the result and sends it as a stroke.
import type { Vector } from "../connection/protocol.ts";
import { distance, dot, vertex_at } from "../scene/geometry.ts";

export type BrushMode = "paint" | "smooth" | "fill" | "pick";

// Neighbours by edges: those of vertex v are list[start[v] .. start[v + 1]).
export interface Neighbours { start: Uint32Array; list: Uint32Array }

export function find_neighbours(triangles: Uint32Array, vertices: number): Neighbours {
  const start = new Uint32Array(vertices + 1);
  for (const vertex of triangles) start[vertex + 1] += 2;
  for (let k = 0; k < vertices; ++k) start[k + 1] += start[k];
  const list = new Uint32Array(start[vertices]), fill = start.slice(0, vertices);
  for (let k = 0; k < triangles.length; k += 3)
    for (let corner = 0; corner < 3; ++corner) {
      const vertex = triangles[k + corner];
      list[fill[vertex]++] = triangles[k + ((corner + 1) % 3)];
      list[fill[vertex]++] = triangles[k + ((corner + 2) % 3)];
    }
  return { start, list };
}

// Index of the connected piece that each vertex belongs to.
export function find_pieces(neighbours: Neighbours): Int32Array {
  const count = neighbours.start.length - 1, piece = new Int32Array(count).fill(-1);
  let pieces = 0;
  for (let seed = 0; seed < count; ++seed) {
    if (piece[seed] >= 0) continue;
    const waiting = [seed];
    piece[seed] = pieces;
    while (waiting.length > 0) {
      const vertex = waiting.pop()!;
      for (let k = neighbours.start[vertex]; k < neighbours.start[vertex + 1]; ++k) {
        const other = neighbours.list[k];
        if (piece[other] >= 0) continue;
        piece[other] = pieces;
        waiting.push(other);
      }
    }
    ++pieces;
  }
  return piece;
}

// 1 in the middle, 0 at the rim, smooth at both.
export function falloff(share: number): number {
  const rest = 1 - share * share;
  return share < 1 ? rest * rest : 0;
}

export interface Dab {
  middle: Vector;
  radius: number;
  from: number; // a vertex of the skin near the middle
  through: boolean; // everything in the ball, also behind; otherwise only what is connected within it and faces the same way
}

// Weight of each vertex that the dab reaches. Positions and normals have 3 numbers per vertex.
export function reached(dab: Dab, positions: ArrayLike<number>, normals: ArrayLike<number> | null, neighbours: Neighbours) {
  const result = new Map<number, number>();
  const weight = (vertex: number) => {
    const dx = positions[3 * vertex] - dab.middle[0], dy = positions[3 * vertex + 1] - dab.middle[1],
      dz = positions[3 * vertex + 2] - dab.middle[2];
    return falloff(Math.sqrt(dx * dx + dy * dy + dz * dz) / dab.radius);
  };
  if (dab.through) {
    for (let vertex = 0; 3 * vertex < positions.length; ++vertex) {
      const w = weight(vertex);
      if (w > 0) result.set(vertex, w);
    }
    return result;
  }
  const facing = normals ? vertex_at(normals, dab.from) : null;
  const waiting = [dab.from], seen = new Set(waiting);
  while (waiting.length > 0) {
    const vertex = waiting.pop()!;
    const w = weight(vertex);
    if (w <= 0 && vertex !== dab.from) continue;
    if (facing && normals && dot(facing, vertex_at(normals, vertex)) < -0.2) continue;
    if (w > 0) result.set(vertex, w);
    for (let k = neighbours.start[vertex]; k < neighbours.start[vertex + 1]; ++k) {
      const other = neighbours.list[k];
      if (!seen.has(other)) {
        seen.add(other);
        waiting.push(other);
      }
    }
  }
  return result;
}

// Applies one dab towards `value`. `most` holds, per vertex, the largest weight of this stroke so far, so that passing
// over a place twice does not paint it twice. Returns the vertices that changed.
export function paint_dab(values: Float32Array, before: Float32Array, most: Float32Array, reach: Map<number, number>, value: number,
                          strength: number): number[] {
  const changed: number[] = [];
  for (const [vertex, weight] of reach) {
    const share = weight * strength;
    if (share <= most[vertex]) continue;
    most[vertex] = share;
    values[vertex] = before[vertex] + (value - before[vertex]) * share;
    changed.push(vertex);
  }
  return changed;
}

export function smooth_dab(values: Float32Array, reach: Map<number, number>, strength: number, neighbours: Neighbours): number[] {
  const next: [number, number][] = [];
  for (const [vertex, weight] of reach) {
    let sum = 0, count = 0;
    for (let k = neighbours.start[vertex]; k < neighbours.start[vertex + 1]; ++k) {
      sum += values[neighbours.list[k]];
      ++count;
    }
    if (count > 0) next.push([vertex, values[vertex] + (sum / count - values[vertex]) * weight * strength]);
  }
  for (const [vertex, value] of next) values[vertex] = value;
  return next.map(([vertex]) => vertex);
}

export function nearest_vertex(positions: ArrayLike<number>, point: Vector): number {
  let best = -1, least = Infinity;
  for (let k = 0; k < positions.length; k += 3) {
    const dx = positions[k] - point[0], dy = positions[k + 1] - point[1], dz = positions[k + 2] - point[2];
    const square = dx * dx + dy * dy + dz * dz;
    if (square < least) [best, least] = [k / 3, square];
  }
  return best;
}

// The same dab mirrored at the plane x = `middle` in the rest pose. Null if there is no skin on that side, because the
// character is not symmetric.
export function mirrored_dab(dab: Dab, at_rest: Vector, middle: number, rest: ArrayLike<number>): Dab | null {
  const image: Vector = [2 * middle - at_rest[0], at_rest[1], at_rest[2]];
  const from = nearest_vertex(rest, image);
  return from >= 0 && distance(vertex_at(rest, from), image) < dab.radius ? { ...dab, middle: image, from } : null;
}
