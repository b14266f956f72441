// The list of defects in the character's file, with what Sinew does about each. A click moves the view to the place.
import { BufferAttribute, BufferGeometry, Points, PointsMaterial, Box3, Vector3 } from "three";
import { by_id, element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import type { CheckReply, Defect } from "../connection/protocol.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { vertex_at } from "../scene/geometry.ts";

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

  const look_at = (defect: Defect) => {
    chosen = chosen === defect ? null : defect;
    show();
    const vertices = chosen?.vertices ?? [], positions = studio.character?.frame?.positions;
    marks.visible = vertices.length > 0;
    marks.geometry.dispose();
    marks.geometry = new BufferGeometry();
    marks.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * vertices.length), 3));
    if (positions && vertices.length > 0) {
      const box = new Box3();
      for (const vertex of vertices) box.expandByPoint(new Vector3(...vertex_at(positions, vertex)));
      box.expandByScalar(0.12 * studio.height);
      studio.view.frame(box, false);
    }
    studio.view.need_picture();
  };
  studio.view.before_picture.push(() => {
    const positions = studio.character?.frame?.positions;
    if (!marks.visible || !positions || !chosen?.vertices) return;
    const attribute = marks.geometry.getAttribute("position") as BufferAttribute;
    chosen.vertices.forEach((vertex, k) => attribute.setXYZ(k, ...vertex_at(positions, vertex)));
    attribute.needsUpdate = true;
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
    const where = text_of(defect.where), count = defect.vertices?.length ?? 0;
    return element("li", {}, element("button", { class: chosen === defect ? "defect on" : "defect", disabled: count === 0,
      title: count > 0 ? "Look at it" : "It has no place on the skin", onclick: () => look_at(defect) },
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
    show();
  });
}
