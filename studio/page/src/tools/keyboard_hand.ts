// A hand that the keyboard leads over the character, for every tool: arrows move it, Enter presses and lets go.
import { Vector3 } from "three";
import { by_id, element } from "../widgets/dom.ts";
import { page } from "../state.ts";
import type { Studio } from "../studio.ts";
import type { Tools } from "./tools.ts";

const step = 8, long_step = 40, short_step = 2; // pixels: plain, with Shift, with Alt
const pointer = -77; // id of the hand among the browser's pointers, which are positive

export interface Place { x: number; y: number }
export interface Keys { key: string; shiftKey: boolean; altKey: boolean }

// Where an arrow key leads the hand, within an area; null: it is no arrow.
export function led(place: Place, { key, shiftKey, altKey }: Keys, area: { left: number; top: number; right: number; bottom: number }): Place | null {
  const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[key];
  if (!way) return null;
  const far = shiftKey ? long_step : altKey ? short_step : step, within = (value: number, low: number, high: number) => Math.min(high - 1, Math.max(low, value));
  return { x: within(place.x + far * way[0], area.left, area.right), y: within(place.y + far * way[1], area.top, area.bottom) };
}

export function add_keyboard_hand(studio: Studio, tools: Tools) {
  const { canvas } = studio.view, sign = element("div", { class: "hand", hidden: true, "aria-hidden": "true" });
  by_id("stage").append(sign);
  canvas.tabIndex = 0;
  canvas.setAttribute("aria-label", "The character. Arrow keys move a hand, Enter presses and lets go, with the chosen tool");
  let place: Place | null = null, pressed = false;

  const event = (kind: string) => new PointerEvent(kind, { pointerId: pointer, clientX: place!.x, clientY: place!.y, isPrimary: true });
  const show = () => {
    sign.hidden = place === null || document.activeElement !== canvas;
    if (!place) return;
    const area = canvas.getBoundingClientRect();
    sign.style.left = `${place.x - area.left}px`;
    sign.style.top = `${place.y - area.top}px`;
    sign.classList.toggle("pressed", pressed);
  };
  const let_go = () => {
    if (pressed && place) tools.finish(event("pointerup"));
    pressed = false;
    show();
  };
  canvas.addEventListener("focus", () => {
    if (!canvas.matches(":focus-visible") || !studio.character) return;
    place ??= studio.view.on_screen(studio.character.box.getCenter(new Vector3()));
    show();
  });
  canvas.addEventListener("blur", () => {
    let_go();
    place = null;
    show();
  });
  addEventListener("pointerdown", () => canvas.blur(), true); // the pointer takes over
  page.watch(["tool"], let_go);
  canvas.addEventListener("keydown", (down) => {
    if (!place || down.ctrlKey || down.metaKey) return;
    const next = led(place, down, canvas.getBoundingClientRect());
    if (next) {
      place = next;
      if (pressed) tools.lead(event("pointermove"));
      else tools.hover(event("pointermove"));
    } else if (down.key === "Enter") {
      if (pressed) let_go();
      else pressed = tools.begin(event("pointerdown"));
    } else if (down.key === "Escape" && pressed) let_go();
    else return;
    down.preventDefault();
    down.stopPropagation();
    show();
  });
}
