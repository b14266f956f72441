// Forces from a shape: a morph target, or a mesh, that the skin shall have in the pose that is displayed.
import { floats_of, words_of } from "../connection/base64.ts";
import type { AnyPoint, SurfaceReply, Vector } from "../connection/protocol.ts";
import { element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { choose_rig } from "../tools/rigs.ts";
import { BenchSection } from "./bench_section.ts";
import { PointPairs } from "./point_pairs.ts";

const fewest_points = 3; // from which a pose can be found

interface FitReply { lines?: string[] }

export class FitTarget extends BenchSection {
  private target = "";
  private name = "";
  private readonly points: PointPairs;

  constructor(studio: Studio) {
    super(studio, "fit-target", /\.(obj|glb|gltf)$/i);
    this.points = new PointPairs(studio, () => this.show());
    page.watch(["lassoed"], () => this.show());
    this.follow();
  }

  protected forget() {
    this.name = "";
    this.choose("");
  }
  private choose(target: string) {
    this.target = target;
    this.points.begin_anew();
  }

  // Shows the target, so that points of it and of the skin can be clicked in turn: they tell in which pose it is.
  private async look() {
    const reply = await this.run("Opening it …", () => this.studio.bench.ask<SurfaceReply>("fit", { do: "show_surface", path: this.target, scale: 1 }));
    if (reply) this.points.show(floats_of(reply.positions), words_of(reply.triangles));
  }

  private async find(ask: () => Promise<FitReply & { stopped?: boolean }>): Promise<boolean> {
    const reply = await this.run("Finding forces …", ask);
    if (reply?.lines?.length) notice(reply.lines.join(" "), "done");
    return reply !== null;
  }
  private async fit() {
    const name = this.name || (this.target.startsWith("morph:") ? this.target.slice(6) : "shape");
    const vertices = page.value.lassoed, features = this.points.all.map(({ there, here }): [AnyPoint, Vector] => [here, there]);
    if (await this.find(() => this.studio.bench.ask<FitReply>("fit", { do: "fit_shape", name, target: this.target,
      ...(vertices.length > 0 ? { vertices } : {}), ...(features.length > 0 ? { features } : {}) })))
      choose_rig(name);
  }

  protected fill() {
    const { morphs } = server.value.character!, { lassoed } = page.value;
    const target = element("select", { "aria-label": "Target", onchange: () => { this.choose(target.value); this.show(); } },
      element("option", { value: "" }, morphs.length + this.files.length > 0 ? "Choose a shape" : "No morph target, no mesh beside the file"),
      ...morphs.map((name) => element("option", { value: `morph:${name}`, selected: this.target === `morph:${name}` }, name)),
      ...this.files.map(({ name, path }) => element("option", { value: path, selected: this.target === path }, name)));
    const points = this.points.all.length, is_file = this.target !== "" && !this.target.startsWith("morph:");
    const name = element("input", { type: "text", value: this.name, placeholder: "shape", "aria-label": "Name of the shape", spellcheck: false,
      onkeydown: (event: KeyboardEvent) => event.stopPropagation(), oninput: () => (this.name = name.value.trim()) });
    fill(this.section, element("h2", {}, "From a shape"),
      element("p", { class: "about" }, "Forces that give the skin this shape in the pose that you see, or that points show. They make it swing."),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Shape"), target, element("span")),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Name"), name, element("span")),
      element("p", { class: "about" }, lassoed.length > 0 ? `Only the ${lassoed.length} vertices in the lasso count.` : "All skin counts; the lasso of the tool Shape says otherwise."),
      element("div", { class: "buttons" },
        element("button", { disabled: this.busy !== "" || this.target === "" || (points > 0 && points < fewest_points), onclick: () => void this.fit() }, this.busy || "Find its forces"),
        is_file && element("button", { disabled: this.busy !== "", title: `Where the mesh is in another pose: click ${fewest_points} or more points that correspond, there and here in turn`, onclick: () => void this.look() }, "Set points"),
        morphs.length > 0 && element("button", { disabled: this.busy !== "", title: "Forces for every morph target that moves the skin, so that its shapes swing",
          onclick: () => void this.find(() => this.studio.bench.ask<FitReply>("fit", { do: "shapes_of_morphs" })) }, "All morph targets")), ...this.points.elements());
  }
}
