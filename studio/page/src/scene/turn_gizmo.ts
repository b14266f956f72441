// Rings around a place by which something is turned with the pointer.
import { Object3D, type Quaternion, type Vector3Tuple } from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { View } from "./view.ts";

// Pixels around the mark of another joint where a press takes that joint, although a ring passes over it: a ring can be
// pressed elsewhere, a mark cannot.
export const mark_radius = 7;

export class TurnGizmo {
  private readonly handle = new Object3D();
  private readonly controls: TransformControls;

  // `turn` gets the rotation while it is dragged; `space`: whose axes the rings are around.
  constructor(private readonly view: View, turn: (rotation: Quaternion) => void, space: "local" | "world" = "world") {
    this.controls = new TransformControls(view.camera, view.canvas);
    this.controls.setMode("rotate");
    this.controls.setSpace(space);
    this.controls.setSize(0.85);
    this.controls.enabled = false;
    view.add(this.handle);
    view.add(this.controls.getHelper());
    this.controls.addEventListener("change", () => view.need_picture());
    this.controls.addEventListener("dragging-changed", (event) => (view.controls.enabled = !event.value));
    this.controls.addEventListener("objectChange", () => turn(this.handle.quaternion));
  }

  get shown(): boolean {
    return this.controls.enabled;
  }
  get dragging(): boolean {
    return this.controls.dragging;
  }
  // True while the pointer is over a ring, which then handles its presses.
  get under_pointer(): boolean {
    return this.controls.axis !== null;
  }

  show(on: boolean) {
    if (!on && this.controls.dragging) this.controls.pointerUp(null); // ends the drag, which gives the camera back
    if (on) this.controls.attach(this.handle);
    else this.controls.detach();
    this.controls.enabled = on;
    this.view.need_picture();
  }
  // Where it is, metres, world, and the rotation that it begins with.
  place(at: Vector3Tuple, rotation: readonly [number, number, number, number]) {
    this.handle.position.set(...at);
    this.handle.quaternion.set(...rotation);
    this.handle.updateMatrixWorld();
  }
}
