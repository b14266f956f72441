// Keys of curves: their values, how they are edited, and what a run of the server makes known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { holds_on, moved_key, slopes_of, value_at, with_hold, with_key, with_slope, without_key, without_slope, type Stretch } from "../src/curves/curve_keys.ts";
import { curve_text, CurveRuns, type CurvesHead } from "../src/curves/curve_runs.ts";

const stretch = (...keys: number[][]): Stretch => ({ parameter: "a", ease: 0.1, keys });

test("a stretch reproduces a cubic from its values and slopes", () => {
  const keys = [-0.5, 0.25, 2].map((t) => [t, t ** 3 - t, 3 * t * t - 1]);
  for (let t = -0.5; t <= 2; t += 0.25) assert.ok(Math.abs(value_at(keys, t) - (t ** 3 - t)) < 1e-12, `${t}`);
  assert.deepEqual(slopes_of([[0, 1], [1, 3], [2, 9]], 1), [4, 4]);
  assert.deepEqual(slopes_of([[0, 1], [1, 3, 5, 6], [2, 9]], 1), [5, 6]);
});

test("a key goes into the stretch around it, or begins one", () => {
  const one = with_key([], "a", 1, 0.5, 2);
  assert.deepEqual(one, { stretches: [stretch([1, 0.5, 2])], at: { stretch: 0, key: 0 } });
  const two = with_key(one.stretches, "a", 0.5, 0, 0);
  assert.deepEqual(two.at, { stretch: 0, key: 0 });
  assert.equal(two.stretches.length, 2);
  const held = with_hold(two.stretches, { stretch: 0, key: 0 }, true);
  assert.deepEqual(held, [stretch([0.5, 0, 0], [1, 0.5, 2])]);
  const between = with_key(held, "a", 0.7, 0.1, 1);
  assert.deepEqual(between.at, { stretch: 0, key: 1 });
  assert.deepEqual(with_hold(between.stretches, between.at, false).map(({ keys }) => keys.length), [2, 1]);
  assert.equal(with_key(held, "a", 0.5, 9, 9).stretches, held); // there is one already
  assert.equal(holds_on(held, { stretch: 0, key: 0 }), true);
  assert.equal(holds_on(two.stretches, { stretch: 0, key: 0 }), false);
  assert.equal(holds_on(held, { stretch: 0, key: 1 }), null);
});

test("keys stay between their neighbours, and the last one takes its stretch along", () => {
  const stretches = [stretch([0, 0], [1, 1]), stretch([2, 2, 5])];
  assert.deepEqual(moved_key(stretches, { stretch: 0, key: 1 }, 9, 3)[0].keys[1], [1.999, 3]);
  assert.deepEqual(moved_key(stretches, { stretch: 1, key: 0 }, 0.5, 3)[1].keys[0], [1.001, 3, 5]);
  assert.deepEqual(without_key(stretches, { stretch: 1, key: 0 }), [stretches[0]]);
  assert.deepEqual(without_key(stretches, { stretch: 0, key: 0 })[0].keys, [[1, 1]]);
});

test("tangents turn on both sides, or alone", () => {
  const stretches = [stretch([0, 0], [1, 1], [2, 4])], at = { stretch: 0, key: 1 };
  assert.deepEqual(with_slope(stretches, at, 0, 7, false)[0].keys[1], [1, 1, 7]);
  assert.deepEqual(with_slope(stretches, at, 1, 7, true)[0].keys[1], [1, 1, 2, 7]);
  assert.deepEqual(without_slope(with_slope(stretches, at, 0, 7, false), at), stretches);
});

const base64 = (...values: number[]) => btoa(String.fromCharCode(...new Uint8Array(new Float32Array(values).buffer)));
const head = (run: number, first = 0): CurvesHead => ({ run, clip: "walk", start: 1, frames_per_second: 10, frames: 3, first, keys: [],
  controls: [{ name: "a", unit: "m", rest: 0, offset: false }, { name: "b", unit: "rad", rest: 0, offset: true }] });

test("a run that follows an edit keeps what was before it, and the curves of the last run", () => {
  const runs = new CurveRuns();
  runs.begin(head(1));
  assert.equal(runs.add({ run: 1, from: 0, values: base64(1, 2, 3, 4, 5, 6), ended: true }), true);
  assert.equal(runs.before, null);
  runs.begin(head(2, 1));
  assert.equal(runs.known, 1);
  assert.deepEqual([...runs.before!], [1, 2, 3, 4, 5, 6]);
  assert.equal(runs.add({ run: 1, from: 1, values: base64(9, 9), ended: false }), false); // it came late
  runs.add({ run: 2, from: 1, values: base64(7, 8, 9, 10), ended: true });
  assert.deepEqual([...runs.now], [1, 2, 7, 8, 9, 10]);
  assert.equal(runs.travel(0), 8);
  const between = runs.at(0, 1.05);
  assert.ok(Math.abs(between.value - 4) < 1e-6 && Math.abs(between.slope - 60) < 1e-6);
  runs.begin({ ...head(3), clip: "run" });
  assert.equal(runs.before, null);
  assert.equal(runs.known, 0);
});

test("values have their units", () => {
  assert.equal(curve_text(Math.PI / 2, "rad"), "90.0°");
  assert.equal(curve_text(0.0123, "m"), "12.3 mm");
});
