// Names and lists of baked files. Pure.
import type { Output } from "../connection/protocol.ts";

// The name that a bake has until the user gives it another, without its ending.
export const usual_name = (character: string, what: string) => `${character.replace(/\.[^.]*$/, "")}_${what || "rest"}`.replace(/[^\w.-]+/g, "_");

// A typed name without the ending that the file gets by its form.
export const stem_of = (typed: string) => typed.trim().replace(/\.(glb|gltf|pc2|mdd)$/i, "");

// Why a name cannot be one, in a sentence; null if it can.
export function name_problem(stem: string): string | null {
  if (!stem) return "The file needs a name.";
  if (/[/\\]/.test(stem) || stem.startsWith(".")) return `'${stem}' cannot be a file's name: it goes beside the character, without folders, and does not begin with a dot.`;
  return null;
}

// A name of the form "hero_run_2" that none of the taken ones has.
export function free_stem(stem: string, ending: string, taken: string[]): string {
  const plain = stem.replace(/_\d+$/, "");
  for (let k = 2; ; ++k) if (!taken.includes(`${plain}_${k}.${ending}`)) return `${plain}_${k}`;
}

export interface BakedFile { main: Output; picture: Output | null; others: Output[] }

// Outputs by bakes, in alphabetical order: the animated file with its picture, settings, take and painted character.
export function bakes_of(outputs: Output[]): BakedFile[] {
  const main = outputs.filter(({ name }) => /\.(glb|gltf|pc2|mdd)$/i.test(name) && !/\.(painted|moving)\.glb$/i.test(name));
  const stems = main.map(({ name }) => name.replace(/\.[^.]*$/, ""));
  // The longest stem that a file's name begins with is its bake's, since a take may be named like another with more behind.
  const bake_of = (name: string) => stems.filter((stem) => name.startsWith(`${stem}.`)).sort((a, b) => b.length - a.length)[0];
  return main.map((one, k) => {
    const with_it = outputs.filter((other) => !main.includes(other) && bake_of(other.name) === stems[k]);
    const picture = with_it.find(({ name }) => /\.(webp|png)$/.test(name)) ?? null;
    return { main: one, picture, others: with_it.filter((other) => other !== picture) };
  });
}
