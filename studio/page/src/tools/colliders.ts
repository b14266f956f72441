// Balls and walls that the flesh collides with, put before it by a click and dragged into it.
import { add, on_plane, type Ray, scaled, sub, unit } from "../scene/geometry.ts";
import { handle_ball, stem } from "../scene/collider_drawings.ts";
import { as_thing, as_wall, type Collider, on_ball } from "../scene/collider_shapes.ts";
import type { Vector } from "../connection/protocol.ts";
import { element } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { check_row, number_row } from "../widgets/rows.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { ColliderList } from "./collider_list.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";
import { away_from_viewer, handle_place, on_handle, outward, resized, type Side, sides, type Wall, wall_before, with_extent } from "../scene/walls.ts";

type Kind = "ball" | "wall";
// Walls are boxes; planes, which settings files may contain, are walls without end.
const is_kind = (thing: Collider, kind: Kind) => (kind === "ball" ? thing.shape === "sphere" : thing.shape === "box" || thing.shape === "plane");
const wall_normal = (thing: Collider): Vector => unit(as_wall(thing)?.front ?? thing.normal!);

// These lengths are shares of the character's height.
const gap_before_flesh = 0.03, handle_radius = 0.02, least_side = 0.01;
const extents = ["width", "height", "depth"] as const;

class Colliders {
  private size = 0.12; // radius of a new ball, relative to the character's height
  private wall_size = { width: 0.5, height: 0.5, depth: 0.2 }; // of a new wall, relative to the character's height

  constructor(private readonly studio: Studio, readonly things: ColliderList, private readonly show_options: () => void) {
    things.decorations.push((thing) => this.handles(thing));
  }

  private handles(thing: Collider) {
    const radius = handle_radius * this.studio.height, wall = as_wall(thing), place = this.depth_place();
    if (page.value.tool === "ball" && place) return [handle_ball(place, radius), stem(add(thing.centre!, [0, thing.radius!, 0]), place)];
    return page.value.tool === "wall" && wall ? sides.map((side) => handle_ball(handle_place(wall, side), radius)) : [];
  }

  new_ball(touching: Vector | null, ray: Ray | null) {
    const radius = this.size * this.studio.height;
    const toward = ray ? scaled(ray.direction, -1.15 * radius) : ([0, 0, 0] as Vector);
    this.things.add({ shape: "sphere", centre: touching ? add(touching, toward) : this.beside(), radius });
  }
  new_wall(touching: Vector | null, ray: Ray | null) {
    const looking = ray ? ray.direction : (this.studio.view.look_direction().toArray() as Vector), height = this.studio.height;
    const { width, height: tall, depth } = this.wall_size;
    this.things.add(as_thing(wall_before(touching ?? this.beside(), looking, gap_before_flesh * height,
      { width: width * height, height: tall * height, depth: depth * height })));
  }
  private beside(): Vector {
    const box = this.studio.character!.box;
    return [box.max.x + 0.15 * this.studio.height, (box.min.y + box.max.y) / 2, box.max.z];
  }

  hit(ray: Ray, kind: Kind): number {
    return this.things.hit(ray, (thing) => is_kind(thing, kind));
  }

  // The side of the selected wall whose handle is under the pointer.
  handle(ray: Ray): Side | null {
    const wall = as_wall(this.things.chosen());
    return wall && on_handle(this.things.ray_at(this.things.selected, ray), wall, 1.5 * handle_radius * this.studio.height);
  }

  drag_handle(side: Side, ray: Ray): Gesture {
    const { things } = this, index = things.selected, wall = as_wall(things.list[index])!;
    const drawn = things.drawn(index, handle_place(wall, side), outward(wall, side), ray);
    return {
      move: (next) => {
        const by = drawn(next);
        if (by !== null) things.replace(index, as_thing(resized(wall, side, by, least_side * this.studio.height)));
      },
      end: () => things.draw(),
    };
  }

  // A ball moves in the plane that faces the viewer, a wall along its front or, `across`, in that plane too.
  drag(index: number, ray: Ray, across = false): Gesture {
    const { things } = this;
    things.selected = index;
    const thing = this.lifted(index), start = thing.centre ?? thing.point!, key = thing.centre ? "centre" : "point";
    const normal = thing.shape === "sphere" || across ? null : wall_normal(thing);
    const look = things.look_at(index), begin = on_plane(things.ray_at(index, ray), start, look) ?? start;
    const drawn = normal && things.drawn(index, start, normal, ray);
    things.draw();
    return {
      move: (next) => {
        const by = drawn?.(next), place = drawn ? null : on_plane(things.ray_at(index, next), start, look);
        if (drawn ? by === null : !place) return;
        things.replace(index, { ...thing, [key]: add(start, normal ? scaled(normal, by!) : sub(place!, begin)) });
      },
      end: () => things.draw(),
    };
  }

  // A ball that has fallen is dragged from where it lies; it begins there anew. Rays and ways of the drag are then those
  // of the world.
  private lifted(index: number): Collider {
    const { list } = this.things, place = this.things.fallen_to(index);
    if (place) list[index] = { ...list[index], centre: place, joint: null };
    return list[index];
  }

  // The handle over the chosen ball, which moves it away and nearer.
  private depth_place(): Vector | null {
    const ball = this.things.chosen();
    if (ball?.shape !== "sphere" || !ball.centre) return null;
    return add(ball.centre, [0, ball.radius! + 2.5 * handle_radius * this.studio.height, 0]);
  }
  on_depth_handle(ray: Ray): boolean {
    const place = this.depth_place();
    return place !== null && on_ball(this.things.ray_at(this.things.selected, ray), place, 1.6 * handle_radius * this.studio.height) !== null;
  }
  drag_depth(ray: Ray): Gesture {
    const { things } = this, index = things.selected, ball = this.lifted(index), start = ball.centre!;
    const away = things.way_at(index, away_from_viewer(this.studio.view.look_direction().toArray() as Vector)), drawn = things.drawn(index, start, away, ray);
    return {
      move: (next) => {
        const by = drawn(next);
        if (by !== null) things.replace(index, { ...ball, centre: add(start, scaled(away, by)) });
      },
      end: () => things.draw(),
    };
  }

  private wall_rows(wall: Wall | null): Node[] {
    const height = this.studio.height;
    return extents.map((extent) => number_row({
      label: extent[0].toUpperCase() + extent.slice(1), unit: "%", least: 2, most: 200, logarithmic: true,
      reset: extent === "depth" ? 20 : 50, value: 100 * (wall ? wall[extent] / height : this.wall_size[extent]),
      bound: (value) => Math.min(Math.max(value, 100 * least_side), 10_000),
      help: "Of the chosen wall, and of the next, over the character's height",
      change: (value) => {
        this.wall_size[extent] = value / 100;
        const chosen = as_wall(this.things.chosen());
        if (chosen) this.things.replace(this.things.selected, as_thing(with_extent(chosen, extent, (value / 100) * height)));
      },
    }));
  }

  private falling_rows(ball: Collider): Node[] {
    const { things } = this, change = (part: Partial<Collider>) => things.replace(things.selected, { ...things.chosen()!, ...part });
    const rows: Node[] = [check_row("Falls", "It is let go: gravity, ground and flesh move it, and it moves the flesh", ball.falls ?? false, (falls) => {
      if (falls && !server.value.method.can.balls) notice(`The method '${server.value.method.name}' knows no balls that fall; flesh does.`, "error");
      else change({ falls });
      this.show_options();
    })];
    if (!ball.falls) return rows;
    rows.push(
      number_row({ label: "Density", unit: "kg/m³", least: 10, most: 10_000, logarithmic: true, reset: 500, value: ball.density ?? 500, help: "Of the chosen ball; water has 1000", change: (density) => change({ density }) }),
      number_row({ label: "Bounce", unit: "%", least: 0, most: 100, reset: 50, value: 100 * (ball.bounce ?? 0.5), help: "Speed that is left after a bounce on the ground or another collider", change: (share) => change({ bounce: share / 100 }) }));
    return rows;
  }

  options(kind: Kind): Node[] {
    const { things } = this, rows: Node[] = [];
    const chosen = things.chosen(), thing = chosen && is_kind(chosen, kind) ? chosen : undefined;
    if (kind === "wall") rows.push(...this.wall_rows(as_wall(thing)));
    if (kind === "ball")
      rows.push(number_row({
        label: "Radius", unit: "%", least: 2, most: 50, logarithmic: true, reset: 12,
        value: thing ? (100 * thing.radius!) / this.studio.height : 100 * this.size,
        help: "Of the chosen ball, and of the next",
        change: (value) => {
          this.size = value / 100;
          const ball = things.chosen();
          if (ball?.shape === "sphere") things.replace(things.selected, { ...ball, radius: this.size * this.studio.height });
        },
      }));
    if (kind === "ball" && thing) rows.push(...this.falling_rows(thing));
    const count = things.list.filter((one) => is_kind(one, kind)).length;
    rows.push(element("div", { class: "buttons" },
      element("button", { onclick: () => (kind === "ball" ? this.new_ball(null, null) : this.new_wall(null, null)) }, `Add a ${kind}`),
      element("button", { disabled: count === 0, onclick: () => {
        const index = thing ? things.selected : things.list.map((one) => is_kind(one, kind)).lastIndexOf(true);
        if (index >= 0) things.remove(index);
      } }, `Remove ${count > 1 && !thing ? "the last" : "it"}`)));
    return rows;
  }
}

export const unable_to_collide = () =>
  server.value.method.can.colliders ? null : `The method '${server.value.method.name}' does not bump into things.`;

export function add_colliders(studio: Studio, tools: Tools, list: ColliderList, show_options: () => void) {
  const things = new Colliders(studio, list, show_options);
  const tool = (kind: Kind, hint: string): ToolActions => ({
    hint, unable: unable_to_collide,
    press(ray, event) {
      if (kind === "ball" && things.on_depth_handle(ray)) return things.drag_depth(ray);
      const side = kind === "wall" ? things.handle(ray) : null;
      if (side) return things.drag_handle(side, ray);
      const found = things.hit(ray, kind);
      if (found >= 0) return things.drag(found, ray, kind === "wall" && event.shiftKey);
      const picked = studio.pick(ray);
      if (!picked) return null;
      if (kind === "ball") things.new_ball(picked.point, ray);
      else things.new_wall(picked.point, ray);
      return { move() {}, end() {} };
    },
    hover: (ray) =>
      (kind === "wall" ? things.handle(ray) : things.on_depth_handle(ray)) ? "grab" : things.hit(ray, kind) >= 0 ? "move" : studio.pick(ray) ? "copy" : null,
    options: () => things.options(kind),
  });
  tools.actions.set("ball", tool("ball", "Click the flesh to put a ball before it. Drag the ball into the flesh; the handle over it, drawn up, moves it away."));
  tools.actions.set("wall", tool("wall",
    "Click the flesh to put a wall before it. Drag the wall into the flesh (with Shift: across), and its handles for width, height and depth."));
}
