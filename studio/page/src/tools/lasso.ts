// The lasso: vertices of the skin inside a line that is drawn around them. Pure but for the view that it is given.
import type { Vector } from "../connection/protocol.ts";
import { cross, sub, vertex_at } from "../scene/geometry.ts";

export interface ScreenPoint { x: number; y: number }

// Whether a point lies inside a closed line, by the even-odd rule.
export function is_inside(point: ScreenPoint, line: ScreenPoint[]): boolean {
  let inside = false;
  for (let k = 0, before = line.length - 1; k < line.length; before = k++) {
    const a = line[k], b = line[before];
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

// Directions of the skin at its vertices, not of unit length.
export function vertex_normals(positions: ArrayLike<number>, triangles: ArrayLike<number>): Float64Array {
  const normals = new Float64Array(positions.length);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [vertex_at(positions, triangles[k]), vertex_at(positions, triangles[k + 1]), vertex_at(positions, triangles[k + 2])];
    const area = cross(sub(b, a), sub(c, a));
    for (let corner = 0; corner < 3; ++corner)
      for (let axis = 0; axis < 3; ++axis) normals[3 * triangles[k + corner] + axis] += area[axis];
  }
  return normals;
}

// The vertices inside the line whose skin faces the eye and that nothing hides.
export function lassoed(positions: ArrayLike<number>, normals: ArrayLike<number>, line: ScreenPoint[], eye: Vector,
                        on_screen: (vertex: number) => ScreenPoint, hidden: (vertex: number) => boolean): number[] {
  const found: number[] = [];
  for (let vertex = 0; 3 * vertex < positions.length; ++vertex) {
    const k = 3 * vertex;
    const towards = (eye[0] - positions[k]) * normals[k] + (eye[1] - positions[k + 1]) * normals[k + 1] + (eye[2] - positions[k + 2]) * normals[k + 2];
    if (towards > 0 && is_inside(on_screen(vertex), line) && !hidden(vertex)) found.push(vertex);
  }
  return found;
}
