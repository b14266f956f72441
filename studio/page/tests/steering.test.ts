// Held keys steer a character.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wish_of } from "../src/tools/steering.ts";

test("held keys walk, turn and run, and none stands", () => {
  const wish = (...keys: string[]) => wish_of(new Set(keys));
  assert.deepEqual(wish(), { turn: 0, pace: 0 });
  assert.deepEqual(wish("ArrowUp"), { turn: 0, pace: 1 });
  assert.deepEqual(wish("ArrowUp", "Shift"), { turn: 0, pace: 2 });
  assert.deepEqual(wish("Shift"), { turn: 0, pace: 0 });
  assert.deepEqual(wish("ArrowLeft"), { turn: 1, pace: 1 });
  assert.deepEqual(wish("ArrowUp", "ArrowRight"), { turn: -1, pace: 1 });
  assert.deepEqual(wish("ArrowUp", "ArrowLeft", "ArrowRight"), { turn: 0, pace: 1 });
  assert.deepEqual(wish("ArrowUp", "ArrowLeft", "ArrowDown"), { turn: 0, pace: 0 });
});
