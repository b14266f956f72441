// The line that says which body plays: tetrahedra or cells of a lattice, and the vertices that it carries.
import type { CellsReply } from "../connection/protocol.ts";
import { cells_text } from "../scene/cells.ts";
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { by_id, fill } from "../widgets/dom.ts";
import { grouped } from "../widgets/names.ts";

const after_change = 700; // milliseconds of quiet before the server is asked

// A kind of "none" is a method that moves the skin without a body.
export function body_text(body: Pick<CellsReply, "kind" | "cells">, vertices: number): string {
  const skin = `${grouped(vertices)} vertices`;
  return body.kind === "none" ? `No body: ${skin} of skin` : `${cells_text(body)} ${body.kind === "lattice" ? "carries" : "carry"} ${skin}`;
}

export function add_body_label(studio: Studio) {
  const label = by_id("body-label");
  let waiting = 0, asked = 0;
  const ask = async () => {
    const of = server.value.character, number = ++asked;
    if (!of || server.value.work) return;
    try {
      const body = await studio.connection.ask<CellsReply & Record<string, unknown>>({ do: "cells" });
      if (number !== asked || server.value.character?.number !== of.number) return;
      fill(label, body_text(body, of.vertices));
    } catch {
      fill(label); // the next change asks again
    }
  };
  server.watch(["character"], () => fill(label));
  server.watch(["character", "method", "settings", "work"], () => {
    clearTimeout(waiting);
    label.hidden = !server.value.character;
    if (server.value.character && !server.value.work) waiting = window.setTimeout(() => void ask(), after_change);
  });
}
