// Somebody who knows nothing plays with everything: random gestures on the character and on whatever the page offers.
//
//   node gestures.mjs [--minutes 20] [--seed 1] [FILE...]        default: the wrestler, the elephant and the tube of samples/
//
// Fails on what the page complains of, a sentence that says something went wrong, a number that is none, a character that
// leaves its place, a server that ends, memory that grows, and an undo that does not lead back to the beginning.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Eye, samples, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";

const { values: options, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "20" }, seed: { type: "string", default: "1" } }, allowPositionals: true });
const files = positionals.length ? positionals : ["sumo.glb", "elephant.glb", "tube.glb"].map((name) => join(samples, name));

// A small generator of numbers that every machine agrees on (mulberry32): the same seed is the same afternoon, but for
// what the clock decides.
function random_numbers(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { next, between: (low, high) => low + (high - low) * next(), one_of: (list) => list[Math.floor(next() * list.length)] };
}

// Not for the hand of somebody who knows nothing: baking takes minutes, and other characters have their own turn.
const left_alone = /bake|open|copy|download|check the|rig it/i;

const gestures = {
  async touch(eye, random) {
    await eye.tool(random.one_of([1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    const vertices = await eye.page.evaluate(() => window.sinew.studio.character.surface.rest.length / 3);
    const at = await eye.vertex_on_screen(Math.floor(random.next() * vertices));
    await path(eye, random, at);
  },
  async look_around(eye, random) {
    await path(eye, random, { x: random.between(300, 600), y: random.between(80, 120) });
    await eye.page.mouse.wheel(0, random.between(-300, 300));
    if (random.next() < 0.5) await eye.page.keyboard.press("f");
  },
  async key(eye, random) {
    await eye.page.keyboard.press(random.one_of([" ", " ", "f", "r", "[", "]", "c", "Control+z", "Control+z", "Control+Shift+Z", "Escape"]));
  },
  async control(eye, random) {
    const controls = await eye.page.$$("button:visible, input:visible, select:visible, [data-panel]:visible");
    const control = random.one_of(controls);
    if (!control) return;
    const kind = await control.evaluate((one) => ({ name: `${one.textContent} ${one.ariaLabel ?? ""} ${one.title} ${one.id}`,
      tag: one.tagName, type: one.type, least: Number(one.min || -1), most: Number(one.max || 10),
      values: [...(one.options ?? [])].filter((choice) => !choice.disabled).map((choice) => choice.value) }));
    if (left_alone.test(kind.name) || kind.type === "file") return;
    const soon = { timeout: 1000 }; // what goes away meanwhile is let go
    if (kind.tag === "SELECT") return kind.values.length ? control.selectOption(random.one_of(kind.values), soon) : null;
    if (kind.type === "number" || kind.type === "text") {
      await control.fill(String(Number(random.between(kind.least, kind.most).toPrecision(2))), soon);
      return control.press("Enter", soon);
    }
    if (kind.type === "range") {
      const box = await control.boundingBox();
      if (!box) return;
      await eye.page.mouse.move(box.x + random.next() * box.width, box.y + box.height / 2);
      await eye.page.mouse.down();
      await eye.page.mouse.move(box.x + random.next() * box.width, box.y + box.height / 2, { steps: 6 });
      return eye.page.mouse.up();
    }
    return control.click(soon);
  },
  async window(eye, random) {
    await eye.page.setViewportSize({ width: Math.round(random.between(360, 1100)), height: Math.round(random.between(420, 760)) });
  },
};
const how_often = { touch: 10, look_around: 2, key: 3, control: 5, window: 0.3 };

// A hand that goes somewhere, pressed, in up to a second.
async function path(eye, random, at) {
  await eye.page.mouse.move(at.x, at.y);
  await eye.page.mouse.down();
  for (let k = Math.floor(random.between(0, 12)); k > 0; --k) {
    await eye.page.mouse.move(at.x + random.between(-80, 80), at.y + random.between(-80, 80), { steps: 3 });
    await sleep(random.between(0, 0.08));
  }
  await eye.page.mouse.up();
}

function choose(random) {
  let left = random.next() * Object.values(how_often).reduce((sum, share) => sum + share, 0);
  return Object.keys(how_often).find((name) => (left -= how_often[name]) < 0);
}

// Counts frames, and keeps the first whose numbers are none or whose character is farther away than hands can carry it.
const watch_frames = () => {
  const { studio } = window.sinew, seen = (window.seen = { frames: 0, wrong: null, last: -1 });
  studio.view.before_picture.push(() => {
    const frame = studio.character?.frame;
    if (!frame || frame.number === seen.last) return;
    seen.last = frame.number;
    ++seen.frames;
    let far = 0;
    for (const value of frame.positions) far = Number.isNaN(value) ? Infinity : Math.max(far, Math.abs(value));
    if (!(far < 200 * studio.height) || !frame.joint.every(Number.isFinite)) seen.wrong ??= `frame ${frame.number} reaches ${far} m`;
  });
};

const resident = (process) => Number(readFileSync(`/proc/${process}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;
async function heap(tools) {
  await tools.send("HeapProfiler.collectGarbage");
  return (await tools.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
}

async function afternoon(file, minutes, seed) {
  const work = work_folder(), random = random_numbers(seed);
  copyFileSync(file, join(work.folder, basename(file)));
  const studio = await start_studio(work.folder, basename(file)), browser = await start_browser(), counts = {};
  let last = "", eye;
  try {
    eye = await Eye.open(browser, studio.address);
    await eye.character();
    await eye.page.evaluate(watch_frames);
    const tools = await eye.page.context().newCDPSession(eye.page), begin = Date.now(), memory = [];
    for (let done = 0; done < 1;) {
      last = choose(random);
      counts[last] = (counts[last] ?? 0) + 1;
      await gestures[last](eye, random).catch((error) => {
        if (!/Timeout|not attached|not visible|outside of the viewport|Malformed value/.test(error.message)) throw error;
      });
      const { wrong, failures } = await eye.page.evaluate(() => ({ wrong: window.seen.wrong,
        failures: [...document.querySelectorAll(".notice.error")].map((one) => one.textContent) }));
      assert.equal(wrong, null);
      assert.deepEqual(failures, []);
      assert.deepEqual(eye.complaints, []);
      done = (Date.now() - begin) / 60000 / minutes;
      if (done > memory.length / 40) memory.push([resident(studio.process), await heap(tools)]);
    }
    last = "undo";
    if (await eye.state("take")) await eye.page.keyboard.press("r");
    await eye.until(() => !window.sinew.server.take, null, 60);
    while ((await eye.state("history")).undo > 0) await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "undo" }));
    await eye.until(() => !window.sinew.server.work, null, 60);
    for (const setting of await eye.state("settings")) assert.deepEqual(setting.value, setting.default, setting.key);
    assert.deepEqual([await eye.state("pose"), await eye.state("painted"), await eye.state("takes")], [{}, [], []]);
    const { frames } = await eye.page.evaluate(() => window.seen);
    // What is read and cooked once is there after the first quarter.
    const quarter = (from, which) => Math.max(...memory.slice(from, from + 10).map((one) => one[which]));
    const grown = (which) => quarter(memory.length - 10, which) - quarter(10, which);
    console.log(`${basename(file)}, seed ${seed}: ${frames} frames, ${JSON.stringify(counts)}; memory after a quarter and at the end: ` +
      `server ${quarter(10, 0).toFixed(0)} ${quarter(memory.length - 10, 0).toFixed(0)} MB, page ${quarter(10, 1).toFixed(1)} ${quarter(memory.length - 10, 1).toFixed(1)} MB`);
    assert.ok(grown(0) < 40 + 0.1 * quarter(10, 0), `the server grew by ${grown(0)} MB`);
    assert.ok(grown(1) < 10 + 0.1 * quarter(10, 1), `the page grew by ${grown(1)} MB`);
  } catch (error) {
    const state = await eye?.page.evaluate(() => {
      const { method, play, history, carried, gravity, hands, painted, settings } = window.sinew.server;
      const changed = settings.filter((one) => JSON.stringify(one.value) !== JSON.stringify(one.default)).map(({ key, value }) => ({ key, value }));
      return JSON.stringify({ method, play, history, carried, gravity, hands, painted, changed });
    })
      .catch(() => "no page");
    await eye?.picture(`gestures ${basename(file)}`).catch(() => {});
    error.message = `${basename(file)}, seed ${seed}, at ${last}, after ${JSON.stringify(counts)}: ${error.message}\n${state}\n${studio.printed()}`;
    throw error;
  } finally {
    await browser.close();
    await studio.stop();
    work.remove();
  }
}

let failed = 0;
for (const [k, file] of files.entries()) {
  try {
    await afternoon(resolve(file), Number(options.minutes), Number(options.seed) + k);
  } catch (error) {
    ++failed;
    console.log(`FAIL  ${error.message}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
