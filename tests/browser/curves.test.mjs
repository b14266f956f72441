// Curves of rig-space physics in a real browser: drawn as they appear, keyed with the mouse, simulated again, undone, and
// baked with progress; and the inside of the body, which is learned once and used.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { copy_sample, Eye, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

before(async () => {
  browser = await start_browser();
  copy_sample("tube.glb", work.folder);
  // A coarse body, so that nothing takes long.
  writeFileSync(join(work.folder, "tube.studio.json"), JSON.stringify({
    "sinew studio project": 1, character: "tube.glb", method: "linear", paint: {}, pose: { joints: {} }, takes: [],
    settings: { rigspace: { free: ["upper.translation.*"], tetrahedra: 400, poses: 8 } },
  }));
  studio = await start_studio(work.folder, "tube.glb");
  eye = await Eye.open(browser, studio.address);
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);
const name = "upper.translation.x";

// Until a run other than `before` has ended; returns its number.
async function run_after(before) {
  await eye.until((last) => window.sinew.curves.runs.ended && window.sinew.curves.runs.head.run !== last, before, 60);
  return eye.page.evaluate(() => window.sinew.curves.runs.head.run);
}
// Value and slope of the edited curve at a time, and where it is on the screen.
const curve_at = (time) => eye.page.evaluate(({ time, name }) => {
  const { curves } = window.sinew, { value, slope } = curves.runs.at(curves.runs.index_of(name), time), box = document.getElementById("curves-plot").getBoundingClientRect();
  const [x, y] = curves.place_of(time, value);
  return { value, slope, x: box.left + x, y: box.top + y };
}, { time, name });

scene("rigspace plays from the page, and its curves appear", async () => {
  await eye.character();
  await eye.panel("curves");
  await eye.page.evaluate(async () => {
    const { connection } = window.sinew.studio;
    await connection.ask({ do: "play", clip: "shake" });
  });
  await eye.page.click("#curves button:text-is('Play with rigspace')");
  await eye.until(() => window.sinew.server.method.name === "rigspace", null, 60);
  await run_after(0);
  assert.equal(await eye.page.evaluate(() => window.sinew.curves.runs.head.controls.length), 3);
  await eye.page.fill("#curves input[type=search]", "translation x");
  assert.equal(await eye.page.locator("#curves .curve-list li").count(), 1);
  await eye.page.click("#curves .curve-list button");
  assert.equal(await eye.page.evaluate(() => window.sinew.curves.edited.name), name);
  await eye.picture("curves");
});

scene("a click on the curve and a drag fix it by a key, and the rest is simulated again", async () => {
  const run = await eye.page.evaluate(() => window.sinew.curves.runs.head.run), before = await curve_at(0.6);
  await eye.drag(before, { x: before.x, y: before.y - 40 });
  await eye.page.mouse.up();
  await run_after(run);
  const after = await curve_at(0.6), edited = await eye.page.evaluate(() => window.sinew.curves.edited.stretches);
  assert.equal(edited.length, 1);
  const [time, value] = edited[0].keys[0];
  assert.ok(value > before.value + 1e-4, `${value} over ${before.value}`);
  const there = await curve_at(time);
  assert.ok(Math.abs(there.value - value) < 0.1 * Math.abs(value - before.value), `the curve is at ${there.value}, its key at ${value}`);
  assert.notEqual(after.value, before.value);
  // The other curves react, and what was before the key stays.
  const changed = await eye.page.evaluate(() => {
    const { now, before, head } = window.sinew.curves.runs, frames = [...Array(head.frames).keys()];
    return frames.map((frame) => [0, 1, 2].some((k) => now[3 * frame + k] !== before[3 * frame + k]));
  });
  assert.equal(changed.indexOf(true) > 10, true, `${changed}`);
  await eye.picture("curves keyed");
});

scene("a tangent turns, a key is deleted, and undo brings it back", async () => {
  let run = await eye.page.evaluate(() => window.sinew.curves.runs.head.run);
  const [time, value] = await eye.page.evaluate(() => window.sinew.curves.edited.stretches[0].keys[0]);
  assert.ok(await eye.page.isVisible("#curves button:text-is('Delete key')"));
  await eye.page.focus("#curves-plot");
  await eye.page.keyboard.press("Delete");
  run = await run_after(run);
  assert.deepEqual(await eye.page.evaluate(() => window.sinew.curves.runs.head.keys), []);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "undo" }));
  await run_after(run);
  const back = await eye.page.evaluate(() => window.sinew.curves.runs.head.keys[0].keys[0]);
  assert.deepEqual(back.slice(0, 2), [time, value]);
});

scene("a bake writes the keyed curves, with progress", async () => {
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "bake", output: "keyed.glb", clip: "shake" }));
  await eye.until(() => window.sinew.server.work?.what === "baking" || window.sinew.server.outputs.length > 0);
  await eye.until(() => window.sinew.server.outputs.some(({ name }) => name === "keyed.glb"), null, 60);
  assert.ok(existsSync(join(work.folder, "keyed.glb")));
  assert.ok(existsSync(join(work.folder, "keyed.settings.json")));
});

scene("the inside is learned with progress, and used at once", async () => {
  await eye.panel("keep");
  await eye.page.click("#learn-inside button:text-is('Learn the inside')");
  await eye.until(() => document.querySelector("#learn-inside .learned"), null, 60);
  assert.match(await eye.page.textContent("#learn-inside .learned"), /poses; the inside is off by .* %/);
  assert.ok(existsSync(join(work.folder, "tube.vskin")));
  await eye.page.click("#learn-inside button:text-is('Use it')");
  await eye.until(() => window.sinew.server.settings.find(({ key }) => key === "interior")?.value?.endsWith("tube.vskin"));
  assert.equal((await eye.state("method")).name, "rigspace");
});
