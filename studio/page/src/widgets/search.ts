// Search in a list of names. Pure functions.

const plain = (text: string) => text.toLowerCase().replace(/[_\-.|/]+/g, " ");

// Names that contain all words of the query, in any order; those that begin with it come first. Separators count as spaces.
export function matching(names: string[], query: string): string[] {
  const wanted = plain(query).trim(), words = wanted.split(/\s+/).filter(Boolean);
  const found = names.filter((name) => words.every((word) => plain(name).includes(word)));
  const begins = found.filter((name) => plain(name).startsWith(wanted));
  return [...begins, ...found.filter((name) => !begins.includes(name))];
}

// Index of the choice that an arrow key leads to from `at`, -1 being none; it stops at the ends.
export function next_choice(at: number, by: number, count: number): number {
  return count === 0 ? -1 : Math.min(count - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : count - 1) : at + by));
}
