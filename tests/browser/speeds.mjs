// How fast the studio is for who sits before it, in a real browser:
//
//   node speeds.mjs [--seconds 8] [FILE...]        default: the wrestler
//
// From opening the page until the character moves; from a pointer's event until the page has positions that contain its
// effect, beside a plain question; simulated seconds per second while a clip plays; from a slider until it is seen.
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { Eye, samples, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";

const { values: options, positionals } = parseArgs({
  options: { seconds: { type: "string", default: "8" } }, allowPositionals: true });
const seconds = Number(options.seconds);

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const high = (values) => [...values].sort((a, b) => a - b)[Math.floor(0.95 * values.length)] ?? NaN;
const line = (what, ...texts) => console.log(`  ${what.padEnd(34)}${texts.join("   ")}`);
const milliseconds = (values) => `median ${median(values).toFixed(1)} ms   95 % ${high(values).toFixed(1)} ms`;

// Seconds from opening until a second moment of the clip is drawn, and what they went to.
async function opening(browser, address) {
  const began = performance.now(), stages = [];
  let last = began;
  const reached = (what) => {
    stages.push(`${what} ${((performance.now() - last) / 1000).toFixed(2)} s`);
    last = performance.now();
  };
  const eye = await Eye.open(browser, address, { width: 800, height: 600 }, true);
  reached("page");
  await eye.until(() => window.sinew.server.character, null, 60);
  reached("body");
  await eye.until(() => window.sinew.studio.character, null, 60);
  reached("surface");
  await eye.character();
  reached("first frame");
  const first = await eye.page.evaluate(() => window.sinew.studio.character.frame.elapsed);
  await eye.until((elapsed) => window.sinew.studio.character.frame.elapsed > elapsed, first);
  reached("next frame");
  return { eye, seconds: (last - began) / 1000, stages };
}

async function drag(eye) {
  const middle = await eye.page.evaluate(() => {
    const { min, max } = window.sinew.studio.character.box;
    return [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2];
  });
  const at = await eye.on_screen(middle);
  await eye.page.mouse.move(at.x, at.y);
  await eye.page.mouse.down();
  const begin = Date.now();
  for (let k = 0; Date.now() - begin < 1000 * seconds; ++k) {
    await eye.page.mouse.move(at.x + 30 * Math.sin(k / 6), at.y + 20 * Math.cos(k / 5));
    await sleep(0.012);
  }
  await eye.page.mouse.up();
  return eye.page.evaluate(() => window.sinew.latencies());
}

const questions = (eye) => eye.page.evaluate(async () => {
  const times = [];
  for (let k = 0; k < 200; ++k) {
    const asked = performance.now();
    await window.sinew.studio.connection.ask({ do: "show" });
    times.push(performance.now() - asked);
    await new Promise((done) => setTimeout(done, 10));
  }
  return times;
});

// Of a clip that plays, watched.
const pace = (eye, length) => eye.page.evaluate(async (length) => {
  const frame = () => window.sinew.studio.character.frame;
  const began = performance.now(), first = frame().elapsed;
  let behind = 0, drawn = 0, last = -1;
  while (performance.now() - began < 1000 * length) {
    await new Promise(requestAnimationFrame);
    behind = Math.max(behind, frame().behind);
    if (frame().number !== last) ++drawn;
    last = frame().number;
  }
  return { rate: (1000 * (frame().elapsed - first)) / (performance.now() - began), behind, drawn: drawn / length };
}, length);

// Milliseconds from telling the program until the first frame of what it made of it is there, and until the answer.
const slider = (eye, path, values) => eye.page.evaluate(async ({ path, values }) => {
  const times = [];
  for (const value of values) {
    const asked = performance.now();
    await window.sinew.studio.connection.ask({ do: "set", path, value });
    const answered = performance.now();
    const { number } = window.sinew.studio.character.frame;
    while (window.sinew.studio.character.frame.number === number) await new Promise(requestAnimationFrame);
    times.push([performance.now() - asked, answered - asked]);
  }
  return times;
}, { path, values });
const slid = async (eye, what, path, values) => {
  const times = await slider(eye, path, values);
  line(what, milliseconds(times.map(([seen]) => seen)), `answered after ${median(times.map(([, answered]) => answered)).toFixed(1)} ms`);
};

const browser = await start_browser();
for (const file of positionals.length ? positionals : [join(samples, "sumo.glb")]) {
  const work = work_folder();
  copyFileSync(file, join(work.folder, basename(file)));
  const studio = await start_studio(work.folder, basename(file));
  try {
    const { eye, seconds: opened, stages } = await opening(browser, studio.address);
    await eye.until(() => !window.sinew.server.work, null, 60);
    await sleep(3);
    const { vertices } = await eye.state("character");
    console.log(`${basename(file)}: ${vertices} vertices`);
    line("open to moving", `${opened.toFixed(2)} s`, ...stages);
    const played = await pace(eye, seconds);
    line("simulated seconds per second", played.rate.toFixed(3), `behind ${played.behind.toFixed(3)} s at most`, `${played.drawn.toFixed(0)} frames drawn a second`);
    const hands = await drag(eye);
    line("pointer to positions", hands ? `median ${hands.median.toFixed(1)} ms   95 % ${hands.high.toFixed(1)} ms` : "no movement came");
    line("plain question", milliseconds(await questions(eye)));
    await slid(eye, "look", "look", ["subtle", "lively", "natural", "lively", "natural"]);
    await slid(eye, "damping", "damping", [0.2, 0.3, 0.1, 0.2, 0.3]);
    await slid(eye, "stiffness", "young", [30000, 40000, 20000, 30000, 40000]);
    await slid(eye, "tetrahedra", "tetrahedra", [6000, 10000, 8000]);
    await slider(eye, "lattice", ["auto"]);
    await slid(eye, "cells of the lattice", "lattice_cells", [300, 500, 400]);
    await eye.page.close();
  } finally {
    await studio.stop();
    work.remove();
  }
}
await browser.close();
