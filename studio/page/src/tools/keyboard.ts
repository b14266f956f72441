// Keyboard shortcuts, and the list of them.
import { by_id, element, fill } from "../widgets/dom.ts";
import { open_clips } from "../bars/clip_list.ts";
import { counting, stop_countdown, toggle_record } from "../bars/record.ts";
import { recording } from "../recording.ts";
import { type PlayBar, toggle_loop, toggle_play } from "../bars/play_bar.ts";
import type { NextLine } from "../bars/next_line.ts";
import { end_steering } from "./steering.ts";
import { notice } from "../widgets/notices.ts";
import { page, server, shown_ways } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { Tools } from "./tools.ts";

interface Key { keys: string; says: string; when: (event: KeyboardEvent) => boolean; run: () => void }

function step_in_history(studio: Studio, way: "undo" | "redo") {
  if (recording()) return notice("Stop recording first (R); then what you changed can be undone.");
  void studio.step_in_history(way, "note"); // it is not an error if nothing is left
}

export function add_keyboard(studio: Studio, tools: Tools, play_bar: PlayBar, next_line: NextLine) {
  const plain = (...keys: string[]) => (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey && keys.includes(event.key);
  const command = (key: string, shift: boolean) => (event: KeyboardEvent) =>
    (event.ctrlKey || event.metaKey) && event.shiftKey === shift && event.key.toLowerCase() === key;
  const cycle = () => {
    const next = (shown_ways.indexOf(page.value.shown) + 1) % shown_ways.length;
    page.change({ shown: shown_ways[next] });
  };
  const size = (by: number) => {
    const slider = [...document.querySelectorAll<HTMLInputElement>("#tool-card input[type=range]")].find((one) =>
      /Radius|Size|Hand/.test(one.getAttribute("aria-label") ?? ""));
    if (!slider) return;
    slider.value = String(Number(slider.value) + by);
    slider.dispatchEvent(new Event("input"));
    slider.dispatchEvent(new Event("change"));
  };
  const keys: Key[] = [
    { keys: "Space", says: "play and pause", when: plain(" "), run: () => toggle_play(studio) },
    { keys: "← →", says: "a frame back, a frame on", when: plain("ArrowLeft"), run: () => play_bar.step(-1) },
    { keys: "", says: "", when: plain("ArrowRight"), run: () => play_bar.step(1) },
    { keys: "↑ ← →", says: "walk and turn while steered (Motion), with Shift run", when: () => false, run: () => {} },
    { keys: "Home", says: "to the clip's beginning", when: plain("Home"), run: () => play_bar.to_start() },
    { keys: "I, O", says: "plays from here, plays to here", when: plain("i", "I"), run: () => play_bar.mark("in") },
    { keys: "", says: "", when: plain("o", "O"), run: () => play_bar.mark("out") },
    { keys: "N", says: "search the clips", when: plain("n", "N"), run: () => open_clips() },
    { keys: "L", says: "loop", when: plain("l", "L"), run: () => toggle_loop(studio) },
    { keys: "1 … 9", says: "choose a tool", when: (event) => plain("1", "2", "3", "4", "5", "6", "7", "8", "9")(event), run: () => {} },
    { keys: "F", says: "frame the character", when: plain("f", "F"), run: () => studio.character && studio.view.frame(studio.character.box, false) },
    { keys: "T", says: "turntable", when: plain("t", "T"), run: () => page.change({ turntable: !page.value.turntable }) },
    { keys: "V", says: "flesh, rig, both, heat, anatomy, depth", when: plain("v", "V"), run: cycle },
    { keys: "W, C, G", says: "wireframe, cells of the body, ground", when: plain("w", "W"), run: () => page.change({ wireframe: !page.value.wireframe }) },
    { keys: "", says: "", when: plain("g", "G"), run: () => page.change({ grid: !page.value.grid }) },
    { keys: "", says: "", when: plain("c", "C"), run: () => page.change({ cells: !page.value.cells }) },
    { keys: "[ ]", says: "a smaller, a larger brush or hand", when: plain("["), run: () => size(-40) },
    { keys: "", says: "", when: plain("]"), run: () => size(40) },
    { keys: "R", says: "record a take, stop recording", when: plain("r", "R"), run: () => toggle_record(studio) },
    { keys: "Ctrl+Z", says: "undo", when: command("z", false), run: () => step_in_history(studio, "undo") },
    { keys: "Ctrl+Shift+Z", says: "redo", when: (event) => command("z", true)(event) || command("y", false)(event), run: () => step_in_history(studio, "redo") },
    { keys: "Esc", says: "let go; close", when: plain("Escape"), run: () => escape() },
    { keys: "Tab", says: "to the character: arrows move a hand, Enter presses and lets go", when: () => false, run: () => {} },
    { keys: "Alt", says: "with a drag: look around, also over the character", when: () => false, run: () => {} },
    { keys: "H", says: "what to do next: show, hide", when: plain("h", "H"), run: () => next_line.switch() },
    { keys: "?", says: "these keys", when: plain("?"), run: () => by_id("keys").toggleAttribute("hidden") },
  ];
  const escape = () => {
    tools.cancel();
    if (counting()) stop_countdown();
    else if (!by_id("keys").hidden) by_id("keys").hidden = true;
    else if (server.value.play.steered) void end_steering(studio);
    else if (page.value.start_open && (server.value.character || server.value.rigging)) page.change({ start_open: false });
    else if (page.value.motion_open) page.change({ motion_open: false });
    else page.change({ selected_joint: -1, placing: "", pairing: false });
  };

  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches("input[type=text], input[type=search], select, textarea");
    if (typing && !(event.ctrlKey || event.metaKey) && event.key !== "Escape") return;
    // Buttons and sliders keep the keys that operate them.
    if (target.matches("button, summary") && (event.key === " " || event.key === "Enter")) return;
    if (target.matches("input[type=range], [role=radio]") && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && /^[1-9]$/.test(event.key)) {
      page.change({ tool: tools.names()[Number(event.key) - 1] ?? page.value.tool });
      return;
    }
    const found = keys.find((key) => key.when(event));
    if (!found) return;
    event.preventDefault();
    found.run();
  });
  // A button that was clicked gives up focus, so that the space bar plays.
  addEventListener("pointerup", () => {
    const active = document.activeElement;
    if (active instanceof HTMLButtonElement || (active instanceof HTMLInputElement && active.type === "range")) active.blur();
  });

  // So do selections and check boxes.
  addEventListener("change", (event) => {
    if (event.target instanceof HTMLSelectElement || (event.target instanceof HTMLInputElement && event.target.type === "checkbox")) event.target.blur();
  });

  const list = by_id("keys");
  fill(list, element("h2", {}, "Keys"), element("dl", {}, ...keys.filter((key) => key.keys).flatMap(({ keys: name, says }) =>
    [element("dt", {}, name), element("dd", {}, says)])));
  by_id("help").addEventListener("click", () => list.toggleAttribute("hidden"));
  list.addEventListener("click", () => (list.hidden = true));
}
