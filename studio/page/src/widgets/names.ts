// An unused name such as "take 3".
export function free_name(taken: string[], what: string): string {
  for (let k = 1; ; ++k) if (!taken.includes(`${what} ${k}`)) return `${what} ${k}`;
}

// A key as a title: "Lattice cells".
export const capitalized = (key: string) => key[0].toUpperCase() + key.slice(1).replaceAll("_", " ");

// The texts of a list separated by commas: "1=arm.L, 2=hand*".
export const texts_in = (list: string) => list.split(",").map((text) => text.trim()).filter(Boolean);

// A whole number with thin spaces between groups of three digits: "12 000".
export const grouped = (count: number) => count.toLocaleString("en").replaceAll(",", "\u202f");

export function bytes_text(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
