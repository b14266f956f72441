// The panel's section that learns, once for all clips, how the inside of the body follows the rig's controls, so that the
// method rigspace opens without learning it again.
import { by_id, element, fill } from "../widgets/dom.ts";
import type { LearnedInside } from "../connection/protocol.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { begin_job, job_progress } from "./file_job.ts";

export const map_name = (character: string) => `${character.replace(/\.[^.]*$/, "")}.vskin`;

// A sentence about what was learned.
export function learned_inside_text(report: LearnedInside["report"]): string {
  if (!report) return "";
  const off = report.off_percent < 0.01 ? "less than 0.01" : report.off_percent.toPrecision(2);
  return `From ${report.poses} poses; the inside is off by ${off} % of the height.`;
}

// Called by main.ts when it was learned.
export let learned_inside: (result: LearnedInside) => void = () => {};

export function add_learn_inside(studio: Studio) {
  const section = element("section", { id: "learn-inside" });
  by_id("keep").append(section);
  let last: LearnedInside | null = null;

  const result = (of: LearnedInside) => {
    const skinning = of.files[0]?.name ?? "";
    return element("div", { class: "learned" }, element("p", {}, learned_inside_text(of.report)),
      element("div", { class: "buttons" },
        element("button", { title: "Play with rigspace, with the inside from this file", onclick: () => void studio.do({ do: "method", name: "rigspace", settings: { interior: skinning } }) }, "Use it")),
      element("p", { class: "about" }, "The same from a terminal: ", element("code", {}, of.command)));
  };
  const show = () => {
    const { character, work } = server.value, learning = work?.what === "learning the inside";
    section.hidden = !character?.methods.some(({ curves }) => curves);
    if (!character || section.hidden) return;
    fill(section, element("h2", {}, "Learn for rig space"),
      element("p", { class: "about" }, "How the inside of the body follows the rig's controls. Learned once, it serves every clip, and rigspace opens at once."),
      element("button", { disabled: Boolean(work), onclick: () => void begin_job(studio, (replace) => ({ do: "learn", output: map_name(character.name), replace })) }, "Learn the inside"),
      learning && job_progress(studio, work),
      last && !learning ? result(last) : null);
  };
  server.watch(["character"], () => (last = null));
  server.watch(["character", "work"], show);
  learned_inside = (of) => {
    last = of;
    show();
  };
}
