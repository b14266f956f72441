// The panel of force rigs: sliders for their controls, the rigs with an editor of the chosen one, and what can be added.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import type { ShapeControl, ShapePreset } from "../connection/protocol.ts";
import { number_row } from "../widgets/rows.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { choose_rig, title_of } from "../tools/rigs.ts";
import { FitTarget } from "./fit_target.ts";
import { Rehearsal } from "./rehearsal.ts";
import { RigEditor } from "./rig_editor.ts";
import { Transfer } from "./transfer.ts";

export function add_shapes(studio: Studio) {
  const panel = by_id("shape"), controls = element("section"), rigs = element("section"), presets = element("section");
  const editor = new RigEditor(studio);
  panel.append(controls, rigs, editor.section, new Rehearsal(studio).section, presets, new FitTarget(studio).section, new Transfer(studio).section);
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
    controls.hidden = !character || !shapes;
    if (shapes) fill(controls, element("h2", {}, "Controls"), ...shapes.controls.map(control_row));
  };
  const rig_row = (name: string, template: string) => {
    const share = server.value.shapes?.rigs.find((rig) => rig.name === name)?.share ?? 1, chosen = page.value.rig === name;
    const box = element("input", { type: "checkbox", checked: share > 0, title: "Whether its forces push the flesh", "aria-label": title_of(name),
      onchange: () => void studio.do({ do: "shape", rig: name, value: box.checked ? 1 : 0 }) });
    return element("div", { class: chosen ? "rig on" : "rig" }, box,
      element("button", { class: "quiet", title: chosen ? "Close its editor" : "Edit this rig", "aria-pressed": String(chosen),
        onclick: () => choose_rig(chosen ? "" : name) }, element("span", {}, title_of(name)), element("span", { class: "unit" }, template)),
      element("button", { class: "quiet", title: `Remove ${title_of(name)}`, "aria-label": `Remove ${title_of(name)}`,
        onclick: () => void studio.do({ do: "edit_shape", name, rig: null }) }, icon(icons.trash)));
  };
  const show_rigs = () => {
    rigs.hidden = server.value.rigs.length === 0;
    fill(rigs, element("h2", {}, "Rigs"), ...server.value.rigs.map((rig) => rig_row(rig.name, rig.template)));
  };
  const add = async ({ name: preset, on_skin }: ShapePreset) => {
    busy = preset;
    show_presets();
    const { picked } = page.value;
    // The bench sizes the pieces of a preset together.
    await studio.on_bench({ do: "add_shape", preset, ...(picked && on_skin ? { at: picked } : {}) });
    busy = "";
    show_presets();
  };
  const show_presets = () => {
    const { character, method } = server.value, able = character !== null && method.name === "flesh", { placing } = page.value;
    fill(presets, element("h2", {}, "Add"),
      element("p", { class: "about" }, "Forces that push the flesh. What they shape swings and settles; undo takes a rig off again."),
      element("div", { class: "presets" }, ...server.value.presets.map((preset) =>
        element("button", { title: preset.help, disabled: !able || busy !== "", onclick: () => void add(preset) },
          busy === preset.name ? "Making it …" : title_of(preset.name)))),
      element("p", { class: "about" }, placing ? "Click the skin where it shall push; Esc lets it be." : "Or a single force, which you place on the skin:"),
      element("div", { class: "presets" }, ...["bump", "bulge", "radial", "torus"].map((kind) =>
        element("button", { title: template_help[kind], disabled: !able, class: placing === kind ? "on" : "",
          onclick: () => page.change(placing === kind ? { placing: "" } : { placing: kind, tool: "shape" }) }, title_of(kind)))),
      !able && character !== null && element("p", { class: "about" }, "Force rigs need the method Flesh."));
  };

  let controls_now = "", rigs_now = "";
  server.watch(["shapes", "rigs", "character"], () => {
    // Rows stay while a slider of theirs is dragged.
    const { shapes } = server.value;
    const controls_next = JSON.stringify(shapes?.controls.map((one) => [one.name, one.least, one.most, one.posed, one.value === null]) ?? null);
    if (controls_next !== controls_now) show_controls();
    controls_now = controls_next;
    if (page.value.rig && !server.value.rigs.some((rig) => rig.name === page.value.rig)) choose_rig("");
    const rigs_next = JSON.stringify([server.value.rigs.map((rig) => [rig.name, rig.template]), shapes?.rigs]);
    if (rigs_next !== rigs_now) show_rigs();
    rigs_now = rigs_next;
  });
  page.watch(["rig"], show_rigs);
  page.watch(["placing"], show_presets);
  server.watch(["presets", "character", "method"], show_presets);
}

const template_help: Record<string, string> = {
  bump: "Pushes the skin outwards; a negative amount presses it in",
  bulge: "Swells around an axis and shortens along it, as a muscle does",
  radial: "Swells in all directions",
  torus: "Swells a ring; a negative amount opens it",
};
