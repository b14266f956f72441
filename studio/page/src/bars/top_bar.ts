// The top bar: character, method and display; undo and redo.
import { by_id, css_legend, element, fill, icon } from "../widgets/dom.ts";
import { css_gradient, depth_stops, heat_stops, kind_colours, length_text } from "../scene/colours.ts";
import { icons } from "../widgets/icons.ts";
import type { FilesReply } from "../connection/protocol.ts";
import { recording } from "../recording.ts";
import { page, type PageState, server, type Shown } from "../state.ts";
import type { Studio } from "../studio.ts";
import { words } from "../widgets/rows.ts";

const ways: { word: Shown; text: string; help: string }[] = [
  { word: "flesh", text: "Flesh", help: "The character with its flesh (V)" },
  { word: "rig", text: "Rig", help: "The character as its rig alone has it" },
  { word: "both", text: "Both", help: "Flesh, and the rig as a ghost around it" },
  { word: "heat", text: "Heat", help: "How far the flesh is from the rig" },
  { word: "anatomy", text: "Anatomy", help: "What is flesh, what bone, what rigid" },
  { word: "depth", text: "Depth", help: "How deep the flesh is over the bone" },
];

// Values of the channel `anatomy`.
export const anatomy_names = ["flesh", "skull", "rigid", "sheet"];

export function add_top_bar(studio: Studio) {
  const file = by_id("file"), method = by_id("method"), shown = by_id("shown"), toggles = by_id("toggles"), keeps = by_id("undo");

  file.addEventListener("click", () => page.change({ start_open: true }));
  server.watch(["character", "rigging"], () => {
    const { character, rigging } = server.value;
    fill(file, icon(icons.open), element("span", {}, character?.name ?? rigging?.name ?? "Open a character"));
    file.title = character
      ? `${character.name}: ${length_text(character.height)} high, ${character.vertices} vertices. Click to open another one`
      : "Open a character";
    document.title = character ? `${character.name} · Sinew studio` : "Sinew studio";
  });
  // Lists files beside the character. Each model of a method that needs one is listed as a method of its own.
  let files: { name: string; path: string }[] = [];
  const show_methods = () => {
    const { character, method: now } = server.value;
    const options = (character?.methods ?? []).flatMap(({ name, what, models: ending }) => !ending ? [{ name, what, model: "", text: name }]
      : files.filter((file) => file.name.toLowerCase().endsWith(ending))
        .map((file) => ({ name, what, model: file.path, text: `${name}: ${file.name}` })));
    const chosen = options.findIndex(({ name, model }) => name === now.name && model === (now.model ?? ""));
    const select = element("select", { "aria-label": "Method", title: "How the flesh is computed", onchange: () => {
      const { name, model } = options[Number(select.value)];
      void studio.do({ do: "method", name, ...(model ? { model } : {}) }).then((well) => !well && show_methods());
    } }, ...options.map(({ what, text }, k) => element("option", { value: String(k), title: what, selected: k === chosen }, text)));
    fill(method, select);
  };
  server.watch(["method", "character"], show_methods);
  server.watch(["character", "outputs"], () => {
    if (!server.value.character?.methods.some(({ models }) => models)) return;
    studio.connection.ask<FilesReply & Record<string, unknown>>({ do: "files" }).then((reply) => {
      files = reply.files;
      show_methods();
    }, () => {});
  });

  page.watch(["shown"], () => {
    fill(shown, words<Shown>({ label: "Shown", help: "", words: ways, value: page.value.shown, change: (way) => page.change({ shown: way }) }));
  });

  const toggle = (key: keyof PageState & ("wireframe" | "turntable" | "follow" | "grid" | "cells" | "lattice"), path: string, title: string) => {
    const button = element("button", { title, "aria-label": title, class: "quiet", onclick: () => page.change({ [key]: !page.value[key] }) }, icon(path));
    page.watch([key], () => {
      button.classList.toggle("on", page.value[key]);
      button.setAttribute("aria-pressed", String(page.value[key]));
    });
    return button;
  };
  toggles.append(
    element("button", { class: "quiet", title: "Frame the character (F)", "aria-label": "Frame the character",
      onclick: () => studio.character && studio.view.frame(studio.character.box, false) }, icon(icons.fit)),
    toggle("turntable", icons.turn, "Turntable (T)"),
    toggle("follow", icons.follow, "The eye goes along"),
    toggle("wireframe", icons.wire, "Wireframe (W)"),
    toggle("cells", icons.cells, "Cells that the flesh moves in (C)"),
    toggle("lattice", icons.lattice, "Edit a control lattice for the flesh"),
    toggle("grid", icons.grid, "Ground grid (G)"),
  );

  // Shown whichever panel is open: actions go into a take now.
  const mark = element("span", { class: "recording", role: "status", title: "A take is being recorded: R stops it" }, "Recording");
  server.watch(["take"], () => {
    mark.hidden = !recording();
    document.body.classList.toggle("records", recording());
  });
  keeps.before(mark);

  const undo = element("button", { class: "quiet", "aria-label": "Undo", onclick: () => void studio.step_in_history("undo") }, icon(icons.undo));
  const redo = element("button", { class: "quiet", "aria-label": "Redo", onclick: () => void studio.step_in_history("redo") }, icon(icons.redo));
  keeps.append(undo, redo);
  server.watch(["history", "take"], () => {
    const { history } = server.value;
    undo.disabled = history.undo === 0 || recording();
    redo.disabled = history.redo === 0 || recording();
    undo.title = history.undo ? `Undo: ${history.what} (Ctrl+Z)` : "Nothing to undo";
    redo.title = history.redo ? `Redo${history.redo_what ? `: ${history.redo_what}` : ""} (Ctrl+Shift+Z)` : "Nothing to redo";
  });
}

// The colour legend, beside the character.
export function show_legend(shown: Shown, most: number) {
  const legend = by_id("legend");
  legend.hidden = shown !== "heat" && shown !== "anatomy" && shown !== "depth";
  if (shown === "heat" || shown === "depth")
    fill(legend, css_legend(css_gradient(shown === "heat" ? heat_stops : depth_stops), "0", length_text(most),
                            shown === "heat" ? "from the rig" : "of flesh"));
  else if (shown === "anatomy")
    fill(legend, ...anatomy_names.map((name, k) => element("span", { class: "kind" }, element("i", { style: `background:${kind_colours[k]}` }), name)));
}
