// Walls: boxes of the setting `colliders`, with handles on their sides. Pure geometry in metres, world.
import { add, cross, distance, dot, type Ray, scaled, sub, unit } from "./geometry.ts";
import type { Vector } from "../connection/protocol.ts";

export interface Wall {
  shape: "box";
  centre: Vector;
  front: Vector; // direction of the front, where the flesh is
  up: Vector;
  width: number;
  height: number;
  depth: number;
  rounding?: number | null; // of its edges; null: in proportion to its sides
}

export type Side = "left" | "right" | "top" | "bottom" | "back";
export const sides: readonly Side[] = ["left", "right", "top", "bottom", "back"];

type Extent = "width" | "height" | "depth";
const extents: readonly Extent[] = ["width", "height", "depth"];
const extent_of: Record<Side, Extent> = { left: "width", right: "width", top: "height", bottom: "height", back: "depth" };

// Unit vectors along width, height and depth, right-handed; the last one is the direction of the front.
export function wall_axes(wall: Wall): [Vector, Vector, Vector] {
  const front = unit(wall.front), across = unit(cross(wall.up, front));
  return [across, cross(front, across), front];
}

// Outward direction of a side.
export function outward(wall: Wall, side: Side): Vector {
  const [across, up, front] = wall_axes(wall);
  const ways: Record<Side, Vector> =
    { left: scaled(across, -1), right: across, top: up, bottom: scaled(up, -1), back: scaled(front, -1) };
  return ways[side];
}

// Centre of a side, where its handle is.
export const handle_place = (wall: Wall, side: Side): Vector =>
  add(wall.centre, scaled(outward(wall, side), wall[extent_of[side]] / 2));

// The wall with one side moved by this distance and the opposite side in place. No extent becomes less than `least`.
export function resized(wall: Wall, side: Side, by: number, least: number): Wall {
  const extent = extent_of[side], size = Math.max(least, wall[extent] + by);
  return fitting({ ...wall, [extent]: size, centre: add(wall.centre, scaled(outward(wall, side), (size - wall[extent]) / 2)) });
}

// Limits the rounding of edges to what the sides allow.
function fitting(wall: Wall): Wall {
  return (wall.rounding ?? 0) <= Math.min(wall.width, wall.height, wall.depth) / 2 ? wall : { ...wall, rounding: null };
}

// The wall with an extent of this size. Its bottom and front stay in place, and its centre from side to side.
export function with_extent(wall: Wall, extent: Extent, size: number): Wall {
  if (extent === "width") return fitting({ ...wall, width: size });
  return resized(wall, extent === "height" ? "top" : "back", size - wall[extent], size);
}

// A wall that faces along `looking` (level, unless the view is steep), `gap` in front of a point of the flesh.
export function wall_before(touching: Vector, looking: Vector, gap: number, size: { width: number; height: number; depth: number }): Wall {
  const steep = Math.abs(looking[1]) > 0.8, level = unit([looking[0], 0, looking[2]]);
  const front: Vector = steep ? [0, Math.sign(looking[1]), 0] : level;
  const up: Vector = !steep ? [0, 1, 0] : Math.hypot(looking[0], looking[2]) > 1e-6 ? level : [0, 0, 1];
  return { shape: "box", centre: sub(touching, scaled(front, gap + size.depth / 2)), front, up, ...size };
}

// First intersection of a ray with the wall, as a distance along it; null if it misses or begins beyond.
export function on_wall(ray: Ray, wall: Wall): number | null {
  const from = sub(ray.origin, wall.centre), axes = wall_axes(wall);
  let enters = -Infinity, leaves = Infinity;
  for (let k = 0; k < 3; ++k) {
    const half = wall[extents[k]] / 2, at = dot(from, axes[k]), along = dot(ray.direction, axes[k]);
    if (Math.abs(along) < 1e-12) {
      if (Math.abs(at) > half) return null;
      continue;
    }
    const one = (-half - at) / along, other = (half - at) / along;
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  return enters <= leaves && leaves > 0 ? Math.max(enters, 0) : null;
}

// The handle that a ray meets within `radius` of its centre; the nearest one to the camera.
export function on_handle(ray: Ray, wall: Wall, radius: number): Side | null {
  let nearest = Infinity, found: Side | null = null;
  for (const side of sides) {
    const way = sub(handle_place(wall, side), ray.origin), along = dot(way, ray.direction);
    if (along <= 0 || along >= nearest || distance(way, scaled(ray.direction, along)) > radius) continue;
    [nearest, found] = [along, side];
  }
  return found;
}

// Distance from `point`, along a line, of the place nearest to a ray; null if they are parallel.
export function along_line(ray: Ray, point: Vector, direction: Vector): number | null {
  const way = sub(ray.origin, point), both = dot(ray.direction, direction), across = 1 - both * both;
  if (across < 1e-6) return null;
  return (dot(way, direction) - both * dot(way, ray.direction)) / across;
}

// The direction in which things move away from who looks so: level, unless the view is steep.
export const away_from_viewer = (look: Vector): Vector => (Math.abs(look[1]) > 0.8 ? unit(look) : unit([look[0], 0, look[2]]));
