// The settings of the method: the animator's five, presets for parts of the body, and all others by section; and A and B
// to compare two tunings.
import { before_undo } from "../connection/newest.ts";
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { capitalized, texts_in } from "../widgets/names.ts";
import { notice } from "../widgets/notices.ts";
import { type Feel, felt } from "./feel.ts";
import { type JointSetting, part_rows } from "./parts.ts";
import type { Setting } from "../connection/protocol.ts";
import { choice_row, number_row, reset_button, word_row } from "../widgets/rows.ts";
import { bounded, slider_range } from "../widgets/slider_range.ts";
import { is_tuned } from "../widgets/tuned.ts";
import { server } from "../state.ts";
import { stroke } from "../tools/strokes.ts";
import type { Studio } from "../studio.ts";

const titles: Record<string, string> = {
  look: "Look", young: "Stiffness", damping: "Damping", core: "Core", limit: "Limit", lattice_cells: "Cells", tetrahedra: "Tetrahedra",
  budget: "Budget", reference: "Rests at",
};
export const title_of = (key: string) => titles[key] ?? capitalized(key);

const costs: Record<Setting["level"], string> = {
  nothing: "", run: "At once", factor: "At once", stiffness: "At once", body: "Takes a moment", everything: "Builds the body anew",
};

// A sentence about the cost of more tetrahedra, if it is more than most would wait for.
export function cost_of_tetrahedra(count: number): string | null {
  if (count <= 50_000) return null;
  return `${count.toLocaleString("en")} tetrahedra take minutes to build and gigabytes of memory, and play slower than the clock; about 8,000 show the same motion.`;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

export function add_tune(studio: Studio) {
  const panel = by_id("tune");
  const sender = new Sender(studio);
  const compare = new Compare(studio);
  const list = element("div", { class: "settings" });
  const cooking = element("p", { class: "cooking", role: "status" });
  panel.append(compare.row, cooking, list);

  const reset = (key: string) => void studio.do({ do: "reset", path: key });
  const row_of = (setting: Setting, feel?: Feel): HTMLElement | null => {
    const label = feel?.word ?? title_of(setting.key), cost = costs[setting.level];
    const help = `${feel ? `${feel.help} (${setting.key}). ` : ""}${setting.help}.${setting.none ? ` Without a value: ${setting.none}.` : ""}${cost ? ` ${cost}.` : ""}`;
    const changed = !same(setting.value, setting.default);
    switch (setting.kind) {
      case "number":
      case "integer": {
        const known = typeof setting.value === "number" ? setting.value : setting.now ?? (setting.default as number | null);
        const range = slider_range(setting);
        const value = typeof known === "number" ? known : range.logarithmic ? Math.sqrt(range.least * range.most) : range.least;
        return number_row({
          label, help, ends: feel?.ends, unit: setting.unit, ...range, integer: setting.kind === "integer", bound: (typed) => bounded(setting, typed),
          value, stands_for: typeof setting.value === "number" ? undefined : setting.none ?? "none", known: typeof known === "number",
          reset: typeof setting.default === "number" ? setting.default : null, undo: () => reset(setting.key),
          change: (next, done) => {
            const cost = done && setting.key === "tetrahedra" ? cost_of_tetrahedra(bounded(setting, next)) : null;
            if (cost) notice(cost);
            sender.set(setting.key, bounded(setting, next), done, setting.level === "everything");
          },
        });
      }
      case "choice":
        return (feel ? word_row : choice_row)({
          label, help, value: (setting.value as string | null) ?? "",
          words: [...(setting.none ? [{ word: "", text: setting.none }] : []), ...(setting.words ?? []).map((word) => ({ word, text: word }))],
          change: (word) => sender.set(setting.key, word || null, true, false), undo: () => reset(setting.key), changed,
        });
      case "flag": {
        const box = element("input", { type: "checkbox", checked: Boolean(setting.value), onchange: () => sender.set(setting.key, box.checked, true, false) });
        const undo = reset_button(label, () => reset(setting.key));
        undo.classList.toggle("idle", !changed);
        return element("div", { class: "row choice", title: help }, element("label", { class: "check" }, box, label), element("span"), undo);
      }
      case "vector": {
        const values = (setting.value as number[] | null) ?? [0, 0, 0];
        const inputs = values.map((value, k) => element("input", {
          type: "text", inputMode: "decimal", class: "number", value: String(value), "aria-label": `${label} ${"xyz"[k]}`,
          onkeydown: (event: KeyboardEvent) => event.stopPropagation(),
          onchange: () => {
            const next = inputs.map((input) => Number(input.value.replace(",", ".")));
            if (next.every(Number.isFinite)) sender.set(setting.key, next, true, false);
          },
        }));
        const undo = reset_button(label, () => reset(setting.key));
        undo.classList.toggle("idle", !changed);
        return element("div", { class: "row vector", title: help }, element("span", { class: "name" }, label),
          element("span", { class: "amount" }, ...inputs, element("span", { class: "unit" }, setting.unit ?? "")), undo);
      }
      case "patterns": {
        const input = element("input", {
          type: "text", class: "text", value: ((setting.value as string[] | null) ?? []).join(", "), placeholder: setting.none ?? "", "aria-label": label,
          onkeydown: (event: KeyboardEvent) => event.stopPropagation(),
          onchange: () => sender.set(setting.key, texts_in(input.value), true, false),
        });
        const undo = reset_button(label, () => reset(setting.key));
        undo.classList.toggle("idle", !changed);
        return element("div", { class: "row texts", title: `${help} Several are separated by commas.` }, element("span", { class: "name" }, label), input, undo);
      }
      case "list": return setting.key === "joints" ? joints_row(setting, sender) : null;
      default: return null;
    }
  };

  let keys = "", used = 0; // time when a control was last used
  list.addEventListener("input", () => (used = performance.now()));
  const show = () => {
    // The ground is a setting of every method; those that know none refuse it.
    const settings = server.value.settings.filter((one) => is_tuned(one) && (one.key !== "ground" || server.value.method.can.ground || one.value !== null));
    // Nothing is rebuilt under a slider that is being dragged.
    const now = settings.map((setting) => setting.key).join();
    const active = document.activeElement;
    if (now === keys && list.contains(active) && active instanceof HTMLInputElement && performance.now() - used < 1500) {
      setTimeout(show, 1600);
      return;
    }
    keys = now;
    const five = felt(settings), rest = settings.filter((setting) => !five.some((one) => one.setting === setting));
    const opened = new Set([...list.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent));
    const section = (name: string, rows: Setting[]) => {
      const shown = rows.map((row) => row_of(row)).filter((row): row is HTMLElement => row !== null);
      return shown.length > 0 && element("details", { open: opened.has(name) }, element("summary", {}, name), ...shown);
    };
    const sections = new Map<string, Setting[]>();
    for (const setting of rest) {
      const name = setting.section ? title_of(setting.section) : "All settings";
      sections.set(name, [...(sections.get(name) ?? []), setting]);
    }
    const joints = settings.find(({ key }) => key === "joints");
    const parts = joints ? part_rows(server.value.character?.joints ?? [], (joints.value as JointSetting[] | null) ?? [], joints.item?.some(({ key }) => key === "damping") ?? false, (items) => sender.set("joints", items, true, false)) : [];
    fill(list, ...five.map(({ setting, feel }) => row_of(setting, feel)), parts.length > 0 && element("h2", { class: "parts" }, "Parts of the body"), ...parts, ...[...sections].map(([name, rows]) => section(name, rows)));
    if (settings.length === 0)
      fill(list, element("p", { class: "empty" }, server.value.character ? "This method has nothing to tune." : "Open a character to tune its flesh."));
  };
  server.watch(["settings", "method"], show);
  server.watch(["work"], () => {
    const { work } = server.value;
    cooking.textContent = work?.what === "cooking" ? `${work.activity} …` : "";
  });
}

// Sends one setting at a time; while a slider moves, the newest value goes next.
class Sender {
  private next: { key: string; value: unknown; stroke?: number } | null = null;
  private busy = false;

  constructor(private readonly studio: Studio) {}

  // `at_end`: only when the slider is released, since it takes long.
  set(key: string, value: unknown, done: boolean, at_end: boolean) {
    if (at_end && !done) return;
    this.next = { key, value, ...stroke() };
    before_undo(this.send());
  }

  private async send() {
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const { key, value, ...of } = this.next;
      this.next = null;
      await this.studio.do({ do: "set", path: key, value, ...of });
    }
    this.busy = false;
  }
}

function joints_row(setting: Setting, sender: Sender): HTMLElement {
  const items = structuredClone((setting.value as JointSetting[] | null) ?? []);
  const send = (done = true) => sender.set("joints", items, done, false);
  const names = (server.value.character?.joints ?? []).filter((joint) => joint.bone).map((joint) => joint.name);
  const add = element("select", { "aria-label": "Add a joint", onchange: () => {
    if (add.value) items.push({ joints: add.value, stiffness: 1, damping: 1 });
    send();
  } }, element("option", { value: "" }, "Tune a joint by itself …"), ...names.map((name) => element("option", { value: name }, name)));
  return element("div", { class: "joints", title: setting.help },
    ...items.map((item, index) => element("fieldset", {},
      element("legend", {}, item.joints, element("button", { class: "quiet", title: "As everywhere", "aria-label": `Remove ${item.joints}`,
        onclick: () => (items.splice(index, 1), send()) }, icon(icons.close))),
      number_row({ label: "Stiffness", unit: "×", least: 0.1, most: 10, logarithmic: true, value: item.stiffness ?? 1, reset: 1,
        help: "Multiplies Young's modulus around this joint", change: (value, done) => ((item.stiffness = value), send(done)) }),
      number_row({ label: "Damping", unit: "×", least: 0.1, most: 10, logarithmic: true, value: item.damping ?? 1, reset: 1,
        help: "Multiplies the damping around this joint", change: (value, done) => ((item.damping = value), send(done)) }))),
    add);
}

// Two tunings of one method, and a switch between them.
class Compare {
  readonly row: HTMLElement;
  private readonly kept: Record<"A" | "B", { method: string; values: Map<string, unknown> } | null> = { A: null, B: null };
  private on: "A" | "B" = "A";

  constructor(private readonly studio: Studio) {
    const button = (name: "A" | "B") => element("button", { title: `Tuning ${name} (${name.toLowerCase()})`, onclick: () => void this.choose(name) }, name);
    const buttons = { A: button("A"), B: button("B") };
    this.row = element("div", { class: "compare", title: "Two tunings to compare: what you change belongs to the one that is on" },
      element("span", { class: "name" }, "Compare"), element("div", { class: "words" }, buttons.A, buttons.B),
      element("button", { class: "quiet reset-all", title: "All settings to their defaults",
        onclick: () => void this.studio.do({ do: "reset" }) }, "Reset all"));
    this.mark = () => {
      for (const name of ["A", "B"] as const) buttons[name].classList.toggle("on", name === this.on);
    };
    this.mark();
    server.watch(["character"], () => {
      this.kept.A = this.kept.B = null;
      this.on = "A";
      this.mark();
    });
  }
  private mark: () => void;

  async choose(name: "A" | "B") {
    if (name === this.on || !server.value.character) return;
    this.kept[this.on] = { method: server.value.method.name, values: this.values() };
    this.on = name;
    this.mark();
    const wanted = this.kept[name];
    if (!wanted) {
      notice(`Tuning ${name} begins as ${name === "A" ? "B" : "A"} is; change something, then switch between them.`);
      return;
    }
    if (wanted.method !== server.value.method.name && !(await this.studio.do({ do: "method", name: wanted.method }))) return;
    const different = [...wanted.values].filter(([key, value]) => {
      const now = server.value.settings.find((setting) => setting.key === key);
      return now && !same(now.value, value);
    });
    // Set together, as one step to undo.
    if (different.length > 0) await this.studio.do({ do: "set", path: "", value: Object.fromEntries(different) });
  }

  private values(): Map<string, unknown> {
    return new Map(server.value.settings.filter(is_tuned).map((setting) => [setting.key, setting.value]));
  }
}
