// A user's afternoon with the wrestler, in a real browser: each test goes on where the one before ended.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { copy_sample, Eye, far, sleep, start_browser, start_studio, work_folder, samples } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
const belly_at_rest = [0, 1.05, 0.42]; // metres, near the wrestler's navel
let studio, browser, eye, belly;

before(async () => {
  browser = await start_browser();
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);

scene("the start screen says what to do, and a dropped file opens", async () => {
  studio = await start_studio(work.folder);
  eye = await Eye.open(browser, studio.address);
  await eye.page.waitForSelector("#start:not([hidden])");
  assert.match(await eye.page.textContent("#drop"), /Drop a rigged character here/);
  await eye.picture("start");
  const bytes = readFileSync(join(samples, "sumo.glb")).toString("base64");
  await eye.page.evaluate((base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const dropped = new DataTransfer();
    dropped.items.add(new File([data], "hero.glb"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
  }, bytes);
  await eye.until(() => /hero/.test(window.sinew.server.character?.name ?? ""), null, 60);
  await eye.character();
  await eye.page.waitForSelector("#start", { state: "hidden" });
  await eye.page.close();
  await studio.stop();
});

scene("a character named on the command line plays", async () => {
  copy_sample("sumo.glb", work.folder);
  studio = await start_studio(work.folder, "sumo.glb");
  eye = await Eye.open(browser, studio.address);
  await eye.character();
  const cells = () => eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "cells" }));
  assert.equal((await cells()).kind, "tetrahedra"); // as `sinew animate` bakes
  // From here on in a lattice: where the browser draws without a GPU on two cores, little time is left for steps.
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "set", path: "lattice", value: "auto" }));
  for (let tries = 0; (await cells()).kind !== "lattice"; ++tries) {
    assert.ok(tries < 100, "no lattice comes");
    await sleep(0.5);
  }
  belly = await eye.nearest(belly_at_rest);
  assert.equal((await eye.state("play")).playing, true);
  const first = await eye.position(belly);
  for (let tries = 0; far(first, await eye.position(belly)) <= 1e-4; ++tries) {
    assert.ok(tries < 40, "the belly stands still while the clip plays");
    await eye.frames(6);
  }
  await eye.picture("play");
});

scene("space pauses, and the picture stands", async () => {
  await eye.page.keyboard.press(" ");
  await eye.until(() => !window.sinew.server.play.playing);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "play", clip: "" }));
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "pause" }));
  await sleep(1);
  const before = await eye.position(belly);
  await sleep(0.5);
  assert.ok(far(before, await eye.position(belly)) < 1e-4);
  await eye.page.keyboard.press("f");
  await sleep(0.3);
});

scene("the belly is dragged, resists, and returns", async () => {
  const rest = await eye.settled(belly), from = await eye.vertex_on_screen(belly);
  assert.ok(await eye.pick(from), "the pointer is beside the belly");
  await eye.tool(1);
  await eye.drag(from, { x: from.x + 90, y: from.y - 20 });
  await eye.until((k) => {
    const { positions } = window.sinew.studio.character.frame;
    return Math.hypot(positions[3 * k] - window.rest_x, 0) > 0.03 || (window.rest_x ??= positions[3 * k], false);
  }, belly, 5).catch(() => {});
  await sleep(0.5);
  const dragged = await eye.position(belly);
  assert.ok(far(rest, dragged) > 0.03, `dragged only ${far(rest, dragged)} m`);
  assert.equal((await eye.state("hands")).length, 1);
  await eye.picture("drag");
  await eye.page.mouse.up();
  await eye.until(() => window.sinew.server.hands.length === 0);
  await eye.back_at(belly, rest, 0.01);
  const back = await eye.settled(belly);
  assert.ok(far(rest, back) < 0.01, `came back to ${far(rest, back)} m from where it was`);
});

scene("a pin holds the flesh while the character is thrown", async () => {
  await eye.tool(4);
  const at = await eye.vertex_on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.hands.length === 1);
  const held = await eye.position(belly), shoulder = await eye.nearest([0.3, 1.35, 0.05]);
  const before = await eye.position(shoulder);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "carry", by: [0, 0, -0.15] }));
  await sleep(1.5);
  assert.ok(far(held, await eye.position(belly)) < 0.03, "the pin let go");
  assert.ok(far(before, await eye.position(shoulder)) > 0.08, "the character was not carried");
  await eye.picture("pin");
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "carry", by: [0, 0, 0] }));
  await eye.page.click("text=Let go of all");
  await eye.until(() => window.sinew.server.hands.length === 0);
  await sleep(1);
});

scene("a poke sends a wave through the flesh", async () => {
  await eye.tool(2);
  assert.deepEqual(await eye.page.$$eval("#tool-card .name", (names) => names.map((name) => name.textContent)), ["Strength", "Size"]);
  const rest = await eye.settled(belly), at = await eye.vertex_on_screen(belly);
  await eye.page.evaluate((k) => {
    window.largest = 0;
    const { studio } = window.sinew, rest = [...studio.character.frame.positions.subarray(3 * k, 3 * k + 3)];
    studio.view.before_picture.push(() => {
      const p = studio.character?.frame?.positions;
      if (p) window.largest = Math.max(window.largest, Math.hypot(p[3 * k] - rest[0], p[3 * k + 1] - rest[1], p[3 * k + 2] - rest[2]));
    });
  }, belly);
  await eye.page.mouse.click(at.x, at.y);
  await sleep(2);
  const largest = await eye.page.evaluate(() => window.largest);
  assert.ok(largest > 0.004, `the poke moved the belly by ${largest} m`);
  await eye.back_at(belly, rest, 0.01);
});

scene("a ball that is put before the belly pushes it in", async () => {
  await eye.tool(6);
  const rest = await eye.settled(belly), at = await eye.vertex_on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "colliders")?.value.length === 1);
  const ball = await eye.page.evaluate(() => window.sinew.server.settings.find((one) => one.key === "colliders").value[0]);
  await eye.page.evaluate(([value]) => window.sinew.studio.connection.ask({ do: "set", path: "colliders", value }),
    [[{ ...ball, centre: [rest[0], rest[1], rest[2] + ball.radius - 0.06] }]]);
  await eye.away_from(belly, rest, 0.02);
  await eye.picture("ball");
  await eye.page.click("text=Remove it");
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "colliders")?.value.length === 0);
  await eye.back_at(belly, rest, 0.01);
});

scene("a wall has sides, and handles for width, height and depth", async () => {
  const colliders = () => eye.page.evaluate(() => window.sinew.server.settings.find((one) => one.key === "colliders").value);
  const has = (count) => eye.until((wanted) => window.sinew.server.settings.find((one) => one.key === "colliders")?.value.length === wanted, count);
  // Once nothing of a drag is on its way any more.
  const settled_wall = async () => {
    for (let [before] = await colliders(); ; ) {
      await sleep(0.5);
      const [now] = await colliders();
      if (JSON.stringify(before) === JSON.stringify(now)) return now;
      before = now;
    }
  };
  const put = (value) => eye.page.evaluate(([walls]) =>
    window.sinew.studio.connection.ask({ do: "set", path: "colliders", value: walls }).then(() => "", (refused) => String(refused.message ?? refused)), [value]);
  await eye.tool(7);
  const rest = await eye.settled(belly), at = await eye.vertex_on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await has(1);
  const [wall] = await colliders(), height = await eye.page.evaluate(() => window.sinew.studio.height);
  assert.equal(wall.shape, "box");
  for (const [extent, share] of [["width", 0.5], ["height", 0.5], ["depth", 0.2]])
    assert.ok(Math.abs(wall[extent] - share * height) < 1e-3 * height, `${extent} is ${wall[extent]}`);
  // Its front looks at the flesh, a little before it.
  const gap = [0, 1, 2].reduce((sum, k) => sum + (rest[k] - wall.centre[k]) * wall.front[k], 0) - wall.depth / 2;
  assert.ok(gap > 0 && gap < 0.1 * height, `the front is ${gap} m before the belly`);
  await eye.picture("wall");

  // Each handle changes its extent; the side across stays.
  const across = [wall.up[1] * wall.front[2] - wall.up[2] * wall.front[1], 0, wall.up[0] * wall.front[1] - wall.up[1] * wall.front[0]];
  const handle = (one, way, extent) => one.centre.map((x, k) => x + (way[k] * one[extent]) / 2);
  const other = (one, way, extent) => one.centre.map((x, k) => x - (way[k] * one[extent]) / 2);
  for (const [extent, way, x, y] of [["width", across, 50, 0], ["height", wall.up, 0, -40], ["depth", wall.front.map((v) => -v), 0, -30]]) {
    const before = await settled_wall(), from = await eye.on_screen(handle(before, way, extent));
    const outward = await eye.on_screen(handle({ ...before, [extent]: 1.2 * before[extent] }, way, extent));
    await eye.drag(from, { x: from.x + Math.sign(outward.x - from.x) * x, y: from.y + y });
    await eye.page.mouse.up();
    await eye.until(([key, size]) => window.sinew.server.settings.find((one) => one.key === "colliders").value[0][key] > size,
      [extent, before[extent] + 0.02 * height]);
    const after = await settled_wall();
    assert.ok(far(other(before, way, extent), other(after, way, extent)) < 1e-6, `the side across moved as ${extent} changed`);
    for (const same of ["width", "height", "depth"].filter((one) => one !== extent)) assert.equal(after[same], before[same]);
  }
  await eye.picture("wall drawn larger");

  // Beside the belly it touches nothing, before it it pushes; and what is no wall is refused in a sentence.
  const pushing = { ...wall, centre: rest.map((x, k) => x - wall.front[k] * (wall.depth / 2 - 0.06)) };
  assert.equal(await put([{ ...pushing, centre: pushing.centre.map((x, k) => x + 2 * across[k] * height) }]), "");
  await sleep(1);
  await eye.back_at(belly, rest, 0.01);
  assert.equal(await put([pushing]), "");
  await eye.away_from(belly, rest, 0.02);
  await eye.picture("wall pushes");
  assert.match(await put([{ ...pushing, depth: -1 }]), /colliders\[0\].*depth/);
  assert.match(await put([{ ...pushing, up: pushing.front }]), /colliders\[0\].*up/);
  assert.equal((await colliders())[0].depth, wall.depth);
  await put([]);
  await has(0);
  await eye.back_at(belly, rest, 0.01);
});

scene("a joint is chosen and turned with the gizmo, and the flesh follows", async () => {
  await eye.tool(8);
  const joint = (await eye.state("character")).joints.findIndex(({ name }) => name === "upper_arm_l");
  const at = await eye.page.evaluate((index) => {
    const m = window.sinew.studio.character.frame.joint.subarray(12 * index + 9, 12 * index + 12);
    const { view } = window.sinew.studio;
    return view.on_screen(view.camera.position.clone().set(...m));
  }, joint);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until((index) => Number(document.querySelector("#tool-card select").value) === index, joint);
  const hand = await eye.nearest([0.9, 0.9, 0.1]), before = await eye.position(hand);
  // Somewhere around the joint is a ring of the gizmo: it shows as a hand.
  let ring = null;
  for (let angle = 0; angle < 6.28 && !ring; angle += 0.4)
    for (let radius = 30; radius < 130 && !ring; radius += 6) {
      const place = { x: at.x + radius * Math.cos(angle), y: at.y + radius * Math.sin(angle) };
      await eye.page.mouse.move(place.x, place.y);
      if (await eye.page.evaluate(() => window.sinew.studio.view.scene.children.some((one) => one.controls?.axis?.length === 1 || one._root?.axis)))
        ring = place;
    }
  assert.ok(ring, "the gizmo has no ring under the pointer");
  await eye.drag(ring, { x: ring.x + 50, y: ring.y + 50 });
  await eye.page.mouse.up();
  await eye.until((index) => String(index) in window.sinew.server.pose, joint);
  await sleep(1);
  assert.ok(far(before, await eye.position(hand)) > 0.03, "the hand did not move with the arm");
  await eye.picture("pose");
});

scene("a slider is seen at once, and reset", async () => {
  await eye.panel("tune");
  const damping = await eye.page.$('#tune .row:has-text("Calm") input.number');
  await damping.fill("0.5");
  await damping.press("Enter");
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "damping").value === 0.5);
  await eye.picture("tune");
  await sleep(1.7);
  await eye.page.click('#tune button[aria-label="Reset Calm"]');
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "damping").value === null);
  const before = (await eye.state("settings")).find(({ key }) => key === "look").value;
  await eye.page.click('#tune [aria-label="Amount"] >> text=lively');
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "look").value === "lively");
  assert.notEqual(before, "lively");
});

scene("a stroke of paint is mirrored and arrives", async () => {
  await eye.tool(9);
  await eye.until(() => document.querySelector("#tool-card .legend"));
  await sleep(1); // until what is painted has come
  await eye.page.check("#tool-card >> text=Mirror");
  const side = await eye.nearest([0.2, 1.1, 0.33]), from = await eye.vertex_on_screen(side);
  await eye.drag(from, { x: from.x, y: from.y + 40 }, 4);
  await eye.page.mouse.up();
  await eye.until(() => window.sinew.server.painted.includes("stiffness"));
  const { painted, mirrored } = await eye.page.evaluate(async () => {
    const { values } = await window.sinew.studio.connection.ask({ do: "channel", name: "stiffness" });
    const bytes = Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0)), floats = new Float32Array(bytes.buffer);
    const { rest } = window.sinew.studio.character.surface;
    let left = 0, right = 0;
    floats.forEach((value, k) => {
      if (value < 0.9) rest[3 * k] > 0 ? ++left : ++right;
    });
    return { painted: left, mirrored: right };
  });
  assert.ok(painted > 5, `only ${painted} vertices are painted`);
  assert.ok(Math.abs(painted - mirrored) <= 0.2 * painted, `${painted} on one side, ${mirrored} on the other`);
  await eye.picture("paint");
});

scene("what was done is still there after the page is loaded again", async () => {
  const kept = {};
  await sleep(1);
  for (const key of ["settings", "pose", "painted", "history"]) kept[key] = await eye.state(key);
  await eye.page.reload();
  await eye.page.waitForFunction(() => window.sinew);
  await eye.character();
  for (const key of Object.keys(kept)) assert.deepEqual(await eye.state(key), kept[key], key);
});

scene("undo leads back to the beginning, redo forth, bit by bit", async () => {
  const done = (await eye.state("history")).undo;
  assert.ok(done >= 5, `${done} steps`);
  // `now`, what null comes to, follows when it is cooked.
  const settings = async () => (await eye.state("settings")).map(({ key, value }) => ({ key, value }));
  const last = { settings: await settings(), pose: await eye.state("pose") };
  for (let k = 0; k < done; ++k) {
    await eye.page.keyboard.press("Control+z");
    await eye.until((left) => window.sinew.server.history.undo === left, done - k - 1);
  }
  for (const setting of await eye.state("settings")) assert.deepEqual(setting.value, setting.default, setting.key);
  assert.deepEqual(await eye.state("pose"), {});
  assert.deepEqual(await eye.state("painted"), []);
  for (let k = 0; k < done; ++k) {
    await eye.page.keyboard.press("Control+Shift+Z");
    await eye.until((left) => window.sinew.server.history.redo === left, done - k - 1);
  }
  assert.deepEqual(await settings(), last.settings);
  assert.deepEqual(await eye.state("pose"), last.pose);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "unpose" }));
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0);
  await sleep(0.5);
});

scene("a take is recorded, replayed and baked, and the command line bakes the same bytes", async () => {
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "play", clip: "head_shake" }));
  await eye.tool(1);
  await eye.page.keyboard.press("r");
  await eye.until(() => window.sinew.server.take?.doing === "recording");
  const from = await eye.vertex_on_screen(belly);
  await eye.drag(from, { x: from.x + 40, y: from.y - 10 });
  await sleep(0.4);
  await eye.page.mouse.up();
  // A pose by hand and gravity are part of it.
  const arm = (await eye.state("character")).joints.findIndex(({ name }) => name === "upper_arm_l");
  await eye.tool(8);
  await eye.page.waitForSelector("#tool-card .hint:not(.unable)");
  for (const angle of [0.2, 0.4])
    await eye.page.evaluate(([joint, half]) => window.sinew.studio.connection.ask({ do: "pose", joints: { [joint]: [0, 0, Math.sin(half), Math.cos(half)] } }), [arm, angle]);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "gravity", value: [0, -4, 0] }));
  await sleep(0.4);
  await eye.page.keyboard.press("r");
  await eye.until(() => window.sinew.server.takes.length === 1 && !window.sinew.server.take);
  const [take] = await eye.state("takes");
  assert.ok(take.actions >= 6 && take.seconds > 0.3, JSON.stringify(take));
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "gravity", value: null }));
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "unpose" }));
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0 && window.sinew.server.gravity === null);
  await eye.tool(1);
  await eye.panel("keep");
  await eye.page.click(`#keep button[aria-label="Play ${take.name}"]`);
  await eye.until(() => window.sinew.server.take?.doing === "playing");
  await eye.picture("take");
  await eye.page.click('#keep .take button[aria-label="Stop"]');
  await eye.until(() => !window.sinew.server.take);

  await eye.page.selectOption('#keep select[aria-label="What"]', `take:${take.name}`);
  await eye.page.uncheck("#keep >> text=A moving picture of it too");
  await eye.page.click("#keep button.main");
  await eye.until(() => window.sinew.server.outputs.some(({ name }) => name.endsWith(".glb")), null, 60);
  const output = (await eye.state("outputs")).find(({ name }) => name.endsWith(".glb")).name;
  const command = await eye.page.textContent("#keep code");
  assert.match(command, /^sinew animate /);
  await eye.picture("bake");
  const hash = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
  const file = join(work.folder, output);
  assert.ok(existsSync(file), `${file} was not written`);
  const first = hash(file);
  renameSync(file, `${file}.studio`);
  const { program } = await import("./driver.mjs");
  execFileSync("bash", ["-c", command.replace(/^sinew /, `"${program}" `)], { cwd: work.folder, stdio: "pipe" });
  assert.equal(hash(file), first, "the studio and the command line bake different files");
});

scene("every way of seeing shows something", async () => {
  if (!(await eye.state("play")).playing) await eye.page.keyboard.press(" ");
  await eye.until(() => window.sinew.server.play.playing);
  for (const way of ["Rig", "Both", "Heat", "Anatomy", "Depth", "Flesh"]) {
    await eye.page.click(`#shown >> text="${way}"`);
    await eye.frames(3);
    await sleep(0.5);
    await eye.picture(way.toLowerCase());
  }
  await eye.panel("look");
  await eye.frames(10);
  assert.match(await eye.page.textContent("#look figure:has-text('Largest displacement') b"), /m$/);
  await eye.picture("look");
});

scene("the cells of the body are drawn, and move with it", async () => {
  await eye.page.keyboard.press("c");
  const drawn = () => eye.page.evaluate(() => window.sinew.cells.group.visible);
  for (let tries = 0; !(await drawn()); ++tries) {
    assert.ok(tries < 100, "no cells are drawn");
    await sleep(0.2);
  }
  await eye.picture("cells");
  await eye.page.keyboard.press("c");
  assert.equal(await drawn(), false);
});

scene("a preset of forces is added by a click, held by a slider and switched off", async () => {
  await eye.page.click('[data-panel="shape"]');
  await eye.page.click('#shape .presets button:has-text("Breathing")');
  await eye.page.waitForSelector('#shape input[aria-label="Breathe"]', { timeout: 60_000 });
  const held = () => eye.page.evaluate(() => window.sinew.server.shapes.controls[0].value);
  assert.equal(await held(), null);
  await eye.page.locator('#shape input.number[aria-label="Breathe"]').fill("1");
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.server.shapes.controls[0].value === 1);
  await eye.picture("breathing");
  await eye.page.click('#shape .rig input[aria-label="Breathing"]');
  await eye.until(() => window.sinew.server.shapes.rigs[0].share === 0);
  await eye.page.click('#shape .rig input[aria-label="Breathing"]');
  await eye.until(() => window.sinew.server.shapes.rigs[0].share === 1);
  await eye.page.click('#shape button[aria-label="Reset Breathe"]');
  await eye.until(() => window.sinew.server.shapes.controls[0].value === null);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "undo" }));
  await eye.until(() => window.sinew.server.shapes === null);
  await eye.page.click('[data-panel="shape"]');
});

scene("a force is placed on the skin, edited, moved by its handle and removed", async () => {
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "pause" }));
  await eye.page.click('[data-panel="shape"]');
  await eye.page.click('#shape .presets button:has-text("Bump")');
  const at = await eye.vertex_on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await eye.page.waitForSelector(".rig-editor .samples");
  const rig = () => eye.page.evaluate(() => structuredClone(window.sinew.server.rigs[0]));
  assert.equal((await rig()).name, "bump");
  await eye.until(() => window.sinew.server.shapes?.controls[0]?.value === 1);
  await eye.page.locator('.rig-editor input.number[aria-label="Displacement"]').fill("0.06");
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.server.rigs[0].samples[1].displacement === 0.06);
  await eye.until(() => [...document.querySelectorAll(".samples img")].filter((image) => !image.hidden).length === 2, null, 60);
  await eye.picture("bump");

  // The handle is where the rig was placed; on the skin it follows the pointer.
  const before = (await rig()).point;
  const moved = await eye.vertex_on_screen(belly);
  await eye.page.mouse.move(moved.x, moved.y);
  await eye.page.mouse.down();
  await eye.page.mouse.move(moved.x + 40, moved.y, { steps: 5 });
  await eye.page.mouse.up();
  await eye.until(([x, y, z]) => {
    const { point } = window.sinew.server.rigs[0];
    return Math.hypot(point[0] - x, point[1] - y, point[2] - z) > 0.01;
  }, before);
  await eye.page.waitForSelector(".swing", { timeout: 60_000 });
  assert.match(await eye.page.textContent(".rehearsal .about"), /Moves by .* swings .* beyond/);

  await eye.page.click('#shape button[aria-label="Remove Bump"]');
  await eye.until(() => window.sinew.server.rigs.length === 0 && window.sinew.server.shapes === null);
  await eye.page.waitForSelector(".rig-editor", { state: "hidden" });
});

scene("the skin is pulled and a rig follows; the lasso takes what is seen", async () => {
  await eye.page.click('#shape .presets button:has-text("Breathing")');
  await eye.until(() => window.sinew.server.rigs.length === 1);
  await eye.page.click('.rig button:has-text("Breathing")');
  await eye.page.click('.samples [data-sample="1"]');
  await eye.page.click('#tools button[aria-label="Shape"]');
  const at = await eye.vertex_on_screen(belly), before = await eye.page.evaluate(() => window.sinew.server.rigs[0].samples[1].displacement);
  await eye.page.mouse.move(at.x + 20, at.y);
  await eye.page.mouse.down();
  await eye.page.mouse.move(at.x + 50, at.y - 10, { steps: 3 });
  await eye.page.mouse.up();
  await eye.until((was) => Math.abs(window.sinew.server.rigs[0].samples[1].displacement - was) > 1e-4, before, 60);
  await eye.picture("pulled");

  await eye.page.check("#tool-card input[type=checkbox]");
  await eye.page.mouse.move(at.x - 40, at.y - 40);
  await eye.page.mouse.down();
  for (const [x, y] of [[40, -40], [40, 40], [-40, 40]]) await eye.page.mouse.move(at.x + x, at.y + y, { steps: 3 });
  await eye.page.mouse.up();
  await eye.until(() => window.sinew.page.lassoed.length > 20);
  assert.ok(await eye.page.evaluate((k) => window.sinew.page.lassoed.includes(k), belly));
  const behind = await eye.nearest([0, 1.05, -0.4]);
  assert.ok(!(await eye.page.evaluate((k) => window.sinew.page.lassoed.includes(k), behind)));
  await eye.picture("lasso");
  await eye.page.uncheck("#tool-card input[type=checkbox]");
  await eye.page.evaluate(() => window.sinew.change({ lassoed: [], rig: "", tool: "grab", panel: null }));
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "edit_shape", name: "breathing", rig: null }));
  await eye.until(() => window.sinew.server.shapes === null);
});

scene("points of a target and of the skin are clicked in turn, and tell its pose", async () => {
  copy_sample("tube.glb", work.folder);
  await eye.page.click('[data-panel="shape"]');
  await eye.page.selectOption('.fit-target select[aria-label="Target"]', { label: "tube.glb" });
  await eye.page.click('.fit-target button:has-text("Set points")');
  await eye.page.waitForSelector(".fit-target canvas");
  await eye.page.click(".fit-target canvas");
  await eye.until(() => window.sinew.page.pairing);
  const at = await eye.vertex_on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await eye.page.waitForSelector('.fit-target .pairs button:has-text("● 1")');
  await eye.picture("points");
  await eye.page.click('.fit-target .pairs button:has-text("● 1")');
  await eye.page.waitForSelector(".fit-target .pairs", { state: "detached" });
  await eye.page.evaluate(() => window.sinew.change({ tool: "grab", panel: null }));
});

scene("rigs of another character come over by a lattice whose control points are dragged", async () => {
  // Coarse flesh and a still clip, so that it takes seconds.
  const set = (value) => eye.page.evaluate((tetrahedra) => window.sinew.studio.connection.ask({ do: "set", path: "tetrahedra", value: tetrahedra }), value);
  const usual = await eye.page.evaluate(() => window.sinew.server.settings.find((one) => one.key === "tetrahedra").value);
  await set(2000);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "pause" }));
  // A twin of the wrestler with a breath of its own.
  const project = join(work.folder, "sumo.studio.json"), twin = join(work.folder, "twin.studio.json");
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "add_shape", preset: "breathing" }));
  await eye.until(() => window.sinew.server.rigs.length === 1);
  while (!existsSync(project) || !readFileSync(project, "utf8").includes("breathing")) await sleep(0.1);
  copyFileSync(project, twin);
  copyFileSync(join(work.folder, "sumo.glb"), join(work.folder, "twin.glb"));
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "edit_shape", name: "breathing", rig: null }));
  await eye.until(() => window.sinew.server.shapes === null);

  await eye.page.click('[data-panel="shape"]');
  await eye.page.selectOption('.transfer select[aria-label="Other character"]', { label: "twin.glb" });
  await eye.page.click('.transfer button:has-text("Adjust the fit")');
  const canvas = await eye.page.waitForSelector(".transfer canvas", { timeout: 60_000 });
  await canvas.scrollIntoViewIfNeeded();
  const area = await canvas.boundingBox();
  // The first control point from the top under which the pointer becomes a hand.
  let at = null;
  for (let y = 20; y < area.height - 20 && !at; y += 6)
    for (let x = area.width / 2 - 30; x < area.width / 2 + 30 && !at; x += 6) {
      await eye.page.mouse.move(area.x + x, area.y + y);
      if (await canvas.evaluate((one) => one.style.cursor === "grab")) at = { x: area.x + x, y: area.y + y };
    }
  assert.ok(at, "a control point is seen");
  await eye.page.mouse.down();
  await eye.page.mouse.move(at.x + 4, at.y - 6, { steps: 3 });
  await eye.page.mouse.up();
  const moved = (text) => eye.page.waitForSelector(`.transfer .moved-points:has-text("${text}")`, { timeout: 60_000 });
  await moved("1 moved; control points: skeleton");
  await eye.picture("lattice");
  await eye.page.click('.transfer button:has-text("Undo move")');
  await moved("None is moved");
  await eye.page.click('.transfer button:has-text("Redo move")');
  await moved("1 moved");
  await eye.page.click('.transfer button:has-text("Carry its rigs over")');
  await eye.until(() => window.sinew.server.rigs.length === 1 && window.sinew.server.rigs[0].template === "field", null, 60);
  await eye.page.waitForSelector(".transfer img.rehearsed");
  assert.match(await eye.page.textContent(".transfer .notes"), /control points/);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "undo" }));
  await eye.until(() => window.sinew.server.shapes === null);
  await set(usual);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "play" }));
  await eye.page.evaluate(() => window.sinew.change({ tool: "grab", panel: null }));
});

scene("another method plays beside the character, at the same time of the clip", async () => {
  await eye.page.selectOption('select[aria-label="Compare with"]', "linear");
  await eye.until(() => window.sinew.server.beside?.method === "linear");
  await eye.page.waitForSelector(".beside-label:not([hidden])");
  await eye.until(() => [...document.querySelectorAll(".beside-label span")].every((one) => /ms a step/.test(one.textContent)));
  await eye.picture("beside");
  await eye.page.selectOption('select[aria-label="Compare with"]', "");
  await eye.until(() => window.sinew.server.beside === null);
  await eye.page.waitForSelector(".beside-label", { state: "hidden" });
});

scene("a file that is no character is refused in a sentence, and the character stays", async () => {
  const number = (await eye.state("character")).number;
  await eye.page.evaluate(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(["this is no glb"], "broken.glb"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
  });
  await eye.page.waitForSelector(".notice.error");
  assert.match(await eye.page.textContent(".notice.error"), /broken\.glb.*\./);
  await eye.page.click('.notice.error button[aria-label="Close"]');
  assert.equal((await eye.state("character")).number, number);
  eye.complaints = eye.complaints.filter((text) => !/status of 4/.test(text));
});

scene("the program is killed, and started again: the page says so, and goes on by itself where it was", async () => {
  await studio.stop("SIGKILL");
  await eye.page.waitForSelector("#link:not([hidden])");
  assert.match(await eye.page.textContent("#link"), /is not there/);
  const before = studio.address;
  studio = await start_studio(work.folder, "sumo.glb");
  assert.equal(studio.address, before);
  await eye.page.waitForSelector("#link", { state: "hidden" });
  await eye.character();
  await eye.frames(5);
  // Nothing was lost.
  assert.equal((await eye.state("settings")).find(({ key }) => key === "look").value, "lively");
  assert.equal((await eye.state("takes")).length, 1);
});

scene("where the program has a new address, the page says why it cannot come back", async () => {
  const { port } = new URL(studio.address);
  await studio.stop("SIGKILL");
  studio = await start_studio(work.folder, "sumo.glb", "--new-address", "--port", port);
  await eye.until(() => /another address/.test(document.querySelector("#link").textContent), null, 20);
  await eye.page.goto(studio.address);
  await eye.page.waitForFunction(() => window.sinew);
  await eye.character();
});
