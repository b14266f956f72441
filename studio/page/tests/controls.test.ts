// Sliders, texts and names: what a number on the screen means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { length_text } from "../src/scene/colours.ts";
import { free_name, texts_in } from "../src/widgets/names.ts";
import { from_slot, number_text, to_slot } from "../src/widgets/slots.ts";
import { bounded, slider_range } from "../src/widgets/slider_range.ts";
import { is_tuned } from "../src/widgets/tuned.ts";
import { Store } from "../src/store.ts";
import type { Setting } from "../src/connection/protocol.ts";

test("a slider gives back the value that it was set to, straight or logarithmic", () => {
  for (const row of [{ least: 0, most: 1 }, { least: -5, most: 20 }, { least: 100, most: 1e6, logarithmic: true }])
    for (const share of [0, 0.1, 0.5, 0.9, 1]) {
      const value = row.logarithmic ? row.least * (row.most / row.least) ** share : row.least + share * (row.most - row.least);
      const back = from_slot(row, to_slot(row, value));
      assert.ok(Math.abs(back - value) <= 0.011 * Math.max(Math.abs(value), (row.logarithmic ? 0 : 0.1) * (row.most - row.least)), `${value} became ${back}`);
    }
  assert.equal(from_slot({ least: 20, most: 5000, logarithmic: true, integer: true }, 500), 316);
});

const setting = (some: Partial<Setting>): Setting => ({ key: "x", kind: "number", value: null, default: null, help: "", level: "run", ...some });

test("what acts at places of the scene is no tuning, whatever its name", () => {
  const loads = setting({ kind: "list", item: [setting({ key: "point", kind: "vector", unit: "m" }), setting({ key: "force", kind: "vector", unit: "N" })] });
  assert.equal(is_tuned(loads), false);
  assert.equal(is_tuned(setting({ key: "joints", kind: "list", item: [setting({ key: "joints", kind: "patterns" })] })), true);
  assert.equal(is_tuned(setting({ key: "gravity", kind: "vector", unit: "m/s^2" })), true);
});

test("a slider's ends are the bounds where these are near, else around what is usual", () => {
  assert.deepEqual(slider_range(setting({ value: 0.5, least: 0, most: 1 })), { least: 0, most: 1, logarithmic: false });
  const young = slider_range(setting({ unit: "Pa", now: 18000, least: 0, most: 1e12 }));
  assert.ok(young.logarithmic && young.least > 0 && young.least < 18000 && young.most > 18000 && young.most < 1e7);
  // Four strokes to either end and it is still the same slider.
  for (const value of [0.022, 595, 18000, 1e9]) assert.deepEqual(slider_range(setting({ unit: "Pa", value, now: value, least: 0, most: 1e12 })),
    { least: 200, most: 2e6, logarithmic: true });
  const count = slider_range(setting({ kind: "integer", value: 8000, least: 20, most: 5e6 }));
  assert.ok(count.least >= 20 && count.most <= 5e6);
  const any = slider_range(setting({ value: -3, default: 2 }));
  assert.ok(any.least <= -3 && any.most >= 3);
});

test("bounds that a setting may not reach are neither slid to nor typed", () => {
  const core = setting({ least: 0, most: 1, without_most: true }), mass = setting({ least: 0, without_least: true, default: 2 });
  assert.deepEqual(slider_range(core), { least: 0, most: 0.99, logarithmic: false });
  assert.deepEqual([-1, 0, 0.995, 1, 2.1].map((typed) => bounded(core, typed)), [0, 0, 0.995, 0.99, 0.99]);
  assert.ok(slider_range(mass).least > 0 && bounded(mass, 0) > 0 && bounded(mass, -3) > 0);
  assert.deepEqual([1e-9, 5].map((typed) => bounded(mass, typed)), [1e-9, 5]);
  const count = setting({ kind: "integer", least: 0, most: 4, without_least: true, without_most: true });
  assert.deepEqual([0, 0.7, 2.4, 4].map((typed) => bounded(count, typed)), [1, 1, 2, 3]);
  assert.deepEqual([-1, 0, 1, 2].map((typed) => bounded(setting({ least: 0, most: 1 }), typed)), [0, 0, 1, 1]);
});

test("numbers and lengths read well", () => {
  assert.deepEqual([0, 0.5, 8000, 18123.4, 1 / 240, 3.2e7, 1e-6].map(number_text), ["0", "0.5", "8000", "18120", "0.004167", "3.2e+7", "1e-6"]);
  assert.deepEqual([0.0004, 0.012, 1.8].map(length_text), ["0.40 mm", "1.2 cm", "1.80 m"]);
});

test("a new take gets a name that is free", () => {
  assert.equal(free_name([], "take"), "take 1");
  assert.equal(free_name(["take 1", "take 3"], "take"), "take 2");
});

test("texts of a list are separated by commas, with or without spaces", () => {
  assert.deepEqual(texts_in(" 1=arm.L,2=hand* ,, "), ["1=arm.L", "2=hand*"]);
  assert.deepEqual(texts_in(" "), []);
});

test("a store tells those who watch what has changed, and nobody else", () => {
  const store = new Store({ a: 1, b: 2 });
  let told = 0;
  store.watch(["a"], () => ++told);
  store.change({ b: 3 });
  store.change({ a: 1 });
  assert.equal(told, 1);
  store.change({ a: 2 });
  assert.equal(told, 2);
});
