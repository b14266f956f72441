// The panel of force rigs: sliders for their controls, rigs on and off, and presets to add.
import { by_id, element, fill } from "../widgets/dom.ts";
import type { ShapeControl, ShapePreset } from "../connection/protocol.ts";
import { check_row, number_row } from "../widgets/rows.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

const title_of = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

export function add_shapes(studio: Studio) {
  const panel = by_id("shape"), controls = element("section"), rigs = element("section"), presets = element("section");
  panel.append(controls, rigs, presets);
  let busy = "";

  const control_row = (control: ShapeControl) => {
    const tell = (value: number | null) => void studio.do({ do: "shape", control: control.name, value });
    return number_row({
      label: title_of(control.name), help: control.posed ? "Held here in place of the pose" : "Held here in place of its keys",
      least: control.least, most: control.most, value: control.value ?? 0, known: control.value !== null,
      ...(control.value === null ? { stands_for: control.posed ? "the pose" : "its keys" } : {}), reset: null, undo: () => tell(null), change: (value) => tell(value),
    });
  };
  const show_controls = () => {
    const { shapes, character } = server.value;
    controls.hidden = rigs.hidden = !character || !shapes;
    if (!shapes) return;
    fill(controls, element("h2", {}, "Controls"), ...shapes.controls.map(control_row));
    fill(rigs, element("h2", {}, "Rigs"),
      ...shapes.rigs.map((rig) => check_row(title_of(rig.name), "Whether its forces push the flesh", rig.share > 0,
        (on) => void studio.do({ do: "shape", rig: rig.name, value: on ? 1 : 0 }))));
  };
  const add = async ({ name: preset, on_skin }: ShapePreset) => {
    busy = preset;
    show_presets();
    const { picked } = page.value;
    await studio.do({ do: "add_shape", preset, ...(picked && on_skin ? { at: picked } : {}) });
    busy = "";
    show_presets();
  };
  const show_presets = () => {
    const { character, method } = server.value, able = character !== null && method.name === "flesh";
    fill(presets, element("h2", {}, "Add"),
      element("p", { class: "about" }, "Forces that push the flesh. What they shape swings and settles; undo takes a rig off again."),
      element("div", { class: "presets" }, ...server.value.presets.map((preset) =>
        element("button", { title: preset.help, disabled: !able || busy !== "", onclick: () => void add(preset) },
          busy === preset.name ? "Making it …" : title_of(preset.name)))),
      !able && character !== null && element("p", { class: "about" }, "Force rigs need the method Flesh."));
  };
  let names = "";
  server.watch(["shapes", "character"], () => {
    // Rows stay while a slider of theirs is dragged.
    const { shapes } = server.value;
    const now = JSON.stringify([shapes?.controls.map((one) => [one.name, one.least, one.most, one.posed, one.value === null]), shapes?.rigs]);
    if (now !== names) show_controls();
    names = now;
  });
  server.watch(["presets", "character", "method"], show_presets);
}
