// The toolbar, and a card that explains the selected tool and its options.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { page, server, type Tool } from "../state.ts";
import type { Tools } from "../tools/tools.ts";
import { capitalized } from "../widgets/names.ts";

const titles: Record<Tool, string> = { carry: "Throw" };
const title_of = (tool: Tool) => titles[tool] ?? capitalized(tool);
const icon_of = (tool: Tool) => (icons as Record<string, string>)[tool] ?? icons.poke;
const ends_group = new Set<Tool>(["carry", "wall", "paint", "shape"]);

export function add_toolbar(tools: Tools): () => void {
  const bar = by_id("tools"), card = by_id("tool-card");
  const buttons = new Map<Tool, HTMLButtonElement>();
  const titled = (tool: Tool, index: number) => `${title_of(tool)}${index < 9 ? ` (${index + 1})` : ""}`;
  const fill_bar = () => {
    const names = tools.names();
    bar.replaceChildren();
    buttons.clear();
    names.forEach((tool, index) => {
      const button = element("button", { title: titled(tool, index), "aria-label": title_of(tool), onclick: () => page.change({ tool }) },
        icon(icon_of(tool)), element("span", {}, title_of(tool)));
      buttons.set(tool, button);
      bar.append(button);
      if (ends_group.has(tool) && index + 1 < names.length) bar.append(element("hr"));
    });
  };

  const show = () => {
    const { tool } = page.value, now = tools.now();
    for (const [index, [name, button]] of [...buttons].entries()) {
      button.classList.toggle("on", name === tool);
      button.setAttribute("aria-pressed", String(name === tool));
      const why = server.value.character ? tools.actions.get(name)?.unable?.() ?? null : null;
      button.classList.toggle("unable", why !== null);
      button.title = `${titled(name, index)}${why ? `: ${why}` : ""}`;
    }
    const unable = server.value.character ? now.unable?.() : null;
    fill(card, element("p", { class: unable ? "hint unable" : "hint" }, unable ?? now.hint), ...(unable ? [] : now.options?.() ?? []));
  };
  server.watch(["loads"], fill_bar);
  page.watch(["tool", "selected_joint", "rig"], show);
  // Rows that are being dragged must not be rebuilt.
  const show_unless_used = () => {
    const used = document.activeElement;
    if (!card.contains(used) || used?.matches("button, input[type=checkbox]")) show();
  };
  server.watch(["method", "pose", "kept_poses", "character", "settings", "take", "rigs"], show_unless_used);
  // Once the possible tools have changed. Every cook tells the method again, also while a slider of the card is dragged.
  let possible = "";
  server.watch(["method", "character", "loads"], () => {
    const { method, character, loads } = server.value, now = JSON.stringify([method, character?.number, loads]);
    if (now !== possible) show();
    possible = now;
  });
  return show;
}
