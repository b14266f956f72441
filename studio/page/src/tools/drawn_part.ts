// The part of a joint's path that a stroke replaces, on the screen.
import type { ScreenPoint } from "./lasso.ts";

const near = 14; // pixels

const length_of = (line: ScreenPoint[]) => line.reduce((sum, { x, y }, k) => (k ? sum + Math.hypot(x - line[k - 1].x, y - line[k - 1].y) : 0), 0);

// The part of a path that a stroke is drawn for: its ends are near those of the stroke, and where the path comes by
// several times it is the part that is about as long. `back`: it is drawn from its end.
export function drawn_part(path: ScreenPoint[], stroke: ScreenPoint[]): { from: number; to: number; back: boolean } {
  const near_to = (end: ScreenPoint) => {
    const far = path.map(({ x, y }) => Math.hypot(x - end.x, y - end.y)), least = Math.min(...far);
    return path.flatMap((_, k) => (far[k] <= least + near ? [k] : []));
  };
  const until = path.map((_, k) => length_of(path.slice(Math.max(0, k - 1), k + 1)));
  for (let k = 1; k < until.length; ++k) until[k] += until[k - 1];
  const length = length_of(stroke);
  let best = { from: 0, to: path.length - 1, back: false }, least = Infinity;
  for (const a of near_to(stroke[0]))
    for (const b of near_to(stroke.at(-1)!)) {
      const off = Math.abs(Math.log((Math.abs(until[b] - until[a]) + 1) / (length + 1)));
      if (a !== b && off < least) [best, least] = [{ from: Math.min(a, b), to: Math.max(a, b), back: b < a }, off];
    }
  return best;
}
