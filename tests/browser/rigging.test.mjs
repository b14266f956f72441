// A newcomer's way from a mesh without a skeleton to a character with flesh, in a real browser: each test goes on where
// the one before ended.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { copy_sample, Eye, far, program, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

// The wrestler's skin alone.
async function write_mesh(file) {
  copy_sample("sumo.glb", work.folder);
  const one = await start_studio(work.folder, "sumo.glb");
  const page = await Eye.open(browser, one.address);
  await page.character();
  const { rest, triangles } = await page.page.evaluate(() => {
    const { surface } = window.sinew.studio.character;
    return { rest: [...surface.rest], triangles: [...surface.triangles] };
  });
  const rows = (name, numbers, by) => Array.from({ length: numbers.length / 3 }, (_, k) => `${name} ${[0, 1, 2].map((c) => numbers[3 * k + c] + by).join(" ")}\n`).join("");
  writeFileSync(file, rows("v", rest, 0) + rows("f", triangles, 1));
  await page.page.close();
  await one.stop();
}

before(async () => {
  browser = await start_browser();
  await write_mesh(join(work.folder, "wrestler.obj"));
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);

const rigging = () => eye.state("rigging");
const joint = async (name) => (await rigging()).joints.find((one) => one.name === name);
const places = [[0, 0.95, 0], [0, 1.15, 0], [0, 1.4, 0], [0, 1.62, 0], [0.28, 1.3, 0], [0.46, 1.1, 0], [0.64, 0.92, 0], [0.17, 0.75, 0], [0.2, 0.42, 0], [0.22, 0.1, 0]];
const found = () => eye.until(() => window.sinew.server.rigging?.weights === "found", null, 60);

async function click(point, options = {}) {
  const at = await eye.on_screen(point);
  await eye.page.mouse.click(at.x, at.y, options);
}
const choose = (name) => eye.page.evaluate((joint) => window.sinew.rigging.choose(joint), name);

scene("a dropped mesh asks for joints", async () => {
  studio = await start_studio(work.folder);
  eye = await Eye.open(browser, studio.address, { width: 1100, height: 760 });
  await eye.page.waitForSelector("#start:not([hidden])");
  const text = readFileSync(join(work.folder, "wrestler.obj"), "utf8");
  await eye.page.evaluate((obj) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([obj], "wrestler.obj"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
  }, text);
  await eye.until(() => window.sinew.rigging.scene !== null);
  await eye.page.waitForSelector("#start", { state: "hidden" });
  assert.match(await eye.page.textContent("#rig-card"), /Click the body to place the first joint/);
  assert.equal((await rigging()).joints.length, 0);
});

scene("clicks place joints in the middle of the body, each a child of the one before", async () => {
  const at = await eye.on_screen(places[0]);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.rigging.joints.length === 1);
  const root = await joint("root");
  // It is on the line of sight, or moved from there to the mirror plane.
  const middle = await eye.page.evaluate(({ point, x, y }) => {
    const { studio } = window.sinew, { origin, direction } = studio.view.ray({ clientX: x, clientY: y });
    const along = (p) => direction.reduce((sum, d, k) => sum + d * (p[k] - origin[k]), 0);
    return Math.hypot(...[0, 1, 2].map((k) => origin[k] + along(point) * direction[k] - point[k]));
  }, { point: root.position, ...at });
  assert.ok(middle < 0.05, "the joint is not on the line of sight");
  assert.equal(root.position[0], 0);
  for (let k = 1; k < 4; ++k) {
    await click(places[k]);
    await eye.until((count) => window.sinew.server.rigging.joints.length === count, k + 1);
    await eye.until((count) => window.sinew.rigging.chosen === window.sinew.server.rigging.joints[count - 1].name, k + 1);
  }
  const names = (await rigging()).joints.map(({ name }) => name);
  assert.deepEqual(names, ["root", "joint 1", "joint 2", "joint 3"]);
  assert.equal((await joint("joint 3")).parent, "joint 2");
  await choose("joint 2");
  for (let k = 4; k < 7; ++k) {
    await click(places[k]);
    await eye.until((count) => window.sinew.server.rigging.joints.length === count, k + 1);
    await eye.until((count) => window.sinew.rigging.chosen === window.sinew.server.rigging.joints[count - 1].name, k + 1);
  }
  await choose("root");
  for (let k = 7; k < 10; ++k) {
    await click(places[k]);
    await eye.until((count) => window.sinew.server.rigging.joints.length === count, k + 1);
    await eye.until((count) => window.sinew.rigging.chosen === window.sinew.server.rigging.joints[count - 1].name, k + 1);
  }
  await found();
  await sleep(0.5);
  await eye.picture("rigging joints");
});

scene("a joint is renamed, dragged, mirrored, inserted and deleted, and all of it undone", async () => {
  await choose("joint 4");
  await eye.page.fill('#rig-card input[aria-label="Name of the joint"]', "arm");
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.rigging.chosen === "arm");
  const before = await rigging(), was = (await joint("arm")).position, from = await eye.on_screen(was);
  await eye.drag(from, { x: from.x + 12, y: from.y - 8 });
  await eye.page.mouse.up();
  await eye.until(([x]) => window.sinew.server.rigging.joints.find(({ name }) => name === "arm").position[0] !== x, was);
  assert.ok(far(was, (await joint("arm")).position) < 0.3);
  assert.equal((await rigging()).undo, before.undo + 1, "a drag is one step");
  await eye.page.click("#rig-card >> text=Mirror >> nth=-1");
  await eye.until(() => window.sinew.server.rigging.joints.some(({ name }) => name === "arm.R"));
  const count = (await rigging()).joints.length;
  assert.ok(count >= 12, `${count} joints`);
  await choose("joint 1");
  await eye.page.click("#rig-card >> text=Insert above");
  await click([0, 1.05, 0]);
  await eye.until((more) => window.sinew.server.rigging.joints.length === more, count + 1);
  const inserted = (await joint("joint 1")).parent;
  assert.equal((await joint(inserted)).parent, "root");
  await eye.until((name) => window.sinew.rigging.chosen === name, inserted);
  await eye.page.keyboard.press("Delete");
  await eye.until((more) => window.sinew.server.rigging.joints.length === more, count);
  assert.equal((await joint("joint 1")).parent, "root");
  const steps = (await rigging()).undo;
  for (let k = steps; k > before.undo - 1; --k) {
    await eye.page.keyboard.press("Control+z");
    await eye.until((left) => window.sinew.server.rigging.undo === left, k - 1);
  }
  assert.ok(await joint("joint 4"));
  for (let k = before.undo; k <= steps; ++k) {
    await eye.page.keyboard.press("Control+Shift+z");
    await eye.until((done) => window.sinew.server.rigging.undo === done, k);
  }
  assert.equal((await rigging()).joints.length, count);
  await found();
});

scene("a joint is turned to try its weights, and the skin follows", async () => {
  await eye.page.click("#rig-card >> text=Turn");
  await choose("arm.L");
  const hand = await eye.page.evaluate(() => {
    const { rest } = window.sinew.rigging.scene;
    let best = 0;
    for (let v = 0; 3 * v < rest.length; ++v) if (rest[3 * v] > rest[3 * best]) best = v;
    return best;
  });
  const place = () => eye.page.evaluate((v) => [...window.sinew.rigging.scene.geometry.getAttribute("position").array.slice(3 * v, 3 * v + 3)], hand);
  const rest = await place();
  await eye.page.evaluate(() => {
    window.sinew.rigging.turned = { "arm.L": [0, 0, Math.sin(0.3), Math.cos(0.3)] };
    return window.sinew.rigging.try_joints();
  });
  assert.ok(far(rest, await place()) > 0.05, "the hand stays");
  await eye.picture("rigging turned");
  await eye.page.click("#rig-card >> text=Place");
  assert.ok(far(rest, await place()) < 1e-6);
});

scene("the brush corrects weights, and undo takes it back", async () => {
  await eye.page.click("#rig-card .words >> text=Weights");
  await choose("arm.L");
  await sleep(0.3);
  const at = await eye.on_screen([0.15, 1.25, 0.2]);
  await eye.page.mouse.move(at.x, at.y);
  await eye.page.mouse.down();
  await eye.page.mouse.move(at.x + 15, at.y + 15, { steps: 6 });
  await eye.page.mouse.up();
  await eye.until(() => window.sinew.server.rigging.painted > 5);
  await sleep(0.5);
  await eye.picture("rigging brush");
  const painted = (await rigging()).painted;
  await eye.page.keyboard.press("Control+z");
  await eye.until(() => window.sinew.server.rigging.painted === 0);
  await eye.page.keyboard.press("Control+Shift+z");
  await eye.until((count) => window.sinew.server.rigging.painted === count, painted);
  await eye.page.click("#rig-card .words >> text=Place");
});

scene("the weights are checked, and a click on a fault shows its place", async () => {
  await eye.page.click("#rig-card >> text=Check the weights");
  await eye.page.waitForSelector("#rig-card .faults li");
  const faults = await eye.page.evaluate(() => window.sinew.rigging.faults);
  assert.ok(faults.every(({ severity }, k) => k === 0 || severity <= faults[k - 1].severity), "not the worst first");
  await eye.page.click("#rig-card .faults li button");
  await eye.until((name) => window.sinew.rigging.chosen === name && window.sinew.rigging.scene.mark.visible, faults[0].joint);
  await sleep(0.5);
  await eye.picture("rigging report");
  await eye.page.click("#rig-card >> text=Place");
  await eye.until(() => !window.sinew.rigging.scene.mark.visible);
});

scene("the rig is saved as the command line writes it, and opens with flesh", async () => {
  await eye.page.click("#rig-card .way-out >> text=Save");
  await eye.until(() => /Saved as wrestler.rigged.glb/.test(document.querySelector("#notices").textContent));
  await sleep(0.6); // the joints are kept within a moment
  const args = ["rig", "wrestler.obj", "--joints", "wrestler.joints.json", "-o", "again.glb"];
  execFileSync(program, args, { cwd: work.folder, stdio: "pipe" });
  assert.ok(readFileSync(join(work.folder, "wrestler.rigged.glb")).equals(readFileSync(join(work.folder, "again.glb"))), "`sinew rig` writes another file");
  eye.page.once("dialog", (dialog) => void dialog.accept());
  await eye.page.click("#rig-card .way-out button.main");
  await eye.character();
  assert.equal((await eye.state("method")).name, "flesh");
  assert.equal((await eye.state("character")).name, "wrestler.rigged.glb");
  assert.equal(await eye.state("rigging"), null);
  await eye.page.waitForSelector("#rig-card", { state: "hidden" });
  await eye.frames(3);
  await eye.picture("rigging flesh");
  assert.ok(existsSync(join(work.folder, "wrestler.joints.json")));
});

scene("templates lie in the body, and the mesh comes back with its joints", async () => {
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "open", path: "wrestler.obj" }));
  await eye.until(() => window.sinew.rigging.scene !== null && window.sinew.server.rigging?.joints.length >= 12);
  await eye.page.click("#rig-card .templates >> text=Biped");
  await eye.until(() => window.sinew.server.rigging.joints.some(({ name }) => name === "upper_arm.R"));
  await found();
  await sleep(0.5);
  await eye.picture("rigging biped");
  await eye.page.keyboard.press("Control+z");
  await eye.until(() => window.sinew.server.rigging.joints.some(({ name }) => name === "arm.L"));
});
