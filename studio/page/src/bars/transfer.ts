// Rigs of another character carried over to this one, with points that correspond where bones do not tell.
import { Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { floats_of, words_of } from "../connection/base64.ts";
import { element, fill } from "../widgets/dom.ts";
import type { SkinPoint, SurfaceReply, TransferReply, Vector } from "../connection/protocol.ts";
import { skin_position } from "../scene/geometry.ts";
import { notice } from "../widgets/notices.ts";
import { SideView } from "../scene/side_view.ts";
import { page } from "../state.ts";
import type { Studio } from "../studio.ts";
import { BenchSection } from "./bench_section.ts";

interface Pair { there: Vector; here: SkinPoint | null } // null: still to be clicked

const colours = [0xff5a3c, 0x4dc3ff, 0x9be564, 0xffd94d, 0xd58bff, 0x5ff0d0, 0xff9ec4, 0xa0a8ff];
const colour_of = (k: number): number => colours[k % colours.length];
const hex = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`;
const view_width = 290, view_height = 250;

export class Transfer extends BenchSection {
  private from = "";
  private pairs: Pair[] = [];
  private view: SideView | null = null; // made when it is first needed
  private seen = false; // the view shows `from`
  private result: TransferReply | null = null;
  private readonly marks = new Group();

  constructor(studio: Studio) {
    super(studio, "transfer", /\.(glb|gltf|vrm)$/i);
    studio.view.add(this.marks);
    studio.view.before_picture.push(() => this.place_marks());
    page.watch(["tool", "panel"], () => this.place_marks());
    page.watch(["paired"], () => {
      const { paired } = page.value, open = this.pairs.find((pair) => pair.here === null);
      if (!paired || !open) return;
      open.here = paired;
      page.change({ paired: null, pairing: false });
      this.show();
    });
  }

  protected forget() {
    this.from = "";
    this.begin_anew();
  }
  private begin_anew() {
    this.pairs = [];
    this.seen = false;
    this.result = null;
    page.change({ pairing: false, paired: null });
  }

  // Shows the other character, so that points can be clicked in it and here in turn.
  private async look() {
    const reply = await this.run("Opening it …", () => this.studio.bench.ask<SurfaceReply>("fit", { do: "show_surface", path: this.from }));
    if (!reply) return;
    this.view ??= new SideView(view_width, view_height);
    this.view.picked = (there) => {
      this.pairs = [...this.pairs.filter(({ here }) => here !== null), { there, here: null }];
      page.change({ tool: "shape", pairing: true, paired: null });
      this.show();
    };
    this.view.show(floats_of(reply.positions), words_of(reply.triangles));
    this.seen = true;
    this.show();
  }
  private async carry() {
    const features = this.pairs.flatMap(({ there, here }): [Vector, SkinPoint][] => (here ? [[there, here]] : []));
    this.result = await this.run("Carrying its rigs over …", () => this.studio.bench.ask<TransferReply>("fit", { do: "transfer_shapes", from: this.from, ...(features.length > 0 ? { features } : {}) }));
    for (const warning of this.result?.warnings ?? []) notice(warning);
    this.show();
  }

  // Marks of this character's points, which follow its skin.
  private place_marks() {
    const { character } = this.studio, positions = character?.frame?.positions, shown = page.value.panel === "shape" && this.seen;
    const done = shown && positions ? this.pairs.map(({ here }, k) => ({ here, k })).filter((one) => one.here !== null) : [];
    while (this.marks.children.length > done.length) this.marks.children[this.marks.children.length - 1].removeFromParent();
    done.forEach(({ here, k }, index) => {
      if (!this.marks.children[index]) {
        const mark = new Mesh(new SphereGeometry(1, 12, 8), new MeshBasicMaterial({ depthTest: false, toneMapped: false }));
        mark.renderOrder = 11;
        this.marks.add(mark);
      }
      const mark = this.marks.children[index] as Mesh;
      (mark.material as MeshBasicMaterial).color.set(colour_of(k));
      mark.scale.setScalar(0.01 * this.studio.height);
      mark.position.set(...skin_position(here!, character!.surface.triangles, positions!));
    });
  }

  protected fill() {
    this.view?.mark(this.pairs.map(({ there }) => there), this.pairs.map((_, k) => colour_of(k)));
    this.studio.view.need_picture();
    const from = element("select", { "aria-label": "Other character", onchange: () => { this.from = from.value; this.begin_anew(); this.show(); } },
      element("option", { value: "" }, this.files.length > 0 ? "Choose a character" : "No other character beside the file"),
      ...this.files.map(({ name, path }) => element("option", { value: path, selected: this.from === path }, name)));
    const waiting = this.pairs.some(({ here }) => here === null);
    fill(this.section, element("h2", {}, "From another character"),
      element("p", { class: "about" }, "Carries the rigs that it has in its project over to this one, limb by limb. What they do is seen here at once; undo takes them off."),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Character"), from, element("span")),
      element("div", { class: "buttons" },
        element("button", { disabled: this.busy !== "" || this.from === "", onclick: () => void this.carry() }, this.busy || "Carry its rigs over"),
        element("button", { disabled: this.busy !== "" || this.from === "", title: "Click points that correspond, there and here in turn: helps with faces and where bones differ", onclick: () => void this.look() }, "Set points")),
      this.seen && this.view ? this.view.canvas : null,
      this.seen && element("p", { class: "about" }, waiting ? "Now click the same place here." : "Click a place there, then the same place here."),
      this.pairs.length > 0 && element("div", { class: "pairs" }, ...this.pairs.map((pair, k) =>
        element("button", { class: "quiet", style: `color:${hex(colour_of(k))}`, title: "Take this pair away", onclick: () => { this.pairs = this.pairs.filter((one) => one !== pair); this.show(); } },
          pair.here ? `● ${k + 1}` : `○ ${k + 1}`))),
      this.result && element("img", { src: this.result.picture, class: "rehearsed", alt: "The other character fitted to this one, by distance, and the shapes here" }),
      this.result && element("details", {}, element("summary", {}, "How it went"), element("ul", { class: "notes" }, ...this.result.lines.map((line) => element("li", {}, line)))));
  }
}
