// The displayed character: original meshes and materials for parts that only joints move, dressed parts whose vertices
// come from frames, and the plain surface for heat, anatomy, paint and picking.
import {
  AdditiveBlending, Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, FrontSide, Group, Material,
  LoadingManager, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, Object3D, ShaderMaterial, SkinnedMesh, Texture, Vector3,
} from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { depth_stops, heat_stops, kind_colours, from_hex, ramp } from "./colours.ts";
import { type Clusters, find_clusters, surface_clusters } from "./normals.ts";
import { decode_surface, type Quaternion, type Surface, type Vector } from "../connection/protocol.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";
import type { Shown } from "../state.ts";

interface Dressed { geometry: BufferGeometry; begin: number; count: number } // place among all parts' vertices

export class Character {
  readonly group = new Group();
  readonly dressed_clusters: Clusters;
  readonly plain_clusters: Clusters;
  frame: DrawnFrame | null = null;
  missing_pictures: string[] = []; // textures that could not be read
  looks_back = false; // it faces -z
  readonly rest_turns: Quaternion[] = []; // per node: its rotation in the file, to its parent
  private readonly rest_joints: Matrix4[] = []; // per node in the default pose: node space to world, file units
  readonly box = new Box3();

  readonly plain_geometry = new BufferGeometry(); // has the newest frame's positions; picking reads them
  private readonly dressed_group = new Group();
  private readonly props = new Map<number, Object3D[]>(); // per node
  private readonly dressed: Dressed[] = [];
  private readonly plain: Mesh;
  private readonly wire: Mesh;
  private readonly ghost: Mesh;
  private readonly colours: Float32Array;
  private shown: Shown = "flesh";
  private painting = false;
  private field: { values: Float32Array; least: number; most: number } | null = null;

  constructor(readonly number: number, readonly surface: Surface, scene: Object3D, associations: Map<unknown, Association>, private readonly metres_per_unit = 1) {
    const parts = this.take_apart(scene, associations);
    this.dressed_clusters = find_clusters(parts, surface.vertices);
    this.plain_clusters = surface_clusters(surface.triangles, surface.vertices);

    this.colours = new Float32Array(3 * surface.vertices).fill(0.6);
    this.plain_geometry.setIndex(new BufferAttribute(surface.triangles, 1));
    this.plain_geometry.setAttribute("position", moving(surface.rest.slice()));
    this.plain_geometry.setAttribute("normal", moving(new Float32Array(3 * surface.vertices)));
    this.plain_geometry.setAttribute("color", moving(this.colours));
    this.plain = new Mesh(
      this.plain_geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.72, metalness: 0, side: DoubleSide }),
    );
    this.wire = new Mesh(
      this.plain_geometry,
      new MeshBasicMaterial({ wireframe: true, color: 0x0d1420, transparent: true, opacity: 0.34, depthWrite: false }),
    );
    const ghost_geometry = new BufferGeometry();
    ghost_geometry.setIndex(this.plain_geometry.index);
    ghost_geometry.setAttribute("position", moving(surface.rest.slice()));
    ghost_geometry.setAttribute("normal", moving(new Float32Array(3 * surface.vertices)));
    this.ghost = new Mesh(ghost_geometry, ghost_material());
    this.ghost.renderOrder = 3;
    this.plain.castShadow = true;
    for (const mesh of [this.plain, this.wire, this.ghost]) mesh.frustumCulled = false;
    this.group.add(this.dressed_group, this.plain, this.wire, this.ghost);
    this.show("flesh", false, false);
  }

  // Chooses what is visible. `painting`: the plain surface with the brush's colours, whatever else is chosen.
  show(shown: Shown, wireframe: boolean, painting: boolean) {
    this.shown = shown;
    this.painting = painting;
    const plain = this.wants_plain();
    this.dressed_group.visible = !plain;
    this.plain.visible = plain;
    this.wire.visible = wireframe;
    this.ghost.visible = shown === "both" && !painting;
  }
  wants_plain(): boolean {
    return this.painting || this.shown === "heat" || this.shown === "anatomy" || this.shown === "depth";
  }

  // Takes the next frame. Returns the previous frame's memory.
  take(frame: DrawnFrame): ArrayBuffer[] {
    const old = this.frame;
    this.frame = frame;
    set_array(this.plain_geometry, "position", frame.positions);
    if (frame.plain_normals) set_array(this.plain_geometry, "normal", frame.plain_normals);
    if (frame.goal) set_array(this.ghost.geometry, "position", frame.goal);
    if (frame.goal_normals) set_array(this.ghost.geometry, "normal", frame.goal_normals);
    if (frame.dressed_positions && frame.dressed_normals)
      for (const { geometry, begin, count } of this.dressed) {
        set_array(geometry, "position", frame.dressed_positions.subarray(3 * begin, 3 * (begin + count)));
        set_array(geometry, "normal", frame.dressed_normals.subarray(3 * begin, 3 * (begin + count)));
      }
    this.place_props(frame.joint);
    this.measure_box(frame.positions);
    if (this.shown === "heat" && !this.painting && frame.heat) this.colour_heat(frame.heat);
    return old ? spare_buffers(old, frame) : [];
  }

  joint_matrix(joint: number, into: Matrix4): boolean {
    const m = this.frame?.joint;
    if (!m || 12 * joint + 12 > m.length) return false;
    const a = 12 * joint;
    into.set(m[a], m[a + 1], m[a + 2], m[a + 9], m[a + 3], m[a + 4], m[a + 5], m[a + 10],
             m[a + 6], m[a + 7], m[a + 8], m[a + 11], 0, 0, 0, 1);
    return true;
  }

  // Place of a joint in the default pose, metres, world.
  rest_place(joint: number): Vector | null {
    const at = this.rest_joints[joint];
    return at ? (new Vector3().setFromMatrixPosition(at).multiplyScalar(this.metres_per_unit).toArray() as Vector) : null;
  }
  // From the default pose to where a joint carries things now, metres, world.
  joint_motion(joint: number, into: Matrix4): boolean {
    const rest = this.rest_joints[joint];
    if (!rest || !this.joint_matrix(joint, into)) return false;
    const unit = this.metres_per_unit;
    into.multiply(new Matrix4().makeScale(unit, unit, unit).multiply(rest).invert());
    return true;
  }

  // Colours for per-vertex values: by kind if `kinds`, otherwise from `least` to `most`.
  show_field(values: Float32Array, kinds: boolean) {
    let most = 1e-9;
    for (const value of values) if (Number.isFinite(value)) most = Math.max(most, value);
    this.field = { values, least: 0, most };
    const tints = kind_colours.map(from_hex);
    for (let k = 0; k < values.length; ++k)
      if (kinds) this.colours.set(tints[Math.max(0, Math.round(values[k])) % tints.length], 3 * k);
      else ramp(depth_stops, values[k] / most, this.colours, 3 * k);
    this.colours_changed();
  }
  field_most(): number {
    return this.field?.most ?? 0;
  }

  // The colours of the surface, for the brush to write.
  plain_colours(): Float32Array {
    return this.colours;
  }
  colours_changed() {
    (this.plain_geometry.getAttribute("color") as BufferAttribute).needsUpdate = true;
  }

  // A copy in the same clothes, with the vertices of a second method.
  make_copy(): CharacterCopy {
    const props = [...this.props.values()].flat().filter((object): object is Mesh => object instanceof Mesh && !(object instanceof SkinnedMesh));
    const parts = this.dressed.map((part, k) => ({ ...part, material: (this.dressed_group.children[k] as Mesh).material }));
    return new CharacterCopy(parts, props);
  }

  dispose() {
    this.group.removeFromParent();
    this.group.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      (object.geometry as BufferGeometry).dispose();
      for (const material of [object.material].flat() as Material[]) {
        for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
        material.dispose();
      }
    });
  }

  private colour_heat(heat: Uint8Array) {
    for (let k = 0; k < heat.length; ++k) ramp(heat_stops, heat[k] / 255, this.colours, 3 * k);
    this.colours_changed();
  }

  private measure_box(positions: Float32Array) {
    const { min, max } = this.box.makeEmpty();
    for (let k = 0; k < positions.length; k += 3) {
      const x = positions[k], y = positions[k + 1], z = positions[k + 2];
      if (x < min.x) min.x = x;
      if (x > max.x) max.x = x;
      if (y < min.y) min.y = y;
      if (y > max.y) max.y = y;
      if (z < min.z) min.z = z;
      if (z > max.z) max.z = z;
    }
  }

  private place_props(joint: Float32Array) {
    for (const [node, objects] of this.props) {
      if (12 * node + 12 > joint.length) continue;
      for (const object of objects) {
        this.joint_matrix(node, object.matrix);
        object.matrixWorldNeedsUpdate = true;
      }
    }
  }

  // Flattens the file's tree: parts of the surface, and everything else by the node that moves it.
  private take_apart(scene: Object3D, associations: Map<unknown, Association>) {
    const part_of = new Map(this.surface.parts.map((part) => [`${part.node}/${part.primitive}`, part]));
    const meshes: { mesh: Mesh; node: number; primitive: number }[] = [], others: { object: Object3D; node: number }[] = [];
    const node_of = (object: Object3D | null): number => {
      for (let at = object; at; at = at.parent) {
        const node = associations.get(at)?.nodes;
        if (node !== undefined) return node;
      }
      return -1;
    };
    scene.updateMatrixWorld(true);
    scene.traverse((object) => {
      const node = node_of(object), own = associations.get(object);
      if (own?.nodes !== undefined) this.rest_joints[own.nodes] = object.matrixWorld.clone();
      if (own?.nodes !== undefined) this.rest_turns[own.nodes] = object.quaternion.toArray() as Quaternion;
      if (object instanceof Mesh) meshes.push({ mesh: object, node, primitive: own?.primitives ?? 0 });
      else if (own?.nodes !== undefined) others.push({ object, node });
    });
    // Joints stay objects, for skinned meshes that are not part of the surface.
    for (const { object, node } of others) {
      object.removeFromParent();
      object.clear();
      this.add_prop(object, node);
    }
    const parts: { vertex_of: Uint32Array; normals: Float32Array | null; triangles: Uint32Array }[] = [];
    let begin = 0;
    for (const { mesh, node, primitive } of meshes) {
      mesh.removeFromParent();
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      const part = part_of.get(`${node}/${primitive}`);
      const geometry = mesh.geometry as BufferGeometry;
      if (!part || geometry.getAttribute("position").count !== part.vertex_of.length) {
        this.add_prop(mesh, node);
        continue;
      }
      const normal = geometry.getAttribute("normal");
      const triangles = geometry.index
        ? Uint32Array.from(geometry.index.array)
        : new Uint32Array(part.vertex_of.length).map((_, k) => k);
      parts.push({ vertex_of: part.vertex_of, normals: normal ? plain_floats(normal as BufferAttribute) : null, triangles });
      const drawn = new BufferGeometry();
      drawn.setIndex(geometry.index);
      for (const name of ["uv", "uv1", "uv2", "uv3", "color"])
        if (geometry.hasAttribute(name)) drawn.setAttribute(name, geometry.getAttribute(name));
      drawn.setAttribute("position", moving(new Float32Array(3 * part.vertex_of.length)));
      drawn.setAttribute("normal", moving(new Float32Array(3 * part.vertex_of.length)));
      const dressed = new Mesh(drawn, mesh.material);
      dressed.frustumCulled = false;
      dressed.castShadow = true;
      dressed.receiveShadow = true;
      this.dressed_group.add(dressed);
      this.dressed.push({ geometry: drawn, begin, count: part.vertex_of.length });
      begin += part.vertex_of.length;
    }
    return parts;
  }

  private add_prop(object: Object3D, node: number) {
    if (object instanceof SkinnedMesh) object.bindMode = "attached";
    object.matrixAutoUpdate = false;
    this.group.add(object);
    const same = this.props.get(node);
    if (same) same.push(object);
    else this.props.set(node, [object]);
  }
}

export class CharacterCopy {
  readonly group = new Group();
  private readonly drawn: { geometry: BufferGeometry; begin: number; count: number }[] = [];
  private readonly props: { copy: Mesh; of: Mesh }[] = [];

  constructor(parts: (Dressed & { material: Material | Material[] })[], props: Mesh[]) {
    for (const { geometry, begin, count, material } of parts) {
      const own = new BufferGeometry();
      own.setIndex(geometry.index);
      for (const name of Object.keys(geometry.attributes))
        if (name !== "position" && name !== "normal") own.setAttribute(name, geometry.getAttribute(name));
      own.setAttribute("position", moving(new Float32Array(3 * count)));
      own.setAttribute("normal", moving(new Float32Array(3 * count)));
      this.add(new Mesh(own, material));
      this.drawn.push({ geometry: own, begin, count });
    }
    for (const of of props) {
      const copy = new Mesh(of.geometry, of.material);
      copy.matrixAutoUpdate = false;
      this.add(copy);
      this.props.push({ copy, of });
    }
    this.group.visible = false; // until it has a frame
  }

  take(frame: DrawnFrame) {
    if (!frame.beside_positions || !frame.beside_normals) return;
    for (const { geometry, begin, count } of this.drawn) {
      set_array(geometry, "position", frame.beside_positions.subarray(3 * begin, 3 * (begin + count)));
      set_array(geometry, "normal", frame.beside_normals.subarray(3 * begin, 3 * (begin + count)));
    }
    for (const { copy, of } of this.props) {
      copy.matrix.copy(of.matrix);
      copy.matrixWorldNeedsUpdate = true;
    }
    this.group.visible = true;
  }

  // Disposes what belongs to the copy; the rest belongs to the character.
  dispose() {
    this.group.removeFromParent();
    for (const { geometry } of this.drawn) {
      geometry.dispose();
    }
  }

  private add(mesh: Mesh) {
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.group.add(mesh);
  }
}

interface Association { nodes?: number; meshes?: number; primitives?: number }

// Loads both files from the server; null if it has another character by now. Throws a sentence.
export async function load_character(number: number, glb_address: string, surface_address: string, metres_per_unit: number): Promise<Character | null> {
  const [glb, surface] = await Promise.all([fetched(glb_address), fetched(surface_address)]);
  if (!glb || !surface) return null;
  const missing: string[] = [];
  const manager = new LoadingManager();
  manager.onError = (address) => missing.push(address.startsWith("blob:") || address.startsWith("data:") ? "one inside the file" : address);
  const loaded = await new GLTFLoader(manager).parseAsync(glb, "");
  const associations = loaded.parser.associations as unknown as Map<unknown, Association>;
  const character = new Character(number, decode_surface(surface), loaded.scene, associations, metres_per_unit);
  character.missing_pictures = [...new Set(missing)];
  // VRM 0 faces -z; glTF and VRM 1 face +z.
  const extensions = (loaded.parser.json as { extensions?: Record<string, unknown> }).extensions ?? {};
  character.looks_back = "VRM" in extensions && !("VRMC_vrm" in extensions);
  return character;
}

const no_content = 204;

async function fetched(address: string): Promise<ArrayBuffer | null> {
  const answer = await fetch(address);
  if (answer.status === no_content) return null;
  if (!answer.ok) throw new Error((await answer.text()) || `The studio's program answered ${answer.status}.`);
  return answer.arrayBuffer();
}

function moving(array: Float32Array): BufferAttribute {
  return new BufferAttribute(array, 3).setUsage(DynamicDrawUsage);
}

function set_array(geometry: BufferGeometry, name: string, array: Float32Array) {
  const attribute = geometry.getAttribute(name) as BufferAttribute;
  if (attribute.array.length !== array.length) return;
  attribute.array = array;
  attribute.needsUpdate = true;
}

function plain_floats(attribute: BufferAttribute): Float32Array {
  const result = new Float32Array(3 * attribute.count);
  for (let k = 0; k < attribute.count; ++k) {
    result[3 * k] = attribute.getX(k);
    result[3 * k + 1] = attribute.getY(k);
    result[3 * k + 2] = attribute.getZ(k);
  }
  return result;
}

function spare_buffers(old: DrawnFrame, now: DrawnFrame): ArrayBuffer[] {
  // Data that the new frame lacks is still drawn from the old frame's memory, which is kept.
  const pairs: [Float32Array | null, Float32Array | null][] = [
    [old.positions, now.positions], [old.plain_normals, now.plain_normals], [old.goal, now.goal],
    [old.goal_normals, now.goal_normals], [old.dressed_positions, now.dressed_positions],
    [old.dressed_normals, now.dressed_normals], [old.cells, now.cells], [old.beside_positions, now.beside_positions],
    [old.beside_normals, now.beside_normals],
  ];
  return pairs.flatMap(([before, after]) => (before && after ? [before.buffer as ArrayBuffer] : []));
}

export const buffers_of = (frame: DrawnFrame) => spare_buffers(frame, frame);

// Visible at its rim only, so that the flesh inside stays visible.
function ghost_material(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true, depthWrite: false, side: FrontSide, blending: AdditiveBlending,
    uniforms: { colour: { value: new Color(0x5fb4ff) } },
    vertexShader: `
      varying vec3 n; varying vec3 eye;
      void main() {
        vec4 at = modelViewMatrix * vec4(position, 1.0);
        n = normalMatrix * normal; eye = -at.xyz;
        gl_Position = projectionMatrix * at;
      }`,
    fragmentShader: `
      varying vec3 n; varying vec3 eye; uniform vec3 colour;
      void main() {
        float rim = 1.0 - abs(dot(normalize(n), normalize(eye)));
        gl_FragColor = vec4(colour * (0.05 + 0.95 * pow(rim, 2.2)), 1.0);
      }`,
  });
}

export const centre_of = (box: Box3) => box.getCenter(new Vector3());
