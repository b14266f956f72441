// Finds the point of the flesh under the pointer: a tree over the surface's triangles, updated when it is queried.
import { DoubleSide, Ray as ThreeRay, Vector3 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import type { Character } from "./character.ts";
import { type Ray, vertex_at, weights_in_triangle } from "./geometry.ts";
import type { SkinPoint, Vector } from "../connection/protocol.ts";

export interface Picked {
  at: SkinPoint;
  point: Vector; // metres, world
  nearest: number; // vertex of the triangle
}

export class Picking {
  private tree: MeshBVH | null = null;
  private of: Character | null = null;
  private frame = -1; // that the tree was made for

  pick(character: Character, ray: Ray): Picked | null {
    if (!character.frame) return null;
    if (this.of !== character || !this.tree) {
      this.of = character;
      this.tree = new MeshBVH(character.plain_geometry, { indirect: true });
      this.frame = character.frame.number;
    } else if (this.frame !== character.frame.number) {
      this.tree.refit();
      this.frame = character.frame.number;
    }
    const hit = this.tree.raycastFirst(new ThreeRay(new Vector3(...ray.origin), new Vector3(...ray.direction)), DoubleSide);
    if (!hit || hit.faceIndex === undefined || hit.faceIndex === null) return null;
    const { triangles } = character.surface, positions = character.frame.positions;
    const corners = [0, 1, 2].map((k) => triangles[3 * hit.faceIndex! + k]);
    const [a, b, c] = corners.map((vertex) => vertex_at(positions, vertex));
    const point = hit.point.toArray() as Vector;
    const [u, v] = weights_in_triangle(point, a, b, c);
    const weights = [1 - u - v, u, v];
    return { at: [hit.faceIndex, u, v], point, nearest: corners[weights.indexOf(Math.max(...weights))] };
  }
}
