// Entry point of the page: creates its parts and connects them.
import { floats_of } from "./connection/base64.ts";
import { buffers_of, centre_of, load_character } from "./scene/character.ts";
import { Cells } from "./scene/cells.ts";
import { add_check_list } from "./bars/check_list.ts";
import { Compare, wants_measures } from "./bars/compare.ts";
import { Connection } from "./connection/connection.ts";
import { by_id, fill, element } from "./widgets/dom.ts";
import { CurvesPanel } from "./curves/curves_panel.ts";
import { add_learn_model, learned } from "./bars/learn_model.ts";
import { add_learn_inside, learned_inside } from "./bars/learn_inside.ts";
import { baked } from "./bars/bakes.ts";
import { add_takes_and_bakes } from "./bars/takes_and_bakes.ts";
import { add_keyboard_hand } from "./tools/keyboard_hand.ts";
import { add_keyboard } from "./tools/keyboard.ts";
import { came, latencies } from "./connection/latency.ts";
import { add_body_label } from "./bars/body_label.ts";
import { add_motion_card } from "./bars/motion_card.ts";
import { NextLine } from "./bars/next_line.ts";
import { Lattices } from "./lattice/lattice.ts";
import { notice } from "./widgets/notices.ts";
import { add_paint } from "./tools/paint.ts";
import { add_panels } from "./widgets/panels.ts";
import { PlayBar } from "./bars/play_bar.ts";
import { Plots } from "./widgets/plots.ts";
import { add_pose } from "./tools/pose.ts";
import type { ServerEvent, State } from "./connection/protocol.ts";
import { Rigging } from "./rigging/rigging.ts";
import { add_shapes } from "./bars/shapes.ts";
import { add_handle_tool } from "./tools/handle.ts";
import { add_muscle_tool } from "./tools/muscles.ts";
import { add_ring_tool } from "./tools/ring.ts";
import { add_shape_tool } from "./tools/shape.ts";
import { add_start_screen } from "./bars/start_screen.ts";
import { page, type PageState, server, setting_value } from "./state.ts";
import { Studio } from "./studio.ts";
import { ColliderList } from "./tools/collider_list.ts";
import { add_colliders } from "./tools/colliders.ts";
import { add_attachments } from "./tools/attachment.ts";
import { add_hung_colliders } from "./tools/hung_colliders.ts";
import { add_toolbar } from "./bars/toolbar.ts";
import { add_steering } from "./tools/steering.ts";
import { Tools } from "./tools/tools.ts";
import { add_top_bar, show_legend } from "./bars/top_bar.ts";
import { add_loads } from "./tools/loads.ts";
import { add_knock } from "./tools/knock.ts";
import { add_touch } from "./tools/touch.ts";
import { add_theme } from "./widgets/theme.ts";
import { add_tune } from "./bars/tune.ts";
import { View } from "./scene/view.ts";
import type { DrawnFrame } from "./connection/worker_messages.ts";

let view: View;
try {
  view = new View(by_id("canvas") as HTMLCanvasElement);
} catch {
  by_id("link").hidden = false;
  fill(by_id("link"), "This browser has no WebGL 2, which the studio draws with: switch on hardware acceleration, or take another browser.");
  throw new Error("no WebGL");
}
const connection = new Connection();
const studio = new Studio(view, connection);
const tools = new Tools(studio);

add_panels();
add_top_bar(studio);
const play_bar = new PlayBar(studio);
add_tune(studio);
add_shapes(studio);
add_takes_and_bakes(studio);
add_motion_card(studio);
add_learn_model(studio);
add_learn_inside(studio);
const curves = new CurvesPanel(studio);
const plots = new Plots(studio);
const cells = new Cells(studio);
const compare = new Compare(studio);
const next_line = new NextLine(studio);
add_body_label(studio);
add_check_list(studio, (found) => next_line.checked(found));
let show_options = () => {};
add_loads(studio, tools);
add_touch(studio, tools);
add_knock(studio, tools, () => show_options());
const colliders = new ColliderList(studio, new Set(["ball", "wall", "collider"]));
add_colliders(studio, tools, colliders, () => show_options());
add_pose(studio, tools, () => show_options());
add_shape_tool(studio, tools);
const limb = add_paint(studio, tools, () => show_options());
add_hung_colliders(studio, tools, colliders, () => show_options());
const rings = add_ring_tool(studio, tools, () => show_options());
const attachments = add_attachments(studio, tools, () => show_options());
const handles = add_handle_tool(studio, tools, () => show_options());
const muscles = add_muscle_tool(studio, tools, () => show_options());
show_options = add_toolbar(tools);
add_steering(studio);
add_keyboard_hand(studio, tools);
add_keyboard(studio, tools, play_bar, next_line);
add_theme((theme) => view.set_theme(theme));
add_start_screen(studio);
const rigging = new Rigging(studio);
const lattices = new Lattices(studio);
tools.start();

// ---- display options, which decide what frames must contain

function show() {
  const { shown, wireframe, tool, picked, needs_goal } = page.value, painting = tool === "paint";
  const { character } = studio;
  character?.show(shown, wireframe, painting);
  connection.want({
    dressed: painting || character?.wants_plain() ? null : shown === "rig" ? "goal" : "flesh",
    plain: character?.wants_plain() ?? false, ghost: shown === "both" && !painting,
  });
  if (character && page.value.link === "up")
    connection.tell({
      do: "show", heat: shown === "heat" && !painting, goal: shown === "both" || shown === "rig" || needs_goal || page.value.panel === "look", measures: wants_measures(), cells: page.value.cells, muscles: muscles.shown,
      ...(picked ? { picked } : {}),
    });
  if ((shown === "anatomy" || shown === "depth") && !painting) void show_field(shown);
  show_legend(painting ? "flesh" : shown, 0);
  view.need_picture();
}
page.watch(["shown", "wireframe", "tool", "panel", "picked", "needs_goal", "cells", "muscles"], show);
server.watch(["beside", "muscles"], () => show());

async function show_field(name: "anatomy" | "depth") {
  const of = studio.character;
  try {
    const { values } = await connection.ask<{ values: string }>({ do: "channel", name });
    if (of !== studio.character || page.value.shown !== name || page.value.tool === "paint") return;
    studio.character?.show_field(floats_of(values), name === "anatomy");
    show_legend(name, studio.character?.field_most() ?? 0);
    view.need_picture();
  } catch (error) {
    notice((error as Error).message, "error");
  }
}
server.watch(["settings", "method"], () => {
  const { shown } = page.value;
  if (studio.character && (shown === "anatomy" || shown === "depth") && page.value.tool !== "paint") void show_field(shown);
});

// ---- the character

let loading = 0; // number of the character
let loads = 0; // counts attempts; only the last one matters
async function load() {
  const wanted = server.value.character;
  if (!wanted) {
    loading = 0;
    ++loads;
    studio.character?.dispose();
    studio.character = null;
    page.change({ start_open: !server.value.rigging });
    view.need_picture();
    return;
  }
  if (loading === wanted.number) return;
  loading = wanted.number;
  const load = ++loads;
  try {
    const number = { number: wanted.number };
    const loaded = await load_character(wanted.number, connection.address("/character.glb", number), connection.address("/surface", number), wanted.metres_per_unit);
    if (load !== loads || !loaded) return; // without one: the message of the next character is on its way
    compare.end();
    studio.character?.dispose();
    studio.character = loaded;
    studio.size = wanted.height;
    page.change({ picked: null, start_open: wanted.look }); // the start screen stays over a sample that plays behind it
    if (waiting_frame) connection.drawn(buffers_of(waiting_frame));
    waiting_frame = null;
    first = true;
    loaded.group.visible = false; // until it has a frame
    if (loaded.missing_pictures.length > 0)
      notice(`${loaded.missing_pictures.length === 1 ? "A texture" : `${loaded.missing_pictures.length} textures`} could not be read (${loaded.missing_pictures.slice(0, 3).join(", ")}); the character is drawn without.`);
    view.add(loaded.group);
    connection.character(wanted.number, loaded.dressed_clusters, loaded.plain_clusters);
    show();
  } catch (error) {
    if (load !== loads) return;
    loading = 0;
    notice(`The character could not be shown: ${(error as Error).message}`, "error");
  }
}

// ---- frames

let waiting_frame: DrawnFrame | null = null, first = true;
connection.on_frame = (frame) => {
  came(frame.ref, frame.received);
  if (waiting_frame) spare.push(...buffers_of(waiting_frame)); // a newer one came before this was drawn
  waiting_frame = frame;
};
let spare: ArrayBuffer[] = []; // memory to return to the worker
let taken = false;
view.before_picture.unshift(() => {
  const frame = waiting_frame, { character } = studio;
  if (!frame) return;
  waiting_frame = null;
  if (!character || frame.character !== character.number) {
    connection.drawn(spare.splice(0));
    return;
  }
  spare.push(...character.take(frame));
  taken = true;
  if (first) {
    first = false;
    character.group.visible = server.value.lattice === null;
    const set = setting_value("ground"), low = character.box.min.y;
    view.set_size(studio.height, typeof set === "number" ? set : Math.abs(low) < 0.05 * studio.height ? 0 : low);
    view.frame(character.box, true, character.looks_back);
    setTimeout(() => view.light_room(), 300);
  }
  view.shade_ground(frame.positions, character.box);
  view.follow(centre_of(character.box), tools.busy);
  if (page.value.shown === "heat" && page.value.tool !== "paint") show_legend("heat", frame.heat_scale);
  cells.frame(frame);
  muscles.frame(frame);
  compare.frame(frame);
  play_bar.frame(frame);
  plots.frame(frame);
  curves.frame(frame);
  view.need_picture();
});
view.after_picture.push(() => {
  if (!taken) return;
  taken = false;
  connection.drawn(spare.splice(0));
});

// ---- events of the server

server.watch(["failed"], () => {
  if (server.value.failed) notice(server.value.failed, "error");
});

connection.on_event = (event: ServerEvent) => {
  switch (event.event) {
    case "state":
      server.change(event.state);
      if (!event.state.character && !event.state.rigging) page.change({ start_open: true });
      break;
    case "changed": {
      const { event: _, ...some } = event;
      server.change(some as Partial<State>);
      break;
    }
    case "progress":
      server.change({ work: event.share >= 1 ? null : { what: event.what, activity: event.activity, share: event.share } });
      break;
    case "baked":
      baked(event.command, event.files.map((file) => file.name));
      notice(`Baked in ${event.seconds.toFixed(1)} s: ${event.files.map((file) => file.name).join(", ")}. It is under Keep.`, "done");
      break;
    case "learned":
      learned(event);
      notice(`Learned in ${event.seconds.toFixed(0)} s: ${event.files[0]?.name}. It is under Keep.`, "done");
      break;
    case "learned_inside":
      learned_inside(event);
      notice(`Learned in ${event.seconds.toFixed(0)} s: ${event.files[0]?.name}. It is under Keep.`, "done");
      break;
    case "curves": curves.begin(event); break;
    case "curve_frames": curves.add(event); break;
    case "failed": notice(event.error, "error");
  }
};
connection.on_error = (sentence) => notice(sentence, "error");
connection.on_link = (link, program, error) => {
  page.change({ link, program: program ?? page.value.program });
  if (link === "up") {
    // After a restart of the program, the same number may be another character.
    loading = 0;
    void load();
    show();
  }
  const bar = by_id("link");
  bar.hidden = link === "up";
  fill(bar, element("span", {}, link === "refused" ? error ?? "The studio's program does not speak with this page."
    : "The studio's program is not there. Start it again, and this page goes on by itself. Nothing is lost."));
};
server.watch(["character"], () => page.value.link === "up" && void load());

// State of the page, for tests and debugging.
Object.assign(window, { sinew: { studio, rigging, lattices, rings, attachments, handles, muscles, colliders, cells, curves, limb, page: page.value, server: server.value, latencies, change: (some: Partial<PageState>) => page.change(some) } });

connection.start();
