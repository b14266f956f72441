import type { Setting } from "../connection/protocol.ts";

// Usual values, by unit, of quantities without a default.
const usual_by_unit: Record<string, number> = { Pa: 20000, ms: 2, m: 0.05, s: 0.1, "kg/m³": 1000, "": 0.3 };
const closest = 0.01; // of its range, in which a slider ends before a bound that is not a value

// Ends of a slider: the bounds if they are close together, otherwise a range around the usual value. They do not depend
// on the present value, so that dragging to the end repeatedly does not extend the range. A bound that the setting may not
// reach itself is kept clear of.
export function slider_range(setting: Setting): { least: number; most: number; logarithmic: boolean } {
  const { least, most, logarithmic } = closed_range(setting);
  const gap = setting.kind === "integer" ? 1 : closest * (most - least);
  return { least: setting.without_least && least === setting.least ? least + gap : least,
    most: setting.without_most && most === setting.most ? most - gap : most, logarithmic };
}

// The nearest value that the setting may have.
export function bounded(setting: Setting, value: number): number {
  const whole = setting.kind === "integer", next = whole ? Math.round(value) : value, { without_least, without_most } = setting;
  const least = setting.least ?? -Infinity, most = setting.most ?? Infinity, ends = slider_range(setting);
  if (without_least && next <= least) return whole ? least + 1 : ends.least;
  if (without_most && next >= most) return whole ? most - 1 : ends.most;
  return Math.min(most, Math.max(least, next));
}

function closed_range(setting: Setting): { least: number; most: number; logarithmic: boolean } {
  const usual = typeof setting.default === "number" && setting.default > 0 ? setting.default : undefined;
  const least = setting.least ?? -Infinity, most = setting.most ?? Infinity;
  if (Number.isFinite(least) && Number.isFinite(most) && (least <= 0 ? most - least <= 2 : most / least <= 50))
    return { least, most, logarithmic: false };
  if (least >= 0) {
    const middle = usual ?? Math.max(usual_by_unit[setting.unit ?? ""] ?? 1, least), reach = usual === undefined ? 100 : 30;
    return { least: Math.max(least, middle / reach), most: Math.min(most, middle * reach), logarithmic: true };
  }
  const reach = Math.max(1, 3 * Math.abs(usual ?? 1));
  return { least: Math.max(least, -reach), most: Math.min(most, reach), logarithmic: false };
}
