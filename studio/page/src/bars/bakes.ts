// The section of bakes: what is baked, as which file, its progress and command line, and the list of what was baked.
import { element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { bytes_text } from "../widgets/names.ts";
import { notice } from "../widgets/notices.ts";
import { check_row, choice_row } from "../widgets/rows.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { played_part, time_text } from "../widgets/time_text.ts";
import { clip_now } from "./clip_now.ts";
import { type BakedFile, bakes_of, free_stem, name_problem, stem_of, usual_name } from "./bake_files.ts";

const forms = [
  { word: "glb", text: "glTF (.glb)" }, { word: "pc2", text: "Point cache (.pc2)" }, { word: "mdd", text: "Point cache (.mdd)" },
];
const rates = ["24", "25", "30", "60"];

interface Refused extends Error { in_the_way?: string[] } // files that a bake would replace

export function show_bakes(studio: Studio, section: HTMLElement) {
  const wish = { part: true, what: "clip:", own_what: false, form: "glb", preview: true, stem: "" }; // part: only what lies between the marks; own_what: the user chose it, else it is the clip that plays; an empty stem: the usual name
  let command = "", in_the_way: string[] = [], seen = ""; // `seen`: name of the picture that is shown
  const chosen = () => {
    const at = wish.what.indexOf(":"), name = wish.what.slice(at + 1);
    return { take: wish.what.startsWith("take:") ? name : null, clip: name || server.value.play.clip };
  };
  const usual = () => usual_name(server.value.character?.name ?? "", chosen().take ?? chosen().clip);

  // The part between the marks of the time line, where these are the clip's.
  const marked = () => {
    const { mark_in, mark_out } = page.value, clip = clip_now(), { take, clip: name } = chosen();
    return take === null && clip && name === clip.name && (mark_in !== null || mark_out !== null) ? played_part(clip, mark_in, mark_out) : null;
  };
  const bake = async (replace: boolean) => {
    if (!server.value.character) return;
    const stem = wish.stem || usual(), { take, clip } = chosen(), part = wish.part ? marked() : null, problem = name_problem(stem);
    if (problem) return notice(problem, "error");
    // Own bakes are replaced only by who says so, as other files are.
    const taken = server.value.outputs.map(({ name }) => name).filter((name) => name === `${stem}.${wish.form}`);
    in_the_way = replace ? [] : taken;
    if (in_the_way.length > 0) return show();
    try {
      const reply = await studio.connection.ask<{ command?: string }>({
        do: "bake", replace, output: `${stem}.${wish.form}`, frames_per_second: page.value.rate,
        ...(take !== null ? { take } : clip ? { clip } : {}), ...(part ? { from: part.begin, to: part.end } : {}), ...(wish.preview ? { preview: `${stem}.webp` } : {}),
      });
      command = reply.command ?? "";
    } catch (error) {
      in_the_way = (error as Refused).in_the_way ?? [];
      if (in_the_way.length === 0) notice((error as Error).message, "error");
    }
    show();
  };
  const both = () => {
    wish.stem = free_stem(wish.stem || usual(), wish.form, [...in_the_way, ...server.value.outputs.map(({ name }) => name)]);
    void bake(false);
  };
  const address = (name: string) => studio.connection.address(`/output/${encodeURIComponent(name)}`);
  const baked_row = ({ main, picture, others }: BakedFile) => element("li", {},
    element("a", { href: address(main.name), download: main.name }, main.name), element("span", { class: "unit" }, bytes_text(main.bytes)),
    picture && element("button", { class: seen === picture.name ? "quiet on" : "quiet", title: "Its moving picture", "aria-label": `Picture of ${main.name}`, onclick: () => {
      seen = seen === picture.name ? "" : picture.name;
      show();
    } }, icon(icons.eye)),
    others.length > 0 && element("small", {}, "with ", ...others.flatMap(({ name }, k) =>
      [k > 0 ? ", " : "", element("a", { href: address(name), download: name }, name.replace(main.name.replace(/\.[^.]*$/, ""), ""))])));

  const show = () => {
    const { character, clips, work, takes, play, outputs } = server.value, baking = work?.what === "baking";
    const whats = [
      ...(character ? clips : []).map((clip) => ({ word: `clip:${clip.name}`, text: `Clip ${clip.name}` })),
      ...takes.map((take) => ({ word: `take:${take.name}`, text: `Take ${take.name}` })),
    ];
    if (!wish.own_what || !whats.some(({ word }) => word === wish.what)) wish.what = whats.find(({ word }) => word === `clip:${play.clip}`)?.word ?? whats[0]?.word ?? "clip:";
    const name = element("input", { type: "text", class: "file-name", value: wish.stem || usual(), "aria-label": "Name of the file", spellcheck: false,
      title: "The file goes beside the character",
      onkeydown: (event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === "Enter") name.blur();
      },
      onchange: () => {
        wish.stem = stem_of(name.value) === usual() ? "" : stem_of(name.value);
        name.value = wish.stem || usual();
        in_the_way = [];
        show();
      } });
    const part = marked(), list = bakes_of(outputs), picture = outputs.find((one) => one.name === seen);
    fill(section, element("h2", {}, "Bake"),
      choice_row({ label: "What", help: "A clip, or a take of what you did", words: whats, value: wish.what, change: (word) => {
        wish.what = word;
        wish.own_what = true;
        wish.stem = "";
        in_the_way = [];
        show();
      } }),
      choice_row({ label: "As", help: "The file that is written", words: forms, value: wish.form, change: (word) => (wish.form = word, in_the_way = [], show()) }),
      choice_row({ label: "Frames/s", help: "Of the file, and of the time line's frames; the motion does not depend on it", words: rates.map((rate) => ({ word: rate, text: rate })),
        value: String(page.value.rate), change: (word) => page.change({ rate: Number(word) }) }),
      element("div", { class: "row choice" }, element("span", { class: "name" }, "Name"), element("span", { class: "named" }, name, element("span", { class: "unit" }, `.${wish.form}`)), element("span")),
      part && check_row(`Only between the marks: ${time_text(part.begin)} to ${time_text(part.end)}`, "The marks of the time line (I, O)", wish.part, (on) => (wish.part = on)),
      check_row("A moving picture of it too", "An animation (.webp) of rig and flesh side by side", wish.preview, (on) => (wish.preview = on)),
      in_the_way.length === 0 ? element("button", { class: "main", disabled: !character || Boolean(work), onclick: () => void bake(false) }, "Bake")
        : element("div", { class: "asked", role: "alert" }, element("p", {}, `${in_the_way.join(", ")} ${in_the_way.length > 1 ? "are" : "is"} there already. Replace ${in_the_way.length > 1 ? "them" : "it"}?`),
          element("div", { class: "buttons" }, element("button", { class: "main", onclick: () => void bake(true) }, "Replace"),
            element("button", { onclick: both }, "Keep both"), element("button", { onclick: () => (in_the_way = [], show()) }, "Not now"))),
      baking && element("div", { class: "progress" },
        element("progress", { max: 1, value: work.share }), element("span", {}, `${Math.round(100 * work.share)} % ${work.activity}`),
        element("button", { onclick: () => void studio.do({ do: "cancel" }) }, "Stop")),
      command ? command_line(command) : null,
      list.length > 0 && element("h2", { class: "parts" }, list.length === 1 ? "Baked" : `Baked: ${list.length} files`),
      list.length > 0 && element("ul", { class: "outputs" }, ...list.map(baked_row)),
      picture && !baking ? element("img", { class: "picture", alt: "What was baked", src: address(picture.name) }) : null);
  };
  server.watch(["character"], () => {
    wish.stem = command = seen = "";
    wish.own_what = false;
    in_the_way = [];
  });
  server.watch(["character", "clips", "work", "takes", "outputs", "play"], () => {
    const active = document.activeElement;
    if (!(active instanceof HTMLInputElement && active.classList.contains("file-name") && section.contains(active))) show(); // a name is not taken from who types it
  });
  page.watch(["rate", "mark_in", "mark_out"], show);
  baked = (text, files) => {
    command = text;
    seen = files.find((name) => /\.(webp|png)$/.test(name)) ?? seen;
    show();
  };
}

// Called by main.ts when a bake has ended, with the equivalent command line and the names of its files.
export let baked: (command: string, files: string[]) => void = () => {};

function command_line(command: string): HTMLElement {
  return element("div", { class: "command" }, element("p", { class: "about" }, "The same from a terminal:"), element("code", {}, command),
    element("button", { class: "quiet", title: "Copy", "aria-label": "Copy the command",
      onclick: () => void navigator.clipboard.writeText(command).then(() => notice("The command is copied.", "done")) }, icon(icons.copy)));
}
