// The chosen force rig, and edits of rigs.
import { before_undo } from "../connection/newest.ts";
import type { Rig, RigParameter, RigSample } from "../connection/protocol.ts";
import { notice } from "../widgets/notices.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { stroke } from "./strokes.ts";

export const title_of = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

export const rig_named = (name: string): Rig | null => server.value.rigs.find((rig) => rig.name === name) ?? null;
export const chosen_rig = (): Rig | null => rig_named(page.value.rig);
export const chosen_sample = (rig: Rig): number => Math.min(page.value.sample, rig.samples.length - 1);

// Chooses a rig with its last sample, where its shape is whole.
export function choose_rig(name: string) {
  page.change({ rig: name, sample: Math.max(0, (rig_named(name)?.samples.length ?? 1) - 1) });
}

// The value of the rig's one control in a sample; null: there are several controls.
export const place_of = (sample: RigSample): number | null => (typeof sample.at === "number" ? sample.at : null);

// The key of a parameter in samples: amplitudes may be displacements.
export const key_of = (sample: RigSample, parameter: RigParameter): string =>
  parameter.name === "amplitude" && "displacement" in sample ? "displacement" : parameter.name;

export function parameters_of(rig: Rig): RigParameter[] {
  const { templates, guides } = server.value;
  return [...(templates[rig.template] ?? []), ...(rig.guide ? [...(guides[rig.guide] ?? []), ...tissue] : [])];
}

// Factors by which a template changes the tissue, besides its force.
const tissue: RigParameter[] = [
  { name: "strain", usual: 1, least: 0.3, most: 3, help: "Length of the flesh along the red axis at constant volume; 0.8: a muscle that shortens. For tetrahedra" },
  { name: "stiffness", usual: 1, least: 0.05, most: 20, help: "How many times as stiff the flesh is in its middle: a flexed muscle is hard. For tetrahedra" },
];
export const is_factor = (parameter: RigParameter): boolean => tissue.includes(parameter);

// The rig with a sample more: halfway to the next one, or beyond the last one, as the chosen one is.
export function with_sample(rig: Rig, after: number): { rig: Rig; sample: number } {
  const samples = structuredClone(rig.samples), here = place_of(samples[after]) ?? 0, next = samples[after + 1];
  const before = after > 0 ? place_of(samples[after - 1]) : null;
  const at = next ? 0.5 * (here + (place_of(next) ?? here)) : before === null ? here + 1 : here + 0.5 * (here - before);
  samples.splice(after + 1, 0, { ...structuredClone(samples[after]), at: Number(at.toPrecision(4)), between: undefined });
  return { rig: { ...rig, samples }, sample: after + 1 };
}

// An edit may still be on its way when its rig is removed, renamed or undone; its refusal is then no news to anyone.
export async function edit_of(name: string, edit: Promise<unknown>) {
  try {
    await edit;
  } catch (error) {
    await new Promise((done) => setTimeout(done, news_take));
    if (rig_named(name)) notice((error as Error).message, "error");
  }
}
const news_take = 300; // milliseconds within which the rigs that are left are known here

// Sends one edit at a time; while a slider moves, the newest goes next.
export class RigSender {
  private next: { name: string; rig: Rig; stroke?: number } | null = null;
  private busy = false;
  constructor(private readonly studio: Studio) {}

  send(name: string, rig: Rig) {
    this.next = { name, rig, ...stroke() };
    before_undo(this.go());
  }
  private async go() {
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const { name, rig: { handle: _, ...rig }, ...of } = this.next;
      this.next = null;
      if (rig_named(name)) await edit_of(name, this.studio.connection.ask({ do: "edit_shape", name, rig, ...of }));
    }
    this.busy = false;
  }
}
