// The brush that paints any field of the table that the server sends. The effect is visible when the stroke ends.
import { floats_of } from "../connection/base64.ts";
import { BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineLoop, Quaternion, Vector3 } from "three";
import {
  type BrushMode, type Dab, find_neighbours, find_pieces, mirrored_dab, type Neighbours, paint_dab, reached, smooth_dab,
} from "./brush.ts";
import { css_gradient, paint_stops, ramp } from "../scene/colours.ts";
import { element } from "../widgets/dom.ts";
import { distance, skin_position, vertex_at } from "../scene/geometry.ts";
import { notice } from "../widgets/notices.ts";
import type { Picked } from "../scene/picking.ts";
import type { Field, Vector } from "../connection/protocol.ts";
import { check_row, choice_row, number_row, words } from "../widgets/rows.ts";
import { LimbCard } from "./limb_card.ts";
import { page, server, setting_value } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { ToolActions, Tools } from "./tools.ts";

// The field that the brush paints. Multipliers are shown by their logarithm.
const painted_field = (): Field | undefined => server.value.fields.find((field) => field.name === page.value.channel);

// Value where nothing is painted.
export function unpainted_value(field: Field): number {
  return field.neutral < field.least ? Number(setting_value(field.name) ?? field.least) : field.neutral;
}

// Share of a field's range, for its colour.
export function share_of({ least, most, multiplies }: Field, value: number): number {
  return multiplies ? Math.log(Math.max(value, 1e-6) / least) / Math.log(most / least) : 0.5 + 0.5 * ((value - least) / (most - least));
}

class Brush {
  along = false; // a curve along a limb is edited, and nothing painted
  in_force: (vertex: number, painted: number) => number = (_, painted) => painted; // the value that is shown
  mode: BrushMode = "paint";
  value = 0.4;
  radius = 0.06; // share of the character's height
  strength = 0.7;
  mirror = false;
  through = false;

  values: Float32Array | null = null; // of the field, per vertex; unpainted vertices have the value in force
  character = -1; // number of the character that they belong to
  private busy = false; // during a stroke
  private neighbours: Neighbours | null = null;
  private pieces: Int32Array | null = null;
  private middle: number | null = null; // x of the symmetry plane, at rest
  private of = -1;
  private readonly ring = new Group();
  private readonly line: LineLoop;

  constructor(private readonly studio: Studio, private readonly show_options: () => void) {
    const points: number[] = [];
    for (let k = 0; k < 64; ++k) points.push(Math.cos((k / 64) * 2 * Math.PI), Math.sin((k / 64) * 2 * Math.PI), 0);
    const shape = new BufferGeometry();
    shape.setAttribute("position", new Float32BufferAttribute(points, 3));
    this.line = new LineLoop(shape, new LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.9, toneMapped: false }));
    this.line.renderOrder = 9;
    this.ring.add(this.line);
    this.ring.visible = false;
    studio.view.add(this.ring);
  }

  // Fetches the present paint from the server.
  async fetch() {
    const character = this.studio.character;
    if (!character) return;
    try {
      const reply = await this.studio.connection.ask<{ values: string }>({ do: "channel", name: page.value.channel });
      const values = floats_of(reply.values);
      if (character !== this.studio.character || values.length !== character.surface.vertices) return;
      if (this.busy) return; // the user's paint is newer
      const field = painted_field();
      if (field) this.values = values.map((value) => (value < field.least ? unpainted_value(field) : value));
      this.character = character.number;
      this.colour();
    } catch (error) {
      notice((error as Error).message, "error");
    }
  }

  hide() {
    this.ring.visible = false;
    this.studio.view.need_picture();
  }

  hover(picked: Picked | null) {
    this.ring.visible = picked !== null;
    if (picked && this.studio.character) {
      const normals = this.studio.character.frame?.plain_normals;
      const normal = normals ? new Vector3(...vertex_at(normals, picked.nearest)) : this.studio.view.look_direction().negate();
      this.ring.position.set(...picked.point);
      this.ring.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal.normalize()));
      this.ring.scale.setScalar(this.radius * this.studio.height);
    }
    this.studio.view.need_picture();
  }

  begin(picked: Picked): { dab(picked: Picked): void; end(): void } | null {
    this.prepare();
    const { values, neighbours } = this, character = this.studio.character;
    if (!values || !neighbours || !character?.frame) return null;
    if (this.mode === "pick") {
      this.value = Number(values[picked.nearest].toPrecision(3));
      this.mode = "paint";
      this.show_options();
      return { dab() {}, end() {} };
    }
    if (this.mode === "fill") {
      const unfilled = values.slice();
      this.fill(picked);
      return { dab() {}, end: () => this.send(unfilled) };
    }
    this.busy = true;
    const before = values.slice(), most = new Float32Array(values.length);
    let last: Vector | null = null;
    return {
      dab: (next) => {
        const radius = this.radius * this.studio.height;
        if (last && distance(last, next.point) < 0.12 * radius) return;
        last = next.point;
        const frame = this.studio.character?.frame;
        if (!frame) return;
        const dab = { middle: next.point, radius, from: next.nearest, through: this.through };
        const reach = reached(dab, frame.positions, frame.plain_normals, neighbours);
        if (this.mirror) this.add_mirror(dab, next, reach);
        const changed = this.mode === "smooth" ? smooth_dab(values, reach, this.strength, neighbours)
          : paint_dab(values, before, most, reach, this.value, this.strength);
        this.colour(changed);
      },
      end: () => this.send(before),
    };
  }

  // Removes all paint of the field.
  clear(field: Field) {
    if (!this.values) return;
    this.values.fill(unpainted_value(field));
    this.colour();
    this.send_values(Array.from(this.values, (_, vertex) => [vertex, field.neutral]));
  }

  colour(changed?: Iterable<number>) {
    const character = this.studio.character, field = painted_field();
    if (!this.values || !field || !character || page.value.tool !== "paint") return;
    const colours = character.plain_colours();
    for (const vertex of changed ?? this.values.keys())
      ramp(paint_stops, share_of(field, this.in_force(vertex, this.values[vertex])), colours, 3 * vertex);
    character.colours_changed();
    this.studio.view.need_picture();
  }

  private prepare() {
    const character = this.studio.character;
    if (!character || this.of === character.number) return;
    this.of = character.number;
    this.neighbours = find_neighbours(character.surface.triangles, character.surface.vertices);
    this.pieces = null;
    this.middle = null;
  }

  private fill(picked: Picked) {
    this.pieces ??= find_pieces(this.neighbours!);
    const pieces = new Set([this.pieces[picked.nearest]]), other = this.mirror ? this.mirrored(picked) : null;
    if (other) pieces.add(this.pieces[other.from]);
    this.values!.forEach((_, k) => {
      if (pieces.has(this.pieces![k])) this.values![k] = this.value;
    });
    this.colour();
  }

  private add_mirror(dab: Dab, picked: Picked, reach: Map<number, number>) {
    const image = this.mirrored(picked, dab);
    if (!image) return;
    for (const [vertex, weight] of reached(image, this.studio.character!.surface.rest, null, this.neighbours!))
      reach.set(vertex, Math.max(weight, reach.get(vertex) ?? 0));
  }

  private mirrored(picked: Picked, dab?: Dab): Dab | null {
    const { rest, triangles } = this.studio.character!.surface, radius = this.radius * this.studio.height;
    const at = skin_position(picked.at, triangles, rest);
    if (this.middle === null) {
      let low = Infinity, high = -Infinity;
      for (let k = 0; k < rest.length; k += 3) {
        low = Math.min(low, rest[k]);
        high = Math.max(high, rest[k]);
      }
      this.middle = (low + high) / 2;
    }
    return mirrored_dab(dab ?? { middle: at, radius, from: picked.nearest, through: false }, at, this.middle, rest);
  }

  private send(before: Float32Array) {
    this.busy = false;
    const values: [number, number][] = [];
    this.values!.forEach((value, vertex) => {
      if (value !== before[vertex]) values.push([vertex, Number(value.toPrecision(5))]);
    });
    if (values.length > 0) this.send_values(values);
  }

  private send_values(values: [number, number][]) {
    void this.studio.do({ do: "paint", channel: page.value.channel, values }).then((well) => {
      if (!well) void this.fetch();
    });
  }
}

export function add_paint(studio: Studio, tools: Tools, show_options: () => void) {
  const brush = new Brush(studio, show_options);
  const limb = new LimbCard(studio, painted_field, unpainted_value, () => brush.along && brush.colour(), show_options);
  brush.in_force = (vertex, painted) => (brush.along ? limb.value_of(vertex, painted) : painted);
  const actions: ToolActions = {
    hint: "Paint where flesh is softer or stiffer; what you paint is felt when the stroke ends.",
    unable: () => (server.value.fields.length > 0 ? null : "This method has nothing that could be painted."),
    press(ray) {
      if (brush.along) return null;
      const picked = studio.pick(ray);
      if (!picked) return null;
      const stroke = brush.begin(picked);
      if (!stroke) return { move() {}, end() {} }; // the present paint has not arrived yet
      stroke.dab(picked);
      return {
        move(next) {
          const at = studio.pick(next);
          brush.hover(at);
          if (at) stroke.dab(at);
        },
        end: () => stroke.end(),
      };
    },
    hover(ray) {
      const picked = brush.along ? null : studio.pick(ray);
      brush.hover(picked);
      return picked ? "crosshair" : null;
    },
    enter: () => void brush.fetch(),
    leave: () => brush.hide(),
    options: () => options(brush, limb, show_options),
  };
  tools.actions.set("paint", actions);
  page.watch(["channel"], () => {
    const field = painted_field();
    if (field) brush.value = field.multiplies ? 0.4 : field.most;
    if (page.value.tool === "paint") void brush.fetch();
  });
  server.watch(["fields"], () => {
    const { fields } = server.value;
    if (fields.length > 0 && !painted_field()) page.change({ channel: fields[0].name });
    if (page.value.tool === "paint") show_options();
  });
  // After undo, or another page's stroke.
  server.watch(["painted", "history", "character"], () => {
    if (brush.character !== server.value.character?.number) brush.values = null;
    if (page.value.tool === "paint") void brush.fetch();
  });
  return limb;
}

function options(brush: Brush, limb: LimbCard, show_options: () => void): Node[] {
  const field = painted_field();
  if (!field) return [];
  const { least, most, multiplies } = field, unit = multiplies ? "×" : field.unit;
  const legend = element("div", { class: "legend" }, element("span", {}, `${least}${unit}`),
    element("i", { style: `background:${css_gradient(multiplies ? paint_stops : paint_stops.slice(3))}` }),
    element("span", {}, `${most}${unit}`));
  const what = [
    choice_row<string>({
      label: "Paints", help: "What the brush changes", value: field.name,
      words: server.value.fields.map(({ name, title }) => ({ word: name, text: title })),
      change: (word) => (page.change({ channel: word }), show_options()),
    }),
    server.value.limbs && words<string>({
      label: "How", help: "By strokes on the skin, or as a curve along a chain of bones", value: brush.along ? "limb" : "brush",
      words: [{ word: "brush", text: "By strokes" }, { word: "limb", text: "Along a limb", help: "The value over the distance along a chain of bones" }],
      change: (word) => {
        brush.along = word === "limb";
        brush.colour();
        show_options();
      },
    }),
  ].filter((row): row is HTMLElement => row !== null);
  if (brush.along && server.value.limbs) return [...what, ...limb.rows()];
  return [
    ...what,
    words<BrushMode>({
      label: "Brush", help: "What the brush does", value: brush.mode,
      words: [
        { word: "paint", text: "Paint" }, { word: "smooth", text: "Smooth", help: "Evens out what is painted" },
        { word: "fill", text: "Fill", help: "Gives the value to the whole piece that is clicked" },
        { word: "pick", text: "Pick", help: "Takes the value that is there" },
      ],
      change: (mode) => (brush.mode = mode),
    }),
    number_row({
      label: "Value", unit, least, most, logarithmic: multiplies, value: brush.value, reset: unpainted_value(field),
      help: field.effect, bound: (value) => Math.min(most, Math.max(least, value)),
      change: (value) => (brush.value = value),
    }),
    number_row({ label: "Radius", unit: "%", least: 0.5, most: 30, logarithmic: true, value: 100 * brush.radius, reset: 6,
      help: "Of the brush; the keys [ and ] change it", change: (value) => (brush.radius = value / 100) }),
    number_row({ label: "Strength", unit: "%", least: 1, most: 100, value: 100 * brush.strength, reset: 70,
      help: "How much of the value one stroke brings", change: (value) => (brush.strength = value / 100) }),
    check_row("Mirror", "The same on the other side", brush.mirror, (on) => (brush.mirror = on)),
    check_row("Paint through", "Also what lies behind, within the brush", brush.through, (on) => (brush.through = on)),
    legend,
    element("div", { class: "buttons" },
      element("button", { title: "The whole character as if this were painted nowhere", onclick: () => brush.clear(field) }, "Clear")),
  ];
}
