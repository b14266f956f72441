// The panel of takes, of bakes with their progress and command line, and of the undo history.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { free_name } from "../widgets/names.ts";
import { notice } from "../widgets/notices.ts";
import type { Output, TakeState } from "../connection/protocol.ts";
import { check_row, choice_row } from "../widgets/rows.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";

const forms = [
  { word: "glb", text: "glTF (.glb)" }, { word: "pc2", text: "Point cache (.pc2)" }, { word: "mdd", text: "Point cache (.mdd)" },
];
const rates = ["24", "25", "30", "60"];

export function bytes_text(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function add_takes_and_bakes(studio: Studio) {
  const panel = by_id("keep");
  const takes = element("section"), bakes = element("section"), history = element("section");
  panel.append(takes, bakes, history);
  show_takes(studio, takes);
  show_bakes(studio, bakes);
  show_history(studio, history);
}

export function toggle_record(studio: Studio) {
  const { take, takes } = server.value;
  void studio.do(take ? { do: "take", action: "stop" }
    : { do: "take", action: "record", name: free_name(takes.map((one) => one.name), "take") });
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
  server.watch(["takes", "take", "character", "pose", "carried"], () => {
    const { take, takes, character } = server.value, recording = take?.doing === "recording";
    fill(section, element("h2", {}, "Takes"),
      element("p", { class: "about" }, "Record what you do to the flesh; replay it, or bake it at full quality."),
      element("button", { class: recording ? "record on" : "record", disabled: !character, title: "Record (R)",
        onclick: () => toggle_record(studio) }, icon(recording ? icons.stop : icons.record),
        recording ? `Stop recording ${take.name}` : "Record a take"),
      element("ul", {}, ...takes.map(row)));
  });
}

interface Refused extends Error { in_the_way?: string[] } // files that a bake would replace

function show_bakes(studio: Studio, section: HTMLElement) {
  const wish = { what: "clip:", form: "glb", rate: "30", preview: true };
  let command = "";
  const bake = async () => {
    const { character } = server.value;
    if (!character) return;
    const [kind, name] = [wish.what.slice(0, wish.what.indexOf(":")), wish.what.slice(wish.what.indexOf(":") + 1)];
    const stem = character.name.replace(/\.[^.]*$/, ""), of = name || server.value.play.clip;
    const clean = `${stem}_${of || "rest"}`.replace(/[^\w.-]+/g, "_");
    try {
      const wanted = (replace: boolean) => studio.connection.ask<{ command?: string }>({
        do: "bake", replace, output: `${clean}.${wish.form}`, frames_per_second: Number(wish.rate),
        ...(kind === "take" ? { take: name } : of ? { clip: of } : {}), ...(wish.preview ? { preview: `${clean}.webp` } : {}),
      });
      const reply = await wanted(false).catch((error: Refused) => {
        const names = error.in_the_way;
        if (!names || !confirm(`${names.join(", ")}: there already, and not baked here. Replace ${names.length > 1 ? "them" : "it"}?`)) throw error;
        return wanted(true);
      });
      command = reply.command ?? "";
      show();
    } catch (error) {
      notice((error as Error).message, "error");
    }
  };
  const output = (one: Output) => element("li", {},
    element("a", { href: studio.connection.address(`/output/${encodeURIComponent(one.name)}`), download: one.name }, one.name),
    element("span", { class: "unit" }, bytes_text(one.bytes)));
  const show = () => {
    const { character, work, takes, play, outputs } = server.value, baking = work?.what === "baking";
    const whats = [
      ...(character?.clips ?? []).map((clip) => ({ word: `clip:${clip.name}`, text: `Clip ${clip.name}` })),
      ...takes.map((take) => ({ word: `take:${take.name}`, text: `Take ${take.name}` })),
    ];
    if (!whats.some(({ word }) => word === wish.what)) wish.what = whats.find(({ word }) => word === `clip:${play.clip}`)?.word ?? whats[0]?.word ?? "clip:";
    const picture = [...outputs].reverse().find(({ name }) => /\.(webp|png)$/.test(name));
    fill(section, element("h2", {}, "Bake"),
      choice_row({ label: "What", help: "A clip, or a take of what you did", words: whats, value: wish.what, change: (word) => (wish.what = word) }),
      choice_row({ label: "As", help: "The file that is written", words: forms, value: wish.form, change: (word) => (wish.form = word) }),
      choice_row({ label: "Frames/s", help: "The motion does not depend on it", words: rates.map((rate) => ({ word: rate, text: rate })),
        value: wish.rate, change: (word) => (wish.rate = word) }),
      check_row("A moving picture of it too", "An animation (.webp) of rig and flesh side by side", wish.preview, (on) => (wish.preview = on)),
      element("button", { class: "main", disabled: !character || Boolean(work), onclick: () => void bake() }, "Bake"),
      baking && element("div", { class: "progress" },
        element("progress", { max: 1, value: work.share }), element("span", {}, `${Math.round(100 * work.share)} % ${work.activity}`),
        element("button", { onclick: () => void studio.do({ do: "cancel" }) }, "Stop")),
      command ? command_line(command) : null,
      outputs.length > 0 && element("ul", { class: "outputs" }, ...outputs.map(output)),
      picture && !baking ? element("img", { class: "picture", alt: "What was baked", src: studio.connection.address(`/output/${encodeURIComponent(picture.name)}`) }) : null);
  };
  server.watch(["character", "work", "takes", "outputs"], show);
  baked = (text) => {
    command = text;
    show();
  };
}

// Called by main.ts when a bake has ended, with the equivalent command line.
export let baked: (command: string) => void = () => {};

function command_line(command: string): HTMLElement {
  return element("div", { class: "command" }, element("p", { class: "about" }, "The same from a terminal:"), element("code", {}, command),
    element("button", { class: "quiet", title: "Copy", "aria-label": "Copy the command",
      onclick: () => void navigator.clipboard.writeText(command).then(() => notice("The command is copied.", "done")) }, icon(icons.copy)));
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
        element("button", { disabled: history.undo === 0, onclick: () => void studio.do({ do: "undo" }) }, "Undo"),
        element("button", { disabled: history.redo === 0, onclick: () => void studio.do({ do: "redo" }) }, "Redo"),
        element("button", { disabled: history.undo === 0, title: "Back to how it was opened; Redo leads here again",
          onclick: () => void undo_all(studio) }, "Undo all")));
  });
}

async function undo_all(studio: Studio) {
  for (let steps = server.value.history.undo; steps > 0; --steps) if (!(await studio.do({ do: "undo" }))) return;
}
