// Keys of curves on a canvas: its axes, what is under the pointer, and how keys and tangents look. What the curves run
// over, and what else is drawn, is up to those that extend it.
import { theme_colour } from "../widgets/theme.ts";
import { slopes_of, value_at, type Place, type Stretch } from "./curve_keys.ts";

export interface Axes { begin: number; end: number; low: number; high: number } // of what the keys are over, and the value's unit
export interface Hit { kind: "key" | "slope" | "curve" | "ruler" | "nothing"; at?: Place; side?: 0 | 1 }

const edge = 6, near_key = 8, handle = 34; // pixels

export class KeyPlot {
  axes: Axes = { begin: 0, end: 1, low: -1, high: 1 };
  // `ruler`: height of a strip above the curves, pixels.
  constructor(readonly canvas: HTMLCanvasElement, protected readonly ruler: number) {}

  protected get width() { return this.canvas.clientWidth; }
  protected get height() { return this.canvas.clientHeight; }
  x(time: number) { return (this.width * (time - this.axes.begin)) / (this.axes.end - this.axes.begin); }
  y(value: number) { return this.height - edge - ((this.height - this.ruler - 2 * edge) * (value - this.axes.low)) / (this.axes.high - this.axes.low); }
  time_at(x: number) { return this.axes.begin + (x / Math.max(1, this.width)) * (this.axes.end - this.axes.begin); }
  value_at(y: number) { return this.axes.low + ((this.height - edge - y) / Math.max(1, this.height - this.ruler - 2 * edge)) * (this.axes.high - this.axes.low); }

  // Ends of a key's tangents, pixels.
  protected handles(stretches: Stretch[], at: Place): [number, number][] {
    const key = stretches[at.stretch].keys[at.key], slopes = slopes_of(stretches[at.stretch].keys, at.key);
    return ([-1, 1] as const).map((way, side) => {
      const dx = this.x(1) - this.x(0), dy = (this.y(1) - this.y(0)) * slopes[side], long = handle / Math.hypot(dx, dy);
      return [this.x(key[0]) + way * long * dx, this.y(key[1]) + way * long * dy];
    });
  }
  // The slope of a tangent that is led to a point.
  slope_to(stretches: Stretch[], at: Place, side: 0 | 1, x: number, y: number): number {
    const [time, value] = stretches[at.stretch].keys[at.key];
    const seconds = side === 0 ? Math.min(-1e-4, this.time_at(x) - time) : Math.max(1e-4, this.time_at(x) - time);
    return (this.value_at(y) - value) / seconds;
  }

  // The key, or the end of the selected key's tangent, under the pointer.
  protected hit_key(stretches: Stretch[], selected: Place | null, x: number, y: number): Hit | null {
    if (selected) {
      const ends = this.handles(stretches, selected), side = ends.findIndex(([a, b]) => Math.hypot(a - x, b - y) < near_key);
      if (side >= 0) return { kind: "slope", at: selected, side: side as 0 | 1 };
    }
    for (const [s, { keys }] of stretches.entries())
      for (const [k, key] of keys.entries())
        if (Math.hypot(this.x(key[0]) - x, this.y(key[1]) - y) < near_key) return { kind: "key", at: { stretch: s, key: k } };
    return null;
  }

  // An empty canvas of the size that it has on the page; null: it is not shown.
  protected begin_drawing(): CanvasRenderingContext2D | null {
    const { canvas, width, height } = this, ratio = Math.min(devicePixelRatio, 2);
    if (width === 0 || height === 0) return null;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.lineJoin = "round";
    return context;
  }

  // Stretches as the keys have them, which the simulated curve will follow, with their keys and tangents.
  protected draw_keys(context: CanvasRenderingContext2D, stretches: Stretch[], selected: Place | null) {
    const colour = theme_colour("text") || "#fff";
    context.strokeStyle = context.fillStyle = colour;
    for (const { keys } of stretches) {
      context.lineWidth = 1;
      context.setLineDash([4, 3]);
      context.beginPath();
      const begin = keys[0][0], end = keys[keys.length - 1][0];
      for (let x = this.x(begin); x <= this.x(end); x += 2) context.lineTo(x, this.y(value_at(keys, this.time_at(x))));
      context.stroke();
      context.setLineDash([]);
      for (const key of keys) this.draw_diamond(context, this.x(key[0]), this.y(key[1]), 5);
    }
    if (!selected) return;
    const key = stretches[selected.stretch].keys[selected.key], from: [number, number] = [this.x(key[0]), this.y(key[1])];
    context.strokeStyle = context.fillStyle = theme_colour("accent");
    for (const [x, y] of this.handles(stretches, selected)) {
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(x, y);
      context.stroke();
      context.beginPath();
      context.arc(x, y, 3.5, 0, 7);
      context.fill();
    }
    this.draw_diamond(context, ...from, 6);
  }

  private draw_diamond(context: CanvasRenderingContext2D, x: number, y: number, r: number) {
    context.beginPath();
    context.moveTo(x, y - r);
    context.lineTo(x + r, y);
    context.lineTo(x, y + r);
    context.lineTo(x - r, y);
    context.fill();
  }
}
