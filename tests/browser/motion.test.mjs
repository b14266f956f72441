// Motion of other files, in a real browser: offered to a character without clips, chosen by its picture, dropped, undone,
// kept over the program's end, and baked.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { Eye, samples, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

// The JSON of a .glb, and the same file with other JSON.
const json_of = (glb) => JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)));
function with_json(glb, json) {
  let text = JSON.stringify(json);
  while (text.length % 4) text += " ";
  const binary = glb.subarray(20 + glb.readUInt32LE(12)), head = Buffer.alloc(20);
  [0x46546c67, 2, 20 + text.length + binary.length, text.length, 0x4e4f534a].forEach((word, k) => head.writeUInt32LE(word, 4 * k));
  return Buffer.concat([head, Buffer.from(text), binary]);
}

// A walk of a second in centimetres: legs swing, arms are missing.
function walk() {
  const channels = "CHANNELS 3 Zrotation Xrotation Yrotation";
  const leg = (side, x) => `JOINT ${side}UpLeg\n{\nOFFSET ${x} -5 0\n${channels}\nJOINT ${side}Leg\n{\nOFFSET 0 -40 1\n${channels}\nJOINT ${side}Foot\n{\nOFFSET 0 -40 -2\n${channels}\nEnd Site\n{\nOFFSET 0 -7 14\n}\n}\n}\n}\n`;
  const frames = [...Array(31).keys()].map((f) => {
    const s = Math.sin((2 * Math.PI * f) / 30), knee = 20 + 15 * s;
    return `0 92 ${3 * f} 0 0 0 ${[1, -1].map((sign) => `0 ${-25 * sign * s} 0 0 ${knee} 0 0 0 0`).join(" ")} 0 0 0 0 0 0`;
  });
  return `HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n${leg("Left", 10)}${leg("Right", -10)}JOINT Spine\n{\nOFFSET 0 20 0\n${channels}\nJOINT Head\n{\nOFFSET 0 40 0\n${channels}\nEnd Site\n{\nOFFSET 0 15 0\n}\n}\n}\n}\nMOTION\nFrames: 31\nFrame Time: 0.0333333\n${frames.join("\n")}\n`;
}

const drop = (name, bytes) => eye.page.evaluate(({ base64, name }) => {
  const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)), dropped = new DataTransfer();
  dropped.items.add(new File([data], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}, { base64: Buffer.from(bytes).toString("base64"), name });

const clips = async () => (await eye.state("clips")).map(({ name }) => name);
const plays = (name, seconds = 30) => eye.until((wanted) => window.sinew.server.play.clip === wanted && window.sinew.server.play.playing, name, seconds);

// That the flesh moves with the clip: a point of the skin goes so far, metres.
async function moves(rest, least) {
  const vertex = await eye.nearest(rest), from = await eye.position(vertex);
  await eye.away_from(vertex, from, least);
}

before(async () => {
  browser = await start_browser();
  const sumo = readFileSync(join(samples, "sumo.glb")), { animations, ...still } = json_of(sumo);
  assert.ok(animations.length > 0);
  writeFileSync(join(work.folder, "still.glb"), with_json(sumo, still));
  // A coarse body, so that nothing takes long.
  writeFileSync(join(work.folder, "still.studio.json"), JSON.stringify({
    "sinew studio project": 1, character: "still.glb", method: "flesh", paint: {}, pose: { joints: {} }, takes: [], settings: { flesh: { tetrahedra: 400 } },
  }));
  studio = await start_studio(work.folder, "still.glb");
  eye = await Eye.open(browser, studio.address);
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);

scene("a character without a clip is offered motion, with pictures", async () => {
  await eye.character();
  await eye.page.waitForSelector("#motion-card:not([hidden])");
  assert.match(await eye.page.textContent(".clips"), /Give it motion/);
  await eye.until(() => document.querySelectorAll('#motion-card [data-file=""] img').length === 7, null, 60);
  assert.deepEqual(await eye.page.$$eval('#motion-card [data-file=""] b', (names) => names.map((name) => name.textContent)),
    ["jump", "shake", "turn", "nod", "stomp", "twist", "fall"]);
  const sizes = await eye.page.$$eval('#motion-card [data-file=""] img', (all) => all.map((one) => [one.naturalWidth, one.naturalHeight]));
  for (const [width, height] of sizes) assert.ok(width > 1.5 * height && height > 60, `a picture has ${width} x ${height} pixels`);
  assert.equal(new Set(await eye.page.$$eval('#motion-card [data-file=""] img', (all) => all.map((one) => one.src))).size, 7);
  await eye.picture("motion offered");
});

scene("a built-in motion that is clicked plays, with flesh", async () => {
  await eye.page.click('#motion-card [data-motion="test:jump"] button');
  await plays("jump");
  await eye.page.waitForSelector('#motion-card [data-motion="test:jump"].on');
  assert.deepEqual(await clips(), ["jump"]);
  assert.equal((await eye.state("method")).name, "flesh");
  await moves([0, 1.05, 0.42], 0.05);
  assert.match(await eye.page.textContent("#motion-card .added"), /jump: feet stand .* first step/);
  await eye.picture("motion jump");
});

scene("motion capture that is dropped is carried over, and what was found is shown", async () => {
  await drop("walk.bvh", walk());
  await plays("walk");
  const said = await eye.page.textContent("#motion-card .added");
  for (const words of [/walk: feet stand \d+ times and slide by/, /carried over by names to bones found by/, /units look like centimetres/]) assert.match(said, words);
  await eye.until(() => document.querySelector('#motion-card [data-motion="walk.bvh@walk"] img'));
  await moves([0.2, 0.4, 0], 0.05);
  await eye.picture("motion walk");
  await eye.page.keyboard.press("Escape");
  await eye.page.waitForSelector("#motion-card", { state: "hidden" });
  await eye.page.click(".clips");
  assert.deepEqual(await eye.page.$$eval(".clip-list li span:first-child", (names) => names.map((name) => name.textContent)), ["jump", "walk", "Rest pose"]);
  await eye.page.click(".clip-list .more");
  await eye.page.waitForSelector("#motion-card:not([hidden])");
});

scene("a file that is a character with clips asks what is meant", async () => {
  const sumo = readFileSync(join(samples, "sumo.glb")), names = json_of(sumo).animations.map(({ name }) => name);
  await drop("dancer.glb", sumo);
  await eye.page.waitForSelector(".question:not([hidden])");
  assert.match(await eye.page.textContent(".question"), new RegExp(`dancer.glb is a character with ${names.length} clips`));
  await eye.picture("motion or character");
  await eye.page.click(".question >> text=Neither");
  await eye.page.waitForSelector(".question", { state: "hidden" });
  assert.deepEqual(await clips(), ["jump", "walk"]);

  await drop("dancer.glb", sumo);
  await eye.page.click(".question >> text=Use its motion");
  await plays(names[0]);
  assert.deepEqual(await clips(), ["jump", "walk", names[0]]);
  assert.equal((await eye.state("character")).name, "still.glb");
  // Its other clips are offered with it.
  assert.equal(await eye.page.locator('#motion-card [data-motion^="dancer.glb@"]').count(), names.length);
  await eye.page.click(`#motion-card [data-motion="dancer.glb@${names[1]}"] button`);
  await plays(names[1]);
  await eye.undo_to(3);
  await eye.until(() => window.sinew.server.clips.length === 3);
});

scene("motion is undone and done again, and outlives the program", async () => {
  const before = await clips();
  await eye.undo_to(1);
  await eye.until(() => window.sinew.server.clips.length === 1);
  assert.deepEqual(await clips(), ["jump"]);
  await plays("jump");
  for (const count of [2, 3]) {
    await eye.page.keyboard.press("Control+Shift+z");
    await eye.until((wanted) => window.sinew.server.clips.length === wanted, count);
  }
  assert.deepEqual(await clips(), before);
  await sleep(3); // the steps themselves are on disk after two seconds, what they made in one
  await studio.stop("SIGKILL");
  await eye.page.close();
  studio = await start_studio(work.folder, "still.glb");
  eye = await Eye.open(browser, studio.address);
  await eye.character();
  assert.deepEqual(await clips(), before);
  await eye.page.keyboard.press("Control+z");
  await eye.until(() => window.sinew.server.clips.length === 2);
  await eye.page.keyboard.press("Control+Shift+z");
  await eye.until(() => window.sinew.server.clips.length === 3);
});

scene("motion that cannot be used is refused in a sentence, and can be taken away", async () => {
  await drop("broken.bvh", "HIERARCHY\nROOT Hips\n{");
  await eye.until(() => document.querySelector(".notice.error"));
  assert.match((await eye.errors()).join(), /broken\.bvh, line 3: the file ends/);
  await eye.page.click(".notice.error button");
  assert.equal((await clips()).length, 3);
  const card = await eye.page.$("#motion-card:not([hidden])");
  assert.ok(card, "the card is closed");
  await eye.page.click('#motion-card [aria-label="Take test:jump away"]');
  await eye.until(() => window.sinew.server.clips.length === 2);
});

scene("a bake writes the clip with its flesh", async () => {
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "play", clip: "walk" }));
  await eye.panel("keep");
  await eye.page.uncheck("#keep >> text=A moving picture of it too");
  await eye.page.click("#keep button.main:text-is('Bake')");
  await eye.until(() => window.sinew.server.outputs.some(({ name }) => name === "still_walk.glb"), null, 60);
  assert.match(await eye.page.textContent("#keep .command code"), /^sinew animate still\.glb -o still_walk\.glb --motion walk\.bvh@walk --motion /);
  const baked = json_of(readFileSync(join(work.folder, "still_walk.glb")));
  assert.ok(baked.animations.some(({ name }) => name === "walk"));
  assert.ok(baked.meshes.some(({ primitives }) => primitives.some(({ targets }) => targets?.length > 0)));
});

// The tube with two clips of a second: it sways where it is, or goes on by a quarter of a metre.
function two_ways() {
  const glb = readFileSync(join(samples, "tube.glb")), json = json_of(glb), keys = [...Array(31).keys()].map((k) => k / 30);
  const binary = glb.subarray(28 + glb.readUInt32LE(12)), numbers = [];
  const accessor = (values, type) => {
    const count = values.length / { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    json.bufferViews.push({ buffer: 0, byteOffset: binary.length + 4 * numbers.length, byteLength: 4 * values.length });
    json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: 5126, count, type, ...(type === "SCALAR" && { min: [values[0]], max: [values.at(-1)] }) });
    numbers.push(...values);
    return json.accessors.length - 1;
  };
  const swing = (s) => 0.125 * (0.6 + 0.4 * Math.cos(2 * Math.PI * s)) * Math.sin(4 * Math.PI * s);
  const times = accessor(keys, "SCALAR"), turns = accessor(keys.flatMap((s) => [Math.sin(swing(s)), 0, 0, Math.cos(swing(s))]), "VEC4");
  const clip = (name, way) => ({ name,
    samplers: [{ input: times, output: accessor(keys.flatMap((s) => [0, 0, way * s]), "VEC3") }, { input: times, output: turns }],
    channels: [{ sampler: 0, target: { node: 0, path: "translation" } }, { sampler: 1, target: { node: 1, path: "rotation" } }] });
  json.animations = [clip("stand", 0), clip("go", 0.24)];
  json.buffers[0].byteLength = binary.length + 4 * numbers.length;
  const length = Buffer.alloc(8);
  length.writeUInt32LE(json.buffers[0].byteLength);
  length.write("BIN\0", 4);
  return with_json(Buffer.concat([glb.subarray(0, 20 + glb.readUInt32LE(12)), length, binary, Buffer.from(new Float32Array(numbers).buffer)]), json);
}

scene("arrow keys steer a character through its clips", async () => {
  await drop("ways.glb", two_ways());
  await eye.page.click(".question >> text=Open this character");
  await eye.until(() => window.sinew.server.character?.name === "ways.glb", null, 60);
  await eye.character();
  await eye.page.click(".clips");
  await eye.page.click(".clip-list .more");
  await eye.page.click("#motion-card .steer");
  await eye.until(() => window.sinew.server.play.steered, null, 60);
  const middle = () => eye.page.evaluate(() => window.sinew.studio.character.box.getCenter(window.sinew.studio.character.box.min.clone()).toArray());
  await eye.page.keyboard.down("ArrowUp");
  await eye.until(() => window.sinew.studio.character.box.min.z > 0.3, null, 30);
  const [straight] = await middle();
  assert.ok(Math.abs(straight) < 0.1, `${straight} m aside`);
  await eye.page.keyboard.down("ArrowLeft");
  await eye.until((from) => Math.abs(window.sinew.studio.character.box.min.x - from) > 0.08, (await eye.page.evaluate(() => window.sinew.studio.character.box.min.x)), 30);
  await eye.picture("steered");
  await eye.page.keyboard.up("ArrowUp");
  await eye.page.keyboard.up("ArrowLeft");
  await eye.page.keyboard.press("r");
  await eye.until(() => document.querySelector(".notice.error"));
  assert.match((await eye.errors()).join(), /not kept in takes/);
  await eye.page.click(".notice.error button");
  await eye.page.keyboard.press("Escape");
  await eye.until(() => !window.sinew.server.play.steered);
});

scene("a drag on the body with Knock pushes it, and the reaction is a clip that plays", async () => {
  const before = await clips();
  await eye.page.evaluate((clip) => window.sinew.studio.connection.ask({ do: "play", clip }), before[0]);
  await eye.page.click('#tools button[aria-label="Knock"]');
  const box = await eye.page.evaluate(() => [...window.sinew.studio.character.box.min.toArray(), ...window.sinew.studio.character.box.max.toArray()]);
  const at = await eye.on_screen([(box[0] + box[3]) / 2, box[1] + 0.65 * (box[4] - box[1]), box[5]]);
  await eye.page.mouse.move(at.x, at.y);
  await eye.page.mouse.down();
  for (let k = 1; k <= 10; ++k) await eye.page.mouse.move(at.x + 8 * k, at.y);
  await eye.until(() => /^[1-9]\d* N s$/.test(document.querySelector(".hover-label:not([hidden])")?.textContent ?? ""));
  await eye.picture("knock");
  await eye.page.mouse.up();
  await eye.until((count) => window.sinew.server.clips.length > count, before.length, 60);
  const added = (await clips()).find((name) => !before.includes(name));
  assert.match(added, /, pushed/);
  await eye.until((clip) => window.sinew.server.play.clip === clip, added, 30);
  await eye.page.waitForSelector(".notice.done");
  await eye.until(() => window.sinew.studio.character.frame.clip_time > 0.8, null, 60);
  await eye.picture("knocked");
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "undo" }));
  await eye.until((count) => window.sinew.server.clips.length === count, before.length, 30);
});

scene("or the dropped character is opened", async () => {
  await drop("dancer.glb", readFileSync(join(samples, "sumo.glb")));
  await eye.page.click(".question >> text=Open this character");
  await eye.until(() => window.sinew.server.character?.name === "dancer.glb", null, 60);
  await eye.character();
  assert.ok((await clips()).length > 1);
  assert.ok(await eye.page.isHidden("#motion-card"));
});
