// An animator's hour, in a real browser: the first screen, time, clips, poses, parts of the body, the keyboard and bakes with
// names. Each test goes on where the one before ended.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { Eye, far, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
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
const ask = (command) => eye.page.evaluate((asked) => window.sinew.studio.connection.ask(asked), command);
const setting = (key) => eye.page.evaluate((name) => window.sinew.server.settings.find((one) => one.key === name).value, key);
const clip_time = () => eye.page.evaluate(() => window.sinew.studio.character.frame.clip_time);
const next_line = () => eye.page.textContent("#next");
async function type(selector, text) {
  await eye.page.locator(selector).fill(text);
  await eye.page.keyboard.press("Enter");
}

scene("where nothing was named, a sample moves behind the start screen and leaves no trace", async () => {
  studio = await start_studio(work.folder);
  eye = await Eye.open(browser, studio.address, { width: 1280, height: 800 });
  await eye.character(80);
  await eye.page.waitForSelector("#start.alive:not([hidden])");
  assert.equal((await eye.state("character")).look, true);
  belly = await eye.nearest(belly_at_rest);
  const first = await eye.position(belly);
  await eye.away_from(belly, first, 1e-3);
  assert.match(await next_line(), /Press on the flesh/);
  await eye.picture("alive");
  // The flesh behind the screen can be touched.
  await eye.speed(0.02);
  const at = await eye.vertex_on_screen(belly);
  await eye.drag(at, { x: at.x + 40, y: at.y });
  await eye.until(() => window.sinew.server.hands.length === 1);
  await eye.page.mouse.up();
  await eye.until(() => /This is a sample/.test(document.querySelector("#next").textContent));
  await eye.speed(1);
  assert.deepEqual(readdirSync(work.folder).filter((name) => /sumo/.test(name)), []);
});

scene("a sample is opened for good, and is among the recent files then", async () => {
  await eye.page.click('#samples .sample:has-text("sumo")');
  await eye.until(() => window.sinew.server.character?.look === false, null, 60);
  await eye.character();
  await eye.page.waitForSelector("#start", { state: "hidden" });
  assert.ok(existsSync(join(work.folder, "sumo.glb")));
  await eye.page.click("#file");
  await eye.page.waitForSelector('#recent button:has-text("sumo.glb")');
  await eye.picture("recent");
  await eye.page.keyboard.press("Escape");
  await eye.page.waitForSelector("#start", { state: "hidden" });
});

scene("all tools, views and panels are seen in a window of 1280 by 800 pixels", async () => {
  const cut = await eye.page.evaluate(() =>
    ["#top", "#file", "#shown .words", "#toggles", "#tabs", "#tools"].filter((selector) => {
      const one = document.querySelector(selector), { left, right, top, bottom } = one.getBoundingClientRect();
      return one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    }));
  assert.deepEqual(cut, []);
});

scene("the page says which body plays, also after it was changed", async () => {
  await eye.until(() => /tetrahedra carry .* vertices/.test(document.querySelector("#body-label").textContent), null, 60);
  // From here on in a lattice: where the browser draws without a GPU on two cores, little time is left for steps.
  await ask({ do: "set", path: "lattice", value: "auto" });
  await eye.until(() => /A lattice of .* cells carries/.test(document.querySelector("#body-label").textContent), null, 60);
  belly = await eye.nearest(belly_at_rest);
});

scene("a clip is found among many by a part of its name", async () => {
  await eye.page.evaluate(() => {
    for (let k = 0; k < 73; ++k) window.sinew.server.clips.push({ name: `Other_Clip_${k}`, start: 0, end: 1 });
  });
  await eye.page.keyboard.press("n");
  await eye.page.waitForSelector(".clip-list:not([hidden])");
  await eye.picture("clips");
  await eye.page.keyboard.type("shake head");
  assert.deepEqual(await eye.page.$$eval(".clip-list li span:first-child", (list) => list.map((one) => one.textContent)), ["head_shake"]);
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.server.play.clip === "head_shake");
  await eye.page.waitForSelector(".clip-list", { state: "hidden" });
  await eye.page.evaluate(() => window.sinew.server.clips.splice(3));
  await eye.page.keyboard.press("n");
  await eye.page.keyboard.press("ArrowUp");
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.server.play.clip === "run_jump");
});

scene("times are typed in seconds and frames, and arrows go by frames", async () => {
  await ask({ do: "pause" });
  await type(".time-text", "45f");
  await eye.until(() => Math.abs(window.sinew.studio.character.frame.clip_time - 1.5) < 1e-6);
  await eye.page.keyboard.press("ArrowRight");
  await eye.until(() => Math.abs(window.sinew.studio.character.frame.clip_time - 46 / 30) < 1e-6);
  assert.equal(await eye.page.textContent(".frame-text"), "46 f");
  await type(".time-text", "0:02,25 s");
  await eye.until(() => Math.abs(window.sinew.studio.character.frame.clip_time - 2.25) < 1e-6);
  await type(".time-text", "soon");
  assert.equal(await eye.page.inputValue(".time-text"), "2.25 s");
});

scene("a clip plays from its in mark to its out mark, again and again", async () => {
  await type(".time-text", "1.5");
  await eye.until(() => Math.abs(window.sinew.studio.character.frame.clip_time - 1.5) < 1e-6);
  await eye.page.keyboard.press("i");
  await type(".time-text", "2");
  await eye.until(() => Math.abs(window.sinew.studio.character.frame.clip_time - 2) < 1e-6);
  await eye.page.keyboard.press("o");
  assert.deepEqual(await eye.page.evaluate(() => [window.sinew.page.mark_in, window.sinew.page.mark_out]), [1.5, 2]);
  await eye.page.keyboard.press("Home");
  await eye.until(() => Math.abs(window.sinew.studio.character.frame.clip_time - 1.5) < 1e-6);
  await eye.page.keyboard.press(" ");
  for (let round = 0; round < 2; ++round) {
    await eye.until(() => window.sinew.studio.character.frame.clip_time > 1.75, null, 40);
    await eye.until(() => window.sinew.studio.character.frame.clip_time < 1.75, null, 40);
    assert.ok((await clip_time()) > 1.45, "it went before the in mark");
  }
  await eye.picture("marks");
  await eye.page.keyboard.press(" ");
  await eye.until(() => !window.sinew.server.play.playing);
});

scene("joints say their names, take angles, are mirrored, and poses are kept", async () => {
  await ask({ do: "play", clip: "" });
  await ask({ do: "pause" });
  await eye.tool(8);
  const { joints } = await eye.state("character"), number = (name) => joints.findIndex((one) => one.name === name);
  const left = number("forearm_l"), right = number("forearm_r");
  await eye.page.selectOption('#tool-card select[aria-label="Joint"]', String(left));
  await sleep(0.5);
  const shin = number("shin_l"), label = '.hover-label:not([hidden]):has-text("shin_l")';
  for (let k = 0; k < 40 && !(await eye.page.isVisible(label)); ++k) { // the joint may still move
    const place = await eye.on_screen(await eye.page.evaluate((joint) => [...window.sinew.studio.character.frame.joint.subarray(12 * joint + 9, 12 * joint + 12)], shin));
    await eye.page.mouse.move(place.x - 3, place.y);
    await sleep(0.2);
    await eye.page.mouse.move(place.x, place.y);
    await sleep(0.2);
  }
  await eye.page.waitForSelector(label);
  const hand = await eye.nearest([-0.9, 0.9, 0.1]), before = await eye.settled(hand);
  await type('#tool-card input.number[aria-label="Y"]', "40");
  await eye.until((joint) => String(joint) in window.sinew.server.pose, left);
  await eye.page.click("text=Mirror it");
  await eye.until((joint) => String(joint) in window.sinew.server.pose, right);
  await eye.away_from(hand, before, 0.05);
  await eye.picture("mirrored");
  const pose = await eye.state("pose");
  await eye.page.click("#tool-card >> text=/^Save$/");
  await eye.page.click("text=Give all back");
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0);
  await eye.until(() => window.sinew.server.kept_poses.length === 1);
  await eye.page.selectOption('#tool-card select[aria-label="Saved pose"]', "pose 1");
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 2);
  for (const [joint, q] of Object.entries(await eye.state("pose"))) assert.ok(q.every((value, k) => Math.abs(value - pose[joint][k]) < 1e-6), joint);
  await eye.page.click("text=Give all back");
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0);
});

scene("a hand is dragged and its arm follows; pinned feet stay while the hips go down", async () => {
  await ask({ do: "play", clip: "" });
  await ask({ do: "pause" });
  await eye.tool(8);
  const { joints, height } = await eye.state("character"), number = (name) => joints.findIndex((one) => one.name === name);
  const place = (joint) => eye.joint_place(joint);
  const far = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
  // Leads a joint by pixels. The camera follows the character meanwhile, so that places count from a joint that stays.
  const drag = async (joint, stays, right, down) => {
    const from = await eye.joint_settled(joint), still = await eye.on_screen(await place(stays)); // the clip, or a pose that was given back, may still move it
    await eye.page.mouse.move(from.x, from.y);
    await eye.page.mouse.down();
    for (let k = 1; k <= 8; ++k) await eye.page.mouse.move(from.x + (right * k) / 8, from.y + (down * k) / 8);
    await eye.page.mouse.up();
    let off = [];
    for (let k = 0; k < 100; ++k, await sleep(0.2)) {
      const now = await eye.on_screen(await place(joint)), shift = await eye.on_screen(await place(stays));
      off = [now.x - from.x - right - (shift.x - still.x), now.y - from.y - down - (shift.y - still.y)];
      if (Math.hypot(...off) < 6) return;
    }
    assert.fail(`${joints[joint].name} is ${off} pixels from the pointer`);
  };
  const hand = number("hand_l"), feet = [number("foot_l"), number("foot_r")], hips = number("hips");
  // A ring of the forearm's gizmo passes over the hand's mark, which is pressed nevertheless.
  await eye.page.selectOption('#tool-card select[aria-label="Joint"]', String(number("forearm_l")));
  await drag(hand, hips, 25, -60);
  assert.equal(await eye.page.evaluate(() => window.sinew.page.selected_joint), hand);
  assert.ok(Object.keys(await eye.state("pose")).includes(String(number("forearm_l"))));
  await eye.picture("reached");
  await eye.page.click("text=Give all back");
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0);

  for (const foot of feet) {
    await eye.page.selectOption('#tool-card select[aria-label="Joint"]', String(foot));
    await eye.page.click("#tool-card >> text=/^Pin$/");
  }
  await eye.joint_settled(hips);
  await eye.joint_settled(hand);
  const stood = await Promise.all(feet.map(place)), high = (await place(hips))[1];
  await drag(hips, feet[0], 0, 40);
  await eye.joint_settled(hips); // on the way there the knees are not bent as far yet
  assert.ok((await place(hips))[1] < high - 0.03 * height);
  for (const [k, foot] of feet.entries()) assert.ok(far(await place(foot), stood[k]) < 0.005 * height, `foot ${k}`);
  await eye.picture("crouched");
  await eye.page.click("text=Give all back");
  await ask({ do: "carry", by: [0, 0, 0] });
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0);
});

scene("a stroke bends the line of the body while feet stay, and is undone", async () => {
  await ask({ do: "play", clip: "" });
  await ask({ do: "pause" });
  await eye.tool(8);
  const { joints, height } = await eye.state("character"), number = (name) => joints.findIndex((one) => one.name === name);
  const hips = number("hips"), head = number("head"), feet = [number("foot_l"), number("foot_r")];
  await eye.page.selectOption('#tool-card select[aria-label="Joint"]', "-1");
  await eye.page.click('#tool-card label:has-text("Line")');
  assert.ok(await eye.page.isVisible('#tool-card label:has-text("Feet stay")'));
  const bottom = await eye.joint_settled(hips), top = await eye.joint_settled(head);
  const stood = await Promise.all(feet.map((foot) => eye.joint_place(foot))), before = await eye.joint_place(head);
  // From the hips up, and over to the right in an arc.
  const long = bottom.y - top.y;
  await eye.page.mouse.move(bottom.x, bottom.y);
  await eye.page.mouse.down();
  for (let k = 1; k <= 20; ++k) {
    const angle = (1.2 * k) / 20;
    await eye.page.mouse.move(bottom.x + (long / 1.2) * (1 - Math.cos(angle)), bottom.y - (long / 1.2) * Math.sin(angle));
  }
  assert.ok(await eye.page.isVisible("svg.lasso polyline"));
  await eye.picture("line drawn");
  await eye.page.mouse.up();
  assert.equal(await eye.page.locator("svg.lasso").count(), 0);
  await eye.until(() => Object.keys(window.sinew.server.pose).length > 2);
  await eye.joint_settled(head);
  const right = await eye.page.evaluate(() => window.sinew.studio.view.look_direction().cross(window.sinew.studio.view.camera.up).normalize().toArray());
  const went = (await eye.joint_place(head)).reduce((sum, value, k) => sum + (value - before[k]) * right[k], 0);
  assert.ok(went > 0.1 * height, `the head went ${went} m to the right`);
  for (const [k, foot] of feet.entries()) {
    const now = await eye.joint_place(foot);
    assert.ok(Math.hypot(...now.map((value, axis) => value - stood[k][axis])) < 0.01 * height, `foot ${k}`);
  }
  await eye.picture("line");
  await eye.page.click('#tool-card label:has-text("Line")');
  await ask({ do: "undo" });
  await eye.until(() => Object.keys(window.sinew.server.pose).length === 0);
});

scene("a part of the body is made softer by one word, and is as before by another", async () => {
  await eye.panel("tune");
  assert.deepEqual((await eye.page.$$eval("#tune .settings > .row .name", (names) => names.map((one) => one.textContent))).slice(0, 4), ["Amount", "Firmness", "Calm", "Bone"]);
  await eye.page.click('#tune .part:has-text("Belly") button:has-text("softer")');
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "joints").value.length === 1, null, 60);
  const [belly_joint] = await setting("joints");
  assert.deepEqual([belly_joint.joints, belly_joint.stiffness], ["belly", 0.5]);
  await eye.page.waitForSelector('#tune .part:has-text("Belly") button.on:has-text("softer")');
  await eye.picture("parts");
  await eye.page.click('#tune .part:has-text("Belly") button:has-text("as is")');
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "joints").value.length === 0, null, 60);
  await eye.page.click("[data-panel=tune]");
});

scene("the keyboard leads a hand that drags the belly", async () => {
  await eye.until(() => !window.sinew.server.work, null, 60);
  await eye.tool(1);
  const rest = await eye.settled(belly);
  for (let k = 0; k < 40 && (await eye.page.evaluate(() => document.activeElement !== document.querySelector("#canvas"))); ++k) await eye.page.keyboard.press("Tab");
  await eye.page.waitForSelector(".hand:not([hidden])");
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.server.hands.length === 1);
  for (let k = 0; k < 4; ++k) await eye.page.keyboard.press("Shift+ArrowRight");
  await eye.away_from(belly, rest, 0.01);
  await eye.picture("keyboard");
  await eye.page.keyboard.press("Enter");
  await eye.until(() => window.sinew.server.hands.length === 0);
  await eye.back_at(belly, rest, 0.01);
  await eye.page.mouse.click(640, 100);
  await eye.page.waitForSelector(".hand", { state: "hidden" });
});

scene("a ball is moved away by the handle over it", async () => {
  await eye.tool(6);
  await eye.settled(belly);
  const at = await eye.vertex_on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "colliders").value.length === 1, null, 60);
  await eye.until(() => !window.sinew.server.work, null, 60);
  const [ball] = await setting("colliders"), height = await eye.page.evaluate(() => window.sinew.studio.height);
  const handle = await eye.on_screen([ball.centre[0], ball.centre[1] + ball.radius + 0.05 * height, ball.centre[2]]);
  const away = await eye.page.evaluate(() => window.sinew.studio.view.look_direction().toArray());
  await eye.drag(handle, { x: handle.x, y: handle.y - 30 });
  await eye.page.mouse.up();
  await eye.until((z) => Math.abs(window.sinew.server.settings.find((one) => one.key === "colliders").value[0].centre[2] - z) > 0.01, ball.centre[2], 60);
  await sleep(1);
  const [moved] = await setting("colliders"), way = moved.centre.map((x, k) => x - ball.centre[k]);
  assert.ok(Math.abs(way[1]) < 1e-6, "it left its height");
  assert.ok(way[0] * away[0] + way[2] * away[2] > 0.01, `it moved by ${way}`);
  await eye.page.click("text=Remove it");
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "colliders").value.length === 0, null, 60);
});

scene("a countdown can be stopped, and leads to a take whose actions are on the time line", async () => {
  await eye.until(() => !window.sinew.server.work, null, 60);
  await ask({ do: "play", clip: "stomp" });
  await eye.panel("keep");
  await eye.page.check("#keep >> text=Count to three");
  // A slow machine tells of the countdown when it is nearly over: the second key follows at once.
  await eye.page.evaluate(() => {
    window.counted = [];
    const sign = document.getElementById("countdown");
    new MutationObserver(() => window.counted.push(!sign.hidden)).observe(sign, { attributeFilter: ["hidden"] });
  });
  await eye.page.keyboard.press("r");
  await eye.page.keyboard.press("Escape");
  await eye.until(() => window.counted.length === 2);
  assert.deepEqual(await eye.page.evaluate(() => window.counted), [true, false], "it is shown, and goes");
  await sleep(3.2);
  assert.equal(await eye.state("take"), null);
  await eye.speed(0.02);
  await eye.page.keyboard.press("r");
  await eye.until(() => window.sinew.server.take?.doing === "recording");
  await eye.tool(1);
  await eye.frames(4); // the clip begins anew
  const at = await eye.vertex_on_screen(belly);
  await eye.drag(at, { x: at.x + 30, y: at.y });
  await sleep(0.5);
  await eye.page.mouse.up();
  await sleep(0.3);
  await eye.page.keyboard.press("r");
  await eye.until(() => window.sinew.server.takes.length === 1 && !window.sinew.server.take);
  await eye.speed(1);
  const [take] = await eye.state("takes");
  assert.deepEqual([...new Set(take.marks.map(([, kind]) => kind))].sort(), ["grab", "release"]);
  assert.ok(take.actions > take.marks.length, "movements of the hand are marks");
  assert.ok((await eye.page.$$(".acts .act")).length >= 2);
  await eye.picture("acts");
  await eye.page.uncheck("#keep >> text=Count to three");
});

scene("a bake has the user's name and the marked part, and replaces nothing unasked", async () => {
  await ask({ do: "pause" });
  for (const [time, key] of [["0.5", "i"], ["0.7", "o"]]) {
    await type(".time-text", time);
    await eye.until((wanted) => Math.abs(window.sinew.studio.character.frame.clip_time - wanted) < 1e-6, Number(time));
    await eye.page.keyboard.press(key);
  }
  await eye.page.selectOption('#keep select[aria-label="What"]', "clip:stomp");
  await eye.page.selectOption('#keep select[aria-label="As"]', "pc2");
  await eye.page.uncheck("#keep >> text=A moving picture of it too");
  await type("#keep .file-name", "../no");
  await eye.page.click("#keep button.main");
  await eye.page.waitForSelector('.notice.error:has-text("cannot be a file\'s name")');
  await eye.page.click('.notice.error button[aria-label="Close"]');
  await type("#keep .file-name", "my stomp.pc2");
  await eye.page.click("#keep button.main");
  await eye.until(() => window.sinew.server.outputs.some(({ name }) => name === "my stomp.pc2"), null, 60);
  assert.ok(existsSync(join(work.folder, "my stomp.pc2")));
  assert.match(await eye.page.textContent("#keep code"), /--range 0\.5 0\.7/);
  await eye.until(() => !window.sinew.server.work);
  await eye.page.click("#keep button.main");
  await eye.page.waitForSelector(".asked");
  assert.match(await eye.page.textContent(".asked"), /my stomp\.pc2 is there already/);
  await eye.picture("replace");
  await eye.page.click("text=Keep both");
  await eye.until(() => window.sinew.server.outputs.some(({ name }) => name === "my stomp_2.pc2"), null, 60);
  assert.deepEqual(await eye.page.$$eval(".outputs li > a", (list) => list.map((one) => one.textContent)), ["my stomp.pc2", "my stomp_2.pc2"]);
  await eye.picture("bakes");
});

scene("strain of the skin is plotted", async () => {
  await eye.panel("look");
  await ask({ do: "play" });
  await eye.until(() => /^\d+\.\d %$/.test([...document.querySelectorAll("#look figure")].find((one) => /Strain/.test(one.textContent)).querySelector("b").textContent));
  await eye.page.click("[data-panel=look]");
});

scene("a picture that stands is drawn finely, and the ground is shaded", async () => {
  await eye.page.evaluate(() => window.sinew.studio.view.draw_coarsely(false));
  await ask({ do: "play", clip: "" });
  await ask({ do: "pause" });
  await eye.until(() => document.querySelector("#canvas").width >= 2 * document.querySelector("#canvas").clientWidth, null, 40);
  assert.equal(await eye.page.evaluate(() => window.sinew.studio.view.contact.mesh.visible), true);
  await eye.picture("fine");
});

scene("a character that is pinned hangs when its rig lets go", async () => {
  await ask({ do: "release" });
  await ask({ do: "play", clip: "" });
  const hair = await eye.nearest([0, 1.7, 0]), foot = await eye.nearest([0.2, 0, 0.1]);
  await eye.tool(4);
  await eye.page.waitForSelector('#tools button.on[aria-label="Pin"]');
  const at = await eye.vertex_on_screen(hair);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.hands.length === 1);
  const [from, held] = [await eye.position(foot), await eye.position(hair)];
  await eye.page.check("#tool-card >> text=Hang");
  await eye.until(() => window.sinew.server.settings.find(({ key }) => key === "free_body").value);
  await eye.away_from(foot, from, 0.02);
  await sleep(1.5);
  assert.ok(far(await eye.position(hair), held) < 0.3, "the pin holds it");
  assert.ok(far(await eye.position(foot), from) < 2, "it does not fall");
  await eye.picture("hangs");
  await eye.page.keyboard.press("Control+z");
  await eye.until(() => !window.sinew.server.settings.find(({ key }) => key === "free_body").value);
  await eye.until(() => !document.querySelector("#tool-card input[type=checkbox]").checked);
  await ask({ do: "release" });
});

scene("light colours, and whether the next step is said, are kept over a reload", async () => {
  const theme = () => eye.page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await eye.page.keyboard.press("?");
  await eye.page.click("#theme");
  assert.equal(await theme(), "light");
  await eye.page.keyboard.press("Escape");
  await eye.page.keyboard.press("h");
  await eye.page.waitForSelector("#next", { state: "hidden" });
  await eye.picture("light");
  await eye.page.reload();
  await eye.page.waitForFunction(() => window.sinew);
  await eye.character();
  assert.equal(await theme(), "light");
  assert.ok(await eye.page.isHidden("#next"));
  await eye.page.keyboard.press("h");
  await eye.page.waitForSelector("#next:not([hidden])");
});
