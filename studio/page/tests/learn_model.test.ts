// The page says how well a learned model follows the flesh.
import assert from "node:assert/strict";
import { test } from "node:test";
import { learned_text, model_name } from "../src/bars/learn_model.ts";

test("a model is judged by its clips, and by what it had not seen, where that is known", () => {
  assert.match(learned_text({ removed_percent: 81.4, held_out: { removed_percent: 45.6 } }), /81 % .* these clips, and 46 % .* kept back/);
  assert.match(learned_text({ removed_percent: 81.4 }), /81 % .* these clips\.$/);
  assert.match(learned_text({ removed_percent: -20 }), / 0 % /);
  assert.equal(learned_text(undefined), "");
});

test("a model is named after its character", () => {
  assert.equal(model_name("hero.v2.glb"), "hero.v2.sinew");
});
