// The list of defects in the character's file, with what Sinew does about each. A click moves the view to the place.
import { BufferAttribute, BufferGeometry, Matrix4, Points, PointsMaterial, Box3, Vector3 } from "three";
import { by_id, element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import type { CheckReply, Defect } from "../connection/protocol.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { vertex_at } from "../scene/geometry.ts";

const matrix = new Matrix4();
const text_of = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? Object.values(value).map(text_of).filter(Boolean).join(": ") : String(value);

// `checked` is told what was found.
export function add_check_list(studio: Studio, checked: (found: CheckReply) => void) {
  const section = element("section");
  by_id("look").append(section);
  let found: CheckReply | null = null, chosen: Defect | null = null, busy = false;

  const marks = new Points(new BufferGeometry(),
    new PointsMaterial({ color: 0xff4d6a, size: 7, sizeAttenuation: false, depthTest: false, transparent: true, opacity: 0.85, toneMapped: false }));
  marks.frustumCulled = false;
  marks.visible = false;
  marks.renderOrder = 7;
  studio.view.add(marks);

  const label = element("div", { class: "hover-label", hidden: true });
  by_id("stage").append(label);

  // Places of the chosen defect now: vertices of the skin, or else its joints.
  const places = (defect: Defect): Vector3[] => {
    const { character } = studio, positions = character?.frame?.positions;
    if (!character || !positions) return [];
    if (defect.vertices?.length) return defect.vertices.map((vertex) => new Vector3(...vertex_at(positions, vertex)));
    return (defect.joints ?? []).filter((joint) => character.joint_matrix(joint, matrix)).map((joint) => {
      character.joint_matrix(joint, matrix);
      return new Vector3().setFromMatrixPosition(matrix);
    });
  };
  const place_marks = (at: Vector3[]) => {
    let attribute = marks.geometry.getAttribute("position") as BufferAttribute | undefined;
    if (attribute?.count !== at.length) {
      marks.geometry.dispose();
      marks.geometry = new BufferGeometry();
      marks.geometry.setAttribute("position", (attribute = new BufferAttribute(new Float32Array(3 * at.length), 3)));
    }
    at.forEach(({ x, y, z }, k) => attribute.setXYZ(k, x, y, z));
    attribute.needsUpdate = true;
  };

  const look_at = (defect: Defect) => {
    chosen = chosen === defect ? null : defect;
    show();
    const at = chosen ? places(chosen) : [];
    marks.visible = at.length > 0;
    label.hidden = !marks.visible;
    if (marks.visible) {
      place_marks(at);
      label.textContent = text_of(defect.name ?? defect.kind);
      studio.view.frame(new Box3().setFromPoints(at).expandByScalar(0.12 * studio.height), false);
    }
    studio.view.need_picture();
  };
  studio.view.before_picture.push(() => {
    if (marks.visible && chosen) place_marks(places(chosen));
  });
  // The name stands beside the highest mark.
  studio.view.after_picture.push(() => {
    if (!marks.visible || !chosen) return;
    const { array, count } = marks.geometry.getAttribute("position"), area = studio.view.canvas.getBoundingClientRect();
    let top = 0;
    for (let k = 1; k < count; ++k) if (array[3 * k + 1] > array[3 * top + 1]) top = k;
    const at = studio.view.on_screen(new Vector3(array[3 * top], array[3 * top + 1], array[3 * top + 2]));
    label.style.left = `${Math.min(at.x - area.left + 10, area.width - label.offsetWidth - 6)}px`;
    label.style.top = `${Math.max(4, at.y - area.top - 30)}px`;
  });

  const check = async () => {
    busy = true;
    show();
    try {
      found = await studio.connection.ask<CheckReply & Record<string, unknown>>({ do: "check" });
      checked(found);
    } catch (error) {
      notice((error as Error).message, "error");
    }
    busy = false;
    show();
  };
  const row = (defect: Defect) => {
    const where = text_of(defect.where), count = (defect.vertices?.length ?? 0) + (defect.joints?.length ?? 0);
    return element("li", {}, element("button", { class: chosen === defect ? "defect on" : "defect", disabled: count === 0,
      title: count > 0 ? "Look at it" : "It has no place on the character", onclick: () => look_at(defect) },
      element("b", {}, text_of(defect.name ?? defect.kind)), where && element("span", { class: "unit" }, where),
      element("span", {}, text_of(defect.action))));
  };
  const show = () => {
    const { character } = server.value;
    const decisions = (found?.decisions ?? []).map((one) => element("li", {}, one.what));
    fill(section, element("h2", {}, "Check"),
      element("p", { class: "about" }, "What is wrong with the file, and what Sinew does about it."),
      element("button", { disabled: !character || busy, onclick: () => void check() }, busy ? "Looking …" : found ? "Check again" : "Check the file"),
      found && found.defects.length === 0 && element("p", {}, "Nothing is wrong with this file."),
      found && element("ul", { class: "defects" }, ...found.defects.map(row)),
      decisions.length > 0 && element("details", {}, element("summary", {}, "What was decided"), element("ul", { class: "notes" }, ...decisions)),
      character && character.notes.length > 0 && element("details", { open: true }, element("summary", {}, "Notes on opening"),
        element("ul", { class: "notes" }, ...character.notes.map((note) => element("li", {}, note)))));
  };
  server.watch(["character"], () => {
    found = chosen = null;
    marks.visible = false;
    label.hidden = true;
    show();
  });
}
