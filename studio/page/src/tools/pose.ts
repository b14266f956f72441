// Joints: selected by a click, rotated with a gizmo or by typed angles while the flesh follows; mirrored and saved poses.
import { Matrix4, Quaternion as ThreeQuaternion, Vector3 } from "three";
import { element, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { hover_label } from "../widgets/hover_label.ts";
import { free_name } from "../widgets/names.ts";
import { notice } from "../widgets/notices.ts";
import { number_row } from "../widgets/rows.ts";
import { angles_from_rest, from_rest } from "../scene/angles.ts";
import { add, inverse, product, type Ray, rotation_of, sub } from "../scene/geometry.ts";
import { Skeleton } from "../scene/skeleton.ts";
import { mark_radius, TurnGizmo } from "../scene/turn_gizmo.ts";
import type { Quaternion, Vector } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import { BodyLineStroke } from "./body_line.ts";
import { mirrored_pose } from "./pose_mirror.ts";
import { by_name, by_number } from "./kept_poses.ts";
import { MotionStroke } from "./motion_stroke.ts";
import { PathTool } from "./path.ts";
import { stroke } from "./strokes.ts";
import type { Studio } from "../studio.ts";
import { began } from "../connection/latency.ts";
import { cannot_pose, facing_plane } from "./touch.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

const click_width = 3; // pixels that a pointer may move during a click

export function add_pose(studio: Studio, tools: Tools, show_options: () => void) {
  const pins = new Set<number>(); // joints that stay where they are while others are dragged
  const skeleton = new Skeleton(studio, (joint) => pins.has(joint));
  const gizmo = new TurnGizmo(studio.view, (world) => turned(world.toArray() as Quaternion), "local");
  // Lines, motions and paths exclude each other.
  const body_line: BodyLineStroke = new BodyLineStroke(studio, () => draw_only(body_line));
  const motion: MotionStroke = new MotionStroke(studio, () => draw_only(motion));
  const path: PathTool = new PathTool(studio, () => [...pins], () => draw_only(path));
  function draw_only(chosen: { on: boolean }) {
    if (chosen.on) {
      if (chosen !== body_line) body_line.on = false;
      if (chosen !== motion) motion.on = false;
      if (chosen !== path) path.turn_off();
    }
    choose(page.value.selected_joint);
    show_options();
  }
  const matrix = new Matrix4(), position = new Vector3();
  function world_rotation(joint: number): Quaternion {
    const m = studio.character!.frame!.joint;
    return rotation_of(m.subarray(12 * joint, 12 * joint + 9));
  }

  function choose(joint: number) {
    page.change({ selected_joint: joint });
    const there = joint >= 0 && Boolean(studio.character?.joint_matrix(joint, matrix));
    if (there) put_gizmo(joint);
    gizmo.show(there && !path.on);
    path.choose(joint);
  }

  function put_gizmo(joint: number) {
    skeleton.position(joint, position);
    gizmo.place(position.toArray(), world_rotation(joint));
  }

  const joints = () => server.value.character?.joints ?? [];
  const rest_of = (joint: number): Quaternion => studio.character?.rest_turns[joint] ?? [0, 0, 0, 1];
  const in_parent = (joint: number, world: Quaternion): Quaternion => {
    const parent = joints()[joint]?.parent ?? -1;
    return parent >= 0 ? product(inverse(world_rotation(parent)), world) : world;
  };
  // The rotation that the joint has now, to its parent.
  const local_now = (joint: number): Quaternion => server.value.pose[joint] ?? in_parent(joint, world_rotation(joint));
  const pose = (turns: Record<string, Quaternion>) => studio.connection.tell({ do: "pose", joints: turns, ...stroke() });

  function turned(world: Quaternion) {
    const joint = page.value.selected_joint;
    const q = new ThreeQuaternion(...in_parent(joint, world)).normalize();
    pose({ [joint]: [q.x, q.y, q.z, q.w] });
  }

  // The joint follows the pointer in the plane of the picture, and its limb follows it. A click does not drag.
  function drag(joint: number, ray: Ray, press: PointerEvent): Gesture {
    const start = place_of(joint), in_plane = facing_plane(studio, start), off = sub(start, in_plane(ray) ?? start);
    const pinned = pinned_places(joint);
    let dragged = false;
    return {
      move(next, event) {
        dragged ||= Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > click_width;
        const under = in_plane(next);
        if (!dragged || !under) return;
        const clip_time = studio.character!.frame!.clip_time;
        began(studio.connection.tell({ do: "reach", joint, target: add(under, off), pinned, clip_time, ...stroke() }), event);
      },
      end() {},
    };
  }

  const pinned_places = (but = -1) => Object.fromEntries([...pins].filter((pin) => pin !== but).map((pin) => [pin, place_of(pin)]));

  function place_of(joint: number): Vector {
    skeleton.position(joint, position);
    return position.toArray() as Vector;
  }

  function pin(joint: number) {
    if (!pins.delete(joint)) pins.add(joint);
    show_options();
    studio.view.need_picture();
  }

  // Angles of the chosen joint as rows.
  function angle_rows(joint: number): Node[] {
    if (joint < 0 || !studio.character?.frame) return [];
    const rest = rest_of(joint), angles: Vector = angles_from_rest(local_now(joint), rest);
    return (["X", "Y", "Z"] as const).map((axis, k) => number_row({
      label: axis, unit: "°", least: -180, most: 180, value: Math.round(10 * angles[k]) / 10, reset: 0,
      help: `Turn about the joint's own ${axis.toLowerCase()} axis, from its rest`,
      bound: (value) => Math.min(360, Math.max(-360, value)),
      change: (value) => {
        angles[k] = value;
        pose({ [joint]: from_rest(angles, rest) });
      },
    }));
  }

  function mirror(from: number | null) {
    const all = joints(), { pose: now } = server.value, other = mirrored_pose(all, all.map((_, joint) => rest_of(joint)), now, from);
    if (Object.keys(other).length === 0) {
      notice(from === null ? "No posed joint has a partner: names of sides end in _l and _r, or have Left and Right in them."
        : `${all[from].name} has no partner of its own, or is not posed.`);
      return;
    }
    const gone = from === null ? Object.keys(now).filter((joint) => !(joint in other)).map(Number) : [];
    pose(other);
    if (gone.length > 0) void studio.do({ do: "unpose", joints: gone });
  }

  // Poses that are kept: a choice puts one on.
  function saved_row(): Node {
    const poses = server.value.kept_poses;
    const select = element("select", { "aria-label": "Saved pose", title: "Put a pose on", disabled: poses.length === 0, onchange: () => {
      const chosen = poses.find(({ name }) => name === select.value);
      if (chosen) pose(by_number(joints(), chosen.joints));
      forget.disabled = !chosen;
    } }, element("option", { value: "" }, poses.length ? "Saved poses" : "No saved pose"), ...poses.map(({ name }) => element("option", { value: name }, name)));
    const forget = element("button", { class: "quiet", disabled: true, title: "Forget this pose", "aria-label": "Forget the pose", onclick: () => {
      void studio.do({ do: "keep_pose", name: select.value, joints: null });
    } }, icon(icons.trash));
    const save = element("button", { disabled: Object.keys(server.value.pose).length === 0, title: "Keeps the posed joints in the project", onclick: async () => {
      const name = free_name(poses.map((one) => one.name), "pose");
      if (await studio.do({ do: "keep_pose", name, joints: by_name(joints(), server.value.pose) })) notice(`Kept as '${name}'.`, "done");
    } }, "Save");
    return element("div", { class: "poses" }, select, save, forget);
  }

  // The joint that a press takes, or -1: the gizmo handles presses on its rings.
  function taken(event: PointerEvent): number {
    if (!gizmo.under_pointer) return skeleton.under(event);
    const marked = skeleton.under(event, mark_radius);
    return marked === page.value.selected_joint ? -1 : marked;
  }

  const actions: ToolActions = {
    get hint() {
      if (path.on && page.value.selected_joint >= 0) return path.hint;
      if (motion.on) return motion.hint;
      return body_line.on ? "Draw a line over the body, from foot to hand or along the back: it follows. A click chooses a joint that the line goes through."
        : "Click a joint to turn it, or drag it and its limb follows; pinned joints stay. Drag beside it to look around.";
    },
    unable: cannot_pose,
    press(ray, event) {
      if (motion.on) return motion.gesture(event);
      const joint = taken(event);
      if (body_line.on) return body_line.gesture(event, page.value.selected_joint, pinned_places(), () => choose(joint));
      const of_path = path.on ? path.gesture(ray, event) : null;
      if (of_path) return of_path;
      if (joint < 0) return null;
      choose(joint);
      return path.on ? { move() {}, end() {} } : drag(joint, ray, event);
    },
    hover(_ray, event) {
      const joint = taken(event);
      hover_label(joint >= 0 ? joints()[joint].name || `joint ${joint}` : null, event);
      if (body_line.on || motion.on) return "crosshair";
      const over_path = path.on ? path.hover(event) : null;
      if (over_path) return over_path;
      return joint >= 0 ? "pointer" : gizmo.under_pointer ? "grab" : null;
    },
    enter() {
      skeleton.group.visible = true;
      choose(page.value.selected_joint);
    },
    leave() {
      skeleton.group.visible = false;
      hover_label(null);
      choose(-1);
    },
    options() {
      const chosen = page.value.selected_joint, names = joints();
      const select = element("select", { "aria-label": "Joint", onchange: () => choose(Number(select.value)) },
        element("option", { value: "-1" }, "Choose a joint"),
        ...skeleton.shown().map((joint) => element("option", { value: String(joint), selected: joint === chosen }, names[joint].name || `joint ${joint}`)));
      const posed = Object.keys(server.value.pose).length;
      return [
        element("div", { class: "row choice" }, element("span", { class: "name" }, "Joint"), select, element("span")),
        ...angle_rows(chosen),
        element("div", { class: "buttons" },
          element("button", { disabled: !(String(chosen) in server.value.pose), title: "The clip moves this joint again",
            onclick: () => void studio.do({ do: "unpose", joints: [chosen] }) }, "Give it back"),
          element("button", { disabled: posed === 0, title: "The clip moves all joints again",
            onclick: () => void studio.do({ do: "unpose" }) }, "Give all back"),
          element("button", { disabled: chosen < 0, title: "This joint stays where it is while others are dragged", onclick: () => pin(chosen) },
            pins.has(chosen) ? "Unpin" : "Pin"),
          element("button", { disabled: chosen < 0 || posed === 0, title: "The chosen joint's pose, and of those below it, on the other side too",
            onclick: () => mirror(chosen) }, "Mirror it"),
          element("button", { disabled: posed === 0, title: "The whole pose with left and right exchanged", onclick: () => mirror(null) }, "Flip the pose")),
        ...body_line.rows(),
        ...path.rows(),
        ...motion.rows(),
        saved_row(),
      ];
    },
  };
  tools.actions.set("pose", actions);
  server.watch(["character"], () => {
    pins.clear();
    choose(-1);
  });
  studio.view.canvas.addEventListener("pointerleave", () => hover_label(null));
  studio.view.before_picture.push(() => {
    skeleton.update();
    if (page.value.selected_joint >= 0 && !gizmo.dragging && studio.character?.frame && gizmo.shown) put_gizmo(page.value.selected_joint);
  });
}
