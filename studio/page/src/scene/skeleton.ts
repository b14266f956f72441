// The skeleton as it is drawn over the character: joints as small knots, bones as lines.
import { BufferAttribute, BufferGeometry, Color, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, MeshBasicMaterial, OctahedronGeometry, Vector3 } from "three";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

const plain_colour = new Color(0xeaf2ff), pinned_colour = new Color(0x6fe08a), posed_colour = new Color(0xffb454), chosen_colour = new Color(0xff6a3c);

export class Skeleton {
  readonly group = new Group();
  private knots: InstancedMesh | null = null;
  private bones: LineSegments | null = null;
  private of = -1;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();

  constructor(private readonly studio: Studio, private readonly is_pinned: (joint: number) => boolean = () => false) {
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
      this.knots!.setColorAt(k, chosen ? chosen_colour : this.is_pinned(joint) ? pinned_colour : String(joint) in server.value.pose ? posed_colour : plain_colour);
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

  // The joint nearest to the pointer, not farther than `within` pixels, or -1.
  under(event: { clientX: number; clientY: number }, within = 16): number {
    let best = -1, nearest = within;
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
