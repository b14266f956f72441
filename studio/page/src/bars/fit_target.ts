// Forces from a shape: a morph target, or a mesh, that the skin shall have in the pose that is displayed.
import { element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { choose_rig } from "../tools/rigs.ts";
import { BenchSection } from "./bench_section.ts";

interface FitReply { lines?: string[] }

export class FitTarget extends BenchSection {
  private target = "";
  private name = "";

  constructor(studio: Studio) {
    super(studio, "fit-target", /\.(obj|glb|gltf)$/i);
    page.watch(["lassoed"], () => this.show());
  }

  protected forget() {
    this.target = this.name = "";
  }

  private async find(ask: () => Promise<FitReply & { stopped?: boolean }>): Promise<boolean> {
    const reply = await this.run("Finding forces …", ask);
    if (reply?.lines?.length) notice(reply.lines.join(" "), "done");
    return reply !== null;
  }
  private async fit() {
    const name = this.name || (this.target.startsWith("morph:") ? this.target.slice(6) : "shape");
    const vertices = page.value.lassoed;
    if (await this.find(() => this.studio.bench.ask<FitReply>("fit", { do: "fit_shape", name, target: this.target, ...(vertices.length > 0 ? { vertices } : {}) })))
      choose_rig(name);
  }

  protected fill() {
    const { morphs } = server.value.character!, { lassoed } = page.value;
    const target = element("select", { "aria-label": "Target", onchange: () => ((this.target = target.value), this.show()) },
      element("option", { value: "" }, morphs.length + this.files.length > 0 ? "Choose a shape" : "No morph target, no mesh beside the file"),
      ...morphs.map((name) => element("option", { value: `morph:${name}`, selected: this.target === `morph:${name}` }, name)),
      ...this.files.map(({ name, path }) => element("option", { value: path, selected: this.target === path }, name)));
    const name = element("input", { type: "text", value: this.name, placeholder: "shape", "aria-label": "Name of the shape", spellcheck: false,
      onkeydown: (event: KeyboardEvent) => event.stopPropagation(), oninput: () => (this.name = name.value.trim()) });
    fill(this.section, element("h2", {}, "From a shape"),
      element("p", { class: "about" }, "Forces that give the skin this shape in the pose that you see. Without physics it stays a shape; with forces it swings."),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Shape"), target, element("span")),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Name"), name, element("span")),
      element("p", { class: "about" }, lassoed.length > 0 ? `Only the ${lassoed.length} vertices in the lasso count.` : "All skin counts; the lasso of the tool Shape says otherwise."),
      element("div", { class: "buttons" },
        element("button", { disabled: this.busy !== "" || this.target === "", onclick: () => void this.fit() }, this.busy || "Find its forces"),
        morphs.length > 0 && element("button", { disabled: this.busy !== "", title: "Forces for every morph target that moves the skin, so that its shapes swing",
          onclick: () => void this.find(() => this.studio.bench.ask<FitReply>("fit", { do: "shapes_of_morphs" })) }, "All morph targets")));
  }
}
