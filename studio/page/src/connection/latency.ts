// Measures the time from a pointer's movement until the page has positions that contain its effect.
const begun: { ref: number; at: number }[] = [];
const samples: number[] = []; // milliseconds, newest last
const most = 600;

export function began(ref: number, event: PointerEvent) {
  begun.push({ ref, at: performance.timeOrigin + event.timeStamp });
  if (begun.length > most) begun.shift();
}

// A frame arrived at `received` (milliseconds since 1970) with the effect of all commands up to `ref`.
export function came(ref: number, received: number) {
  while (begun.length > 0 && begun[0].ref <= ref) {
    samples.push(received - begun.shift()!.at);
    if (samples.length > most) samples.shift();
  }
}

export function latencies(): { count: number; median: number; high: number } | null {
  if (samples.length === 0) return null;
  const sorted = [...samples].sort((a, b) => a - b), at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
  return { count: samples.length, median: at(0.5), high: at(0.95) };
}

export const forget_latencies = () => void samples.splice(0);
