// Colliders as they are drawn, and the balls by which they are dragged.
import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  PlaneGeometry, Quaternion, SphereGeometry, Vector3,
} from "three";
import type { Vector } from "../connection/protocol.ts";
import { as_wall, type Collider } from "./collider_shapes.ts";
import { add, distance, scaled, sub, unit } from "./geometry.ts";
import { type Wall, wall_axes } from "./walls.ts";

const wall_turn = (wall: Wall): Quaternion =>
  new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(...(wall_axes(wall).map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3])));

function with_rim(shape: BoxGeometry | PlaneGeometry, material: MeshStandardMaterial, chosen: boolean, place: Vector, turn: Quaternion): Mesh {
  const mesh = new Mesh(shape, material);
  mesh.position.set(...place);
  mesh.quaternion.copy(turn);
  mesh.add(new LineSegments(new EdgesGeometry(shape), new LineBasicMaterial({ color: chosen ? 0xffb454 : 0x9cc6f2 })));
  return mesh;
}

// A collider, or null for one that lacks what its shape needs; `size` is the character's height.
export function collider_mesh(thing: Collider, chosen: boolean, size: number): Mesh | null {
  const colour = chosen ? 0xffb454 : 0x7fb2e8, flat = thing.shape === "box" || thing.shape === "plane";
  const material = new MeshStandardMaterial({
    color: colour, roughness: 0.45, transparent: true, opacity: flat ? 0.24 : 0.9, side: DoubleSide, depthWrite: !flat,
  });
  const wall = as_wall(thing);
  if (wall) return with_rim(new BoxGeometry(wall.width, wall.height, wall.depth), material, chosen, wall.centre, wall_turn(wall));
  if (thing.shape === "plane" && thing.point && thing.normal) {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...unit(thing.normal)));
    return with_rim(new PlaneGeometry(1.1 * size, 1.1 * size, 6, 6), material, chosen, thing.point, turn);
  }
  let mesh: Mesh | null = null;
  if (thing.shape === "sphere" && thing.centre && thing.radius) {
    mesh = new Mesh(new SphereGeometry(thing.radius, 48, 32), material);
    mesh.position.set(...thing.centre);
  } else if (thing.shape === "capsule" && thing.from && thing.to && thing.radius) {
    mesh = new Mesh(new CapsuleGeometry(thing.radius, distance(thing.from, thing.to), 12, 32), material);
    mesh.position.set(...scaled(add(thing.from, thing.to), 0.5));
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...unit(sub(thing.to, thing.from))));
  }
  if (mesh) mesh.castShadow = true;
  return mesh;
}

// Visible through what is in front of it, so that it can be found on the far side.
export function handle_ball(place: Vector, radius: number, colour = 0xfff2dc): Mesh {
  const ball = new Mesh(new SphereGeometry(radius, 24, 16), new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.95 }));
  ball.position.set(...place);
  ball.renderOrder = 10;
  return ball;
}

// A line from a thing to its handle.
export function stem(from: Vector, to: Vector): LineSegments {
  const line = new LineSegments(new BufferGeometry().setFromPoints([new Vector3(...from), new Vector3(...to)]), new LineBasicMaterial({ color: 0xfff2dc, depthTest: false }));
  line.renderOrder = 10;
  return line;
}

export function dispose_all(group: Group) {
  group.traverse((object) => {
    if (!(object instanceof Mesh || object instanceof LineSegments)) return;
    object.geometry.dispose();
    object.material.dispose();
  });
  group.clear();
}
