// Somebody who knows nothing plays with everything: random gestures on the character and on whatever the page offers.
//
//   node gestures.mjs [--minutes 4] [--seed 1] [--record LIST] [FILE...]   default: samples/ sumo, elephant, tube and, to be rigged, duck
//   node gestures.mjs --replay LIST [--first N] [--last M]                 what a list says, or a part of it
//   node gestures.mjs --bisect LIST                                        the shortest part of it that fails
//
// A list (build/deep/gestures-NAME.jsonl where none is named) has a line for the character and one for each gesture, written
// before the gesture is made, so that it is there whatever the gesture did. Vertices are named by number and controls by their
// place in the page, so that a gesture finds what it was for at any pace of the machine.
//
// Fails on a number that is none, a character that leaves its place, a server that ends, memory that grows, and an undo that
// does not lead back to the beginning; at the end also on what the page complained of and on sentences that say something
// went wrong, but for those that say why what was asked for cannot be.
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Eye, samples, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";

const { values: options, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "4" }, seed: { type: "string", default: "1" }, record: { type: "string" },
    replay: { type: "string" }, bisect: { type: "string" }, first: { type: "string" }, last: { type: "string" } },
  allowPositionals: true });
const files = positionals.length ? positionals : ["sumo.glb", "elephant.glb", "tube.glb", "duck.obj"].map((name) => join(samples, name));

if (options.record && files.length > 1) {
  console.error("gestures: --record is for one character; without it each has a list of its own in build/deep/.");
  process.exit(2);
}

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

// Not for the hand of somebody who knows nothing: baking takes minutes, and other characters have their own turn. Pages of
// the panel, methods and the card of motions have gestures of their own.
const left_alone = /bake|open a|another one|copy|download|check the file|rig it|learn/i;

const refusals = [/^The lattice cannot carry the body yet/, /^No lattice of this character was edited before/, /has no depth of flesh/,
  /^no bone of this character has a name that the preset/, /^skinning: no /, /; choose the method Flesh first/, /^Stop recording before/, /^(Springs need|Rig-space physics needs) the names of the /, /^no forces keep the \d+ surface points out/,
  /^The character cannot be steered: /, /knows no points that are held/, /has no line of bones that could follow a stroke/,
  / is there already; choose another name, or let it be replaced\.$/,
  /^The (edge|cells?) cannot be (split|collapsed|merged|added)(:|, because) /];

// A gesture is first drawn, as plain data that can be written down, then made.
const draw = {
  async touch(eye, random) {
    const { vertices, tools } = await eye.page.evaluate(() => ({
      vertices: (window.sinew.studio.character?.surface.rest.length ?? 0) / 3,
      tools: [...document.querySelectorAll("#tools button:enabled")].filter((one) => one.checkVisibility()).map((one) => one.ariaLabel),
    }));
    const with_key = random.next() < 0.2 ? random.one_of(["Shift", "Control", "Alt"]) : null, to = moves(random);
    const tool = random.next() < 0.2 ? "Grab" : random.one_of(tools);
    if (!vertices || !tools.length) return { x: random.between(0.35, 0.75), y: random.between(0.2, 0.9), with_key, moves: random.next() < 0.5 ? [] : to };
    return { tool, vertex: Math.floor(random.next() * vertices), with_key, moves: to };
  },
  // Keys and bones of plots, and the number of the plot among those that are seen.
  async plot(eye, random) {
    const plots = await eye.page.$$(`${plot_canvas}:visible`);
    if (!plots.length) return null;
    return { number: Math.floor(random.next() * plots.length), x: random.next(), y: random.next(), moves: moves(random),
      key: random.next() < 0.2 ? "Delete" : null };
  },
  // A page of the panel or a card, which is closed by the next one of its kind.
  async place(eye, random) {
    const panels = await eye.page.$$eval("[data-panel]", (all) => all.filter((one) => one.checkVisibility()).map((one) => `[data-panel="${one.dataset.panel}"]`));
    return { place: random.one_of([...panels, '#toggles button[aria-label="Edit a control lattice for the flesh"]', motions]) };
  },
  async method(eye, random) {
    const methods = await eye.page.$$eval("#method option", (all) => all.map((one) => one.value));
    return methods.length ? { place: "#method select", select: random.one_of(methods) } : null;
  },
  // Arrows lead the hand of the keyboard over the character, or a character that is steered.
  async arrows(eye, random) {
    return { keys: Array.from({ length: Math.floor(random.between(2, 9)) }, () => [random.one_of(arrow_keys), random.between(0, 0.2)]) };
  },
  async look_around(eye, random) {
    return { x: random.between(300, 600), y: random.between(80, 120), moves: moves(random), wheel: random.between(-300, 300),
      frame: random.next() < 0.5 };
  },
  async key(eye, random) {
    return { key: random.one_of([...often_keys, ...often_keys, ...other_keys]) };
  },
  async control(eye, random) {
    const control = random.one_of(await eye.page.$$("button:visible, input:visible, select:visible, summary:visible"));
    if (!control) return null;
    const one = await control.evaluate(described);
    if (left_alone.test(one.name) || one.type === "file") return null;
    const at = { place: one.place, name: one.name.trim().replace(/\s+/g, " ").slice(0, 60) };
    if (one.tag === "SELECT") return one.values.length ? { ...at, select: random.one_of(one.values) } : null;
    if (one.type === "number" || one.type === "text")
      return { ...at, fill: String(Number(random.between(one.least, one.most).toPrecision(2))) };
    if (one.type === "range") return { ...at, slide: [random.next(), random.next()] };
    return { ...at, click: true };
  },
  async window(eye, random) {
    return { width: Math.round(random.between(360, 1100)), height: Math.round(random.between(420, 760)) };
  },
};
const how_often = { touch: 10, look_around: 2, key: 3, control: 5, plot: 1, place: 1, method: 0.3, arrows: 0.5, window: 0.3 };
const often_keys = [" ", "r", "[", "]", "c", "Control+z", "Control+z", "Control+Shift+Z", "Escape"];
const other_keys = ["f", "t", "v", "w", "g", "n", "l", "i", "o", "h", "?", "Home", "ArrowLeft", "ArrowRight", "Delete", ..."123456789"];
const arrow_keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Shift+ArrowUp", "Shift+ArrowLeft", "Enter", "Enter"];
const motions = ".clip-list .more"; // opens the card of motions
const plot_canvas = "canvas:not(#canvas)";

// Where a hand that is pressed goes from its start, in pixels, and how long it rests there, in seconds.
const moves = (random) => Array.from({ length: Math.floor(random.between(0, 12)) },
  () => [random.between(-80, 80), random.between(-80, 80), random.between(0, 0.08)]);

// In the page: what a control is, and its place, a selector that begins at the nearest element with an id.
function described(one) {
  const place = (element) => {
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (!element.parentElement) return element.tagName.toLowerCase();
    return `${place(element.parentElement)} > :nth-child(${[...element.parentElement.children].indexOf(element) + 1})`;
  };
  return { place: place(one), name: `${one.textContent} ${one.ariaLabel ?? ""} ${one.title} ${one.id}`, tag: one.tagName, type: one.type,
    least: Number(one.min || -1), most: Number(one.max || 10),
    values: [...(one.options ?? [])].filter((choice) => !choice.disabled).map((choice) => choice.value) };
}

const make = {
  async touch(eye, { tool, vertex, x, y, with_key, moves }) {
    const size = eye.page.viewportSize();
    if (tool) await eye.page.click(`#tools button[aria-label="${tool}"]`, { timeout: 1000 });
    const shown = await eye.page.evaluate((number) => number < (window.sinew.studio.character?.surface.rest.length ?? 0) / 3, vertex ?? 0);
    await press_along(eye, tool && shown ? await eye.vertex_on_screen(vertex) : { x: (x ?? 0.5) * size.width, y: (y ?? 0.5) * size.height }, moves, with_key);
  },
  async plot(eye, { number, x, y, moves, key }) {
    const plots = await eye.page.$$(`${plot_canvas}:visible`), box = await plots[number]?.boundingBox();
    if (!box) return;
    await press_along(eye, { x: box.x + x * box.width, y: box.y + y * box.height }, moves);
    if (key) await plots[number].press(key, { timeout: 1000 });
  },
  async place(eye, { place }) {
    if (place === motions) await eye.page.keyboard.press("n");
    await eye.page.click(place, { timeout: 1000 });
  },
  async method(eye, gesture) {
    await this.control(eye, gesture);
  },
  async arrows(eye, { keys }) {
    await eye.page.focus("#canvas", { timeout: 1000 });
    for (const [key, seconds] of keys) await eye.page.keyboard.press(key, { delay: 1000 * seconds });
  },
  async look_around(eye, { x, y, moves, wheel, frame }) {
    await press_along(eye, { x, y }, moves);
    await eye.page.mouse.wheel(0, wheel);
    if (frame) await eye.page.keyboard.press("f");
  },
  async key(eye, { key }) {
    await eye.page.keyboard.press(key);
  },
  async control(eye, { place, select, fill, slide }) {
    const control = await eye.page.$(place), soon = { timeout: 1000 }; // what goes away meanwhile is let go
    if (!control || !(await control.isVisible())) return;
    if (select !== undefined) return control.selectOption(select, soon);
    if (fill !== undefined) {
      await control.fill(fill, soon);
      return control.press("Enter", soon);
    }
    if (!slide) return control.click(soon);
    const box = await control.boundingBox();
    if (!box) return;
    await eye.page.mouse.move(box.x + slide[0] * box.width, box.y + box.height / 2);
    await eye.page.mouse.down();
    await eye.page.mouse.move(box.x + slide[1] * box.width, box.y + box.height / 2, { steps: 6 });
    await eye.page.mouse.up();
  },
  async window(eye, size) {
    await eye.page.setViewportSize(size);
  },
};

async function press_along(eye, at, moves, with_key = null) {
  if (with_key) await eye.page.keyboard.down(with_key);
  try {
    await eye.page.mouse.move(at.x, at.y);
    await eye.page.mouse.down();
    for (const [x, y, seconds] of moves) {
      await eye.page.mouse.move(at.x + x, at.y + y, { steps: 3 });
      await sleep(seconds);
    }
  } finally {
    await eye.page.mouse.up();
    if (with_key) await eye.page.keyboard.up(with_key);
  }
}

// Gestures drawn by chance until the minutes are over, each written to the list before it is made.
function* drawn(random, minutes, record, begin = Date.now()) {
  while (Date.now() - begin < 60000 * minutes) {
    yield async (eye) => {
      const what = choose(random), gesture = await draw[what](eye, random);
      if (!gesture) return null;
      appendFileSync(record, `${JSON.stringify({ do: what, ...gesture })}\n`);
      return { do: what, ...gesture };
    };
  }
}
function* listed(gestures) {
  for (const gesture of gestures) yield async () => gesture;
}
function read_list(path) {
  const [head, ...gestures] = readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return { head, gestures };
}

function choose(random) {
  let left = random.next() * Object.values(how_often).reduce((sum, share) => sum + share, 0);
  return Object.keys(how_often).find((name) => (left -= how_often[name]) < 0);
}

// Cooks once what takes memory the first time: all methods that need no file and suit the character, and a lattice.
const warm_up = (eye) => eye.page.evaluate(async () => {
  const { studio, server } = window.sinew, first = server.method.name;
  const ask = (command) => studio.connection.ask(command).catch(() => null);
  for (const { name } of server.character.methods.filter(({ models, curves }) => !models && !curves)) await ask({ do: "method", name });
  await ask({ do: "method", name: first });
  await ask({ do: "lattice", action: "open", from: "auto" });
  await ask({ do: "lattice", action: "close" });
});

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

// A server's memory once it had nothing to do for some time, and gave back what it had freed; MB.
async function resident_at_rest(process) {
  await sleep(7);
  return Number(readFileSync(`/proc/${process}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;
}

// `server`: before the gestures and once all is undone; `page`: of its objects, now and then. MB.
function check_memory(server, page) {
  const most = (from) => Math.max(...page.slice(from, from + 10));
  const grown = most(page.length - 10) - most(10); // what is read once is there after the first quarter
  if (server) console.log(`the server's memory before and after: ${server.map((mb) => mb.toFixed(0)).join(" ")} MB`);
  console.log(`the page's memory after a quarter and at the end: ${most(10).toFixed(1)} ${most(page.length - 10).toFixed(1)} MB`);
  if (server) assert.ok(server[1] < 40 + 1.1 * server[0], `the server grew by ${server[1] - server[0]} MB`);
  assert.ok(grown < 10 + 0.1 * most(10), `the page grew by ${grown} MB`);
}

const patience = 120; // seconds that a command may take on a machine with other work

const is_mesh = (file) => file.endsWith(".obj"); // without a skeleton: joints are clicked, or it falls

async function heap(tools) {
  await tools.send("HeapProfiler.collectGarbage");
  return (await tools.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
}

// `source` gives gestures, `minutes` says how long it will take, which is unknown (null) of a list.
async function afternoon(file, title, source, minutes) {
  const work = work_folder();
  copyFileSync(file, join(work.folder, basename(file)));
  const studio = await start_studio(work.folder, basename(file)), browser = await start_browser(), counts = {};
  const said = new Map(); // with the first gesture after which it was seen
  let last = "", eye, made = 0;
  try {
    eye = await Eye.open(browser, studio.address);
    if (is_mesh(file)) await eye.until(() => window.sinew.rigging.scene, null, 60);
    else await eye.character();
    await eye.page.evaluate(watch_frames);
    const tools = await eye.page.context().newCDPSession(eye.page), begin = Date.now(), memory = [];
    let first = null; // the server's memory at rest, once there is a character: a mesh becomes one on the way
    for (const next of source()) {
      if (first === null && (await eye.page.evaluate(() => Boolean(window.sinew.studio.character?.frame && !window.sinew.server.rigging)))) {
        await warm_up(eye);
        first = minutes ? await resident_at_rest(studio.process) : 0;
      }
      const gesture = await next(eye);
      if (!gesture) continue;
      last = gesture.do;
      ++made;
      counts[last] = (counts[last] ?? 0) + 1;
      await make[last](eye, gesture).catch((error) => {
        if (!/Timeout|not attached|not visible|outside of the viewport|Malformed value/.test(error.message)) throw error;
      });
      assert.equal(await eye.page.evaluate(() => window.seen.wrong), null);
      for (const one of [...(await eye.errors()), ...eye.complaints.splice(0)])
        if (!said.has(one) && !refusals.some((refusal) => refusal.test(one))) said.set(one, `gesture ${made}: ${one}`);
      if (minutes && (Date.now() - begin) / 60000 / minutes > memory.length / 40) memory.push(await heap(tools));
    }
    last = "undo";
    if (await eye.state("take")) await eye.page.keyboard.press("r");
    await eye.until(() => !window.sinew.server.take, null, 60);
    const ask = (command) => Promise.race([eye.page.evaluate((asked) => window.sinew.studio.connection.ask(asked), command),
      sleep(patience).then(() => assert.fail(`no answer to ${JSON.stringify(command)} in ${patience} s`))]);
    if (await eye.state("lattice")) await ask({ do: "lattice", action: "close" });
    if ((await eye.state("play")).steered) await ask({ do: "steer", action: "end" });
    const acts = () => eye.page.evaluate(() => (window.sinew.server.rigging ?? window.sinew.server.history).undo);
    const undoing = Date.now(), undone = await acts();
    while ((await acts()) > 0) await ask({ do: "undo" });
    await eye.until(() => !window.sinew.server.work, null, 60);
    // What became of a mesh may have settings of its own.
    if (!is_mesh(file)) for (const setting of await eye.state("settings")) assert.deepEqual(setting.value, setting.default, setting.key);
    assert.deepEqual([await eye.state("pose"), await eye.state("painted"), await eye.state("takes")], [{}, [], []]);
    const { frames } = await eye.page.evaluate(() => window.seen);
    console.log(`${title}: ${frames} frames, ${JSON.stringify(counts)}, ${undone} acts undone in ${((Date.now() - undoing) / 1000).toFixed(0)} s`);
    if (minutes) check_memory(first && [first, await resident_at_rest(studio.process)], memory);
    assert.deepEqual([...said.values()], []);
  } catch (error) {
    const state = await eye?.page.evaluate(() => {
      const { method, play, history, work, lattice, carried, gravity, hands, painted, settings } = window.sinew.server;
      const changed = settings.filter((one) => JSON.stringify(one.value) !== JSON.stringify(one.default)).map(({ key, value }) => ({ key, value }));
      return JSON.stringify({ method, play, history, work, lattice, carried, gravity, hands, painted, changed });
    })
      .catch(() => "no page");
    await eye?.picture(`gestures ${basename(file)}`).catch(() => {});
    error.message = `${title}, at ${last}, gesture ${made}, after ${JSON.stringify(counts)}: ${error.message}\n${[...said.values()].join("\n")}\n${state}\n${studio.printed()}`;
    throw error;
  } finally {
    await browser.close();
    await studio.stop();
    work.remove();
  }
}

async function play(file, seed) {
  const record = resolve(options.record ?? join("build/deep", `gestures-${basename(file, extname(file))}.jsonl`)), minutes = Number(options.minutes);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, `${JSON.stringify({ character: resolve(file), seed, minutes })}\n`);
  try {
    await afternoon(file, `${basename(file)}, seed ${seed}`, () => drawn(random_numbers(seed), minutes, record), minutes);
  } catch (error) {
    error.message += `\nIts gestures are in ${record}; --replay makes them again, --bisect finds the shortest part that fails.`;
    throw error;
  }
}

// Gestures `first` to `last`, counted from 1.
async function replay({ head, gestures }, first, last) {
  const part = gestures.slice(first - 1, last);
  await afternoon(head.character, `${basename(head.character)}, gestures ${first} to ${Math.min(last, gestures.length)}`, () => listed(part), null);
}

// The first end, then the last beginning, with which the list still fails.
async function bisect(list) {
  const fails = (first, last) => replay(list, first, last).then(() => false, (error) => {
    console.log(`fails: ${error.message.split("\n")[0]}`);
    return true;
  });
  if (!(await fails(1, list.gestures.length))) return null;
  let low = 0, last = list.gestures.length;
  while (last - low > 1) {
    const middle = (low + last) >> 1;
    if (await fails(1, middle)) last = middle; else low = middle;
  }
  let first = 1, high = last + 1;
  while (high - first > 1) {
    const middle = (first + high) >> 1;
    if (await fails(middle, last)) first = middle; else high = middle;
  }
  return { first, last };
}

let failed = 0;
const attempt = (what) => what.catch((error) => {
  ++failed;
  console.log(`FAIL  ${error.message}`);
});
if (options.bisect) {
  const list = read_list(options.bisect), found = await bisect(list);
  if (found) {
    failed = 1;
    console.log(`The shortest part that fails: --replay ${options.bisect} --first ${found.first} --last ${found.last}`);
    for (const gesture of list.gestures.slice(found.first - 1, found.last)) console.log(JSON.stringify(gesture));
  } else console.log("The list does not fail.");
} else if (options.replay) {
  await attempt(replay(read_list(options.replay), Number(options.first ?? 1), Number(options.last ?? Infinity)));
} else {
  for (const [k, file] of files.entries()) await attempt(play(resolve(file), Number(options.seed) + k));
}
process.exit(failed === 0 ? 0 : 1);
