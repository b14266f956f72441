// A control lattice as the page draws and picks it: vertices, edges, faces and cells. Pure functions.
import { floats_of, words_of } from "../connection/base64.ts";
import type { LatticeReply, Vector } from "../connection/protocol.ts";

export type Part = "vertices" | "edges" | "faces" | "cells";

export interface LatticeShape {
  revision: number;
  positions: Float32Array; // metres at rest, 3 per vertex
  edges: [number, number][]; // the smaller vertex first
  outer_edges: boolean[]; // per edge, whether it is on the outside
  faces: number[][]; // corners, counter-clockwise seen from their first cell's outside
  face_cells: number[][]; // cells of each face: one on the outside
  cells: number[][]; // vertices of each cell
  bones: { name: string; vertices: number[] }[];
  sharp_edges: [number, number][];
  sharp_vertices: number[];
}

const key_of = (vertices: number[]) => [...vertices].sort((a, b) => a - b).join(" ");
export const edge_key = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);

export function shape_of(reply: LatticeReply): LatticeShape {
  const cell_start = words_of(reply.cell_start), face_start = words_of(reply.face_start), corners = words_of(reply.corners);
  const faces: number[][] = [], face_cells: number[][] = [], cells: number[][] = [], numbers = new Map<string, number>();
  for (let c = 0; c + 1 < cell_start.length; ++c) {
    const vertices = new Set<number>();
    for (let f = cell_start[c]; f < cell_start[c + 1]; ++f) {
      const face = [...corners.slice(face_start[f], face_start[f + 1])], key = key_of(face);
      for (const v of face) vertices.add(v);
      const known = numbers.get(key);
      if (known === undefined) {
        numbers.set(key, faces.length);
        faces.push(face);
        face_cells.push([c]);
      } else face_cells[known].push(c);
    }
    cells.push([...vertices]);
  }
  const edges: [number, number][] = [], outer_edges: boolean[] = [], edge_numbers = new Map<string, number>();
  faces.forEach((face, f) => face.forEach((a, k) => {
    const b = face[(k + 1) % face.length], key = edge_key(a, b);
    let number = edge_numbers.get(key);
    if (number === undefined) {
      edge_numbers.set(key, (number = edges.length));
      edges.push(a < b ? [a, b] : [b, a]);
      outer_edges.push(false);
    }
    if (face_cells[f].length === 1) outer_edges[number] = true;
  }));
  return { revision: reply.revision, positions: floats_of(reply.positions), edges, outer_edges, faces, face_cells, cells, bones: reply.bones,
    sharp_edges: reply.sharp_edges, sharp_vertices: reply.sharp_vertices };
}

export const place_of = (shape: LatticeShape, v: number): Vector => [shape.positions[3 * v], shape.positions[3 * v + 1], shape.positions[3 * v + 2]];

// The vertices of what is chosen, each once.
export function vertices_of(shape: LatticeShape, part: Part, chosen: Iterable<number>): number[] {
  const list = new Set<number>();
  for (const k of chosen)
    for (const v of part === "vertices" ? [k] : part === "edges" ? shape.edges[k] : part === "faces" ? shape.faces[k] : shape.cells[k]) list.add(v);
  return [...list];
}

export function middle_of(shape: LatticeShape, vertices: number[]): Vector {
  const sum: Vector = [0, 0, 0];
  for (const v of vertices) for (const k of [0, 1, 2]) sum[k] += shape.positions[3 * v + k] / vertices.length;
  return sum;
}

// Two triangles, or more, per polygon.
export const fan = (face: number[]): [number, number, number][] => face.slice(2).map((v, k) => [face[0], face[k + 1], v]);

export interface Pixel { x: number; y: number; depth: number } // depth: metres from the eye

// Distance in pixels to a line between two points of the screen, and where along it, 0 to 1, that is.
export function to_line(at: { x: number; y: number }, a: Pixel, b: Pixel): [far: number, along: number] {
  const dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const along = length2 > 0 ? Math.min(1, Math.max(0, ((at.x - a.x) * dx + (at.y - a.y) * dy) / length2)) : 0;
  return [Math.hypot(a.x + along * dx - at.x, a.y + along * dy - at.y), along];
}

// The vertex or edge that the pointer is at: of those within reach, the nearest to the eye; -1: none.
export function picked(shape: LatticeShape, part: "vertices" | "edges", at: { x: number; y: number }, screen: Pixel[], reach: number): number {
  let best = -1, nearest = Infinity;
  const offer = (k: number, far: number, depth: number) => {
    if (far > reach || depth >= nearest) return;
    best = k;
    nearest = depth;
  };
  if (part === "vertices") screen.forEach((p, v) => offer(v, Math.hypot(p.x - at.x, p.y - at.y), p.depth));
  else
    shape.edges.forEach(([a, b], e) => {
      const [far, along] = to_line(at, screen[a], screen[b]);
      offer(e, far, screen[a].depth + along * (screen[b].depth - screen[a].depth));
    });
  return best;
}
