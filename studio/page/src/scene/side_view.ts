// A small view of another surface at rest, in the panel: it can be turned, and points of it picked.
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh, MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera,
  Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vector } from "../connection/protocol.ts";

const click_pixels = 4;

export class SideView {
  readonly canvas = document.createElement("canvas");
  picked: (point: Vector) => void = () => {};
  private readonly renderer: WebGLRenderer;
  protected readonly scene = new Scene();
  protected readonly camera = new PerspectiveCamera(30, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  protected readonly mesh = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ color: 0xb9a48f, roughness: 0.8, side: DoubleSide }));
  private readonly marks: Mesh[] = [];
  private size = 1; // metres

  constructor(width: number, height: number) {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.setPixelRatio(devicePixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.scene.background = new Color(0x151a23);
    this.scene.add(new HemisphereLight(0xffffff, 0x445566, 2));
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(1, 2, 3);
    this.scene.add(light, this.mesh);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.mesh.frustumCulled = false;
    let pressed = { x: 0, y: 0 };
    this.canvas.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }));
    this.canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < click_pixels) this.pick(event);
    });
  }

  // `framed`: the camera looks at all of it; otherwise it stays.
  show(positions: Float32Array, triangles: Uint32Array, framed = true) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(triangles, 1));
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    if (!framed) return this.draw();
    const box = geometry.boundingBox!, middle = box.getCenter(new Vector3());
    this.size = box.getSize(new Vector3()).length();
    this.controls.target.copy(middle);
    this.camera.near = 0.01 * this.size;
    this.camera.far = 10 * this.size;
    this.camera.updateProjectionMatrix();
    this.camera.position.copy(middle).add(new Vector3(0.35, 0.15, 1).normalize().multiplyScalar(1.9 * this.size));
    this.controls.update();
    this.draw();
  }

  mark(points: Vector[], colours: number[]) {
    for (const mark of this.marks.splice(0)) {
      mark.removeFromParent();
      mark.geometry.dispose();
      (mark.material as MeshBasicMaterial).dispose();
    }
    points.forEach((point, k) => {
      const mark = new Mesh(new SphereGeometry(0.012 * this.size, 12, 8), new MeshBasicMaterial({ color: colours[k], depthTest: false }));
      mark.renderOrder = 2;
      mark.position.set(...point);
      this.marks.push(mark);
      this.scene.add(mark);
    });
    this.draw();
  }

  private pick(event: PointerEvent) {
    const area = this.canvas.getBoundingClientRect(), ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * (event.clientX - area.left)) / area.width - 1, 1 - (2 * (event.clientY - area.top)) / area.height), this.camera);
    const hit = ray.intersectObject(this.mesh)[0];
    if (hit) this.picked(hit.point.toArray() as Vector);
  }

  protected draw() {
    this.renderer.render(this.scene, this.camera);
  }
}
