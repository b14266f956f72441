// What the page's main thread and its worker say to each other.
import type { Command, FrameHead, Measures, ServerEvent } from "./protocol.ts";
import type { Clusters } from "./normals.ts";

// Which of a frame is wanted: what is not drawn is not computed.
export interface Wanted {
  dressed: "flesh" | "goal" | null; // the primitives of the glb, and from which positions
  plain: boolean; // normals of the surface itself
  ghost: boolean; // the goal, with normals
}

export type ToWorker =
  | { kind: "start"; address: string }
  | { kind: "send"; ref: number; command: Command }
  | { kind: "character"; number: number; dressed: Clusters; plain: Clusters }
  | { kind: "want"; wanted: Wanted }
  | { kind: "drawn"; buffers: ArrayBuffer[] }; // memory of an older frame, to be used again

export interface DrawnFrame extends FrameHead {
  ref: number; // of the newest command whose effect is in it
  received: number; // performance.now() of the page, milliseconds
  positions: Float32Array; // of the surface
  plain_normals: Float32Array | null;
  dressed_positions: Float32Array | null; // of all parts' vertices after each other
  dressed_normals: Float32Array | null;
  goal: Float32Array | null;
  goal_normals: Float32Array | null;
  joint: Float32Array;
  heat: Uint8Array | null;
  heat_scale: number;
  measures: Measures | null;
  cells_number: number;
  cells: Float32Array | null; // points of the cells that the flesh moves in
  beside_positions: Float32Array | null; // of a second method: of all parts' vertices, as dressed_positions
  beside_normals: Float32Array | null;
  beside_measures: Measures | null;
}

export type FromWorker =
  | { kind: "link"; link: "up" | "down" | "refused"; program?: string; error?: string }
  | { kind: "reply"; ref: number; reply: Record<string, unknown>; error?: string }
  | { kind: "event"; event: ServerEvent }
  | { kind: "frame"; frame: DrawnFrame };
