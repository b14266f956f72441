// The toolbar, and a card that explains the selected tool and its options.
import { by_id, element, fill, icon } from "../widgets/dom.ts";
import { icons } from "../widgets/icons.ts";
import { page, server, type Tool, tools as names } from "../state.ts";
import type { Tools } from "../tools/tools.ts";

const titles: Record<Tool, string> = {
  grab: "Grab", poke: "Poke", push: "Push", pin: "Pin", carry: "Throw", ball: "Ball", wall: "Wall", pose: "Pose", paint: "Paint",
};

export function add_toolbar(tools: Tools): () => void {
  const bar = by_id("tools"), card = by_id("tool-card");
  const buttons = new Map<Tool, HTMLButtonElement>();
  names.forEach((tool, index) => {
    const button = element("button", {
      title: `${titles[tool]} (${index + 1})`, "aria-label": titles[tool],
      onclick: () => page.change({ tool }),
    }, icon(icons[tool]), element("span", {}, titles[tool]));
    buttons.set(tool, button);
    bar.append(button);
    if (tool === "carry" || tool === "wall") bar.append(element("hr"));
  });

  const show = () => {
    const { tool } = page.value, now = tools.now();
    for (const [name, button] of buttons) {
      button.classList.toggle("on", name === tool);
      button.setAttribute("aria-pressed", String(name === tool));
      const why = server.value.character ? tools.actions.get(name)?.unable?.() ?? null : null;
      button.classList.toggle("unable", why !== null);
      button.title = `${titles[name]} (${names.indexOf(name) + 1})${why ? `: ${why}` : ""}`;
    }
    const unable = server.value.character ? now.unable?.() : null;
    fill(card, element("p", { class: unable ? "hint unable" : "hint" }, unable ?? now.hint), ...(unable ? [] : now.options?.() ?? []));
  };
  page.watch(["tool", "selected_joint"], show);
  // Rows that are being dragged must not be rebuilt.
  const show_unless_used = () => {
    if (!card.contains(document.activeElement) || document.activeElement instanceof HTMLButtonElement) show();
  };
  server.watch(["method", "pose", "character", "settings", "take"], show_unless_used);
  server.watch(["method", "character"], show); // the possible tools have changed
  return show;
}
