// What is begun on the page besides opening and baking, in a real browser: a mesh that falls as a free body, and a model
// that is learned from the flesh, played and dragged.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { copy_sample, Eye, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

before(async () => {
  browser = await start_browser();
  for (const name of ["duck.obj", "tube.glb"]) copy_sample(name, work.folder);
  studio = await start_studio(work.folder, "duck.obj");
  eye = await Eye.open(browser, studio.address);
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);

scene("a mesh without joints falls to the floor of its box", async () => {
  await eye.until(() => window.sinew.rigging.scene !== null);
  await eye.page.click("#rig-card >> text=Let it fall");
  await eye.character();
  assert.equal((await eye.state("character")).name, "duck.free.glb");
  const head = await eye.nearest([0, 0.24, 0.06]);
  await eye.until(({ vertex }) => window.sinew.studio.character.frame.positions[3 * vertex + 1] < 0, { vertex: head });
  const low = await eye.settled(head);
  assert.ok(low[1] < -0.2 && low[1] > -1, `the head lies at ${low[1]} m`);
  await eye.picture("free body");
});

scene("a hand lifts it, and it falls again", async () => {
  const head = await eye.nearest([0, 0.24, 0.06]);
  const before = await eye.position(head);
  await eye.page.evaluate(async ({ at }) => {
    const { connection } = window.sinew.studio;
    await connection.ask({ do: "grab", name: "hand", at: { rest: [0, 0.24, 0.06] } });
    await connection.ask({ do: "drag", name: "hand", target: [at[0], at[1] + 0.4, at[2]] });
  }, { at: before });
  await eye.until(({ vertex, y }) => window.sinew.studio.character.frame.positions[3 * vertex + 1] > y + 0.25, { vertex: head, y: before[1] });
  await eye.picture("free body held");
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "release", name: "hand" }));
  await eye.until(({ vertex, y }) => window.sinew.studio.character.frame.positions[3 * vertex + 1] < y + 0.1, { vertex: head, y: before[1] });
});

scene("a model is learned from the flesh, with progress, and plays under the hand", async () => {
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "open", path: "tube.glb" }));
  await eye.until(() => window.sinew.server.character?.name === "tube.glb");
  await eye.character();
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "set", path: "tetrahedra", value: 300 }));
  await eye.panel("keep");
  await eye.page.selectOption('#keep select[aria-label="From"]', "shake");
  await eye.page.click("#keep button:text-is('Learn')");
  await eye.page.waitForSelector("#keep .progress");
  await eye.until(() => document.querySelector("#keep .learned"), null, 75);
  assert.match(await eye.page.textContent("#keep .learned"), /follows \d+ %/);
  assert.ok(existsSync(join(work.folder, "tube.sinew")));
  await eye.page.click("#keep .learned button:text-is('Play it')");
  await eye.until(() => window.sinew.server.method.name === "surface");
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "play", clip: "" }));
  await eye.frames(3);
  const side = await eye.nearest([0, 0.75, 0.1]), rest = await eye.position(side);
  await eye.page.evaluate(async ({ at }) => {
    const { connection } = window.sinew.studio;
    await connection.ask({ do: "grab", name: "hand", at: { rest: [0, 0.75, 0.1] } });
    await connection.ask({ do: "drag", name: "hand", target: [at[0], at[1], at[2] + 0.1] });
  }, { at: rest });
  await eye.away_from(side, rest, 0.02);
  await eye.picture("learned model");
  await eye.page.evaluate(() => window.sinew.studio.connection.ask({ do: "release", name: "hand" }));
  await eye.page.click("#keep .learned button:text-is('Back to flesh')");
  await eye.until(() => window.sinew.server.method.name === "flesh");
});
