// A line that is drawn on the picture around skin, and the vertices that are then inside.
import { Vector3 } from "three";
import type { Vector } from "../connection/protocol.ts";
import { distance, length, scaled, sub, vertex_at } from "../scene/geometry.ts";
import type { Studio } from "../studio.ts";
import { lassoed, type ScreenPoint, vertex_normals } from "./lasso.ts";
import type { Gesture } from "./tools.ts";

// A line over the picture: around something, or open.
export class ScreenLine {
  private readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly line: SVGPolygonElement | SVGPolylineElement;
  constructor(private readonly over: HTMLElement, shape: "polygon" | "polyline") {
    this.line = document.createElementNS("http://www.w3.org/2000/svg", shape);
    this.svg.setAttribute("class", "lasso");
    this.svg.append(this.line);
    over.parentElement!.append(this.svg);
  }
  show(points: ScreenPoint[]) {
    const area = this.over.getBoundingClientRect();
    this.line.setAttribute("points", points.map(({ x, y }) => `${x - area.left},${y - area.top}`).join(" "));
  }
  remove() {
    this.svg.remove();
  }
}

// Vertices of the displayed skin inside a line on the screen.
function inside(studio: Studio, line: ScreenPoint[]): number[] {
  const { character, view } = studio, positions = character?.frame?.positions;
  if (!character || !positions) return [];
  const eye = view.camera.position.toArray() as Vector, normals = vertex_normals(positions, character.surface.triangles);
  const hidden = (vertex: number) => {
    const place = vertex_at(positions, vertex), way = sub(place, eye), far = length(way);
    const met = studio.pick({ origin: eye, direction: scaled(way, 1 / far) });
    return met !== null && distance(met.point, eye) < far - 0.01 * studio.height;
  };
  return lassoed(positions, normals, line, eye, (vertex) => view.on_screen(new Vector3(...vertex_at(positions, vertex))), hidden);
}

// The gesture that draws the line. `done` gets what is inside, or null if the pointer did not move.
export function lasso_stroke(studio: Studio, begin: { clientX: number; clientY: number }, done: (vertices: number[] | null) => void): Gesture {
  const line: ScreenPoint[] = [{ x: begin.clientX, y: begin.clientY }], drawn = new ScreenLine(studio.view.canvas, "polygon");
  return {
    move(_ray, event) {
      line.push({ x: event.clientX, y: event.clientY });
      drawn.show(line);
    },
    end(moved) {
      drawn.remove();
      done(moved ? inside(studio, line) : null);
    },
  };
}
