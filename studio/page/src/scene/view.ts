// The 3D view: renderer, camera, light, ground. Draws only when something has changed.
import {
  Box3, BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, Group, HemisphereLight, LineBasicMaterial, LineSegments, Mesh, MOUSE, NeutralToneMapping, Object3D, PCFShadowMap,
  PerspectiveCamera, PlaneGeometry, PMREMGenerator, Raycaster, Scene, ShadowMaterial, TOUCH, Vector2, Vector3,
  WebGLRenderer, BackSide, BoxGeometry, MeshBasicMaterial,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { ContactShadow } from "./contact_shadow.ts";
import type { Ray } from "./geometry.ts";
import { page } from "../state.ts";
import type { Theme } from "../widgets/theme.ts";

const covered = 350; // pixels on the left that tools and their card cover
const still_after = 250; // milliseconds without a new picture, after which the last one is drawn finely without a graphics card
const finest = 2, most_pixels = 5e6; // fine pictures: pixels per pixel of the screen, and in all
const coarse_share = 0.4, coarse_interval = 150; // of draw_coarsely(): pixels per pixel of the screen, milliseconds between pictures
const slow = 34, fast = 18; // milliseconds per picture: quality drops above `slow` and rises below `fast`
const qualities = [
  { pixels: 1, shadow: true }, { pixels: 0.75, shadow: true }, { pixels: 0.75, shadow: false }, { pixels: 0.62, shadow: false },
]; // shares of the screen's own pixels

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 200);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  // Run before each picture with the time since the last one, to update what is drawn.
  readonly before_picture: (() => void)[] = [];
  // Run after each picture.
  readonly after_picture: (() => void)[] = [];
  pictures = 0;
  milliseconds = 0; // between successive pictures, smoothed

  private readonly ground = new Group();
  private readonly grid = make_grid();
  private readonly contact = new ContactShadow();
  private fine = false; // the picture that stands was drawn finely
  private pressed = false; // a pointer is down
  private drawn_at = 0;
  private readonly key = new DirectionalLight(0xfff1e0, 2.6);
  private readonly raycaster = new Raycaster();
  private wanted = true;
  private last = 0;
  private level = 0; // of quality
  private best = 0;
  private tried_better = false;
  private well = 0;
  private spent = 0;
  private counted = 0; // pictures in that time
  private height = 1;
  private cell = 0.25; // size of the grid's squares, metres
  private readonly software = draws_in_software();
  private coarse = false;
  private centre = new Vector3();
  private aside = 0; // metres: distance of a second character to the right

  constructor(readonly canvas: HTMLCanvasElement) {
    const { software } = this;
    if (software) this.level = 2;
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, alpha: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.setClearAlpha(0);

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.autoRotateSpeed = 1.6;
    this.controls.maxPolarAngle = Math.PI * 0.96;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.need_picture());

    const sky = new HemisphereLight(0xe6eefb, 0x6d5f56, 1.15);
    const rim = new DirectionalLight(0xbcd3ff, 1.5);
    rim.position.set(-3, 3, -5);
    this.key.position.set(3, 6, 5);
    this.key.castShadow = qualities[this.level].shadow;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.normalBias = 0.03;
    this.scene.add(sky, this.key, this.key.target, rim);

    this.grid.name = "grid";
    this.grid.renderOrder = -2;
    const shadow = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.34 }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    this.ground.add(shadow);
    this.ground.rotation.x = this.grid.rotation.x = -Math.PI / 2;
    this.scene.add(this.ground, this.grid, this.contact.mesh);
    this.contact.mesh.visible = !qualities[this.level].shadow;
    for (const [event, down] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]] as const)
      addEventListener(event, () => (this.pressed = down), true);

    page.watch(["turntable"], () => {
      this.controls.autoRotate = page.value.turntable;
      this.need_picture();
    });
    page.watch(["grid"], () => {
      this.grid.visible = page.value.grid;
      this.need_picture();
    });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
    requestAnimationFrame(this.round);
  }

  need_picture() {
    this.wanted = true;
  }

  // Colours of the ground: lines that are seen on a dark stage, and on a light one.
  set_theme(theme: Theme) {
    (this.grid.material as LineBasicMaterial).color.set(theme === "light" ? 0x5c6676 : 0xffffff);
    this.need_picture();
  }

  // Metals and gloss need something to reflect: a bright room, made when there is time for it. Without a graphics card
  // it doubles the time of a picture.
  light_room(at_any_cost = false) {
    if (this.scene.environment || (this.software && !at_any_cost)) return;
    const generator = new PMREMGenerator(this.renderer);
    this.scene.environment = generator.fromScene(bright_room(), 0.06).texture;
    this.scene.environmentIntensity = 0.5;
    generator.dispose();
    this.need_picture();
  }

  // Ground and light for a character of this height that stands on `ground`.
  set_size(height: number, ground: number) {
    this.height = height;
    this.ground.position.y = ground;
    this.ground.scale.setScalar(40 * height);
    this.cell = nice_length(height / 4);
    this.grid.scale.setScalar(this.cell);
    this.grid.position.y = ground;
    this.camera.near = height / 100;
    this.camera.far = height * 120;
    this.controls.minDistance = height / 30;
    this.controls.maxDistance = height * 30;
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -1.6 * height;
    shadow.right = shadow.top = 1.6 * height;
    shadow.near = 0.1 * height;
    shadow.far = 12 * height;
    shadow.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.012 * height;
  }

  // Frames `box` from the front, slightly from the side and from above, or from the present direction.
  frame(box: Box3, from_front: boolean, looks_back = false) {
    const centre = box.getCenter(new Vector3()), radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-3);
    const way = from_front ? new Vector3(looks_back ? -0.42 : 0.42, 0.16, looks_back ? -1 : 1) : this.camera.position.clone().sub(this.controls.target);
    const narrow = Math.min(1, this.camera.aspect);
    const half = (this.camera.fov * Math.PI) / 360, both = 0.5 * this.aside + 0.8 * radius;
    const distance = Math.max(radius / Math.sin(half) / narrow, this.aside > 0 ? both / (Math.tan(half) * this.camera.aspect) : 0);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(way.normalize(), distance * 1.03);
    this.centre.copy(centre);
    this.controls.update();
    this.need_picture();
  }

  // The camera follows a character that walks away, but not its small movements. `stands`: the user interacts, so the
  // camera stays where it is.
  follow(centre: Vector3, stands: boolean) {
    this.light_at(centre);
    if (stands || !page.value.follow) {
      this.centre.copy(centre);
      return;
    }
    const way = centre.clone().sub(this.centre);
    way.y *= 0.5;
    const free = 0.12 * this.height, far = way.length();
    if (far <= free) return;
    way.multiplyScalar((far - free) / far);
    this.centre.add(way);
    this.controls.target.add(way);
    this.camera.position.add(way);
  }

  // The shadow under a skin at these places, where there is no shadow map.
  shade_ground(positions: Float32Array, box: Box3) {
    this.contact.place(positions, box, this.height, this.ground.position.y);
  }

  private light_at(centre: Vector3) {
    this.key.target.position.copy(centre);
    this.key.position.set(centre.x + 2.2 * this.height, centre.y + 4.5 * this.height, centre.z + 3.4 * this.height);
    this.ground.position.x = centre.x;
    this.ground.position.z = centre.z;
    this.grid.position.x = 5 * this.cell * Math.round(centre.x / (5 * this.cell));
    this.grid.position.z = 5 * this.cell * Math.round(centre.z / (5 * this.cell));
  }

  ray(event: { clientX: number; clientY: number }): Ray {
    const area = this.canvas.getBoundingClientRect();
    const place = new Vector2(
      (2 * (event.clientX - area.left)) / area.width - 1, 1 - (2 * (event.clientY - area.top)) / area.height,
    );
    this.raycaster.setFromCamera(place, this.camera);
    const { origin, direction } = this.raycaster.ray;
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  // Metres per pixel at this distance from the camera.
  pixel_size(at: Vector3): number {
    const distance = at.distanceTo(this.camera.position);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }

  // Position of a point on the screen, in pixels of the window.
  on_screen(point: Vector3): { x: number; y: number } {
    const area = this.canvas.getBoundingClientRect(), at = point.clone().project(this.camera);
    return { x: area.left + ((at.x + 1) / 2) * area.width, y: area.top + ((1 - at.y) / 2) * area.height };
  }

  // A second character stands that many metres to the right (0: there is none); the view centres on both.
  set_aside(metres: number) {
    if (this.aside === 0 && metres === 0) return;
    this.aside = metres;
    this.offset_view();
  }

  look_direction(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }

  add(object: Object3D) {
    this.scene.add(object);
  }

  private resize() {
    const area = this.canvas.parentElement!.getBoundingClientRect();
    const width = Math.max(1, Math.floor(area.width)), height = Math.max(1, Math.floor(area.height));
    this.fine = false;
    this.set_pixels(qualities[this.level].pixels);
    this.renderer.setSize(width, height, true);
    this.camera.aspect = width / height;
    this.offset_view();
    this.need_picture();
  }

  // The centre of the view is beside the tools and their card.
  private offset_view() {
    const area = this.canvas.parentElement!.getBoundingClientRect();
    const width = Math.max(1, Math.floor(area.width)), height = Math.max(1, Math.floor(area.height));
    const tools = width > 520 ? Math.max(0, Math.min(covered / 2, covered + 210 - width / 2)) : 0;
    const away = this.camera.position.distanceTo(this.controls.target);
    const pixels = height / (2 * away * Math.tan((this.camera.fov * Math.PI) / 360)); // per metre
    this.camera.setViewOffset(width, height, this.aside > 0 ? Math.round(0.5 * this.aside * pixels) - tools / 2 : -tools, 0, width, height);
  }

  private readonly round = (now: number) => {
    requestAnimationFrame(this.round);
    this.controls.update();
    for (const prepare of this.before_picture) prepare();
    if (!this.wanted) {
      this.last = 0;
      if (this.software && !this.coarse && !this.fine && !this.pressed && now - this.drawn_at > still_after) this.draw_finely();
      return;
    }
    if (this.coarse && now - this.drawn_at < coarse_interval) return;
    this.wanted = false;
    if (this.fine) {
      this.fine = false;
      this.set_pixels(qualities[this.level].pixels);
    }
    this.drawn_at = now;
    this.renderer.render(this.scene, this.camera);
    ++this.pictures;
    for (const follow of this.after_picture) follow();
    if (this.last > 0) {
      const interval = Math.min(now - this.last, 250);
      this.milliseconds += (interval - this.milliseconds) * (this.milliseconds === 0 ? 1 : 0.1);
      this.adapt(interval);
    }
    this.last = now;
  };

  // Smooth edges by more pixels than the screen has, once nothing moves.
  private draw_finely() {
    const { clientWidth, clientHeight } = this.canvas;
    this.fine = true;
    this.set_pixels(Math.min(finest, Math.sqrt(most_pixels / Math.max(1, clientWidth * clientHeight)) / Math.min(devicePixelRatio, 2)));
    this.renderer.render(this.scene, this.camera);
  }
  private set_pixels(share: number) {
    this.renderer.setPixelRatio(this.coarse ? coarse_share : Math.min(devicePixelRatio, 2) * share);
  }

  // Interaction has priority: if pictures take long, there are fewer pixels and no shadow.
  private adapt(interval: number) {
    this.spent += interval;
    ++this.counted;
    if (this.spent < 700) return;
    const mean = this.spent / this.counted;
    this.spent = this.counted = 0;
    if (mean > slow && this.level + 1 < qualities.length) {
      if (this.tried_better) this.best = this.level + 1; // it was too slow: do not try again
      this.set_quality(this.level + 1);
      this.well = 0;
    } else if (mean < fast && this.level > this.best && ++this.well > 6) {
      this.tried_better = true;
      this.set_quality(this.level - 1);
      this.well = 0;
    }
  }

  // Few pictures of few pixels, for tests that click but do not look: without a graphics card, drawing would be most of
  // their time.
  draw_coarsely(on: boolean) {
    this.coarse = on;
    this.set_quality(on ? qualities.length - 1 : this.software ? 2 : 0);
  }

  // Sets the quality, 0 being the best. Also for pictures in documents.
  set_quality(level: number) {
    this.level = level;
    const { shadow } = qualities[level];
    this.key.castShadow = shadow;
    this.contact.mesh.visible = !shadow;
    this.renderer.shadowMap.needsUpdate = true;
    this.resize();
  }
}

// True if the browser draws without a graphics card, where every pixel costs.
function draws_in_software(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context && names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// The next number of the form 1, 2 or 5 times a power of ten.
export function nice_length(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about)), share = about / power;
  return (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
}

const grid_lines = 24, grid_pieces = 24; // per side; pieces per line, since it fades towards its ends

// Lines one unit apart in the plane z = 0 that fade with the distance from the middle; every fifth one is stronger.
function make_grid(): LineSegments {
  const positions: number[] = [], colours: number[] = [];
  const point = (x: number, y: number, strength: number) => {
    positions.push(x, y, 0);
    colours.push(0.62, 0.68, 0.78, strength * Math.max(0, 1 - Math.hypot(x, y) / grid_lines) ** 1.5);
  };
  for (let k = -grid_lines; k <= grid_lines; ++k) {
    const strength = k % 5 === 0 ? 0.55 : 0.24;
    for (let piece = 0; piece < grid_pieces; ++piece) {
      const from = grid_lines * ((2 * piece) / grid_pieces - 1), to = grid_lines * ((2 * piece + 2) / grid_pieces - 1);
      point(k, from, strength);
      point(k, to, strength);
      point(from, k, strength);
      point(to, k, strength);
    }
  }
  const shape = new BufferGeometry();
  shape.setAttribute("position", new Float32BufferAttribute(positions, 3));
  shape.setAttribute("color", new Float32BufferAttribute(colours, 4));
  return new LineSegments(shape, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
}

function bright_room(): Scene {
  const room = new Scene();
  const wall = (colour: Color, x: number, y: number, z: number, sx: number, sy: number, sz: number) => {
    const mesh = new Mesh(new BoxGeometry(sx, sy, sz), new MeshBasicMaterial({ color: colour, side: BackSide }));
    mesh.position.set(x, y, z);
    room.add(mesh);
  };
  wall(new Color(0.42, 0.44, 0.48), 0, 0, 0, 20, 20, 20);
  const lamp = (brightness: number, x: number, y: number, z: number, size: number) => {
    const mesh = new Mesh(
      new BoxGeometry(size, 0.4, size), new MeshBasicMaterial({ color: new Color(brightness, brightness, brightness * 0.96) }),
    );
    mesh.position.set(x, y, z);
    mesh.lookAt(0, 0, 0);
    room.add(mesh);
  };
  lamp(9, 5, 8, 5, 5);
  lamp(4, -7, 5, -4, 4);
  lamp(2, 0, -9, 0, 8);
  return room;
}
