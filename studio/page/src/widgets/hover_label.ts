// A word beside the pointer, such as the name of a joint.
import { element } from "./dom.ts";

const label = element("div", { class: "hover-label", hidden: true, "aria-hidden": "true" });

export function hover_label(text: string | null, event?: { clientX: number; clientY: number }) {
  if (!label.isConnected) document.body.append(label);
  label.hidden = !text;
  if (!text || !event) return;
  label.textContent = text;
  label.style.left = `${Math.min(event.clientX + 14, innerWidth - 8 - label.offsetWidth)}px`;
  label.style.top = `${Math.max(event.clientY - 26, 4)}px`;
}
