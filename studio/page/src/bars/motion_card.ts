// The card of motions: built-in ones and clips of other files, with small pictures of the character in them; and what was
// found when motion was carried over. It opens by itself for a character that has no clip.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { notice } from "../widgets/notices.ts";
import type { MotionChoice, MotionPicture, MotionState, MotionsReply } from "../connection/protocol.ts";
import { send_file } from "../connection/send_file.ts";
import { page, server } from "../state.ts";
import { end_steering } from "../tools/steering.ts";
import type { Studio } from "../studio.ts";

const first_tried = "test:turn"; // whether a character can be given motion at all

export function add_motion_card(studio: Studio) {
  const card = by_id("motion-card");
  const lists = element("div", { class: "tiles" }), added = element("div", { class: "added" });
  const input = element("input", { type: "file", accept: ".bvh,.vrma,.glb,.gltf,.vrm,.json", hidden: true, "aria-label": "File of motion" });
  const choose = element("button", { title: "A .bvh or .vrma file, or another character's .glb, .gltf or .vrm; or a .json that names bones by hand", onclick: () => input.click() }, "Choose a file …");
  const steer = element("button", { class: "steer", title: "Lead the character by arrow keys through all its clips", onclick: () => void toggle_steering() }, "Steer");
  fill(card, element("header", {}, element("h2", {}, "Motion"), element("span", { class: "about" }, "Click one, or drop a .bvh, .vrma or another character into the page."), steer, choose, input,
    element("button", { class: "quiet", title: "Close (Esc)", "aria-label": "Close", onclick: () => page.change({ motion_open: false }) }, icon(icons.close))), lists, added);

  let pictures = new Map<string, MotionPicture>(), of = 0; // of which character
  let turn = 0; // counts lists; only the last one is filled with pictures
  let adding = ""; // motion that is being carried over

  const clip_of = (motion: string) => server.value.motions.find((one) => one.motion === motion)?.clips[0];
  const use = async (motion: string) => {
    adding = motion;
    mark();
    await studio.do({ do: "motion", action: "add", motion });
    adding = "";
    mark();
  };
  const name_bones = (file: string) => void studio.do({ do: "motion", action: "map", motion: file });
  const remove = (motion: string) => element("button", { class: "quiet", title: "Take this motion away", "aria-label": `Take ${motion} away`,
    onclick: () => void studio.do({ do: "motion", action: "remove", motion }) }, icon(icons.close));
  const tile = ({ motion, name, about }: MotionChoice, file: string) => {
    const picture = pictures.get(motion);
    return element("div", { class: "motion", "data-motion": motion, "data-file": file },
      element("button", { title: about || name, onclick: () => void use(motion) },
        picture ? element("img", { src: picture.picture, alt: "" }) : element("span", { class: "no-picture" }),
        element("span", { class: "named" }, element("b", {}, name), element("span", { class: "unit" }, picture ? `${picture.seconds.toFixed(1)} s` : "")),
        element("span", { class: "unit" }, file || "built-in")),
      remove(motion));
  };
  // Which motion plays, is there already, or is being added.
  const mark = () => {
    for (const one of lists.querySelectorAll<HTMLElement>("[data-motion]")) {
      const motion = one.dataset.motion ?? "", clip = clip_of(motion);
      one.classList.toggle("on", clip !== undefined && clip === server.value.play.clip);
      one.classList.toggle("there", clip !== undefined);
      one.classList.toggle("busy", motion === adding);
    }
  };
  // What was found about the motion that plays: how it came over, and the rest on demand.
  const found = ({ lines: [first, ...others] }: MotionState) => others.length === 0 ? element("p", {}, first ?? "")
    : element("details", {}, element("summary", {}, first), element("ul", { class: "notes" }, ...others.map((line) => element("li", {}, line))));
  const show_added = () => {
    const { motions, motion_map, play } = server.value, plays = motions.find(({ clips }) => clips.includes(play.clip));
    fill(added, play.steered ? element("p", { class: "about" }, "↑ walks, ← and → turn, with Shift it runs; without keys it stands. Esc ends it.") : plays && found(plays), motion_map !== "" && element("p", { class: "about" }, `Bones are named by ${motion_map}. `,
      element("button", { class: "quiet", title: "Find bones without it", "aria-label": `Find bones without ${motion_map}`, onclick: () => name_bones("") }, icon(icons.close))));
    mark();
  };

  const toggle_steering = async () => {
    if (server.value.play.steered) return void end_steering(studio);
    steer.disabled = true; // the graph of many clips takes seconds
    await studio.do({ do: "steer", action: "begin" });
    steer.disabled = false;
    steer.blur();
  };
  const show_steering = () => {
    const { play, clips } = server.value;
    steer.hidden = clips.length === 0;
    lists.hidden = play.steered; // room for the character
    steer.classList.toggle("on", play.steered);
    fill(steer, play.steered ? "Stop steering" : "Steer");
  };

  // Pictures come one by one. Nothing can be drawn of a motion that cannot be carried over: why, is said in its place.
  const draw = async (mine: number) => {
    for (const one of [...lists.querySelectorAll<HTMLElement>("[data-motion]")]) {
      const { motion = "", file = "" } = one.dataset;
      if (pictures.has(motion)) continue;
      try {
        const reply = await studio.connection.ask<MotionPicture>({ do: "motion_picture", motion });
        if (mine !== turn) return;
        pictures.set(motion, reply);
        one.replaceWith(tile({ motion, name: one.querySelector("b")?.textContent ?? "", about: one.querySelector("button")?.title ?? "" }, file));
      } catch (error) {
        if (mine !== turn) return;
        const { message } = error as Error;
        if (file === "") return refuse(message);
        one.replaceWith(element("p", { class: "refused" }, message));
      }
      mark();
    }
  };
  // The character has no body that any motion could be carried over to.
  const refuse = (sentence: string) => {
    for (const one of lists.querySelectorAll<HTMLElement>('[data-file=""]')) one.remove();
    lists.append(element("p", { class: "refused" }, sentence));
  };
  const list = async () => {
    const mine = ++turn, number = server.value.character?.number ?? 0;
    if (number !== of) pictures = new Map();
    of = number;
    try {
      const { files, built_in } = await studio.connection.ask<MotionsReply>({ do: "motions" });
      if (mine !== turn) return;
      fill(lists, ...files.flatMap(({ file, choices, error }) => error ? [element("p", { class: "refused" }, error)] : choices.map((one) => tile(one, file))),
        ...built_in.map((one) => tile(one, "")));
      mark();
      await draw(mine);
    } catch (error) {
      if (mine === turn) notice((error as Error).message, "error");
    }
  };

  add_motion_file = async (file: File) => {
    page.change({ motion_open: true, start_open: false });
    try {
      const { file: kept } = await send_file<{ file: string }>(studio.connection, "/motion", file);
      if (/\.json$/i.test(kept)) return name_bones(kept);
      const reply = await studio.connection.ask<MotionsReply>({ do: "motions" });
      const found = reply.files.find((one) => one.file === kept);
      if (found?.error) throw new Error(found.error);
      void list();
      if (found?.choices[0]) await use(found.choices[0].motion);
    } catch (error) {
      notice((error as Error).message, "error");
    }
  };
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void add_motion_file(file);
    input.value = "";
  });

  // The stage ends where the card begins.
  new ResizeObserver(() => document.body.style.setProperty("--motion", `${card.offsetHeight}px`)).observe(card);
  page.watch(["motion_open"], () => {
    card.hidden = !page.value.motion_open;
    document.body.classList.toggle("with-motion", page.value.motion_open);
    if (page.value.motion_open) void list();
    else ++turn;
  });
  server.watch(["motions", "motion_map", "play"], show_added);
  server.watch(["play", "clips"], show_steering);
  server.watch(["motion_map"], () => {
    pictures = new Map();
    if (page.value.motion_open) void list();
  });

  // A character without a clip is offered motion, if it can have any.
  let number = 0;
  const still = () => server.value.character !== null && !server.value.character.look && server.value.clips.length === 0;
  server.watch(["character"], () => {
    const now = server.value.character?.number ?? 0;
    if (now === number) return;
    number = now;
    page.change({ motion_open: false, needs_motion: false });
    if (!still()) return;
    studio.connection.ask<MotionPicture>({ do: "motion_picture", motion: first_tried }).then(() => {
      if (number === now && still()) page.change({ motion_open: true, needs_motion: true });
    }, () => {}); // it cannot be given any
  });
  server.watch(["clips"], () => server.value.clips.length > 0 && page.change({ needs_motion: false }));
}

// Keeps a file of motion and carries its first clip over.
export let add_motion_file: (file: File) => Promise<void> = async () => {};
