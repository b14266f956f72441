// Handles by which colliders are sized: where they are and what dragging them does. Pure geometry in metres.
import type { Vector } from "../connection/protocol.ts";
import { across, as_thing, as_wall, type Collider, middle_of_collider } from "./collider_shapes.ts";
import { add, cross, dot, length, type Ray, scaled, sub, unit } from "./geometry.ts";
import { handle_place, outward, resized, type Side, sides } from "./walls.ts";

export interface Handle {
  name: string; // "radius", "from", "to", "point" or a side of a box
  place: Vector;
  direction: Vector | null; // along which it is dragged; null: in the plane that faces the viewer
}

// `size` is the character's height.
export function handles_of(thing: Collider, size: number): Handle[] {
  const wall = as_wall(thing);
  if (wall) return sides.map((side) => ({ name: side, place: handle_place(wall, side), direction: outward(wall, side) }));
  if (thing.shape === "plane") return [{ name: "point", place: add(thing.point!, scaled(unit(thing.normal!), 0.06 * size)), direction: unit(thing.normal!) }];
  const side = thing.shape === "sphere" ? ([1, 0, 0] as Vector) : across(sub(thing.to!, thing.from!));
  const radius: Handle = { name: "radius", place: add(middle_of_collider(thing), scaled(side, thing.radius!)), direction: side };
  if (thing.shape === "sphere") return [radius];
  return [radius, ...(["from", "to"] as const).map((name) => ({ name, place: thing[name]!, direction: null }))];
}

// The collider after its handle was dragged by `by`: a distance along the handle's direction, or a vector. No length
// becomes less than `least`.
export function dragged(thing: Collider, name: string, by: number | Vector, least: number): Collider {
  if (typeof by !== "number") return name === "from" || name === "to" ? { ...thing, [name]: add(thing[name]!, by) } : thing;
  const wall = as_wall(thing);
  if (wall) return as_thing(resized(wall, name as Side, by, least));
  if (name === "point") return { ...thing, point: add(thing.point!, scaled(unit(thing.normal!), by)) };
  return { ...thing, radius: Math.max(least, thing.radius! + by) };
}

// The capsule with an axis of this length, its middle in place.
export function with_length(capsule: Collider, wanted: number): Collider {
  const middle = middle_of_collider(capsule), along = scaled(unit(sub(capsule.to!, capsule.from!)), wanted / 2);
  return { ...capsule, from: sub(middle, along), to: add(middle, along) };
}

// The handle that a ray meets within `radius` of its place, the nearest one to the camera.
export function met_handle(handles: Handle[], ray: Ray, radius: number): Handle | null {
  let nearest = Infinity, found: Handle | null = null;
  for (const handle of handles) {
    const way = sub(handle.place, ray.origin), along = dot(way, ray.direction);
    if (along <= 0 || along >= nearest || length(cross(way, ray.direction)) > radius) continue;
    [nearest, found] = [along, handle];
  }
  return found;
}
