// How long it takes from the pointer's event until the page has positions that contain its effect, in a real browser:
//
//   node latency.mjs [FILE] [SECONDS]        median and 95th percentile in milliseconds, beside those of a plain question
import { copyFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Eye, samples, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";

const file = resolve(process.argv[2] ?? join(samples, "sumo.glb")), seconds = Number(process.argv[3] ?? 8);
const work = work_folder();
copyFileSync(file, join(work.folder, basename(file)));
const studio = await start_studio(work.folder, basename(file));
const browser = await start_browser();
try {
  const eye = await Eye.open(browser, studio.address, { width: 800, height: 600 });
  await eye.character();
  await eye.until(() => !window.sinew.server.work, null, 60);
  await sleep(3);
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
  const echo = await eye.page.evaluate(async () => {
    const times = [];
    for (let k = 0; k < 200; ++k) {
      const asked = performance.now();
      await window.sinew.studio.connection.ask({ do: "show" });
      times.push(performance.now() - asked);
      await new Promise((done) => setTimeout(done, 10));
    }
    return times.sort((a, b) => a - b);
  });
  const { hands, vertices, behind, milliseconds } = await eye.page.evaluate(() => ({
    hands: window.sinew.latencies(), vertices: window.sinew.server.character.vertices,
    behind: window.sinew.studio.character.frame.behind, milliseconds: window.sinew.studio.view.milliseconds,
  }));
  const figure = (value) => value.toFixed(1).padStart(6);
  console.log(`${basename(file)}: ${vertices} vertices, ${hands?.count ?? 0} movements, a picture each ${milliseconds.toFixed(0)} ms, behind by ${behind.toFixed(2)} s`);
  console.log(`hand to positions  median ${figure(hands?.median ?? NaN)} ms   95 % ${figure(hands?.high ?? NaN)} ms`);
  console.log(`plain question     median ${figure(echo[100])} ms   95 % ${figure(echo[190])} ms`);
} finally {
  await browser.close();
  await studio.stop();
  work.remove();
}
