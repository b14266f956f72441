// The five settings that animators turn first, in their words: how much, how firm, how calm, how much bone, how fine.
import type { Setting } from "../connection/protocol.ts";

export interface Feel {
  keys: string[]; // settings: the first that the method has is meant
  word: string;
  ends?: [least: string, most: string]; // of the slider
  help: string;
}

export const feels: Feel[] = [
  { keys: ["look"], word: "Amount", help: "How much the flesh moves for the character's height" },
  { keys: ["young"], word: "Firmness", ends: ["soft", "firm"], help: "How far flesh gives way, and how quickly it swings: half as firm moves twice as far" },
  { keys: ["damping"], word: "Calm", ends: ["swings", "still"], help: "How soon a swing dies away" },
  { keys: ["core"], word: "Bone", ends: ["little", "much"], help: "Share of a limb's thickness that goes with the bone and does not swing" },
  { keys: ["tetrahedra", "lattice_cells", "cells"], word: "Detail", ends: ["quick", "fine"], help: "Elements of the body: more of them show smaller folds, and play slower" },
];

// Settings in the order of the five, each with its words; those that the method lacks are left out.
export function felt(settings: Setting[]): { setting: Setting; feel: Feel }[] {
  return feels.flatMap((feel) => {
    const setting = feel.keys.map((key) => settings.find((one) => one.key === key)).find(Boolean);
    return setting ? [{ setting, feel }] : [];
  });
}
