// From a pointer's press until the next one, all that it moves is one step to undo. Keys and wheels have no stroke: what
// they do follows each other by time.
let last = 0, now: number | undefined, pressed = false;

addEventListener("pointerdown", (event) => {
  if (event.isPrimary) [now, pressed] = [++last, true];
}, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pressed = false), true);
for (const other of ["keydown", "wheel"] as const)
  addEventListener(other, () => {
    if (!pressed) now = undefined;
  }, { capture: true, passive: true });

// What belongs into a command at the time it is decided on, which may be before it is sent.
export const stroke = (): { stroke?: number } => (now === undefined ? {} : { stroke: now });
