// Balls and walls that the flesh bumps into: entries of the setting `colliders`, drawn where they are and dragged about.
import {
  DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, PlaneGeometry, Quaternion,
  SphereGeometry, Vector3,
} from "three";
import { add, distance, dot, on_plane, type Ray, scaled, sub, unit } from "./geometry.ts";
import type { Vector } from "./protocol.ts";
import { element } from "./dom.ts";
import { number_row } from "./rows.ts";
import { page, server, setting_value } from "./state.ts";
import { stroke } from "./strokes.ts";
import type { Studio } from "./studio.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

export interface Collider {
  shape: "sphere" | "plane" | "capsule";
  centre?: Vector;
  radius?: number;
  point?: Vector;
  normal?: Vector;
  from?: Vector;
  to?: Vector;
  joint?: string | null;
}

// Where a ray first meets a ball; null where it passes by.
export function on_ball(ray: Ray, centre: Vector, radius: number): number | null {
  const way = sub(centre, ray.origin), along = dot(way, ray.direction), beside = dot(way, way) - along * along;
  if (beside > radius * radius) return null;
  const t = along - Math.sqrt(radius * radius - beside);
  return t > 0 ? t : null;
}

class Things {
  private readonly group = new Group();
  selected = -1;
  list: Collider[] = [];
  private sending = false;
  private unsent: { value: Collider[]; stroke?: number } | null = null;
  private size = 0.12; // of a new ball, over the character's height

  constructor(private readonly studio: Studio) {
    studio.view.add(this.group);
    server.watch(["settings", "character"], () => {
      if (this.sending || this.unsent) return; // what the user drags is newer
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

  // One at a time, the newest wins.
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
    const looking = ray ? ray.direction : (this.studio.view.look_direction().toArray() as Vector);
    const flat: Vector = Math.abs(looking[1]) > 0.8 ? [0, Math.sign(looking[1]), 0] : [looking[0], 0, looking[2]];
    const normal = unit(flat);
    const point = touching ? sub(touching, scaled(normal, 0.03 * this.studio.height)) : add(this.beside(), [0, 0, 0]);
    this.selected = this.list.length;
    this.change([...this.list, { shape: "plane", point, normal }]);
  }
  private beside(): Vector {
    const box = this.studio.character!.box;
    return [box.max.x + 0.15 * this.studio.height, (box.min.y + box.max.y) / 2, box.max.z];
  }

  remove(index: number) {
    this.selected = -1;
    this.change(this.list.filter((_, k) => k !== index));
  }

  hit(ray: Ray, shape: Collider["shape"]): number {
    let nearest = Infinity, found = -1;
    this.list.forEach((thing, index) => {
      if (thing.shape !== shape) return;
      let at: number | null = null;
      if (shape === "sphere") at = on_ball(ray, thing.centre!, thing.radius!);
      else {
        const point = on_plane(ray, thing.point!, thing.normal!);
        if (point && distance(point, thing.point!) < 0.5 * this.studio.height) at = distance(point, ray.origin);
      }
      if (at !== null && at < nearest) [nearest, found] = [at, index];
    });
    return found;
  }

  drag(index: number, ray: Ray): Gesture {
    this.selected = index;
    const thing = this.list[index], start = thing.centre ?? thing.point!, plane = this.studio.view.look_direction().toArray() as Vector;
    const along = thing.shape === "plane" ? thing.normal! : null;
    const begin = on_plane(ray, start, plane) ?? start;
    return {
      move: (next) => {
        const place = on_plane(next, start, plane);
        if (!place) return;
        let way = sub(place, begin);
        // A wall that one looks at straight on comes nearer by dragging up, and along its normal otherwise.
        if (along) way = Math.abs(dot(along, plane)) > 0.8 ? scaled(along, way[1]) : scaled(along, dot(way, along));
        const moved = add(start, way);
        this.change(this.list.map((one, k) => (k !== index ? one : { ...one, [along ? "point" : "centre"]: moved })));
      },
      end: () => this.draw(),
    };
  }

  options(shape: Collider["shape"]): Node[] {
    const rows: Node[] = [];
    const thing = this.list[this.selected]?.shape === shape ? this.list[this.selected] : undefined;
    if (shape === "sphere")
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
    const count = this.list.filter((one) => one.shape === shape).length, what = shape === "sphere" ? "ball" : "wall";
    rows.push(element("div", { class: "buttons" },
      element("button", { onclick: () => (shape === "sphere" ? this.new_ball(null, null) : this.new_wall(null, null)) }, `Add a ${what}`),
      element("button", { disabled: count === 0, onclick: () => {
        const index = thing ? this.selected : this.list.map((one) => one.shape).lastIndexOf(shape);
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
      const material = new MeshStandardMaterial({
        color: chosen ? 0xffb454 : 0x7fb2e8, roughness: 0.45, transparent: true, opacity: thing.shape === "plane" ? 0.24 : 0.9,
        side: DoubleSide, depthWrite: thing.shape !== "plane",
      });
      if (thing.shape === "sphere" && thing.centre && thing.radius) {
        const ball = new Mesh(new SphereGeometry(thing.radius, 48, 32), material);
        ball.position.set(...thing.centre);
        ball.castShadow = true;
        this.group.add(ball);
      } else if (thing.shape === "plane" && thing.point && thing.normal) {
        const size = 1.1 * this.studio.height, shape = new PlaneGeometry(size, size, 6, 6);
        const wall = new Mesh(shape, material);
        wall.position.set(...thing.point);
        wall.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...unit(thing.normal))));
        const rim = new LineSegments(new EdgesGeometry(shape), new LineBasicMaterial({ color: chosen ? 0xffb454 : 0x9cc6f2 }));
        wall.add(rim);
        this.group.add(wall);
      }
    });
    this.studio.view.need_picture();
  }
}

export function add_things(studio: Studio, tools: Tools) {
  const things = new Things(studio);
  const unable = () => (server.value.method.can.colliders ? null : `The method '${server.value.method.name}' does not bump into things.`);
  const tool = (shape: "sphere" | "plane", hint: string): ToolActions => ({
    hint, unable,
    press(ray) {
      const found = things.hit(ray, shape);
      if (found >= 0) return things.drag(found, ray);
      const picked = studio.pick(ray);
      if (!picked) return null;
      if (shape === "sphere") things.new_ball(picked.point, ray);
      else things.new_wall(picked.point, ray);
      return { move() {}, end() {} };
    },
    hover: (ray) => (things.hit(ray, shape) >= 0 ? "move" : studio.pick(ray) ? "copy" : null),
    options: () => things.options(shape),
  });
  tools.actions.set("ball", tool("sphere", "Click the flesh to put a ball before it. Drag the ball into the flesh."));
  tools.actions.set("wall", tool("plane", "Click the flesh to put a wall before it. Drag the wall along."));
}
