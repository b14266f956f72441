// Elements in one call: element("button", {class: "round", title: "Play", onclick: play}, "Play").

type Child = Node | string | null | undefined | false;
export type Properties = Record<string, unknown>;

export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties: Properties = {}, ...children: Child[]) {
  const result = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") result.addEventListener(key.slice(2), value as EventListener);
    else if (key === "class") result.className = String(value);
    else if (key === "style") result.setAttribute("style", String(value));
    else if (key in result && !key.startsWith("aria")) (result as unknown as Properties)[key] = value;
    else result.setAttribute(key, value === true ? "" : String(value));
  }
  result.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return result;
}

export function fill(parent: Element, ...children: Child[]) {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

export const by_id = (id: string) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element '${id}'.`);
  return found;
};

const svg = "http://www.w3.org/2000/svg";
// An icon in a square of 24; `path` is stroked.
export function icon(path: string): SVGSVGElement {
  const result = document.createElementNS(svg, "svg");
  result.setAttribute("viewBox", "0 0 24 24");
  result.setAttribute("class", "icon");
  result.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(svg, "path");
  line.setAttribute("d", path);
  result.append(line);
  return result;
}

export function css_legend(gradient: string, least: string, most: string, what: string): HTMLElement {
  return element("div", { class: "legend" }, element("span", {}, least), element("i", { style: `background:${gradient}` }),
    element("span", {}, most), element("span", { class: "what" }, what));
}
