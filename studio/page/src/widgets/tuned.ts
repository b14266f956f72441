// Which settings are tuned by rows of a panel.
import type { Setting } from "../connection/protocol.ts";

const untuned = new Set(["step", "preroll"]);
// Lists of hands, belts, loads and colliders act at places of the scene and are no tuning, whatever their names.
const at_places = (setting: Setting) => setting.item?.some(({ kind, unit }) => kind === "vector" && unit === "m") ?? false;
export const is_tuned = (setting: Setting) => !untuned.has(setting.key) && !at_places(setting);
