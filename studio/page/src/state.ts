// The two stores: the server's state, and the state of this page alone.
import type { SkinPoint, State } from "./connection/protocol.ts";
import { Store } from "./store.ts";

export type Link = "connecting" | "up" | "down" | "refused";

// Order of tools in the toolbar, whose first nine have the keys 1 to 9; those that only the server knows follow.
const order = ["grab", "poke", "push", "pin", "carry", "ball", "wall", "pose", "paint", "shape", "ring", "attach", "collider", "handle", "knock", "muscle"];
export type Tool = string;
export function in_order(tools: Iterable<Tool>): Tool[] {
  const all = [...tools];
  return [...order.filter((tool) => all.includes(tool)), ...all.filter((tool) => !order.includes(tool))];
}

export const shown_ways = ["flesh", "rig", "both", "heat", "anatomy", "depth"] as const;
export type Shown = (typeof shown_ways)[number];

export interface PageState {
  link: Link;
  program: string;
  start_open: boolean; // the start screen
  motion_open: boolean; // the card of motions
  needs_motion: boolean; // the character has no clip, and can be given one
  tool: Tool;
  shown: Shown;
  wireframe: boolean;
  turntable: boolean;
  follow: boolean;
  grid: boolean;
  cells: boolean; // of the body
  muscles: boolean; // are drawn with every tool
  lattice: boolean; // the card for lattices is open
  panel: "tune" | "shape" | "curves" | "keep" | "look" | null;
  channel: string; // name of the field that the brush paints
  needs_goal: boolean; // a grab needs the surface by the rig alone
  picked: SkinPoint | null; // the point whose displacement is plotted
  selected_joint: number; // -1: none
  rig: string; // name of the force rig that is edited; empty: none
  sample: number; // of that rig
  lassoed: number[]; // vertices of the surface that count in fits; empty: all
  pairing: boolean; // the next click on the skin is half of a pair of points
  paired: SkinPoint | null; // where it was
  placing: string; // template that the next click on the skin places; empty: none
  rate: number; // frames a second, of the time line and of bakes
  mark_in: number | null; // seconds of the clip, between which it plays; null: its end
  mark_out: number | null;
  counting: boolean; // a countdown runs, at whose end a take is recorded
  next_line: boolean; // the line that says what to do next is shown
  take_shown: string; // name of the take whose actions the time line shows; empty: none
}

export const page = new Store<PageState>({
  link: "connecting", program: "", start_open: false, motion_open: false, needs_motion: false, tool: "grab", shown: "flesh", wireframe: false, turntable: false,
  follow: true, grid: true, cells: false, muscles: false, lattice: false, panel: null, channel: "stiffness", needs_goal: false, picked: null, selected_joint: -1, rig: "", sample: 0, placing: "", lassoed: [], pairing: false, paired: null,
  rate: 30, mark_in: null, mark_out: null, take_shown: "", counting: false, next_line: true,
});

export const server = new Store<State>({
  character: null, rigging: null, lattice: null, clips: [], motions: [], motion_map: "", play: { clip: "", playing: false, loop: true, speed: 1, time: 0, steered: false },
  method: { name: "", model: null, can: { ground: false, colliders: false, held: false, pokes: false, gravity: false, shapes: false, stiffness: false, damping: false, balls: false }, step: 0, memory: true },
  loads: [], settings: [], pose: {}, kept_poses: [], carried: [0, 0, 0], gravity: null, tissue: { stiffness: 1, damping: 1 }, hands: [], shapes: null, muscles: null, presets: [], templates: {}, guides: {}, rigs: [], fields: [], painted: [], limbs: null,
  history: { undo: 0, redo: 0, what: "" }, takes: [], take: null, work: null, outputs: [], beside: null,
});

export const setting_value = (key: string): unknown => server.value.settings.find((setting) => setting.key === key)?.value;
