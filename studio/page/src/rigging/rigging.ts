// Joints by clicking, on a mesh without a skeleton: placed, dragged, joined, tried, and saved as a rigged character.
import { before_undo } from "../connection/newest.ts";
import { Box3, Vector3 } from "three";
import { floats_of, words_of } from "../connection/base64.ts";
import type { Command, Quaternion, RiggingState, Vector, WeightFault } from "../connection/protocol.ts";
import { notice } from "../widgets/notices.ts";
import { mark_radius, TurnGizmo } from "../scene/turn_gizmo.ts";
import { page, server } from "../state.ts";
import { stroke } from "../tools/strokes.ts";
import type { Studio } from "../studio.ts";
import { RigScene } from "./rig_scene.ts";
import { show_rig_card } from "./rig_card.ts";

export type RigMode = "place" | "turn" | "paint";

export class Rigging {
  scene: RigScene | null = null;
  chosen = ""; // name of a joint
  mode: RigMode = "place";
  readonly brush = { action: "add" as "add" | "smooth", radius: 0.06, strength: 0.2 }; // radius: share of the mesh's size
  readonly locked = new Set<string>(); // joints whose weights the brush leaves
  snap = true;
  both = true; // a joint's partner moves too
  inserting = false; // the next click inserts a joint above the chosen one
  turned: Record<string, Quaternion> = {};
  faults: WeightFault[] | null = null; // of the weights as they are; null: not looked for
  private shown_fault: WeightFault | null = null;
  private number = 0; // of the mesh that is shown
  private weights_of = ""; // what the colours were fetched for
  private painting: number | null = null; // the pointer that paints
  private sending = false;
  private readonly dabbed = new Map<number, number>(); // amounts that were not sent yet
  private trying = false;
  private again = false;
  private drag: { pointer: number; name: string; x: number; y: number; moved: boolean } | null = null;
  private press: { x: number; y: number } | null = null; // on the skin: places a joint, unless the view is turned
  private readonly gizmo: TurnGizmo;

  constructor(readonly studio: Studio) {
    const { view } = studio;
    this.gizmo = new TurnGizmo(view, ({ x, y, z, w }) => this.turn([x, y, z, w]));
    const area = view.canvas.parentElement!;
    area.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    area.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    area.addEventListener("pointerup", (event) => this.up(event), { capture: true });
    addEventListener("keydown", (event) => this.key(event), { capture: true });
    view.before_picture.push(() => this.scene?.before_picture(this.chosen));
    server.watch(["rigging"], () => void this.follow());
    page.watch(["link"], () => void this.follow());
  }

  get state(): RiggingState | null {
    return server.value.rigging;
  }

  // Carries out an edit; resolves to the joint that it made.
  async edit(edit: Omit<Extract<Command, { do: "joint" }>, "do">): Promise<string> {
    try {
      const { joint } = await this.studio.connection.ask<{ joint?: string }>({ do: "joint", ...edit });
      return joint ?? "";
    } catch (error) {
      notice((error as Error).message, "error");
      return "";
    }
  }

  choose(name: string) {
    this.chosen = name;
    this.inserting = false;
    this.place_gizmo();
    this.show();
    void this.fetch_weights();
  }

  get turning(): boolean {
    return this.mode === "turn";
  }

  set_mode(mode: RigMode) {
    this.mode = mode;
    const on = mode === "turn";
    this.shown_fault = null;
    this.mark_fault();
    if (!on) {
      this.turned = {};
      this.scene?.pose(null);
      if (this.state) this.scene?.set_joints(this.state.joints, this.chosen);
    }
    this.place_gizmo();
    this.show();
  }

  show() {
    show_rig_card(this);
    this.scene?.before_picture(this.chosen);
  }

  // ---- the report of the weights

  async check() {
    try {
      this.faults = (await this.studio.connection.ask<{ faults: WeightFault[] }>({ do: "rig_report" })).faults;
    } catch (error) {
      notice((error as Error).message, "error");
    }
    this.show();
  }

  // Turns the joint so that the fault is seen, and looks at it.
  async show_fault(fault: WeightFault) {
    const angle = (Math.hypot(...fault.turn) * Math.PI) / 180, half = Math.sin(angle / 2) / Math.max(1e-9, Math.hypot(...fault.turn));
    this.mode = "turn";
    this.turned = { [fault.joint]: [fault.turn[0] * half, fault.turn[1] * half, fault.turn[2] * half, Math.cos(angle / 2)] };
    this.shown_fault = fault;
    this.choose(fault.joint);
    await this.try_joints();
    const at = this.scene?.skin_at(fault.place), size = this.state?.size ?? 1;
    if (!at) return;
    const reach = Math.max(3 * fault.radius, 0.12 * size);
    this.studio.view.frame(new Box3().setFromCenterAndSize(new Vector3(...at), new Vector3(reach, reach, reach)), false);
  }

  // ---- the server's state

  private async follow() {
    const { state } = this;
    document.body.classList.toggle("rigging", state !== null);
    if (!state) {
      this.scene?.dispose();
      this.scene = null;
      this.number = 0;
      this.gizmo.show(false);
      show_rig_card(this);
      return;
    }
    if (state.number !== this.number) await this.load(state.number);
    if (!this.scene || this.state?.number !== this.number) return;
    if (!this.state.joints.some(({ name }) => name === this.chosen)) this.chosen = "";
    if (this.state.weights !== "found") {
      this.faults = this.shown_fault = null;
      this.mark_fault();
    }
    if (!this.turning) this.scene.set_joints(this.state.joints, this.chosen);
    this.place_gizmo();
    this.show();
    if (this.state.weights === "found") {
      this.weights_of = "";
      await this.fetch_weights();
      if (this.turning) void this.try_joints();
    }
  }

  private async load(number: number) {
    this.number = number;
    page.change({ start_open: false });
    this.scene?.dispose();
    this.scene = null;
    this.chosen = "";
    this.turned = {};
    this.faults = this.shown_fault = null;
    this.mode = "place";
    this.locked.clear();
    try {
      const mesh = await this.studio.connection.ask<{ positions: string; triangles: string }>({ do: "rig_mesh" });
      if (this.state?.number !== number) return;
      const { view } = this.studio;
      this.scene = new RigScene(view, floats_of(mesh.positions), words_of(mesh.triangles));
      const size = this.scene.box.getSize(new Vector3()).length();
      view.set_size(size / 1.4, this.scene.box.min.y);
      view.frame(this.scene.box, true);
    } catch (error) {
      this.number = 0;
      notice((error as Error).message, "error");
    }
  }

  private async fetch_weights() {
    const { scene, chosen } = this;
    if (!scene || this.state?.weights !== "found") {
      if (this.state?.weights === "none") scene?.colour(null, false);
      return;
    }
    const of = `${this.number} ${chosen}`;
    if (of === this.weights_of) return;
    this.weights_of = of;
    try {
      const { values } = await this.studio.connection.ask<{ values: string }>({ do: "weights", ...(chosen ? { name: chosen } : {}) });
      if (scene === this.scene && chosen === this.chosen) scene.colour(floats_of(values), chosen === "");
    } catch {
      this.weights_of = ""; // newer ones are being found
    }
  }

  // ---- turning

  private place_gizmo() {
    const place = this.scene?.place_of(this.chosen);
    const on = this.turning && place !== null && place !== undefined && this.state?.weights === "found";
    this.gizmo.show(on);
    if (!on || this.gizmo.dragging) return;
    this.gizmo.place(place, this.turned[this.chosen] ?? [0, 0, 0, 1]);
  }

  private turn(rotation: Quaternion) {
    this.turned[this.chosen] = rotation;
    void this.try_joints();
  }

  // One request at a time, always with the newest pose.
  async try_joints(): Promise<void> {
    if (this.trying) {
      this.again = true;
      return;
    }
    this.trying = true;
    try {
      const reply = await this.studio.connection.ask<{ positions: string; joints: Vector[] }>({ do: "try_joints", joints: this.turned });
      if (this.turning) {
        this.scene?.pose(floats_of(reply.positions));
        this.mark_fault();
        this.scene?.set_places(reply.joints, this.chosen);
        this.place_gizmo();
      }
    } catch {
      // the joints have changed; their weights come
    }
    this.trying = false;
    if (!this.again) return;
    this.again = false;
    await this.try_joints();
  }

  private mark_fault() {
    const { shown_fault: fault, scene } = this;
    scene?.show_mark(fault && this.turning ? scene.skin_at(fault.place) : null, Math.max(fault?.radius ?? 0, 0.01 * (this.state?.size ?? 1)));
  }

  // ---- the pointer

  private down(event: PointerEvent) {
    const { scene, studio } = this;
    if (!scene || event.target !== studio.view.canvas || event.button !== 0 || event.altKey) return;
    if (this.gizmo.under_pointer) {
      const marked = scene.under(event, mark_radius);
      if (marked === "" || marked === this.chosen) return;
      event.stopPropagation();
      this.choose(marked);
      return;
    }
    const ray = studio.view.ray(event);
    if (this.mode === "paint") return this.begin_stroke(event);
    const joint = scene.under(event);
    if (joint !== "" && event.shiftKey && this.chosen !== "" && joint !== this.chosen) {
      event.stopPropagation();
      void this.edit({ action: "bone", parent: this.chosen, name: joint }).then(() => this.choose(joint));
      return;
    }
    if (joint !== "") {
      this.choose(joint);
      if (this.turning) return;
      event.stopPropagation();
      studio.view.canvas.setPointerCapture(event.pointerId);
      this.drag = { pointer: event.pointerId, name: joint, x: event.clientX, y: event.clientY, moved: false };
      return;
    }
    this.press = !this.turning && scene.meets(ray) !== null ? { x: event.clientX, y: event.clientY } : null;
  }

  private move(event: PointerEvent) {
    const { drag, studio } = this;
    if (this.painting === event.pointerId) return this.dab(event);
    if (!drag || event.pointerId !== drag.pointer) return;
    event.stopPropagation();
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return;
    drag.moved = true;
    const { origin, direction } = studio.view.ray(event);
    void studio.connection.tell({ do: "joint", action: "move", name: drag.name, line: [origin, direction], normal: studio.view.look_direction().toArray() as Vector,
      snap: this.snap && !event.ctrlKey, both: this.both, ...stroke() });
  }

  private up(event: PointerEvent) {
    if (this.painting === event.pointerId) {
      event.stopPropagation();
      this.painting = null;
      return;
    }
    if (this.drag && event.pointerId === this.drag.pointer) {
      event.stopPropagation();
      this.drag = null;
      return;
    }
    const { press } = this;
    this.press = null;
    if (!press || Math.hypot(event.clientX - press.x, event.clientY - press.y) >= 4) return;
    void this.place(event);
  }

  private async place(event: PointerEvent) {
    const { origin, direction } = this.studio.view.ray(event);
    const above = this.inserting && this.chosen !== "";
    const made = await this.edit({ action: "add", line: [origin, direction], ...(above ? { above: this.chosen } : this.chosen ? { parent: this.chosen } : {}) });
    if (made) this.choose(made);
  }

  // ---- the brush

  private begin_stroke(event: PointerEvent) {
    if (this.chosen === "" || !this.scene?.meets(this.studio.view.ray(event))) return; // the view is turned
    event.stopPropagation();
    this.studio.view.canvas.setPointerCapture(event.pointerId);
    this.painting = event.pointerId;
    this.dab(event);
  }

  private dab(event: PointerEvent) {
    event.stopPropagation();
    const at = this.scene?.meets(this.studio.view.ray(event));
    if (!at) return;
    const { radius, strength, action } = this.brush, sign = action === "add" && event.ctrlKey ? -1 : 1;
    for (const [vertex, weight] of this.scene!.reached(at, radius * (this.state?.size ?? 1)))
      this.dabbed.set(vertex, Math.max(-1, Math.min(1, (this.dabbed.get(vertex) ?? 0) + sign * weight * strength)));
    before_undo(this.send_dabs());
  }

  // One request at a time; dabs meanwhile go with the next.
  private async send_dabs(): Promise<void> {
    if (this.sending || this.dabbed.size === 0) return;
    this.sending = true;
    const values = [...this.dabbed.entries()], name = this.chosen;
    this.dabbed.clear();
    await this.paint({ action: this.brush.action, name, values, ...stroke() });
    this.sending = false;
    await this.send_dabs();
  }

  async paint(what: Omit<Extract<Command, { do: "paint_weights" }>, "do">) {
    try {
      await this.studio.connection.ask({ do: "paint_weights", locked: [...this.locked], ...what });
      this.weights_of = "";
      await this.fetch_weights();
    } catch (error) {
      notice((error as Error).message, "error");
    }
  }

  private key(event: KeyboardEvent) {
    if (!this.scene || (event.target as HTMLElement).matches("input[type=text], select")) return;
    if ((event.key === "Delete" || event.key === "Backspace") && this.chosen !== "") {
      event.preventDefault();
      void this.remove();
    }
    if (event.key === "Escape") this.choose("");
  }

  async remove() {
    const { chosen } = this, parent = this.state?.joints.find(({ name }) => name === chosen)?.parent ?? "";
    await this.edit({ action: "delete", name: chosen });
    this.choose(parent);
  }
}
