// The play bar: clip, play and pause, time line, speed and loop, and how well the computation keeps up.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { back_between, frame_at, parsed_time, played_part, time_text, with_mark } from "../widgets/time_text.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";
import { clip_list } from "./clip_list.ts";
import { clip_now } from "./clip_now.ts";
import { time_marks } from "./time_marks.ts";

const speeds = [0.1, 0.25, 0.5, 1, 1.5, 2];
const between_returns = 500; // milliseconds, since frames from before a return still arrive after it

export function toggle_play(studio: Studio) {
  if (!server.value.character) return; // a mesh that gets joints does not play
  void studio.do(server.value.play.playing ? { do: "pause" } : { do: "play" });
}

export function toggle_loop(studio: Studio) {
  if (server.value.character) void studio.do({ do: "play", loop: !server.value.play.loop });
}

export class PlayBar {
  private readonly line = element("input", { type: "range", min: "0", max: "1", step: "0.001", "aria-label": "Time", class: "time" });
  private readonly time = element("input", { type: "text", class: "time-text", "aria-label": "Time, typed", spellcheck: false,
    title: "Type a time, 1.5 or 0:01.5, or a frame, 45f" });
  private readonly frame_number = element("span", { class: "frame-text unit" });
  private readonly load = element("span", { class: "load" });
  private scrubbing = false;
  private unsent: number | null = null;
  private sending = false;
  private shown_at = 0;
  private returned_at = 0;

  constructor(private readonly studio: Studio) {
    const bar = by_id("play-bar");
    const play = element("button", { class: "round", onclick: () => toggle_play(studio) });
    const start = element("button", { class: "quiet", title: "To the beginning (Home)", "aria-label": "To the beginning",
      onclick: () => this.to_start() }, icon(icons.restart));
    const loop = element("button", { class: "quiet", title: "Again and again (L)", "aria-label": "Loop", onclick: () => toggle_loop(studio) }, icon(icons.loop));
    const speed = element("select", { "aria-label": "Speed", title: "Speed",
      onchange: () => void studio.do({ do: "speed", value: Number(speed.value) }) });
    const marks = ([["in", "I"], ["out", "O"]] as const).map(([end, key]) => element("button", { class: "quiet mark-button", "aria-label": `Mark ${end}`,
      title: `Plays ${end === "in" ? "from" : "to"} here (${key}); once more on the mark takes it away`, onclick: () => this.mark(end) },
      end === "in" ? "[" : "]"));
    bar.append(start, play, clip_list(studio), marks[0], time_marks(this.line), marks[1],
      element("span", { class: "times" }, this.time, this.frame_number), loop, speed, this.load);

    this.line.addEventListener("input", () => {
      this.scrubbing = true;
      this.go_to(Number(this.line.value));
    });
    for (const end of ["change", "pointerup", "blur"]) this.line.addEventListener(end, () => (this.scrubbing = false));
    this.time.addEventListener("focus", () => this.time.select());
    this.time.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.time.blur();
    });
    this.time.addEventListener("change", () => {
      const clip = clip_now(), time = clip && parsed_time(this.time.value, clip.start, page.value.rate);
      if (clip && time !== null) this.go_to(Math.max(clip.start, Math.min(clip.end, time)));
      else this.show_time(Number(this.line.value));
    });

    server.watch(["play", "character", "clips"], () => {
      const { play: now, character } = server.value;
      fill(play, icon(now.playing ? icons.pause : icons.play));
      play.title = now.playing ? "Pause (Space)" : "Play (Space)";
      play.setAttribute("aria-label", now.playing ? "Pause" : "Play");
      loop.classList.toggle("on", now.loop);
      loop.setAttribute("aria-pressed", String(now.loop));
      fill(speed, ...[...new Set([...speeds, now.speed])].sort((a, b) => a - b).map((value) =>
        element("option", { value: String(value), selected: value === now.speed }, `${value}×`)));
      const clip = clip_now();
      this.line.disabled = this.time.disabled = !clip;
      for (const button of marks) button.disabled = !clip;
      this.line.min = String(clip?.start ?? 0);
      this.line.max = String(clip?.end ?? 1);
      bar.classList.toggle("empty", !character);
    });
    page.watch(["mark_in", "mark_out"], () => marks.forEach((button, k) =>
      button.classList.toggle("on", (k === 0 ? page.value.mark_in : page.value.mark_out) !== null)));
    let of = "";
    server.watch(["play", "character"], () => {
      const now = `${server.value.character?.number}/${server.value.play.clip}`;
      if (now !== of) page.change({ mark_in: null, mark_out: null });
      of = now;
    });
  }

  to_start() {
    const clip = clip_now();
    if (clip) this.go_to(played_part(clip, page.value.mark_in, page.value.mark_out).begin);
  }

  // Sets a mark at the present frame; a mark that is there already is taken away.
  mark(end: "in" | "out") {
    const clip = clip_now(), { rate } = page.value;
    if (!clip) return;
    const time = Math.min(clip.end, clip.start + frame_at(this.now(), clip.start, rate) / rate);
    page.change(with_mark(page.value, end, time, 1 / rate));
  }

  // Moves by a number of frames.
  step(frames: number) {
    const clip = clip_now();
    if (!clip) return;
    const { rate } = page.value, next = clip.start + (frame_at(this.now(), clip.start, rate) + frames) / rate;
    this.go_to(Math.max(clip.start, Math.min(clip.end, next)));
  }

  frame(frame: DrawnFrame) {
    if (!this.scrubbing && this.unsent === null) {
      this.line.value = String(frame.clip_time);
      this.show_time(frame.clip_time);
      this.stay_between_marks(frame.clip_time);
    }
    const now = performance.now();
    if (now - this.shown_at < 400) return;
    this.shown_at = now;
    const pictures = this.studio.view.milliseconds > 0 ? Math.round(1000 / this.studio.view.milliseconds) : 0;
    const late = frame.behind > 0.05;
    this.load.textContent = late ? `slow: ${Math.round(100 * Math.max(0, 1 - frame.behind))} % of its time` : `${pictures} pictures/s`;
    this.load.classList.toggle("late", late);
    this.load.title = late ? "The machine does not keep up with this body: fewer cells or tetrahedra (Tune) are quicker"
      : "Pictures a second; the flesh keeps up with the clock";
  }

  private now(): number {
    return this.unsent ?? Number(this.line.value);
  }

  private go_to(time: number) {
    this.unsent = time;
    this.line.value = String(time);
    this.show_time(time);
    void this.send();
  }

  private show_time(time: number) {
    const clip = clip_now();
    const text = clip ? time_text(time) : "";
    if (document.activeElement !== this.time && this.time.value !== text) this.time.value = text;
    const number = clip ? `${frame_at(time, clip.start, page.value.rate)} f` : "";
    if (number !== this.frame_number.textContent) {
      this.frame_number.textContent = number;
      this.frame_number.title = clip ? `Frame of ${frame_at(clip.end, clip.start, page.value.rate)}, at ${page.value.rate} a second` : "";
    }
    const share = (time - Number(this.line.min)) / Math.max(1e-9, Number(this.line.max) - Number(this.line.min));
    this.line.style.setProperty("--share", `${100 * Math.max(0, Math.min(1, share))}%`);
  }

  // A clip that plays goes on from the in mark when it reaches the out mark, or stops there without a loop. A take plays
  // to its end whatever the marks.
  private stay_between_marks(time: number) {
    const clip = clip_now(), { play, take } = server.value, { mark_in, mark_out } = page.value;
    if (!clip || !play.playing || take || (mark_in === null && mark_out === null)) return;
    const back = back_between(played_part(clip, mark_in, mark_out), clip, time);
    if (back === null || performance.now() - this.returned_at < between_returns) return;
    this.returned_at = performance.now();
    if (play.loop || time < back) this.go_to(back);
    else void this.studio.do({ do: "pause" });
  }

  // Sends one request at a time; the newest wins.
  private async send() {
    if (this.sending) return;
    this.sending = true;
    while (this.unsent !== null) {
      const time = this.unsent;
      if (!(await this.studio.do({ do: "scrub", time }))) this.unsent = null;
      if (this.unsent === time) this.unsent = null;
    }
    this.sending = false;
  }
}
