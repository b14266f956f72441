// The path of a joint over a clip as it is drawn: a curve with a dot for each frame, whose spacing shows the speed.
import { BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, Line, LineBasicMaterial, Points, PointsMaterial } from "three";
import type { Vector } from "../connection/protocol.ts";

const curve_colour = new Color(0x6fd3c0), old_colour = new Color(0x9aa7b5), dot_colour = new Color(0xeaf2ff), now_colour = new Color(0xff6a3c), held_colour = new Color(0xffb454);
const through = { depthTest: false, transparent: true, toneMapped: false };

// A round dot; squares hide what they lie on.
function disc(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "white";
  context.arc(16, 16, 15, 0, 2 * Math.PI);
  context.fill();
  return new CanvasTexture(canvas);
}

export class PathDrawing {
  readonly group = new Group();
  private readonly curve = new Line(new BufferGeometry(), new LineBasicMaterial({ ...through, color: curve_colour, opacity: 0.9 }));
  private readonly old = new Line(new BufferGeometry(), new LineBasicMaterial({ ...through, color: old_colour, opacity: 0.45 }));
  private readonly dots = new Points(new BufferGeometry(), new PointsMaterial({ ...through, size: 7, sizeAttenuation: false, vertexColors: true, map: disc(), alphaTest: 0.5 }));

  constructor() {
    for (const object of [this.old, this.curve, this.dots]) {
      object.frustumCulled = false;
      object.renderOrder = 10;
      this.group.add(object);
    }
  }

  // `before`: the path that is being changed; null: none is.
  show(places: Vector[], before: Vector[] | null) {
    for (const [object, points] of [[this.curve, places], [this.dots, places], [this.old, before ?? []]] as const) {
      object.geometry.dispose(); // the buffers of the path before
      object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
    }
    this.dots.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * places.length), 3));
    this.old.visible = before !== null;
  }

  // Marks the frame that plays, and the one that is held or under the pointer; -1: none.
  mark(now: number, held: number) {
    const colours = this.dots.geometry.getAttribute("color") as BufferAttribute | undefined;
    for (let k = 0; colours && k < colours.count; ++k) {
      const colour = k === held ? held_colour : k === now ? now_colour : dot_colour;
      colours.setXYZ(k, colour.r, colour.g, colour.b);
    }
    if (colours) colours.needsUpdate = true;
  }
}
