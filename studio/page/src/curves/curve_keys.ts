// Keys that fix a parameter, and their edits. Pure functions; times in seconds of the clip, slopes per second.
//
// A stretch of keys holds its parameter from the first key to the last one; between stretches physics moves it.

export type Key = number[]; // [time, value], with a slope, or with one before and one after
export interface Stretch { parameter: string; ease: number; keys: Key[] }
export interface Place { stretch: number; key: number }

const usual_ease = 0.1; // seconds over which a parameter is led to the first key
const least_gap = 1e-3; // seconds between two keys

// Slopes before and after a key; where it has none, that of the line through its neighbours.
export function slopes_of(keys: Key[], k: number): [before: number, after: number] {
  if (keys[k].length > 2) return [keys[k][2], keys[k][keys[k].length - 1]];
  const smooth = k > 0 && k + 1 < keys.length ? (keys[k + 1][1] - keys[k - 1][1]) / (keys[k + 1][0] - keys[k - 1][0]) : 0;
  return [smooth, smooth];
}

// The value of a stretch between its first and last key.
export function value_at(keys: Key[], time: number): number {
  const next = keys.findIndex((key) => key[0] > time);
  if (next <= 0) return keys[next < 0 ? keys.length - 1 : 0][1];
  const from = keys[next - 1], to = keys[next], length = to[0] - from[0], t = (time - from[0]) / length, s = 1 - t;
  return s * s * (1 + 2 * t) * from[1] + t * t * (3 - 2 * t) * to[1] +
    length * (t * s * s * slopes_of(keys, next - 1)[1] - t * t * s * slopes_of(keys, next)[0]);
}

const first = (stretch: Stretch) => stretch.keys[0][0];
const last = (stretch: Stretch) => stretch.keys[stretch.keys.length - 1][0];
const in_order = (stretches: Stretch[]) => [...stretches].sort((a, b) => first(a) - first(b));
const with_stretch = (stretches: Stretch[], at: number, ...by: Stretch[]) => in_order([...stretches.slice(0, at), ...by, ...stretches.slice(at + 1)]);

// Adds a key to the stretch around the time, or begins a stretch of its own. Returns where it is.
export function with_key(stretches: Stretch[], parameter: string, time: number, value: number, slope: number): { stretches: Stretch[]; at: Place } {
  const key: Key = [time, value, slope], around = stretches.findIndex((stretch) => first(stretch) <= time && time <= last(stretch));
  if (around < 0) {
    const result = in_order([...stretches, { parameter, ease: usual_ease, keys: [key] }]);
    return { stretches: result, at: { stretch: result.findIndex((stretch) => stretch.keys[0] === key), key: 0 } };
  }
  const { keys } = stretches[around], near = keys.findIndex((each) => Math.abs(each[0] - time) < least_gap);
  if (near >= 0) return { stretches, at: { stretch: around, key: near } };
  const sorted = [...keys, key].sort((a, b) => a[0] - b[0]);
  return { stretches: with_stretch(stretches, around, { ...stretches[around], keys: sorted }), at: { stretch: around, key: sorted.indexOf(key) } };
}

const with_changed = (stretches: Stretch[], { stretch, key }: Place, change: (key: Key) => Key) =>
  stretches.map((each, s) => (s === stretch ? { ...each, keys: each.keys.map((old, k) => (k === key ? change(old) : old)) } : each));

// Moves a key, but not past its neighbours.
export function moved_key(stretches: Stretch[], at: Place, time: number, value: number): Stretch[] {
  const { keys } = stretches[at.stretch];
  const before = at.key > 0 ? keys[at.key - 1][0] : at.stretch > 0 ? last(stretches[at.stretch - 1]) : -Infinity;
  const after = at.key + 1 < keys.length ? keys[at.key + 1][0] : at.stretch + 1 < stretches.length ? first(stretches[at.stretch + 1]) : Infinity;
  const kept = Math.min(after - least_gap, Math.max(before + least_gap, time));
  return with_changed(stretches, at, (key) => [kept, value, ...key.slice(2)]);
}

// Turns the tangent on one side, or on both.
export function with_slope(stretches: Stretch[], at: Place, side: 0 | 1, slope: number, alone: boolean): Stretch[] {
  const old = slopes_of(stretches[at.stretch].keys, at.key);
  return with_changed(stretches, at, (key) =>
    alone ? [key[0], key[1], side === 0 ? slope : old[0], side === 1 ? slope : old[1]] : [key[0], key[1], slope]);
}

// Lets neighbours decide the slope.
export const without_slope = (stretches: Stretch[], at: Place): Stretch[] => with_changed(stretches, at, (key) => key.slice(0, 2));

export function without_key(stretches: Stretch[], at: Place): Stretch[] {
  const keys = stretches[at.stretch].keys.filter((_, k) => k !== at.key);
  return keys.length > 0 ? with_stretch(stretches, at.stretch, { ...stretches[at.stretch], keys }) : stretches.filter((_, s) => s !== at.stretch);
}

// Whether the parameter is held from this key to the next one; null: there is no next one.
export function holds_on(stretches: Stretch[], at: Place): boolean | null {
  if (at.key + 1 < stretches[at.stretch].keys.length) return true;
  return at.stretch + 1 < stretches.length ? false : null;
}

// Holds the parameter from this key to the next one, or lets it go there.
export function with_hold(stretches: Stretch[], at: Place, on: boolean): Stretch[] {
  const here = stretches[at.stretch];
  if (holds_on(stretches, at) === on || holds_on(stretches, at) === null) return stretches;
  if (!on) return with_stretch(stretches, at.stretch, { ...here, keys: here.keys.slice(0, at.key + 1) }, { ...here, ease: usual_ease, keys: here.keys.slice(at.key + 1) });
  const next = stretches[at.stretch + 1];
  return with_stretch(stretches.filter((_, s) => s !== at.stretch + 1), at.stretch, { ...here, keys: [...here.keys, ...next.keys] });
}
