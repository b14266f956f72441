// Muscles in a real browser: placed with one button, drawn and coloured, held by a slider, and pulled by an end. Each test
// goes on where the one before ended.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { copy_sample, Eye, far, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

before(async () => {
  browser = await start_browser();
  copy_sample("sumo.glb", work.folder);
  studio = await start_studio(work.folder, "sumo.glb");
  eye = await Eye.open(browser, studio.address);
  await eye.character();
  await ask({ do: "play", clip: "" });
  await ask({ do: "set", path: "tetrahedra", value: 2000 });
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);
const ask = (command) => eye.page.evaluate((sent) => window.sinew.studio.connection.ask(sent), command);
const muscle = (name) => eye.page.evaluate((wanted) => structuredClone(window.sinew.server.muscles.list.find((one) => one.name === wanted)), name);
const index_of = (name) => eye.page.evaluate((wanted) => window.sinew.server.muscles.list.findIndex((one) => one.name === wanted), name);
const drawn = (index) => eye.page.evaluate((m) => structuredClone(window.sinew.muscles.drawing.drawn[m]), index);
const end_place = (index, end) => eye.page.evaluate(([m, of]) => window.sinew.muscles.place({ index: m, end: of }), [index, end]);
const by = (name, wanted) => eye.until(([one, word]) => window.sinew.server.muscles?.list.find(({ name }) => name === one)?.by === word, [name, wanted]);
// The product of two rotations, x y z w.
const product = ([a, b, c, d], [x, y, z, w]) => [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z];
const joint_named = (name) => eye.page.evaluate((wanted) => window.sinew.server.character.joints.findIndex((joint) => joint.name === wanted), name);

scene("one button places muscles, which are drawn in the body", async () => {
  await eye.page.click('#tools button[aria-label="Muscle"]');
  await eye.page.click('#tool-card button >> text="Place muscles"');
  await eye.until(() => window.sinew.server.muscles?.list.length > 8 && window.sinew.muscles.drawing.drawn.length === window.sinew.server.muscles.list.length, null, 60);
  assert.equal(await eye.page.locator("#tool-card .muscle-list .row").count(), (await eye.state("muscles")).list.length);
  const { line } = await drawn(await index_of("biceps.L")), joint = await joint_named("upper_arm_l");
  assert.ok(far(line[6], await eye.joint_place(joint)) < 0.4, "it is in the arm");
  await sleep(1);
  await eye.picture("muscles");
});

scene("an elbow that bends flexes its biceps, and pointing at it says so", async () => {
  const index = await index_of("biceps.L"), before = await drawn(index), forearm = await joint_named("forearm_l");
  assert.ok(before.activation < 0.05, `${before.activation} at rest`);
  const turn = await eye.page.evaluate((joint) => window.sinew.studio.character.rest_turns[joint], forearm);
  let activation = 0;
  for (const axis of [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) { // one of them is the elbow's
    await ask({ do: "pose", joints: { [forearm]: product(turn, [...axis.map((x) => x * Math.sin(0.8)), Math.cos(0.8)]) } });
    await sleep(0.7);
    ({ activation } = await drawn(index));
    if (activation > 0.5) break;
  }
  assert.ok(activation > 0.5, `the biceps is at ${activation}`);
  const now = await drawn(index);
  assert.ok(Math.max(...now.radius) > 1.01 * Math.max(...before.radius), "it is thicker"); // its ends are held, so that it shortens little
  const at = await eye.on_screen(now.line[6]);
  await eye.page.mouse.move(at.x, at.y);
  await eye.page.mouse.move(at.x + 1, at.y);
  await eye.until(() => /^biceps\.L: \d\d %$/.test(document.querySelector(".hover-label:not([hidden])")?.textContent ?? ""));
  await sleep(1);
  await eye.picture("muscles flexed");
  await ask({ do: "unpose" });
});

scene("a slider holds a muscle, which is given back and undone", async () => {
  const slider = eye.page.locator('#tool-card input[aria-label="biceps.R"]'), index = await index_of("biceps.R");
  await slider.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await slider.boundingBox();
  await eye.drag({ x: x + 8, y: y + height / 2 }, { x: x + 0.8 * width, y: y + height / 2 });
  await eye.page.mouse.up();
  await by("biceps.R", "hand");
  await eye.until((m) => window.sinew.muscles.drawing.drawn[m].activation > 0.75, index);
  const { value } = await muscle("biceps.R");
  assert.ok(value > 0.75 && value < 1, `it is held at ${value}`);
  await eye.picture("muscle held");
  await eye.page.click('#tool-card .row:has(input[aria-label="biceps.R"]) button.reset');
  await by("biceps.R", "angle");
  await ask({ do: "undo" });
  await by("biceps.R", "hand");
  await ask({ do: "undo" }); // the whole drag
  await by("biceps.R", "angle");
});

scene("an end that is dragged attaches the muscle elsewhere, and undo puts it back", async () => {
  const index = await index_of("calf.L"), before = await muscle("calf.L");
  const from = await eye.on_screen(await end_place(index, "insertion"));
  await eye.drag(from, { x: from.x, y: from.y - 25 });
  await eye.page.mouse.up();
  await eye.until((length) => window.sinew.server.muscles.list.find(({ name }) => name === "calf.L").length < length - 0.02, before.length, 40);
  const now = await muscle("calf.L");
  assert.ok(far(now.insertion.place, before.insertion.place) > 0.02);
  assert.deepEqual(now.origin, before.origin);
  await sleep(1);
  await eye.picture("muscle moved");
  await eye.page.keyboard.press("Control+z");
  await eye.until((place) => window.sinew.server.muscles.list.find(({ name }) => name === "calf.L").insertion.place.join() === place, before.insertion.place.join(), 40);
});

scene("all are removed, and flesh without them is told what they need", async () => {
  await eye.page.click('#tool-card button >> text="Remove all"');
  await eye.until(() => window.sinew.server.muscles === null && window.sinew.muscles.drawing.drawn.length === 0, null, 40);
  await ask({ do: "set", path: "elasticity", value: "linear" });
  await eye.page.click('#tool-card button >> text="Place muscles"');
  await eye.until(() => window.notices_shown.some((said) => said.includes("set elasticity to nonlinear")));
  await eye.page.evaluate(() => document.querySelectorAll(".notice.error").forEach((one) => one.remove()));
});
