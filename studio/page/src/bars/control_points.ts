// The lattice that is fitted to this character, in the card of transfers: its control points are dragged, and the fit
// follows.
import { floats_of, words_of } from "../connection/base64.ts";
import type { FittedLatticeReply, Vector } from "../connection/protocol.ts";
import { LatticeView } from "../scene/lattice_view.ts";
import { element } from "../widgets/dom.ts";
import { MovedPoints } from "./moved_points.ts";

const view_width = 290, view_height = 300;

export class ControlPoints {
  private view: LatticeView | null = null; // made when it is first needed
  private shown: FittedLatticeReply | null = null;
  private fitted: Float32Array = new Float32Array(); // the control points before any was moved, by which the server knows them
  private readonly moved = new MovedPoints();

  // `fit`: asks the server for the lattice with these moves; null: it failed, which was said.
  constructor(private readonly fit: (moves: [Vector, Vector][]) => Promise<FittedLatticeReply | null>, private readonly changed: () => void) {}

  get moves(): [Vector, Vector][] {
    return this.moved.all.map(({ from, to }) => [from, to]);
  }
  get open(): boolean {
    return this.shown !== null;
  }

  begin_anew() {
    this.moved.clear();
    this.shown = null;
    this.view?.forget();
  }

  // Returns whether the server could.
  async look(): Promise<boolean> {
    const reply = await this.fit(this.moves);
    if (reply) this.shown = reply;
    if (reply && this.moved.all.length === 0) this.fitted = floats_of(reply.points);
    this.draw();
    this.changed();
    return reply !== null;
  }

  elements(busy: boolean): (Node | null | false)[] {
    if (!this.shown || !this.view) return [];
    const step = (way: "undo" | "redo") => () => {
      if (this.moved[way]()) void this.look();
    };
    return [this.view.canvas,
      element("p", { class: "about" }, "Green skin fits, red skin does not. Drag a control point where it does not; the others follow."),
      element("div", { class: "buttons" },
        element("button", { disabled: busy || !this.moved.can_undo, title: "Ctrl+Z over the picture", onclick: step("undo") }, "Undo move"),
        element("button", { disabled: busy || !this.moved.can_redo, title: "Ctrl+Shift+Z over the picture", onclick: step("redo") }, "Redo move")),
      element("p", { class: "about moved-points" }, this.moved.all.length === 0 ? "None is moved." : `${this.moved.all.length} moved; ${this.shown.lines.at(-1)?.trim() ?? ""} % of the height`)];
  }

  private draw() {
    if (!this.shown) return;
    if (!this.view) {
      this.view = new LatticeView(view_width, view_height);
      this.view.dragged = (point, to) => void this.drop(point, to);
      this.view.canvas.addEventListener("keydown", (event) => this.key(event));
    }
    const { points, edges, here, there, distance } = this.shown;
    const surface = (one: { positions: string; triangles: string }) => ({ positions: floats_of(one.positions), triangles: words_of(one.triangles) });
    this.view.show_lattice({ points: floats_of(points), edges: words_of(edges), here: surface(here), there: surface(there), distance: floats_of(distance) },
      this.moved.all.map(({ point }) => point));
  }

  private async drop(point: number, to: Vector) {
    this.moved.move(point, [...this.fitted.subarray(3 * point, 3 * point + 3)] as Vector, to);
    if (await this.look()) return;
    this.moved.refuse();
    this.draw();
    this.changed();
  }

  private key(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    event.stopPropagation();
    if (this.moved[event.shiftKey ? "redo" : "undo"]()) void this.look();
  }
}
