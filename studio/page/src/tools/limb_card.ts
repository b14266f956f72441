// The card of the tool Paint for a field along a limb: which chain of bones, and the curve of the field's value over it.
import { floats_of } from "../connection/base64.ts";
import { Newest } from "../connection/newest.ts";
import type { Command, Field } from "../connection/protocol.ts";
import { with_slope, without_slope, type Key } from "../curves/curve_keys.ts";
import type { Hit } from "../curves/key_plot.ts";
import { as_stretches, ends_of_chain, limb_value, moved_limb_key, usual_end, with_curve, with_limb_key, type LimbCurve } from "../curves/limb_keys.ts";
import { LimbPlot, type DrawnLimb } from "../curves/limb_plot.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element, fill } from "../widgets/dom.ts";
import { choice_row } from "../widgets/rows.ts";
import { stroke } from "./strokes.ts";

interface Places { shares: Float32Array; distances: Float32Array; joints: [name: string, distance: number][] }
const no_places: Places = { shares: new Float32Array(), distances: new Float32Array(), joints: [] };

export class LimbCard {
  private index = -1; // of the chosen curve in the list of the server; its length: a new curve
  private from = "";
  private to = "";
  private keys: Key[] = [];
  private key = -1; // the selected one
  private drag: Hit | null = null;
  private places: Places = no_places;
  private of = ""; // the chain that they belong to
  private readonly canvas = element("canvas", { id: "limb-plot", tabIndex: 0, role: "application",
    "aria-label": "Value along the limb: click to add a key, drag keys and tangents, Delete takes a key away" });
  private readonly plot = new LimbPlot(this.canvas);
  private readonly state = element("p", { class: "about", role: "status" });
  private readonly buttons = element("div", { class: "buttons" });
  private readonly sender: Newest;

  // `field` and `unpainted`: what is painted, and its value where nothing is. `changed`: what the skin shows has changed.
  constructor(private readonly studio: Studio, private readonly field: () => Field | undefined, private readonly unpainted: (field: Field) => number,
    private readonly changed: () => void, private readonly show_options: () => void) {
    this.sender = new Newest(async (command) => {
      const well = await studio.do(command);
      if (!well) this.take();
      return well;
    });
    this.canvas.addEventListener("pointerdown", (event) => this.down(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => this.up());
    this.canvas.addEventListener("keydown", (event) => {
      if ((event.key !== "Delete" && event.key !== "Backspace") || this.key < 0) return;
      event.stopPropagation();
      event.preventDefault();
      this.delete_key();
    });
    server.watch(["limbs", "character"], () => {
      if (!this.drag && !this.sender.pending) this.take();
    });
    page.watch(["channel"], () => {
      this.index = -1;
      this.take();
    });
  }

  // For tests: where a distance and a value are on the canvas, pixels, and what is edited.
  place_of(at: number, value: number): [number, number] {
    return [this.plot.x(at), this.plot.y(value)];
  }
  get edited(): LimbCurve {
    return { field: page.value.channel, from: this.from, to: this.to, keys: this.keys };
  }

  // The value of a vertex with the curve, from the painted one.
  value_of(vertex: number, painted: number): number {
    const field = this.field();
    if (!field || this.places.shares.length <= vertex || this.keys.length === 0) return painted;
    const value = limb_value(this.keys, this.places.distances[vertex], field)!;
    return with_curve(field, painted, this.unpainted(field), this.places.shares[vertex], value);
  }

  rows(): Node[] {
    const field = this.field(), joints = server.value.character?.joints ?? [], bones = joints.filter(({ bone }) => bone).map(({ name }) => name);
    if (!field || bones.length === 0) return [element("p", { class: "hint" }, "This character has no limbs.")];
    const others = this.own_curves(), all = server.value.limbs ?? [];
    requestAnimationFrame(() => this.draw());
    return [
      choice_row<string>({ label: "Curve", help: "Curves of this field", value: String(this.index),
        words: [...others.map((index) => ({ word: String(index), text: `${all[index].from} to ${all[index].to}` })), { word: String(all.length), text: "New" }],
        change: (word) => this.choose(Number(word)) }),
      choice_row<string>({ label: "From", help: "The bone where the limb begins", value: this.from, words: bones.map((name) => ({ word: name, text: name })),
        change: (name) => this.take_chain(name, usual_end(joints, name)) }),
      choice_row<string>({ label: "To", help: "The bone where it ends", value: this.to, words: ends_of_chain(joints, this.from).map((name) => ({ word: name, text: name })),
        change: (name) => this.take_chain(this.from, name) }),
      this.canvas, this.state, this.buttons,
    ];
  }

  private own_curves(): number[] {
    return (server.value.limbs ?? []).flatMap((curve, index) => (curve.field === page.value.channel ? [index] : []));
  }

  // Takes over what the server has: after undo, or another page's edit.
  private take() {
    const own = this.own_curves(), all = server.value.limbs ?? [];
    if (!own.includes(this.index) && this.index !== all.length) this.index = own[0] ?? all.length;
    const curve = own.includes(this.index) ? all[this.index] : null;
    if (curve) [this.from, this.to, this.keys] = [curve.from, curve.to, curve.keys];
    else {
      this.keys = [];
      this.choose_limb();
    }
    if (this.key >= this.keys.length) this.key = -1;
    void this.find_places();
    this.refresh();
  }

  // A limb to begin with: from the selected joint, or from the first bone, to the end of its chain.
  private choose_limb() {
    const joints = server.value.character?.joints ?? [];
    if (ends_of_chain(joints, this.from).includes(this.to)) return;
    const selected = joints[page.value.selected_joint];
    this.from = (selected?.bone ? selected : joints.find(({ bone }) => bone))?.name ?? "";
    this.to = usual_end(joints, this.from);
  }

  private choose(index: number) {
    this.index = index;
    this.key = -1;
    this.take();
    this.show_options();
  }

  private take_chain(from: string, to: string) {
    [this.from, this.to] = [from, to];
    void this.find_places();
    if (this.keys.length > 0) this.send();
    this.show_options();
  }

  private async find_places() {
    const { character } = this.studio, { from, to } = this, of = `${character?.number} ${from} ${to}`;
    if (this.of === of || !character || !from || page.value.link !== "up") return;
    this.of = of;
    this.places = no_places;
    try {
      const reply = await this.studio.connection.ask<{ shares: string; distances: string; joints: Places["joints"] }>({ do: "limb_places", from, to });
      if (this.of !== of) return;
      this.places = { shares: floats_of(reply.shares), distances: floats_of(reply.distances), joints: reply.joints };
    } catch {
      this.of = ""; // the edit says what is wrong with the chain
    }
    this.refresh();
  }

  private drawn(): DrawnLimb | null {
    const field = this.field();
    return field ? { field, keys: this.keys, unpainted: this.unpainted(field), joints: this.places.joints, selected: this.key < 0 ? null : { stretch: 0, key: this.key } } : null;
  }

  private refresh() {
    this.changed();
    this.draw();
  }

  private draw() {
    const drawn = this.drawn();
    if (!drawn || !this.canvas.isConnected) return;
    if (!this.drag) this.plot.fit(drawn);
    this.plot.draw(drawn);
    const key = this.keys[this.key], unit = drawn.field.multiplies ? "×" : drawn.field.unit;
    this.state.textContent = key ? `${Number(key[1].toPrecision(3))}${unit} at ${Math.round(100 * key[0])} % of the limb`
      : this.keys.length > 0 ? "Drag keys, or click on the curve to add one." : "Click on the line to give the limb a value of its own.";
    fill(this.buttons, key && element("button", { onclick: () => this.delete_key() }, "Delete key"),
      key && key.length > 2 && element("button", { title: "The neighbours decide the tangent", onclick: () => this.edit(without_slope(as_stretches(this.keys), { stretch: 0, key: this.key })[0].keys) }, "Smooth"),
      this.keys.length > 0 && element("button", { title: "The limb as if it had no curve", onclick: () => this.remove() }, "Remove curve"));
  }

  private down(event: PointerEvent) {
    const drawn = this.drawn(), { offsetX: x, offsetY: y } = event;
    if (!drawn || event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = this.plot.hit(drawn, x, y);
    if (this.drag.kind === "key") this.key = this.drag.at!.key;
    if (this.drag.kind === "nothing") this.key = -1;
    if (this.drag.kind === "curve") {
      const at = this.plot.time_at(x), added = with_limb_key(this.keys, at, limb_value(this.keys, at, drawn.field) ?? drawn.unpainted, drawn.field);
      this.key = added.key;
      this.edit(added.keys);
    }
    this.draw();
  }
  private move(event: PointerEvent) {
    const { drag } = this, drawn = this.drawn(), { offsetX: x, offsetY: y } = event;
    if (!drawn) return;
    if (!drag) {
      const { kind } = this.plot.hit(drawn, x, y);
      this.canvas.style.cursor = { key: "move", slope: "grab", curve: "copy", ruler: "", nothing: "default" }[kind];
      return;
    }
    if (drag.kind === "nothing" || this.key < 0 || (event.movementX === 0 && event.movementY === 0)) return;
    const at = { stretch: 0, key: this.key }, stretches = as_stretches(this.keys);
    this.edit(drag.kind === "slope" ? with_slope(stretches, at, drag.side!, this.plot.slope_to(stretches, at, drag.side!, x, y), event.altKey)[0].keys
      : moved_limb_key(this.keys, this.key, this.plot.time_at(x), this.plot.value_at(y), drawn.field));
  }
  private up() {
    if (!this.drag) return;
    this.drag = null;
    this.draw();
  }
  private delete_key() {
    const left = this.keys.filter((_, k) => k !== this.key);
    this.key = -1;
    if (left.length === 0) this.remove();
    else this.edit(left);
  }

  private edit(keys: Key[]) {
    this.keys = keys;
    this.send();
    this.refresh();
  }
  private send() {
    const curve: LimbCurve = { ...this.edited, keys: this.keys.map((key) => key.map((number) => Number(number.toPrecision(5)))) };
    void this.sender.tell({ do: "limb", index: this.index, curve, ...stroke() });
  }
  private remove() {
    const { index } = this, command: Command = { do: "limb", index, curve: null };
    this.keys = [];
    this.key = -1;
    this.refresh();
    if (index < (server.value.limbs ?? []).length || this.sender.pending) void this.sender.tell(command).then(() => this.choose(-1));
  }
}
