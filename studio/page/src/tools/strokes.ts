// Groups changes for undo: everything from a pointer's press until the next one is one step. Keys and wheels have no
// stroke and are grouped by time.
let last = 0, now: number | undefined, pressed = false;

addEventListener("pointerdown", (event) => {
  if (event.isPrimary) [now, pressed] = [++last, true];
}, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pressed = false), true);
for (const other of ["keydown", "wheel"] as const)
  addEventListener(other, () => {
    if (!pressed) now = undefined;
  }, { capture: true, passive: true });

// Added to a command when the user makes it, which may be before it is sent.
export const stroke = (): { stroke?: number } => (now === undefined ? {} : { stroke: now });
