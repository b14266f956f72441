import assert from "node:assert/strict";
import { test } from "node:test";
import { Newest } from "../src/connection/newest.ts";
import { line_length, line_points } from "../src/scene/ring_line.ts";
import type { Command } from "../src/connection/protocol.ts";

test("a ring's line goes with the vertices of its edges, and its length is the girth", () => {
  // A square prism of side 2: its four upright edges are cut in their middles.
  const positions = [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, -1, 4, -1, 1, 4, -1, 1, 4, 1, -1, 4, 1];
  const line = { points: [0, 1, 2, 3].map((k): [number, number, number] => [k, k + 4, 0.5]), closed: true };
  assert.deepEqual(line_points(line, positions)[1], [1, 2, -1]);
  assert.equal(line_length(line_points(line, positions), true), 8);
  assert.equal(line_length(line_points(line, positions), false), 6);
  const tight = positions.map((x, k) => (k % 3 === 1 ? x : 0.5 * x));
  assert.equal(line_length(line_points(line, tight), true), 4);
});

test("of commands that wait the newest is sent", async () => {
  const sent: unknown[] = [], answers: ((well: boolean) => void)[] = [];
  const newest = new Newest((command) => {
    sent.push((command as { value?: unknown }).value);
    return new Promise((answer) => answers.push(answer));
  });
  const set = (value: number): Command => ({ do: "set", path: "young", value });
  const all = [1, 2, 3].map((value) => newest.tell(set(value)));
  assert.deepEqual(sent, [1]);
  answers[0](true);
  await Promise.resolve();
  assert.deepEqual(sent, [1, 3]);
  void newest.tell(set(4));
  newest.drop();
  answers[1](true);
  await Promise.all(all);
  assert.deepEqual(sent, [1, 3]);
  assert.ok(!newest.pending);
});
