// Curves of fields along limbs: their values, what they make of paint, and edits.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Field, Joint } from "../src/connection/protocol.ts";
import { ends_of_chain, limb_value, moved_limb_key, usual_end, values_shown, with_curve, with_limb_key } from "../src/curves/limb_keys.ts";
import { learned_inside_text, map_name } from "../src/bars/learn_inside.ts";

const field = (some: Partial<Field>): Field => ({ name: "stiffness", title: "", least: 0.01, most: 100, neutral: 1, multiplies: true, unit: "", effect: "", ...some });
const stiffness = field({}), rigid = field({ least: 0, most: 1, neutral: 0, multiplies: false }), poisson = field({ least: 0, most: 0.49, neutral: -1, multiplies: false });

test("a curve is constant beyond its keys and within its field's range", () => {
  const keys = [[0.2, 0.5], [0.6, 2, 0]];
  assert.equal(limb_value(keys, 0, stiffness), 0.5);
  assert.equal(limb_value(keys, 1, stiffness), 2);
  assert.equal(limb_value([], 0.5, stiffness), null);
  for (let at = 0; at <= 1; at += 0.05) assert.ok(limb_value([[0, 0.4, -9], [1, 0.4, 9]], at, poisson)! >= 0);
});

test("it multiplies paint, outdoes weaker marks, and replaces a setting where nothing is painted", () => {
  assert.equal(with_curve(stiffness, 2, 1, 1, 3), 6);
  assert.equal(with_curve(stiffness, 2, 1, 0.5, 3), 4);
  assert.equal(with_curve(stiffness, 2, 1, 0, 3), 2);
  assert.equal(with_curve(rigid, 0.3, 0, 1, 0.8), 0.8);
  assert.equal(with_curve(rigid, 0.9, 0, 1, 0.8), 0.9);
  assert.ok(Math.abs(with_curve(poisson, 0.45, 0.45, 0.5, 0.25) - 0.35) < 1e-12);
  assert.equal(with_curve(poisson, 0.1, 0.45, 1, 0.25), 0.1);
});

test("keys are added in order and stay on the chain, between their neighbours", () => {
  assert.deepEqual(with_limb_key([], 0.5, 1, stiffness), { keys: [[0, 1], [0.5, 1], [1, 1]], key: 1 });
  assert.deepEqual(with_limb_key([], 1.2, 500, stiffness), { keys: [[0, 100], [1, 100]], key: 1 });
  const keys = [[0, 100], [0.5, 1]];
  assert.deepEqual(with_limb_key(keys, 0.7, 0, stiffness), { keys: [...keys, [0.7, 0.01]], key: 2 });
  assert.deepEqual(with_limb_key(keys, 0.5, 9, stiffness), { keys, key: 1 });
  assert.deepEqual(moved_limb_key(keys, 1, 1.4, -3, stiffness), [[0, 100], [1, 0.01]]);
  assert.deepEqual(moved_limb_key(keys, 1, -1, 2, stiffness)[1], [0.001, 2]);
});

test("chains end in bones that hang from their beginning", () => {
  const joints: Joint[] = [["hip", -1], ["knee", 0], ["mesh", 0], ["foot", 1], ["spine", 0], ["toe", 3]].map(([name, parent]) => ({ name: name as string, parent: parent as number, bone: name !== "mesh" }));
  assert.deepEqual(ends_of_chain(joints, "knee"), ["knee", "foot", "toe"]);
  assert.deepEqual(ends_of_chain(joints, "mesh"), []);
  assert.equal(usual_end(joints, "hip"), "toe");
  assert.equal(usual_end(joints, "spine"), "spine");
});

test("the plot shows from nothing to more than the highest key, or the whole range", () => {
  assert.deepEqual(values_shown([], stiffness), { low: 0, high: 2 });
  assert.deepEqual(values_shown([[0, 4]], stiffness), { low: 0, high: 5 });
  assert.deepEqual(values_shown([[0, 0.3]], poisson), { low: 0, high: 0.49 });
});

test("what was learned of the inside is told in a sentence", () => {
  assert.equal(map_name("hero.v2.glb"), "hero.v2.vskin");
  assert.match(learned_inside_text({ poses: 40, skipped: 0, parameters: 3, boundary: 9, interior: 9, tetrahedra: 9, off_percent: 0.0312 }), /40 poses; .* 0\.031 %/);
  assert.equal(learned_inside_text(undefined), "");
});
