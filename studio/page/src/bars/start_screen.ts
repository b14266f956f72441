// The start screen: drop a character or choose a sample, and progress while one is opened.
import elephant from "../../pictures/elephant.webp";
import sumo from "../../pictures/sumo.webp";
import tube from "../../pictures/tube.webp";
import { by_id, element, fill } from "../widgets/dom.ts";
import { bytes_text } from "../widgets/names.ts";
import { open_character, take_file } from "./dropped_file.ts";
import { forget_file, recent_files, remember_file, that_open } from "./recent_files.ts";
import type { FilesReply } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

const pictures: Record<string, string> = { sumo, elephant, tube };
const first_to_move = "sumo.glb"; // the sample that plays behind the start screen

// Remembers a file that was opened otherwise than from this screen, if it lies where the studio looks first.
async function remember_opened(studio: Studio, name: string) {
  const list = await studio.connection.ask<FilesReply & Record<string, unknown>>({ do: "files" }).catch(() => null);
  const file = list?.files.find((one) => one.name === name && !one.folder);
  if (file) remember_file({ name, path: file.path });
}

export function add_start_screen(studio: Studio) {
  const screen = by_id("start"), drop = by_id("drop"), samples = by_id("samples"), files = by_id("files"), work = by_id("opening");
  const input = by_id("file-input") as HTMLInputElement;
  const recent = by_id("recent");
  let sample_paths: string[] = [];
  let looked = false, looking = false; // a sample was asked for, and is being opened, to move behind this screen
  let folder = ""; // the displayed folder; the first one until one is chosen

  const something_is_open = () => server.value.character !== null || server.value.rigging !== null;
  const close = () => page.change({ start_open: false });
  by_id("close-start").addEventListener("click", close);
  screen.addEventListener("click", (event) => event.target === screen && something_is_open() && close());

  const open = async (path: string) => {
    looking = false;
    if (!(await studio.do({ do: "open", path }))) forget_file(path);
    else if (!sample_paths.includes(path)) remember_file({ name: path.replace(/.*\//, ""), path }); // a sample is copied, and its copy opened
  };
  // Once, where nothing was named: the page comes alive before anything is chosen. A failure is no loss.
  const look = (list: FilesReply) => {
    if (looked || something_is_open() || server.value.failed || server.value.work || list.samples.length === 0) return;
    looked = looking = true;
    const sample = list.samples.find(({ name }) => name === first_to_move) ?? list.samples[0];
    studio.connection.ask({ do: "open", path: sample.path, look: true }).catch(() => {}).finally(() => (looking = false, show_work()));
  };
  const fetch_list = async () => {
    try {
      const list = await studio.connection.ask<FilesReply & Record<string, unknown>>({ do: "files", ...(folder ? { folder } : {}) });
      fill(samples, ...list.samples.map((one) => element("button", { class: "sample", onclick: () => void open(one.path) },
        pictures[one.name.replace(/\..*$/, "")] && element("img", { src: pictures[one.name.replace(/\..*$/, "")], alt: "" }),
        element("b", {}, one.name.replace(/\.[^.]*$/, "")), element("span", { class: "unit" }, bytes_text(one.bytes ?? 0)))));
      samples.parentElement!.hidden = list.samples.length === 0;
      sample_paths = list.samples.map(({ path }) => path);
      const known_files = that_open(recent_files(), list.folders);
      fill(recent, ...known_files.map(({ name, path }) => element("button", { title: path, onclick: () => void open(path) }, name)));
      recent.parentElement!.hidden = known_files.length === 0;
      look(list);
      const go = (path: string, text: string) => element("li", {}, element("button", { class: "folder", onclick: () => {
        folder = path;
        void fetch_list();
      } }, text));
      const known = list.files.filter((one) => one.folder || !/\.sinew$/i.test(one.name));
      const up = list.folders.includes(list.folder) ? [] : [go(list.folder.replace(/\/[^/]*$/, ""), "↑ up")];
      const others = list.folders.filter((path) => path !== list.folder && up.length === 0);
      fill(files, ...up, ...others.map((path) => go(path, path)), ...known.map((one) => one.folder ? go(one.path, `${one.name}/`)
        : element("li", {}, element("button", { onclick: () => void open(one.path) },
          element("span", {}, one.name), element("span", { class: "unit" }, bytes_text(one.bytes ?? 0))))));
      files.parentElement!.hidden = files.children.length === 0;
    } catch {
      samples.parentElement!.hidden = files.parentElement!.hidden = recent.parentElement!.hidden = true;
    }
  };
  page.watch(["start_open", "link"], () => {
    screen.hidden = !page.value.start_open;
    by_id("close-start").hidden = !something_is_open();
    if (page.value.start_open && page.value.link === "up") void fetch_list();
  });
  server.watch(["character"], () => {
    const { character } = server.value;
    screen.classList.toggle("alive", character?.look ?? false);
    by_id("close-start").hidden = !something_is_open();
    if (character && !character.look) void remember_opened(studio, character.name);
  });
  const show_work = () => {
    const now = server.value.work;
    const opening = now?.what === "opening" && !looking;
    work.hidden = !opening;
    by_id("choices").classList.toggle("dimmed", opening);
    if (opening)
      fill(work, element("p", {}, `${now.activity || "opening"} …`), element("progress", { max: 1, value: now.share }),
        element("button", { onclick: () => void studio.do({ do: "cancel" }) }, "Stop"));
  };
  server.watch(["work", "character"], show_work);

  input.addEventListener("change", () => {
    const file = input.files?.[0];
    looking = false;
    if (file) void open_character(studio, file);
    input.value = "";
  });
  drop.addEventListener("click", () => input.click());
  drop.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), input.click()));

  // Files may be dropped anywhere.
  let inside = 0;
  const over = (on: boolean) => document.body.classList.toggle("dropping", on);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    over(++inside > 0);
  });
  addEventListener("dragleave", () => over(--inside > 0));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    over(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    looking = false;
    void take_file(studio, file);
  });
}
