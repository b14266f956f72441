// Draws a field's curve along a limb: the value over the distance along the chain, with the joints of the chain as marks.
import { theme_colour } from "../widgets/theme.ts";
import type { Field } from "../connection/protocol.ts";
import { KeyPlot, type Hit } from "./key_plot.ts";
import type { Place } from "./curve_keys.ts";
import { as_stretches, limb_value, values_shown } from "./limb_keys.ts";
import type { Key } from "./curve_keys.ts";

const ruler = 14, near_curve = 9; // pixels

export interface DrawnLimb {
  field: Field;
  keys: Key[];
  unpainted: number; // the value without a curve
  joints: [name: string, distance: number][];
  selected: Place | null;
}

export class LimbPlot extends KeyPlot {
  constructor(canvas: HTMLCanvasElement) {
    super(canvas, ruler);
  }

  fit({ keys, field }: DrawnLimb) {
    const { low, high } = values_shown(keys, field), margin = 0.04 * (high - low);
    this.axes = { begin: -0.03, end: 1.03, low: low - margin, high: high + margin };
  }

  hit({ keys, field, unpainted, selected }: DrawnLimb, x: number, y: number): Hit {
    const key = this.hit_key(as_stretches(keys), selected, x, y);
    if (key) return key;
    const value = limb_value(keys, this.time_at(x), field) ?? unpainted;
    return { kind: Math.abs(this.y(value) - y) < near_curve ? "curve" : "nothing" };
  }

  draw(drawn: DrawnLimb) {
    const context = this.begin_drawing();
    if (!context) return;
    this.draw_marks(context, drawn);
    this.draw_value(context, drawn);
    this.draw_keys(context, as_stretches(drawn.keys), drawn.selected);
  }

  private draw_marks(context: CanvasRenderingContext2D, { joints, field }: DrawnLimb) {
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = theme_colour("soft");
    context.strokeStyle = theme_colour("edge");
    context.lineWidth = 1;
    let free = 0; // pixels from which on there is room for a name
    for (const [name, distance] of joints) {
      const x = this.x(distance);
      context.strokeRect(x, ruler, 0, this.height);
      if (x < free) continue;
      const room = this.width - x - 2, text = name.length > 14 ? `${name.slice(0, 13)}…` : name;
      if (context.measureText(text).width < room) context.fillText(text, x + 2, 10);
      free = x + context.measureText(text).width + 8;
    }
    const { low, high } = this.axes, unit = field.multiplies ? "×" : field.unit;
    if (field.multiplies) context.strokeRect(0, this.y(1), this.width, 0);
    context.fillText(`${Number(high.toPrecision(2))}${unit}`, 3, ruler + 11);
    context.fillText(`${Number(Math.max(0, low).toPrecision(2))}${unit}`, 3, this.height - 3);
  }

  private draw_value(context: CanvasRenderingContext2D, { keys, field, unpainted }: DrawnLimb) {
    context.strokeStyle = keys.length > 0 ? theme_colour("accent") : theme_colour("soft");
    context.lineWidth = 2;
    context.beginPath();
    for (let x = this.x(0); x <= this.x(1); x += 2) context.lineTo(x, this.y(limb_value(keys, this.time_at(x), field) ?? unpainted));
    context.stroke();
  }
}
