// The setting `colliders` as the page has it: drawn where the joints carry them, and changed by several tools. Places of a
// collider are those in the default pose; `ray_at` and `way_at` lead from the picture to them.
import { Group, Matrix4, type Object3D } from "three";
import { Newest } from "../connection/newest.ts";
import type { Vector } from "../connection/protocol.ts";
import { collider_mesh, dispose_all } from "../scene/collider_drawings.ts";
import { type Collider, first_met, ray_before, way_before } from "../scene/collider_shapes.ts";
import { dot, on_plane, type Ray, sub } from "../scene/geometry.ts";
import { along_line } from "../scene/walls.ts";
import { page, server, setting_value } from "../state.ts";
import type { Studio } from "../studio.ts";
import { motion_of } from "./joint_space.ts";
import { stroke } from "./strokes.ts";

export class ColliderList {
  list: Collider[] = [];
  selected = -1;
  // Tools draw these on the selected collider: handles, in its own space.
  readonly decorations: ((thing: Collider) => Object3D[])[] = [];
  private readonly group = new Group();
  private groups: Group[] = []; // per collider
  private readonly sending: Newest;

  constructor(readonly studio: Studio, private readonly tools: ReadonlySet<string>) {
    studio.view.add(this.group);
    this.sending = new Newest((command) => studio.do(command));
    server.watch(["settings", "character"], () => this.take_settings());
    page.watch(["tool"], () => this.draw());
    studio.view.before_picture.push(() => this.follow_motion());
  }

  private take_settings() {
    if (this.sending.pending) return; // the user's drag is newer
    this.list = structuredClone((setting_value("colliders") as Collider[] | undefined) ?? []);
    if (this.selected >= this.list.length) this.selected = -1; // after undo
    this.draw();
  }

  change(list: Collider[]) {
    this.list = list;
    this.draw();
    // Undo may have come before the answer.
    void this.sending.tell({ do: "set", path: "colliders", value: list, ...stroke() }).then(() => this.take_settings());
  }
  add(thing: Collider) {
    this.selected = this.list.length;
    this.change([...this.list, thing]);
  }
  replace(index: number, thing: Collider) {
    this.change(this.list.map((one, k) => (k === index ? thing : one)));
  }
  remove(index: number) {
    this.selected = -1;
    this.change(this.list.filter((_, k) => k !== index));
  }
  chosen(): Collider | undefined {
    return this.list[this.selected];
  }

  motion_of(joint: string | null | undefined): Matrix4 {
    return motion_of(this.studio, joint);
  }
  // From the default pose to where a collider is now: its joint carries it, or it has fallen there.
  private motion_at(index: number): Matrix4 {
    const thing = this.list[index], place = this.fallen_to(index);
    return place && thing.centre ? new Matrix4().makeTranslation(...sub(place, thing.centre)) : this.motion_of(thing?.joint);
  }
  // Where a ball that falls is now; null: not known yet, or it does not fall.
  fallen_to(index: number): Vector | null {
    if (!this.list[index]?.falls || this.sending.pending) return null;
    return this.studio.character?.frame?.balls.find(({ collider }) => collider === index)?.place ?? null;
  }
  ray_at(index: number, ray: Ray): Ray {
    return ray_before(this.motion_at(index), ray);
  }
  way_at(index: number, way: Vector): Vector {
    return way_before(this.motion_at(index), way);
  }
  look_at(index: number): Vector {
    return this.way_at(index, this.studio.view.look_direction().toArray() as Vector);
  }

  // The nearest collider under a ray that `counts`, or -1.
  hit(ray: Ray, counts: (thing: Collider) => boolean): number {
    let nearest = Infinity, found = -1;
    this.list.forEach((thing, index) => {
      if (!counts(thing)) return;
      const at = first_met(this.ray_at(index, ray), thing, 0.5 * this.studio.height);
      if (at !== null && at < nearest) [nearest, found] = [at, index];
    });
    return found;
  }

  // The distance by which a pointer that started at `begin` has dragged something of a collider along a line through
  // `start`. If the view is along that line, dragging up brings it nearer.
  drawn(index: number, start: Vector, direction: Vector, begin: Ray): (next: Ray) => number | null {
    const look = this.look_at(index);
    const measure = (ray: Ray) => {
      const own = this.ray_at(index, ray);
      return Math.abs(dot(direction, look)) > 0.8 ? on_plane(own, start, look)?.[1] ?? null : along_line(own, start, direction);
    };
    const first = measure(begin);
    return (next) => {
      const now = measure(next);
      return first === null || now === null ? null : now - first;
    };
  }

  draw() {
    dispose_all(this.group);
    this.groups = this.list.map((thing, index) => {
      const chosen = index === this.selected && this.tools.has(page.value.tool), own = new Group();
      own.matrixAutoUpdate = false;
      const mesh = collider_mesh(thing, chosen, this.studio.height);
      if (mesh) own.add(mesh);
      if (chosen) for (const one of this.decorations.flatMap((decorate) => decorate(thing))) own.add(one);
      this.group.add(own);
      return own;
    });
    this.follow_motion();
    this.studio.view.need_picture();
  }

  private follow_motion() {
    this.list.forEach((_, index) => {
      if (!this.groups[index]) return;
      this.groups[index].matrix.copy(this.motion_at(index));
      this.groups[index].matrixWorldNeedsUpdate = true;
    });
  }
}
