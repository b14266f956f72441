// Tools for the loads of the server's table: the numbers of a load are sliders, and pressing on the flesh applies it there,
// along the line of sight.
import { began } from "../connection/latency.ts";
import type { LoadCommand, LoadKind, LoadTool, Setting, SkinPoint, Vector } from "../connection/protocol.ts";
import { type Ray, scaled } from "../scene/geometry.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { capitalized } from "../widgets/names.ts";
import { type NumberRow, number_row } from "../widgets/rows.ts";
import { slider_range } from "../widgets/slider_range.ts";
import type { ToolActions, Tools } from "./tools.ts";

const press_length = 0.06; // seconds that a continuous load acts, which is renewed before they end
const usual_radius = 6; // per cent of the height

// A slider sets the number itself or, where it has no default, a share of what the character has of this unit.
type Slider = Pick<NumberRow, "unit" | "least" | "most" | "logarithmic" | "bound"> & { usual: number; help?: string };
const relative: Record<string, Slider> = {
  m: { unit: "%", least: 1, most: 20, usual: usual_radius, help: "in per cent of the height" },
  N: { unit: "×", least: 0.1, most: 10, logarithmic: true, usual: 1, help: "against the weight of the flesh under it" },
};
const relative_of = (member: Setting) => (member.default === undefined ? relative[member.unit ?? ""] : undefined);
const labels: Record<string, string> = { force: "Strength", radius: "Size" };

function slider_of(member: Setting): Slider {
  const share = relative_of(member);
  if (share) return share;
  const range = slider_range(member), middle = range.logarithmic ? Math.sqrt(range.least * range.most) : range.least;
  return {
    ...range, unit: member.unit, usual: typeof member.default === "number" ? member.default : middle,
    bound: (value) => Math.min(member.most ?? Infinity, Math.max(member.least ?? -Infinity, value)),
  };
}

// Members of a load that the user sets: numbers, and the lengths of vectors. How long it acts, the tool decides.
export const numbers_of = (load: LoadKind) =>
  load.members.filter(({ key, kind, unit }) => key !== "seconds" && (kind === "number" || (kind === "vector" && unit)));

// Values of sliders by the keys of members; those that nobody has set are missing.
export type Values = Record<string, number>;

export const rows_of = (load: LoadKind, values: Values): NumberRow[] => numbers_of(load).map((member) => {
  const { usual, help, ...slider } = slider_of(member);
  return {
    ...slider, label: labels[member.key] ?? capitalized(member.key), help: help ? `${member.help}, ${help}` : member.help,
    value: values[member.key] ?? usual, reset: usual, change: (value) => (values[member.key] = value),
  };
});

// Weight, in newtons, of a ball of flesh with this radius: the scale of forces.
const weight_of_ball = (radius: number) => (4 / 3) * Math.PI * radius ** 3 * 1000 * 9.81;

// The load at this point of the skin; `direction`, of unit length, is that of its vectors; `height` of the character, metres.
export function load_command(load: LoadKind, tool: LoadTool, values: Values, at: SkinPoint, direction: Vector, height: number): LoadCommand {
  const round = load.members.find(({ kind, unit }) => kind === "number" && unit === "m");
  const size = (member: Setting): number => {
    if (member.key === "seconds") return tool.continuous || typeof member.default !== "number" ? press_length : member.default;
    if (member.kind === "vector" && !member.unit) return 1;
    const set = values[member.key] ?? slider_of(member).usual;
    if (!relative_of(member)) return set;
    if (member.unit === "m") return (set / 100) * height;
    return set * (tool.continuous ? 2 : 4) * weight_of_ball(round ? size(round) : (usual_radius / 100) * height);
  };
  const value = (member: Setting) =>
    member.kind === "point" ? at : member.kind === "vector" ? scaled(direction, size(member)) : size(member);
  return { do: load.name, ...Object.fromEntries(load.members.map((member) => [member.key, value(member)])) };
}

function load_tool(studio: Studio, load: LoadKind, tool: LoadTool, values: Values): ToolActions {
  return {
    hint: tool.hint,
    unable: () => (server.value.method.can[load.needs] ? null : `The method '${server.value.method.name}' does not react to ${load.needs}.`),
    press(ray, event) {
      let at: Ray = ray, last = 0;
      const apply = (cause?: PointerEvent) => {
        const picked = studio.pick(at);
        if (!picked) return false;
        last = performance.now();
        page.change({ picked: picked.at });
        const ref = studio.connection.tell(load_command(load, tool, values, picked.at, at.direction, studio.height));
        if (cause) began(ref, cause);
        return true;
      };
      if (!apply(event)) return null;
      return {
        move: (next) => void (at = next),
        each_picture: () => void (tool.continuous && performance.now() - last >= 700 * press_length && apply()),
        end() {},
      };
    },
    hover: (ray) => (studio.pick(ray) ? "pointer" : null),
    options: () => rows_of(load, values).map(number_row),
  };
}

export function add_loads(studio: Studio, tools: Tools) {
  const values = new Map<string, Values>(); // by load: all its tools have the same
  server.watch(["loads"], () => {
    for (const load of server.value.loads) {
      if (!values.has(load.name)) values.set(load.name, {});
      for (const tool of load.tools) tools.actions.set(tool.name, load_tool(studio, load, tool, values.get(load.name)!));
    }
  });
}
