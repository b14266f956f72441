// The card beside a mesh that gets a rig: what can be done with its joints, and its way out as a rigged character.
import { by_id, element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { check_row, choice_row, number_row, words } from "../widgets/rows.ts";
import { server } from "../state.ts";
import type { Rigging, RigMode } from "./rigging.ts";

const titles: Record<string, string> = { biped: "Biped", quadruped: "Quadruped", fish: "Fish", bird: "Bird" };

const free_name = (mesh: string) => `${mesh.replace(/\.[^.]*$/, "")}.free.glb`;
export const rigged_name = (mesh: string) => `${mesh.replace(/\.[^.]*$/, "")}.rigged.glb`;

function hint(rigging: Rigging): string {
  const { joints, weights } = rigging.state!;
  if (joints.length === 0) return "Click the body to place the first joint, the root. It stands in the middle between where you look in and out.";
  if (rigging.turning) return weights === "found" ? "Click a joint and turn it: the skin follows." : "The weights are being found …";
  if (rigging.mode === "paint") return rigging.chosen ? `Paint: the skin follows ${rigging.chosen} more; less with Ctrl. Weights stay sums of one.` : "Choose the joint whose weights you paint.";
  if (rigging.inserting) return `Click where the joint above ${rigging.chosen} is to be.`;
  return rigging.chosen
    ? `Click the body for a child of ${rigging.chosen}. Drag a joint to move it; Shift-click another one for a bone to it.`
    : "Click a joint to go on from there, or drag it. Drag beside the body to look around.";
}

// Asks for a file beside the mesh, and whether it may replace one.
async function write(rigging: Rigging, asked: { do: "save_rig"; output: string; open: boolean } | { do: "let_fall"; output: string }, replace = false): Promise<void> {
  try {
    const { file } = await rigging.studio.connection.ask<{ file?: string }>({ ...asked, replace });
    if (file) notice(`Saved as ${file}, beside the mesh.`, "done");
  } catch (error) {
    const way = (error as Error & { in_the_way?: string[] }).in_the_way;
    if (way && confirm(`${way.join(", ")} is there already. Replace it?`)) return write(rigging, asked, true);
    notice((error as Error).message, "error");
  }
}

const save = (rigging: Rigging, output: string, open: boolean) => write(rigging, { do: "save_rig", output, open });

function rows_of_joint(rigging: Rigging): HTMLElement[] {
  const { joints } = rigging.state!, chosen = rigging.chosen;
  const select = choice_row<string>({ label: "Joint", help: "The chosen joint", value: chosen, change: (name) => rigging.choose(name),
    words: [{ word: "", text: "Choose a joint" }, ...joints.map(({ name }) => ({ word: name, text: name }))] });
  if (!chosen) return [select];
  const name = element("input", { type: "text", class: "take-name", value: chosen, "aria-label": "Name of the joint", spellcheck: false,
    onkeydown: (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === "Enter") name.blur();
    },
    onchange: () => {
      const to = name.value.trim();
      void rigging.edit({ action: "rename", name: chosen, to }).then(() => rigging.state?.joints.some((joint) => joint.name === to) && rigging.choose(to));
    } });
  return [select, element("div", { class: "row choice" }, element("span", { class: "name" }, "Name"), name, element("span")),
    element("div", { class: "buttons" },
      element("button", { class: rigging.inserting ? "on" : "", title: "The next click puts a joint between this one and its parent",
        onclick: () => ((rigging.inserting = !rigging.inserting), rigging.show()) }, "Insert above"),
      element("button", { title: "Delete the joint; its children go to its parent (Delete)", onclick: () => void rigging.remove() }, "Delete"))];
}

function way_out(rigging: Rigging): HTMLElement {
  const state = rigging.state!, ready = state.weights === "found";
  const name = element("input", { type: "text", class: "take-name", value: rigged_name(state.name), "aria-label": "Name of the rigged file", spellcheck: false,
    onkeydown: (event: KeyboardEvent) => event.stopPropagation() });
  return element("div", { class: "way-out" },
    element("div", { class: "row choice" }, element("span", { class: "name" }, "File"), name, element("span")),
    element("div", { class: "buttons" },
      element("button", { disabled: !ready, title: "Save the rigged character beside the mesh", onclick: () => void save(rigging, name.value, false) }, "Save"),
      element("button", { class: "main", disabled: !ready, title: "Save it and give it flesh", onclick: () => void save(rigging, name.value, true) }, "Flesh")),
    element("div", { class: "buttons" },
      element("button", { title: "No joints: the mesh falls as a whole, is tossed, bounces (a free body in a box)",
        onclick: () => void write(rigging, { do: "let_fall", output: free_name(state.name) }) }, "Let it fall")));
}

// Placing joints: options, mirroring, templates.
function rows_of_placing(rigging: Rigging): HTMLElement[] {
  const { joints, ...state } = rigging.state!;
  return [
    check_row("Snap to the middle of the body", "A dragged joint goes to the middle between front and back (not while Ctrl is down)", rigging.snap, (on) => (rigging.snap = on)),
    check_row("Both sides move", "Moves the joint of the other side too, mirrored", rigging.both, (on) => (rigging.both = on)),
    choice_row<string>({ label: "Mirror", help: "The plane that mirrors: across x for a body that looks along z", value: state.mirror === "z" ? "z" : "x",
      words: [{ word: "x", text: "left and right (x)" }, { word: "z", text: "left and right (z)" }], change: (axis) => void rigging.edit({ action: "mirror", axis }) }),
    element("div", { class: "buttons" },
      element("button", { disabled: joints.length === 0, title: "Give joints beside the middle partners on the other side, named left and right",
        onclick: () => void rigging.edit({ action: "mirror" }) }, "Mirror"),
      element("button", { disabled: joints.length === 0, onclick: () => void rigging.edit({ action: "clear" }) }, "Clear"),
      element("button", { disabled: state.undo === 0, title: "Ctrl+Z", onclick: () => void rigging.studio.step_in_history("undo") }, "Undo"),
      element("button", { disabled: state.redo === 0, title: "Ctrl+Shift+Z", onclick: () => void rigging.studio.step_in_history("redo") }, "Redo")),
    element("div", { class: "buttons templates" }, element("span", { class: "unit" }, "Begin with"),
      ...state.templates.map((name) => element("button", { title: `Some twenty joints of a ${name}, to adjust`,
        onclick: () => void rigging.edit({ action: "template", to: name }) }, titles[name] ?? name))),
  ];
}

// Correcting weights.
function rows_of_brush(rigging: Rigging): HTMLElement[] {
  const { brush, chosen, state } = rigging;
  return [
    words<"add" | "smooth">({ label: "Brush", help: "", value: brush.action,
      words: [{ word: "add", text: "Add", help: "More of the chosen joint, less of the others; with Ctrl less of it" }, { word: "smooth", text: "Smooth", help: "Towards the mean of the neighbours" }],
      change: (word) => (brush.action = word) }),
    number_row({ label: "Radius", unit: "%", least: 0.5, most: 25, value: 100 * brush.radius, reset: 6, help: "Of the mesh's longest side", change: (value) => (brush.radius = value / 100) }),
    number_row({ label: "Strength", unit: "%", least: 1, most: 100, value: 100 * brush.strength, reset: 20, help: "Weight that a touch adds in the middle", change: (value) => (brush.strength = value / 100) }),
    ...(chosen ? [check_row(`Lock ${chosen}`, "The brush leaves its weights as they are", rigging.locked.has(chosen), (on) => {
      if (on) rigging.locked.add(chosen);
      else rigging.locked.delete(chosen);
    })] : []),
    element("div", { class: "buttons" },
      element("button", { title: "The right side gets the weights of the left", onclick: () => void rigging.paint({ action: "mirror" }) }, "Mirror weights"),
      element("button", { disabled: state!.painted === 0, title: "Back to the automatic weights", onclick: () => void rigging.paint({ action: "clear" }) }, "Automatic"),
      element("button", { disabled: state!.undo === 0, title: "Ctrl+Z", onclick: () => void rigging.studio.step_in_history("undo") }, "Undo")),
    element("p", { class: "unit" }, state!.painted > 0 ? `${state!.painted} vertices corrected by hand.` : ""),
  ];
}

// Without the axis and the place, which a click shows.
const short = (sentence: string) => sentence.replace(/, turned by .*?\): /, ": ").replace(/ at \([^()]*\) m\.$/, "");

function report(rigging: Rigging): HTMLElement[] {
  const { faults } = rigging;
  const button = element("button", { disabled: rigging.state!.weights !== "found", title: "Turns every joint by 60° and lists where the skin collapses, stretches or follows the wrong bone",
    onclick: () => void rigging.check() }, "Check the weights");
  if (!faults) return [button];
  if (faults.length === 0) return [button, element("p", { class: "unit note" }, "No fault when joints turn by 60°.")];
  return [button, element("ol", { class: "faults" }, ...faults.map((fault) =>
    element("li", {}, element("button", { class: "quiet", title: fault.text, onclick: () => void rigging.show_fault(fault) }, short(fault.text)))))];
}

export function show_rig_card(rigging: Rigging) {
  const card = by_id("rig-card"), { state } = rigging;
  card.hidden = state === null;
  if (!state) return;
  const active = document.activeElement;
  if (active instanceof HTMLInputElement && active.type === "text" && card.contains(active)) return; // it is being typed in
  const { joints } = state;
  fill(card,
    element("h2", {}, `Rig for ${state.name}`),
    element("p", { class: "hint" }, hint(rigging)),
    words<RigMode>({ label: "What a drag does", help: "", value: rigging.mode,
      words: [{ word: "place", text: "Place", help: "Place and move joints" }, { word: "turn", text: "Turn", help: "Turn joints to try the weights" },
        { word: "paint", text: "Weights", help: "Correct the weights with a brush" }],
      change: (word) => rigging.set_mode(word) }),
    ...rows_of_joint(rigging),
    ...(rigging.mode === "paint" ? rows_of_brush(rigging) : rows_of_placing(rigging)),
    element("p", { class: "status", role: "status" }, state.weights === "finding" ? server.value.work?.activity || "Finding weights …"
      : state.weights === "failed" ? state.problem : state.weights === "found" ? `${joints.length} joints, ${state.vertices} vertices with weights.` : ""),
    ...report(rigging),
    ...state.notes.slice(0, 4).map((note) => element("p", { class: "unit note" }, note)),
    way_out(rigging));
}
