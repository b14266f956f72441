// The editor of the chosen force rig: its control, its samples along the control, and the parameters of one sample.
import { element, fill } from "../widgets/dom.ts";
import type { PicturesReply, Rig, RigParameter, RigSample } from "../connection/protocol.ts";
import { number_row } from "../widgets/rows.ts";
import { number_text } from "../widgets/slots.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { chosen_rig, chosen_sample, is_factor, key_of, parameters_of, place_of, RigSender, title_of, with_sample } from "../tools/rigs.ts";

// Ranges of sliders, for lengths as shares of the character's height.
const longest = 0.3, farthest = 0.08, widest_turn = 180;

export class RigEditor {
  readonly section = element("section", { class: "rig-editor" });
  private readonly sender: RigSender;
  private rig: Rig | null = null; // as it is edited
  private used = 0; // time when one of the rows was last used
  private later = 0;
  private pictures: string[] = []; // of the samples, data URLs
  private pictured = ""; // text of the rig that they show
  private picture_later = 0;

  constructor(private readonly studio: Studio) {
    this.sender = new RigSender(studio);
    this.section.addEventListener("input", () => (this.used = performance.now()));
    page.watch(["rig"], () => (this.pictures = []));
    page.watch(["rig", "sample"], () => this.show());
    server.watch(["rigs", "templates"], () => this.show_unless_used());
  }

  // A slider that is dragged is not rebuilt under the pointer.
  private show_unless_used() {
    clearTimeout(this.later);
    const active = document.activeElement, held = active instanceof HTMLInputElement && this.section.contains(active);
    if (!held || performance.now() - this.used > 1200) return this.show();
    this.later = window.setTimeout(() => this.show_unless_used(), 1300);
  }

  private show() {
    this.rig = chosen_rig();
    this.section.hidden = !this.rig;
    if (!this.rig) return;
    this.draw_later(this.rig);
    const rig = structuredClone(this.rig), index = chosen_sample(rig);
    this.rig = rig;
    fill(this.section, element("h2", {}, title_of(rig.name)), this.name_row(rig), this.control_row(rig), this.place_text(rig),
      this.samples(rig, index), this.place_row(rig, index),
      ...parameters_of(rig).map((parameter) => this.parameter_row(rig, index, parameter)), this.sample_buttons(rig, index));
  }

  // Pictures of the samples are drawn when nothing has changed for a while.
  private draw_later(rig: Rig) {
    const { handle: _, ...shape } = rig, text = JSON.stringify(shape);
    if (text === this.pictured) return;
    clearTimeout(this.picture_later);
    this.picture_later = window.setTimeout(() => void this.draw(rig.name, text), 500);
  }
  private async draw(name: string, text: string) {
    this.pictured = text;
    try {
      const { pictures, stopped } = await this.studio.bench.ask<PicturesReply>("picture", { do: "picture_shape", name });
      if (stopped || this.pictured !== text) {
        if (this.pictured === text) this.pictured = "";
        return;
      }
      this.pictures = pictures;
      this.section.querySelectorAll<HTMLImageElement>(".samples img").forEach((image) => {
        image.src = pictures[Number(image.dataset.sample)] ?? "";
        image.hidden = !image.src;
      });
    } catch (error) {
      this.pictures = [];
      this.section.querySelector(".samples")?.setAttribute("title", (error as Error).message);
    }
  }

  private send(rig: Rig) {
    if (this.rig) this.sender.send(this.rig.name, rig);
  }

  private text_row(label: string, help: string, value: string, list: string[] | null, change: (text: string) => void) {
    const input = element("input", { type: "text", value, "aria-label": label, spellcheck: false, title: help,
      onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") input.blur(); event.stopPropagation(); },
      onchange: () => { if (input.value.trim() && input.value !== value) change(input.value.trim()); } });
    if (list) input.setAttribute("list", "rig-controls");
    return element("div", { class: "row choice", title: help }, element("span", { class: "name" }, label), input, element("span"),
      list && element("datalist", { id: "rig-controls" }, ...list.map((name) => element("option", { value: name }))));
  }
  private name_row(rig: Rig) {
    return this.text_row("Name", "Of the rig, in files", rig.name, null, async (name) => {
      const before = rig.name;
      if (await this.studio.do({ do: "edit_shape", name: before, rig: without_handle({ ...rig, name }) })) page.change({ rig: name });
      else this.show();
    });
  }
  private control_row(rig: Rig) {
    const joints = (server.value.character?.joints ?? []).filter((joint) => joint.bone).map((joint) => joint.name);
    return this.text_row("Driven by", "A joint (its angle, degrees), a morph target, or a control that you name", rig.controls.join(", "),
      [...new Set([...(server.value.shapes?.controls ?? []).map(({ name }) => name), ...joints])],
      (text) => this.send({ ...rig, controls: text.split(",").map((name) => name.trim()).filter(Boolean) }));
  }
  private place_text(rig: Rig) {
    const where = rig.guide === "bone" ? `On the bone ${rig.bone}.` : rig.guide === "skin" ? "On the skin." : rig.guide === "free" ? "In space." : "Forces on the skin.";
    return element("p", { class: "about" }, rig.handle ? `${where} The tool Shape moves it, and pulls the skin.` : where);
  }

  // The samples along the control: a click shows the shape there.
  private samples(rig: Rig, index: number) {
    return element("div", { class: "samples", role: "radiogroup", "aria-label": "Samples" }, ...rig.samples.map((sample, k) =>
      sample.between ? null : element("button", { role: "radio", class: k === index ? "on" : "", "aria-checked": String(k === index), "data-sample": String(k),
        title: "Edit this sample, and hold the control there", onclick: () => this.choose_sample(rig, k) },
        element("img", { src: this.pictures[k] ?? "", hidden: !this.pictures[k], alt: "", "data-sample": String(k) }),
        element("span", {}, [sample.at].flat().map(number_text).join(", ")))));
  }
  private choose_sample(rig: Rig, k: number) {
    page.change({ sample: k });
    const at = [rig.samples[k].at].flat();
    rig.controls.forEach((control, c) => void this.studio.do({ do: "shape", control, value: at[c] }));
  }
  private place_row(rig: Rig, index: number) {
    const at = place_of(rig.samples[index]);
    if (at === null) return null;
    const others = rig.samples.map((sample) => place_of(sample) ?? 0), least = Math.min(0, ...others), most = Math.max(1, ...others);
    return number_row({ label: "At", help: `Value of ${rig.controls[0]} where it has this shape`, least, most, value: at, reset: null,
      bound: (value) => value, change: (value, done) => { if (done) this.send(changed(rig, index, "at", value)); } });
  }

  private parameter_row(rig: Rig, index: number, parameter: RigParameter) {
    const sample = rig.samples[index], key = key_of(sample, parameter), value = Number(Number(sample[key] ?? parameter.usual).toPrecision(3));
    const is_length = parameter.unit === "m" || key === "displacement", height = this.studio.height;
    // The slider's ends: angles to half a turn, lengths by the height, and always as far as the value.
    const usual = key === "displacement" ? farthest * height : is_length ? longest * height : parameter.unit === "°" ? widest_turn : Math.max(1, 3 * Math.abs(value));
    const end = parameter.unit === "°" ? usual : parameter.most ?? usual;
    const begin = key === "radius" || key === "ring" ? 0.005 * height : parameter.unit === "°" ? -usual : parameter.least ?? -end;
    const clamped = (typed: number) => Math.min(Math.max(typed, parameter.least ?? -Infinity), parameter.most ?? Infinity);
    return number_row({
      label: title_of(key), help: key === "displacement" ? "The farthest that the skin moves" : parameter.help, unit: key === "displacement" ? "m" : parameter.unit,
      least: Math.min(begin, value), most: Math.max(end, value), value, ...(is_factor(parameter) ? { logarithmic: true, reset: 1 } : { reset: null }), bound: clamped,
      change: (next) => {
        const edited = changed(rig, index, key, clamped(next));
        rig.samples = edited.samples;
        this.send(edited);
      },
    });
  }

  private sample_buttons(rig: Rig, index: number) {
    if (place_of(rig.samples[index]) === null) return null;
    return element("div", { class: "buttons" },
      element("button", { title: "One more shape along the control, as this one is", onclick: () => {
        const more = with_sample(rig, index);
        void this.studio.do({ do: "edit_shape", name: rig.name, rig: without_handle(more.rig) }).then((well) => well && page.change({ sample: more.sample }));
      } }, "Add a sample"),
      element("button", { disabled: rig.samples.length < 2, title: "Without this sample", onclick: () => {
        const samples = rig.samples.filter((_, k) => k !== index);
        void this.studio.do({ do: "edit_shape", name: rig.name, rig: without_handle({ ...rig, samples }) });
      } }, "Remove it"));
  }
}

const without_handle = ({ handle: _, ...rig }: Rig): Omit<Rig, "handle"> => rig;

const does_nothing = (sample: RigSample): boolean =>
  Number(sample.displacement ?? sample.amplitude ?? 0) === 0 && (sample.strain ?? 1) === 1 && (sample.stiffness ?? 1) === 1;

// Samples at which the rig does nothing take over where and how large it is in the one that is edited, so that in between
// only its amount changes.
function changed(rig: Rig, index: number, key: string, value: number): Rig {
  const is_amount = ["at", "displacement", "amplitude", "strain", "stiffness"].includes(key);
  return { ...rig, samples: rig.samples.map((sample, k) =>
    k === index || (!is_amount && does_nothing(sample)) ? { ...sample, [key]: value } : sample) };
}
