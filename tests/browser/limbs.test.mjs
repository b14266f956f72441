// A field along a limb in a real browser: a curve is dragged, the flesh follows, and undo gives the project's bytes back.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { copy_sample, Eye, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

before(async () => {
  browser = await start_browser();
  copy_sample("tube.glb", work.folder);
  // A coarse body, so that nothing takes long.
  writeFileSync(join(work.folder, "tube.studio.json"), JSON.stringify({
    "sinew studio project": 1, character: "tube.glb", method: "flesh", paint: {}, pose: { joints: {} }, takes: [], settings: { flesh: { tetrahedra: 300 } },
  }));
  studio = await start_studio(work.folder, "tube.glb");
  eye = await Eye.open(browser, studio.address);
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);
const ask = (command) => eye.page.evaluate((sent) => window.sinew.studio.connection.ask(sent), command);
// The project once it is on disk.
async function project() {
  await sleep(1.2);
  return readFileSync(join(work.folder, "tube.studio.json"), "utf8");
}

scene("stiffness is drawn along a limb, the flesh follows, and undo gives the project back", async () => {
  await eye.character();
  await ask({ do: "play", clip: "" });
  await ask({ do: "gravity", value: [30, 0, 0] });
  await ask({ do: "set", path: "density", value: 1001 });
  await sleep(2); // until the flesh hangs still
  const side = await eye.nearest([0.1, 0.75, 0]), before = await eye.settled(side), saved = await project();
  await eye.page.click('#tools button[aria-label="Paint"]');
  await eye.page.click('#tool-card .words button >> text="Along a limb"');
  await eye.until(() => window.sinew.limb.edited.to === "upper" && document.querySelector("#limb-plot")?.clientWidth > 0);
  await eye.page.evaluate(() => new Promise(requestAnimationFrame));
  const place = (at, value) => eye.page.evaluate(([at, value]) => {
    const box = document.getElementById("limb-plot").getBoundingClientRect(), [x, y] = window.sinew.limb.place_of(at, value);
    return { x: box.left + x, y: box.top + y };
  }, [at, value]);
  await eye.drag(await place(0.7, 1), await place(0.75, 0.15), 5);
  await eye.page.mouse.up();
  await eye.until(() => window.sinew.server.limbs?.[0]?.keys[1][1] < 0.3);
  await eye.away_from(side, before, 0.003);
  await eye.picture("along a limb");
  const [curve] = await eye.state("limbs");
  assert.deepEqual([curve.field, curve.from, curve.to, curve.keys.length], ["stiffness", "lower", "upper", 3]);
  await ask({ do: "undo" });
  await eye.until(() => window.sinew.server.limbs?.length === 0);
  await eye.back_at(side, before, 0.002);
  assert.equal(await project(), saved);
});
