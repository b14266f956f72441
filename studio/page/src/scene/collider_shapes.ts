// Colliders: entries of the setting `colliders`, where they are in the world and the default pose. Pure geometry, metres.
import type { Matrix4 } from "three";
import { Matrix4 as Matrix, type Quaternion, Vector3 } from "three";
import type { Vector } from "../connection/protocol.ts";
import { add, cross, distance, dot, on_plane, type Ray, scaled, sub, unit } from "./geometry.ts";
import { on_wall, type Wall } from "./walls.ts";

export type ColliderShape = "sphere" | "capsule" | "plane" | "box";

export interface Collider {
  shape: ColliderShape | "mesh"; // meshes come from settings files; those of the character's own file are drawn with it
  centre?: Vector; // of a sphere or box
  radius?: number; // of a sphere or capsule
  point?: Vector; // of a plane
  normal?: Vector;
  from?: Vector; // ends of a capsule's axis
  to?: Vector;
  joint?: string | null; // that it moves with
  falls?: boolean; // of a sphere: it is let go
  density?: number; // kg/m³ and share of the speed that a bounce keeps, of a sphere that falls
  bounce?: number;
}

// Boxes have the fields of walls beside these.
export const as_wall = (thing: Collider | undefined): Wall | null => (thing?.shape === "box" ? (thing as unknown as Wall) : null);
export const as_thing = (wall: Wall): Collider => wall as unknown as Collider;

const moved_point = (motion: Matrix4, point: Vector): Vector => new Vector3(...point).applyMatrix4(motion).toArray() as Vector;
// Linear part alone.
const moved_way = (motion: Matrix4, way: Vector): Vector => sub(moved_point(motion, way), moved_point(motion, [0, 0, 0]));

// Where a ray goes in the space that `motion` leads from. Distances along it are those of that space.
export function ray_before(motion: Matrix4, ray: Ray): Ray {
  const back = new Matrix().copy(motion).invert();
  return { origin: moved_point(back, ray.origin), direction: unit(moved_way(back, ray.direction)) };
}

export const way_before = (motion: Matrix4, way: Vector): Vector => unit(moved_way(new Matrix().copy(motion).invert(), way));

// The collider after a motion; lengths keep.
export function moved(thing: Collider, motion: Matrix4): Collider {
  const result = { ...thing } as Collider & { front?: Vector; up?: Vector };
  for (const key of ["centre", "point", "from", "to"] as const) if (result[key]) result[key] = moved_point(motion, result[key]);
  for (const key of ["normal", "front", "up"] as const) if (result[key]) result[key] = unit(moved_way(motion, result[key]));
  return result;
}

// The collider turned about its middle.
export function turned(thing: Collider, rotation: Quaternion): Collider {
  const middle = middle_of_collider(thing), motion = new Matrix().makeRotationFromQuaternion(rotation);
  const back = sub(middle, moved_point(motion, middle));
  return shifted(moved(thing, motion), back);
}

// The collider shifted by a vector.
export function shifted(thing: Collider, by: Vector): Collider {
  const result = { ...thing };
  for (const key of ["centre", "point", "from", "to"] as const) if (result[key]) result[key] = add(result[key], by);
  return result;
}

export function middle_of_collider(thing: Collider): Vector {
  return thing.centre ?? thing.point ?? scaled(add(thing.from ?? [0, 0, 0], thing.to ?? [0, 0, 0]), 0.5);
}

// First intersection of a ray with a ball; null if it misses.
export function on_ball(ray: Ray, centre: Vector, radius: number): number | null {
  const way = sub(centre, ray.origin), along = dot(way, ray.direction), beside = dot(way, way) - along * along;
  if (beside > radius * radius) return null;
  const t = along - Math.sqrt(radius * radius - beside);
  return t > 0 ? t : null;
}

// First intersection of a ray with a capsule: with the balls at its ends, or with the side between them.
export function on_capsule(ray: Ray, from: Vector, to: Vector, radius: number): number | null {
  const axis = sub(to, from), far = Math.hypot(...axis), met = [on_ball(ray, from, radius), on_ball(ray, to, radius)];
  if (far > 0) {
    const along = scaled(axis, 1 / far), start = sub(ray.origin, from);
    const across = (way: Vector): Vector => sub(way, scaled(along, dot(way, along)));
    const d = across(ray.direction), s = across(start);
    const a = dot(d, d), b = dot(d, s), c = dot(s, s) - radius * radius, inside = b * b - a * c;
    if (a > 1e-12 && inside >= 0) {
      const t = (-b - Math.sqrt(inside)) / a, height = dot(start, along) + t * dot(ray.direction, along);
      if (t > 0 && height >= 0 && height <= far) met.push(t);
    }
  }
  return met.reduce<number | null>((least, t) => (t !== null && (least === null || t < least) ? t : least), null);
}

// Distance along a ray to a collider; planes count within `reach` of their point. Null if it misses.
export function first_met(ray: Ray, thing: Collider, reach: number): number | null {
  const wall = as_wall(thing);
  if (wall) return on_wall(ray, wall);
  if (thing.shape === "mesh") return null;
  if (thing.shape === "sphere") return on_ball(ray, thing.centre!, thing.radius!);
  if (thing.shape === "capsule") return on_capsule(ray, thing.from!, thing.to!, thing.radius!);
  const point = on_plane(ray, thing.point!, thing.normal!);
  return point && distance(point, thing.point!) < reach ? distance(point, ray.origin) : null;
}

// A unit vector across `along`.
export function across(along: Vector): Vector {
  return unit(cross(along, Math.abs(along[1]) < 0.9 * Math.hypot(...along) ? [0, 1, 0] : [1, 0, 0]));
}

// A collider on a joint at `place`, whose bone goes along `bone`; `size` is the character's height, and `viewer` the
// level direction towards who looks. Spheres and boxes are around the joint, capsules along the bone, planes behind it.
export function new_collider(shape: ColliderShape, place: Vector, bone: Vector, viewer: Vector, size: number): Collider {
  switch (shape) {
    case "sphere": return { shape, centre: place, radius: 0.05 * size };
    case "capsule": return { shape, from: place, to: add(place, bone), radius: 0.035 * size };
    case "plane": return { shape, point: sub(place, scaled(viewer, 0.15 * size)), normal: viewer };
    case "box":
      return as_thing({ shape, centre: place, front: viewer, up: Math.abs(viewer[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1],
        width: 0.12 * size, height: 0.12 * size, depth: 0.12 * size });
  }
}
