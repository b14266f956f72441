// How the chosen rig's shape swings, and the clip with it, while it is edited (docs/shape_control.md).
import { element, fill } from "../widgets/dom.ts";
import { length_text } from "../scene/colours.ts";
import type { SwingReply } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

const quiet = 1500; // milliseconds without an edit before it is watched again
const width = 240, height = 70;

export function swing_text(swing: SwingReply): string {
  const beyond = Math.round(100 * swing.overshoot);
  const settles = swing.settled === null ? "still swings after 3 s" : `settles after ${swing.settled.toFixed(1)} s`;
  return `Moves by ${length_text(swing.reach)}, ${beyond < 1 ? "swings not beyond" : `swings ${beyond} % beyond`}, ${settles}.`;
}

// Points of a polyline in a box of width x height; the shape itself is at 2/3 of the height.
export function swing_line(swing: SwingReply, most = Math.max(1.5, 1 + swing.overshoot)): string {
  const end = swing.seconds[swing.seconds.length - 1] ?? 1;
  return swing.seconds.map((time, k) => `${((width * time) / end).toFixed(1)},${(height * (1 - swing.share[k] / most)).toFixed(1)}`).join(" ");
}

const svg = "http://www.w3.org/2000/svg";
function drawing(swing: SwingReply): SVGSVGElement {
  const most = Math.max(1.5, 1 + swing.overshoot), picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("class", "swing");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", swing_text(swing));
  const goal = document.createElementNS(svg, "line"), line = document.createElementNS(svg, "polyline"), y = height * (1 - 1 / most);
  for (const [key, value] of Object.entries({ x1: 0, x2: width, y1: y, y2: y })) goal.setAttribute(key, String(value));
  line.setAttribute("points", swing_line(swing));
  picture.append(goal, line);
  return picture;
}

export class Rehearsal {
  readonly section = element("section", { class: "rehearsal" });
  private swing: SwingReply | null = null;
  private of = ""; // text of the rigs that it was watched with
  private later = 0;
  private turn = 0;
  private busy = false;
  private problem = "";

  constructor(private readonly studio: Studio) {
    page.watch(["rig", "panel"], () => this.changed());
    server.watch(["rigs", "play"], () => this.changed());
  }

  private changed() {
    this.section.hidden = page.value.rig === "";
    const now = JSON.stringify([server.value.rigs, page.value.rig, server.value.play.clip]);
    if (now === this.of || page.value.rig === "" || page.value.panel !== "shape") return;
    clearTimeout(this.later);
    this.later = window.setTimeout(() => void this.watch(now), quiet);
    this.show();
  }

  // First the swing, which takes a second or two; then the clip.
  private async watch(now: string) {
    const turn = ++this.turn;
    this.of = now;
    this.busy = true;
    this.show();
    const name = page.value.rig, { clip } = server.value.play;
    for (const with_clip of [false, true]) {
      try {
        const reply = await this.studio.bench.ask<SwingReply>("rehearse", { do: "rehearse_shape", name, ...(with_clip ? { clip } : {}) });
        if (turn !== this.turn) return; // it is watched anew
        if (reply.stopped) {
          this.of = "";
          break;
        }
        this.swing = with_clip && this.swing ? { ...this.swing, clip: reply.clip } : reply;
        this.problem = "";
      } catch (error) {
        if (turn !== this.turn) return;
        this.swing = null;
        this.problem = (error as Error).message;
        break;
      }
      this.show();
    }
    this.busy = false;
    this.show();
    this.changed(); // where it was stopped, it is watched once more
  }

  private show() {
    const { swing } = this;
    fill(this.section, element("h2", {}, "How it moves"),
      swing && element("p", { class: "about" }, swing_text(swing)), swing && drawing(swing),
      swing?.clip ? element("img", { src: swing.clip, alt: "The clip with this rig, beside the rig's skeleton alone", class: "rehearsed" }) : null,
      this.problem !== "" && element("p", { class: "about" }, this.problem),
      this.busy && element("p", { class: "about" }, "Watching it …"));
  }
}
