// Rings around limbs and the trunk: entries of the setting `belts`. A click on the skin or a line drawn around it puts one
// there; it is dragged along the bone, widened and tightened.
import { Vector3 } from "three";
import { Newest } from "../connection/newest.ts";
import type { Command, RingsReply, Vector } from "../connection/protocol.ts";
import { line_length, line_points, RingDrawing } from "../scene/ring_line.ts";
import { page, server, setting_value } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { check_row, choice_row, number_row } from "../widgets/rows.ts";
import { lasso_stroke } from "./lasso_stroke.ts";
import { stroke } from "./strokes.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

interface Belt { name: string; point: Vector; normal: Vector; width: number; radius: number; size: number; joint: string }

const nearest_pixels = 9;
const radius_margin = 1.1; // of a ring, over the distance of its skin

class Rings {
  chosen = -1;
  lassoing = false;
  readonly girth_line = element("p", { class: "hint" }); // kept up to date while the skin moves
  private drawn: RingDrawing[][] = []; // per ring
  private belts: Belt[] = [];
  private fetching = 0;
  private readonly sending: Newest;

  constructor(private readonly studio: Studio, private readonly show_options: () => void) {
    this.sending = new Newest((command) => studio.do(command));
    server.watch(["settings", "character"], () => void this.fetch());
    studio.view.before_picture.push(() => this.update());
  }

  get list(): Belt[] {
    return (setting_value("belts") as Belt[] | undefined) ?? [];
  }

  // Asks for the lines of the rings, once the rings are others.
  private async fetch() {
    const number = server.value.character?.number ?? 0, belts = this.list;
    const same = JSON.stringify(belts) === JSON.stringify(this.belts) && this.fetching === number;
    if (same) return;
    this.belts = structuredClone(belts);
    this.fetching = number;
    if (belts.length === 0) return this.draw([]);
    try {
      const { rings } = await this.studio.connection.ask<RingsReply>({ do: "rings" });
      if (number === this.fetching) this.draw(rings);
    } catch (error) {
      this.belts = []; // asks again
      notice((error as Error).message, "error");
    }
  }

  private draw(rings: RingsReply["rings"]) {
    for (const drawing of this.drawn.flat()) drawing.dispose();
    this.drawn = rings.map(({ lines }) => lines.map((line) => new RingDrawing(line)));
    for (const drawing of this.drawn.flat()) this.studio.view.add(drawing.group);
    if (this.chosen >= rings.length) this.chosen = rings.length - 1;
    this.update(); // so that a line can be picked before the next picture
    this.studio.view.need_picture();
    if (page.value.tool === "ring" && !card_is_used()) this.show_options();
  }

  private update() {
    const positions = this.studio.character?.frame?.positions;
    if (!positions || this.studio.character?.number !== this.fetching) return;
    this.drawn.forEach((drawings, ring) => {
      for (const drawing of drawings) drawing.place(positions, page.value.tool === "ring" && ring === this.chosen);
    });
    const girth = this.girth_line.isConnected ? this.girth() : null;
    const text = girth ? `Girth ${girth.now.toFixed(3)} m, at rest ${girth.rest.toFixed(3)} m.` : this.girth_line.textContent;
    if (text !== this.girth_line.textContent) this.girth_line.textContent = text;
  }

  // The ring whose line is under the pointer, or -1.
  under(event: { clientX: number; clientY: number }): number {
    const { view } = this.studio;
    let found = -1, nearest = nearest_pixels;
    this.drawn.forEach((drawings, ring) => {
      for (const point of drawings.flatMap(({ points }) => points)) {
        const at = view.on_screen(new Vector3(...point)), far = Math.hypot(at.x - event.clientX, at.y - event.clientY);
        if (far < nearest) [found, nearest] = [ring, far];
      }
    });
    return found;
  }

  choose(ring: number) {
    this.chosen = ring;
    this.show_options();
    this.studio.view.need_picture();
  }

  async add(command: Command) {
    const count = this.list.length;
    if (await this.studio.do(command)) this.choose(count);
  }

  drag(ring: number): Gesture {
    this.choose(ring);
    return {
      move: (ray) => {
        const picked = this.studio.pick(ray);
        if (picked) void this.sending.tell({ do: "ring", ring, at: picked.at, ...stroke() });
      },
      end() {},
    };
  }

  lasso(event: PointerEvent, on_click: (() => void) | null): Gesture {
    return lasso_stroke(this.studio, event, (vertices) => {
      if (!vertices) return on_click?.();
      if (vertices.length === 0) return notice("No skin is inside that line: draw around a part of a limb or the trunk.");
      void this.add({ do: "ring", vertices });
    });
  }

  set_length(size: number) {
    void this.sending.tell({ do: "set", path: `belts[${this.chosen}].size`, value: size, ...stroke() });
  }
  // The radius grows with the width, so that the corners of the band are inside.
  set_width(width: number) {
    const belt = this.list[this.chosen], around = (this.girth()?.rest ?? 0) / (2 * Math.PI);
    const value = { ...belt, width, radius: Math.max(belt.radius, radius_margin * Math.hypot(around, width / 2)) };
    void this.sending.tell({ do: "set", path: `belts[${this.chosen}]`, value, ...stroke() });
  }

  remove() {
    this.sending.drop();
    void this.studio.do({ do: "reset", path: `belts[${this.chosen}]` });
    this.choose(-1);
  }

  // The longest line of a ring.
  drawing(ring: number): RingDrawing | undefined {
    return this.drawn[ring]?.[0];
  }

  // Length of the chosen ring's line on the skin that is displayed, and at rest, metres.
  girth(): { now: number; rest: number } | null {
    const drawing = this.drawing(this.chosen), character = this.studio.character;
    if (!drawing || !character?.frame) return null;
    const { line } = drawing, length = (positions: ArrayLike<number>) => line_length(line_points(line, positions), line.closed);
    return { now: length(character.frame.positions), rest: length(character.surface.rest) };
  }
}

// Rows that are being dragged must not be rebuilt.
const card_is_used = () => document.getElementById("tool-card")!.contains(document.activeElement) && !(document.activeElement instanceof HTMLButtonElement);

function options(rings: Rings, studio: Studio): Node[] {
  const belts = rings.list, belt = belts[rings.chosen];
  const rows: Node[] = [check_row("Draw around", "Each drag draws a line around the skin that the ring goes along, also beside the character",
    rings.lassoing, (on) => (rings.lassoing = on))];
  if (belts.length > 0)
    rows.push(choice_row<string>({
      label: "Ring", help: "The ring that is changed", value: String(rings.chosen),
      words: [{ word: "-1", text: "Choose a ring" }, ...belts.map(({ name, joint }, k) => ({ word: String(k), text: name || `${k + 1}: ${joint}` }))],
      change: (word) => rings.choose(Number(word)),
    }));
  if (!belt) return rows;
  const girth = rings.girth(), percent = 100 / studio.height;
  rows.push(
    number_row({ label: "Length", unit: "%", least: 50, most: 130, value: 100 * belt.size, reset: 100,
      help: "Of the ring over that of the skin at rest: less draws it tight", bound: (value) => Math.min(1000, Math.max(1, value)),
      change: (value) => rings.set_length(value / 100) }),
    number_row({ label: "Width", unit: "%", least: 0.5, most: 30, logarithmic: true, value: belt.width * percent, reset: 3,
      help: "Of the band of skin that it holds, over the character's height", bound: (value) => Math.max(0.01, value),
      change: (value) => rings.set_width(value / percent) }));
  if (girth) rows.push(rings.girth_line, element("p", { class: "hint" }, `It goes with ${belt.joint}.`));
  rows.push(element("div", { class: "buttons" }, element("button", { onclick: () => rings.remove() }, "Remove it")));
  return rows;
}

export function add_ring_tool(studio: Studio, tools: Tools, show_options: () => void) {
  const rings = new Rings(studio, show_options);
  const actions: ToolActions = {
    hint: "Click the skin, or draw around a limb: a ring goes around it across the bone. Drag a ring along the limb.",
    unable: () => (setting_value("belts") === undefined ? `The method '${server.value.method.name}' has no rings.` : null),
    press(ray, event) {
      const ring = rings.under(event);
      if (ring >= 0) return rings.drag(ring);
      const picked = studio.pick(ray);
      if (!picked && !rings.lassoing) return null;
      return rings.lasso(event, picked && (() => void rings.add({ do: "ring", at: picked.at })));
    },
    hover: (ray, event) => (rings.under(event) >= 0 ? "grab" : rings.lassoing || studio.pick(ray) ? "crosshair" : null),
    options: () => options(rings, studio),
  };
  tools.actions.set("ring", actions);
  server.watch(["character"], () => (rings.chosen = -1));
  return rings;
}
