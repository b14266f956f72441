// The play bar: clip, play and pause, time line, speed and loop, and how well the computation keeps up.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";

const speeds = [0.1, 0.25, 0.5, 1, 1.5, 2];

export const time_text = (seconds: number) => `${seconds.toFixed(2)} s`;

export function toggle_play(studio: Studio) {
  void studio.do(server.value.play.playing ? { do: "pause" } : { do: "play" });
}

export function clip_now() {
  return server.value.character?.clips.find((clip) => clip.name === server.value.play.clip) ?? null;
}

export class PlayBar {
  private readonly line = element("input", { type: "range", min: "0", max: "1", step: "0.001", "aria-label": "Time", class: "time" });
  private readonly time = element("span", { class: "time-text" });
  private readonly load = element("span", { class: "load" });
  private scrubbing = false;
  private unsent: number | null = null;
  private sending = false;
  private shown_at = 0;

  constructor(private readonly studio: Studio) {
    const bar = by_id("play-bar");
    const play = element("button", { class: "round", onclick: () => toggle_play(studio) });
    const start = element("button", { class: "quiet", title: "To the beginning (Home)", "aria-label": "To the beginning",
      onclick: () => this.to_start() }, icon(icons.restart));
    const clips = element("select", { "aria-label": "Clip", title: "Clip", class: "clips",
      onchange: () => void studio.do({ do: "play", clip: clips.value }) });
    const loop = element("button", { class: "quiet", title: "Again and again (L)", "aria-label": "Loop",
      onclick: () => void studio.do({ do: "play", loop: !server.value.play.loop }) }, icon(icons.loop));
    const speed = element("select", { "aria-label": "Speed", title: "Speed",
      onchange: () => void studio.do({ do: "speed", value: Number(speed.value) }) });
    bar.append(start, play, clips, this.line, this.time, loop, speed, this.load);

    this.line.addEventListener("input", () => {
      this.scrubbing = true;
      this.unsent = Number(this.line.value);
      this.time.textContent = time_text(this.unsent);
      void this.send();
    });
    for (const end of ["change", "pointerup", "blur"]) this.line.addEventListener(end, () => (this.scrubbing = false));

    server.watch(["play", "character"], () => {
      const { play: now, character } = server.value;
      fill(play, icon(now.playing ? icons.pause : icons.play));
      play.title = now.playing ? "Pause (Space)" : "Play (Space)";
      play.setAttribute("aria-label", now.playing ? "Pause" : "Play");
      loop.classList.toggle("on", now.loop);
      loop.setAttribute("aria-pressed", String(now.loop));
      const options = [...(character?.clips ?? []).map((clip) => clip.name), ""];
      fill(clips, ...options.map((name) => element("option", { value: name, selected: name === now.clip }, name || "Rest pose")));
      fill(speed, ...[...new Set([...speeds, now.speed])].sort((a, b) => a - b).map((value) =>
        element("option", { value: String(value), selected: value === now.speed }, `${value}×`)));
      const clip = clip_now();
      this.line.disabled = !clip;
      this.line.min = String(clip?.start ?? 0);
      this.line.max = String(clip?.end ?? 1);
      bar.classList.toggle("empty", !character);
    });
  }

  to_start() {
    const clip = clip_now();
    if (clip) void this.studio.do({ do: "scrub", time: clip.start });
  }

  // Moves by a number of thirtieths of a second.
  step(frames: number) {
    const clip = clip_now();
    if (!clip) return;
    const time = (this.unsent ?? Number(this.line.value)) + frames / 30;
    this.unsent = Math.max(clip.start, Math.min(clip.end, time));
    this.line.value = String(this.unsent);
    void this.send();
  }

  frame(frame: DrawnFrame) {
    if (!this.scrubbing && this.unsent === null) {
      this.line.value = String(frame.clip_time);
      this.time.textContent = clip_now() ? time_text(frame.clip_time) : "";
      const share = (frame.clip_time - Number(this.line.min)) / Math.max(1e-9, Number(this.line.max) - Number(this.line.min));
      this.line.style.setProperty("--share", `${100 * Math.max(0, Math.min(1, share))}%`);
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
