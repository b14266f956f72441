// The path of a joint over a clip, in a real browser: shown, its points dragged in space and in time, drawn anew, undone.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { Eye, far, samples, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye, hand;

before(async () => {
  browser = await start_browser();
  copyFileSync(join(samples, "sumo.glb"), join(work.folder, "sumo.glb"));
  // A coarse body, so that nothing takes long.
  writeFileSync(join(work.folder, "sumo.studio.json"), JSON.stringify({
    "sinew studio project": 1, character: "sumo.glb", method: "flesh", paint: {}, pose: { joints: {} }, takes: [], settings: { flesh: { tetrahedra: 400 } },
  }));
  studio = await start_studio(work.folder, "sumo.glb");
  eye = await Eye.open(browser, studio.address);
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);
const ask = (command) => eye.page.evaluate((asked) => window.sinew.studio.connection.ask(asked), command);
const clips = async () => (await eye.state("clips")).map(({ name }) => name);
const plays = (name) => eye.until((wanted) => window.sinew.server.play.clip === wanted, name, 60);
const path = () => ask({ do: "path", joint: hand });
const at = ({ times, places }, time) => places[times.reduce((best, one, k) => (Math.abs(one - time) < Math.abs(times[best] - time) ? k : best), 0)];

// Drags a place of the picture by pixels; `on_the_way` runs before the pointer lets go.
async function drag(place, right, down, on_the_way = async () => {}) {
  const from = await eye.on_screen(place);
  await eye.drag(from, { x: from.x + right, y: from.y + down });
  await on_the_way();
  await eye.page.mouse.up();
}

scene("a point of the hand's path is dragged, and the edited clip plays", async () => {
  await eye.character();
  await ask({ do: "play", clip: "run_jump" });
  await ask({ do: "pause" });
  await ask({ do: "scrub", time: 1 });
  await eye.tool(8);
  const { joints } = await eye.state("character");
  hand = joints.findIndex(({ name }) => name === "hand_l");
  await eye.page.click('#tool-card label:has-text("Path")');
  await eye.page.selectOption('#tool-card select[aria-label="Joint"]', String(hand));
  await eye.until(() => window.sinew.server.play.clip === "run_jump");
  await eye.joint_settled(hand);
  const before = await path();
  assert.ok(before.times.length > 60, `${before.times.length} points`);
  await eye.picture("path");
  await drag(at(before, 1), 30, -70, async () => {
    await new Promise((done) => setTimeout(done, 1500));
    assert.deepEqual(await clips(), ["stomp", "run_jump", "head_shake"]);
    await eye.picture("path dragged");
  });
  await plays("run_jump, edited");
  assert.ok(existsSync(join(work.folder, "sumo.edits", "run_jump, edited.glb")));
  const now = await path();
  assert.ok(at(now, 1)[1] > at(before, 1)[1] + 0.05, `${at(now, 1)} was ${at(before, 1)}`);
  assert.ok(far(at(now, 2), at(before, 2)) < 1e-9);
  await ask({ do: "pause" });
  await ask({ do: "scrub", time: 1 });
  await eye.joint_settled(hand);
  const there = await eye.joint_place(hand);
  assert.ok(far(there, at(now, 1)) < 0.02, `the hand is ${far(there, at(now, 1))} m from its path`);
  await eye.picture("path edited");
});

scene("further edits go on in that clip: a point slides along the path, a part is drawn anew", async () => {
  await ask({ do: "pause" });
  await ask({ do: "scrub", time: 1 });
  await eye.joint_settled(hand); // and the camera, which follows
  const before = await path();
  await eye.page.click('#tool-card .words button:has-text("slide")');
  const k = before.times.findIndex((time) => time > 0.98), to = await eye.on_screen(before.places[k - 3]), from = await eye.on_screen(before.places[k]);
  await drag(before.places[k], to.x - from.x, to.y - from.y);
  await eye.until((edit) => window.sinew.server.clips[3]?.motion.includes(edit), "run_jump, edited 2.glb", 60);
  const slid = await path();
  assert.ok(far(at(slid, before.times[k]), before.places[k]) > 0.005);
  for (const place of slid.places) assert.ok(Math.min(...before.places.map((old) => far(old, place))) < 0.05);

  await eye.page.click('#tool-card .words button:has-text("redraw")');
  await ask({ do: "pause" });
  await ask({ do: "scrub", time: 1 });
  await eye.joint_settled(hand);
  const begin = await eye.on_screen(at(slid, 0.7)), end = await eye.on_screen(at(slid, 1.3));
  await eye.page.mouse.move(begin.x, begin.y);
  await eye.page.mouse.down();
  for (let step = 1; step <= 20; ++step)
    await eye.page.mouse.move(begin.x + ((end.x - begin.x) * step) / 20, begin.y + ((end.y - begin.y) * step) / 20 - 50 * Math.sin((Math.PI * step) / 20));
  assert.ok(await eye.page.isVisible("svg.lasso polyline"));
  await eye.picture("path redrawn");
  await eye.page.mouse.up();
  await eye.until((edit) => window.sinew.server.clips[3]?.motion.includes(edit), "run_jump, edited 3.glb", 60);
  assert.deepEqual(await clips(), ["stomp", "run_jump", "head_shake", "run_jump, edited"]);
});

scene("edits are undone one by one", async () => {
  for (const edit of ["run_jump, edited 2.glb", "run_jump, edited.glb"]) {
    await ask({ do: "undo" });
    await eye.until((wanted) => window.sinew.server.clips[3]?.motion.includes(wanted), edit, 60);
  }
  await ask({ do: "undo" });
  await eye.until(() => window.sinew.server.clips.length === 3, null, 60);
});

scene("a stroke drawn in the time of the motion becomes a clip", async () => {
  await ask({ do: "play", clip: "head_shake" });
  await ask({ do: "pause" });
  await eye.page.click('#tool-card label:has-text("Motion")');
  assert.equal(await eye.page.isChecked('#tool-card label:has-text("Path") input'), false);
  const { width, height } = eye.page.viewportSize(), from = { x: 0.4 * width, y: 0.55 * height };
  await eye.page.mouse.move(from.x, from.y);
  await eye.page.mouse.down();
  for (let step = 1; step <= 30; ++step) {
    const way = step / 30, dip = way < 0.3 ? 25 * Math.sin((Math.PI * way) / 0.3) : 0;
    await eye.page.mouse.move(from.x + 140 * way, from.y + dip - (way < 0.3 ? 0 : 110 * Math.sin((Math.PI * (way - 0.3)) / 0.7)));
    await new Promise((done) => setTimeout(done, 25));
  }
  assert.ok(await eye.page.isVisible("svg.lasso polyline"));
  await eye.picture("motion drawn");
  await eye.page.mouse.up();
  await plays("drawn");
  assert.ok(existsSync(join(work.folder, "sumo.edits", "drawn.glb")));
  const { start, end } = (await eye.state("clips")).find(({ name }) => name === "drawn");
  assert.ok(end - start > 0.6 && end - start < 60, `${end - start} s`);
  await eye.page.click('#tool-card label:has-text("Motion")');
  await ask({ do: "undo" });
  await eye.until(() => window.sinew.server.clips.length === 3, null, 60);
  await eye.page.click('#tool-card label:has-text("Path")');
});

scene("why a path cannot be edited is said", async () => {
  await ask({ do: "play", clip: "run_jump" });
  await ask({ do: "pause" });
  await ask({ do: "scrub", time: 1 });
  await ask({ do: "pose", joints: { [hand]: [0, 0, 0, 1] } });
  await eye.page.click('#tool-card .words button:has-text("move")');
  await eye.joint_settled(hand);
  await drag(at(await path(), 1.2), 10, -30);
  await eye.until(() => document.querySelector(".notice.error"));
  assert.match((await eye.errors()).join(), /Joints are posed by hand; give all back/);
  await eye.page.click(".notice.error button");
  await ask({ do: "undo" });
});
