// The line that says what to do next, and the one that says which body plays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { body_text } from "../src/bars/body_label.ts";
import { type Situation, what_next } from "../src/bars/what_next.ts";

const fresh: Situation = {
  character: true, needs_motion: false, sample: false, flesh: true, playing: true, work: "", recording: false, defects: null, touched: false, posed: false, tuned: false,
  painted: false, takes: 0, bakes: 0, compared: false,
};
const after = (some: Partial<Situation>) => what_next({ ...fresh, ...some })?.text ?? "";

test("a line follows what was done, from opening to the baked file", () => {
  const way: [Partial<Situation>, RegExp][] = [
    [{ character: false }, /Drop a character/], [{}, /Press on the flesh/], [{ touched: true }, /Tune/], [{ tuned: true }, /Paint/], [{ painted: true }, /checked/],
    [{ defects: 2 }, /Compare/], [{ compared: true }, /Record/], [{ takes: 1 }, /Bake the take/], [{ bakes: 1 }, /beside your character/],
  ];
  let now: Situation = fresh;
  for (const [done, line] of way) {
    now = { ...now, character: true, ...done };
    assert.match(what_next(now)?.text ?? "", line);
  }
});

test("what goes on comes first", () => {
  assert.match(after({ needs_motion: true }), /give it motion/);
  assert.equal(what_next({ ...fresh, work: "opening" }), null);
  assert.match(after({ recording: true, work: "baking" }), /Recording/);
  assert.match(after({ work: "baking" }), /goes on by itself/);
  assert.deepEqual(what_next({ ...fresh, flesh: false })?.method, "flesh");
  assert.match(after({ sample: true }), /Press on the flesh/);
  assert.equal(what_next({ ...fresh, sample: true, touched: true })?.start, true);
  assert.match(after({ touched: true, tuned: true, painted: true, defects: 0, compared: true, bakes: 0, takes: 0 }), /Record/);
});

test("each line of advice is one sentence or two, and short enough for the page", () => {
  for (const some of [{}, { touched: true }, { touched: true, tuned: true }, { sample: true, touched: true }, { recording: true }, { flesh: false }] as Partial<Situation>[]) {
    const text = after(some);
    assert.match(text, /^[A-Z].*\.$|^[A-Z].*\?.*\.$/);
    assert.ok(text.length < 95, text);
  }
});

test("the body is named with its cells and its skin", () => {
  assert.equal(body_text({ kind: "tetrahedra", cells: 8012 }, 3432), "8\u202f012 tetrahedra carry 3\u202f432 vertices");
  assert.equal(body_text({ kind: "lattice", cells: 400 }, 900), "A lattice of 400 cells carries 900 vertices");
  assert.equal(body_text({ kind: "none", cells: 0 }, 900), "No body: 900 vertices of skin");
});
