// Times of a clip as users read and type them: seconds, minutes with seconds, or frames counted from the clip's start.
// Pure functions; seconds.

export const time_text = (seconds: number) => `${seconds.toFixed(2)} s`;

// Number of the frame at `time`, the clip's first one being 0.
export const frame_at = (time: number, start: number, rate: number) => Math.round((time - start) * rate);
export const time_of_frame = (frame: number, start: number, rate: number) => start + frame / rate;

// The time that a text means: "1.5", "1,5 s", "0:01.5", or a frame, "36 f". Null if it means none.
export function parsed_time(text: string, start: number, rate: number): number | null {
  const plain = text.trim().toLowerCase().replace(",", ".");
  const frame = plain.match(/^(?:f\s*(\d+)|(\d+)\s*f)$/);
  if (frame) return time_of_frame(Number(frame[1] ?? frame[2]), start, rate);
  const clock = plain.match(/^(\d+):(\d{1,2}(?:\.\d*)?)\s*s?$/);
  if (clock) return 60 * Number(clock[1]) + Number(clock[2]);
  const seconds = plain.match(/^(-?(?:\d+\.?\d*|\.\d+))\s*s?$/);
  return seconds ? Number(seconds[1]) : null;
}

// The part of a clip that plays: between the marks, as far as they lie in the clip. A mark that leaves nothing is none.
export function played_part(clip: { start: number; end: number }, mark_in: number | null, mark_out: number | null) {
  const begin = Math.min(Math.max(mark_in ?? clip.start, clip.start), clip.end);
  const end = Math.min(Math.max(mark_out ?? clip.end, clip.start), clip.end);
  return end > begin ? { begin, end } : { begin: clip.start, end: clip.end };
}

// Where a clip that plays has to go at this time to stay between the marks; null: it may go on.
export function back_between(part: { begin: number; end: number }, clip: { start: number; end: number }, time: number): number | null {
  const early = part.begin > clip.start && time < part.begin - 1e-6, late = part.end < clip.end && time >= part.end;
  return early || late ? part.begin : null;
}

// Distances in seconds between the lines of a ruler over so many seconds, at most `most` of them: round numbers.
export function ruler_step(seconds: number, most: number): number {
  for (const step of [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600]) if (seconds / step <= most) return step;
  return seconds / most;
}

export interface Marks { mark_in: number | null; mark_out: number | null }

// Marks after one end was set at a time: at the same frame it is taken away, and an other end that it passes is too.
export function with_mark(marks: Marks, end: "in" | "out", time: number, frame: number): Marks {
  const old = end === "in" ? marks.mark_in : marks.mark_out, near = (a: number) => Math.abs(a - time) < 0.5 * frame;
  const set = old !== null && near(old) ? null : time;
  if (end === "in") return { mark_in: set, mark_out: set !== null && marks.mark_out !== null && marks.mark_out < set + 0.5 * frame ? null : marks.mark_out };
  return { mark_out: set, mark_in: set !== null && marks.mark_in !== null && marks.mark_in > set - 0.5 * frame ? null : marks.mark_in };
}
