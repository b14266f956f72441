import { copy_sample, Eye, far, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
const work = work_folder();
process.on("uncaughtException", async (e) => { console.log(e.message); await studio?.stop(); process.exit(1); });
const browser = await start_browser();
copy_sample("sumo.glb", work.folder);
const studio = await start_studio(work.folder, "sumo.glb");
const eye = await Eye.open(browser, studio.address, { width: 1200, height: 760 });
await eye.character();
const ask = (command) => eye.page.evaluate((c) => window.sinew.studio.connection.ask(c), command);
await ask({ do: "pause" });
await eye.page.click('[data-panel="shape"]');
await eye.page.click('#shape button:has-text("Bump")');
const belly = await eye.nearest([0, 1.05, 0.42]);
const at = await eye.vertex_on_screen(belly);
await eye.page.mouse.click(at.x, at.y);
await sleep(6); await eye.page.screenshot({ path: "/tmp/pics/bump0.png" }); console.log(await eye.page.evaluate(() => [window.sinew.page.placing, window.sinew.page.tool, window.sinew.server.rigs.length, window.sinew.page.rig]), eye.complaints, await eye.notices());
await eye.page.waitForSelector('.rig-editor .samples', { timeout: 6_000 });
await sleep(2);
await eye.page.screenshot({ path: "/tmp/pics/bump.png" });
const rig = await eye.page.evaluate(() => structuredClone(window.sinew.server.rigs[0]));
delete rig.handle;
for (const [key, value] of [["radius", 0.3], ["displacement", 0.1], ["depth", 0.1], ["displacement", 0.11], ["displacement", 0.12]]) {
  rig.samples[1][key] = value; if (key !== "displacement") rig.samples[0][key] = value;
  const t = performance.now();
  const reply = await ask({ do: "edit_shape", name: rig.name, rig });
  console.log(key, value, reply.seconds, (performance.now() - t) / 1000);
}
for (const x of [0.1, 0.15, 0.2]) {
  const t = performance.now();
  await ask({ do: "move_shape", name: rig.name, to: { rest: [x, 1.05, 0.42] } });
  console.log("move", (performance.now() - t) / 1000);
}
await sleep(1);
await eye.page.screenshot({ path: "/tmp/pics/moved.png" });
for (const young of [3000, 5000]) { const t = performance.now(); await ask({ do: "set", path: "damping", value: young/20000 }); console.log("damping", (performance.now() - t) / 1000); }
console.log(eye.complaints, await eye.notices());
await browser.close(); await studio.stop(); work.remove();
