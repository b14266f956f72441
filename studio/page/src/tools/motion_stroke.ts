// A stroke with the pace of its drawing: the hips travel along it, and the motion becomes a clip once the pointer lets go.
import type { Vector } from "../connection/protocol.ts";
import { on_plane, type Ray } from "../scene/geometry.ts";
import { server } from "../state.ts";
import { notice } from "../widgets/notices.ts";
import { check_row } from "../widgets/rows.ts";
import type { Studio } from "../studio.ts";
import type { ScreenPoint } from "./lasso.ts";
import { ScreenLine } from "./lasso_stroke.ts";
import type { Gesture } from "./tools.ts";

const apart = 3; // pixels between points of a stroke
const most_points = 3000;
const rest = 0.05; // seconds without a move after which the pointer has stayed where it was
const shortest = 0.15; // seconds that a stroke takes at least
const steep = 0.8; // sine of the angle under which a view from above draws on the ground, not in the air

// The places under the pointer: upright and facing the viewer through a point, so that a level stroke is a level way
// however the view is tilted; level if the view is from above.
function drawing_plane(studio: Studio, through: Vector): (ray: Ray) => Vector | null {
  const { x, y, z } = studio.view.look_direction();
  const normal: Vector = Math.abs(y) > steep ? [0, 1, 0] : [x, 0, z];
  return (ray) => on_plane(ray, through, normal);
}

export class MotionStroke {
  on = false;

  constructor(private readonly studio: Studio, private readonly changed: () => void) {}

  readonly hint = "Draw the way of the hips in one stroke, at the pace of the motion: an arc is a jump, a line along the ground a walk or a run.";

  gesture(press: PointerEvent): Gesture {
    const { view, character } = this.studio, drawn = new ScreenLine(view.canvas, "polyline");
    const middle = character!.box.min.clone().add(character!.box.max).multiplyScalar(0.5).toArray() as Vector;
    const in_plane = drawing_plane(this.studio, middle), screen: ScreenPoint[] = [], points: Vector[] = [], times: number[] = [];
    const add = (place: Vector, time: number) => {
      if (times.length && time <= times.at(-1)!) return;
      points.push(place);
      times.push(time);
    };
    return {
      move(ray, event) {
        const last = screen.at(-1) ?? { x: press.clientX, y: press.clientY }, place = in_plane(ray), time = event.timeStamp / 1000;
        if (!place || (screen.length > 0 && Math.hypot(event.clientX - last.x, event.clientY - last.y) < apart) || points.length >= most_points) return;
        if (times.length && time - times.at(-1)! > rest) add(points.at(-1)!, time - rest / 2);
        add(place, time);
        screen.push({ x: event.clientX, y: event.clientY });
        drawn.show(screen);
      },
      end: (moved) => {
        drawn.remove();
        const released = performance.now() / 1000;
        if (times.length && released - times.at(-1)! > 2 * rest) add(points.at(-1)!, released); // the body rests at the end
        if (!moved || points.length < 2 || times.at(-1)! - times[0] < shortest) return;
        void this.make(points, times.map((time) => time - times[0]));
      },
    };
  }

  private async make(points: Vector[], times: number[]) {
    const before = new Set(server.value.clips.map(({ name }) => name));
    if (!(await this.studio.do({ do: "draw_motion", points, times }))) return;
    const added = server.value.clips.find(({ name }) => !before.has(name));
    notice(`${added ? `'${added.name}'` : "The motion"} is a clip of the character now.`, "done");
  }

  rows(): HTMLElement[] {
    return [check_row("Motion", "Draw the way of the hips at the pace of the motion: it becomes a clip", this.on, (on) => {
      this.on = on;
      this.changed();
    })];
  }
}
