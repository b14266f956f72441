// Balls and walls that the flesh collides with: entries of the setting `colliders`, drawn in place and draggable.
import {
  BoxGeometry, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  PlaneGeometry, Quaternion, SphereGeometry, Vector3,
} from "three";
import { add, distance, dot, on_plane, type Ray, scaled, sub, unit } from "../scene/geometry.ts";
import type { Vector } from "../connection/protocol.ts";
import { element } from "../widgets/dom.ts";
import { number_row } from "../widgets/rows.ts";
import { page, server, setting_value } from "../state.ts";
import { stroke } from "./strokes.ts";
import type { Studio } from "../studio.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";
import {
  along_line, away_from_viewer, handle_place, on_handle, on_wall, outward, resized, type Side, sides, type Wall, wall_axes, wall_before, with_extent,
} from "../scene/walls.ts";

export interface Collider {
  shape: "sphere" | "plane" | "capsule" | "box";
  centre?: Vector;
  radius?: number;
  point?: Vector;
  normal?: Vector;
  from?: Vector;
  to?: Vector;
  joint?: string | null;
}

type Kind = "ball" | "wall";
// Walls are boxes; planes, which settings files may contain, are walls without end.
const is_kind = (thing: Collider, kind: Kind) => (kind === "ball" ? thing.shape === "sphere" : thing.shape === "box" || thing.shape === "plane");
const as_wall = (thing: Collider | undefined): Wall | null => (thing?.shape === "box" ? (thing as unknown as Wall) : null);
const as_thing = (wall: Wall): Collider => wall as unknown as Collider;

// These lengths are shares of the character's height.
const gap_before_flesh = 0.03, handle_radius = 0.02, least_side = 0.01;
const extents = ["width", "height", "depth"] as const;

// First intersection of a ray with a ball; null if it misses.
export function on_ball(ray: Ray, centre: Vector, radius: number): number | null {
  const way = sub(centre, ray.origin), along = dot(way, ray.direction), beside = dot(way, way) - along * along;
  if (beside > radius * radius) return null;
  const t = along - Math.sqrt(radius * radius - beside);
  return t > 0 ? t : null;
}

class Colliders {
  private readonly group = new Group();
  selected = -1;
  list: Collider[] = [];
  private sending = false;
  private unsent: { value: Collider[]; stroke?: number } | null = null;
  private size = 0.12; // radius of a new ball, relative to the character's height
  private wall_size = { width: 0.5, height: 0.5, depth: 0.2 }; // of a new wall, relative to the character's height

  constructor(private readonly studio: Studio) {
    studio.view.add(this.group);
    server.watch(["settings", "character"], () => {
      if (this.sending || this.unsent) return; // the user's drag is newer
      this.list = structuredClone((setting_value("colliders") as Collider[] | undefined) ?? []);
      this.draw();
    });
    page.watch(["tool"], () => this.draw());
  }

  change(list: Collider[]) {
    this.list = list;
    this.draw();
    this.unsent = { value: list, ...stroke() };
    void this.send();
  }

  // Sends one request at a time; the newest wins.
  private async send() {
    if (this.sending) return;
    this.sending = true;
    while (this.unsent) {
      const change = this.unsent;
      this.unsent = null;
      if (!(await this.studio.do({ do: "set", path: "colliders", ...change }))) break;
    }
    this.sending = false;
  }

  new_ball(touching: Vector | null, ray: Ray | null) {
    const radius = this.size * this.studio.height;
    const toward = ray ? scaled(ray.direction, -1.15 * radius) : ([0, 0, 0] as Vector);
    this.selected = this.list.length;
    this.change([...this.list, { shape: "sphere", centre: touching ? add(touching, toward) : this.beside(), radius }]);
  }
  new_wall(touching: Vector | null, ray: Ray | null) {
    const looking = ray ? ray.direction : (this.studio.view.look_direction().toArray() as Vector), height = this.studio.height;
    const { width, height: tall, depth } = this.wall_size;
    this.selected = this.list.length;
    this.change([...this.list, as_thing(wall_before(touching ?? this.beside(), looking, gap_before_flesh * height,
      { width: width * height, height: tall * height, depth: depth * height }))]);
  }
  private beside(): Vector {
    const box = this.studio.character!.box;
    return [box.max.x + 0.15 * this.studio.height, (box.min.y + box.max.y) / 2, box.max.z];
  }

  remove(index: number) {
    this.selected = -1;
    this.change(this.list.filter((_, k) => k !== index));
  }

  hit(ray: Ray, kind: Kind): number {
    let nearest = Infinity, found = -1;
    this.list.forEach((thing, index) => {
      if (!is_kind(thing, kind)) return;
      const at = this.first_met(ray, thing);
      if (at !== null && at < nearest) [nearest, found] = [at, index];
    });
    return found;
  }
  private first_met(ray: Ray, thing: Collider): number | null {
    const wall = as_wall(thing);
    if (wall) return on_wall(ray, wall);
    if (thing.shape === "sphere") return on_ball(ray, thing.centre!, thing.radius!);
    const point = on_plane(ray, thing.point!, thing.normal!);
    return point && distance(point, thing.point!) < 0.5 * this.studio.height ? distance(point, ray.origin) : null;
  }

  // The side of the selected wall whose handle is under the pointer.
  handle(ray: Ray): Side | null {
    const wall = as_wall(this.list[this.selected]);
    return wall && on_handle(ray, wall, 1.5 * handle_radius * this.studio.height);
  }

  private replace(index: number, thing: Collider) {
    this.change(this.list.map((one, k) => (k === index ? thing : one)));
  }

  // Returns the distance by which a pointer that started at `begin` has dragged an object along a line through `start`.
  // If the view is along that line, dragging up brings the object nearer.
  private drawn(start: Vector, direction: Vector, begin: Ray): (next: Ray) => number | null {
    const look = this.studio.view.look_direction().toArray() as Vector;
    const measure = Math.abs(dot(direction, look)) > 0.8
      ? (ray: Ray) => on_plane(ray, start, look)?.[1] ?? null
      : (ray: Ray) => along_line(ray, start, direction);
    const first = measure(begin);
    return (next) => {
      const now = measure(next);
      return first === null || now === null ? null : now - first;
    };
  }

  drag_handle(side: Side, ray: Ray): Gesture {
    const index = this.selected, wall = as_wall(this.list[index])!;
    const drawn = this.drawn(handle_place(wall, side), outward(wall, side), ray);
    return {
      move: (next) => {
        const by = drawn(next);
        if (by !== null) this.replace(index, as_thing(resized(wall, side, by, least_side * this.studio.height)));
      },
      end: () => this.draw(),
    };
  }

  // A ball moves in the plane that faces the viewer, a wall along its front or, `across`, in that plane too.
  drag(index: number, ray: Ray, across = false): Gesture {
    this.selected = index;
    const thing = this.list[index], start = thing.centre ?? thing.point!, key = thing.centre ? "centre" : "point";
    const normal = thing.shape === "sphere" || across ? null : wall_normal(thing);
    const look = this.studio.view.look_direction().toArray() as Vector, begin = on_plane(ray, start, look) ?? start;
    const drawn = normal && this.drawn(start, normal, ray);
    this.draw();
    return {
      move: (next) => {
        const by = drawn?.(next), place = drawn ? null : on_plane(next, start, look);
        if (drawn ? by === null : !place) return;
        this.replace(index, { ...thing, [key]: add(start, normal ? scaled(normal, by!) : sub(place!, begin)) });
      },
      end: () => this.draw(),
    };
  }

  // The handle over the chosen ball, which moves it away and nearer.
  private depth_place(): Vector | null {
    const ball = this.list[this.selected];
    if (ball?.shape !== "sphere" || !ball.centre) return null;
    return add(ball.centre, [0, ball.radius! + 2.5 * handle_radius * this.studio.height, 0]);
  }
  on_depth_handle(ray: Ray): boolean {
    const place = this.depth_place();
    return place !== null && on_ball(ray, place, 1.6 * handle_radius * this.studio.height) !== null;
  }
  drag_depth(ray: Ray): Gesture {
    const index = this.selected, ball = this.list[index], start = ball.centre!;
    const away = away_from_viewer(this.studio.view.look_direction().toArray() as Vector), drawn = this.drawn(start, away, ray);
    return {
      move: (next) => {
        const by = drawn(next);
        if (by !== null) this.replace(index, { ...ball, centre: add(start, scaled(away, by)) });
      },
      end: () => this.draw(),
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
        const chosen = as_wall(this.list[this.selected]);
        if (chosen) this.replace(this.selected, as_thing(with_extent(chosen, extent, (value / 100) * height)));
      },
    }));
  }

  options(kind: Kind): Node[] {
    const rows: Node[] = [];
    const chosen = this.list[this.selected], thing = chosen && is_kind(chosen, kind) ? chosen : undefined;
    if (kind === "wall") rows.push(...this.wall_rows(as_wall(thing)));
    if (kind === "ball")
      rows.push(number_row({
        label: "Radius", unit: "%", least: 2, most: 50, logarithmic: true, reset: 12,
        value: thing ? (100 * thing.radius!) / this.studio.height : 100 * this.size,
        help: "Of the chosen ball, and of the next",
        change: (value) => {
          this.size = value / 100;
          if (this.selected >= 0 && this.list[this.selected]?.shape === "sphere")
            this.change(this.list.map((one, k) => (k === this.selected ? { ...one, radius: this.size * this.studio.height } : one)));
        },
      }));
    const count = this.list.filter((one) => is_kind(one, kind)).length;
    rows.push(element("div", { class: "buttons" },
      element("button", { onclick: () => (kind === "ball" ? this.new_ball(null, null) : this.new_wall(null, null)) }, `Add a ${kind}`),
      element("button", { disabled: count === 0, onclick: () => {
        const index = thing ? this.selected : this.list.map((one) => is_kind(one, kind)).lastIndexOf(true);
        if (index >= 0) this.remove(index);
      } }, `Remove ${count > 1 && !thing ? "the last" : "it"}`)));
    return rows;
  }

  private draw() {
    this.group.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof LineSegments)) return;
      object.geometry.dispose();
      object.material.dispose();
    });
    this.group.clear();
    this.list.forEach((thing, index) => {
      const chosen = index === this.selected && (page.value.tool === "ball" || page.value.tool === "wall");
      const colour = chosen ? 0xffb454 : 0x7fb2e8, is_wall = is_kind(thing, "wall");
      const material = new MeshStandardMaterial({
        color: colour, roughness: 0.45, transparent: true, opacity: is_wall ? 0.24 : 0.9, side: DoubleSide, depthWrite: !is_wall,
      });
      const wall = as_wall(thing);
      if (thing.shape === "sphere" && thing.centre && thing.radius) {
        const ball = new Mesh(new SphereGeometry(thing.radius, 48, 32), material);
        ball.position.set(...thing.centre);
        ball.castShadow = true;
        this.group.add(ball);
        const place = chosen && page.value.tool === "ball" ? this.depth_place() : null;
        if (place) this.group.add(handle_ball(place, handle_radius * this.studio.height), stem(add(thing.centre, [0, thing.radius, 0]), place));
      } else if (wall) {
        this.group.add(with_rim(new BoxGeometry(wall.width, wall.height, wall.depth), material, chosen, wall.centre, wall_turn(wall)));
        if (chosen) for (const side of sides) this.group.add(handle_ball(handle_place(wall, side), handle_radius * this.studio.height));
      } else if (thing.shape === "plane" && thing.point && thing.normal) {
        const size = 1.1 * this.studio.height;
        const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...unit(thing.normal)));
        this.group.add(with_rim(new PlaneGeometry(size, size, 6, 6), material, chosen, thing.point, turn));
      }
    });
    this.studio.view.need_picture();
  }
}

const wall_normal = (thing: Collider): Vector => unit(as_wall(thing)?.front ?? thing.normal!);
const wall_turn = (wall: Wall): Quaternion =>
  new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(...(wall_axes(wall).map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3])));

function with_rim(shape: BoxGeometry | PlaneGeometry, material: MeshStandardMaterial, chosen: boolean, place: Vector, turn: Quaternion): Mesh {
  const mesh = new Mesh(shape, material);
  mesh.position.set(...place);
  mesh.quaternion.copy(turn);
  mesh.add(new LineSegments(new EdgesGeometry(shape), new LineBasicMaterial({ color: chosen ? 0xffb454 : 0x9cc6f2 })));
  return mesh;
}

// Visible through what is in front of it, so that it can be found on the far side.
function handle_ball(place: Vector, radius: number): Mesh {
  const ball = new Mesh(new SphereGeometry(radius, 24, 16), new MeshBasicMaterial({ color: 0xfff2dc, depthTest: false, transparent: true, opacity: 0.95 }));
  ball.position.set(...place);
  ball.renderOrder = 10;
  return ball;
}

// A line from a thing to its handle.
function stem(from: Vector, to: Vector): LineSegments {
  const line = new LineSegments(new BufferGeometry().setFromPoints([new Vector3(...from), new Vector3(...to)]), new LineBasicMaterial({ color: 0xfff2dc, depthTest: false }));
  line.renderOrder = 10;
  return line;
}

export function add_colliders(studio: Studio, tools: Tools) {
  const things = new Colliders(studio);
  const unable = () => (server.value.method.can.colliders ? null : `The method '${server.value.method.name}' does not bump into things.`);
  const tool = (kind: Kind, hint: string): ToolActions => ({
    hint, unable,
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
