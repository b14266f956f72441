// Rings in the picture by which something is turned. `turned` gets its rotation in the world while they are dragged.
import { Object3D } from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Quaternion, Vector } from "../connection/protocol.ts";
import type { Studio } from "../studio.ts";

export class TurnGizmo {
  private readonly handle = new Object3D();
  private readonly controls: TransformControls;

  constructor(studio: Studio, turned: (rotation: Quaternion) => void) {
    this.controls = new TransformControls(studio.view.camera, studio.view.canvas);
    this.controls.setMode("rotate");
    this.controls.setSpace("local");
    this.controls.setSize(0.85);
    this.controls.enabled = false;
    studio.view.add(this.handle);
    studio.view.add(this.controls.getHelper());
    this.controls.addEventListener("change", () => studio.view.need_picture());
    this.controls.addEventListener("dragging-changed", (event) => (studio.view.controls.enabled = !event.value));
    this.controls.addEventListener("objectChange", () => turned(this.handle.quaternion.toArray() as Quaternion));
  }

  // True while the pointer is on a ring, which then handles a press.
  get is_under_pointer(): boolean {
    return this.controls.axis !== null;
  }
  get is_dragged(): boolean {
    return this.controls.dragging;
  }
  get is_shown(): boolean {
    return this.controls.enabled;
  }

  put(place: Vector, rotation: Quaternion) {
    this.handle.position.set(...place);
    this.handle.quaternion.set(...rotation);
    this.handle.updateMatrixWorld();
  }
  show() {
    this.controls.attach(this.handle);
    this.controls.enabled = true;
  }
  hide() {
    this.controls.detach();
    this.controls.enabled = false;
  }
}
