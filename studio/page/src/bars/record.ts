// Recording of takes, after a countdown if the user wants one.
import { by_id, element, fill } from "../widgets/dom.ts";
import { keep_text, kept_text } from "../widgets/kept.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

const key = "countdown", counted_from = 3; // seconds

export const counts_down = () => kept_text(key) === "on";
export const count_down = (on: boolean) => keep_text(key, on ? "on" : null);

// Numbers that are shown, a second each, before recording begins.
export const numbers = (from: number): number[] => Array.from({ length: from }, (_, k) => from - k);

let waiting: number | null = null; // timer of the countdown

// Stops what is recorded or played, or a countdown; else records.
export function toggle_record(studio: Studio) {
  if (waiting !== null) stop_countdown();
  else if (server.value.take) void studio.do({ do: "take", action: "stop" });
  else if (server.value.character) counts_down() ? show_number(studio, numbers(counted_from)) : record(studio);
}

export const counting = () => waiting !== null;

export function stop_countdown() {
  if (waiting !== null) clearTimeout(waiting);
  waiting = null;
  by_id("countdown").hidden = true;
  page.change({ counting: false });
}

// The server names the take: it knows all takes, when this page may not yet.
function record(studio: Studio) {
  void studio.do({ do: "take", action: "record" });
}

function show_number(studio: Studio, left: number[]) {
  const sign = by_id("countdown");
  if (left.length === 0) {
    stop_countdown();
    record(studio);
    return;
  }
  sign.hidden = false;
  fill(sign, element("b", {}, String(left[0])), element("span", {}, "R or Esc stops it"));
  page.change({ counting: true });
  waiting = window.setTimeout(() => show_number(studio, left.slice(1)), 1000);
}
