// The line of a ring on the skin: it moves with the skin, and its length is the girth there.
import { BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineLoop } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { RingLine, Vector } from "../connection/protocol.ts";
import { add, distance, scaled, sub, vertex_at } from "./geometry.ts";

// Points of the line for positions of the surface's vertices.
export const line_points = (line: RingLine, positions: ArrayLike<number>): Vector[] =>
  line.points.map(([a, b, t]) => add(scaled(vertex_at(positions, a), 1 - t), scaled(vertex_at(positions, b), t)));

export function line_length(points: Vector[], closed: boolean): number {
  let length = 0;
  for (let k = 1; k < points.length; ++k) length += distance(points[k - 1], points[k]);
  return closed && points.length > 1 ? length + distance(points[points.length - 1], points[0]) : length;
}

export function middle_of(points: Vector[]): Vector {
  return scaled(points.reduce(add, [0, 0, 0] as Vector), 1 / Math.max(1, points.length));
}

const colour = new Color(0x6fd3c0), chosen_colour = new Color(0xffb454);
const lift = 1.006; // over the skin, so that it does not hide the line

// Thick in front of the skin, and thin through what hides it.
export class RingDrawing {
  readonly group = new Group();
  points: Vector[] = [];
  private readonly thick = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 4, toneMapped: false }));
  private readonly thin = new LineLoop(new BufferGeometry(), new LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.35, toneMapped: false }));

  constructor(readonly line: RingLine) {
    this.thin.geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(3 * line.points.length), 3));
    this.thick.frustumCulled = this.thin.frustumCulled = false;
    this.thin.renderOrder = 7;
    this.group.add(this.thick, this.thin);
  }

  place(positions: ArrayLike<number>, chosen: boolean) {
    this.points = line_points(this.line, positions);
    const middle = middle_of(this.points), lifted = this.points.map((point) => add(middle, scaled(sub(point, middle), lift)));
    const attribute = this.thin.geometry.getAttribute("position") as Float32BufferAttribute;
    lifted.forEach((point, k) => attribute.setXYZ(k, ...point));
    attribute.needsUpdate = true;
    const loop = this.line.closed ? [...lifted, lifted[0]] : lifted;
    (this.thick.geometry as LineGeometry).setPositions(loop.flat());
    for (const { material } of [this.thick, this.thin]) (material as LineMaterial | LineBasicMaterial).color.copy(chosen ? chosen_colour : colour);
  }

  dispose() {
    this.group.removeFromParent();
    for (const object of [this.thick, this.thin]) {
      object.geometry.dispose();
      (object.material as LineMaterial | LineBasicMaterial).dispose();
    }
  }
}
