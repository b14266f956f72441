// Points that correspond, clicked in turn in a small view of another surface and on this character's skin.
import { Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { element } from "../widgets/dom.ts";
import type { SkinPoint, Vector } from "../connection/protocol.ts";
import { skin_position } from "../scene/geometry.ts";
import { SideView } from "../scene/side_view.ts";
import { page } from "../state.ts";
import type { Studio } from "../studio.ts";

interface Pair { there: Vector; here: SkinPoint | null } // null: still to be clicked

const colours = [0xff5a3c, 0x4dc3ff, 0x9be564, 0xffd94d, 0xd58bff, 0x5ff0d0, 0xff9ec4, 0xa0a8ff];
const colour_of = (k: number): number => colours[k % colours.length];
const hex = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`;
const view_width = 290, view_height = 250;
let clicking: PointPairs | null = null; // whose next point is clicked on the skin

export class PointPairs {
  private pairs: Pair[] = [];
  private view: SideView | null = null; // made when it is first needed
  private seen = false; // the other surface is shown
  private readonly marks = new Group();

  constructor(private readonly studio: Studio, private readonly changed: () => void) {
    studio.view.add(this.marks);
    studio.view.before_picture.push(() => this.place_marks());
    page.watch(["tool", "panel"], () => this.place_marks());
    page.watch(["paired"], () => {
      const { paired } = page.value, open = this.pairs.find((pair) => pair.here === null);
      if (!paired || !open || clicking !== this) return;
      open.here = paired;
      page.change({ paired: null, pairing: false });
      this.changed();
    });
  }

  get all(): { there: Vector; here: SkinPoint }[] {
    return this.pairs.flatMap(({ there, here }) => (here ? [{ there, here }] : []));
  }

  begin_anew() {
    this.pairs = [];
    this.seen = false;
    if (clicking === this) page.change({ pairing: false, paired: null });
  }

  show(positions: Float32Array, triangles: Uint32Array) {
    this.view ??= new SideView(view_width, view_height);
    this.view.picked = (there) => {
      this.pairs = [...this.pairs.filter(({ here }) => here !== null), { there, here: null }];
      clicking = this;
      page.change({ tool: "shape", pairing: true, paired: null });
      this.changed();
    };
    this.view.show(positions, triangles);
    this.seen = true;
    this.changed();
  }

  // The view with what to do, and a button for each pair.
  elements(): (Node | null | false)[] {
    this.view?.mark(this.pairs.map(({ there }) => there), this.pairs.map((_, k) => colour_of(k)));
    this.studio.view.need_picture();
    const waiting = this.pairs.some(({ here }) => here === null);
    return [this.seen && this.view ? this.view.canvas : null,
      this.seen && element("p", { class: "about" }, waiting ? "Now click the same place here." : "Click a place there, then the same place here."),
      this.pairs.length > 0 && element("div", { class: "pairs" }, ...this.pairs.map((pair, k) =>
        element("button", { class: "quiet", style: `color:${hex(colour_of(k))}`, title: "Take this pair away", onclick: () => { this.pairs = this.pairs.filter((one) => one !== pair); this.changed(); } },
          pair.here ? `● ${k + 1}` : `○ ${k + 1}`)))];
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
}
