// Colour ramps for quantities and tints for kinds. Pure functions; linear light, like vertex colours.

export type Colour = [red: number, green: number, blue: number];

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
export const from_hex = (hex: string): Colour =>
  [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16) / 255)) as Colour;

// Rises in lightness throughout, so that it is readable without hues: slate, wine, ember, pale gold.
export const heat_stops = ["#26304a", "#4a3a78", "#8a3f7d", "#cf4f5c", "#f08345", "#f7c15b", "#fff3c4"];
// Diverging ramp around a neutral grey: less (softer), more (stiffer).
export const paint_stops = ["#12788f", "#4fb0bb", "#9fcfd2", "#cfcac4", "#e3a878", "#cf6b3c", "#8f3313"];
export const depth_stops = ["#e9e3d8", "#e9b98f", "#d97b5c", "#a7394f", "#571b45"];
export const kind_colours = ["#e8907c", "#e9e2cf", "#7f97c0", "#7fae72", "#c58fc0", "#d8b04c", "#6fb7b7", "#9a8f86"];

export function ramp(stops: string[], share: number, into: Float32Array, at: number) {
  const table = table_of(stops);
  const index = 3 * Math.max(0, Math.min(255, Math.round(share * 255)));
  into[at] = table[index];
  into[at + 1] = table[index + 1];
  into[at + 2] = table[index + 2];
}

const tables = new Map<string[], Float32Array>();
export function table_of(stops: string[]): Float32Array {
  const known = tables.get(stops);
  if (known) return known;
  const table = new Float32Array(3 * 256), colours = stops.map(from_hex);
  for (let k = 0; k < 256; ++k) {
    const place = (k / 255) * (stops.length - 1), stop = Math.min(Math.floor(place), stops.length - 2), share = place - stop;
    for (let c = 0; c < 3; ++c) table[3 * k + c] = colours[stop][c] * (1 - share) + colours[stop + 1][c] * share;
  }
  tables.set(stops, table);
  return table;
}

export const css_gradient = (stops: string[]) => `linear-gradient(90deg, ${stops.join(", ")})`;

// "12 mm", "3.4 cm", "1.2 m"
export function length_text(metres: number): string {
  const size = Math.abs(metres);
  if (size < 0.01) return `${(1000 * metres).toFixed(size < 0.001 ? 2 : 1)} mm`;
  if (size < 1) return `${(100 * metres).toFixed(1)} cm`;
  return `${metres.toFixed(2)} m`;
}
