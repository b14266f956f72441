// The pictures of docs/manual/03_studio.md, from the program itself:
//
//   node pictures.mjs FOLDER [NAME...]       FOLDER/start.webp, drag.webp, ...; all, or those named
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { copy_sample, Eye, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";

const folder = resolve(process.argv[2]), wanted = process.argv.slice(3);
mkdirSync(folder, { recursive: true });
const size = { width: 1280, height: 800 }, sharpness = 2;

const work = work_folder();
for (const name of ["sumo.glb", "elephant.glb"]) copy_sample(name, work.folder);
const browser = await start_browser();
let studio, eye;

// As on a screen with a graphics card: all pixels, shadows, something to mirror.
async function look_well() {
  await eye.page.evaluate(() => {
    const { view } = window.sinew.studio;
    view.light_room(true);
    view.set_quality(0);
    view.adapt = () => {};
    document.querySelector("#play-bar .load").style.visibility = "hidden"; // so many pixels are slow without such a card
  });
}

// Drawn twice as fine and brought back to the window's size: edges become smooth, and files small.
async function take(name) {
  await sleep(1.2);
  const shot = await eye.page.screenshot({ timeout: 120_000 }); // so many pixels take long without a graphics card
  const small = await browser.newPage();
  const data = await small.evaluate(async ([base64, sharp]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width / sharp, image.height / sharp), context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.86 })).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  }, [shot.toString("base64"), sharpness]);
  await small.close();
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, "base64"));
  console.log(name);
}

async function open(file, window = size) {
  await eye?.page.context().close();
  await studio?.stop();
  studio = await start_studio(work.folder, ...(file ? [file] : []));
  const context = await browser.newContext({ viewport: window, deviceScaleFactor: sharpness, colorScheme: "dark" });
  eye = new Eye();
  eye.page = await context.newPage();
  await eye.page.goto(studio.address);
  await eye.page.waitForFunction(() => window.sinew);
  if (!file) return;
  await eye.character();
  await eye.until(() => !window.sinew.server.work, null, 60);
  await sleep(1);
  await look_well();
  await sleep(2);
}
const ask = (command) => eye.page.evaluate((asked) => window.sinew.studio.connection.ask(asked), command);
const see = (part) => eye.page.evaluate((change) => window.sinew.change(change), part);
async function at_time(clip, time) {
  await ask({ do: "play", clip });
  await ask({ do: "pause" });
  await ask({ do: "scrub", time });
  await sleep(2.5);
}
const frame = () => eye.page.keyboard.press("f");
async function hold(rest, way) {
  const from = await eye.vertex_on_screen(await eye.nearest(rest));
  await eye.drag(from, { x: from.x + way[0], y: from.y + way[1] });
  await sleep(2.5);
}

const scenes = {
  async start() {
    await open(null);
    await sleep(1);
    await take("start");
  },
  async drag() {
    await open("sumo.glb");
    await at_time("", 0);
    await frame();
    await sleep(1);
    await eye.page.fill('#tool-card input.number[aria-label="Hand"]', "9");
    await eye.page.keyboard.press("Enter");
    await hold([0.2, 1.02, 0.4], [130, 20]);
    await take("drag");
    await eye.page.mouse.up();
  },
  async heat() {
    await open("elephant.glb");
    await ask({ do: "play", clip: "jump", speed: 0.25 });
    await see({ shown: "heat" });
    await eye.panel("look");
    await sleep(7);
    await take("heat");
  },
  async both() {
    await open("sumo.glb");
    await ask({ do: "play", clip: "run_jump", speed: 0.1 });
    await see({ shown: "both" });
    await sleep(9);
    await take("both");
  },
  async compare() {
    await open("sumo.glb");
    await ask({ do: "play", clip: "run_jump", speed: 0.1 });
    await ask({ do: "beside", method: "linear" });
    await eye.page.waitForSelector(".beside-label:not([hidden])");
    await frame();
    await sleep(8);
    await take("compare");
    await ask({ do: "beside" });
  },
  async anatomy() {
    await open("sumo.glb");
    await at_time("", 0);
    await see({ shown: "anatomy", wireframe: true });
    await take("anatomy");
  },
  async pose() {
    await open("sumo.glb");
    await ask({ do: "play", clip: "" });
    await ask({ do: "pause" });
    await sleep(2.5); // angles are those of the moment at which a joint is chosen
    await eye.tool(8);
    await eye.page.selectOption("#tool-card select", { label: "upper_arm_l" });
    const s = Math.sin(0.45), c = Math.cos(0.45);
    const joint = (await eye.state("character")).joints.findIndex(({ name }) => name === "forearm_l");
    await ask({ do: "pose", joints: { [joint]: [0, -s, 0, c] } });
    await sleep(2.5);
    await take("pose");
    await ask({ do: "unpose" });
  },
  async tune() {
    await open("sumo.glb");
    await at_time("stomp", 0.6);
    await eye.panel("tune");
    await ask({ do: "set", path: "look", value: "lively" });
    await ask({ do: "set", path: "joints", value: [{ joints: "belly", stiffness: 0.5, damping: 0.8 }] });
    await sleep(2);
    await take("tune");
    await ask({ do: "reset" });
  },
  async shape() {
    await open("sumo.glb");
    await at_time("stomp", 0.6);
    await eye.panel("shape");
    await ask({ do: "add_shape", preset: "breathing" });
    await eye.page.click('.rig button:has-text("Breathing")');
    await see({ tool: "shape" });
    await eye.page.waitForSelector(".samples img:not([hidden])", { timeout: 120_000 });
    await eye.page.click('[data-sample="1"]');
    await eye.page.waitForSelector(".rehearsed", { timeout: 240_000 });
    await take("shape");
    await ask({ do: "edit_shape", name: "breathing", rig: null });
  },
  async paint() {
    await open("sumo.glb");
    await at_time("", 0);
    await frame();
    await eye.tool(9);
    await sleep(1.5);
    await eye.page.check("#tool-card >> text=Mirror");
    for (const [value, points] of [["0.25", [[0.14, 1.25, 0.3], [0.2, 1.1, 0.36], [0.14, 0.95, 0.4]]], ["4", [[0.3, 0.5, 0.1], [0.3, 0.35, 0.1]]]]) {
      const number = await eye.page.$('#tool-card .row:has-text("Value") input.number');
      await number.fill(value);
      await number.press("Enter");
      const places = [];
      for (const point of points) places.push(await eye.vertex_on_screen(await eye.nearest(point)));
      await eye.page.mouse.move(places[0].x, places[0].y);
      await eye.page.mouse.down();
      for (const place of places) await eye.page.mouse.move(place.x, place.y, { steps: 6 });
      await eye.page.mouse.up();
      await sleep(2);
    }
    await take("paint");
    await ask({ do: "undo" });
    await ask({ do: "undo" });
  },
  async keep() {
    await open("sumo.glb");
    await ask({ do: "play", clip: "head_shake" });
    await eye.panel("keep");
    await sleep(1);
    await frame();
    await eye.page.keyboard.press("r");
    await sleep(0.6);
    await hold([0.3, 1.0, 0.3], [90, 10]);
    await eye.page.mouse.up();
    await sleep(0.6);
    await eye.page.keyboard.press("r");
    await eye.until(() => window.sinew.server.takes.length > 0);
    await eye.page.click("#keep button.main");
    await eye.until(() => window.sinew.server.outputs.length > 0, null, 200);
    await sleep(7);
    await take("keep");
  },
  async narrow() {
    await open("sumo.glb", { width: 390, height: 800 });
    await at_time("", 0);
    await frame();
    await sleep(1);
    await hold([0.2, 1.02, 0.4], [70, -10]);
    await take("narrow");
    await eye.page.mouse.up();
  },
};

try {
  for (const [name, scene] of Object.entries(scenes))
    if (wanted.length === 0 || wanted.includes(name)) await scene();
} finally {
  await browser.close();
  await studio?.stop();
  work.remove();
}
