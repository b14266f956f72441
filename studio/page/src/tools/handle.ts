// Free handles of the method `mixed`: points and frames that lead the flesh (the setting `handles`). A click on the skin
// puts a point there, with Shift a frame; it is dragged in the plane of the view and turned with rings.
import { BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4, Vector3 } from "three";
import { Newest } from "../connection/newest.ts";
import type { Command, HandlesReply, Quaternion, Vector } from "../connection/protocol.ts";
import { dispose_all, handle_ball } from "../scene/collider_drawings.ts";
import { add, inverse, on_plane, product, type Ray, rotation_of, sub } from "../scene/geometry.ts";
import { type FreeHandle, keyed, type Lead, lead_at, led, rotation_by_vector, unkeyed, vector_of_rotation } from "../scene/handle_poses.ts";
import { TurnGizmo } from "../scene/turn_gizmo.ts";
import { page, server, setting_value } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { choice_row, number_row, words } from "../widgets/rows.ts";
import { stroke } from "./strokes.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

const nearest_pixels = 12;
const ball_radius = 0.016, axis_length = 0.06, usual_radius = 0.04; // shares of the character's height

// Lines along the axes of a frame, in red, green and blue.
function frame_axes(length: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute([0, 0, 0, length, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0, length], 3));
  geometry.setAttribute("color", new Float32BufferAttribute([1, 0.3, 0.3, 1, 0.3, 0.3, 0.4, 1, 0.4, 0.4, 1, 0.4, 0.45, 0.6, 1, 0.45, 0.6, 1], 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
  lines.renderOrder = 11;
  return lines;
}

class Handles {
  chosen = -1;
  list: FreeHandle[] = [];
  private places: Vector[] = []; // per handle, where the default pose has it
  private asked = 0; // number of the last question for the handles
  private readonly group = new Group();
  private drawn: Group[] = [];
  private readonly sending: Newest;
  private readonly gizmo: TurnGizmo;

  constructor(private readonly studio: Studio, private readonly show_options: () => void) {
    studio.view.add(this.group);
    this.sending = new Newest((command) => studio.do(command));
    this.gizmo = new TurnGizmo(studio.view, (rotation) => this.turn_to(rotation.toArray() as Quaternion), "local");
    server.watch(["settings", "character"], () => void this.take_settings());
    page.watch(["tool"], () => this.draw());
    studio.view.before_picture.push(() => this.follow());
    addEventListener("keydown", (event) => this.key(event));
  }

  // Asks for the handles, which may be others. What the settings say of them is only whether there are any.
  private async take_settings() {
    if (this.sending.pending) return; // the user's drag is newer
    const asked = ++this.asked, value = setting_value("handles");
    let reply: HandlesReply = { handles: [], places: [] };
    try {
      if (value !== undefined && value !== null && value !== "") reply = await this.studio.connection.ask<HandlesReply>({ do: "handles" });
    } catch (error) {
      return notice((error as Error).message, "error");
    }
    if (asked !== this.asked || this.sending.pending) return;
    const fewer = reply.handles.length !== this.list.length;
    this.list = reply.handles;
    this.places = reply.places;
    if (this.chosen >= this.list.length) this.chosen = -1; // after undo
    this.draw();
    if (fewer && page.value.tool === "handle") this.show_options();
  }

  change(list: FreeHandle[]) {
    this.list = list;
    this.draw();
    const command: Command = { do: "set", path: "handles", value: { handles: list }, ...stroke() };
    // Undo may have come before the answer.
    void this.sending.tell(command).then(() => void this.take_settings());
  }
  replace(index: number, handle: FreeHandle) {
    this.change(this.list.map((one, k) => (k === index ? handle : one)));
  }
  async add(at: Vector | [number, number, number], frame: boolean) {
    if (!(await this.studio.do({ do: "handle", at, frame }))) return;
    await this.take_settings();
    this.choose(this.list.length - 1);
  }
  remove() {
    if (this.chosen < 0) return;
    this.sending.drop();
    const gone = this.chosen;
    this.choose(-1);
    this.places = this.places.filter((_, k) => k !== gone);
    this.change(this.list.filter((_, k) => k !== gone));
  }

  choose(index: number) {
    this.chosen = index;
    this.draw();
    this.show_options();
  }

  private key(event: KeyboardEvent) {
    if (page.value.tool !== "handle" || this.chosen < 0 || (event.target as HTMLElement).matches("input, select, textarea")) return;
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    this.remove();
  }

  // ---- places

  time(): number {
    return this.studio.character?.frame?.clip_time ?? 0;
  }
  private motion_of(joint: string): Matrix4 {
    const motion = new Matrix4(), number = joint ? (server.value.character?.joints ?? []).findIndex(({ name }) => name === joint) : -1;
    if (number >= 0) this.studio.character?.joint_motion(number, motion);
    return motion;
  }
  private lead(index: number): Lead {
    return lead_at(this.list[index], this.time());
  }
  // Where the handle is led to now, metres, world; null: it is not known yet.
  place(index: number): Vector | null {
    const { [index]: handle } = this.list, { [index]: at } = this.places;
    if (!handle || !at) return null;
    return new Vector3(...add(at, this.lead(index).move)).applyMatrix4(this.motion_of(handle.joint)).toArray() as Vector;
  }
  private carried_rotation(index: number): Quaternion {
    const { elements } = this.motion_of(this.list[index].joint);
    return rotation_of([0, 1, 2].flatMap((row) => [elements[row], elements[4 + row], elements[8 + row]]));
  }

  // The handle under the pointer, or -1.
  under(event: { clientX: number; clientY: number }): number {
    let found = -1, nearest = nearest_pixels;
    this.list.forEach((_, index) => {
      const place = this.place(index);
      if (!place) return;
      const at = this.studio.view.on_screen(new Vector3(...place)), far = Math.hypot(at.x - event.clientX, at.y - event.clientY);
      if (far < nearest) [found, nearest] = [index, far];
    });
    return found;
  }

  drag(index: number, ray: Ray): Gesture {
    this.choose(index);
    const start = this.place(index), look = this.studio.view.look_direction().toArray() as Vector;
    const begin = (start && on_plane(ray, start, look)) ?? start, from = this.lead(index), time = this.time();
    const to_default = this.motion_of(this.list[index].joint).invert();
    return {
      move: (next) => {
        const place = start && on_plane(next, start, look);
        if (!place || !begin || !this.list[index]) return;
        const by = sub(place, begin), own = new Vector3(...by).applyMatrix4(to_default.clone().setPosition(0, 0, 0)).toArray() as Vector;
        this.replace(index, led(this.list[index], { move: add(from.move, own), turn: from.turn }, time));
      },
      end: () => this.show_options(),
    };
  }

  private turn_to(world: Quaternion) {
    const handle = this.list[this.chosen];
    if (!handle) return;
    const { move, turn } = this.lead(this.chosen), own = product(inverse(this.carried_rotation(this.chosen)), world);
    this.replace(this.chosen, led(handle, { move, turn: vector_of_rotation(own, turn) }, this.time()));
  }

  get turns(): boolean {
    return this.gizmo.under_pointer;
  }

  // ---- drawing

  private draw() {
    dispose_all(this.group);
    const shown = page.value.tool === "handle", { height } = this.studio;
    this.drawn = this.list.map(({ kind }, index) => {
      const own = new Group(), radius = ball_radius * height * (kind === "frame" ? 0.7 : 1);
      own.add(handle_ball([0, 0, 0], radius, index === this.chosen ? 0xffb454 : undefined));
      if (kind === "frame") own.add(frame_axes(axis_length * height));
      this.group.add(own);
      return own;
    });
    this.group.visible = shown;
    this.gizmo.show(shown && this.list[this.chosen]?.kind === "frame");
    this.follow();
    this.studio.view.need_picture();
  }

  private follow() {
    if (page.value.tool !== "handle") return;
    this.drawn.forEach((own, index) => {
      const place = this.list[index] && this.place(index);
      own.visible = place !== null && place !== undefined;
      if (!place) return;
      const rotation = product(this.carried_rotation(index), rotation_by_vector(this.lead(index).turn));
      own.position.set(...place);
      own.quaternion.set(...rotation);
      if (index === this.chosen && this.gizmo.shown && !this.gizmo.dragging) this.gizmo.place(place, rotation);
    });
  }

  // ---- the tool's card

  private offset_rows(handle: FreeHandle): Node[] {
    const { height } = this.studio, now = this.lead(this.chosen);
    return (["X", "Y", "Z"] as const).map((axis, k) => number_row({
      label: axis, unit: "%", least: -50, most: 50, value: Math.round((1e4 * now.move[k]) / height) / 100, reset: 0,
      help: "From its place, in the default pose, over the character's height",
      change: (typed) => {
        const move: Vector = [...this.lead(this.chosen).move];
        move[k] = (typed / 100) * height;
        this.replace(this.chosen, led(handle, { move, turn: now.turn }, this.time()));
      },
    }));
  }

  options(): Node[] {
    const rows: Node[] = [], handle = this.list[this.chosen], { height } = this.studio, replace = (change: Partial<FreeHandle>) => this.replace(this.chosen, { ...this.list[this.chosen], ...change });
    if (this.list.length > 0)
      rows.push(choice_row<string>({
        label: "Handle", help: "The handle that is changed", value: String(this.chosen),
        words: [{ word: "-1", text: "Choose a handle" }, ...this.list.map(({ name, kind }, k) => ({ word: String(k), text: name || `${k + 1}: ${kind}` }))],
        change: (word) => this.choose(Number(word)),
      }));
    if (!handle) return rows;
    const joints = (server.value.character?.joints ?? []).filter(({ bone, name }) => bone && name);
    rows.push(
      choice_row<string>({
        label: "Joint", help: "The joint that carries it", value: handle.joint,
        words: [{ word: "", text: "the world" }, ...joints.map(({ name }) => ({ word: name, text: name }))], change: (joint) => replace({ joint }),
      }),
      words<FreeHandle["grip"]>({
        label: "Holds", help: "All flesh within the radius, or the skin alone", value: handle.grip,
        words: [{ word: "flesh", text: "Flesh" }, { word: "skin", text: "Skin" }], change: (grip) => replace({ grip }),
      }),
      number_row({
        label: "Radius", unit: "%", least: 0.5, most: 30, logarithmic: true, value: (100 * (handle.radius ?? usual_radius * height)) / height, reset: 100 * usual_radius,
        help: "Of what it holds, over the character's height", bound: (typed) => Math.max(0.01, typed), change: (typed) => replace({ radius: (typed / 100) * height }),
      }),
      ...this.offset_rows(handle));
    const count = handle.keys.length;
    if (count > 0) rows.push(element("p", { class: "hint" }, `${count} ${count === 1 ? "key" : "keys"}: dragging it sets one at the time that is shown.`));
    rows.push(element("div", { class: "buttons" },
      element("button", { title: "Keeps where it is at the time that is shown", onclick: () => this.replace(this.chosen, keyed(handle, this.lead(this.chosen), this.time())) }, "Set a key"),
      element("button", { disabled: count === 0, title: "It stays where it is now", onclick: () => this.replace(this.chosen, unkeyed(handle, this.time())) }, "No keys"),
      element("button", { title: "Removes it (Delete)", onclick: () => this.remove() }, "Remove it")));
    return rows;
  }
}

export function add_handle_tool(studio: Studio, tools: Tools, show_options: () => void) {
  const handles = new Handles(studio, show_options);
  const actions: ToolActions = {
    hint: "Click the skin for a handle that leads the flesh there, with Shift for one that turns it too. Drag it.",
    unable: () => (setting_value("handles") === undefined ? `The method '${server.value.method.name}' has no handles; choose Mixed.` : null),
    press(ray, event) {
      if (handles.turns) return null; // the rings handle it
      const index = handles.under(event);
      if (index >= 0) return handles.drag(index, ray);
      const picked = studio.pick(ray);
      if (!picked) return null;
      return { move() {}, end: (moved) => void (moved || handles.add(picked.at, event.shiftKey)) };
    },
    hover: (ray, event) => (handles.turns || handles.under(event) >= 0 ? "grab" : studio.pick(ray) ? "crosshair" : null),
    options: () => handles.options(),
  };
  tools.actions.set("handle", actions);
  server.watch(["character"], () => handles.choose(-1));
  return handles;
}
