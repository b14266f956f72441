// The panel's section that learns a light model of the flesh from clips, for games: which clips, how well it went, and
// the model played or compared at once.
import { by_id, element, fill } from "../widgets/dom.ts";
import { choice_row } from "../widgets/rows.ts";
import { begin_job, job_progress } from "./file_job.ts";
import type { Learned } from "../connection/protocol.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";

const every_clip = "every clip";
const most_clips = 6; // as many as are learned in a minute or two

export const model_name = (character: string) => `${character.replace(/\.[^.]*$/, "")}.sinew`;

// How much of the rig's error the model removes, and in what it was not shown, where that is known.
export function learned_text(report: Learned["report"]): string {
  const share = (percent: number) => `${Math.max(0, Math.round(percent))} %`, unseen = report?.held_out?.removed_percent;
  if (report?.removed_percent === undefined) return "";
  return `It follows ${share(report.removed_percent)} of what the flesh does in these clips${unseen === undefined ? "" : `, and ${share(unseen)} in motion that was kept back to test it`}.`;
}

// Called by main.ts when a model was learned.
export let learned: (result: Learned) => void = () => {};

export function add_learn_model(studio: Studio) {
  const section = element("section");
  by_id("keep").append(section);
  const wish = { clip: every_clip };
  let last: Learned | null = null;

  const learn = async (): Promise<void> => {
    const { character } = server.value;
    if (!character) return;
    const clips = wish.clip === every_clip ? server.value.clips.slice(0, most_clips).map(({ name }) => name) : [wish.clip];
    await begin_job(studio, (replace) => ({ do: "fit", output: model_name(character.name), clips, replace }));
  };
  const result = (of: Learned) => {
    const model = of.files[0]?.name ?? "", plays = server.value.method.name === "surface";
    return element("div", { class: "learned" }, element("p", {}, learned_text(of.report)),
      element("div", { class: "buttons" },
        element("button", { disabled: plays, title: "The model moves the skin, in microseconds a frame", onclick: () => void studio.do({ do: "method", name: "surface", model }) }, "Play it"),
        element("button", { disabled: plays, title: "The model beside the flesh, in step", onclick: () => void studio.do({ do: "beside", method: "surface", model }) }, "Compare"),
        plays && element("button", { onclick: () => void studio.do({ do: "method", name: "flesh" }) }, "Back to flesh")),
      element("p", { class: "about" }, "The same from a terminal: ", element("code", {}, of.command)));
  };
  const show = () => {
    const { character, work } = server.value, learning = work?.what === "learning";
    section.hidden = !character || server.value.clips.length === 0;
    if (!character || section.hidden) return;
    const several = server.value.clips.length > most_clips ? `the first ${most_clips} clips` : every_clip;
    fill(section, element("h2", {}, "Learn for games"),
      element("p", { class: "about" }, "A small model that moves the skin as the flesh does, for engines that have no time to simulate."),
      choice_row({ label: "From", help: "The clips whose flesh it learns", value: wish.clip, change: (word) => (wish.clip = word),
        words: [{ word: every_clip, text: several }, ...server.value.clips.map(({ name }) => ({ word: name, text: name }))] }),
      element("button", { disabled: Boolean(work), onclick: () => void learn() }, "Learn"),
      learning && job_progress(studio, work),
      last && !learning ? result(last) : null);
  };
  server.watch(["character"], () => (last = null));
  server.watch(["character", "clips", "work", "method"], show);
  learned = (of) => {
    last = of;
    show();
  };
}
