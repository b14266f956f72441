// A side view of the lattice that is fitted to this character: the other character's skin where the lattice takes it,
// coloured by its distance from this one's, which is a glassy hull, and control points that can be dragged.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, Points, PointsMaterial, Vector2, Vector3 } from "three";
import type { Vector } from "../connection/protocol.ts";
import { SideView } from "./side_view.ts";

export interface ShownLattice {
  points: Float32Array; // control points, 3 numbers each
  edges: Uint32Array; // pairs of them
  here: { positions: Float32Array; triangles: Uint32Array };
  there: { positions: Float32Array; triangles: Uint32Array };
  distance: Float32Array; // per vertex of `there`; from 1 on it counts as not fitted
}

const grip_pixels = 9;
const still = [0.62, 0.76, 1], held = [1, 0.45, 0.2]; // colours of control points
const near = [0.42, 0.62, 0.42], far = [0.9, 0.25, 0.15]; // and of skin by its distance

export class LatticeView extends SideView {
  dragged: (point: number, to: Vector) => void = () => {};
  private points: Float32Array = new Float32Array();
  private readonly hull = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.1, depthWrite: false }));
  private readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x9ec2ff, transparent: true, opacity: 0.45 }));
  private readonly dots = new Points(new BufferGeometry(), new PointsMaterial({ size: 5, sizeAttenuation: false, vertexColors: true, depthTest: false }));
  private grabbed = -1; // the control point that is dragged
  private framed = false; // the camera looks at the character

  constructor(width: number, height: number) {
    super(width, height);
    (this.mesh.material as MeshStandardMaterial).color.set(0xffffff);
    (this.mesh.material as MeshStandardMaterial).vertexColors = true;
    this.dots.renderOrder = 2;
    for (const part of [this.hull, this.lines, this.dots]) part.frustumCulled = false;
    this.scene.add(this.hull, this.lines, this.dots);
    this.canvas.tabIndex = 0;
    // Before the camera's controls, which would turn.
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event), { capture: true });
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", () => this.let_go());
    this.canvas.addEventListener("pointercancel", () => this.let_go());
  }

  // `moved`: the control points that the user has moved.
  show_lattice(lattice: ShownLattice, moved: number[]) {
    this.show(lattice.there.positions, lattice.there.triangles, !this.framed);
    this.framed = true;
    const colours = new Float32Array(lattice.there.positions.length);
    lattice.distance.forEach((distance, v) => colours.set(near.map((value, k) => value + Math.min(1, distance) * (far[k] - value)), 3 * v));
    this.mesh.geometry.setAttribute("color", new BufferAttribute(colours, 3));
    this.hull.geometry.dispose();
    this.hull.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(lattice.here.positions, 3)).setIndex(new BufferAttribute(lattice.here.triangles, 1));
    this.points = lattice.points.slice();
    const shared = new BufferAttribute(this.points, 3), tints = new Float32Array(this.points.length);
    for (let k = 0; k < this.points.length / 3; ++k) tints.set(moved.includes(k) ? held : still, 3 * k);
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry().setAttribute("position", shared).setIndex(new BufferAttribute(lattice.edges, 1));
    this.dots.geometry.dispose();
    this.dots.geometry = new BufferGeometry().setAttribute("position", shared).setAttribute("color", new BufferAttribute(tints, 3));
    this.draw();
  }

  forget() {
    this.framed = false;
    this.grabbed = -1;
  }

  private place(point: number): Vector3 {
    return new Vector3().fromArray(this.points, 3 * point);
  }

  // From -1 to 1 over the canvas.
  private pointer(event: PointerEvent): Vector2 {
    const area = this.canvas.getBoundingClientRect();
    return new Vector2((2 * (event.clientX - area.left)) / area.width - 1, 1 - (2 * (event.clientY - area.top)) / area.height);
  }

  private point_at(event: PointerEvent): number {
    const area = this.canvas.getBoundingClientRect(), at = this.pointer(event);
    let nearest = -1, least = grip_pixels;
    for (let k = 0; k < this.points.length / 3; ++k) {
      const there = this.place(k).project(this.camera), away = Math.hypot(0.5 * area.width * (there.x - at.x), 0.5 * area.height * (there.y - at.y));
      if (away < least) [nearest, least] = [k, away];
    }
    return nearest;
  }

  private grab(event: PointerEvent) {
    const point = event.button === 0 ? this.point_at(event) : -1;
    if (point < 0) return;
    this.grabbed = point;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    event.stopImmediatePropagation();
  }

  // In the plane through the point that faces the camera.
  private drag(event: PointerEvent) {
    if (this.grabbed < 0) {
      this.canvas.style.cursor = this.point_at(event) < 0 ? "" : "grab";
      return;
    }
    const at = this.pointer(event), depth = this.place(this.grabbed).project(this.camera).z;
    new Vector3(at.x, at.y, depth).unproject(this.camera).toArray(this.points, 3 * this.grabbed);
    for (const part of [this.lines, this.dots]) part.geometry.attributes.position.needsUpdate = true;
    this.draw();
  }

  private let_go() {
    const point = this.grabbed;
    this.grabbed = -1;
    if (point >= 0) this.dragged(point, this.place(point).toArray() as Vector);
  }
}
