// The part of a joint's path that a stroke replaces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn_part } from "../src/tools/drawn_part.ts";

const line = (from: [number, number], to: [number, number], points: number) =>
  [...Array(points).keys()].map((k) => ({ x: from[0] + ((to[0] - from[0]) * k) / (points - 1), y: from[1] + ((to[1] - from[1]) * k) / (points - 1) }));

test("a stroke beside a path replaces the part between its ends, whichever way it is drawn", () => {
  const path = line([0, 0], [400, 0], 41), stroke = line([100, 5], [300, 5], 20);
  const part = drawn_part(path, stroke);
  assert.ok(Math.abs(part.from - 10) <= 1 && Math.abs(part.to - 30) <= 1 && !part.back, JSON.stringify(part));
  assert.deepEqual(drawn_part(path, [...stroke].reverse()), { ...part, back: true });
});

test("where the path goes to and fro, the part is about as long as the stroke", () => {
  const path = [...line([0, 0], [200, 0], 21), ...line([200, 2], [0, 2], 21), ...line([0, 4], [200, 4], 21)];
  const { from, to, back } = drawn_part(path, line([0, 3], [200, 3], 20));
  assert.ok(to - from > 15 && to - from < 25, `${from} to ${to}`);
  assert.equal(back, Math.floor(from / 21) === 1);
});
