// Joints: drawn as a skeleton, selected by a click, rotated with a gizmo while the flesh follows.
import {
  BufferAttribute, BufferGeometry, Color, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, MeshBasicMaterial,
  Object3D, OctahedronGeometry, Quaternion as ThreeQuaternion, Vector3,
} from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { element } from "../widgets/dom.ts";
import { inverse, product, rotation_of } from "../scene/geometry.ts";
import type { Quaternion } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import { stroke } from "./strokes.ts";
import type { Studio } from "../studio.ts";
import type { ToolActions, Tools } from "./tools.ts";

const plain_colour = new Color(0xeaf2ff), posed_colour = new Color(0xffb454), chosen_colour = new Color(0xff6a3c);

class Skeleton {
  readonly group = new Group();
  private knots: InstancedMesh | null = null;
  private bones: LineSegments | null = null;
  private of = -1;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();

  constructor(private readonly studio: Studio) {
    this.group.visible = false;
    studio.view.add(this.group);
  }

  // Joints that users mean: bones and what lies between them, but not nodes that only carry meshes.
  shown(): number[] {
    const joints = server.value.character?.joints ?? [];
    return joints.flatMap((joint, index) => (joint.bone ? [index] : []));
  }

  update() {
    if (!this.group.visible || !this.studio.character?.frame) return;
    const shown = this.shown(), joints = server.value.character!.joints;
    if (this.of !== this.studio.character.number) this.make(shown.length);
    const positions = this.bones!.geometry.getAttribute("position") as BufferAttribute;
    shown.forEach((joint, k) => {
      if (!this.position(joint, this.place)) return;
      const chosen = joint === page.value.selected_joint;
      const size = (chosen ? 7 : 5) * this.studio.view.pixel_size(this.place);
      this.matrix.makeScale(size, size, size).setPosition(this.place);
      this.knots!.setMatrixAt(k, this.matrix);
      this.knots!.setColorAt(k, chosen ? chosen_colour : String(joint) in server.value.pose ? posed_colour : plain_colour);
      positions.setXYZ(2 * k, this.place.x, this.place.y, this.place.z);
      let parent = joints[joint].parent;
      while (parent >= 0 && !joints[parent].bone) parent = joints[parent].parent;
      if (parent >= 0) this.position(parent, this.place);
      positions.setXYZ(2 * k + 1, this.place.x, this.place.y, this.place.z);
    });
    positions.needsUpdate = true;
    this.knots!.instanceMatrix.needsUpdate = true;
    if (this.knots!.instanceColor) this.knots!.instanceColor.needsUpdate = true;
  }

  // The joint nearest to the pointer, or -1.
  under(event: { clientX: number; clientY: number }): number {
    let best = -1, nearest = 16;
    for (const joint of this.shown()) {
      if (!this.position(joint, this.place)) continue;
      const at = this.studio.view.on_screen(this.place), far = Math.hypot(at.x - event.clientX, at.y - event.clientY);
      if (far < nearest) [best, nearest] = [joint, far];
    }
    return best;
  }

  position(joint: number, into: Vector3): boolean {
    if (!this.studio.character?.joint_matrix(joint, this.matrix)) return false;
    into.setFromMatrixPosition(this.matrix);
    return true;
  }

  private make(count: number) {
    this.group.clear();
    this.of = this.studio.character!.number;
    this.knots = new InstancedMesh(
      new OctahedronGeometry(1, 2), new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95, toneMapped: false }),
      Math.max(1, count),
    );
    const lines = new BufferGeometry();
    lines.setAttribute("position", new BufferAttribute(new Float32Array(6 * count), 3));
    this.bones = new LineSegments(
      lines, new LineBasicMaterial({ color: 0xbcd6ff, depthTest: false, transparent: true, opacity: 0.6, toneMapped: false }),
    );
    this.bones.frustumCulled = this.knots.frustumCulled = false;
    this.bones.renderOrder = 8;
    this.knots.renderOrder = 9;
    this.group.add(this.bones, this.knots);
  }
}

export function add_pose(studio: Studio, tools: Tools) {
  const skeleton = new Skeleton(studio);
  const handle = new Object3D();
  studio.view.add(handle);
  const gizmo = new TransformControls(studio.view.camera, studio.view.canvas);
  gizmo.setMode("rotate");
  gizmo.setSpace("local");
  gizmo.setSize(0.85);
  gizmo.enabled = false;
  const helper = gizmo.getHelper();
  studio.view.add(helper);
  gizmo.addEventListener("change", () => studio.view.need_picture());
  gizmo.addEventListener("dragging-changed", (event) => (studio.view.controls.enabled = !event.value));
  gizmo.addEventListener("objectChange", () => turned());

  const matrix = new Matrix4();
  function world_rotation(joint: number): Quaternion {
    const m = studio.character!.frame!.joint;
    return rotation_of(m.subarray(12 * joint, 12 * joint + 9));
  }

  function choose(joint: number) {
    page.change({ selected_joint: joint });
    if (joint >= 0 && studio.character?.joint_matrix(joint, matrix)) {
      put_handle(joint);
      gizmo.attach(handle);
      gizmo.enabled = true;
    } else {
      gizmo.detach();
      gizmo.enabled = false;
    }
    studio.view.need_picture();
  }

  function put_handle(joint: number) {
    skeleton.position(joint, handle.position);
    handle.quaternion.set(...world_rotation(joint));
    handle.updateMatrixWorld();
  }

  function turned() {
    const joint = page.value.selected_joint;
    const parent = server.value.character?.joints[joint]?.parent ?? -1;
    const world: Quaternion = handle.quaternion.toArray() as Quaternion;
    const rotation = parent >= 0 ? product(inverse(world_rotation(parent)), world) : world;
    const q = new ThreeQuaternion(...rotation).normalize();
    studio.connection.tell({ do: "pose", joints: { [joint]: [q.x, q.y, q.z, q.w] }, ...stroke() });
  }

  const actions: ToolActions = {
    hint: "Click a joint and turn it; the flesh follows. Drag beside it to look around.",
    press(_ray, event) {
      if (gizmo.axis) return null; // the gizmo handles it
      const joint = skeleton.under(event);
      if (joint < 0) return null;
      choose(joint);
      return { move() {}, end() {} };
    },
    hover: (_ray, event) => (gizmo.axis ? "grab" : skeleton.under(event) >= 0 ? "pointer" : null),
    enter() {
      skeleton.group.visible = true;
      choose(page.value.selected_joint);
    },
    leave() {
      skeleton.group.visible = false;
      choose(-1);
    },
    options() {
      const joints = server.value.character?.joints ?? [], chosen = page.value.selected_joint;
      const select = element("select", { "aria-label": "Joint", onchange: () => choose(Number(select.value)) },
        element("option", { value: "-1" }, "Choose a joint"),
        ...skeleton.shown().map((joint) => element("option", { value: String(joint), selected: joint === chosen }, joints[joint].name || `joint ${joint}`)));
      const posed = Object.keys(server.value.pose).length;
      return [
        element("div", { class: "row choice" }, element("span", { class: "name" }, "Joint"), select, element("span")),
        element("div", { class: "buttons" },
          element("button", { disabled: !(String(chosen) in server.value.pose), title: "The clip moves this joint again",
            onclick: () => void studio.do({ do: "unpose", joints: [chosen] }) }, "Give it back"),
          element("button", { disabled: posed === 0, title: "The clip moves all joints again",
            onclick: () => void studio.do({ do: "unpose" }) }, "Give all back")),
      ];
    },
  };
  tools.actions.set("pose", actions);
  server.watch(["character"], () => choose(-1));
  studio.view.before_picture.push(() => {
    skeleton.update();
    if (page.value.selected_joint >= 0 && !gizmo.dragging && studio.character?.frame && gizmo.enabled) put_handle(page.value.selected_joint);
  });
}
