import type { Setting } from "./protocol.ts";

// A slider's ends: the bounds where they are near each other, else around what is usual.
// What is usual of a quantity that nothing is known of, by its unit.
const usual_by_unit: Record<string, number> = { Pa: 20000, ms: 2, m: 0.05, s: 0.1, "kg/m³": 1000, "": 0.3 };

export function slider_range(setting: Setting): { least: number; most: number; logarithmic: boolean } {
  const usual = [setting.value, setting.now, setting.default].find((value): value is number => typeof value === "number" && value > 0);
  const least = setting.least ?? -Infinity, most = setting.most ?? Infinity;
  if (Number.isFinite(least) && Number.isFinite(most) && (least <= 0 ? most - least <= 2 : most / least <= 50))
    return { least, most, logarithmic: false };
  if (least >= 0) {
    const middle = usual ?? Math.max(usual_by_unit[setting.unit ?? ""] ?? 1, least);
    const low = Math.max(least > 0 ? least : 0, middle / 30);
    return { least: low > 0 ? low : middle / 30, most: Math.min(most, middle * 30), logarithmic: true };
  }
  const reach = Math.max(1, 3 * Math.abs(usual ?? 1));
  return { least: Math.max(least, -reach), most: Math.min(most, reach), logarithmic: false };
}
