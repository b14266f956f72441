// Curves of painted fields along limbs: their values, what they do to painted ones, and edits. Pure functions; distances
// along the chain of bones are from 0, its root, to 1, its tip.
import type { Field, Joint } from "../connection/protocol.ts";
import { moved_key, value_at, type Key, type Stretch } from "./curve_keys.ts";

export interface LimbCurve { field: string; from: string; to: string; keys: Key[] }

const least_gap = 1e-3; // between two keys
const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

// The keys as the plot takes them.
export const as_stretches = (keys: Key[]): Stretch[] => (keys.length > 0 ? [{ parameter: "", ease: 0, keys }] : []);

// The curve's value, within the range of its field; null: it has no keys.
export function limb_value(keys: Key[], at: number, { least, most }: Field): number | null {
  return keys.length > 0 ? between(value_at(keys, between(at, keys[0][0], keys[keys.length - 1][0])), least, most) : null;
}

// The value that a curve makes of a painted one where `share` of the skin weights lie on the chain. `unpainted`: the value where
// nothing is painted.
export function with_curve(field: Field, painted: number, unpainted: number, share: number, value: number): number {
  if (share <= 0) return painted;
  if (field.multiplies) return painted * (1 + share * (value - 1));
  if (field.neutral < field.least) return painted === unpainted ? unpainted + share * (value - unpainted) : painted;
  return Math.max(painted, share * value);
}

// Adds a key, whose neighbours decide its slope, unless one is there. The first one gets keys at both ends of the limb with
// it, at the same value. Returns its index too.
export function with_limb_key(all: Key[], at: number, value: number, { least, most }: Field): { keys: Key[]; key: number } {
  const keys: Key[] = all.length > 0 ? all : [0, 1].map((end) => [end, between(value, least, most)]);
  const place = between(at, 0, 1), near = keys.findIndex((key) => Math.abs(key[0] - place) < least_gap);
  if (near >= 0) return { keys, key: near };
  const added: Key = [place, between(value, least, most)], sorted = [...keys, added].sort((a, b) => a[0] - b[0]);
  return { keys: sorted, key: sorted.indexOf(added) };
}

// Moves a key, but neither past its neighbours nor off the chain.
export function moved_limb_key(keys: Key[], key: number, at: number, value: number, { least, most }: Field): Key[] {
  return moved_key(as_stretches(keys), { stretch: 0, key }, between(at, 0, 1), between(value, least, most))[0].keys;
}

// Names of the bones in which a chain from this one may end: itself, and those that hang from it, in the file's order.
export function ends_of_chain(joints: Joint[], from: string): string[] {
  const root = joints.findIndex(({ name, bone }) => bone && name === from);
  const hangs = (joint: number): boolean => joint === root || (joint >= 0 && hangs(joints[joint].parent));
  return root < 0 ? [] : joints.filter(({ bone }, k) => bone && hangs(k)).map(({ name }) => name);
}

// The end that is farthest down the chain, counted in joints; the first of several.
export function usual_end(joints: Joint[], from: string): string {
  const depth = (joint: number): number => (joint < 0 ? 0 : 1 + depth(joints[joint].parent));
  let best = from, deepest = -1;
  for (const name of ends_of_chain(joints, from)) {
    const at = depth(joints.findIndex((joint) => joint.name === name));
    if (at > deepest) [best, deepest] = [name, at];
  }
  return best;
}

// The range of values that the plot shows.
export function values_shown(keys: Key[], { least, most, multiplies, neutral }: Field): { low: number; high: number } {
  if (!multiplies) return { low: least, high: most };
  const highest = Math.max(2 * neutral, ...keys.map((key) => 1.25 * key[1]));
  return { low: 0, high: Math.min(most, highest) };
}
