// Messages between the page's main thread and its worker.
import type { Command, FallingBall, FrameHead, FrameMuscles, Measures, ServerEvent } from "./protocol.ts";
import type { Clusters } from "../scene/normals.ts";

// Parts of a frame that are needed; the others are not computed.
export interface Wanted {
  dressed: "flesh" | "goal" | null; // primitives of the glb, and the positions to use
  plain: boolean; // normals of the surface itself
  ghost: boolean; // the goal, with normals
}

export type ToWorker =
  | { kind: "start"; address: string }
  | { kind: "send"; ref: number; command: Command }
  | { kind: "character"; number: number; dressed: Clusters; plain: Clusters }
  | { kind: "want"; wanted: Wanted }
  | { kind: "drawn"; buffers: ArrayBuffer[] }; // memory of an older frame, for reuse

export interface DrawnFrame extends FrameHead {
  ref: number; // of the newest command whose effect is included
  received: number; // performance.now() of the page, milliseconds
  positions: Float32Array; // of the surface
  plain_normals: Float32Array | null;
  dressed_positions: Float32Array | null; // vertices of all parts in sequence
  dressed_normals: Float32Array | null;
  goal: Float32Array | null;
  goal_normals: Float32Array | null;
  joint: Float32Array;
  heat: Uint8Array | null;
  heat_scale: number;
  measures: Measures | null;
  cells_number: number;
  cells: Float32Array | null; // points of the body's cells
  beside_positions: Float32Array | null; // by a second method: vertices of all parts, like dressed_positions
  beside_normals: Float32Array | null;
  beside_measures: Measures | null;
  balls: FallingBall[];
  muscles: FrameMuscles | null;
}

export type FromWorker =
  | { kind: "link"; link: "up" | "down" | "refused"; program?: string; error?: string }
  | { kind: "reply"; ref: number; reply: Record<string, unknown>; error?: string }
  | { kind: "event"; event: ServerEvent }
  | { kind: "frame"; frame: DrawnFrame };
