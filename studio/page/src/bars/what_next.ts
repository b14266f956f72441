// The next thing that is worth doing, from what was done so far. Pure.
import type { PageState } from "../state.ts";

// A summary of what was done with the character, and of what goes on.
export interface Situation {
  character: boolean;
  needs_motion: boolean; // it has no clip, and can be given one
  sample: boolean; // it is a sample that the page opened by itself
  flesh: boolean; // the method has dynamics; the others only pose the skin
  playing: boolean;
  work: string; // what the program is busy with: "opening", "cooking", "baking"; empty: nothing
  recording: boolean;
  defects: number | null; // that the file's check found; null: it was not checked
  touched: boolean;
  posed: boolean;
  tuned: boolean;
  painted: boolean;
  takes: number;
  bakes: number;
  compared: boolean;
}

// A sentence, and what a click on it opens.
export interface Advice { text: string; tool?: string; panel?: NonNullable<PageState["panel"]>; start?: true; motion?: true; method?: "flesh" }

export function what_next(now: Situation): Advice | null {
  if (!now.character) return { text: "Drop a character into the page, or choose a sample.", start: true };
  if (now.work === "opening") return null;
  if (now.recording) return { text: "Recording: drag, poke or pose the character. R stops, and the take is kept.", tool: "grab" };
  if (now.work === "baking") return { text: "The bake goes on by itself. You can play and tune meanwhile.", panel: "keep" };
  if (now.needs_motion) return { text: "It has no clip: give it motion, built-in or of another file.", motion: true };
  if (!now.flesh) return { text: "This method only poses the skin. Flesh gives it weight and swing.", method: "flesh" };
  if (!now.touched && !now.posed) return { text: "Press on the flesh and pull: it stretches, resists and swings.", tool: "grab" };
  if (now.sample) return { text: "This is a sample. Open a character of your own: drop its .glb into the page.", start: true };
  if (!now.tuned) return { text: "Too much or too little? Tune has five sliders for that.", panel: "tune" };
  if (!now.painted) return { text: "One part needs to be softer or firmer? Paint it.", tool: "paint" };
  if (now.defects === null) return { text: "Let the file be checked before you bake it.", panel: "look" };
  if (!now.compared && now.takes === 0 && now.bakes === 0) return { text: "Compare, above, plays the tuned flesh beside plain skinning." };
  if (now.takes === 0 && now.bakes === 0) return { text: "Record what you do over the clip: R begins a take.", panel: "keep" };
  if (now.bakes === 0) return { text: now.takes > 0 ? "Bake the take into a file that every program plays." : "Bake the clip into a file that every program plays.", panel: "keep" };
  return { text: "The baked file is beside your character. Another clip, or another character?", panel: "keep" };
}
