// Curves of a clip as the server simulates them, with those of the run before. Pure.
import { floats_of } from "../connection/base64.ts";
import type { Stretch } from "./curve_keys.ts";

// `offset`: the clip has keys for it, and the curve is what physics adds to them.
export interface CurveControl { name: string; unit: string; rest: number; offset: boolean }
export interface CurvesHead { run: number; clip: string; start: number; frames_per_second: number; frames: number; first: number; controls: CurveControl[]; keys: Stretch[] }
export interface CurveFrames { run: number; from: number; values: string; ended: boolean }

export class CurveRuns {
  head: CurvesHead | null = null;
  now: Float32Array = new Float32Array(0); // frames x controls
  before: Float32Array | null = null; // of the last run of the same clip and controls
  known = 0; // frames of this run
  ended = false;

  begin(head: CurvesHead) {
    const same = this.head && this.head.clip === head.clip && this.head.frames === head.frames &&
      this.head.controls.length === head.controls.length && this.head.controls.every(({ name }, k) => name === head.controls[k].name);
    if (same && head.run === this.head!.run) return;
    if (!same) [this.now, this.before] = [new Float32Array(head.frames * head.controls.length), null];
    else if (this.ended) this.before = this.now.slice();
    this.head = head;
    this.known = same ? head.first : 0;
    this.ended = false;
  }

  // Returns whether the frames belong to the present run.
  add(frames: CurveFrames): boolean {
    if (!this.head || frames.run !== this.head.run) return false;
    const values = floats_of(frames.values), count = this.head.controls.length;
    this.now.set(values.subarray(0, this.now.length - frames.from * count), frames.from * count);
    this.known = Math.max(this.known, frames.from + values.length / Math.max(1, count));
    this.ended ||= frames.ended;
    return true;
  }

  clear() {
    this.head = this.before = null;
    this.known = 0;
    this.ended = false;
  }

  index_of(name: string): number {
    return this.head?.controls.findIndex((control) => control.name === name) ?? -1;
  }
  time_of(frame: number): number {
    return this.head!.start + frame / this.head!.frames_per_second;
  }
  // Value and slope of a control between frames.
  at(control: number, time: number): { value: number; slope: number } {
    const { start, frames_per_second, controls } = this.head!, last = Math.max(0, this.known - 1);
    const place = Math.min(last, Math.max(0, (time - start) * frames_per_second)), frame = Math.min(Math.floor(place), Math.max(0, last - 1));
    const here = this.now[frame * controls.length + control] ?? 0, next = this.now[Math.min(frame + 1, last) * controls.length + control] ?? here;
    return { value: here + (place - frame) * (next - here), slope: (next - here) * frames_per_second };
  }
  // Largest change over the clip, by which controls are listed.
  travel(control: number): number {
    const count = this.head!.controls.length;
    let low = Infinity, high = -Infinity;
    for (let frame = 0; frame < this.known; ++frame) {
      const value = this.now[frame * count + control];
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
    return high > low ? high - low : 0;
  }
}

// A value with its unit, for people: angles in degrees, lengths in millimetres.
export function curve_text(value: number, unit: string): string {
  if (unit === "rad") return `${((180 / Math.PI) * value).toFixed(1)}°`;
  return unit === "m" ? `${(1000 * value).toFixed(1)} mm` : value.toFixed(3);
}
