// Walls: boxes of the setting `colliders`, with handles on their sides. Pure geometry in metres, world.
import { add, cross, distance, dot, type Ray, scaled, sub, unit } from "./geometry.ts";
import type { Vector } from "./protocol.ts";

export interface Wall {
  shape: "box";
  centre: Vector;
  front: Vector; // the way that its front looks; the flesh is there
  up: Vector;
  width: number;
  height: number;
  depth: number;
  rounding?: number | null; // of its edges; null: as it goes with its sides
}

export type Side = "left" | "right" | "top" | "bottom" | "back";
export const sides: readonly Side[] = ["left", "right", "top", "bottom", "back"];

type Extent = "width" | "height" | "depth";
const extents: readonly Extent[] = ["width", "height", "depth"];
const extent_of: Record<Side, Extent> = { left: "width", right: "width", top: "height", bottom: "height", back: "depth" };

// Unit vectors along width, height and depth, right-handed; the last one is the way that the front looks.
export function wall_axes(wall: Wall): [Vector, Vector, Vector] {
  const front = unit(wall.front), across = unit(cross(wall.up, front));
  return [across, cross(front, across), front];
}

// Out of a side.
export function outward(wall: Wall, side: Side): Vector {
  const [across, up, front] = wall_axes(wall);
  const ways: Record<Side, Vector> =
    { left: scaled(across, -1), right: across, top: up, bottom: scaled(up, -1), back: scaled(front, -1) };
  return ways[side];
}

// The middle of a side: there its handle is.
export const handle_place = (wall: Wall, side: Side): Vector =>
  add(wall.centre, scaled(outward(wall, side), wall[extent_of[side]] / 2));

// The wall with a side drawn out by so much, or pushed in, and the side across where it was. No extent becomes less than `least`.
export function resized(wall: Wall, side: Side, by: number, least: number): Wall {
  const extent = extent_of[side], size = Math.max(least, wall[extent] + by);
  return fitting({ ...wall, [extent]: size, centre: add(wall.centre, scaled(outward(wall, side), (size - wall[extent]) / 2)) });
}

// Edges that are rounder than the sides allow are rounded as it goes with them.
function fitting(wall: Wall): Wall {
  return (wall.rounding ?? 0) <= Math.min(wall.width, wall.height, wall.depth) / 2 ? wall : { ...wall, rounding: null };
}

// The wall with an extent of this size: its bottom and its front stay, and its middle does from side to side.
export function with_extent(wall: Wall, extent: Extent, size: number): Wall {
  if (extent === "width") return fitting({ ...wall, width: size });
  return resized(wall, extent === "height" ? "top" : "back", size - wall[extent], size);
}

// A wall whose front looks the way of `looking`, level unless one looks steeply, `gap` before a point of the flesh.
export function wall_before(touching: Vector, looking: Vector, gap: number, size: { width: number; height: number; depth: number }): Wall {
  const steep = Math.abs(looking[1]) > 0.8, level = unit([looking[0], 0, looking[2]]);
  const front: Vector = steep ? [0, Math.sign(looking[1]), 0] : level;
  const up: Vector = !steep ? [0, 1, 0] : Math.hypot(looking[0], looking[2]) > 1e-6 ? level : [0, 0, 1];
  return { shape: "box", centre: sub(touching, scaled(front, gap + size.depth / 2)), front, up, ...size };
}

// Where a ray first meets the wall, as a distance along it; null where it passes by or begins beyond.
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

// The handle that a ray meets within `radius` of its middle, the nearest to the eye where there are several.
export function on_handle(ray: Ray, wall: Wall, radius: number): Side | null {
  let nearest = Infinity, found: Side | null = null;
  for (const side of sides) {
    const way = sub(handle_place(wall, side), ray.origin), along = dot(way, ray.direction);
    if (along <= 0 || along >= nearest || distance(way, scaled(ray.direction, along)) > radius) continue;
    [nearest, found] = [along, side];
  }
  return found;
}

// The distance from `point`, along a line, of the place that a ray passes nearest to; null where both run the same way.
export function along_line(ray: Ray, point: Vector, direction: Vector): number | null {
  const way = sub(ray.origin, point), both = dot(ray.direction, direction), across = 1 - both * both;
  if (across < 1e-6) return null;
  return (dot(way, direction) - both * dot(way, ray.direction)) / across;
}
