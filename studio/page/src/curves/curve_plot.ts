// Draws curves over time with their keys on a canvas, and tells what is under the pointer.
import { theme_colour } from "../widgets/theme.ts";
import type { Place, Stretch } from "./curve_keys.ts";
import { curve_text, type CurveRuns } from "./curve_runs.ts";
import { type Hit, KeyPlot } from "./key_plot.ts";

export const colours = ["#ffb454", "#8fd0ff", "#a6d88f", "#ff9ec4", "#c9a6f0", "#f0785a"];
const ruler = 16, near_curve = 7; // pixels

export interface Drawn {
  runs: CurveRuns;
  shown: number[]; // controls; the first is the one that is edited
  stretches: Stretch[]; // of that
  selected: Place | null;
  time: number; // of what plays, seconds
}

export class CurvePlot extends KeyPlot {
  constructor(canvas: HTMLCanvasElement) {
    super(canvas, ruler);
  }

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

  hit({ runs, shown, stretches, selected }: Drawn, x: number, y: number): Hit {
    if (y < ruler) return { kind: "ruler" };
    const key = this.hit_key(stretches, selected, x, y);
    if (key) return key;
    if (shown.length > 0 && runs.known > 1) {
      const { value, slope } = runs.at(shown[0], this.time_at(x));
      const steep = Math.abs((slope * (this.y(1) - this.y(0))) / (this.x(1) - this.x(0)));
      if (Math.abs(this.y(value) - y) < near_curve * Math.hypot(1, Math.min(steep, 3))) return { kind: "curve" };
    }
    return { kind: "nothing" };
  }

  draw(drawn: Drawn) {
    const context = this.begin_drawing();
    if (!context) return;
    this.draw_grid(context, drawn);
    const { runs, shown } = drawn, count = runs.head?.controls.length ?? 0;
    for (let k = shown.length - 1; k >= 0; --k) {
      const colour = colours[k % colours.length];
      if (runs.before) this.draw_curve(context, drawn, runs.before, runs.before.length / count, shown[k], colour, 0.8, 0.75);
      this.draw_curve(context, drawn, runs.now, runs.known, shown[k], colour, 2, 1);
    }
    if (shown.length > 0) this.draw_keys(context, drawn.stretches, drawn.selected);
    context.fillStyle = theme_colour("accent");
    context.fillRect(this.x(drawn.time) - 0.5, 0, 1, this.height);
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
}
