// Tools that follow from the server's table of loads.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadKind, SkinPoint, Vector } from "../src/connection/protocol.ts";
import { in_order } from "../src/state.ts";
import { load_command, numbers_of, rows_of } from "../src/tools/loads.ts";

// The table in the form in which the server sends it.
const poke = {
  name: "poke", needs: "pokes",
  tools: [{ name: "poke", hint: "Click.", continuous: false }, { name: "push", hint: "Press.", continuous: true }],
  members: [
    { key: "at", kind: "point", help: "Of the skin" },
    { key: "force", kind: "vector", unit: "N", help: "The whole force", level: "everything" },
    { key: "radius", kind: "number", least: 0, unit: "m", help: "Radius of the skin", level: "everything" },
    { key: "seconds", kind: "number", least: 0, without_least: true, unit: "s", default: 0.08, help: "How long", level: "everything" },
  ],
} as unknown as LoadKind;
const at: SkinPoint = [7, 0.25, 0.5], direction: Vector = [0, 0, -1], height = 2;
const ball = (radius: number) => (4 / 3) * Math.PI * radius ** 3 * 1000 * 9.81;

test("a poke is as strong as the flesh under it is heavy", () => {
  const once = load_command(poke, poke.tools[0], {}, at, direction, height);
  assert.deepEqual(once, { do: "poke", at, force: [0, 0, -4 * ball(0.12)], radius: 0.12, seconds: 0.08 });
  const held = load_command(poke, poke.tools[1], { force: 3, radius: 10 }, at, direction, height);
  assert.deepEqual(held, { do: "poke", at, force: [0, 0, -3 * 2 * ball(0.2)], radius: 0.2, seconds: 0.06 });
});

test("sliders of a load are its numbers, and keep what is set", () => {
  const values = {}, rows = rows_of(poke, values);
  assert.deepEqual(rows.map(({ label, unit, least, most, value }) => [label, unit, least, most, value]),
    [["Strength", "×", 0.1, 10, 1], ["Size", "%", 1, 20, 6]]);
  rows[1].change(12, true);
  assert.deepEqual(values, { radius: 12 });
  assert.equal(rows_of(poke, values)[1].value, 12);
});

test("a load that the page has never heard of has a slider for every number, and a command with every member", () => {
  const suck = {
    name: "suck", needs: "pokes", tools: [{ name: "suck", hint: "Click.", continuous: true }],
    members: [
      { key: "at", kind: "point", help: "Of the skin" },
      { key: "pressure", kind: "number", least: 0, most: 50_000, unit: "Pa", default: 2000, help: "Under the cup", level: "everything" },
      { key: "axis", kind: "vector", help: "Of the cup", level: "everything" },
      { key: "depth", kind: "number", least: 0, most: 0.5, unit: "m", default: 0.1, help: "Of the cup", level: "everything" },
      { key: "rim_share", kind: "number", least: 0, most: 1, help: "Of the cup", level: "everything" },
      { key: "seconds", kind: "number", unit: "s", help: "How long", level: "everything" },
    ],
  } as unknown as LoadKind;
  assert.deepEqual(numbers_of(suck).map(({ key }) => key), ["pressure", "depth", "rim_share"]);
  const [pressure, depth, rim] = rows_of(suck, {});
  assert.deepEqual([pressure.label, pressure.unit, pressure.value, pressure.bound!(1e9)], ["Pressure", "Pa", 2000, 50_000]);
  assert.deepEqual([depth.unit, depth.value, depth.bound!(3)], ["m", 0.1, 0.5]); // in metres, since it has a default
  assert.deepEqual([rim.label, rim.least, rim.most], ["Rim share", 0, 1]);
  assert.deepEqual(load_command(suck, suck.tools[0], { rim_share: 0.5 }, at, direction, height),
    { do: "suck", at, pressure: 2000, axis: [0, 0, -1], depth: 0.1, rim_share: 0.5, seconds: 0.06 });
});

test("tools keep their keys, and new ones follow", () => {
  assert.deepEqual(in_order(["suck", "push", "paint", "pose", "wall", "ball", "carry", "pin", "poke", "grab"]),
    ["grab", "poke", "push", "pin", "carry", "ball", "wall", "pose", "paint", "suck"]);
});
