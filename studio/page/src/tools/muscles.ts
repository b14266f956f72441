// Muscles in the flesh (the settings `muscles` and `activation`): they are placed with one button, drawn in the body,
// coloured by their activation, held by sliders, and their ends are dragged along their bones.
import { Group, Matrix4, Vector3 } from "three";
import { Newest } from "../connection/newest.ts";
import type { MuscleEnd, MuscleState, Vector } from "../connection/protocol.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";
import { dispose_all } from "../scene/collider_drawings.ts";
import { on_plane, type Ray } from "../scene/geometry.ts";
import { activation_colour, end_ball, MuscleDrawing } from "../scene/muscle_drawing.ts";
import { matrix_of } from "../scene/matrices.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element } from "../widgets/dom.ts";
import { hover_label } from "../widgets/hover_label.ts";
import { check_row, reset_button } from "../widgets/rows.ts";
import { stroke } from "./strokes.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

const nearest_pixels = 7, chosen_pixels = 12; // from an end of a muscle, and of the chosen one
const ball_radius = 0.0055, chosen_radius = 0.01; // shares of the character's height
const ends = ["origin", "insertion"] as const;
type End = (typeof ends)[number];
interface Grasp { index: number; end: End }

const followed: Record<MuscleState["by"], string> = { angle: "angle", control: "control", file: "file", hand: "hand" };
const follow_help = ({ by, control }: MuscleState): string => {
  if (by === "angle") return "It follows the joint's angle; drag to hold it";
  if (by === "control") return `It follows the control ${control}; drag to hold it`;
  return by === "hand" ? "It is held by hand" : "Its file holds it; drag to hold it elsewhere";
};
const percent = (activation: number) => `${Math.round(100 * activation)} %`;

class MuscleRow {
  readonly element: HTMLElement;
  private readonly slider = element("input", { type: "range", min: "0", max: "1", step: "0.01" });
  private readonly word = element("span", { class: "unit" });
  private readonly back: HTMLButtonElement;
  private held: number | null = null; // value that the user set and no frame has yet
  private readonly sending: Newest;

  constructor(studio: Studio, readonly name: string, choose: () => void) {
    this.sending = new Newest((command) => studio.do(command));
    const tell = (value: number | null) => void this.sending.tell({ do: "muscle", action: "hold", name, value, ...stroke() });
    this.slider.setAttribute("aria-label", name);
    this.slider.addEventListener("input", () => {
      this.held = Number(this.slider.value);
      tell(this.held);
    });
    this.back = reset_button(name, () => {
      this.held = null;
      tell(null);
    });
    this.element = element("div", { class: "row", onclick: choose }, element("span", { class: "name" }, name),
      element("span", { class: "slider" }, this.slider), element("span", { class: "amount" }, this.word), this.back);
  }

  show(muscle: MuscleState, chosen: boolean) {
    this.element.title = follow_help(muscle);
    this.element.classList.toggle("chosen", chosen);
    this.word.textContent = followed[muscle.by];
    this.back.title = this.back.ariaLabel = `Give ${this.name} back to what it followed`;
    this.back.classList.toggle("idle", muscle.by !== "hand" && this.held === null);
    if (!this.sending.pending && !recording()) this.held = null;
  }
  // Sliders that nobody holds follow the motion.
  follow(activation: number) {
    if (this.held === null && document.activeElement !== this.slider) this.slider.value = String(activation);
    this.slider.style.setProperty("--accent", activation_colour(activation));
  }
}

const recording = () => server.value.take?.doing === "recording";

class Muscles {
  chosen = -1;
  readonly drawing = new MuscleDrawing();
  private readonly balls = new Group();
  private rows: MuscleRow[] = [];
  private dragged: (Grasp & { place: Vector }) | null = null; // the place is in the world
  private readonly matrix = new Matrix4();

  constructor(private readonly studio: Studio, private readonly show_options: () => void) {
    studio.view.add(this.drawing.group);
    studio.view.add(this.balls);
    server.watch(["muscles", "take"], () => this.take_state());
    page.watch(["tool", "muscles"], () => this.show());
    studio.view.before_picture.push(() => this.place_balls());
  }

  get list(): MuscleState[] {
    return server.value.muscles?.list ?? [];
  }
  get shown(): boolean {
    return this.list.length > 0 && (page.value.tool === "muscle" || page.value.muscles);
  }

  private take_state() {
    const names = this.list.map(({ name }) => name).join("\n");
    if (names !== this.rows.map(({ name }) => name).join("\n")) {
      this.chosen = -1;
      this.drawing.clear();
      this.rows = this.list.map(({ name }, index) => new MuscleRow(this.studio, name, () => this.choose(index)));
      if (page.value.tool === "muscle") this.show_options();
    }
    this.dragged = null;
    this.show_rows();
    this.show();
  }
  private show_rows() {
    this.list.forEach((muscle, m) => this.rows[m].show(muscle, m === this.chosen));
  }

  private show() {
    this.drawing.group.visible = this.shown;
    this.balls.visible = this.shown && page.value.tool === "muscle";
    if (this.balls.children.length !== 2 * this.list.length) {
      dispose_all(this.balls);
      for (let k = 0; k < 2 * this.list.length; ++k) this.balls.add(end_ball(k % 2 ? 0xa9d4ff : 0xfff2dc, this.studio.height));
    }
    this.studio.view.need_picture();
  }

  frame({ muscles }: DrawnFrame) {
    if (!this.shown || !muscles?.points || muscles.activation.length !== this.list.length) return;
    this.drawing.take(this.list, muscles.activation, muscles.places, muscles.points, this.chosen, this.studio.height);
    this.rows.forEach((row, m) => row.follow(muscles.activation[m]));
  }

  choose(index: number) {
    if (index === this.chosen) return;
    this.chosen = index;
    this.show_rows();
    if (index >= 0) this.rows[index].element.scrollIntoView({ block: "nearest" });
    const { frame } = this.studio.character ?? {};
    if (frame) this.frame(frame);
    this.studio.view.need_picture();
  }

  // ---- ends

  // From rest space to the world, by the bone of an end.
  private motion_of(end: MuscleEnd): Matrix4 | null {
    if (!this.studio.character?.joint_matrix(end.joint, this.matrix)) return null;
    return this.matrix.clone().multiply(matrix_of(end.rest_to_joint));
  }
  // Where an end is now, metres, world.
  place({ index, end }: Grasp): Vector | null {
    if (this.dragged?.index === index && this.dragged.end === end) return this.dragged.place;
    const of = this.list[index]?.[end], motion = of && this.motion_of(of);
    return motion ? (new Vector3(...of.place).applyMatrix4(motion).toArray() as Vector) : null;
  }

  private place_balls() {
    if (!this.balls.visible) return;
    const { height } = this.studio;
    this.balls.children.forEach((ball, k) => {
      const grasp: Grasp = { index: k >> 1, end: ends[k & 1] }, place = this.place(grasp);
      ball.visible = place !== null;
      if (place) ball.position.set(...place);
      ball.scale.setScalar(height * (grasp.index === this.chosen ? chosen_radius : ball_radius));
    });
  }

  // The end under the pointer. Of those that lie one over the other, that of the chosen muscle.
  grasp(event: { clientX: number; clientY: number }): Grasp | null {
    let found: Grasp | null = null, nearest = 1;
    this.list.forEach((_, index) => ends.forEach((end) => {
      const place = this.place({ index, end });
      if (!place) return;
      const at = this.studio.view.on_screen(new Vector3(...place));
      const far = Math.hypot(at.x - event.clientX, at.y - event.clientY) / (index === this.chosen ? chosen_pixels : nearest_pixels);
      if (far < nearest) [found, nearest] = [{ index, end }, far];
    }));
    return found;
  }

  // The muscle under the pointer, or -1: of several the one nearest to the eye.
  under(event: { clientX: number; clientY: number }): number {
    const { view } = this.studio, eye = view.camera.position;
    let found = -1, nearest = Infinity;
    this.drawing.drawn.forEach(({ line, radius }, index) => line.forEach((place, k) => {
      const point = new Vector3(...place), at = view.on_screen(point), away = point.distanceTo(eye);
      const beside = view.on_screen(point.clone().addScaledVector(view.camera.up, radius[k]));
      const wide = Math.max(4, Math.hypot(beside.x - at.x, beside.y - at.y));
      if (Math.hypot(at.x - event.clientX, at.y - event.clientY) < wide && away < nearest) [found, nearest] = [index, away];
    }));
    return found;
  }

  drag(grasp: Grasp): Gesture | null {
    this.choose(grasp.index);
    const { name, [grasp.end]: end } = this.list[grasp.index], start = this.place(grasp);
    if (!start) return null;
    const look = this.studio.view.look_direction().toArray() as Vector;
    return {
      move: (ray) => {
        const place = on_plane(ray, start, look);
        if (!place) return;
        this.dragged = { ...grasp, place };
        this.studio.view.need_picture();
      },
      end: (moved) => {
        const motion = this.motion_of(end), to = moved && this.dragged;
        if (!to || !motion) return void (this.dragged = null);
        const rest = new Vector3(...to.place).applyMatrix4(motion.invert()).toArray() as Vector;
        void this.studio.do({ do: "muscle", action: "move", name, end: grasp.end, to: rest, ...stroke() }).then(() => {
          this.dragged = null;
          this.studio.view.need_picture();
        });
      },
    };
  }

  hover(event: PointerEvent): string | null {
    const grasp = this.grasp(event), index = grasp?.index ?? this.under(event), muscle = this.list[index];
    const activation = this.drawing.drawn[index]?.activation ?? 0;
    hover_label(muscle ? `${muscle.name}${grasp ? `, ${grasp.end}` : ""}: ${percent(activation)}` : null, event);
    return grasp ? "grab" : muscle ? "pointer" : null;
  }

  options(): Node[] {
    const edit = (action: "place" | "remove") => () => void this.studio.do({ do: "muscle", action });
    if (this.list.length === 0)
      return [element("div", { class: "buttons" }, element("button", { title: "Along arms, legs and neck, as thick as the flesh there", onclick: edit("place") }, "Place muscles"))];
    return [
      element("div", { class: "muscle-list" }, ...[...this.rows].sort((a, b) => a.name.localeCompare(b.name)).map((row) => row.element)),
      check_row("Show them with other tools too", "They are drawn in the body", page.value.muscles, (muscles) => page.change({ muscles })),
      element("div", { class: "buttons" }, element("button", { onclick: edit("remove") }, "Remove all")),
    ];
  }
}

export function add_muscle_tool(studio: Studio, tools: Tools, show_options: () => void) {
  const muscles = new Muscles(studio, show_options);
  const actions: ToolActions = {
    hint: "Muscles flex as joints bend. Drag a slider to hold one, or the dots at its ends to attach it elsewhere.",
    unable: () => (server.value.method.name === "flesh" ? null : `The method '${server.value.method.name}' has no muscles; choose Flesh.`),
    press(_: Ray, event) {
      const grasp = muscles.grasp(event);
      if (grasp) return muscles.drag(grasp);
      const index = muscles.under(event);
      return index < 0 ? null : { move() {}, end: (moved) => void (moved || muscles.choose(index)) };
    },
    hover: (_, event) => muscles.hover(event),
    options: () => muscles.options(),
    leave: () => hover_label(null),
  };
  tools.actions.set("muscle", actions);
  return muscles;
}
