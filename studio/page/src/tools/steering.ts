// Arrow keys lead a character that is steered through the motion graph of its clips.
import { server } from "../state.ts";
import type { Studio } from "../studio.ts";

const arrows = ["ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown"];

export interface Wish { turn: number; pace: number }

// The wish of held keys: any of up, left and right walks, and runs with Shift; down stands.
export function wish_of(held: ReadonlySet<string>): Wish {
  const turn = Number(held.has("ArrowLeft")) - Number(held.has("ArrowRight"));
  const goes = !held.has("ArrowDown") && (held.has("ArrowUp") || turn !== 0);
  return { turn: goes ? turn : 0, pace: goes ? (held.has("Shift") ? 2 : 1) : 0 };
}

export const end_steering = (studio: Studio) => studio.do({ do: "steer", action: "end" });

export function add_steering(studio: Studio) {
  const held = new Set<string>();
  let sent: Wish = { turn: 0, pace: 0 };
  const send = () => {
    const wish = wish_of(held);
    if (!server.value.play.steered || (wish.turn === sent.turn && wish.pace === sent.pace)) return;
    sent = wish;
    void studio.do({ do: "steer", action: "go", ...wish });
  };
  const let_go = () => {
    held.clear();
    send();
  };
  addEventListener("keydown", (event) => {
    if (!server.value.play.steered || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Shift") held.add("Shift");
    else if (arrows.includes(event.key) && !(event.target as HTMLElement).matches("input, select, textarea, [role=radio]")) {
      held.add(event.key);
      event.preventDefault();
      event.stopImmediatePropagation(); // no other use of arrows
    } else return;
    send();
  }, true);
  addEventListener("keyup", (event) => {
    if (held.delete(event.key)) send();
  }, true);
  addEventListener("blur", let_go);
  let steered = false;
  server.watch(["play"], () => {
    if (server.value.play.steered === steered) return;
    steered = server.value.play.steered;
    held.clear();
    sent = { turn: 0, pace: 0 };
  });
}
