// The cells of the body as thin lines that fade with distance: bright in front of the skin, which is drawn translucent,
// and faint behind it.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, GreaterDepth, Group, LessEqualDepth, LineSegments, Mesh, MeshBasicMaterial, ShaderMaterial, Vector3,
} from "three";
import { words_of } from "../connection/base64.ts";
import { grouped } from "../widgets/names.ts";
import { notice } from "../widgets/notices.ts";
import type { CellsReply } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";

const outer_strength = 1, inner_strength = 0.3; // of edges on the outside, and inside
const seen = 0.9, hidden = 0.26; // opacity in front of the skin, and behind it

export function cells_text({ kind, cells }: { kind: CellsReply["kind"]; cells: number }): string {
  if (kind === "none") return "This method moves the skin without cells of a body.";
  const count = grouped(cells);
  return kind === "lattice" ? `A lattice of ${count} cells` : `${count} tetrahedra`;
}

// Strength per end of an edge (not per point, since edges of both kinds may share a point).
export function strengths(outer: number, edges: number): Float32Array {
  return new Float32Array(2 * edges).map((_, end) => (end < 2 * outer ? outer_strength : inner_strength));
}

export class Cells {
  private readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly materials = [line_material(false), line_material(true)];
  private readonly veil = new Mesh(
    new BufferGeometry(),
    new MeshBasicMaterial({ color: 0x141c2b, transparent: true, opacity: 0.52, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 }),
  );
  private ends: Uint32Array = new Uint32Array(0); // points of the edges
  private drawn: CellsReply | null = null;
  private asked = 0; // number of the requested cells

  constructor(private readonly studio: Studio) {
    for (const [k, material] of this.materials.entries()) {
      const lines = new LineSegments(this.geometry, material);
      lines.frustumCulled = false;
      lines.renderOrder = 4 + k;
      this.group.add(lines);
    }
    this.veil.frustumCulled = false;
    this.veil.renderOrder = 3;
    this.group.add(this.veil);
    this.group.visible = false;
    studio.view.add(this.group);
    page.watch(["cells"], () => this.show());
    server.watch(["character"], () => this.forget());
    studio.view.before_picture.push(() => this.group.visible && this.fade());
  }

  // The points of a frame; ignored until the cells that they belong to have been loaded.
  frame(frame: DrawnFrame) {
    if (!page.value.cells || !frame.cells) return;
    if (frame.cells_number !== this.drawn?.number) {
      void this.fetch(frame.cells_number);
      return;
    }
    if (frame.cells.length !== 3 * this.drawn.points) return;
    const { ends } = this, position = this.geometry.getAttribute("position") as BufferAttribute | undefined;
    if (!position) return;
    const places = position.array as Float32Array;
    for (let k = 0; k < ends.length; ++k) {
      const from = 3 * ends[k];
      places[3 * k] = frame.cells[from];
      places[3 * k + 1] = frame.cells[from + 1];
      places[3 * k + 2] = frame.cells[from + 2];
    }
    position.needsUpdate = true;
    if (this.studio.character) this.veil.geometry = this.studio.character.plain_geometry; // always has the newest positions
    this.group.visible = true;
  }

  private async fetch(number: number) {
    if (this.asked === number) return;
    this.asked = number;
    try {
      const reply = await this.studio.connection.ask<CellsReply & Record<string, unknown>>({ do: "cells" });
      this.ends = words_of(reply.edges);
      this.drawn = reply;
      this.group.visible = false; // until its points arrive
      this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.ends.length), 3).setUsage(DynamicDrawUsage));
      this.geometry.setAttribute("strength", new BufferAttribute(strengths(reply.outer, this.ends.length / 2), 1));
      } catch (error) {
      notice((error as Error).message, "error");
    } finally {
      this.asked = 0;
    }
  }

  private forget() {
    this.drawn = null;
    this.group.visible = false;
  }

  private show() {
    if (!page.value.cells) this.group.visible = false;
    this.studio.view.need_picture();
  }

  // Near lines are the strongest.
  private fade() {
    const { character, view } = this.studio;
    if (!character) return;
    const centre = character.box.getCenter(new Vector3()), radius = character.box.getSize(new Vector3()).length() / 2;
    const away = centre.distanceTo(view.camera.position);
    for (const material of this.materials) {
      material.uniforms.near.value = away - 0.7 * radius;
      material.uniforms.far.value = away + 0.7 * radius;
    }
  }
}

function line_material(behind: boolean): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true, depthWrite: false, depthFunc: behind ? GreaterDepth : LessEqualDepth, toneMapped: false,
    uniforms: {
      colour: { value: new Color(behind ? 0x9fc4ff : 0xd9ecff) }, strength_of_all: { value: behind ? hidden : seen }, near: { value: 0 }, far: { value: 1 },
    },
    vertexShader: `
      attribute float strength; uniform float near; uniform float far; varying float alpha;
      void main() {
        vec4 at = modelViewMatrix * vec4(position, 1.0);
        alpha = strength * mix(1.0, 0.22, smoothstep(near, far, -at.z));
        gl_Position = projectionMatrix * at;
      }`,
    fragmentShader: `
      uniform vec3 colour; uniform float strength_of_all; varying float alpha;
      void main() { gl_FragColor = vec4(colour, alpha * strength_of_all); }`,
  });
}
