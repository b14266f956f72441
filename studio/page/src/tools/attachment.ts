// Attachments: entries of the setting `grabs`. A click holds the skin there where a joint carries it; the place is dragged.
import { Group, type Mesh, type MeshBasicMaterial, Vector3 } from "three";
import { Newest } from "../connection/newest.ts";
import type { SkinPoint, Vector } from "../connection/protocol.ts";
import { handle_ball } from "../scene/collider_drawings.ts";
import { on_plane, type Ray } from "../scene/geometry.ts";
import { Skeleton } from "../scene/skeleton.ts";
import { page, server, setting_value } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element } from "../widgets/dom.ts";
import { choice_row, number_row } from "../widgets/rows.ts";
import { brought_back, carried, motion_of } from "./joint_space.ts";
import { stroke } from "./strokes.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

interface Grab { name: string; point: Vector; radius: number | null; to: Vector; joint: string }

const ball_radius = 0.011; // of the character's height
const nearest_pixels = 12;
const usual_radius = 4; // per cent of the height
const colour = 0x6fd3c0, chosen_colour = 0xffb454;

class Attachments {
  chosen = -1;
  private joint = ""; // of the next one; empty: the joint that the skin follows there
  private readonly group = new Group();
  private readonly sending: Newest;

  constructor(private readonly studio: Studio, private readonly skeleton: Skeleton, private readonly show_options: () => void) {
    this.sending = new Newest((command) => studio.do(command));
    studio.view.add(this.group);
    server.watch(["settings", "character"], () => this.draw());
    page.watch(["tool"], () => this.draw());
    studio.view.before_picture.push(() => this.place());
  }

  get list(): Grab[] {
    return (setting_value("grabs") as Grab[] | undefined) ?? [];
  }

  private draw() {
    for (const ball of this.group.children as Mesh[]) ball.geometry.dispose(), (ball.material as MeshBasicMaterial).dispose();
    this.group.clear();
    if (this.chosen >= this.list.length) this.chosen = -1; // after undo
    if (page.value.tool === "attach") this.list.forEach(() => this.group.add(handle_ball([0, 0, 0], ball_radius * this.studio.height)));
    this.place();
    this.studio.view.need_picture();
  }
  private place() {
    this.list.forEach((grab, k) => {
      const ball = this.group.children[k] as Mesh | undefined;
      if (!ball) return;
      ball.position.set(...this.place_of(grab));
      (ball.material as MeshBasicMaterial).color.set(k === this.chosen ? chosen_colour : colour);
    });
  }
  // Where the skin is held now, metres, world.
  private place_of(grab: Grab): Vector {
    return carried(motion_of(this.studio, grab.joint), grab.to);
  }

  under(event: { clientX: number; clientY: number }): number {
    let found = -1, nearest = nearest_pixels;
    this.list.forEach((grab, k) => {
      const at = this.studio.view.on_screen(new Vector3(...this.place_of(grab))), far = Math.hypot(at.x - event.clientX, at.y - event.clientY);
      if (far < nearest) [found, nearest] = [k, far];
    });
    return found;
  }

  choose(index: number) {
    this.chosen = index;
    this.place();
    this.show_options();
    this.studio.view.need_picture();
  }

  async add(at: SkinPoint) {
    const count = this.list.length;
    if (await this.studio.do({ do: "attach", at, ...(this.joint ? { joint: this.joint } : {}) })) this.choose(count);
  }

  drag(index: number): Gesture {
    this.choose(index);
    const grab = this.list[index], start = this.place_of(grab), look = this.studio.view.look_direction().toArray() as Vector;
    return {
      move: (ray: Ray) => {
        const place = on_plane(ray, start, look);
        if (place) this.set("to", brought_back(motion_of(this.studio, grab.joint), place));
      },
      end() {},
    };
  }

  private set(key: keyof Grab, value: unknown) {
    void this.sending.tell({ do: "set", path: `grabs[${this.chosen}].${key}`, value, ...stroke() });
  }

  private joint_row(help: string, now: string, own: string, change: (joint: string) => void): Node {
    const joints = server.value.character?.joints ?? [];
    return choice_row<string>({
      label: "Joint", help, value: now,
      words: [{ word: "", text: own }, ...this.skeleton.shown().flatMap((joint) => (joints[joint].name ? [{ word: joints[joint].name, text: joints[joint].name }] : []))],
      change,
    });
  }

  options(): Node[] {
    const { list } = this, grab = list[this.chosen], percent = 100 / this.studio.height, rows: Node[] = [];
    if (list.length > 0)
      rows.push(choice_row<string>({
        label: "Patch", help: "The attachment that is changed", value: String(this.chosen),
        words: [{ word: "-1", text: "A new one" }, ...list.map(({ name, joint }, k) => ({ word: String(k), text: `${k + 1}: ${name || joint || "the world"}` }))],
        change: (word) => this.choose(Number(word)),
      }));
    if (!grab) return [...rows, this.joint_row("That carries the next one", this.joint, "the skin's own", (joint) => (this.joint = joint))];
    return [...rows,
      this.joint_row("That it moves with", grab.joint, "the world", (joint) => this.set("joint", joint)),
      number_row({
        label: "Radius", unit: "%", least: 1, most: 25, logarithmic: true, value: (grab.radius ?? 0) * percent || usual_radius, reset: usual_radius,
        help: "Of the skin that is held, over the character's height", bound: (value) => Math.min(25, Math.max(0.1, value)),
        change: (value) => this.set("radius", value / percent),
      }),
      element("div", { class: "buttons" }, element("button", { onclick: () => this.remove() }, "Remove it"))];
  }

  private remove() {
    this.sending.drop();
    void this.studio.do({ do: "reset", path: `grabs[${this.chosen}]` });
    this.choose(-1);
  }
}

export function add_attachments(studio: Studio, tools: Tools, show_options: () => void) {
  const attachments = new Attachments(studio, new Skeleton(studio), show_options);
  const actions: ToolActions = {
    hint: "Click the skin to hold it where a joint carries it. Drag the ball to move what is held.",
    unable: () => (setting_value("grabs") === undefined ? `The method '${server.value.method.name}' has no attachments.` : null),
    press(ray, event) {
      const index = attachments.under(event);
      if (index >= 0) return attachments.drag(index);
      const picked = studio.pick(ray);
      if (!picked) return null;
      void attachments.add(picked.at);
      return { move() {}, end() {} };
    },
    hover: (ray, event) => (attachments.under(event) >= 0 ? "grab" : studio.pick(ray) ? "copy" : null),
    options: () => attachments.options(),
  };
  tools.actions.set("attach", actions);
  server.watch(["character"], () => (attachments.chosen = -1));
  return attachments;
}
