// The panel of curves: what physics does to the rig's parameters over the clip, and keys that fix them.
import { by_id, element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { matching } from "../widgets/search.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { DrawnFrame } from "../connection/worker_messages.ts";
import { holds_on, moved_key, with_hold, with_key, with_slope, without_key, without_slope, type Place, type Stretch } from "./curve_keys.ts";
import { colours, CurvePlot, type Drawn } from "./curve_plot.ts";
import type { Hit } from "./key_plot.ts";
import { curve_text, CurveRuns, type CurveFrames, type CurvesHead } from "./curve_runs.ts";

const most_shown = 6, most_listed = 200;

export class CurvesPanel {
  readonly runs = new CurveRuns();
  private shown: string[] = []; // names of controls; the first is edited
  private stretches: Stretch[] = []; // of that, as they are edited
  private selected: Place | null = null;
  private query = "";
  private time = 0;
  private asking = 0; // edits without an answer: they are newer than what the server tells
  private character = 0; // number
  private asked = false; // the server has been told that curves are shown
  private drag: Hit | null = null;
  private readonly canvas = element("canvas", { id: "curves-plot", tabIndex: 0, role: "application",
    "aria-label": "Curves: click one to add a key, drag keys and tangents, Delete takes a key away" });
  private readonly plot = new CurvePlot(this.canvas);
  private readonly search = element("input", { type: "search", placeholder: "Search parameters", "aria-label": "Search parameters", spellcheck: false });
  private readonly list = element("ul", { class: "curve-list", "aria-label": "Parameters" });
  private readonly about = element("p", { class: "about" });
  private readonly buttons = element("div", { class: "buttons" });
  private readonly state = element("p", { class: "about", role: "status" });
  private readonly body = element("div", {}, this.canvas, this.state, this.buttons, this.search, this.list);

  constructor(private readonly studio: Studio) {
    by_id("curves").append(element("section", {}, element("h2", {}, "Curves"), this.about, this.body));
    this.search.addEventListener("input", () => {
      this.query = this.search.value;
      this.show_list();
    });
    this.search.addEventListener("keydown", (event) => event.stopPropagation());
    this.canvas.addEventListener("pointerdown", (event) => this.down(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => this.up());
    this.canvas.addEventListener("dblclick", () => this.whole());
    this.canvas.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => {
      if ((event.key !== "Delete" && event.key !== "Backspace") || !this.selected) return;
      event.stopPropagation();
      event.preventDefault();
      this.delete_key();
    });
    page.watch(["panel", "link"], () => this.follow());
    server.watch(["character", "method"], () => this.follow());
  }

  // Events of the server.
  begin(head: CurvesHead) {
    const other = this.runs.head?.clip !== head.clip || this.runs.head?.frames !== head.frames;
    this.runs.begin(head);
    this.shown = this.shown.filter((name) => this.runs.index_of(name) >= 0);
    if (!this.drag && this.asking === 0) this.take_keys();
    if (other) this.whole();
    this.show_list();
    this.show();
  }
  add(frames: CurveFrames) {
    if (!this.runs.add(frames)) return;
    if (this.shown.length === 0) {
      this.shown = this.by_travel().slice(0, 3);
      this.take_keys();
    }
    if (frames.ended || this.runs.before === null) this.plot.fit_values(this.drawn());
    if (frames.ended) this.show_list();
    this.show();
  }
  frame(frame: DrawnFrame) {
    if (page.value.panel !== "curves" || frame.clip_time === this.time) return;
    this.time = frame.clip_time;
    this.plot.draw(this.drawn());
  }

  // For tests: where a time and a value are on the canvas, pixels.
  place_of(time: number, value: number): [number, number] {
    return [this.plot.x(time), this.plot.y(value)];
  }
  get edited(): { name: string; stretches: Stretch[] } {
    return { name: this.shown[0] ?? "", stretches: this.stretches };
  }

  private follow() {
    const methods = server.value.character?.methods ?? [], computes = methods.some(({ name, curves }) => curves && name === server.value.method.name), on = page.value.panel === "curves" && page.value.link === "up" && server.value.character !== null;
    this.body.hidden = !computes;
    const other = methods.find(({ curves }) => curves)?.name;
    fill(this.about, computes ? "What physics does to the rig's parameters. Click on the first curve to fix it by a key there; the others react."
      : other ? element("span", {}, `The method ${other} moves the rig's own parameters, and its curves appear here. `,
        element("button", { onclick: () => void this.studio.do({ do: "method", name: other }) }, `Play with ${other}`))
      : "Curves need a character with skin weights.");
    const character = server.value.character?.number ?? 0;
    if (!computes || character !== this.character) this.runs.clear();
    this.character = character;
    if (on !== this.asked && page.value.link === "up") this.studio.connection.tell({ do: "curves", on });
    this.asked = on;
    this.show();
  }

  private drawn(): Drawn {
    return { runs: this.runs, shown: this.indices(), stretches: this.stretches, selected: this.selected, time: this.time };
  }
  // Controls that are drawn: those of the first one's unit.
  private indices(): number[] {
    const all = this.shown.map((name) => this.runs.index_of(name)).filter((index) => index >= 0), controls = this.runs.head?.controls ?? [];
    return all.filter((index) => controls[index].unit === controls[all[0]].unit);
  }
  private by_travel(): string[] {
    const controls = this.runs.head?.controls ?? [], angles = controls.some(({ unit }) => unit === "rad");
    return controls.map(({ name, unit }, k) => ({ name, travel: angles && unit !== "rad" ? -1 : this.runs.travel(k) }))
      .sort((a, b) => b.travel - a.travel).map(({ name }) => name);
  }
  private take_keys() {
    this.stretches = (this.runs.head?.keys ?? []).filter(({ parameter }) => parameter === this.shown[0]);
    const { selected } = this;
    if (selected && !this.stretches[selected.stretch]?.keys[selected.key]) this.selected = null;
  }
  private whole() {
    const { head } = this.runs;
    if (head) [this.plot.axes.begin, this.plot.axes.end] = [head.start, head.start + Math.max(1, head.frames - 1) / head.frames_per_second];
    this.show();
  }

  private show() {
    if (page.value.panel !== "curves" || this.body.hidden) return;
    const { head, known, ended } = this.runs, control = head?.controls[this.runs.index_of(this.shown[0] ?? "")];
    this.state.textContent = !head ? "Simulating…" : `${ended ? "" : `Simulating: ${Math.round((100 * known) / Math.max(1, head.frames))} %. `}${
      control ? `${control.name}${control.offset ? ", added to the clip's keys" : ""}` : ""}`;
    this.show_buttons(control?.unit ?? "");
    if (head) this.plot.draw(this.drawn());
  }
  private show_buttons(unit: string) {
    const at = this.selected, key = at && this.stretches[at.stretch]?.keys[at.key];
    if (!at || !key) return fill(this.buttons, this.stretches.length > 0 && element("button", { onclick: () => this.edit([]) }, "Free this curve"));
    const holds = holds_on(this.stretches, at);
    fill(this.buttons, element("span", {}, `${key[0].toFixed(2)} s, ${curve_text(key[1], unit)}`),
      element("button", { title: "Delete", onclick: () => this.delete_key() }, "Delete key"),
      key.length > 2 && element("button", { title: "The neighbours decide the tangent", onclick: () => this.edit(without_slope(this.stretches, at)) }, "Smooth"),
      holds !== null && element("button", { class: holds ? "on" : "", title: "Physics moves the parameter between keys unless it is held", "aria-pressed": String(holds),
        onclick: () => {
          const held = with_hold(this.stretches, at, !holds);
          this.selected = null;
          this.edit(held);
        } }, "Hold to the next key"));
  }
  private show_list() {
    const names = matching(this.by_travel(), this.query).slice(0, most_listed), keyed = new Set(this.runs.head?.keys.map(({ parameter }) => parameter));
    fill(this.list, ...names.map((name) => {
      const place = this.shown.indexOf(name);
      return element("li", {}, element("button", { class: place >= 0 ? "on" : "", "aria-pressed": String(place >= 0), style: place >= 0 ? `border-color:${colours[place]}` : "",
        title: "Click to edit this curve; with Shift to see it beside the others", onclick: (event: MouseEvent) => this.pick(name, event.shiftKey) },
        name, keyed.has(name) && element("b", { title: "Fixed by keys" }, " ◆")));
    }));
  }
  private pick(name: string, beside: boolean) {
    const others = this.shown.filter((each) => each !== name);
    this.shown = (beside ? (this.shown.includes(name) ? others : [...others, name]) : [name, ...others]).slice(0, most_shown);
    this.selected = null;
    this.take_keys();
    this.plot.fit_values(this.drawn());
    this.show_list();
    this.show();
  }

  private down(event: PointerEvent) {
    if (!this.runs.head || event.button !== 0) return;
    const { offsetX: x, offsetY: y } = event, hit = this.plot.hit(this.drawn(), x, y);
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = hit;
    if (hit.kind === "ruler") void this.studio.do({ do: "scrub", time: this.plot.time_at(x) });
    if (hit.kind === "key") this.selected = hit.at!;
    if (hit.kind === "nothing") this.selected = null;
    if (hit.kind === "curve") {
      const time = this.plot.time_at(x), { value, slope } = this.runs.at(this.indices()[0], time);
      const { stretches, at } = with_key(this.stretches, this.shown[0], time, value, slope);
      this.stretches = stretches;
      this.selected = at;
    }
    this.show();
  }
  private move(event: PointerEvent) {
    const { drag, selected } = this, { offsetX: x, offsetY: y } = event;
    if (!drag) {
      const { kind } = this.plot.hit(this.drawn(), x, y);
      this.canvas.style.cursor = { key: "move", slope: "grab", curve: "copy", ruler: "ew-resize", nothing: "default" }[kind];
      return;
    }
    if (drag.kind === "ruler") return;
    if (drag.kind === "nothing") {
      const by = this.plot.time_at(0) - this.plot.time_at(event.movementX), { axes } = this.plot;
      [axes.begin, axes.end] = [axes.begin + by, axes.end + by];
    } else if (selected) {
      if (drag.kind === "slope") this.stretches = with_slope(this.stretches, selected, drag.side!, this.plot.slope_to(this.stretches, selected, drag.side!, x, y), event.altKey);
      else if (event.movementX !== 0 || event.movementY !== 0) this.stretches = moved_key(this.stretches, selected, this.plot.time_at(x), this.plot.value_at(y));
    }
    this.show();
  }
  private up() {
    const { drag } = this;
    this.drag = null;
    const saved = (this.runs.head?.keys ?? []).filter(({ parameter }) => parameter === this.shown[0]);
    if (drag && drag.kind !== "nothing" && drag.kind !== "ruler" && JSON.stringify(saved) !== JSON.stringify(this.stretches)) this.edit(this.stretches);
    else if (drag && this.asking === 0) this.take_keys(); // others may have come meanwhile
  }
  private zoom(event: WheelEvent) {
    event.preventDefault();
    const { axes } = this.plot, middle = this.plot.time_at(event.offsetX), by = Math.exp(0.0015 * event.deltaY);
    if ((axes.end - axes.begin) * by < 0.05 || (axes.end - axes.begin) * by > 600) return;
    [axes.begin, axes.end] = [middle + (axes.begin - middle) * by, middle + (axes.end - middle) * by];
    this.show();
  }
  private delete_key() {
    if (!this.selected) return;
    const left = without_key(this.stretches, this.selected);
    this.selected = null;
    this.edit(left);
  }

  // Sends the keys; the curves are simulated again around them.
  private edit(stretches: Stretch[]) {
    const { head } = this.runs;
    if (!head) return;
    this.stretches = stretches;
    this.show();
    ++this.asking;
    this.studio.connection.ask({ do: "curve", clip: head.clip, parameter: this.shown[0], stretches: stretches.map(({ ease, keys }) => ({ ease, keys })) }).then(
      () => --this.asking,
      (error: Error) => {
        --this.asking;
        notice(error.message, "error");
        this.take_keys();
        this.show();
      });
  }
}
