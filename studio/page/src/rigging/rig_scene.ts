// The mesh that gets a rig, with its joints, bones and weights, in the 3D view.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, OctahedronGeometry, Ray as ThreeRay, SphereGeometry, Vector3,
} from "three";
import { MeshBVH } from "three-mesh-bvh";
import { reached } from "../tools/brush.ts";
import { heat_stops, ramp } from "../scene/colours.ts";
import type { Ray } from "../scene/geometry.ts";
import type { PlacedJoint, Vector } from "../connection/protocol.ts";
import type { View } from "../scene/view.ts";

const clay = [0.62, 0.56, 0.52];
const plain_colour = new Color(0xeaf2ff), chosen_colour = new Color(0xff6a3c), root_colour = new Color(0x8fd694);
const hues = 12; // of joints beside each other, where the strongest joints are shown
const most_joints = 256;
const no_neighbours = { start: new Uint32Array(), list: new Uint32Array() };

export class RigScene {
  readonly group = new Group();
  readonly box = new Box3();
  private readonly rest: Float32Array;
  private readonly geometry = new BufferGeometry();
  private readonly tree: MeshBVH;
  private readonly knots: InstancedMesh;
  private readonly bones: LineSegments;
  private readonly mark: Mesh;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();
  private joints: PlacedJoint[] = [];
  private places: Vector[] = []; // of the joints, as they are tried

  constructor(private readonly view: View, positions: Float32Array, triangles: Uint32Array) {
    this.rest = positions.slice();
    const colours = new Float32Array(positions.length);
    for (let k = 0; k < colours.length; ++k) colours[k] = clay[k % 3];
    this.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    this.geometry.setAttribute("color", new BufferAttribute(colours, 3));
    this.geometry.setIndex(new BufferAttribute(triangles, 1));
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingBox();
    this.box.copy(this.geometry.boundingBox!);
    this.tree = new MeshBVH(this.geometry, { indirect: true });
    const skin = new Mesh(this.geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.85, side: DoubleSide, transparent: true, opacity: 0.82 }));
    skin.castShadow = true;
    const lines = new BufferGeometry();
    lines.setAttribute("position", new BufferAttribute(new Float32Array(6 * most_joints), 3));
    this.bones = new LineSegments(lines, new LineBasicMaterial({ color: 0xbcd6ff, depthTest: false, transparent: true, opacity: 0.75, toneMapped: false }));
    this.knots = new InstancedMesh(
      new OctahedronGeometry(1, 2), new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95, toneMapped: false }), most_joints);
    this.mark = new Mesh(new SphereGeometry(1, 24, 12), new MeshBasicMaterial({ color: 0xff3d2e, depthTest: false, transparent: true, opacity: 0.28, toneMapped: false }));
    this.mark.visible = false;
    this.knots.frustumCulled = this.bones.frustumCulled = false;
    this.bones.renderOrder = 8;
    this.knots.renderOrder = this.mark.renderOrder = 9;
    this.group.add(skin, this.bones, this.knots, this.mark);
    view.add(this.group);
    this.set_joints([], "");
  }

  dispose() {
    this.group.removeFromParent();
    this.geometry.dispose();
  }

  set_joints(joints: PlacedJoint[], chosen: string) {
    this.joints = joints;
    this.places = joints.map(({ position }) => position);
    this.draw(chosen);
  }
  // Where they stand in a pose that is tried.
  set_places(places: Vector[], chosen: string) {
    if (places.length === this.joints.length) this.places = places;
    this.draw(chosen);
  }
  place_of(name: string): Vector | null {
    return this.places[this.joints.findIndex((joint) => joint.name === name)] ?? null;
  }

  private draw(chosen: string) {
    const lines = this.bones.geometry.getAttribute("position") as BufferAttribute, numbers = new Map(this.joints.map(({ name }, k) => [name, k]));
    this.knots.count = Math.min(this.joints.length, most_joints);
    this.joints.slice(0, most_joints).forEach((joint, k) => {
      this.place.set(...this.places[k]);
      const size = (joint.name === chosen ? 7.5 : 5.5) * this.view.pixel_size(this.place);
      this.knots.setMatrixAt(k, this.matrix.makeScale(size, size, size).setPosition(this.place));
      this.knots.setColorAt(k, joint.name === chosen ? chosen_colour : joint.parent === "" ? root_colour : plain_colour);
      const parent = numbers.get(joint.parent);
      lines.setXYZ(2 * k, ...this.places[k]);
      lines.setXYZ(2 * k + 1, ...this.places[parent ?? k]);
    });
    this.bones.geometry.setDrawRange(0, 2 * this.knots.count);
    lines.needsUpdate = this.knots.instanceMatrix.needsUpdate = true;
    if (this.knots.instanceColor) this.knots.instanceColor.needsUpdate = true;
    this.view.need_picture();
  }
  // Joints keep their size on the screen.
  before_picture(chosen: string) {
    if (this.joints.length > 0) this.draw(chosen);
  }

  // The joint nearest to the pointer, not farther than `within` pixels; empty: none.
  under(event: { clientX: number; clientY: number }, within = 16): string {
    let best = "", nearest = within;
    this.joints.forEach(({ name }, k) => {
      const at = this.view.on_screen(this.place.set(...this.places[k])), far = Math.hypot(at.x - event.clientX, at.y - event.clientY);
      if (far < nearest) [best, nearest] = [name, far];
    });
    return best;
  }

  // Where the ray meets the skin at rest.
  meets(ray: Ray): Vector | null {
    return this.tree.raycastFirst(new ThreeRay(new Vector3(...ray.origin), new Vector3(...ray.direction)), DoubleSide)?.point.toArray() as Vector ?? null;
  }

  // The brush's effect on vertices at rest around a place.
  reached(middle: Vector, radius: number): Map<number, number> {
    return reached({ middle, radius, from: 0, through: true }, this.rest, null, no_neighbours);
  }

  pose(positions: Float32Array | null) {
    const attribute = this.geometry.getAttribute("position") as BufferAttribute;
    (attribute.array as Float32Array).set(positions ?? this.rest);
    attribute.needsUpdate = true;
    this.geometry.computeVertexNormals();
    this.view.need_picture();
  }

  // Where the vertex that is nearest to a place at rest is now.
  skin_at(place: Vector): Vector {
    let best = 0, nearest = Infinity;
    for (let k = 0; k < this.rest.length; k += 3) {
      const far = (this.rest[k] - place[0]) ** 2 + (this.rest[k + 1] - place[1]) ** 2 + (this.rest[k + 2] - place[2]) ** 2;
      if (far < nearest) [best, nearest] = [k, far];
    }
    const now = this.geometry.getAttribute("position").array;
    return [now[best], now[best + 1], now[best + 2]];
  }

  // `values`: the weights of one joint, or the numbers of the strongest joints; null: plain.
  colour(values: Float32Array | null, strongest: boolean) {
    const attribute = this.geometry.getAttribute("color") as BufferAttribute, colours = attribute.array as Float32Array, hue = new Color();
    for (let v = 0; 3 * v < colours.length; ++v) {
      if (!values) colours.set(clay, 3 * v);
      else if (strongest) hue.setHSL(((5 * values[v]) % hues) / hues, 0.45, 0.52).toArray(colours, 3 * v);
      else ramp(heat_stops, values[v], colours, 3 * v);
    }
    attribute.needsUpdate = true;
    this.view.need_picture();
  }

  // A mark at a place of the skin.
  show_mark(at: Vector | null, radius: number) {
    this.mark.visible = at !== null;
    if (at) {
      this.mark.position.set(...at);
      this.mark.scale.setScalar(radius);
    }
    this.view.need_picture();
  }
}
