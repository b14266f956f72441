// The tool that places force rigs on the skin and moves them by their handles.
import { before_undo } from "../connection/newest.ts";
import {
  BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, Points, PointsMaterial,
  SphereGeometry, Vector3,
} from "three";
import { on_plane, type Ray, skin_position, vertex_at } from "../scene/geometry.ts";
import { matrix_of } from "../scene/matrices.ts";
import type { AnyPoint, Rig, Vector } from "../connection/protocol.ts";
import { element } from "../widgets/dom.ts";
import { page, server } from "../state.ts";
import { check_row } from "../widgets/rows.ts";
import type { Picked } from "../scene/picking.ts";
import { Thread } from "../scene/thread.ts";
import { lasso_stroke } from "./lasso_stroke.ts";
import { choose_rig, chosen_rig, chosen_sample, edit_of, place_of, rig_named, title_of } from "./rigs.ts";
import { stroke } from "./strokes.ts";
import type { Studio } from "../studio.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

const knob = 0.012, axis = 0.06; // relative to the character's height
const nearest_pixels = 18;

// Handles of all rigs, which follow the bones that the rigs are on.
class Handles {
  readonly group = new Group();
  private readonly shown = new Map<string, { mesh: Mesh; rig: Rig }>();
  private readonly cross = new LineSegments(axes_geometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, toneMapped: false }));
  private readonly matrix = new Matrix4();

  constructor(private readonly studio: Studio) {
    this.group.visible = false;
    this.cross.renderOrder = 10;
    studio.view.add(this.group);
    server.watch(["rigs", "character"], () => this.fill());
    page.watch(["rig"], () => this.studio.view.need_picture());
    studio.view.before_picture.push(() => this.update());
  }

  // Rest space to the world, for the bone that the rig's handle is on.
  rest_to_world(rig: Rig): Matrix4 | null {
    if (!rig.handle || !this.studio.character?.joint_matrix(rig.handle.joint, this.matrix)) return null;
    return this.matrix.clone().multiply(matrix_of(rig.handle.rest_to_joint));
  }
  place(rig: Rig): Vector | null {
    const to_world = this.rest_to_world(rig), frame = rig.handle?.frame;
    return to_world && frame ? (new Vector3(frame[3], frame[7], frame[11]).applyMatrix4(to_world).toArray() as Vector) : null;
  }
  // The rig whose handle is under the pointer.
  under(event: { clientX: number; clientY: number }): Rig | null {
    let found: Rig | null = null, nearest = nearest_pixels;
    for (const { rig } of this.shown.values()) {
      const place = this.place(rig);
      if (!place) continue;
      const at = this.studio.view.on_screen(new Vector3(...place)), far = Math.hypot(at.x - event.clientX, at.y - event.clientY);
      if (far < nearest) [found, nearest] = [rig, far];
    }
    return found;
  }

  private fill() {
    this.group.clear();
    this.shown.clear();
    for (const rig of server.value.rigs) {
      if (!rig.handle) continue;
      const mesh = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xffb454, depthTest: false, transparent: true, opacity: 0.9, toneMapped: false }));
      mesh.renderOrder = 9;
      this.shown.set(rig.name, { mesh, rig });
      this.group.add(mesh);
    }
    this.group.add(this.cross);
    this.studio.view.need_picture();
  }
  private update() {
    if (!this.group.visible) return;
    this.cross.visible = false;
    for (const [name, { mesh, rig }] of this.shown) {
      const place = this.place(rig), chosen = name === page.value.rig;
      mesh.visible = place !== null;
      if (!place) continue;
      mesh.position.set(...place);
      mesh.scale.setScalar(knob * this.studio.height * (chosen ? 1.3 : 1));
      (mesh.material as MeshBasicMaterial).color.set(chosen ? 0xffb454 : 0x8fa7cf);
      if (!chosen) continue;
      this.cross.visible = true;
      this.cross.matrixAutoUpdate = false;
      this.cross.matrix.copy(this.rest_to_world(rig)!).multiply(matrix_of(rig.handle!.frame)).scale(new Vector3().setScalar(axis * this.studio.height));
    }
  }
}

// Marks of the vertices in the lasso.
class LassoMarks {
  private readonly marks = new Points(new BufferGeometry(),
    new PointsMaterial({ color: 0xffb454, size: 4, sizeAttenuation: false, depthTest: false, transparent: true, opacity: 0.8, toneMapped: false }));

  constructor(private readonly studio: Studio) {
    this.marks.frustumCulled = false;
    this.marks.renderOrder = 8;
    studio.view.add(this.marks);
    page.watch(["lassoed", "tool"], () => this.fill());
    studio.view.before_picture.push(() => this.update());
  }
  private fill() {
    const { lassoed: vertices, tool } = page.value;
    this.marks.visible = tool === "shape" && vertices.length > 0;
    this.marks.geometry.dispose();
    this.marks.geometry = new BufferGeometry();
    this.marks.geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(3 * vertices.length), 3));
    this.studio.view.need_picture();
  }
  private update() {
    const positions = this.studio.character?.frame?.positions;
    if (!this.marks.visible || !positions) return;
    const attribute = this.marks.geometry.getAttribute("position") as Float32BufferAttribute;
    page.value.lassoed.forEach((vertex, k) => attribute.setXYZ(k, ...vertex_at(positions, vertex)));
    attribute.needsUpdate = true;
  }
}

// x, along the bone or up the body, is red; y, along which a bump pushes, is long and amber; z is blue.
function axes_geometry(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute([0, 0, 0, 0.6, 0, 0, 0, 0, 0, 0, 1.4, 0, 0, 0, 0, 0, 0, 0.6], 3));
  geometry.setAttribute("color", new Float32BufferAttribute([1, 0.4, 0.4, 1, 0.4, 0.4, 1, 0.8, 0.4, 1, 0.8, 0.4, 0.5, 0.6, 1, 0.5, 0.6, 1], 3));
  return geometry;
}

export function add_shape_tool(studio: Studio, tools: Tools) {
  const handles = new Handles(studio);

  // Sends one move at a time; the newest wins.
  let waiting: { name: string; to: AnyPoint; stroke?: number } | null = null, moving = false;
  const send_moves = async () => {
    if (moving) return;
    moving = true;
    while (waiting) {
      const next: typeof waiting = waiting;
      waiting = null;
      if (rig_named(next.name)) await edit_of(next.name, studio.connection.ask({ do: "move_shape", ...next }));
    }
    moving = false;
  };
  const move_to = (name: string, to: AnyPoint) => {
    waiting = { name, to, ...stroke() };
    before_undo(send_moves());
  };
  // On the skin, a handle goes where the pointer meets the skin; otherwise it moves in the plane of the view.
  const target_of = (rig: Rig, start: Vector, ray: Ray): AnyPoint | null => {
    if (rig.guide === "skin") {
      const picked = studio.pick(ray), surface = studio.character?.surface;
      return picked && surface ? { rest: skin_position(picked.at, surface.triangles, surface.rest) } : null;
    }
    const place = on_plane(ray, start, studio.view.look_direction().toArray() as Vector), to_world = handles.rest_to_world(rig);
    return place && to_world ? { rest: new Vector3(...place).applyMatrix4(to_world.invert()).toArray() as Vector } : null;
  };
  const move_gesture = (rig: Rig): Gesture => {
    const start = handles.place(rig)!;
    return {
      move(ray) {
        const to = target_of(rig, start, ray);
        if (to) void move_to(rig.name, to);
      },
      end() {},
    };
  };

  // The skin is pulled, and the parameters of the chosen rig follow. One request at a time; the newest goes next.
  const pull_gesture = (rig: Rig, picked: Picked): Gesture => {
    const thread = new Thread(studio.view), surface = studio.character!.surface, normal = studio.view.look_direction().toArray() as Vector;
    const at: AnyPoint = { rest: skin_position(picked.at, surface.triangles, surface.rest) };
    const sample = place_of(rig.samples[chosen_sample(rig)]);
    let to = picked.point, busy = false, sent: Vector | null = null, up = false;
    const send = async () => {
      if (busy) return;
      busy = true;
      while (sent !== to || up) {
        const last = up;
        up = false;
        sent = to;
        await edit_of(rig.name, studio.bench.ask("fit", { do: "fit_shape", name: rig.name, points: [[at, to]],
          ...(sample === null ? {} : { at: sample }), ...(last ? {} : { dragging: true }), ...stroke() }));
        if (last) break;
      }
      busy = false;
      if (ended) thread.dispose();
    };
    let ended = false;
    return {
      move(ray) {
        to = on_plane(ray, picked.point, normal) ?? to;
        void send();
      },
      end(moved) {
        ended = true;
        if (!moved) return thread.dispose();
        up = true;
        void send();
      },
      each_picture() {
        if (studio.character?.frame) thread.place(skin_position(picked.at, surface.triangles, studio.character.frame.positions), to, 0.1 * studio.height);
      },
    };
  };

  // A line around the skin that counts. With Shift it adds to what was chosen before.
  const lasso_gesture = (begin: PointerEvent): Gesture =>
    lasso_stroke(studio, begin, (vertices) => {
      const before = begin.shiftKey ? page.value.lassoed : [];
      page.change({ lassoed: vertices ? [...new Set([...before, ...vertices])] : [] });
    });
  new LassoMarks(studio);
  let lassoing = false;

  const actions: ToolActions = {
    hint: "Drag a rig's handle over the skin, or pull the skin itself: the chosen rig follows. Choose what to add under Shape.",
    unable: () => (server.value.method.name === "flesh" ? null : "Force rigs need the method Flesh."),
    press(ray, event) {
      const { placing, pairing } = page.value;
      if (pairing) {
        const picked = studio.pick(ray);
        if (picked) page.change({ paired: picked.at });
        return picked ? { move() {}, end() {} } : null;
      }
      if (placing) {
        const picked = studio.pick(ray);
        if (!picked) return null;
        page.change({ placing: "", panel: "shape" });
        const before = new Set(server.value.rigs.map((rig) => rig.name));
        void studio.do({ do: "add_shape", template: placing, at: picked.at }).then((well) => {
          const added = server.value.rigs.find((rig) => !before.has(rig.name));
          if (!well || !added) return;
          choose_rig(added.name);
          void studio.do({ do: "shape", control: added.controls[0], value: 1 });
        });
        return { move() {}, end() {} };
      }
      if (lassoing) return lasso_gesture(event);
      const rig = handles.under(event);
      if (rig) {
        if (rig.name !== page.value.rig) choose_rig(rig.name);
        page.change({ panel: "shape" });
        return move_gesture(rig);
      }
      const chosen = chosen_rig(), picked = chosen?.handle ? studio.pick(ray) : null;
      return chosen && picked ? pull_gesture(chosen, picked) : null;
    },
    hover: (ray, event) => page.value.placing || page.value.pairing || lassoing ? (lassoing || studio.pick(ray) ? "crosshair" : null)
      : handles.under(event) ? "grab" : chosen_rig()?.handle && studio.pick(ray) ? "pointer" : null,
    enter() {
      handles.group.visible = true;
      studio.view.need_picture();
    },
    leave() {
      handles.group.visible = false;
      page.change({ placing: "" });
    },
    options() {
      const rigs = server.value.rigs, select = element("select", { "aria-label": "Rig", onchange: () => choose_rig(select.value) },
        element("option", { value: "" }, rigs.length > 0 ? "Choose a rig" : "No rigs yet"),
        ...rigs.map(({ name }) => element("option", { value: name, selected: name === chosen_rig()?.name }, title_of(name))));
      return [element("div", { class: "row choice" }, element("span", { class: "name" }, "Rig"), select, element("span")),
        check_row("Lasso", "Draw around the skin that counts in fits; Shift adds, a click takes all of it", lassoing, (on) => (lassoing = on))];
    },
  };
  tools.actions.set("shape", actions);
  server.watch(["character"], () => page.change({ rig: "", placing: "", lassoed: [] }));
}
