// Names and lists of baked files, and the countdown before a take.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bakes_of, free_stem, name_problem, stem_of, usual_name } from "../src/bars/bake_files.ts";
import { numbers } from "../src/bars/record.ts";

test("a bake is named after its character and clip until the user names it", () => {
  assert.equal(usual_name("hero.v2.glb", "Run fast!"), "hero.v2_Run_fast_");
  assert.equal(usual_name("hero.glb", ""), "hero_rest");
  assert.equal(stem_of(" final.glb "), "final");
  assert.equal(stem_of("final.v3"), "final.v3");
});

test("a name with folders or none at all is refused in a sentence", () => {
  assert.equal(name_problem("final take"), null);
  for (const name of ["", "../x", "a/b", "a\\b", ".hidden"]) assert.match(name_problem(name) ?? "", /^.+\.$/);
});

test("who keeps both gets a name that nobody has", () => {
  assert.equal(free_stem("run", "glb", ["run.glb"]), "run_2");
  assert.equal(free_stem("run", "glb", ["run.glb", "run_2.glb", "run_3.pc2"]), "run_3");
  assert.equal(free_stem("run_2", "glb", ["run.glb", "run_2.glb"]), "run_3");
});

test("files are listed by bakes, each with what belongs to it", () => {
  const outputs = ["run.glb", "run.painted.glb", "run.settings.json", "run.take.json", "run.webp", "run.fast.glb", "run.fast.settings.json", "walk.pc2"]
    .map((name) => ({ name, bytes: 1 }));
  assert.deepEqual(bakes_of(outputs).map(({ main, picture, others }) => [main.name, picture?.name ?? null, others.map(({ name }) => name)]), [
    ["run.glb", "run.webp", ["run.painted.glb", "run.settings.json", "run.take.json"]], ["run.fast.glb", null, ["run.fast.settings.json"]], ["walk.pc2", null, []],
  ]);
  assert.deepEqual(bakes_of([]), []);
});

test("a countdown counts to one", () => assert.deepEqual(numbers(3), [3, 2, 1]));
