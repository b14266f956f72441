// Colliders that hang on joints: a click on a joint hangs a sphere, capsule, plane or box on it, which moves with the joint
// and is sized and placed by handles or numbers.
import { Matrix4, Quaternion } from "three";
import type { Vector } from "../connection/protocol.ts";
import { handle_ball } from "../scene/collider_drawings.ts";
import { dragged, type Handle, handles_of, met_handle, with_length } from "../scene/collider_handles.ts";
import { as_thing, as_wall, type Collider, type ColliderShape, middle_of_collider, moved, new_collider, shifted, turned } from "../scene/collider_shapes.ts";
import { distance, on_plane, type Ray, scaled, sub, unit } from "../scene/geometry.ts";
import { Skeleton } from "../scene/skeleton.ts";
import { TurnGizmo } from "../scene/turn_gizmo.ts";
import { away_from_viewer, with_extent } from "../scene/walls.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element } from "../widgets/dom.ts";
import { hover_label } from "../widgets/hover_label.ts";
import { notice } from "../widgets/notices.ts";
import { check_row, choice_row, number_row, words } from "../widgets/rows.ts";
import type { ColliderList } from "./collider_list.ts";
import { carried, joint_number } from "./joint_space.ts";
import { unable_to_collide } from "./colliders.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

// These lengths are shares of the character's height.
const handle_radius = 0.014, least_size = 0.005, bone_without_child = 0.15;

class HungColliders {
  shape: ColliderShape = "sphere"; // of the next one
  private turning = false; // rings to turn it are shown in place of handles
  private before: Collider | null = null; // the chosen one as a turn began
  private readonly gizmo: TurnGizmo;

  constructor(private readonly studio: Studio, readonly things: ColliderList, private readonly show_options: () => void) {
    things.decorations.push((thing) =>
      page.value.tool === "collider" && !this.turning ? handles_of(thing, studio.height).map(({ place }) => handle_ball(place, handle_radius * studio.height)) : []);
    this.gizmo = new TurnGizmo(studio.view, (rotation) => this.turn(rotation));
    studio.view.before_picture.push(() => this.place_gizmo());
  }

  get turns(): boolean {
    return this.gizmo.under_pointer;
  }

  // Balls look the same however they are turned.
  private place_gizmo() {
    const thing = this.things.chosen(), on = this.turning && page.value.tool === "collider" && thing !== undefined && thing.shape !== "sphere";
    if (on !== this.gizmo.shown) this.gizmo.show(on);
    if (!on || this.gizmo.dragging) return;
    this.before = null;
    this.gizmo.place(carried(this.things.motion_of(thing.joint), middle_of_collider(thing)), [0, 0, 0, 1]);
  }
  // `rotation`: about axes of the world, since the drag began.
  private turn(rotation: Quaternion) {
    const thing = (this.before ??= this.things.chosen() ?? null);
    if (!thing) return;
    const of_joint = new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(this.things.motion_of(thing.joint)));
    this.things.replace(this.things.selected, turned(thing, of_joint.clone().invert().multiply(rotation).multiply(of_joint)));
  }

  private joints() {
    return server.value.character?.joints ?? [];
  }

  // Place of a joint in the default pose.
  place_of(joint: number): Vector {
    return (joint >= 0 && this.studio.character?.rest_place(joint)) || [0, 0, 0];
  }

  // From a joint to the next one along its bone, in the default pose; beyond the last joint in the direction of the bone
  // before.
  private bone_of(joint: number): Vector {
    const child = this.joints().findIndex(({ parent, bone }) => bone && parent === joint);
    if (child >= 0 && distance(this.place_of(child), this.place_of(joint)) > least_size * this.studio.height) return sub(this.place_of(child), this.place_of(joint));
    const parent = this.joints()[joint].parent, from = parent >= 0 ? this.place_of(parent) : this.place_of(joint);
    return scaled(unit(sub(this.place_of(joint), from)), bone_without_child * this.studio.height);
  }

  hang_on(joint: number) {
    const name = this.joints()[joint]?.name;
    if (!name || joint_number(name) !== joint)
      return notice("Settings find joints by their names, and this joint has none of its own.", "error");
    const looking = away_from_viewer(this.studio.view.look_direction().toArray() as Vector), towards = scaled(looking, -1);
    this.things.add({ ...new_collider(this.shape, this.place_of(joint), this.bone_of(joint), towards, this.studio.height), joint: name });
    page.change({ selected_joint: joint });
    this.show_options();
  }

  choose(index: number) {
    this.things.selected = index;
    this.things.draw();
    this.show_options();
  }

  handle(ray: Ray): Handle | null {
    const chosen = this.things.chosen();
    return chosen && !this.turning ? met_handle(handles_of(chosen, this.studio.height), this.things.ray_at(this.things.selected, ray), 1.5 * handle_radius * this.studio.height) : null;
  }

  drag_handle(handle: Handle, ray: Ray): Gesture {
    const { things } = this, index = things.selected, thing = things.list[index], least = least_size * this.studio.height;
    if (!handle.direction) return this.drag_in_view(index, handle.place, ray, (by) => dragged(thing, handle.name, by, least));
    const drawn = things.drawn(index, handle.place, handle.direction, ray);
    return {
      move: (next) => {
        const by = drawn(next);
        if (by !== null) things.replace(index, dragged(thing, handle.name, by, least));
      },
      end: () => this.show_options(),
    };
  }

  // Moves in the plane through `start` that faces the viewer; `change` gets the vector from where the drag began.
  private drag_in_view(index: number, start: Vector, ray: Ray, change: (by: Vector) => Collider): Gesture {
    const { things } = this, look = things.look_at(index), begin = on_plane(things.ray_at(index, ray), start, look) ?? start;
    return {
      move: (next) => {
        const place = on_plane(things.ray_at(index, next), start, look);
        if (place) things.replace(index, change(sub(place, begin)));
      },
      end: () => this.show_options(),
    };
  }

  drag(index: number, ray: Ray): Gesture {
    this.choose(index);
    const thing = this.things.list[index];
    return this.drag_in_view(index, middle_of_collider(thing), ray, (by) => shifted(thing, by));
  }

  // Another joint, or the world, carries the chosen collider, which stays where it is now.
  carry_by(joint: string) {
    const { things } = this, thing = things.chosen();
    if (!thing) return;
    const motion = new Matrix4().copy(things.motion_of(joint || null)).invert().multiply(things.motion_of(thing.joint));
    things.replace(things.selected, { ...moved(thing, motion), joint: joint || null });
  }

  private length_row(label: string, value: number, change: (thing: Collider, length: number) => Collider): Node {
    const { height } = this.studio;
    return number_row({
      label, unit: "%", least: 1, most: 100, logarithmic: true, value: (100 * value) / height, reset: null, help: "Over the character's height",
      bound: (typed) => Math.min(Math.max(typed, 100 * least_size), 10_000),
      change: (typed) => {
        const now = this.things.chosen(); // it may have gone meanwhile, by undo or another method
        if (now) this.things.replace(this.things.selected, change(now, (typed / 100) * height));
      },
    });
  }

  private size_rows(thing: Collider): Node[] {
    const wall = as_wall(thing), rows: Node[] = [];
    if (wall)
      return (["width", "height", "depth"] as const).map((extent) => this.length_row(extent[0].toUpperCase() + extent.slice(1), wall[extent],
        (box, length) => as_thing(with_extent(as_wall(box)!, extent, length))));
    if (thing.radius) rows.push(this.length_row("Radius", thing.radius, (one, radius) => ({ ...one, radius })));
    if (thing.from && thing.to) rows.push(this.length_row("Length", distance(thing.from, thing.to), with_length));
    return rows;
  }

  // Offset of the middle from the joint in the default pose, along the axes of the world.
  private offset_rows(thing: Collider): Node[] {
    const { height } = this.studio, joint = this.place_of(joint_number(thing.joint)), offset = sub(middle_of_collider(thing), joint);
    return (["X", "Y", "Z"] as const).map((axis, k) => number_row({
      label: axis, unit: "%", least: -50, most: 50, value: Math.round((1e4 * offset[k]) / height) / 100, reset: null,
      help: "From the joint to the middle, in the default pose, over the character's height",
      change: (typed) => {
        const now = this.things.chosen(), by: Vector = [0, 0, 0];
        if (!now) return;
        by[k] = (typed / 100) * height - (middle_of_collider(now)[k] - joint[k]);
        this.things.replace(this.things.selected, shifted(now, by));
      },
    }));
  }

  options(skeleton: Skeleton): Node[] {
    const { things } = this, thing = things.chosen(), joints = this.joints();
    const rows: Node[] = [words<ColliderShape>({
      label: "Shape", help: "Of the next collider", value: this.shape,
      words: [{ word: "sphere", text: "Sphere" }, { word: "capsule", text: "Capsule" }, { word: "plane", text: "Plane" }, { word: "box", text: "Box" }],
      change: (word) => (this.shape = word),
    })];
    if (things.list.length > 0)
      rows.push(choice_row<string>({
        label: "Collider", help: "The collider that is changed", value: String(things.selected),
        words: [{ word: "-1", text: "Choose a collider" }, ...things.list.map(({ shape, joint }, k) => ({ word: String(k), text: `${k + 1}: ${shape}${joint ? ` on ${joint}` : ""}` }))],
        change: (word) => this.choose(Number(word)),
      }));
    if (thing)
      rows.push(choice_row<string>({
        label: "Joint", help: "The joint that it moves with", value: thing.joint ?? "",
        words: [{ word: "", text: "the world" }, ...skeleton.shown().flatMap((joint) => (joints[joint].name ? [{ word: joints[joint].name, text: joints[joint].name }] : []))],
        change: (joint) => this.carry_by(joint),
      }), ...this.size_rows(thing), ...this.offset_rows(thing));
    if (thing && thing.shape !== "sphere")
      rows.push(check_row("Turn it", "Rings turn the collider about its middle", this.turning, (on) => {
        this.turning = on;
        things.draw();
      }));
    const chosen = page.value.selected_joint;
    rows.push(element("div", { class: "buttons" },
      element("button", { disabled: chosen < 0, title: "On the joint that was clicked last", onclick: () => this.hang_on(chosen) }, "Add another"),
      element("button", { disabled: !thing, onclick: () => {
        things.remove(things.selected);
        this.show_options();
      } }, "Remove it")));
    return rows;
  }
}

export function add_hung_colliders(studio: Studio, tools: Tools, list: ColliderList, show_options: () => void) {
  const hung = new HungColliders(studio, list, show_options), skeleton = new Skeleton(studio);
  const actions: ToolActions = {
    hint: "Click a joint to hang a collider on it; the flesh stays outside. Drag it, or its handles.",
    unable: unable_to_collide,
    press(ray, event) {
      if (hung.turns) return null; // the rings handle it
      const handle = hung.handle(ray);
      if (handle) return hung.drag_handle(handle, ray);
      const found = list.hit(ray, () => true);
      if (found >= 0) return hung.drag(found, ray);
      const joint = skeleton.under(event);
      if (joint < 0) return null;
      hung.hang_on(joint);
      return { move() {}, end() {} };
    },
    hover(ray, event) {
      const on_thing = hung.turns || hung.handle(ray) !== null || list.hit(ray, () => true) >= 0, joint = on_thing ? -1 : skeleton.under(event);
      hover_label(joint >= 0 ? server.value.character?.joints[joint].name || `joint ${joint}` : null, event);
      return on_thing ? "grab" : joint >= 0 ? "copy" : null;
    },
    enter() {
      skeleton.group.visible = true;
      studio.view.need_picture();
    },
    leave() {
      skeleton.group.visible = false;
      hover_label(null);
    },
    options: () => hung.options(skeleton),
  };
  tools.actions.set("collider", actions);
  studio.view.before_picture.push(() => skeleton.update());
}
