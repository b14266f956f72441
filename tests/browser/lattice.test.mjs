// A control lattice edited by hand in a real browser: each test goes on where the one before ended.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { copy_sample, Eye, far, program, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

before(async () => {
  browser = await start_browser();
  for (const name of ["sumo.glb", "tube.glb"]) copy_sample(name, work.folder);
  studio = await start_studio(work.folder, "sumo.glb");
  eye = await Eye.open(browser, studio.address, { width: 1100, height: 760 });
  await eye.character();
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);

const lattice = () => eye.state("lattice");
const shape = () => eye.page.evaluate(() => {
  const { positions, cells, faces, edges } = window.sinew.lattices.shape;
  return { positions: [...positions], cells, faces, edges };
});
const settled = () => eye.until(() => window.sinew.lattices.shape?.revision === window.sinew.server.lattice?.revision);
// The lattice's bytes as the server has them.
const bytes = async () => {
  const reply = await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "lattice_cells" }));
  delete reply.revision;
  delete reply.re;
  return JSON.stringify(reply);
};
const card = (text) => eye.page.click(`#lattice-card button >> text="${text}"`);
const place_of = ({ positions }, v) => positions.slice(3 * v, 3 * v + 3);
const on_screen = (point) => eye.page.evaluate((at) => {
  const { view } = window.sinew.studio, place = view.camera.position.clone().set(...at);
  return view.on_screen(place);
}, point);
// The vertex that is highest, and then nearest to the eye.
const top = ({ positions }) => {
  let best = 0;
  for (let v = 0; 3 * v < positions.length; ++v)
    if (positions[3 * v + 1] + 0.01 * positions[3 * v + 2] > positions[3 * best + 1] + 0.01 * positions[3 * best + 2]) best = v;
  return best;
};
let begun = "";

scene("a grid is put around the body, and its cells are seen", async () => {
  await eye.page.click('#toggles button[aria-label="Edit a control lattice for the flesh"]');
  await eye.page.waitForSelector("#lattice-card:not([hidden])");
  await card("Grid");
  await eye.until(() => window.sinew.lattices.shape !== null);
  await settled();
  const { cells, vertices, mirrored } = await lattice();
  assert.ok(cells > 50, `${cells} cells`);
  assert.equal(mirrored, vertices, "a grid is symmetric");
  assert.ok(await eye.page.isHidden("#play-bar"));
  begun = await bytes();
  await sleep(0.5);
  await eye.picture("lattice grid");
});

scene("a vertex is dragged on both sides with what is near, as one step", async () => {
  const was = await shape(), v = top(was), from = await on_screen(place_of(was, v));
  await eye.page.evaluate(() => (window.sinew.lattices.falloff = 0.35));
  await eye.drag(from, { x: from.x + 20, y: from.y - 30 });
  await eye.page.mouse.up();
  await eye.until(() => window.sinew.server.lattice.undo === 1);
  await settled();
  await sleep(0.3);
  await settled();
  const now = await shape();
  assert.ok(far(place_of(was, v), place_of(now, v)) > 0.02, "the vertex stays");
  const moved = now.positions.filter((x, k) => x !== was.positions[k]).length;
  assert.ok(moved > 9, `only ${moved} coordinates have changed`);
  const sum = now.positions.filter((_, k) => k % 3 === 0).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum) < 1e-3, "the sides differ");
  await eye.picture("lattice dragged");
});

scene("a layer is split, a cell grows on a face, and cells are deleted", async () => {
  const count = (await lattice()).cells, was = await shape();
  await eye.page.click("#lattice-card .words >> text=Edges");
  const v = top(was), edge = was.edges.findIndex(([a, b]) => (a === v || b === v) && Math.abs(was.positions[3 * a + 1] - was.positions[3 * b + 1]) > 0.05);
  const [a, b] = was.edges[edge].map((end) => place_of(was, end)), at = await on_screen(a.map((x, k) => (x + b[k]) / 2));
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.lattices.chosen.size === 1);
  await card("Split");
  await eye.until((cells) => window.sinew.server.lattice.cells > cells, count);
  await settled();
  const split = (await lattice()).cells;
  await eye.page.click("#lattice-card .words >> text=Faces");
  const head = await on_screen([0, 1.2, 0.1]);
  await eye.page.mouse.click(head.x, head.y);
  await eye.until(() => window.sinew.lattices.chosen.size === 1);
  await eye.picture("lattice face");
  await card("Add cells");
  await eye.until((cells) => window.sinew.server.lattice.cells > cells, split);
  await settled();
  const added = (await lattice()).cells;
  await eye.page.click("#lattice-card .words >> text=Cells");
  await eye.page.mouse.click(head.x, head.y);
  await eye.until(() => window.sinew.lattices.chosen.size === 1);
  await eye.page.keyboard.press("Delete");
  await eye.until((cells) => window.sinew.server.lattice.cells < cells, added);
  await settled();
});

scene("all of it is undone to identical bytes, and done again", async () => {
  const last = await bytes(), steps = (await lattice()).undo;
  assert.equal(steps, 4);
  for (let k = steps; k > 0; --k) {
    await eye.page.keyboard.press("Control+z");
    await eye.until((left) => window.sinew.server.lattice.undo === left, k - 1);
  }
  assert.equal(await bytes(), begun);
  for (let k = 0; k < steps; ++k) {
    await eye.page.keyboard.press("Control+Shift+z");
    await eye.until((done) => window.sinew.server.lattice.undo === done, k + 1);
  }
  assert.equal(await bytes(), last);
});

scene("a defect is listed, and a click shows its place", async () => {
  await eye.page.click("#lattice-card .words >> text=Vertices");
  const v = top(await shape());
  await eye.page.evaluate((vertex) => window.sinew.lattices.ask({ action: "move", vertices: [vertex], by: [0, -1.2, 0] }), v);
  await settled();
  await card("Check");
  await eye.page.waitForSelector("#lattice-card .faults li");
  const { usable, problems } = await eye.page.evaluate(() => window.sinew.lattices.problems);
  assert.equal(usable, false);
  assert.equal(problems[0].kind, "folded");
  await eye.page.click("#lattice-card .faults li button");
  await eye.until(() => window.sinew.lattices.problem !== null);
  await sleep(0.5);
  await eye.picture("lattice defect");
  await eye.page.keyboard.press("Control+z");
  await eye.until(() => window.sinew.server.lattice.undo === 4);
  await settled();
});

let count = 0; // cells of the automatic lattice

scene("the automatic lattice is edited", async () => {
  await card("Close");
  await eye.until(() => window.sinew.server.lattice === null);
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "open", path: "tube.glb" }));
  await eye.character();
  await eye.page.click('#toggles button[aria-label="Edit a control lattice for the flesh"]');
  await eye.page.evaluate(() => window.sinew.lattices.open("auto", 60));
  await eye.until(() => window.sinew.server.lattice !== null, null, 60);
  await settled();
  count = (await lattice()).cells;
  await eye.page.click("#lattice-card .words >> text=Cells");
  await eye.page.evaluate(() => window.sinew.lattices.change({ action: "split", cells: [0] }));
  await eye.until((cells) => window.sinew.server.lattice.cells > cells, count);
  await settled();
  await sleep(0.5);
  await eye.picture("lattice automatic");
});

scene("it plays, and is the one that the command line reads", async () => {
  await card("Use");
  await eye.until(() => window.sinew.server.lattice.used, null, 60);
  await card("Close");
  await eye.until(() => window.sinew.server.lattice === null);
  // Tetrahedra play until the lattice is cooked.
  const ask = () => eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "cells" }));
  let cells = await ask();
  for (const end = Date.now() + 60_000; cells.kind !== "lattice" && Date.now() < end; cells = await ask()) await sleep(0.1);
  assert.equal(cells.kind, "lattice");
  await eye.frames(3);
  assert.ok(cells.cells > count);
  await eye.page.evaluate(() => window.sinew.change({ cells: true }));
  await sleep(0.8);
  await eye.picture("lattice plays");
  const printed = execFileSync(program, ["lattice", "--check", "tube.studio.lattice.json", "--character", "tube.glb"], { cwd: work.folder }).toString();
  assert.match(printed, new RegExp(`${cells.cells} cells`));
  assert.ok(readFileSync(join(work.folder, "tube.studio.lattice.json"), "utf8").includes('"cells"'));
});
