// The thousand positions of a slider and their values.
export interface SliderRange { least: number; most: number; logarithmic?: boolean; integer?: boolean }

export const slots = 1000; // positions of a slider

// "0.00417", "12", "3.2e+5": short, without losing what was entered.
export function number_text(value: number): string {
  if (!Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return value.toExponential(2).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(4)));
}

export function to_slot(row: SliderRange, value: number): number {
  const share = row.logarithmic
    ? Math.log(Math.max(value, row.least) / row.least) / Math.log(row.most / row.least)
    : (value - row.least) / (row.most - row.least);
  return Math.round(slots * Math.max(0, Math.min(1, share)));
}
export function from_slot(row: SliderRange, slot: number): number {
  const share = slot / slots;
  const value = row.logarithmic ? row.least * (row.most / row.least) ** share : row.least + (row.most - row.least) * share;
  return row.integer ? Math.round(value) : Number(value.toPrecision(4));
}
