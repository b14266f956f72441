// A push on the whole body: direction and length of a drag are an impulse, and the body's reaction becomes a clip.
import { job_progress } from "../bars/file_job.ts";
import { length, scaled, sub } from "../scene/geometry.ts";
import { Thread } from "../scene/thread.ts";
import type { Vector } from "../connection/protocol.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { element } from "../widgets/dom.ts";
import { hover_label } from "../widgets/hover_label.ts";
import { notice } from "../widgets/notices.ts";
import { facing_plane } from "./touch.ts";
import type { ToolActions, Tools } from "./tools.ts";

// N s for a drag as long as the body is high, of a body of 1.7 m: a drag of a twentieth is an ordinary push. Masses go
// with the third power of the height.
const strongest = 1000, usual_height = 1.7;

function unable(): string | null {
  const { clips, play, character } = server.value;
  if (character && clips.length > 0 && play.clip === "") return "Choose a clip: the body is pushed while it follows one.";
  return play.steered ? "End steering (Esc) first." : null;
}

export function add_knock(studio: Studio, tools: Tools, show_options: () => void) {
  const push = async (at: [number, number, number], impulse: Vector, clip_time: number) => {
    const before = new Set(server.value.clips.map(({ name }) => name));
    if (!(await studio.do({ do: "push_body", at, impulse, clip_time }))) return;
    const added = server.value.clips.find(({ name }) => !before.has(name));
    notice(`${added ? `'${added.name}'` : "The reaction"} is a clip of the character now.`, "done");
  };
  const actions: ToolActions = {
    hint: "Press on the body and drag: it is pushed that way at this moment of the clip, and how it catches itself or falls becomes a new clip.",
    unable,
    press(ray) {
      const picked = studio.pick(ray);
      if (!picked || server.value.work) return null;
      const { clip_time } = studio.character!.frame!, in_plane = facing_plane(studio, picked.point), thread = new Thread(studio.view);
      const scale = (strongest * (studio.height / usual_height) ** 3) / studio.height;
      let impulse: Vector = [0, 0, 0];
      return {
        move(next, event) {
          const place = in_plane(next);
          if (!place) return;
          impulse = scaled(sub(place, picked.point), scale);
          thread.place(picked.point, place, studio.height);
          hover_label(`${Math.round(length(impulse))} N s`, event);
        },
        end(moved) {
          thread.dispose();
          hover_label(null);
          if (moved && length(impulse) > 0) void push(picked.at, impulse, clip_time);
        },
      };
    },
    hover: (ray) => (studio.pick(ray) ? "crosshair" : null),
    options: () => (server.value.work?.what === "pushing" ? [job_progress(studio, server.value.work)] : [element("span")]),
  };
  tools.actions.set("knock", actions);
  server.watch(["work", "play", "clips"], () => {
    if (page.value.tool === "knock") show_options();
  });
}
