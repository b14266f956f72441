// The protocol between server and page: docs/studio_protocol.md as types, and decoders of the two binary messages.
// Pure: no sockets, no drawing.

import type { CurveFrames, CurvesHead } from "../curves/curve_runs.ts";
import type { LimbCurve } from "../curves/limb_keys.ts";
import type { FreeHandle } from "../scene/handle_poses.ts";

export const version = 1;

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];
// A point of the skin: a triangle of the surface, and the weights of its corners 1 and 2.
export type SkinPoint = [triangle: number, u: number, v: number];
export type AnyPoint = SkinPoint | { rest: Vector };

// `motion`: that of another file, or the built-in one, which it came from; null: it is the file's own.
export interface Clip { name: string; start: number; end: number; motion: string | null }
// Motion that was given to the character, a value of --motion. `lines`: what was found, and how well it came over.
export interface MotionState { motion: string; clips: string[]; lines: string[] }
// What `motions` replies: motions that the character could be given.
export interface MotionChoice { motion: string; name: string; about: string }
export interface MotionFile { file: string; choices: MotionChoice[]; error?: string }
export interface MotionsReply { built_in: MotionChoice[]; files: MotionFile[] }
export interface MotionPicture { picture: string; seconds: number } // a data URL
export interface Joint { name: string; parent: number; bone: boolean }

export interface CharacterState {
  number: number;
  name: string;
  height: number;
  metres_per_unit: number;
  vertices: number;
  triangles: number;
  kind: string;
  joints: Joint[];
  morphs: string[]; // morph targets of the skin
  methods: { name: string; what: string; models: string; curves: boolean }[]; // models: file ending of the model that the method needs, or empty; curves: it moves the rig's own controls
  notes: string[];
  project: string;
  look: boolean; // a sample that is only looked at: nothing is kept
}

// `steered`: keys lead the character through the motion graph of its clips.
export interface PlayState { clip: string; playing: boolean; loop: boolean; speed: number; time: number; steered: boolean }

export interface Abilities { ground: boolean; colliders: boolean; held: boolean; pokes: boolean; gravity: boolean; shapes: boolean; stiffness: boolean; damping: boolean; balls: boolean }
export interface MethodState { name: string; model: string | null; can: Abilities; step: number; memory: boolean }

export type SettingKind =
  | "number" | "integer" | "flag" | "choice" | "text" | "file" | "vector" | "patterns" | "list" | "point";
export interface Setting {
  key: string;
  kind: SettingKind;
  value: unknown;
  default: unknown;
  now?: number | null; // the value that null stands for
  least?: number | null;
  most?: number | null;
  without_least?: boolean;
  without_most?: boolean;
  unit?: string;
  help: string;
  none?: string | null; // text for null: "the look's"
  words?: string[];
  section?: string;
  level: "nothing" | "run" | "factor" | "stiffness" | "body" | "everything";
  common?: boolean;
  item?: Setting[];
}

// A row of the table of loads: a command of this name with these members, and the tools that send it.
export type LoadName = string & { readonly load: true };
export interface LoadKind { name: LoadName; needs: keyof Abilities; tools: LoadTool[]; members: Setting[] }
export interface LoadTool { name: string; hint: string; continuous: boolean }
export interface LoadCommand { do: LoadName; [member: string]: unknown }

export interface Hand { name: string; at: AnyPoint; target: Vector }
// Force rigs. `value`: at which users hold a control; null: it follows its keys or the pose. `share`: factor of a rig.
export interface ShapeControl { name: string; least: number; most: number; posed: boolean; value: number | null }
export interface ShapesState { controls: ShapeControl[]; rigs: { name: string; share: number }[] }
// Parameters of a template or a guide, in the order of its table.
export interface RigParameter { name: string; usual: number; help: string; unit?: string; least?: number; most?: number }
// A sample of a rig: `at`, then numbers by the names of parameters, with `displacement` in place of the amplitude where
// the rig is made so. `of`: the sample whose forces it has, of a field.
export type RigSample = { at: number | number[]; of?: number; between?: boolean } & { [parameter: string]: number | number[] | boolean | undefined };
// Numbers are 3 x 4, by rows, metres at rest. `joint`: whose space `rest_to_joint` leads to.
export interface RigHandle { frame: number[]; joint: number; rest_to_joint: number[] }
export interface Rig {
  name: string;
  template: string;
  guide?: "bone" | "skin" | "free";
  bone?: string;
  point?: Vector;
  morph?: string;
  controls: string[];
  samples: RigSample[];
  handle: RigHandle | null; // null: it has no place that could be moved
}
// How a rig's shape swings in when its control moves; `clip`: an animation of the clip with it, as a data URL.
export interface SwingReply {
  seconds: number[];
  share: number[]; // of the shape
  overshoot: number;
  settled: number | null; // seconds
  reach: number; // metres
  clip?: string;
  stopped?: boolean; // a newer request came
}
export interface PicturesReply { pictures: string[]; stopped?: boolean } // data URLs, one per sample
export interface TransferReply { lines: string[]; warnings: string[]; picture: string; stopped?: boolean }
export interface RestSurface { positions: string; triangles: string } // Base64 of f32 and u32
// The fitted lattice: control points, edges between them, this character's skin, the other's where the lattice takes it, and
// its distances, from 1 on not fitted.
export interface FittedLatticeReply { points: string; edges: string; here: RestSurface; there: RestSurface; distance: string; lines: string[]; warnings: string[]; stopped?: boolean }
export interface SurfaceReply { positions: string; triangles: string; stopped?: boolean } // Base64 of f32 and u32
export interface ShapePreset { name: string; help: string; on_skin: boolean } // on_skin: it goes where the user picked
export interface HistoryState { undo: number; redo: number; what: string; redo_what?: string; list?: string[]; at?: number }
export type TakeMark = [time: number, kind: string]; // seconds into the take, and the word of an action
export interface TakeState { name: string; clip: string; begin: number; seconds: number; actions: number; marks: TakeMark[] }
// `joints`: rotations by the names of joints.
export interface KeptPose { name: string; joints: Record<string, Quaternion> }
export interface TakeAtWork { name: string; doing: "recording" | "playing" }
export interface Work { what: string; activity: string; share: number }
export interface BesideState { method: string; model: string }
// The cells of the body: edges between its points, outer ones first.
export interface CellsReply { number: number; kind: "lattice" | "tetrahedra" | "none"; cells: number; points: number; outer: number; edges: string }
export interface Output { name: string; bytes: number }

// A joint that a user placed in a mesh. `position`: metres, at rest.
export interface PlacedJoint { name: string; parent: string; position: Vector }
// A mesh without a skeleton that gets one. `weights`: whether those for the joints are there; `problem`: why they failed.
export interface RiggingState {
  number: number; // of the mesh
  name: string;
  size: number; // longest side, metres
  vertices: number;
  triangles: number;
  joints: PlacedJoint[];
  mirror: "none" | "x" | "z";
  weights: "none" | "finding" | "found" | "failed";
  problem: string;
  notes: string[];
  templates: string[];
  painted: number; // vertices whose weights were corrected
  undo: number;
  redo: number;
}

// Where the skin moves wrongly when `joint` is turned by `turn`, a rotation vector in degrees. Metres, at rest.
export interface WeightFault { kind: "collapses" | "stretches" | "wrong_bone"; joint: string; turn: Vector; place: Vector; radius: number; severity: number; text: string }

// A control lattice that is edited by hand. `mirrored`: vertices with a partner on the other side; `used`: it plays.
export interface LatticeState { revision: number; cells: number; vertices: number; mirrored: number; bones: number; used: boolean; undo: number; redo: number; what: string; notes: string[] }
// Base64 of f32 and u32. Cell c has the faces cell_start[c] up to cell_start[c + 1], likewise faces their corners.
export interface LatticeReply {
  revision: number;
  positions: string;
  cell_start: string;
  face_start: string;
  corners: string;
  bones: { name: string; vertices: number[] }[];
  sharp_edges: [number, number][];
  sharp_vertices: number[];
}
// The skin at rest, and segments of bones as six numbers, head and tail.
export interface LatticeSkinReply { positions: string; triangles: string; bones: { name: string; segments: number[][] }[]; plane: number }
export interface LatticeProblem { kind: "folded" | "itself" | "overlap" | "hinge" | "outside"; text: string; cells: number[]; vertices: number[]; place: Vector; prevents_use: boolean }
export interface LatticeProblems { problems: LatticeProblem[]; count: number; one_to_one: boolean; usable: boolean }
export type LatticeAction = { mirror?: boolean; stroke?: number } & (
  | { action: "open"; from: "auto" | "grid" | "played" | "kept"; count?: number }
  | { action: "close" } | { action: "use" }
  | { action: "move"; vertices: number[]; by: Vector; falloff?: number }
  | { action: "snap"; vertices: number[]; bone: string; how?: "to" | "parallel" | "follow" }
  | { action: "free"; vertices: number[] }
  | { action: "split" | "collapse"; edges?: number[][]; cells?: number[] }
  | { action: "merge" | "delete"; cells: number[] }
  | { action: "add"; faces: number[][]; height?: number; apex?: boolean }
  | { action: "fill"; faces: number[][] }
  | { action: "sharp"; edges?: number[][]; vertices?: number[]; on?: boolean });

// Lines in which the planes of the rings (the setting `belts`) cut the skin: points (1 - t) a + t b of its edges.
export type EdgePoint = [a: number, b: number, t: number];
export interface RingLine { points: EdgePoint[]; closed: boolean }
export interface RingsReply { rings: { lines: RingLine[] }[] }

// The free handles (the setting `handles`), and where the default pose has their places, metres, world.
export interface HandlesReply { handles: FreeHandle[]; places: Vector[] }

// An end of a muscle: the joint of its bone, its place at rest, and 3 x 4 numbers by rows from rest space to the joint's.
export interface MuscleEnd { joint: number; place: Vector; rest_to_joint: number[] }
// `by`: what activates it, `hand` being a number that replaces what its file says.
export interface MuscleState {
  name: string;
  length: number; // at rest, metres
  radius: number; // of its middle at rest, metres
  origin: MuscleEnd;
  insertion: MuscleEnd;
  by: "angle" | "control" | "file" | "hand";
  value?: number;
  control?: string;
}
export interface MusclesState { list: MuscleState[]; left_out: string[] }
// Activation of each muscle now, 0 to 1, and `points` places along each, metres, world.
export interface FrameMuscles { activation: Float32Array; points: number; places: Float32Array }

// The state of the server, which every page displays.
export interface State {
  character: CharacterState | null;
  rigging: RiggingState | null; // a mesh that gets a rig, in place of a character
  lattice: LatticeState | null; // that is edited by hand
  failed?: string | null; // why the file given at the start could not be opened
  loads: LoadKind[];
  clips: Clip[];
  motions: MotionState[];
  motion_map: string; // file of bones that are named by hand for motion; empty: none
  play: PlayState;
  method: MethodState;
  settings: Setting[];
  pose: Record<string, Quaternion>;
  kept_poses: KeptPose[];
  carried: Vector;
  gravity: Vector | null; // null: the clip's and the settings'
  tissue: { stiffness: number; damping: number }; // factors of the whole body
  hands: Hand[];
  shapes: ShapesState | null; // null: no force rigs
  muscles: MusclesState | null; // of the flesh that plays; null: none
  presets: ShapePreset[];
  templates: Record<string, RigParameter[]>;
  guides: Record<string, RigParameter[]>;
  rigs: Rig[]; // as they are edited; `shapes` is what plays
  fields: Field[]; // that the method obeys
  painted: string[]; // names of fields
  limbs: LimbCurve[] | null; // curves of fields along limbs; null: the method has none
  history: HistoryState;
  takes: TakeState[];
  take: TakeAtWork | null;
  work: Work | null;
  outputs: Output[];
  beside: BesideState | null; // A/B comparison with another method
}

// What can be painted. `neutral` leaves everything as it is; below `least` it stands for the setting of that name.
export interface Field {
  name: string;
  title: string;
  least: number;
  most: number;
  neutral: number;
  multiplies: boolean;
  unit: string;
  effect: string;
}

export interface FileEntry { name: string; path: string; bytes?: number; folder?: boolean }
// `folders` are those that may be opened at all.
export interface FilesReply { folder: string; folders: string[]; files: FileEntry[]; samples: FileEntry[] }

export interface Defect {
  name: string;
  where?: string;
  kind?: string;
  count?: number;
  action?: string; // what Sinew does about it
  rank?: number | string;
  vertices?: number[]; // of the surface
  joints?: number[];
}
export interface CheckReply {
  size: string;
  methods: string[];
  decisions: { about: string; what: string }[];
  refusal: string;
  defects: Defect[];
}

export interface Hello { version: number; program: string; state: State }

export type Command =
  | { do: "hello"; version: number }
  | { do: "next" }
  | { do: "files"; folder?: string }
  | { do: "open"; path: string; look?: boolean }
  | { do: "play"; clip?: string; loop?: boolean; speed?: number }
  | { do: "pause" }
  | { do: "scrub"; time: number }
  | { do: "speed"; value: number }
  | { do: "pose"; joints: Record<string, Quaternion>; stroke?: number }
  | { do: "reach"; joint: number; target: Vector; pinned: Record<string, Vector>; clip_time: number; stroke?: number }
  | { do: "line"; points: Vector[]; normal: Vector; eye: Vector; through?: number; feet_stay: boolean; pinned: Record<string, Vector>; clip_time: number; stroke?: number }
  | { do: "unpose"; joints?: number[] }
  | { do: "keep_pose"; name: string; joints: Record<string, Quaternion> | null }
  | { do: "carry"; by: Vector; stroke?: number }
  | { do: "grab"; name: string; at: AnyPoint; target?: Vector; radius?: number; stays?: boolean }
  | { do: "drag"; name: string; target: Vector }
  | { do: "release"; name?: string }
  | LoadCommand
  | { do: "gravity"; value: Vector | null }
  | { do: "tissue"; stiffness?: number; damping?: number }
  | { do: "shape"; control: string; value: number | null }
  | { do: "shape"; rig: string; value: number }
  | { do: "add_shape"; preset: string; name?: string; at?: SkinPoint }
  | { do: "add_shape"; template: string; name?: string; at: SkinPoint }
  | { do: "edit_shape"; name: string; rig: Omit<Rig, "handle"> | null; stroke?: number }
  | { do: "move_shape"; name: string; to: AnyPoint; stroke?: number }
  | { do: "fit_shape"; name: string; points: [at: AnyPoint, to: Vector][]; at?: number; fixed?: string[]; dragging?: boolean; stroke?: number }
  | { do: "fit_shape"; name: string; target: string; control?: string; at?: number; scale?: number; smoothness?: number; vertices?: number[]; features?: [at: AnyPoint, to: Vector][] }
  | { do: "shapes_of_morphs"; names?: string[] }
  | { do: "picture_shape"; name: string }
  | { do: "rehearse_shape"; name: string; clip?: string }
  | { do: "transfer_shapes"; from: string; rigs?: string; features?: [there: Vector, here: SkinPoint][]; moves?: [from: Vector, to: Vector][] }
  | { do: "transfer_lattice"; from: string; features?: [there: Vector, here: SkinPoint][]; moves?: [from: Vector, to: Vector][] }
  | { do: "show_surface"; path: string; scale?: number }
  | { do: "method"; name: string; model?: string; settings?: Record<string, unknown> }
  | { do: "set"; path: string; value: unknown; stroke?: number }
  | { do: "reset"; path?: string }
  | { do: "paint"; channel: string; values: [vertex: number, value: number][] }
  | { do: "channel"; name: string }
  | { do: "limb"; index: number; curve: LimbCurve | null; stroke?: number }
  | { do: "limb_places"; from: string; to: string }
  | { do: "undo" } | { do: "redo" }
  | { do: "motion"; action: "add" | "remove" | "map"; motion: string }
  | { do: "motions" }
  | { do: "motion_picture"; motion: string }
  | { do: "push_body"; at: SkinPoint; impulse: Vector; clip_time: number }
  | { do: "path"; joint: number }
  | { do: "draw_motion"; points: Vector[]; times: number[] }
  | { do: "edit_path"; joint: number; time: number; width: number; by: Vector; pinned?: number[]; trial?: boolean }
  | { do: "edit_path"; joint: number; time: number; width: number; from: number; pinned?: number[]; trial?: boolean }
  | { do: "edit_path"; joint: number; time: number; width: number; points: Vector[]; normal: Vector; eye: Vector; until: number; pinned?: number[]; trial?: boolean }
  | { do: "steer"; action: "begin" | "end" }
  | { do: "steer"; action: "go"; turn: number; pace: number }
  | { do: "take"; action: "record" | "stop" | "play" | "rename" | "trim" | "delete"; name?: string; to?: string; from?: number; seconds?: number }
  | { do: "bake"; output: string; clip?: string; take?: string; from?: number; to?: number; frames_per_second?: number; preview?: string; loop?: boolean; replace?: boolean }
  | { do: "fit"; output: string; clips?: string[]; replace?: boolean }
  | { do: "learn"; output: string; replace?: boolean }
  | { do: "cancel" }
  | { do: "check" }
  | { do: "show"; heat?: boolean; goal?: boolean; measures?: boolean; cells?: boolean; muscles?: boolean; picked?: AnyPoint }
  | { do: "cells" }
  | { do: "beside"; method?: string; model?: string }
  | { do: "joint"; action: "add" | "move" | "bone" | "delete" | "rename" | "mirror" | "template" | "clear"; name?: string; to?: string; parent?: string; above?: string;
      axis?: string; line?: [origin: Vector, direction: Vector]; position?: Vector; normal?: Vector; snap?: boolean; both?: boolean; stroke?: number }
  | { do: "rig_mesh" }
  | { do: "try_joints"; joints: Record<string, Quaternion> }
  | { do: "weights"; name?: string }
  | { do: "paint_weights"; action: "add" | "smooth" | "mirror" | "clear"; name?: string; values?: [vertex: number, amount: number][]; locked?: string[]; stroke?: number }
  | { do: "rig_report" }
  | { do: "save_rig"; output: string; open?: boolean; replace?: boolean }
  | { do: "let_fall"; output: string; replace?: boolean }
  | ({ do: "lattice" } & LatticeAction)
  | { do: "ring"; at: AnyPoint; ring?: number; stroke?: number }
  | { do: "attach"; at: SkinPoint; joint?: string }
  | { do: "ring"; vertices: number[]; stroke?: number }
  | { do: "rings" }
  | { do: "handle"; at: AnyPoint; frame?: boolean }
  | { do: "handles" }
  | { do: "muscle"; action: "place" }
  | { do: "muscle"; action: "remove"; name?: string }
  | { do: "muscle"; action: "hold"; name: string; value: number | null; stroke?: number }
  | { do: "muscle"; action: "move"; name: string; end: "origin" | "insertion"; to: Vector; stroke?: number }
  | { do: "curves"; on: boolean }
  | { do: "curve"; clip: string; parameter: string; stretches: { ease: number; keys: number[][] }[]; stroke?: number }
  | { do: "lattice_cells" } | { do: "lattice_skin" } | { do: "lattice_check" };

// A model that was learned from the flesh, with parts of the report of `sinew fit`.
export interface Learned {
  files: Output[];
  command: string;
  seconds: number;
  report?: { removed_percent?: number; held_out?: { removed_percent: number }; notes?: string[] };
}

// How the inside of a body follows its controls, as it was learned for rigspace.
export interface LearnedInside {
  files: Output[];
  command: string;
  seconds: number;
  report?: { poses: number; skipped: number; parameters: number; boundary: number; interior: number; tetrahedra: number; off_percent: number };
}

export type ServerEvent =
  | ({ event: "progress" } & Work)
  | { event: "state"; state: State }
  | { event: "changed"; [key: string]: unknown }
  | { event: "baked"; files: Output[]; command: string; report?: unknown; seconds: number }
  | ({ event: "learned" } & Learned)
  | ({ event: "learned_inside" } & LearnedInside)
  | ({ event: "curves" } & CurvesHead)
  | ({ event: "curve_frames" } & CurveFrames)
  | { event: "failed"; what: string; error: string };

// ---- frames

const frame_magic = 0x46574e53;
const surface_magic = 0x53574e53;
const frame_header = 76; // bytes before the positions

export interface Measures {
  step_milliseconds: number;
  steps_per_second: number;
  energy: number; // joules
  largest: number; // metres: displacement from the rig
  picked: number; // metres: displacement of the picked point
  volume: number; // relative to the volume at rest
}

export interface FrameHead {
  number: number;
  applied: number; // id of this page's newest message whose effect is included
  elapsed: number;
  clip_time: number;
  behind: number; // seconds
  vertices: number;
  joints: number;
  character: number;
}

// A collider that falls: its number in the setting, and its centre now, metres, world.
export interface FallingBall { collider: number; place: Vector }

export interface Frame extends FrameHead {
  positions: Float32Array; // metres, world: 3 per vertex of the surface
  joint: Float32Array; // 12 per node: 3x3 row by row, then the translation
  heat: Uint8Array | null; // 255 is heat_scale
  heat_scale: number; // metres
  goal: Float32Array | null; // surface by the rig alone
  measures: Measures | null;
  cells_number: number; // number of the cells that the points belong to
  cells: Float32Array | null; // 3 per point
  beside: Float32Array | null; // positions by a second method
  beside_measures: Measures | null;
  balls: FallingBall[];
  muscles: FrameMuscles | null;
}

const padded = (bytes: number) => (bytes + 3) & ~3;

function unpack(packed: Uint16Array, low: ArrayLike<number>, size: ArrayLike<number>, into: Float32Array) {
  const [sx, sy, sz] = [size[0] / 65535, size[1] / 65535, size[2] / 65535];
  const [lx, ly, lz] = [low[0], low[1], low[2]];
  for (let k = 0; k < packed.length; k += 3) {
    into[k] = lx + sx * packed[k];
    into[k + 1] = ly + sy * packed[k + 1];
    into[k + 2] = lz + sz * packed[k + 2];
  }
}

// The character of a frame, without decoding the rest.
export function frame_character(bytes: ArrayBuffer): number {
  return new DataView(bytes).getUint32(48, true);
}

function measures_at(bytes: ArrayBuffer, at: number): Measures {
  const m = new Float32Array(bytes, at, 6);
  return { step_milliseconds: m[0], steps_per_second: m[1], energy: m[2], largest: m[3], picked: m[4], volume: m[5] };
}

// `take` provides memory for that many floats, which is overwritten. Throws if this is not a complete frame of this
// version.
export function decode_frame(bytes: ArrayBuffer, take: (floats: number) => Float32Array = (n) => new Float32Array(n)): Frame {
  const view = new DataView(bytes);
  if (bytes.byteLength < frame_header || view.getUint32(0, true) !== frame_magic) throw new Error("This is no frame.");
  if (view.getUint16(4, true) !== version) throw new Error("This frame is of another version of the protocol.");
  const flags = view.getUint16(6, true);
  const vertices = view.getUint32(40, true), joints = view.getUint32(44, true);
  const box = new Float32Array(bytes, 52, 6);
  let at = frame_header;
  const part = (size: number) => {
    const begin = at;
    at = padded(at + size);
    if (begin + size > bytes.byteLength) throw new Error("This frame ends early.");
    return begin;
  };
  const low = box.subarray(0, 3), size = box.subarray(3, 6);
  const positions = take(3 * vertices);
  unpack(new Uint16Array(bytes, part(6 * vertices), 3 * vertices), low, size, positions);
  const joint = new Float32Array(bytes, part(48 * joints), 12 * joints);
  let heat: Uint8Array | null = null, heat_scale = 0, goal: Float32Array | null = null, measures: Measures | null = null;
  if (flags & 1) {
    heat = new Uint8Array(bytes, part(vertices), vertices);
    heat_scale = view.getFloat32(part(4), true);
  }
  if (flags & 2) {
    goal = take(3 * vertices);
    unpack(new Uint16Array(bytes, part(6 * vertices), 3 * vertices), low, size, goal);
  }
  if (flags & 4) {
    measures = measures_at(bytes, part(24));
  }
  let cells_number = 0, cells: Float32Array | null = null, beside: Float32Array | null = null, beside_measures: Measures | null = null;
  if (flags & 8) {
    cells_number = view.getUint32(part(4), true);
    const points = view.getUint32(part(4), true);
    cells = take(3 * points);
    unpack(new Uint16Array(bytes, part(6 * points), 3 * points), low, size, cells);
  }
  if (flags & 16) {
    beside = take(3 * vertices);
    unpack(new Uint16Array(bytes, part(6 * vertices), 3 * vertices), low, size, beside);
    if (flags & 4) beside_measures = measures_at(bytes, part(24));
  }
  const balls: FallingBall[] = [];
  for (let left = flags & 32 ? view.getUint32(part(4), true) : 0; left > 0; --left) {
    const at_ball = part(16), place = [4, 8, 12].map((offset) => view.getFloat32(at_ball + offset, true));
    balls.push({ collider: view.getUint32(at_ball, true), place: place as Vector });
  }
  let muscles: FrameMuscles | null = null;
  if (flags & 64) {
    const count = view.getUint32(part(4), true), points = view.getUint32(part(4), true);
    const activation = new Float32Array(bytes, part(4 * count), count).slice();
    muscles = { activation, points, places: new Float32Array(bytes, part(12 * count * points), 3 * count * points).slice() };
  }
  return {
    number: view.getUint32(8, true), applied: view.getUint32(12, true), elapsed: view.getFloat64(16, true),
    clip_time: view.getFloat64(24, true), behind: view.getFloat64(32, true), vertices, joints,
    character: view.getUint32(48, true), positions, joint, heat, heat_scale, goal, measures, cells_number, cells,
    beside, beside_measures, balls, muscles,
  };
}

// ---- the surface

// A primitive of the glb whose positions come from frames.
export interface SurfacePart {
  node: number;
  mesh: number;
  primitive: number;
  vertex_of: Uint32Array; // surface vertex per vertex of the primitive
}
export interface Surface {
  character: number;
  vertices: number;
  rest: Float32Array; // metres, 3 per vertex
  triangles: Uint32Array; // 3 per triangle
  parts: SurfacePart[];
}

export function decode_surface(bytes: ArrayBuffer): Surface {
  const head = new Uint32Array(bytes, 0, 6);
  if (head[0] !== surface_magic) throw new Error("This is no surface.");
  if (head[1] !== version) throw new Error("This surface is of another version of the protocol.");
  const [, , character, vertices, triangle_count, part_count] = head;
  let at = 24;
  const rest = new Float32Array(bytes, at, 3 * vertices);
  at += 12 * vertices;
  const triangles = new Uint32Array(bytes, at, 3 * triangle_count);
  at += 12 * triangle_count;
  const parts: SurfacePart[] = [];
  for (let k = 0; k < part_count; ++k) {
    const [node, mesh, primitive, count] = new Uint32Array(bytes, at, 4);
    parts.push({ node, mesh, primitive, vertex_of: new Uint32Array(bytes, at + 16, count) });
    at += 16 + 4 * count;
  }
  for (const index of triangles) if (index >= vertices) throw new Error("A triangle of the surface names no vertex.");
  for (const part of parts)
    for (const vertex of part.vertex_of) if (vertex >= vertices) throw new Error("A part of the surface names no vertex.");
  return { character, vertices, rest, triangles, parts };
}
