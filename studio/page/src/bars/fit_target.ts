// Forces from a shape: a morph target, or a mesh, that the skin shall have in the pose that is displayed.
import { element, fill } from "../widgets/dom.ts";
import type { FileEntry, FilesReply } from "../connection/protocol.ts";
import { notice } from "../widgets/notices.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { choose_rig } from "../tools/rigs.ts";

export class FitTarget {
  readonly section = element("section", { class: "fit-target" });
  private files: FileEntry[] = [];
  private target = "";
  private of = ""; // character and method that this is for
  private name = "";
  private busy = false;

  constructor(private readonly studio: Studio) {
    server.watch(["character", "method"], () => {
      // Edits report the method anew.
      const now = `${server.value.character?.number} ${server.value.method.name}`;
      if (now === this.of) return;
      this.of = now;
      this.target = this.name = "";
      if (page.value.panel === "shape") void this.list();
      this.show();
    });
    page.watch(["panel"], () => page.value.panel === "shape" && void this.list());
    page.watch(["lassoed"], () => this.show());
  }

  private async list() {
    try {
      const reply = await this.studio.connection.ask<FilesReply & Record<string, unknown>>({ do: "files" });
      this.files = reply.files.filter(({ name, folder }) => !folder && /\.(obj|glb|gltf)$/i.test(name) && name !== server.value.character?.name);
    } catch {
      this.files = [];
    }
    this.show();
  }

  private async run<Reply extends { lines?: string[]; stopped?: boolean }>(ask: () => Promise<Reply>): Promise<boolean> {
    this.busy = true;
    this.show();
    let well = false;
    try {
      const reply = await ask();
      well = !reply.stopped;
      if (well && reply.lines?.length) notice(reply.lines.join(" "), "done");
    } catch (error) {
      notice((error as Error).message, "error");
    }
    this.busy = false;
    this.show();
    return well;
  }
  private async fit() {
    const name = this.name || (this.target.startsWith("morph:") ? this.target.slice(6) : "shape");
    const vertices = page.value.lassoed;
    if (await this.run(() => this.studio.bench.ask<{ lines?: string[] }>("fit", { do: "fit_shape", name, target: this.target, ...(vertices.length > 0 ? { vertices } : {}) })))
      choose_rig(name);
  }

  private show() {
    const { character, method } = server.value;
    this.section.hidden = !character || method.name !== "flesh";
    if (this.section.hidden) return;
    const morphs = character!.morphs, { lassoed } = page.value;
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
        element("button", { disabled: this.busy || this.target === "", onclick: () => void this.fit() }, this.busy ? "Finding forces …" : "Find its forces"),
        morphs.length > 0 && element("button", { disabled: this.busy, title: "Forces for every morph target that moves the skin, so that its shapes swing",
          onclick: () => void this.run(() => this.studio.bench.ask<{ lines?: string[] }>("fit", { do: "shapes_of_morphs" })) }, "All morph targets")));
  }
}
