// The list of clips above the play bar: a button with the clip that plays, and a list with a search field.
import type { Clip } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element, fill } from "../widgets/dom.ts";
import { matching, next_choice } from "../widgets/search.ts";

const searched_from = 9; // clips: shorter lists are seen at once

const length_of = (clip: Clip | undefined) => (clip ? `${(clip.end - clip.start).toFixed(1)} s` : "");
const title_of = (name: string) => name || "Rest pose";

export function clip_list(studio: Studio): HTMLElement {
  const search = element("input", { type: "search", placeholder: "Search clips", "aria-label": "Search clips", spellcheck: false, autocomplete: "off" });
  const list = element("ul", { role: "listbox", "aria-label": "Clips" });
  const more = element("button", { class: "more", title: "Built-in motion, and motion of other files",
    onclick: () => (close(), page.change({ motion_open: true })) }, "More motion …");
  const box = element("div", { class: "clip-list", hidden: true }, search, list, more);
  const button = element("button", { class: "clips", "aria-label": "Clip", "aria-haspopup": "listbox", onclick: () => (box.hidden ? open() : close()) });
  let found: string[] = [], at = -1;

  const clips = () => (server.value.character ? server.value.clips : []);
  const choose = (name: string) => {
    close();
    if (name !== server.value.play.clip || !server.value.play.playing) void studio.do({ do: "play", clip: name });
  };
  const mark = () => {
    [...list.children].forEach((one, k) => {
      one.classList.toggle("at", k === at);
      if (k === at) one.scrollIntoView({ block: "nearest" });
    });
  };
  const show = () => {
    const names = [...clips().map((clip) => clip.name), ""];
    found = search.value.trim() ? matching(names.filter(Boolean), search.value) : names;
    fill(list, ...found.map((name) => element("li", { role: "option", "aria-selected": String(name === server.value.play.clip), title: title_of(name),
      class: name === server.value.play.clip ? "on" : "", onclick: () => choose(name) },
      element("span", {}, title_of(name)), element("span", { class: "unit" }, length_of(clips().find((clip) => clip.name === name))))));
    if (found.length === 0) fill(list, element("li", { class: "none" }, "No clip has this name."));
    at = search.value.trim() ? Math.min(0, found.length - 1) : found.indexOf(server.value.play.clip);
    mark();
  };
  const open = () => {
    if (!server.value.character) return; // a mesh without a skeleton has no motion
    if (clips().length === 0) return page.change({ motion_open: true });
    search.value = "";
    search.hidden = clips().length < searched_from;
    box.hidden = false;
    button.setAttribute("aria-expanded", "true");
    show();
    (search.hidden ? list : search).focus();
  };
  const close = () => {
    if (box.hidden) return;
    box.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  list.tabIndex = -1;
  search.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by) {
      event.preventDefault();
      at = next_choice(at, by, found.length);
      mark();
    } else if (event.key === "Enter" && at >= 0) choose(found[at]);
    else if (event.key === "Escape") {
      close();
      button.focus();
    }
  });
  addEventListener("pointerdown", (event) => {
    if (!box.contains(event.target as Node) && !button.contains(event.target as Node)) close();
  }, true);
  server.watch(["play", "character", "clips"], () => {
    const { clip } = server.value.play, count = clips().length;
    fill(button, element("span", {}, count === 0 ? "Give it motion" : title_of(clip)), element("span", { class: "unit" }, "▾"));
    button.title = `${title_of(clip)}${count > 1 ? `: one of ${count} clips (N searches)` : ""}`;
    if (!box.hidden) show();
  });
  page.watch(["start_open", "motion_open"], close);
  open_clips = open;
  return element("div", { class: "clip-choice" }, button, box);
}

// Opens the list, for the keyboard.
export let open_clips: () => void = () => {};
