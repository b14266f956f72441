// Interaction with the flesh: grab and drag, pin, and carry the whole character.
import { Vector3 } from "three";
import { add, distance, on_plane, type Ray, scaled, skin_position, sub, vertex_at, within_reach } from "../scene/geometry.ts";
import { began } from "../connection/latency.ts";
import type { AnyPoint, SkinPoint, Vector } from "../connection/protocol.ts";
import { check_row, number_row } from "../widgets/rows.ts";
import { page, server } from "../state.ts";
import { stroke } from "./strokes.ts";
import type { Studio } from "../studio.ts";
import { Thread } from "../scene/thread.ts";
import type { Gesture, ToolActions, Tools } from "./tools.ts";

// Shares of the character's height. `reach`: how far the flesh follows before it resists.
const hand = { radius: 0.04, reach: 0.1 };
const carrying = { returns: true };
const usual_gravity = -9.81; // m/s^2

let hands = 0; // names of hands
const own_hands = new Set<string>(); // grabs that follow this page's pointer

export function facing_plane(studio: Studio, through: Vector): (ray: Ray) => Vector | null {
  const normal = studio.view.look_direction().toArray() as Vector;
  return (ray) => on_plane(ray, through, normal);
}

function skin_now(studio: Studio, at: AnyPoint): Vector | null {
  const character = studio.character;
  if (!character?.frame || !Array.isArray(at)) return null;
  if (3 * at[0] + 2 >= character.surface.triangles.length) return null;
  return skin_position(at, character.surface.triangles, character.frame.positions);
}

// The point by the rig alone; null if frames do not contain it.
function rig_now(studio: Studio, at: SkinPoint): Vector | null {
  const { character } = studio;
  return character?.frame?.goal ? skin_position(at, character.surface.triangles, character.frame.goal) : null;
}

// Why joints and the whole character cannot be moved by hand; null: they can.
export function cannot_pose(): string | null {
  const { character, method } = server.value;
  return character?.methods.some(({ name, curves }) => curves && name === method.name) ? `The method '${method.name}' moves the rig's own controls and cannot be posed by hand.` : null;
}

const cannot_hold = () => (server.value.method.can.held ? null : `The method '${server.value.method.name}' cannot be held.`);

// The grab's target is at the pointer; the flesh follows less and less as the target moves away from where the rig has
// the point.
function grab_gesture(studio: Studio, name: string, at: SkinPoint, start: Vector, let_go: (still_held: boolean) => void): Gesture {
  const in_plane = facing_plane(studio, start), reach = hand.reach * studio.height, thread = new Thread(studio.view);
  const method = server.value.method.name, still_held = () => server.value.method.name === method; // another lets go of all hands
  let place = start, target = start;
  page.change({ needs_goal: true });
  const lead = (event: PointerEvent | null) => {
    if (!still_held()) return;
    const next = within_reach(rig_now(studio, at) ?? start, place, reach);
    if (distance(next, target) < 1e-4 * studio.height) return;
    target = next;
    const ref = studio.connection.tell({ do: "drag", name, target });
    if (event) began(ref, event);
  };
  return {
    move(ray, event) {
      place = in_plane(ray) ?? place;
      lead(event);
    },
    each_picture() {
      lead(null); // the body moves on
      thread.place(skin_now(studio, at) ?? start, place, 3 * reach);
    },
    end() {
      thread.dispose();
      page.change({ needs_goal: false });
      let_go(still_held());
    },
  };
}

function grab_tool(studio: Studio): ToolActions {
  return {
    hint: "Drag the flesh: it stretches, resists, and swings when you let go. Drag beside it to look around.",
    unable: cannot_hold,
    press(ray, event) {
      const picked = studio.pick(ray);
      if (!picked) return null;
      const name = `hand ${++hands} ${Date.now() % 100000}`; // distinct from other pages' names
      page.change({ picked: picked.at });
      own_hands.add(name);
      began(studio.connection.tell({
        do: "grab", name, at: picked.at, target: picked.point, radius: hand.radius * studio.height,
      }), event);
      return grab_gesture(studio, name, picked.at, picked.point, (still_held) => {
        own_hands.delete(name);
        if (still_held) studio.connection.tell({ do: "release", name });
      });
    },
    hover: (ray) => (studio.pick(ray) ? "grab" : null),
    options: () => [
      number_row({ label: "Hand", unit: "%", least: 0, most: 15, value: 100 * hand.radius, reset: 4,
        help: "How much of the skin around the point is held, in per cent of the height", change: (value) => (hand.radius = value / 100) }),
      ...world_rows(studio),
    ],
  };
}

// Gravity and tissue while it plays; takes record their changes.
function world_rows(studio: Studio): HTMLElement[] {
  const { method, gravity, tissue } = server.value, rows: HTMLElement[] = [];
  if (method.can.gravity)
    rows.push(number_row({ label: "Gravity", unit: "×", least: -1, most: 3, value: gravity ? gravity[1] / usual_gravity : 1, reset: 1,
      help: "Of the earth's, downwards; takes record it. Reset gives it back to the clip and the settings",
      undo: () => void studio.do({ do: "gravity", value: null }),
      change: (value) => void studio.connection.tell({ do: "gravity", value: [0, value * usual_gravity, 0] }) }));
  for (const name of ["stiffness", "damping"] as const)
    if (method.can[name])
      rows.push(number_row({ label: name === "stiffness" ? "Stiff" : "Damp", unit: "×", least: 0.1, most: 10, logarithmic: true, value: tissue[name], reset: 1,
        help: `Multiplies the ${name} of the whole body while it plays; takes record it`,
        change: (value) => void studio.connection.tell({ do: "tissue", [name]: value }) }));
  return rows;
}

// ---- pins: lasting grabs

interface Pin { name: string; at: SkinPoint | null; target: Vector; thread: Thread }

function pin_tool(studio: Studio, pins: Map<string, Pin>): ToolActions {
  const pin_under = (event: PointerEvent): Pin | null => {
    for (const pin of pins.values()) {
      const { x, y } = studio.view.on_screen(new Vector3(...pin.target));
      if (Math.hypot(x - event.clientX, y - event.clientY) < 15) return pin;
    }
    return null;
  };
  return {
    hint: "Click the flesh to pin it where it is. Drag a pin to lead it; click it to let go.",
    unable: cannot_hold,
    press(ray, event) {
      const pin = pin_under(event);
      if (pin) {
        const in_plane = facing_plane(studio, pin.target);
        return {
          move(next) {
            const place = in_plane(next);
            if (!place) return;
            pin.target = place;
            studio.connection.tell({ do: "drag", name: pin.name, target: place });
          },
          end(moved) {
            if (!moved) studio.connection.tell({ do: "release", name: pin.name });
          },
        };
      }
      const picked = studio.pick(ray);
      if (!picked) return null;
      const name = `pin ${++hands} ${Date.now() % 100000}`;
      pins.set(name, { name, at: picked.at, target: picked.point, thread: new Thread(studio.view, true) });
      studio.connection.ask({ do: "grab", name, at: picked.at, radius: hand.radius * studio.height, stays: true }).catch((error: Error) => {
        drop_pin(pins, name);
        studio.connection.on_error(error.message);
      });
      return { move() {}, end() {} };
    },
    hover: (ray, event) => (pin_under(event) ? "move" : studio.pick(ray) ? "crosshair" : null),
    options: () => {
      const all = document.createElement("button");
      all.textContent = "Let go of all";
      all.onclick = () => void studio.do({ do: "release" });
      return [...hang_row(studio), all];
    },
  };
}

// A character that the rig lets go of hangs from its pins, or falls.
function hang_row(studio: Studio): HTMLElement[] {
  const hangs = server.value.settings.find(({ key }) => key === "free_body");
  if (!hangs) return []; // another method than flesh
  const hang = async (on: boolean) => {
    if (!(await studio.do({ do: "set", path: "", value: { free_body: on, weight: on } }))) row.querySelector("input")!.checked = !on;
  };
  const row = check_row("Hang", "The rig lets go, and the whole weight acts: the character hangs from what is pinned; its clip only gives it its shape",
    hangs.value === true, (on) => void hang(on));
  return [row];
}

function drop_pin(pins: Map<string, Pin>, name: string) {
  pins.get(name)?.thread.dispose();
  pins.delete(name);
}

// The corner of a triangle that is nearest to this point at rest.
function nearest_skin(studio: Studio, point: Vector): SkinPoint | null {
  const surface = studio.character?.surface;
  if (!surface) return null;
  let best = -1, nearest = Infinity;
  for (let k = 0; k < surface.triangles.length; ++k) {
    const far = distance(point, vertex_at(surface.rest, surface.triangles[k]));
    if (far < nearest) [best, nearest] = [k, far];
  }
  const corner = best % 3;
  return best < 0 ? null : [Math.floor(best / 3), corner === 1 ? 1 : 0, corner === 2 ? 1 : 0];
}

// Shows the server's grabs, including those of other pages and from before this page was loaded. All are drawn as pins,
// which can be dragged and released.
function keep_pins(studio: Studio, pins: Map<string, Pin>) {
  const fresh = new Map<string, number>(); // pins that the server may not have confirmed yet
  server.watch(["hands"], () => {
    const told = new Map(server.value.hands.map((one) => [one.name, one]));
    for (const name of [...pins.keys()]) {
      if (told.has(name)) fresh.set(name, 0);
      else if (fresh.has(name)) drop_pin(pins, name);
    }
    for (const one of told.values()) {
      if (own_hands.has(one.name)) continue; // drawn by the drag itself
      const known = pins.get(one.name);
      if (known) known.target = one.target ?? known.target;
      else {
        fresh.set(one.name, 0);
        pins.set(one.name, {
          name: one.name, at: Array.isArray(one.at) ? one.at : nearest_skin(studio, one.at.rest), target: one.target, thread: new Thread(studio.view, true),
        });
      }
    }
    studio.view.need_picture();
  });
  studio.view.before_picture.push(() => {
    for (const pin of pins.values()) {
      const from = (pin.at && skin_now(studio, pin.at)) ?? pin.target;
      pin.thread.place(from, pin.target, hand.reach * studio.height);
    }
  });
}

// ---- the whole character

function carry_tool(studio: Studio): ToolActions {
  let returning = 0; // number of the animation back to the clip
  return {
    hint: "Drag the whole character and throw it about: the flesh lags behind.",
    unable: cannot_pose,
    press(ray) {
      const picked = studio.pick(ray);
      if (!picked) return null;
      ++returning;
      const in_plane = facing_plane(studio, picked.point), begin = server.value.carried;
      let by = begin;
      return {
        move(next, cause) {
          const place = in_plane(next);
          if (!place) return;
          by = within_reach(begin, add(begin, sub(place, picked.point)), 2 * studio.height);
          began(studio.connection.tell({ do: "carry", by, ...stroke() }), cause);
        },
        end() {
          if (carrying.returns && distance(by, [0, 0, 0]) > 0) go_back(by, ++returning);
        },
      };
    },
    hover: (ray) => (studio.pick(ray) ? "move" : null),
    options: () => {
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = carrying.returns;
      box.onchange = () => {
        carrying.returns = box.checked;
        if (box.checked) go_back(server.value.carried, ++returning);
      };
      const label = document.createElement("label");
      label.className = "check";
      label.append(box, "Comes back when let go");
      return [label];
    },
  };

  // Returns in a third of a second, fast at first.
  function go_back(from: Vector, number: number) {
    const begin = performance.now();
    const step = () => {
      if (number !== returning) return;
      const share = Math.min(1, (performance.now() - begin) / 350), left = (1 - share) ** 3;
      studio.connection.tell({ do: "carry", by: share < 1 ? scaled(from, left) : [0, 0, 0], ...stroke() });
      if (share < 1) requestAnimationFrame(step);
    };
    step();
  }
}

export function add_touch(studio: Studio, tools: Tools) {
  const pins = new Map<string, Pin>();
  tools.actions.set("grab", grab_tool(studio));
  tools.actions.set("pin", pin_tool(studio, pins));
  tools.actions.set("carry", carry_tool(studio));
  keep_pins(studio, pins);
}

