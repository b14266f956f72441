// The line from a grabbed point of the flesh to the pointer: of constant width on the screen, from pale to red as it is
// pulled.
import { Color, CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import type { Vector } from "../connection/protocol.ts";
import type { View } from "./view.ts";

const calm = new Color(0xffe9c9), tense = new Color(0xff5a3c), up = new Vector3(0, 1, 0);
const line_shape = new CylinderGeometry(1, 1, 1, 8, 1, true), knot_shape = new SphereGeometry(1, 16, 12);

export class Thread {
  private readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ color: calm, depthTest: false, transparent: true, toneMapped: false });
  private readonly line = new Mesh(line_shape, this.material);
  private readonly start = new Mesh(knot_shape, this.material);
  private readonly end = new Mesh(knot_shape, this.material);

  // `pin`: a lasting grab, with a larger knob to drag it by.
  constructor(private readonly view: View, private readonly pin = false) {
    this.group.add(this.line, this.start, this.end);
    for (const mesh of [this.line, this.start, this.end]) mesh.renderOrder = 10;
    view.add(this.group);
  }

  // `reach`: metres at which it is red.
  place(from: Vector, to: Vector, reach: number) {
    const a = new Vector3(...from), b = new Vector3(...to), way = b.clone().sub(a), far = way.length();
    const pixel = this.view.pixel_size(b);
    this.start.position.copy(a);
    this.start.scale.setScalar(3.5 * pixel);
    this.end.position.copy(b);
    this.end.scale.setScalar((this.pin ? 7 : 5) * pixel);
    this.line.visible = far > pixel;
    this.line.position.copy(a).addScaledVector(way, 0.5);
    this.line.scale.set(1.2 * pixel, Math.max(far, 1e-9), 1.2 * pixel);
    if (far > 0) this.line.quaternion.setFromUnitVectors(up, way.divideScalar(far));
    this.material.color.lerpColors(calm, tense, Math.min(1, far / reach));
    this.view.need_picture();
  }

  dispose() {
    this.group.removeFromParent();
    this.material.dispose();
    this.view.need_picture();
  }
}
