// A/B comparison: the menu that chooses a second method, the copy that is drawn, and the cost of each.
import { Vector3 } from "three";
import type { CharacterCopy } from "../scene/character.ts";
import { length_text } from "../scene/colours.ts";
import { by_id, element, fill } from "../widgets/dom.ts";
import type { Measures } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";

const above_lines = 38; // pixels: labels stay above the line of advice and what is said of the body
const room = 1.1; // distance between the two, relative to the space that each takes

// Distance in metres between two characters side by side, for a camera whose right is (x, z) on the ground.
export function spacing(width: number, depth: number, right: { x: number; z: number }): number {
  return room * (Math.abs(right.x) * width + Math.abs(right.z) * depth);
}

export function measured_text(measures: Measures | null): string {
  return measures ? `${measures.step_milliseconds.toFixed(2)} ms a step\n${length_text(measures.largest)} from the rig` : "";
}

export class Compare {
  private copy: CharacterCopy | null = null;
  private width = 0;
  private depth = 0; // metres: the largest extent of the character during the comparison
  private readonly labels = [label(), label()];
  private readonly right = new Vector3();

  constructor(private readonly studio: Studio) {
    by_id("stage").append(...this.labels.map(({ whole }) => whole));
    server.watch(["beside", "method"], () => this.names());
    server.watch(["beside"], () => this.studio.view.need_picture());
    server.watch(["character", "method", "beside", "work"], () => this.menu());
    studio.view.before_picture.push(() => this.place());
    studio.view.after_picture.push(() => this.place_labels());
  }

  get on(): boolean {
    return this.copy !== null;
  }

  frame(frame: DrawnFrame) {
    const { character, view } = this.studio;
    const wanted = Boolean(frame.beside_positions && server.value.beside && character);
    if (!wanted) {
      if (this.copy) this.end();
      return;
    }
    const first = !this.copy;
    if (!this.copy) {
      this.copy = character!.make_copy();
      this.width = this.depth = 0;
      view.add(this.copy.group);
    }
    const size = character!.box.getSize(new Vector3());
    this.width = Math.max(this.width, size.x);
    this.depth = Math.max(this.depth, size.z);
    this.copy.take(frame);
    this.labels[0].cost.textContent = measured_text(frame.measures);
    this.labels[1].cost.textContent = measured_text(frame.beside_measures);
    if (first) {
      this.place();
      view.frame(character!.box, false);
    }
  }

  // The original character is going away.
  end() {
    this.copy?.dispose();
    this.copy = null;
    this.studio.view.set_aside(0);
    for (const { whole } of this.labels) whole.hidden = true;
    this.studio.view.need_picture();
  }

  private place() {
    if (!this.copy) return;
    const { view } = this.studio;
    this.right.setFromMatrixColumn(view.camera.matrixWorld, 0).setY(0).normalize();
    const far = spacing(this.width, this.depth, this.right);
    this.copy.group.position.copy(this.right).multiplyScalar(far);
    view.set_aside(far);
  }

  private place_labels() {
    const { character, view } = this.studio;
    if (!this.copy?.group.visible || !character) return;
    // Labels are under the feet, since tools use the space above.
    const area = view.canvas.getBoundingClientRect(), feet = character.box.getCenter(new Vector3());
    feet.y = character.box.min.y - 0.04 * this.studio.height;
    this.labels.forEach(({ whole }, k) => {
      const at = view.on_screen(k === 0 ? feet : feet.clone().add(this.copy!.group.position));
      whole.hidden = false;
      const half = 0.5 * whole.offsetWidth;
      whole.style.left = `${Math.min(Math.max(at.x - area.left, half + 4), area.width - half - 4)}px`;
      whole.style.top = `${Math.min(Math.max(at.y - area.top, 4), area.height - whole.offsetHeight - above_lines)}px`;
    });
  }

  private names() {
    const { method, beside } = server.value;
    const same = beside !== null && beside.method === method.name;
    this.labels[0].name.textContent = same ? `${method.name}, now` : method.name;
    this.labels[1].name.textContent = beside === null ? "" : same ? `${beside.method}, as it was` : beside.method;
  }

  // Shows "Compare" until something is chosen.
  private menu() {
    const { character, method, beside } = server.value;
    const place = by_id("beside");
    place.hidden = !character;
    const others = (character?.methods ?? []).filter(({ name, models, curves }) => name !== method.name && !models && !curves);
    const select = element("select", {
      "aria-label": "Compare with", title: "Another method beside it, in step on the same clip", class: beside ? "on" : "",
      onchange: () => void this.studio.do({ do: "beside", ...(select.value ? { method: select.value } : {}) }).then((well) => !well && this.menu()),
    },
      element("option", { value: "", selected: !beside }, beside ? "Compare no more" : "Compare …"),
      element("option", { value: method.name, selected: beside?.method === method.name, title: "What you change from here on is seen against it" }, `with ${method.name}, as it is now`),
      ...others.map(({ name, what }) => element("option", { value: name, title: what, selected: beside?.method === name }, `with ${name}`)));
    fill(place, select);
  }
}

function label() {
  const name = element("b"), cost = element("span");
  const whole = element("div", { class: "beside-label", hidden: true }, name, cost);
  return { whole, name, cost };
}

// True if frames must contain measures for the labels.
export const wants_measures = () => server.value.beside !== null || page.value.panel === "look";
