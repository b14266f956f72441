// A stroke over the character: the line of its body that it is drawn along follows it once the pointer lets go.
import type { Vector } from "../connection/protocol.ts";
import { check_row } from "../widgets/rows.ts";
import type { Studio } from "../studio.ts";
import type { ScreenPoint } from "./lasso.ts";
import { ScreenLine } from "./lasso_stroke.ts";
import { stroke } from "./strokes.ts";
import { facing_plane } from "./touch.ts";
import type { Gesture } from "./tools.ts";

const apart = 3; // pixels between points of a stroke
const most_points = 1500;

export class BodyLineStroke {
  on = false;
  private feet_stay = true;

  constructor(private readonly studio: Studio, private readonly changed: () => void) {}

  // `through`: a joint of the line, or -1. `pinned`: places of the joints that stay. `click` gets a press that did not
  // move.
  gesture(press: PointerEvent, through: number, pinned: Record<string, Vector>, click: () => void): Gesture {
    const { view, character } = this.studio, drawn = new ScreenLine(view.canvas, "polyline");
    const middle = character!.box.min.clone().add(character!.box.max).multiplyScalar(0.5).toArray() as Vector;
    const in_plane = facing_plane(this.studio, middle), eye = view.camera.position.toArray() as Vector;
    const normal = view.look_direction().negate().toArray() as Vector;
    const screen: ScreenPoint[] = [], points: Vector[] = [];
    return {
      move(ray, event) {
        const last = screen.at(-1) ?? { x: press.clientX, y: press.clientY };
        const place = in_plane(ray), far = Math.hypot(event.clientX - last.x, event.clientY - last.y);
        if (!place || (screen.length > 0 && far < apart) || points.length >= most_points) return;
        screen.push({ x: event.clientX, y: event.clientY });
        points.push(place);
        drawn.show(screen);
      },
      end: (moved) => {
        drawn.remove();
        if (!moved || points.length < 2) return click();
        const clip_time = this.studio.character!.frame!.clip_time;
        void this.studio.do({ do: "line", points, normal, eye, ...(through >= 0 ? { through } : {}), feet_stay: this.feet_stay, pinned, clip_time, ...stroke() });
      },
    };
  }

  rows(): HTMLElement[] {
    const line = check_row("Line", "Draw a stroke over the character: the line of its body there follows it", this.on, (on) => {
      this.on = on;
      this.changed();
    });
    if (!this.on) return [line];
    return [line, check_row("Feet stay", "Feet that stand keep their places", this.feet_stay, (on) => (this.feet_stay = on))];
  }
}
