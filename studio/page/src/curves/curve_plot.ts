// Draws curves over time with their keys on a canvas, and tells what is under the pointer.
import { theme_colour } from "../widgets/theme.ts";
import { slopes_of, value_at, type Place, type Stretch } from "./curve_keys.ts";
import { curve_text, type CurveRuns } from "./curve_runs.ts";

export interface Axes { begin: number; end: number; low: number; high: number } // seconds, and the value's unit
export interface Hit { kind: "key" | "slope" | "curve" | "ruler" | "nothing"; at?: Place; side?: 0 | 1 }

export const colours = ["#ffb454", "#8fd0ff", "#a6d88f", "#ff9ec4", "#c9a6f0", "#f0785a"];
const ruler = 16, edge = 6, near_key = 8, near_curve = 7, handle = 34; // pixels

export interface Drawn {
  runs: CurveRuns;
  shown: number[]; // controls; the first is the one that is edited
  stretches: Stretch[]; // of that
  selected: Place | null;
  time: number; // of what plays, seconds
}

export class CurvePlot {
  axes: Axes = { begin: 0, end: 1, low: -1, high: 1 };
  constructor(readonly canvas: HTMLCanvasElement) {}

  private get width() { return this.canvas.clientWidth; }
  private get height() { return this.canvas.clientHeight; }
  x(time: number) { return (this.width * (time - this.axes.begin)) / (this.axes.end - this.axes.begin); }
  y(value: number) { return this.height - edge - ((this.height - ruler - 2 * edge) * (value - this.axes.low)) / (this.axes.high - this.axes.low); }
  time_at(x: number) { return this.axes.begin + (x / Math.max(1, this.width)) * (this.axes.end - this.axes.begin); }
  value_at(y: number) { return this.axes.low + ((this.height - edge - y) / Math.max(1, this.height - ruler - 2 * edge)) * (this.axes.high - this.axes.low); }

  // Makes the values of the curves fit.
  fit_values({ runs, shown, stretches }: Drawn) {
    let low = 0, high = 0;
    const widen = (value: number) => ([low, high] = [Math.min(low, value), Math.max(high, value)]);
    const count = runs.head?.controls.length ?? 0;
    for (const values of [runs.now, runs.before])
      if (values) for (const control of shown) for (let at = control; at < values.length; at += count) widen(values[at]);
    for (const { keys } of stretches) for (const key of keys) widen(key[1]);
    const margin = 0.1 * Math.max(high - low, 1e-4);
    [this.axes.low, this.axes.high] = [low - margin, high + margin];
  }

  // Ends of a key's tangents, pixels.
  private handles(stretches: Stretch[], at: Place): [number, number][] {
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

  hit({ runs, shown, stretches, selected }: Drawn, x: number, y: number): Hit {
    if (y < ruler) return { kind: "ruler" };
    if (selected) {
      const ends = this.handles(stretches, selected), side = ends.findIndex(([a, b]) => Math.hypot(a - x, b - y) < near_key);
      if (side >= 0) return { kind: "slope", at: selected, side: side as 0 | 1 };
    }
    for (const [s, { keys }] of stretches.entries())
      for (const [k, key] of keys.entries())
        if (Math.hypot(this.x(key[0]) - x, this.y(key[1]) - y) < near_key) return { kind: "key", at: { stretch: s, key: k } };
    if (shown.length > 0 && runs.known > 1) {
      const { value, slope } = runs.at(shown[0], this.time_at(x));
      const steep = Math.abs((slope * (this.y(1) - this.y(0))) / (this.x(1) - this.x(0)));
      if (Math.abs(this.y(value) - y) < near_curve * Math.hypot(1, Math.min(steep, 3))) return { kind: "curve" };
    }
    return { kind: "nothing" };
  }

  draw(drawn: Drawn) {
    const { canvas, width, height } = this, ratio = Math.min(devicePixelRatio, 2);
    if (width === 0 || height === 0) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.lineJoin = "round";
    this.draw_grid(context, drawn);
    const { runs, shown } = drawn, count = runs.head?.controls.length ?? 0;
    for (let k = shown.length - 1; k >= 0; --k) {
      const colour = colours[k % colours.length];
      if (runs.before) this.draw_curve(context, drawn, runs.before, runs.before.length / count, shown[k], colour, 0.8, 0.75);
      this.draw_curve(context, drawn, runs.now, runs.known, shown[k], colour, 2, 1);
    }
    if (shown.length > 0) this.draw_keys(context, drawn);
    context.fillStyle = theme_colour("accent");
    context.fillRect(this.x(drawn.time) - 0.5, 0, 1, height);
  }

  private draw_grid(context: CanvasRenderingContext2D, { runs, shown }: Drawn) {
    const { begin, end, low, high } = this.axes, unit = runs.head?.controls[shown[0]]?.unit ?? "";
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = theme_colour("soft");
    context.strokeStyle = theme_colour("edge");
    context.lineWidth = 1;
    const step = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30].find((each) => (end - begin) / each <= 7) ?? 60;
    for (let time = Math.ceil(begin / step) * step; time <= end; time += step) {
      context.strokeRect(this.x(time), ruler, 0, this.height);
      context.fillText(`${Number(time.toFixed(2))} s`, this.x(time) + 2, 11);
    }
    if (low < 0 && high > 0) context.strokeRect(0, this.y(0), this.width, 0);
    if (shown.length > 0) {
      context.fillText(curve_text(high, unit), 3, ruler + 11);
      context.fillText(curve_text(low, unit), 3, this.height - 3);
    }
  }

  private draw_curve(context: CanvasRenderingContext2D, { runs }: Drawn, values: Float32Array, frames: number, control: number, colour: string, wide: number, alpha: number) {
    const count = runs.head!.controls.length;
    context.beginPath();
    for (let frame = 0; frame < frames; ++frame) {
      const x = this.x(runs.time_of(frame)), y = this.y(values[frame * count + control]);
      if (frame === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.globalAlpha = alpha;
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.stroke();
    context.globalAlpha = 1;
  }

  // Stretches as the keys have them, which the simulated curve will follow, with their keys and tangents.
  private draw_keys(context: CanvasRenderingContext2D, { stretches, selected }: Drawn) {
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
