// The card beside a lattice that is edited: what it begins with, what can be done with what is chosen, and what is wrong.
import { page, server } from "../state.ts";
import { by_id, element, fill } from "../widgets/dom.ts";
import { check_row, choice_row, number_row, words } from "../widgets/rows.ts";
import type { Lattices } from "./lattice.ts";
import type { Part } from "./lattice_shape.ts";

const begin = { cells: 400, cubes: 10 };

function button(text: string, title: string, able: boolean, run: () => void): HTMLElement {
  return element("button", { title, disabled: !able, onclick: run }, text);
}

function rows_of_beginning(lattices: Lattices): HTMLElement[] {
  const able = server.value.character !== null && !lattices.opening;
  return [
    element("p", { class: "hint" }, "A lattice of cells around the body carries the flesh. Begin with one, and edit it here."),
    number_row({ label: "Cells", least: 100, most: 2000, integer: true, logarithmic: true, value: begin.cells, reset: 400, help: "Cells that the automatic lattice aims at", change: (value) => (begin.cells = Math.round(value)) }),
    number_row({ label: "Cubes", least: 2, most: 30, integer: true, value: begin.cubes, reset: 10, help: "Cubes of a regular grid along its longest side", change: (value) => (begin.cubes = Math.round(value)) }),
    element("div", { class: "buttons" },
      button("Automatic", "Fits tetrahedra to the body, with the bones along their edges", able, () => void lattices.open("auto", begin.cells)),
      button("Grid", "A regular grid of cubes around the body", able, () => void lattices.open("grid", begin.cubes)),
      button("In use", "The lattice that the flesh moves in", able, () => void lattices.open("played")),
      button("Last", "The lattice that was edited last, with its history", able, () => void lattices.open("kept"))),
    element("p", { class: "status", role: "status" }, lattices.opening ? server.value.work?.activity || "Building the lattice …" : ""),
  ];
}

function hint(lattices: Lattices): string {
  if (lattices.chosen.size === 0) return `Click ${lattices.part === "cells" ? "a cell" : `one of the ${lattices.part}`} to choose it, Shift-click for more. Drag beside the body to look around.`;
  return `${lattices.chosen.size} chosen. Drag to move${lattices.falloff > 0 ? "; what is near follows" : ""}.`;
}

const edges_of = (lattices: Lattices) => [...lattices.chosen].map((e) => lattices.shape!.edges[e]);
const faces_of = (lattices: Lattices) => [...lattices.chosen].map((f) => lattices.shape!.faces[f]);

function operations(lattices: Lattices): HTMLElement {
  const { part, chosen } = lattices, some = chosen.size > 0, one = chosen.size === 1, two = chosen.size === 2;
  const row = (...buttons: HTMLElement[]) => element("div", { class: "buttons" }, ...buttons);
  if (part === "edges")
    return row(
      button("Split", "Splits the edge, and the layer of cells that it crosses", one, () => void lattices.change({ action: "split", edges: edges_of(lattices) })),
      button("Collapse", "Draws the edge together; the cells around it, or their layer, go", one, () => void lattices.change({ action: "collapse", edges: edges_of(lattices) })),
      button("Sharp", "Creases of smooth surfaces", some, () => void lattices.change({ action: "sharp", edges: edges_of(lattices) })),
      button("Smooth", "No crease here", some, () => void lattices.change({ action: "sharp", edges: edges_of(lattices), on: false })));
  if (part === "faces")
    return row(
      button("Add cells", "A new cell on each chosen face", some, () => void lattices.change({ action: "add", faces: faces_of(lattices) })),
      button("Add a tip", "A tetrahedron on each chosen triangle", some, () => void lattices.change({ action: "add", faces: faces_of(lattices), apex: true })),
      button("Fill", "A cell between two faces: along their common edge, or as a bridge", two, () => void lattices.change({ action: "fill", faces: faces_of(lattices) })));
  if (part === "cells")
    return row(
      button("Split", "Splits the cell across its longest edge", one, () => void lattices.change({ action: "split", cells: [...chosen] })),
      button("Merge", "Merges two neighbours, and their layers", two, () => void lattices.change({ action: "merge", cells: [...chosen] })),
      button("Delete", "Deletes the cells (Delete)", some, () => void lattices.change({ action: "delete", cells: [...chosen] })));
  return row(
    button("Sharp", "Corners of smooth surfaces", some, () => void lattices.change({ action: "sharp", vertices: [...chosen] })),
    button("Smooth", "No corner here", some, () => void lattices.change({ action: "sharp", vertices: [...chosen], on: false })));
}

function rows_of_bones(lattices: Lattices): HTMLElement[] {
  const vertices = lattices.chosen_vertices(), able = vertices.length > 0 && lattices.bone !== "";
  const snap = (how: "to" | "parallel" | "follow") => () => void lattices.ask({ action: "snap", vertices, bone: lattices.bone, how });
  return [
    choice_row<string>({ label: "Bone", help: "The bone to snap to", value: lattices.bone, change: (name) => ((lattices.bone = name), lattices.show()),
      words: [{ word: "", text: "Choose a bone" }, ...lattices.bones.map((name) => ({ word: name, text: name }))] }),
    element("div", { class: "buttons" },
      button("Snap", "The chosen vertices go to the bone", able, snap("to")),
      button("Parallel", "The chosen vertices go to a line along the bone", able && vertices.length > 1, snap("parallel")),
      button("Follow", "The chosen vertices go to the bone, which moves the edges between them", able, snap("follow")),
      button("Free", "No bone moves the chosen vertices", vertices.length > 0, () => void lattices.ask({ action: "free", vertices }))),
  ];
}

function report(lattices: Lattices): HTMLElement[] {
  const { problems } = lattices;
  const ask = button("Check", "Lists folded cells, skin outside the lattice, and where the map is not one to one", true, () => void lattices.check());
  if (!problems) return [ask];
  const verdict = `${problems.usable ? "The lattice can carry the body" : "The lattice cannot carry the body yet"}; its map is ${problems.one_to_one ? "one to one" : "not one to one"}.`;
  return [ask, element("p", { class: "unit note verdict" }, verdict), element("ol", { class: "faults" }, ...problems.problems.map((problem) =>
    element("li", {}, element("button", { class: problem === lattices.problem ? "quiet on" : "quiet", title: problem.text, onclick: () => lattices.show_problem(problem) }, problem.text)))),
    ...(problems.count > problems.problems.length ? [element("p", { class: "unit note" }, `and ${problems.count - problems.problems.length} more`)] : [])];
}

function rows_of_lattice(lattices: Lattices): HTMLElement[] {
  const state = lattices.state!, size = lattices.studio.height;
  return [
    element("p", { class: "hint" }, hint(lattices)),
    words<Part>({ label: "What a click chooses", help: "", value: lattices.part, change: (part) => lattices.set_part(part),
      words: [{ word: "vertices", text: "Vertices" }, { word: "edges", text: "Edges" }, { word: "faces", text: "Faces" }, { word: "cells", text: "Cells" }] }),
    number_row({ label: "Falloff", unit: "m", least: 0, most: 0.5 * size, value: lattices.falloff, reset: 0, help: "Vertices within this distance along edges follow a drag", change: (value) => (lattices.falloff = value) }),
    check_row("Both sides", lattices.mirrors ? "Edits are mirrored" : `${state.mirrored} of ${state.vertices} vertices have a partner on the other side; edits are mirrored where all have`, lattices.mirror && lattices.mirrors,
      (on) => (lattices.mirror = on)),
    operations(lattices),
    ...rows_of_bones(lattices),
    element("div", { class: "buttons" },
      button("Undo", "Ctrl+Z", state.undo > 0, () => void lattices.studio.step_in_history("undo")),
      button("Redo", "Ctrl+Shift+Z", state.redo > 0, () => void lattices.studio.step_in_history("redo"))),
    element("p", { class: "status", role: "status" }, `${state.cells} cells, ${state.vertices} vertices, ${state.bones} chains of bones${state.used ? "; in use" : ""}.`),
    ...report(lattices),
    ...state.notes.slice(0, 3).map((note) => element("p", { class: "unit note" }, note)),
    element("div", { class: "buttons way-out" },
      button("Close", "Back to the character; the lattice is kept", true, () => void lattices.close()),
      element("button", { class: "main", disabled: state.used, title: "The flesh moves in this lattice", onclick: () => void lattices.use() }, "Use")),
  ];
}

export function show_lattice_card(lattices: Lattices) {
  const card = by_id("lattice-card"), { state } = lattices;
  card.hidden = !(page.value.lattice && server.value.character) && state === null;
  document.body.classList.toggle("with-lattice-card", !card.hidden);
  if (card.hidden) return;
  const active = document.activeElement;
  if (active instanceof HTMLInputElement && (active.type === "text" || active.type === "range") && card.contains(active)) return; // it is being used
  fill(card, element("h2", {}, "Lattice"), ...(state && lattices.shape ? rows_of_lattice(lattices) : rows_of_beginning(lattices)));
}
