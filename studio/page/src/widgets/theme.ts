// The light and the dark theme: the system's choice until the user makes one, which the browser keeps.
import { by_id, element, fill, icon } from "./dom.ts";
import { icons } from "./icons.ts";
import { kept_text, keep_text } from "./kept.ts";

export type Theme = "light" | "dark";
const key = "theme";

// The theme that applies: the user's, else the system's.
export const theme_of = (chosen: string | null, system_is_light: boolean): Theme =>
  chosen === "light" || chosen === "dark" ? chosen : system_is_light ? "light" : "dark";

export const theme_now = (): Theme => (document.documentElement.dataset.theme === "light" ? "light" : "dark");

// `changed` is called at once and after each change.
export function add_theme(changed: (theme: Theme) => void) {
  const system = matchMedia("(prefers-color-scheme: light)");
  const button = element("button", { id: "theme", onclick: (event: Event) => {
    event.stopPropagation(); // the card stays open
    const next: Theme = theme_now() === "light" ? "dark" : "light";
    keep_text(key, next === theme_of(null, system.matches) ? null : next);
    apply();
  } });
  by_id("keys").append(button);
  const apply = () => {
    const theme = theme_of(kept_text(key), system.matches);
    document.documentElement.dataset.theme = theme;
    fill(button, icon(theme === "light" ? icons.moon : icons.sun), theme === "light" ? "Dark colours" : "Light colours");
    changed(theme);
  };
  system.addEventListener("change", apply);
  apply();
}

// A colour of the theme, for what is drawn on canvases.
export const theme_colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
