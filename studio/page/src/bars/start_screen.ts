// The start screen: drop a character or choose a sample, and progress while one is opened.
import elephant from "../../pictures/elephant.webp";
import sumo from "../../pictures/sumo.webp";
import tube from "../../pictures/tube.webp";
import { by_id, element, fill } from "../widgets/dom.ts";
import { bytes_text } from "../widgets/names.ts";
import { notice } from "../widgets/notices.ts";
import type { FilesReply } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

const pictures: Record<string, string> = { sumo, elephant, tube };

export function add_start_screen(studio: Studio) {
  const screen = by_id("start"), drop = by_id("drop"), samples = by_id("samples"), files = by_id("files"), work = by_id("opening");
  const input = by_id("file-input") as HTMLInputElement;
  let folder = ""; // the displayed folder; the first one until one is chosen

  const something_is_open = () => server.value.character !== null || server.value.rigging !== null;
  const close = () => page.change({ start_open: false });
  by_id("close-start").addEventListener("click", close);
  screen.addEventListener("click", (event) => event.target === screen && something_is_open() && close());

  const open = (path: string) => void studio.do({ do: "open", path });
  const fetch_list = async () => {
    try {
      const list = await studio.connection.ask<FilesReply & Record<string, unknown>>({ do: "files", ...(folder ? { folder } : {}) });
      fill(samples, ...list.samples.map((one) => element("button", { class: "sample", onclick: () => open(one.path) },
        pictures[one.name.replace(/\..*$/, "")] && element("img", { src: pictures[one.name.replace(/\..*$/, "")], alt: "" }),
        element("b", {}, one.name.replace(/\.[^.]*$/, "")), element("span", { class: "unit" }, bytes_text(one.bytes ?? 0)))));
      samples.parentElement!.hidden = list.samples.length === 0;
      const go = (path: string, text: string) => element("li", {}, element("button", { class: "folder", onclick: () => {
        folder = path;
        void fetch_list();
      } }, text));
      const known = list.files.filter((one) => one.folder || !/\.sinew$/i.test(one.name));
      const up = list.folders.includes(list.folder) ? [] : [go(list.folder.replace(/\/[^/]*$/, ""), "↑ up")];
      const others = list.folders.filter((path) => path !== list.folder && up.length === 0);
      fill(files, ...up, ...others.map((path) => go(path, path)), ...known.map((one) => one.folder ? go(one.path, `${one.name}/`)
        : element("li", {}, element("button", { onclick: () => open(one.path) },
          element("span", {}, one.name), element("span", { class: "unit" }, bytes_text(one.bytes ?? 0))))));
      files.parentElement!.hidden = files.children.length === 0;
    } catch {
      samples.parentElement!.hidden = files.parentElement!.hidden = true;
    }
  };
  page.watch(["start_open", "link"], () => {
    screen.hidden = !page.value.start_open;
    by_id("close-start").hidden = !something_is_open();
    if (page.value.start_open && page.value.link === "up") void fetch_list();
  });
  server.watch(["work", "character"], () => {
    const now = server.value.work;
    const opening = now?.what === "opening";
    work.hidden = !opening;
    by_id("choices").classList.toggle("dimmed", opening);
    if (opening)
      fill(work, element("p", {}, `${now.activity || "opening"} …`), element("progress", { max: 1, value: now.share }),
        element("button", { onclick: () => void studio.do({ do: "cancel" }) }, "Stop"));
  });

  const send = async (file: File) => {
    if (!/\.(glb|vrm|gltf|obj)$/i.test(file.name)) {
      notice(`'${file.name}' is no .glb, .gltf, .vrm or .obj. Export the character as glTF binary (.glb) and drop that.`, "error");
      return;
    }
    try {
      const answer = await fetch(studio.connection.address("/open", { name: file.name }), { method: "POST", body: file });
      const text = await answer.text();
      let error = answer.ok ? "" : text;
      try {
        error = (JSON.parse(text) as { error?: string }).error ?? error;
      } catch {
        // the message is a plain sentence
      }
      if (error) notice(error, "error");
    } catch {
      notice("The file did not arrive: the studio's program is not there at the moment.", "error");
    }
  };
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void send(file);
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
    if (file) void send(file);
  });
}
