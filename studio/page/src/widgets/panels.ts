// The side panel: one of five, or none.
import { by_id, element, icon } from "./dom.ts";
import { icons } from "./icons.ts";
import { page, type PageState } from "../state.ts";

type Panel = NonNullable<PageState["panel"]>;
const panels: { name: Panel; title: string; help: string }[] = [
  { name: "tune", title: "Tune", help: "Settings of the flesh" },
  { name: "shape", title: "Shape", help: "Breathing, muscles, faces: rigs of forces" },
  { name: "curves", title: "Curves", help: "What physics does to the rig's parameters, and keys that fix them" },
  { name: "keep", title: "Keep", help: "Takes, bakes, history" },
  { name: "look", title: "Look", help: "Plots over time, what is wrong with the file" },
];

export function add_panels() {
  const tabs = by_id("tabs"), body = document.body;
  for (const { name, title, help } of panels)
    tabs.append(element("button", { title: help, "data-panel": name,
      onclick: () => page.change({ panel: page.value.panel === name ? null : name }) }, icon(icons[name]), element("span", {}, title)));
  page.watch(["panel"], () => {
    const { panel } = page.value;
    body.classList.toggle("with-panel", panel !== null);
    for (const { name } of panels) by_id(name).hidden = name !== panel;
    by_id("panel").hidden = panel === null;
    for (const tab of tabs.children) {
      const on = (tab as HTMLElement).dataset.panel === panel;
      tab.classList.toggle("on", on);
      tab.setAttribute("aria-expanded", String(on));
    }
  });
}
