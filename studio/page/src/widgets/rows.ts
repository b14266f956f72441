// Rows of controls: a name, a slider with number and unit, and a reset button while there is something to reset.
import { element, icon } from "./dom.ts";
import { icons } from "./icons.ts";
import { from_slot, number_text, slots, to_slot } from "./slots.ts";

export interface NumberRow {
  label: string;
  help: string;
  unit?: string;
  ends?: [least: string, most: string]; // words under the ends of the slider
  least: number; // of the slider; typed numbers may go beyond, within `bound`
  most: number;
  bound?: (value: number) => number;
  integer?: boolean;
  logarithmic?: boolean;
  value: number;
  stands_for?: string; // meaning of an unset value: "the look's"; `value` is then the number that this gives
  known?: boolean; // whether that number is known
  reset: number | null; // null: back to the unset value
  change: (value: number, done: boolean) => void;
  undo?: () => void; // action of reset, if it does more than change the value
}

export function number_row(row: NumberRow): HTMLElement {
  const name = element("span", { class: "name" }, row.label);
  const slider = element("input", {
    type: "range", min: "0", max: String(slots), step: "1", "aria-label": row.label, title: row.help,
  });
  const usual = row.reset ?? (row.stands_for !== undefined && row.known !== false ? row.value : null);
  const mark = element("i", { class: "mark", hidden: usual === null, title: usual === null ? "" : `Default: ${number_text(usual)} ${row.unit ?? ""}` });
  if (usual !== null) mark.style.setProperty("--share", String(to_slot(row, usual) / slots));
  const number = element("input", { type: "text", inputMode: "decimal", class: "number", "aria-label": row.label, spellcheck: false });
  const reset = reset_button(row.label, () => {
    if (row.undo) row.undo();
    else if (row.reset !== null) show(row.reset), row.change(row.reset, true);
  });
  let set = row.stands_for === undefined, value = row.value;
  const show = (next: number) => {
    value = next;
    slider.value = String(to_slot(row, value));
    number.value = set || row.known !== false ? number_text(value) : "auto";
    number.title = set ? row.help : row.known === false ? row.stands_for! : `${row.stands_for}: ${number_text(value)} ${row.unit ?? ""}`;
    number.classList.toggle("stands-for", !set);
    reset.classList.toggle("idle", row.reset === null ? !set || !row.undo : set && Math.abs(value - row.reset) <= 1e-9 * Math.abs(value));
  };
  show(row.value);
  const slid = (done: boolean) => {
    set = true;
    show(from_slot(row, Number(slider.value)));
    row.change(value, done);
  };
  slider.addEventListener("input", () => slid(false));
  slider.addEventListener("change", () => slid(true));
  number.addEventListener("focus", () => number.select());
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter") number.blur();
    event.stopPropagation();
  });
  number.addEventListener("change", () => {
    const typed = Number(number.value.replace(",", "."));
    if (!number.value.trim() || !Number.isFinite(typed)) {
      show(value);
      return;
    }
    set = true;
    show(row.bound ? row.bound(typed) : typed);
    row.change(value, true);
  });
  const ends = row.ends && element("span", { class: "ends" }, element("span", {}, row.ends[0]), element("span", {}, row.ends[1]));
  return element("div", { class: ends ? "row with-ends" : "row", title: row.help }, name, element("span", { class: "slider" }, mark, slider, ends),
    element("span", { class: "amount" }, number, element("span", { class: "unit" }, row.unit ?? "")), reset);
}

export function reset_button(label: string, reset: () => void): HTMLButtonElement {
  return element("button", { class: "quiet reset", title: `Reset ${label}`, "aria-label": `Reset ${label}`, onclick: reset },
    icon(icons.reset));
}

export interface Choice<Word extends string> {
  label: string;
  help: string;
  words: { word: Word; text: string; help?: string }[];
  value: Word | null;
  change: (word: Word) => void;
  undo?: () => void;
  changed?: boolean;
}

export function choice_row<Word extends string>(row: Choice<Word>): HTMLElement {
  const select = element("select", { "aria-label": row.label, onchange: () => row.change(select.value as Word) },
    ...row.words.map(({ word, text }) => element("option", { value: word, selected: word === row.value }, text)));
  const reset = row.undo && reset_button(row.label, row.undo);
  if (reset && !row.changed) reset.classList.add("idle");
  return element("div", { class: "row choice", title: row.help }, element("span", { class: "name" }, row.label), select,
    reset ?? element("span"));
}

// A choice between a few words in a row, each of which is seen.
export function word_row<Word extends string>(row: Choice<Word>): HTMLElement {
  const reset = row.undo && reset_button(row.label, row.undo);
  if (reset && !row.changed) reset.classList.add("idle");
  return element("div", { class: "row part", title: row.help }, element("span", { class: "name" }, row.label), words(row), reset ?? element("span"));
}

// A choice between a few words.
export function words<Word extends string>(row: Choice<Word>): HTMLElement {
  const group = element("div", { class: "words", role: "radiogroup", "aria-label": row.label });
  const show = (value: Word | null) => {
    for (const button of group.children) {
      const on = (button as HTMLElement).dataset.word === value;
      button.classList.toggle("on", on);
      button.setAttribute("aria-checked", String(on));
    }
  };
  for (const { word, text, help } of row.words)
    group.append(element("button", { role: "radio", title: help ?? row.help, onclick: () => (show(word), row.change(word)) }, text));
  row.words.forEach(({ word }, k) => ((group.children[k] as HTMLElement).dataset.word = word));
  show(row.value);
  return group;
}

export function check_row(label: string, help: string, value: boolean, change: (value: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox", checked: value, onchange: () => change(box.checked) });
  return element("label", { class: "check", title: help }, box, label);
}
