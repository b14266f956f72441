// Plots of quantities over the last seconds.
import { by_id, element } from "./dom.ts";
import { length_text } from "../scene/colours.ts";
import { forget_latencies, latencies } from "../connection/latency.ts";
import { sampled_edges, strain_of } from "../scene/strain.ts";
import { page, server } from "../state.ts";
import { theme_colour } from "./theme.ts";
import type { Studio } from "../studio.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";

const shown_seconds = 8, samples = 600;
const most_edges = 20_000, between_strains = 0.1; // seconds

// Ring buffer of the newest values of one quantity, with their times.
export class Series {
  private readonly times = new Float64Array(samples);
  private readonly values = new Float64Array(samples);
  private next = 0;
  private count = 0;

  add(time: number, value: number) {
    if (!Number.isFinite(value)) return;
    this.times[this.next] = time;
    this.values[this.next] = value;
    this.next = (this.next + 1) % samples;
    this.count = Math.min(samples, this.count + 1);
  }
  clear() {
    this.count = this.next = 0;
  }
  get newest(): number | null {
    return this.count > 0 ? this.values[(this.next + samples - 1) % samples] : null;
  }
  // Values since `begin`, oldest first.
  since(begin: number): [time: number, value: number][] {
    const result: [number, number][] = [];
    for (let k = this.count; k > 0; --k) {
      const at = (this.next - k + samples) % samples;
      if (this.times[at] >= begin) result.push([this.times[at], this.values[at]]);
    }
    return result;
  }
}

export function energy_text(joules: number): string {
  const size = Math.abs(joules);
  return size >= 1000 ? `${(joules / 1000).toFixed(2)} kJ` : size >= 1 ? `${joules.toFixed(1)} J` : `${(1000 * joules).toFixed(1)} mJ`;
}

interface Plot { title: string; help: string; colour: string; text: (value: number) => string; series: Series; canvas: HTMLCanvasElement; value: HTMLElement }

export class Plots {
  private readonly plots: Record<string, Plot> = {};
  private readonly latency = element("p", { class: "about" });
  private drawn = 0;
  private before = 0; // time of the last frame
  private strained = 0; // time when the strain was last measured
  private edges: Uint32Array = new Uint32Array(0);
  private edges_of = -1; // number of the character that they are of

  constructor(private readonly studio: Studio) {
    const section = element("section", {}, element("h2", {}, "Over time"));
    const add = (key: string, title: string, help: string, colour: string, text: (value: number) => string) => {
      const canvas = element("canvas", { role: "img", "aria-label": title }), value = element("b");
      this.plots[key] = { title, help, colour, text, series: new Series(), canvas, value };
      section.append(element("figure", { title: help }, element("figcaption", {}, title, value), canvas));
    };
    add("picked", "Picked point", "How far the point that was touched last is from where the rig has it", "#ffb454", length_text);
    add("largest", "Largest displacement", "Of any point of the skin, from where the rig has it", "#f0785a", length_text);
    add("strain", "Strain of the skin", "99 % of the skin's edges are stretched or pressed less than this, against the rig", "#ff9ec4", (value) => `${(100 * value).toFixed(1)} %`);
    add("energy", "Energy", "Of the flesh, elastic and in motion, against the rig's pose", "#8fd0ff", energy_text);
    add("volume", "Volume", "Of the body, over that at rest", "#a6d88f", (value) => `${(100 * value).toFixed(1)} %`);
    add("step", "A step takes", "Milliseconds of computing for one step of the simulation", "#c9a6f0", (value) => `${value.toFixed(2)} ms`);
    add("pictures", "Pictures a second", "That this page shows", "#9fb0c6", (value) => value.toFixed(0));
    section.append(this.latency, element("div", { class: "buttons" },
      element("button", { title: "Forget what was measured", onclick: () => this.clear() }, "Clear")));
    by_id("look").append(section);
    page.watch(["panel"], () => this.draw());
    server.watch(["character"], () => this.clear());
  }

  frame(frame: DrawnFrame) {
    const now = performance.now() / 1000;
    if (frame.measures) {
      const { picked, largest, energy, volume, step_milliseconds } = frame.measures;
      if (page.value.picked) this.plots.picked.series.add(now, picked);
      this.plots.largest.series.add(now, largest);
      this.plots.energy.series.add(now, energy);
      this.plots.volume.series.add(now, volume);
      this.plots.step.series.add(now, step_milliseconds);
    }
    if (page.value.panel === "look" && now - this.strained > between_strains) this.add_strain(frame, now);
    if (this.before > 0 && now - this.before < 1) this.plots.pictures.series.add(now, 1000 / Math.max(1, this.studio.view.milliseconds));
    this.before = now;
    if (page.value.panel === "look" && now - this.drawn > 0.08) this.draw();
  }

  // Frames have the rig's surface while the plots are seen.
  private add_strain(frame: DrawnFrame, now: number) {
    const { character } = this.studio;
    if (!character || !frame.goal) return;
    this.strained = now;
    if (this.edges_of !== character.number) {
      this.edges = sampled_edges(character.surface.triangles, most_edges);
      this.edges_of = character.number;
    }
    this.plots.strain.series.add(now, strain_of(this.edges, frame.positions, frame.goal, 0.99));
  }

  private clear() {
    for (const plot of Object.values(this.plots)) plot.series.clear();
    forget_latencies();
    this.draw();
  }

  private draw() {
    if (page.value.panel !== "look") return;
    const now = (this.drawn = performance.now() / 1000);
    for (const plot of Object.values(this.plots)) draw_plot(plot, now);
    const measured = latencies();
    this.latency.textContent = measured
      ? `From hand to flesh: ${measured.median.toFixed(0)} ms, 95 % within ${measured.high.toFixed(0)} ms (${measured.count} movements).`
      : "Drag the flesh to see how long it takes from the hand to the flesh.";
  }
}

function draw_plot(plot: Plot, now: number) {
  const { canvas } = plot, ratio = Math.min(devicePixelRatio, 2), width = canvas.clientWidth, height = canvas.clientHeight;
  if (width === 0) return;
  if (canvas.width !== Math.round(width * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const points = plot.series.since(now - shown_seconds), newest = plot.series.newest;
  plot.value.textContent = newest === null ? "–" : plot.text(newest);
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  if (points.length < 2) return;
  let low = Math.min(0, ...points.map(([, value]) => value)), high = Math.max(...points.map(([, value]) => value));
  if (plot.title === "Volume") [low, high] = [Math.min(0.98, ...points.map(([, value]) => value)), Math.max(1.02, high)];
  const span = Math.max(high - low, 1e-9) * 1.1;
  const x = (time: number) => width * (1 - (now - time) / shown_seconds), y = (value: number) => height - 2 - ((value - low) / span) * (height - 4);
  context.beginPath();
  points.forEach(([time, value], k) => (k === 0 ? context.moveTo(x(time), y(value)) : context.lineTo(x(time), y(value))));
  context.strokeStyle = plot.colour;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.stroke();
  context.lineTo(x(points[points.length - 1][0]), height);
  context.lineTo(x(points[0][0]), height);
  context.globalAlpha = 0.13;
  context.fillStyle = plot.colour;
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = theme_colour("soft");
  context.font = "10px system-ui, sans-serif";
  context.strokeStyle = theme_colour("plot");
  context.lineWidth = 3;
  context.strokeText(plot.text(high), 3, 11);
  context.fillText(plot.text(high), 3, 11);
}
