// The chosen joint's path over the clip: its points are dragged in space or along the path, or the path is drawn anew.
// The edited clip plays once the pointer lets go.
import { Vector3 } from "three";
import { Newest } from "../connection/newest.ts";
import type { Vector } from "../connection/protocol.ts";
import { add, type Ray, sub } from "../scene/geometry.ts";
import { PathDrawing } from "../scene/path_drawing.ts";
import { server } from "../state.ts";
import { check_row, number_row, word_row } from "../widgets/rows.ts";
import { notice } from "../widgets/notices.ts";
import type { Studio } from "../studio.ts";
import { drawn_part } from "./drawn_part.ts";
import type { ScreenPoint } from "./lasso.ts";
import { ScreenLine } from "./lasso_stroke.ts";
import { facing_plane } from "./touch.ts";
import type { Gesture } from "./tools.ts";

interface Path { times: number[]; places: Vector[] }
type Way = "move" | "slide" | "redraw";

const ways: Way[] = ["move", "slide", "redraw"];
const near = 14; // pixels at which a point is under the pointer
const apart = 3; // pixels between points of a stroke
const most_points = 1500;

export class PathTool {
  on = false;
  private way: Way = "move";
  private width = 0.3; // seconds
  private path: Path | null = null;
  private joint = -1;
  private of = ""; // what the path is of
  private asked = 0;
  private hovered = -1;
  private held = -1;
  private readonly drawing = new PathDrawing();
  private readonly place = new Vector3();

  constructor(private readonly studio: Studio, private readonly pinned: () => number[], private readonly changed: () => void) {
    this.drawing.group.visible = false;
    studio.view.add(this.drawing.group);
    server.watch(["clips", "play", "carried"], () => this.fetch_where_it_is_another());
    studio.view.before_picture.push(() => this.update());
  }

  get hint(): string {
    if (this.way === "redraw") return "Draw over a part of the path: the joint follows the stroke in the picture.";
    return this.way === "slide" ? "Drag a point along the path: the joint is there at that time." : "Drag a point of the path: the joint passes there, and the rest follows.";
  }

  // The joint was chosen, or the tool was entered or left.
  choose(joint: number) {
    this.joint = joint;
    void this.fetch();
  }

  turn_off() {
    this.on = false;
    this.take(null);
  }

  private fetch_where_it_is_another() {
    if (this.on && this.key() !== this.of && this.held < 0) void this.fetch();
  }
  private key = () => `${this.joint} ${server.value.play.clip} ${JSON.stringify(server.value.clips)}`;

  private async fetch() {
    const number = ++this.asked;
    this.of = this.key();
    if (!this.on || this.joint < 0 || server.value.play.clip === "") return this.take(null);
    try {
      const path = await this.studio.connection.ask<Path>({ do: "path", joint: this.joint });
      if (number === this.asked) this.take(path);
    } catch (error) {
      if (number === this.asked) this.take(null);
      notice((error as Error).message, "error");
    }
  }

  private take(path: Path | null) {
    this.path = path;
    this.hovered = -1;
    this.drawing.group.visible = path !== null;
    if (path) this.drawing.show(path.places, null);
    this.studio.view.need_picture();
  }

  private update() {
    if (!this.path || !this.drawing.group.visible) return;
    this.drawing.group.position.set(...server.value.carried);
    const time = this.studio.character?.frame?.clip_time ?? 0;
    this.drawing.mark(nearest(this.path.times, time), this.held >= 0 ? this.held : this.hovered);
  }

  private shown = (place: Vector): Vector => add(place, server.value.carried);
  private on_screen = (place: Vector) => this.studio.view.on_screen(this.place.set(...this.shown(place)));

  // The point of the path at a place of the screen, not farther away than `within` pixels, or -1.
  private under(at: { clientX: number; clientY: number }, within = near): number {
    let best = -1, least = within;
    this.path?.places.forEach((place, k) => {
      const { x, y } = this.on_screen(place), far = Math.hypot(x - at.clientX, y - at.clientY);
      if (far < least) [best, least] = [k, far];
    });
    return best;
  }

  // A cursor if the pointer is over the path.
  hover(event: PointerEvent): string | null {
    if (!this.path) return null;
    if (this.way === "redraw") return "crosshair";
    const under = this.under(event);
    if (under !== this.hovered) this.studio.view.need_picture();
    this.hovered = under;
    return under >= 0 ? "grab" : null;
  }

  gesture(ray: Ray, press: PointerEvent): Gesture | null {
    if (!this.path) return null;
    if (this.way === "redraw") return this.redraw(press, this.path);
    const point = this.under(press);
    if (point < 0) return null;
    return this.way === "move" ? this.move(ray, point, this.path) : this.slide(point, this.path);
  }

  private request = (time: number) => ({ do: "edit_path", joint: this.joint, time, width: this.width, pinned: this.pinned() }) as const;

  private trials(path: Path) {
    return new Newest(async (command) => {
      try {
        const { places } = await this.studio.connection.ask<Path>(command);
        if (this.held >= 0 && this.path === path) this.drawing.show(places, path.places);
        this.studio.view.need_picture();
        return true;
      } catch (error) {
        notice((error as Error).message, "error");
        return false;
      }
    });
  }

  private move(ray: Ray, point: number, path: Path): Gesture {
    const start = this.shown(path.places[point]), in_plane = facing_plane(this.studio, start), off = sub(start, in_plane(ray) ?? start);
    const trials = this.trials(path), request = this.request(path.times[point]);
    let by: Vector = [0, 0, 0];
    this.held = point;
    return {
      move: (next) => {
        const under = in_plane(next);
        if (!under) return;
        by = sub(add(under, off), start);
        void trials.tell({ ...request, by, trial: true });
      },
      end: (moved) => this.finish(trials, moved ? { ...request, by } : null),
    };
  }

  private slide(point: number, path: Path): Gesture {
    const trials = this.trials(path), request = this.request(path.times[point]);
    let from = path.times[point];
    this.held = point;
    return {
      move: (_ray, event) => {
        // Not past the part of the path that the edit reaches: it may cross itself.
        let least = Infinity;
        path.places.forEach((place, k) => {
          if (Math.abs(path.times[k] - path.times[point]) > this.width) return;
          const { x, y } = this.on_screen(place), far = Math.hypot(x - event.clientX, y - event.clientY);
          if (far < least) [least, from] = [far, path.times[k]];
        });
        void trials.tell({ ...request, from, trial: true });
      },
      end: (moved) => this.finish(trials, moved ? { ...request, from } : null),
    };
  }

  private redraw(press: PointerEvent, path: Path): Gesture {
    const drawn = new ScreenLine(this.studio.view.canvas, "polyline"), { view } = this.studio;
    const middle = this.shown(path.places[Math.max(0, this.under(press, Infinity))]), in_plane = facing_plane(this.studio, middle);
    const to_path = (place: Vector): Vector => sub(place, server.value.carried);
    const eye = to_path(view.camera.position.toArray() as Vector), normal = view.look_direction().negate().toArray() as Vector;
    const screen: ScreenPoint[] = [], points: Vector[] = [];
    return {
      move: (ray, event) => {
        const last = screen.at(-1) ?? { x: press.clientX, y: press.clientY }, place = in_plane(ray);
        if (!place || (screen.length > 0 && Math.hypot(event.clientX - last.x, event.clientY - last.y) < apart) || points.length >= most_points) return;
        screen.push({ x: event.clientX, y: event.clientY });
        points.push(to_path(place));
        drawn.show(screen);
      },
      end: (moved) => {
        drawn.remove();
        if (!moved || points.length < 2) return;
        const part = drawn_part(path.places.map((place) => this.on_screen(place)), screen);
        if (part.back) points.reverse();
        const [time, until] = [path.times[part.from], path.times[part.to]];
        void this.studio.do({ ...this.request(time), points, normal, eye, until });
      },
    };
  }

  private async finish(trials: Newest, edit: Parameters<Studio["do"]>[0] | null) {
    trials.drop();
    const path = this.path;
    if (edit && !(await this.studio.do(edit))) edit = null;
    this.held = -1;
    if (!edit && path === this.path) this.take(path); // as it was
    else this.fetch_where_it_is_another();
  }

  rows(): HTMLElement[] {
    const path = check_row("Path", "Shows the chosen joint's way through the clip, a dot for each frame; drag its points to edit it", this.on, (on) => {
      this.on = on;
      this.changed();
    });
    if (!this.on) return [path];
    return [path,
      word_row<Way>({ label: "Edit", words: ways.map((word) => ({ word, text: word })), value: this.way, help: "Move points, slide them along the path (earlier or later), or draw the path anew", change: (way) => {
        this.way = way;
        this.changed();
      } }),
      number_row({ label: "Fades", unit: "s", least: 0.05, most: 2, logarithmic: true, value: this.width, reset: 0.3,
        help: "How long before and after the point the clip changes", change: (width) => (this.width = width) })];
  }
}

// The index of the nearest of ascending numbers.
function nearest(numbers: number[], to: number): number {
  let best = -1, least = Infinity;
  numbers.forEach((number, k) => {
    if (Math.abs(number - to) < least) [best, least] = [k, Math.abs(number - to)];
  });
  return best;
}
