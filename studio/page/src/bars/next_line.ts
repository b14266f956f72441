// The line at the bottom of the stage that says what to do next; a click on it does or opens that.
import type { CheckReply } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { keep_text, kept_text } from "../widgets/kept.ts";
import { is_tuned } from "../widgets/tuned.ts";
import { type Situation, what_next } from "./what_next.ts";

const key = "next";

export class NextLine {
  private touched = false; // the skin of this character
  private compared = false;
  private defects: number | null = null;

  constructor(private readonly studio: Studio) {
    server.watch(["character"], () => {
      this.touched = this.compared = false;
      this.defects = null;
    });
    page.watch(["picked"], () => (this.touched ||= page.value.picked !== null));
    server.watch(["hands", "carried", "beside"], () => {
      this.touched ||= server.value.hands.length > 0 || server.value.carried.some((x) => x !== 0);
      this.compared ||= server.value.beside !== null;
    });
    server.watch(["character", "rigging", "method", "play", "work", "take", "takes", "hands", "carried", "pose", "settings", "painted", "outputs", "beside"], () => this.show());
    page.watch(["picked", "start_open", "next_line", "needs_motion"], () => this.show());
    page.change({ next_line: kept_text(key) !== "off" });
  }

  checked(found: CheckReply) {
    this.defects = found.defects.length;
    this.show();
  }

  private situation(): Situation {
    const { character, method, play, work, take, takes, pose, settings, painted, outputs } = server.value;
    return {
      character: character !== null, needs_motion: page.value.needs_motion, sample: character?.look ?? false, flesh: method.memory, playing: play.playing, work: work?.what ?? "",
      recording: take?.doing === "recording", defects: this.defects, touched: this.touched, posed: Object.keys(pose).length > 0,
      tuned: settings.some((one) => is_tuned(one) && JSON.stringify(one.value ?? null) !== JSON.stringify(one.default ?? null)),
      painted: painted.length > 0, takes: takes.length, bakes: outputs.filter(({ name }) => /\.(glb|gltf|pc2|mdd)$/.test(name)).length,
      compared: this.compared,
    };
  }

  private show() {
    const line = by_id("next"), { next_line, start_open } = page.value;
    const advice = next_line && !server.value.rigging && (!start_open || server.value.character?.look) ? what_next(this.situation()) : null;
    line.hidden = advice === null;
    if (!advice) return;
    const { tool, panel, start, motion, method } = advice;
    const act = tool || panel || start || motion || method ? () => {
      if (tool) page.change({ tool });
      if (panel) page.change({ panel });
      if (motion) page.change({ motion_open: true });
      if (start) page.change({ start_open: true });
      if (method) void this.studio.do({ do: "method", name: method });
    } : null;
    fill(line, element("b", {}, "Next"), act ? element("button", { class: "advice", onclick: act }, advice.text) : element("span", {}, advice.text),
      element("button", { class: "quiet", title: "Hide these lines; H brings them back", "aria-label": "Hide", onclick: () => this.switch() }, icon(icons.close)));
  }

  switch() {
    const next_line = !page.value.next_line;
    keep_text(key, next_line ? null : "off");
    page.change({ next_line });
  }
}
