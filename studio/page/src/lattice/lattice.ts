// Control lattices by hand: chosen, dragged, split, merged, checked, and used as the body that plays.
import { before_undo } from "../connection/newest.ts";
import { Box3, Vector3 } from "three";
import type { LatticeAction, LatticeProblem, LatticeProblems, LatticeReply, LatticeSkinReply, LatticeState, Vector } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { stroke } from "../tools/strokes.ts";
import { notice } from "../widgets/notices.ts";
import { show_lattice_card } from "./lattice_card.ts";
import { LatticeScene } from "./lattice_scene.ts";
import { middle_of, shape_of, vertices_of, type LatticeShape, type Part } from "./lattice_shape.ts";

interface Drag { pointer: number; from: Vector; x: number; y: number; moved: boolean; vertices: number[]; adds: boolean; under: number }

export class Lattices {
  scene: LatticeScene | null = null;
  shape: LatticeShape | null = null;
  part: Part = "vertices";
  chosen = new Set<number>();
  falloff = 0; // metres
  mirror = true;
  bone = ""; // name
  bones: string[] = [];
  problems: LatticeProblems | null = null; // of the lattice as it is; null: not looked for
  problem: LatticeProblem | null = null; // that is shown
  opening = false;
  private played = false; // the clip, before a lattice was opened
  private drag: Drag | null = null;
  private sending = false;
  private waiting: { vertices: number[]; by: Vector; stroke?: number } | null = null;
  private fetching = false;
  private loading = false;

  constructor(readonly studio: Studio) {
    const { view } = studio, area = view.canvas.parentElement!;
    area.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    area.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    area.addEventListener("pointerup", (event) => this.up(event), { capture: true });
    area.addEventListener("pointercancel", (event) => this.up(event), { capture: true });
    addEventListener("keydown", (event) => this.key(event), { capture: true });
    server.watch(["lattice", "character"], () => void this.follow());
    page.watch(["lattice"], () => this.show());
  }

  get state(): LatticeState | null {
    return server.value.lattice;
  }

  async ask<Reply>(action: LatticeAction): Promise<Reply | null> {
    try {
      return await this.studio.connection.ask<Reply & Record<string, unknown>>({ do: "lattice", ...action });
    } catch (error) {
      notice((error as Error).message, "error");
      return null;
    }
  }

  // Begins a lattice anew.
  async open(from: "auto" | "grid" | "played" | "kept", count?: number) {
    this.opening = true;
    this.show();
    // Nobody sees the clip while a lattice is built and edited.
    if (server.value.play.playing) this.played = await this.studio.do({ do: "pause" });
    const reply = await this.ask({ action: "open", from, ...(count ? { count } : {}) });
    this.opening = false;
    if (!reply && !this.state && this.played) {
      this.played = false;
      void this.studio.do({ do: "play" });
    }
    this.show();
  }

  // Edits that change what there is: numbers mean something else afterwards.
  async change(action: LatticeAction) {
    if (await this.ask({ ...action, ...(this.mirror && this.mirrors ? { mirror: true } : {}) })) this.chosen.clear();
    await this.fetch();
  }

  get mirrors(): boolean {
    return this.state !== null && this.state.mirrored === this.state.vertices;
  }

  chosen_vertices(): number[] {
    return this.shape ? vertices_of(this.shape, this.part, this.chosen) : [];
  }

  set_part(part: Part) {
    this.part = part;
    this.chosen.clear();
    this.show();
  }

  show() {
    if (this.shape) this.scene?.draw(this.shape, this.part, this.chosen, this.problem);
    show_lattice_card(this);
  }

  async check() {
    try {
      this.problems = await this.studio.connection.ask<LatticeProblems & Record<string, unknown>>({ do: "lattice_check" });
      this.problem = null;
    } catch (error) {
      notice((error as Error).message, "error");
    }
    this.show();
  }

  // Looks at the place of a problem.
  show_problem(problem: LatticeProblem) {
    this.problem = problem;
    const size = 0.35 * (this.scene?.box.getSize(new Vector3()).length() ?? 1);
    this.studio.view.frame(new Box3().setFromCenterAndSize(new Vector3(...problem.place), new Vector3(size, size, size)), false);
    this.show();
  }

  async use() {
    if (await this.ask({ action: "use" })) notice("The flesh moves in this lattice now.", "done");
  }

  async close() {
    await this.ask({ action: "close" });
    page.change({ lattice: false });
    if (this.played) void this.studio.do({ do: "play" });
    this.played = false;
  }

  // ---- the server's state

  private async follow() {
    const open = this.state !== null;
    document.body.classList.toggle("edits-lattice", open);
    const { character, view } = this.studio;
    if (!open) {
      this.scene?.dispose();
      this.scene = this.shape = this.problems = this.problem = null;
      this.chosen.clear();
      if (character) character.group.visible = true;
      view.need_picture();
      return this.show();
    }
    page.change({ lattice: true, cells: false });
    if (!this.scene) await this.load();
    await this.fetch();
  }

  private async load() {
    if (this.loading) return;
    this.loading = true;
    try {
      const skin = await this.studio.connection.ask<LatticeSkinReply & Record<string, unknown>>({ do: "lattice_skin" });
      this.bones = skin.bones.map(({ name }) => name);
      this.scene = new LatticeScene(this.studio.view, skin);
      this.studio.view.frame(this.scene.box, true);
    } catch (error) {
      notice((error as Error).message, "error");
    }
    this.loading = false;
  }

  // One request at a time, until the newest lattice is drawn.
  private async fetch(): Promise<void> {
    if (this.fetching || !this.state) return;
    this.fetching = true;
    try {
      while (this.state && this.shape?.revision !== this.state.revision) {
        const shape = shape_of(await this.studio.connection.ask<LatticeReply & Record<string, unknown>>({ do: "lattice_cells" }));
        if (this.shape && (shape.cells.length !== this.shape.cells.length || shape.edges.length !== this.shape.edges.length)) this.chosen.clear();
        this.shape = shape;
        this.problems = this.problem = null;
      }
    } catch {
      // it was closed meanwhile
    }
    this.fetching = false;
    if (this.studio.character && this.state) this.studio.character.group.visible = false;
    this.show();
  }

  // ---- the pointer

  private down(event: PointerEvent) {
    const { scene, shape, studio } = this;
    if (!scene || !shape || event.target !== studio.view.canvas || event.button !== 0 || event.altKey) return;
    const under = scene.under(this.part, event);
    if (under < 0) return; // the view is turned
    event.stopPropagation();
    studio.view.canvas.setPointerCapture(event.pointerId);
    const adds = event.shiftKey;
    if (!adds && !this.chosen.has(under)) this.chosen = new Set([under]);
    const vertices = adds ? [] : this.chosen_vertices();
    this.drag = { pointer: event.pointerId, from: middle_of(shape, vertices_of(shape, this.part, [under])), x: event.clientX, y: event.clientY, moved: false, vertices, adds, under };
    this.show();
  }

  private move(event: PointerEvent) {
    const { drag, scene } = this;
    if (!drag || !scene || event.pointerId !== drag.pointer) return;
    event.stopPropagation();
    if (drag.adds || (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4)) return;
    drag.moved = true;
    const to = scene.in_plane(drag.from, event), from = scene.in_plane(drag.from, { clientX: drag.x, clientY: drag.y });
    this.waiting = { vertices: drag.vertices, by: [to[0] - from[0], to[1] - from[1], to[2] - from[2]], ...stroke() };
    before_undo(this.send());
  }

  private up(event: PointerEvent) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    event.stopPropagation();
    this.drag = null;
    if (!drag.adds) return;
    if (!this.chosen.delete(drag.under)) this.chosen.add(drag.under);
    this.show();
  }

  // One request at a time, always with the newest place.
  private async send(): Promise<void> {
    if (this.sending || !this.waiting) return;
    this.sending = true;
    const move = this.waiting;
    this.waiting = null;
    await this.ask({ action: "move", ...move, falloff: this.falloff, ...(this.mirror && this.mirrors ? { mirror: true } : {}) });
    this.sending = false;
    await this.send();
  }

  private key(event: KeyboardEvent) {
    if (!this.scene || (event.target as HTMLElement).matches("input[type=text], select")) return;
    if ((event.key === "Delete" || event.key === "Backspace") && this.part === "cells" && this.chosen.size > 0) {
      event.preventDefault();
      void this.change({ action: "delete", cells: [...this.chosen] });
    }
    if (event.key === "Escape") {
      this.chosen.clear();
      this.show();
    }
  }
}
