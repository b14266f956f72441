// The lattice that is edited, around the character's skin at rest, in the 3D view.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  Points, PointsMaterial, Raycaster, SphereGeometry, Vector3,
} from "three";
import { floats_of, words_of } from "../connection/base64.ts";
import type { LatticeProblem, LatticeSkinReply, Vector } from "../connection/protocol.ts";
import type { View } from "../scene/view.ts";
import { edge_key, fan, picked, vertices_of, type LatticeShape, type Part, type Pixel } from "./lattice_shape.ts";

const plain = new Color(0x9fc4ff), inner = new Color(0x3d4f6d), bone = new Color(0x8fd694), sharp = new Color(0xffd24a), chosen_colour = new Color(0xff6a3c);
const reach = 11; // pixels within which the pointer finds a vertex or an edge

export class LatticeScene {
  readonly group = new Group();
  readonly box = new Box3();
  private readonly lines: LineSegments;
  private readonly points: Points;
  private readonly marks: Mesh; // faces that are chosen
  private readonly wrong: Mesh; // faces of cells that have a problem
  private readonly outside: Mesh; // is picked, not drawn
  private readonly spot: Mesh;
  private readonly raycaster = new Raycaster();
  private outer_faces: number[] = []; // per triangle of `outside`, its face
  private shape: LatticeShape | null = null;

  constructor(private readonly view: View, skin: LatticeSkinReply) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(floats_of(skin.positions), 3));
    geometry.setIndex(new BufferAttribute(words_of(skin.triangles), 1));
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    this.box.copy(geometry.boundingBox!);
    const body = new Mesh(geometry, new MeshStandardMaterial({ color: 0x9a8d84, roughness: 0.85, side: DoubleSide }));
    const segments = new Float32Array(skin.bones.flatMap(({ segments: of }) => of.flat()));
    const bones = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x8fd694, depthTest: false, transparent: true, opacity: 0.55, toneMapped: false }));
    bones.geometry.setAttribute("position", new BufferAttribute(segments, 3));
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.85, depthTest: false, toneMapped: false }));
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ size: 7, sizeAttenuation: false, vertexColors: true, depthTest: false, transparent: true, toneMapped: false }));
    const flat = (color: number, opacity: number) => new Mesh(new BufferGeometry(), new MeshBasicMaterial({ color, transparent: true, opacity, side: DoubleSide, depthTest: false, depthWrite: false, toneMapped: false }));
    this.marks = flat(0xff6a3c, 0.35);
    this.wrong = flat(0xff2f2f, 0.3);
    this.outside = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ side: DoubleSide }));
    this.spot = new Mesh(new SphereGeometry(1, 20, 10), new MeshBasicMaterial({ color: 0xff3d2e, depthTest: false, transparent: true, opacity: 0.4, toneMapped: false }));
    this.spot.visible = this.outside.visible = false;
    for (const [k, object] of [this.wrong, this.marks, bones, this.lines, this.points, this.spot].entries()) {
      object.frustumCulled = false;
      object.renderOrder = 6 + k;
    }
    this.group.add(body, this.wrong, this.marks, bones, this.lines, this.points, this.spot, this.outside);
    view.add(this.group);
  }

  dispose() {
    this.group.removeFromParent();
    this.group.traverse((object) => (object as Mesh).geometry?.dispose());
  }

  // `chosen`: numbers of what `part` says; `problem`: whose cells and place are marked.
  draw(shape: LatticeShape, part: Part, chosen: Set<number>, problem: LatticeProblem | null) {
    this.shape = shape;
    const bones = new Set(shape.bones.flatMap(({ vertices }) => vertices.slice(1).map((v, k) => edge_key(vertices[k], v))));
    const creases = new Set(shape.sharp_edges.map(([a, b]) => edge_key(a, b))), on_bone = new Set(shape.bones.flatMap(({ vertices }) => vertices));
    const marked = new Set(vertices_of(shape, part, chosen)), sharp_vertices = new Set(shape.sharp_vertices);
    const ends = new Float32Array(6 * shape.edges.length), colours = new Float32Array(6 * shape.edges.length);
    shape.edges.forEach(([a, b], e) => {
      const key = edge_key(a, b);
      const colour = part === "edges" && chosen.has(e) ? chosen_colour : bones.has(key) ? bone : creases.has(key) ? sharp : shape.outer_edges[e] ? plain : inner;
      for (const [end, v] of [a, b].entries())
        for (let k = 0; k < 3; ++k) ends[6 * e + 3 * end + k] = shape.positions[3 * v + k];
      colour.toArray(colours, 6 * e);
      colour.toArray(colours, 6 * e + 3);
    });
    set(this.lines, ends, colours);
    const dots = new Float32Array(shape.positions.length);
    for (let v = 0; 3 * v < dots.length; ++v)
      (marked.has(v) ? chosen_colour : on_bone.has(v) ? bone : sharp_vertices.has(v) ? sharp : plain).toArray(dots, 3 * v);
    set(this.points, shape.positions, dots);
    const faces_of = (cells: Set<number>) => shape.faces.filter((_, f) => shape.face_cells[f].some((c) => cells.has(c)));
    this.fill(this.marks, part === "faces" ? [...chosen].map((f) => shape.faces[f]) : part === "cells" ? faces_of(chosen) : []);
    this.fill(this.wrong, problem ? faces_of(new Set(problem.cells)) : []);
    this.spot.visible = problem !== null;
    if (problem) {
      this.spot.position.set(...problem.place);
      this.spot.scale.setScalar(0.012 * this.box.getSize(new Vector3()).length());
    }
    this.outer_faces = [];
    const outer = shape.faces.filter((face, f) => {
      if (shape.face_cells[f].length !== 1) return false;
      for (let k = 2; k < face.length; ++k) this.outer_faces.push(f);
      return true;
    });
    this.fill(this.outside, outer);
    this.outside.geometry.computeBoundingSphere();
    this.view.need_picture();
  }

  private fill(mesh: Mesh, faces: number[][]) {
    const { positions } = this.shape!;
    mesh.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    mesh.geometry.setIndex(new BufferAttribute(new Uint32Array(faces.flatMap((face) => fan(face).flat())), 1));
  }

  // The part under the pointer; -1: none.
  under(part: Part, event: { clientX: number; clientY: number }): number {
    const { shape, view } = this;
    if (!shape) return -1;
    if (part === "vertices" || part === "edges") {
      const screen: Pixel[] = [], place = new Vector3();
      for (let k = 0; k < shape.positions.length; k += 3) {
        place.set(shape.positions[k], shape.positions[k + 1], shape.positions[k + 2]);
        screen.push({ ...view.on_screen(place), depth: place.distanceTo(view.camera.position) });
      }
      return picked(shape, part, { x: event.clientX, y: event.clientY }, screen, reach);
    }
    const { origin, direction } = view.ray(event);
    this.raycaster.set(new Vector3(...origin), new Vector3(...direction));
    const hit = this.raycaster.intersectObject(this.outside)[0];
    if (!hit || hit.faceIndex === null || hit.faceIndex === undefined) return -1;
    const face = this.outer_faces[hit.faceIndex];
    return part === "faces" ? face : shape.face_cells[face][0];
  }

  // Where the pointer is in the plane through a place that faces the eye.
  in_plane(place: Vector, event: { clientX: number; clientY: number }): Vector {
    const { origin, direction } = this.view.ray(event), normal = this.view.look_direction();
    const from = new Vector3(...origin), way = new Vector3(...direction);
    const far = normal.dot(new Vector3(...place).sub(from)) / normal.dot(way);
    return from.addScaledVector(way, far).toArray() as Vector;
  }
}

function set(object: LineSegments | Points, positions: Float32Array, colours: Float32Array) {
  object.geometry.setAttribute("position", new BufferAttribute(positions, 3));
  object.geometry.setAttribute("color", new BufferAttribute(colours, 3));
}
