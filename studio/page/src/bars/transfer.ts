// Rigs of another character carried over to this one, with points that correspond where bones do not tell, and control
// points moved by hand.
import { floats_of, words_of } from "../connection/base64.ts";
import { element, fill } from "../widgets/dom.ts";
import type { FittedLatticeReply, SkinPoint, SurfaceReply, TransferReply, Vector } from "../connection/protocol.ts";
import { notice } from "../widgets/notices.ts";
import type { Studio } from "../studio.ts";
import { BenchSection } from "./bench_section.ts";
import { ControlPoints } from "./control_points.ts";
import { PointPairs } from "./point_pairs.ts";

export class Transfer extends BenchSection {
  private from = "";
  private result: TransferReply | null = null;
  private readonly points: PointPairs;
  private readonly lattice: ControlPoints;
  private fitted_to = "[]"; // the points that correspond, to which the lattice is fitted

  constructor(studio: Studio) {
    super(studio, "transfer", /\.(glb|gltf|vrm)$/i);
    this.points = new PointPairs(studio, () => {
      const now = JSON.stringify(this.points.all);
      if (now !== this.fitted_to) this.lattice.begin_anew();
      this.fitted_to = now;
      this.show();
    });
    this.lattice = new ControlPoints((moves) => this.run("Fitting the lattice …", () => studio.bench.ask<FittedLatticeReply>("fit", { do: "transfer_lattice", ...this.request(moves) })), () => this.show());
    this.follow();
  }

  protected forget() {
    this.choose("");
  }
  private choose(from: string) {
    this.from = from;
    this.result = null;
    this.points.begin_anew();
    this.lattice.begin_anew();
    this.fitted_to = "[]";
  }

  private request(moves: [Vector, Vector][]) {
    const features = this.points.all.map(({ there, here }): [Vector, SkinPoint] => [there, here]);
    return { from: this.from, ...(features.length > 0 ? { features } : {}), ...(moves.length > 0 ? { moves } : {}) };
  }

  private async look() {
    const reply = await this.run("Opening it …", () => this.studio.bench.ask<SurfaceReply>("fit", { do: "show_surface", path: this.from }));
    if (reply) this.points.show(floats_of(reply.positions), words_of(reply.triangles));
  }
  private async carry() {
    this.result = await this.run("Carrying its rigs over …", () => this.studio.bench.ask<TransferReply>("fit", { do: "transfer_shapes", ...this.request(this.lattice.moves) }));
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
        element("button", { disabled: this.busy !== "" || this.from === "", title: "Click points that correspond, there and here in turn: helps with faces and where bones differ", onclick: () => void this.look() }, "Set points"),
        element("button", { disabled: this.busy !== "" || this.from === "", title: "The lattice that is fitted to this character: drag its control points where it fits badly", onclick: () => void this.lattice.look() }, "Adjust the fit")),
      ...this.points.elements(),
      ...this.lattice.elements(this.busy !== ""),
      this.result && element("img", { src: this.result.picture, class: "rehearsed", alt: "The other character fitted to this one, by distance, and the shapes here" }),
      this.result && element("details", {}, element("summary", {}, "How it went"), element("ul", { class: "notes" }, ...this.result.lines.map((line) => element("li", {}, line)))));
  }
}
