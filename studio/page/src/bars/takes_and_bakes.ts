// The panel of takes, of bakes, and of the undo history.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import type { TakeState } from "../connection/protocol.ts";
import { check_row } from "../widgets/rows.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { show_bakes } from "./bakes.ts";
import { count_down, counts_down, toggle_record } from "./record.ts";

export function add_takes_and_bakes(studio: Studio) {
  const panel = by_id("keep");
  const takes = element("section"), bakes = element("section"), history = element("section");
  panel.append(takes, bakes, history);
  show_takes(studio, takes);
  show_bakes(studio, bakes);
  show_history(studio, history);
}

const shortest_take = 0.1; // seconds

function show_takes(studio: Studio, section: HTMLElement) {
  const row = (take: TakeState) => {
    const playing = server.value.take?.doing === "playing" && server.value.take.name === take.name;
    const name = element("input", { type: "text", class: "take-name", value: take.name, "aria-label": "Name of the take", spellcheck: false,
      onkeydown: (event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === "Enter") name.blur();
      },
      onchange: () => void studio.do({ do: "take", action: "rename", name: take.name, to: name.value.trim() || take.name }) });
    const slider = (label: string, title: string, at: number, changed: () => void) => element("input", { type: "range", min: "0",
      max: String(take.seconds), step: "0.01", value: String(at), "aria-label": `${label} of ${take.name}`, title,
      oninput: () => {
        begin.value = String(Math.min(Number(begin.value), take.seconds - shortest_take));
        end.value = String(Math.max(Number(end.value), shortest_take));
        length.textContent = `${Math.max(0, Number(end.value) - Number(begin.value)).toFixed(1)} s`;
      },
      onchange: changed });
    const trim = (part: { from?: number; seconds?: number }) => void studio.do({ do: "take", action: "trim", name: take.name, ...part });
    const begin = slider("Beginning", "Drag to the right to cut its beginning off", 0, () => trim({ from: Number(begin.value) }));
    const end: HTMLInputElement = slider("End", "Drag to the left to cut its end off", take.seconds, () => trim({ seconds: Number(end.value) }));
    const length = element("span", { class: "unit" }, `${take.seconds.toFixed(1)} s`);
    return element("li", { class: "take" },
      element("button", { class: "quiet", title: playing ? "Stop" : "Play it again", "aria-label": playing ? "Stop" : `Play ${take.name}`,
        onclick: () => void studio.do(playing ? { do: "take", action: "stop" } : { do: "take", action: "play", name: take.name }) },
        icon(playing ? icons.stop : icons.play)),
      name, element("span", { class: "trim" }, begin, end), length,
      element("button", { class: "quiet", title: "Delete", "aria-label": `Delete ${take.name}`,
        onclick: () => void studio.do({ do: "take", action: "delete", name: take.name }) }, icon(icons.trash)),
      element("small", {}, `${take.clip || "rest pose"}${take.begin > 0 ? ` from ${take.begin.toFixed(1)} s` : ""}, ${take.actions} ${take.actions === 1 ? "action" : "actions"}`));
  };
  const show = () => {
    const { take, takes, character } = server.value, recording = take?.doing === "recording", { counting } = page.value;
    fill(section, element("h2", {}, "Takes"),
      element("p", { class: "about" }, "Record what you do to the flesh; replay it, or bake it at full quality."),
      element("button", { class: recording || counting ? "record on" : "record", disabled: !character, title: "Record (R)",
        onclick: () => toggle_record(studio) }, icon(recording || counting ? icons.stop : icons.record),
        recording ? `Stop recording ${take.name}` : counting ? "Stop the countdown" : "Record a take"),
      check_row("Count to three before it begins", "Time to bring the hand to the character", counts_down(), count_down),
      element("ul", {}, ...takes.map(row)));
  };
  server.watch(["takes", "take", "character", "pose", "carried"], show);
  page.watch(["counting"], show);
  server.watch(["take"], () => server.value.take && page.change({ take_shown: server.value.take.name }));
}

function show_history(studio: Studio, section: HTMLElement) {
  server.watch(["history"], () => {
    const { history } = server.value;
    fill(section, element("h2", {}, "History"),
      element("p", { class: "about" },
        history.undo + history.redo === 0 ? "What you change can be undone here, step by step, also tomorrow."
          : `${history.undo} ${history.undo === 1 ? "step" : "steps"} to undo, ${history.redo} to redo. Everything is saved as you work.`),
      history.undo > 0 && element("p", {}, "Last: ", element("strong", {}, history.what)),
      element("div", { class: "buttons" },
        element("button", { disabled: history.undo === 0, onclick: () => void studio.step_in_history("undo") }, "Undo"),
        element("button", { disabled: history.redo === 0, onclick: () => void studio.step_in_history("redo") }, "Redo"),
        element("button", { disabled: history.undo === 0, title: "Back to how it was opened; Redo leads here again",
          onclick: () => void undo_all(studio) }, "Undo all")));
  });
}

async function undo_all(studio: Studio) {
  for (let steps = server.value.history.undo; steps > 0; --steps) if (!(await studio.step_in_history("undo"))) return;
}
