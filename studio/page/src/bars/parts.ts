// Presets for parts of the body: which joints a part has, by their names, and what they get of their own. Pure, but for
// the rows.
import type { Joint } from "../connection/protocol.ts";
import { element } from "../widgets/dom.ts";
import { reset_button, words } from "../widgets/rows.ts";

// Numbers that some joints have of their own: an entry of the setting `joints`.
export interface JointSetting { joints: string; stiffness?: number; damping?: number; core?: number | null }

export interface Part { name: string; joints: string[]; pattern: string | null }

// Names by parts. The second pattern is for rigs that have no joint for the part itself.
const parts: [name: string, own: RegExp, instead?: RegExp][] = [
  ["Belly", /belly|stomach|abdomen|tummy/, /^(.*[:_])?spine0*1?$|^hips$|^pelvis$/],
  ["Breast", /breast|bust|boob|pector/, /chest|spine0*[23]$|upper_?chest/],
  ["Cheeks", /cheek/],
  ["Chin", /chin|jaw(?!.*end)/],
  ["Upper arms", /upper_?arm|(left|right)_?arm$|^(.*[:_])?arm[_.]?[lr]$/],
  ["Buttocks", /butt|glut/],
  ["Thighs", /thigh|up_?leg|upper_?leg/],
  ["Calves", /calf|calves|shin|lower_?leg|(left|right)_?leg$/],
  ["Ears", /(^|[^a-z])ear([^a-z]|$)/],
  ["Trunk", /trunk|proboscis/],
  ["Tail", /tail/],
];

// A pattern with * that means just these of all names: "breast_*". Null if there is none.
export function pattern_of(names: string[], all: string[]): string | null {
  if (names.length === 1) return names[0];
  let shared = names[0];
  for (const name of names) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  return shared && all.filter((name) => name.startsWith(shared)).length === names.length && !/[*?]/.test(shared) ? `${shared}*` : null;
}

export function parts_of(joints: Joint[]): Part[] {
  const names = joints.filter(({ bone }) => bone).map(({ name }) => name).filter(Boolean);
  return parts.flatMap(([name, own, instead]) => {
    const plain = (one: string) => one.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
    let found = names.filter((one) => own.test(plain(one)));
    if (found.length === 0 && instead) found = names.filter((one) => instead.test(plain(one)));
    return found.length > 0 ? [{ name, joints: found, pattern: pattern_of(found, names) }] : [];
  });
}

export type PartWord = "firmer" | "as is" | "softer" | "looser";
const presets: Record<Exclude<PartWord, "as is">, { stiffness: number; damping: number }> = {
  firmer: { stiffness: 2.5, damping: 1.4 }, softer: { stiffness: 0.5, damping: 1 }, looser: { stiffness: 0.4, damping: 0.5 },
};
const helps: Record<PartWord, string> = {
  firmer: "2.5 times as stiff, and calmer", "as is": "As the rest of the body", softer: "Half as stiff: sags and swings about twice as far",
  looser: "Soft, and swings long",
};
// The numbers that a preset sets. Joints of a method without motion of its own have no damping.
const numbers_of = (word: Exclude<PartWord, "as is">, damped: boolean): Partial<JointSetting> =>
  damped ? presets[word] : { stiffness: presets[word].stiffness };

const targets = (part: Part) => (part.pattern ? [part.pattern] : part.joints);

// The preset that a part has; null if its joints have other numbers.
export function word_of(part: Part, list: JointSetting[], damped = true): PartWord | null {
  const own = targets(part).map((name) => list.filter((item) => item.joints === name).at(-1));
  if (own.every((item) => !item)) return "as is";
  const found = (Object.keys(presets) as (keyof typeof presets)[]).find((word) =>
    own.every((item) => item && (item.stiffness ?? 1) === presets[word].stiffness && (!damped || (item.damping ?? 1) === presets[word].damping)));
  return found ?? null;
}

// The list of `joints` once a part has a preset; what it has besides, such as a core, stays.
export function with_part(part: Part, word: PartWord, list: JointSetting[], damped = true): JointSetting[] {
  const names = targets(part), others = list.filter((item) => !names.includes(item.joints));
  if (word === "as is") return others;
  return [...others, ...names.map((name) => ({ ...list.filter((item) => item.joints === name).at(-1), joints: name, ...numbers_of(word, damped) }))];
}

// `damped`: the entries of the list may have damping.
export function part_rows(joints: Joint[], list: JointSetting[], damped: boolean, change: (list: JointSetting[]) => void): HTMLElement[] {
  return parts_of(joints).map((part) => {
    const now = word_of(part, list, damped), back = reset_button(part.name, () => change(with_part(part, "as is", list)));
    back.classList.toggle("idle", now === "as is");
    return element("div", { class: "row part", title: `Joints: ${part.joints.join(", ")}` }, element("span", { class: "name" }, part.name),
      words<PartWord>({ label: part.name, help: "", value: now, change: (word) => change(with_part(part, word, list, damped)),
        words: (["firmer", "as is", "softer", "looser"] as const).map((word) => ({ word, text: word, help: helps[word] })) }), back);
  });
}
