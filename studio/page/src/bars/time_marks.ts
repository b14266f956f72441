// Marks over the time line: a ruler, the part between the in and out marks, and the actions of a take.
import type { TakeMark } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import { element, fill } from "../widgets/dom.ts";
import { frame_at, played_part, ruler_step, time_text } from "../widgets/time_text.ts";
import { clip_now } from "./clip_now.ts";

const thumb = 14; // pixels: the slider's thumb, whose middle stays within the line

// The place of a share of the line, 0 to 1, in CSS.
const place = (share: number) => `calc(${thumb / 2}px + ${share.toFixed(5)} * (100% - ${thumb}px))`;

// Times of a take's actions in its clip, which may have begun again meanwhile.
export function marks_in_clip(marks: TakeMark[], begin: number, clip: { start: number; end: number }): { time: number; kind: string }[] {
  const length = clip.end - clip.start;
  return marks.map(([time, kind]) => ({ time: clip.start + (length > 0 ? (begin + time) % length : 0), kind }));
}

export function time_marks(line: HTMLInputElement): HTMLElement {
  const ruler = element("div", { class: "ruler" }), part = element("div", { class: "part" }), acts = element("div", { class: "acts" });
  const whole = element("div", { class: "time-line" }, part, line, ruler, acts);
  const show = () => {
    const clip = clip_now();
    whole.classList.toggle("off", !clip);
    if (!clip || clip.end <= clip.start) {
      fill(ruler);
      fill(acts);
      part.hidden = true;
      return;
    }
    const share = (time: number) => (time - clip.start) / (clip.end - clip.start);
    const step = ruler_step(clip.end - clip.start, 12), lines: HTMLElement[] = [];
    for (let k = Math.ceil(clip.start / step); k * step <= clip.end + 1e-9; ++k)
      lines.push(element("i", { style: `left:${place(share(k * step))}` }));
    fill(ruler, ...lines);
    const { mark_in, mark_out } = page.value, { begin, end } = played_part(clip, mark_in, mark_out);
    part.hidden = mark_in === null && mark_out === null;
    part.style.left = place(share(begin));
    part.style.right = `calc(100% - ${place(share(end))})`;
    part.title = `From ${time_text(begin)} to ${time_text(end)}, ${frame_at(end, begin, page.value.rate)} frames`;
    const take = server.value.takes.find(({ name }) => name === page.value.take_shown);
    fill(acts, ...(take && take.clip === clip.name ? marks_in_clip(take.marks, take.begin, clip) : []).map(({ time, kind }) =>
      element("i", { class: `act ${kind}`, style: `left:${place(share(time))}`, title: `${kind} at ${time_text(time)}` })));
  };
  server.watch(["play", "character", "takes"], show);
  page.watch(["mark_in", "mark_out", "rate", "take_shown"], show);
  return whole;
}
