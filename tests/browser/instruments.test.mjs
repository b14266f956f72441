// Instruments that are put on a character in a real browser: rings, and colliders that hang on joints. Each test goes on
// where the one before ended.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { copy_sample, Eye, sleep, start_browser, start_studio, work_folder } from "./driver.mjs";
import { scenes } from "./scenes.mjs";

const work = work_folder();
let studio, browser, eye;

before(async () => {
  browser = await start_browser();
  copy_sample("sumo.glb", work.folder);
  studio = await start_studio(work.folder, "sumo.glb");
  eye = await Eye.open(browser, studio.address);
  await eye.character();
  await ask({ do: "play", clip: "" });
  await ask({ do: "set", path: "tetrahedra", value: 2000 });
});
after(async () => {
  await browser?.close();
  await studio?.stop();
  work.remove();
});

const scene = scenes(() => eye);
const ask = (command) => eye.page.evaluate((sent) => window.sinew.studio.connection.ask(sent), command);
const setting = (key) => eye.page.evaluate((name) => structuredClone(window.sinew.server.settings.find((one) => one.key === name).value), key);
const choose_tool = (name) => eye.page.click(`#tools button[aria-label="${name}"]`);
const card = (text) => eye.page.click(`#tool-card button >> text="${text}"`);
// Types a number into a row of the tool's card.
const type_number = async (label, value) => {
  const field = eye.page.locator(`#tool-card input.number[aria-label="${label}"]`);
  await field.fill(String(value));
  await field.press("Enter");
};
// Draws a closed line through points of the world.
const draw_around = async (points) => {
  const places = [];
  for (const point of points) places.push(await eye.on_screen(point));
  await eye.page.mouse.move(places[0].x, places[0].y);
  await eye.page.mouse.down();
  for (const { x, y } of [...places.slice(1), places[0]]) await eye.page.mouse.move(x, y, { steps: 2 });
  await eye.page.mouse.up();
};

scene("a line around the waist makes a ring there", async () => {
  await choose_tool("Ring");
  await eye.page.click('#tool-card label:has-text("Draw around")');
  await draw_around([[-0.6, 1.0, 0.2], [-0.6, 1.08, 0.2], [0.6, 1.08, 0.2], [0.6, 1.0, 0.2]]);
  await eye.until(() => window.sinew.rings.girth() !== null);
  const [belt] = await setting("belts");
  assert.ok(Math.abs(belt.point[1] - 1.04) < 0.04, `it is at ${belt.point}`);
  assert.ok(Math.abs(belt.normal[1]) > 0.97, `it is across ${belt.normal}`);
  await sleep(1);
  await eye.picture("ring");
});

scene("a ring that is tightened has the girth that is asked for, and is undone", async () => {
  // Tetrahedra of 6 cm, whose vertices near the bone are not free, follow a ring that is drawn in by 9 cm to a centimetre.
  await type_number("Length", 90);
  await eye.until(() => Math.abs(window.sinew.rings.girth().now / window.sinew.rings.girth().rest - 0.9) < 0.006);
  await eye.picture("ring tight");
  await eye.page.keyboard.press("Escape");
  await ask({ do: "undo" });
  await eye.until(() => Math.abs(window.sinew.rings.girth().now / window.sinew.rings.girth().rest - 1) < 0.01);
  await ask({ do: "redo" });
});

scene("a ring is dragged along the trunk, and removed", async () => {
  const before = (await setting("belts"))[0];
  const from = await eye.page.evaluate(() => {
    const { view, character } = window.sinew.studio, { points } = window.sinew.rings.drawing(0);
    const eye_at = view.camera.position;
    const near = points.reduce((a, b) => (eye_at.distanceTo(eye_at.clone().set(...a)) < eye_at.distanceTo(eye_at.clone().set(...b)) ? a : b));
    return character && view.on_screen(eye_at.clone().set(...near));
  });
  await eye.drag(from, { x: from.x, y: from.y - 40 });
  await eye.page.mouse.up();
  await eye.until((y) => window.sinew.server.settings.find((one) => one.key === "belts").value[0].point[1] > y + 0.05, before.point[1]);
  assert.equal((await setting("belts"))[0].size, before.size);
  await card("Remove it");
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "belts").value.length === 0);
});

// Deepest place of the skin in a sphere or capsule, metres, and the vertex there; negative: outside.
const deepest_in = (collider) => eye.page.evaluate(({ from, to, radius }) => {
  const { positions } = window.sinew.studio.character.frame, axis = to.map((x, k) => x - from[k]), squared = axis.reduce((sum, x) => sum + x * x, 0);
  let deepest = -Infinity;
  for (let v = 0; v < positions.length; v += 3) {
    const p = [0, 1, 2].map((k) => positions[v + k] - from[k]);
    const t = squared > 0 ? Math.min(1, Math.max(0, p.reduce((sum, x, k) => sum + x * axis[k], 0) / squared)) : 0;
    deepest = Math.max(deepest, radius - Math.hypot(...p.map((x, k) => x - t * axis[k])));
  }
  return deepest;
}, { from: collider.from ?? collider.centre, to: collider.to ?? collider.centre, radius: collider.radius });
// Until the skin stays outside of a collider, but for 2 mm.
const pushed_out = async (place) => {
  let outside = 0, deepest = Infinity;
  for (let looks = 0; looks < 24 && outside < 4; ++looks) {
    await eye.frames(5);
    deepest = await deepest_in(await place());
    outside = deepest < 2e-3 ? outside + 1 : 0;
  }
  assert.equal(outside, 4, `${deepest} m inside`);
};
const joint_named = (name) => eye.page.evaluate((wanted) => window.sinew.server.character.joints.findIndex((joint) => joint.name === wanted), name);
const joint_place = (joint) => eye.page.evaluate((k) => [...window.sinew.studio.character.frame.joint.subarray(12 * k + 9, 12 * k + 12)], joint);
// Where a joint carries a point of the default pose now.
const carried = (name, point) => eye.page.evaluate(([joint, at]) => {
  const motion = window.sinew.colliders.motion_of(joint), place = window.sinew.studio.view.camera.position.clone().set(...at);
  return place.applyMatrix4(motion).toArray();
}, [name, point]);

scene("a sphere hangs on the joint that is clicked, and the flesh stays outside", async () => {
  await choose_tool("Collider");
  const at = await eye.on_screen(await joint_place(await joint_named("spine")));
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "colliders").value.length === 1);
  assert.equal((await setting("colliders"))[0].joint, "spine");
  await type_number("Radius", 8);
  // Before the belly, and into it by some centimetres.
  const [{ centre }] = await setting("colliders"), height = await eye.page.evaluate(() => window.sinew.studio.height);
  const belly = await eye.position(await eye.nearest([0, centre[1], 2]));
  await type_number("Z", (100 * (belly[2] + 0.08 * height - 0.05 - centre[2])) / height);
  await eye.until((z) => window.sinew.server.settings.find((one) => one.key === "colliders").value[0].centre[2] > z + 0.1, centre[2]);
  await eye.away_from(await eye.nearest(belly), belly, 0.02);
  await pushed_out(async () => (await setting("colliders"))[0]);
  await eye.picture("collider");
});

scene("it moves with the joint, and the flesh stays outside there too", async () => {
  const spine = await joint_named("spine"), [sphere] = await setting("colliders"), was = await carried("spine", sphere.centre);
  await ask({ do: "pose", joints: { [spine]: [0, Math.sin(0.2), 0, Math.cos(0.2)] } });
  await eye.until(([place]) => {
    const now = window.sinew.studio.view.camera.position.clone().set(...place.centre).applyMatrix4(window.sinew.colliders.motion_of("spine")).toArray();
    return Math.hypot(...now.map((x, k) => x - place.was[k])) > 0.05;
  }, [{ centre: sphere.centre, was }]);
  await pushed_out(async () => ({ ...sphere, centre: await carried("spine", sphere.centre) }));
  await eye.picture("collider posed");
  await ask({ do: "unpose" });
});

scene("a capsule, a box and a plane hang on joints, are drawn larger, and all is undone", async () => {
  const undone = await eye.page.evaluate(() => window.sinew.server.history.undo);
  for (const [text, joint] of [["Capsule", "forearm_l"], ["Box", "head"], ["Plane", "foot_l"]]) {
    await eye.page.click(`#tool-card .words button >> text="${text}"`);
    const number = await joint_named(joint);
    assert.ok(number >= 0, joint);
    const at = await eye.on_screen(await joint_place(number)), count = (await setting("colliders")).length;
    await eye.page.mouse.click(at.x, at.y);
    await eye.until((more) => window.sinew.server.settings.find((one) => one.key === "colliders").value.length === more, count + 1);
    const last = (await setting("colliders"))[count];
    assert.deepEqual([last.shape, last.joint], [text.toLowerCase(), joint]);
  }
  await eye.picture("colliders");
  for (const tool of ["Ball", "Wall", "Collider"]) await choose_tool(tool); // no tool has handles for all shapes
  await eye.page.click("#canvas", { position: { x: 5, y: 300 } });
  await eye.undo_to(undone);
  assert.equal((await setting("colliders")).length, 1);
  await eye.page.selectOption('#tool-card select[aria-label="Collider"]', "0");
  await card("Remove it");
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "colliders").value.length === 0);
});

scene("skin is attached to another joint, the ball is dragged, and all is undone", async () => {
  await choose_tool("Attach");
  await eye.page.selectOption('#tool-card select[aria-label="Joint"]', "head");
  // The colliders have just left the settings; the flesh that they pushed aside may not know yet, and stand still.
  const vertex = await eye.nearest([0, 1.05, 2]);
  await eye.back_at(vertex, await eye.page.evaluate((k) => [...window.sinew.studio.character.surface.rest.subarray(3 * k, 3 * k + 3)], vertex), 0.01, 50);
  const belly = await eye.settled(vertex);
  const at = await eye.on_screen(belly), undone = await eye.page.evaluate(() => window.sinew.server.history.undo);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(() => window.sinew.server.settings.find((one) => one.key === "grabs").value.length === 1);
  const [grab] = await setting("grabs");
  assert.equal(grab.joint, "head");
  assert.ok(Math.hypot(...grab.to.map((x, k) => x - belly[k])) < 0.02, `${grab.to} and ${belly}`);
  // Up and sideways by a few centimetres; the skin follows.
  await eye.drag(at, { x: at.x + 12, y: at.y - 12 });
  await eye.page.mouse.up();
  await eye.until((y) => window.sinew.server.settings.find((one) => one.key === "grabs").value[0].to[1] > y + 0.01, grab.to[1]);
  await eye.away_from(vertex, belly, 0.01);
  await eye.picture("attachment");
  await eye.page.keyboard.press("Escape");
  await eye.undo_to(undone);
  assert.equal((await setting("grabs")).length, 0);
});

scene("a handle of mixed elements is put on the belly and dragged; the skin follows, and all is undone", async () => {
  await ask({ do: "method", name: "mixed" });
  await ask({ do: "set", path: "tetrahedra", value: 2000 });
  await choose_tool("Handle");
  const count = () => window.sinew.handles.list.length;
  const vertex = await eye.nearest([0, 1.0, 2]), belly = await eye.position(vertex), at = await eye.on_screen(belly);
  await eye.page.mouse.click(at.x, at.y);
  await eye.until(count);
  await eye.until(() => window.sinew.handles.place(0) !== null);
  const [{ kind, joint }] = await eye.page.evaluate(() => structuredClone(window.sinew.handles.list));
  assert.equal(kind, "point");
  assert.ok(joint, "a joint carries it");
  const held = await eye.settled(vertex), place = await eye.page.evaluate(() => window.sinew.handles.place(0)), from = await eye.on_screen(place);
  await eye.drag(from, { x: from.x + 30, y: from.y - 45 });
  await eye.picture("handle dragged");
  await eye.page.mouse.up();
  await eye.away_from(vertex, held, 0.04);
  const skin = await eye.settled(vertex), led = await eye.page.evaluate(() => window.sinew.handles.place(0));
  const moved = led.map((x, k) => x - place[k]), followed = skin.map((x, k) => x - held[k]);
  assert.ok(Math.hypot(...moved) > 0.05, `the handle moved by ${moved}`);
  assert.ok(Math.hypot(...moved.map((x, k) => x - followed[k])) < 0.02, `the skin moved by ${followed}, the handle by ${moved}`);
  await ask({ do: "undo" }); // the whole drag
  await eye.until(([v, [x, y, z]]) => {
    const { positions } = window.sinew.studio.character.frame;
    return Math.hypot(positions[3 * v] - x, positions[3 * v + 1] - y, positions[3 * v + 2] - z) < 1e-3;
  }, [vertex, held]);
  await eye.page.keyboard.press("Delete");
  await eye.until(() => window.sinew.handles.list.length === 0);
});

scene("a preset of a part sets of joints what the method has: mixed elements have no damping", async () => {
  await eye.panel("tune");
  await eye.page.click('#tune .part:has-text("Belly") button:has-text("firmer")');
  await eye.until(() => window.sinew.server.settings.find(({ key }) => key === "joints").value.length > 0);
  const [entry] = (await eye.state("settings")).find(({ key }) => key === "joints").value;
  assert.equal(entry.stiffness, 2.5);
  assert.equal(entry.damping, undefined);
  assert.deepEqual(await eye.errors(), []);
  await ask({ do: "undo" });
});
