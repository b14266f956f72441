// Rigs of another character carried over to this one, with points that correspond where bones do not tell.
import { floats_of, words_of } from "../connection/base64.ts";
import { element, fill } from "../widgets/dom.ts";
import type { SkinPoint, SurfaceReply, TransferReply, Vector } from "../connection/protocol.ts";
import { notice } from "../widgets/notices.ts";
import type { Studio } from "../studio.ts";
import { BenchSection } from "./bench_section.ts";
import { PointPairs } from "./point_pairs.ts";

export class Transfer extends BenchSection {
  private from = "";
  private result: TransferReply | null = null;
  private readonly points: PointPairs;

  constructor(studio: Studio) {
    super(studio, "transfer", /\.(glb|gltf|vrm)$/i);
    this.points = new PointPairs(studio, () => this.show());
    this.follow();
  }

  protected forget() {
    this.choose("");
  }
  private choose(from: string) {
    this.from = from;
    this.result = null;
    this.points.begin_anew();
  }

  private async look() {
    const reply = await this.run("Opening it …", () => this.studio.bench.ask<SurfaceReply>("fit", { do: "show_surface", path: this.from }));
    if (reply) this.points.show(floats_of(reply.positions), words_of(reply.triangles));
  }
  private async carry() {
    const features = this.points.all.map(({ there, here }): [Vector, SkinPoint] => [there, here]);
    this.result = await this.run("Carrying its rigs over …", () => this.studio.bench.ask<TransferReply>("fit", { do: "transfer_shapes", from: this.from, ...(features.length > 0 ? { features } : {}) }));
    for (const warning of this.result?.warnings ?? []) notice(warning);
    this.show();
  }

  protected fill() {
    const from = element("select", { "aria-label": "Other character", onchange: () => { this.choose(from.value); this.show(); } },
      element("option", { value: "" }, this.files.length > 0 ? "Choose a character" : "No other character beside the file"),
      ...this.files.map(({ name, path }) => element("option", { value: path, selected: this.from === path }, name)));
    fill(this.section, element("h2", {}, "From another character"),
      element("p", { class: "about" }, "Carries the rigs that it has in its project over to this one, limb by limb. What they do is seen here at once; undo takes them off."),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Character"), from, element("span")),
      element("div", { class: "buttons" },
        element("button", { disabled: this.busy !== "" || this.from === "", onclick: () => void this.carry() }, this.busy || "Carry its rigs over"),
        element("button", { disabled: this.busy !== "" || this.from === "", title: "Click points that correspond, there and here in turn: helps with faces and where bones differ", onclick: () => void this.look() }, "Set points")),
      ...this.points.elements(),
      this.result && element("img", { src: this.result.picture, class: "rehearsed", alt: "The other character fitted to this one, by distance, and the shapes here" }),
      this.result && element("details", {}, element("summary", {}, "How it went"), element("ul", { class: "notes" }, ...this.result.lines.map((line) => element("li", {}, line)))));
  }
}
