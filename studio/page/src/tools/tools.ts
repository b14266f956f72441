// The selected tool decides what pressing on the picture does: a gesture, or nothing, in which case the view rotates.
import type { Ray } from "../scene/geometry.ts";
import { in_order, page, server, type Tool } from "../state.ts";
import type { Studio } from "../studio.ts";

export interface Gesture {
  move(ray: Ray, event: PointerEvent): void;
  end(moved: boolean): void;
  each_picture?(): void;
}

export interface ToolActions {
  hint: string; // instructions, in a sentence
  unable?(): string | null; // why the tool is disabled at present, if it is
  press(ray: Ray, event: PointerEvent): Gesture | null;
  hover?(ray: Ray, event: PointerEvent): string | null; // the cursor; null: the view's
  options?(): Node[];
  enter?(): void;
  leave?(): void;
}

const hover_interval = 70; // milliseconds, since finding the flesh under an idle pointer is costly
const early_interval = 5; // milliseconds, since mice report a thousand times a second

export class Tools {
  readonly actions = new Map<Tool, ToolActions>();
  private gesture: { pointer: number; of: Gesture; x: number; y: number; moved: boolean } | null = null;
  private hovered = 0;
  private early = 0;
  private current: Tool | null = null;

  constructor(private readonly studio: Studio) {
    const area = studio.view.canvas.parentElement!;
    // Before the view's own listeners, which are on the canvas.
    area.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    area.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    // Raw pointer events, where the browser has them, come before the next picture is due.
    area.addEventListener("pointerrawupdate", (event) => this.move_early(event as PointerEvent), { capture: true });
    for (const end of ["pointerup", "pointercancel"] as const)
      area.addEventListener(end, (event) => this.end(event), { capture: true });
    studio.view.before_picture.push(() => this.gesture?.of.each_picture?.());
    addEventListener("blur", () => this.cancel());
  }

  start() {
    page.watch(["tool"], () => {
      if (this.current) this.actions.get(this.current)?.leave?.();
      this.cancel();
      this.current = page.value.tool;
      this.actions.get(this.current)?.enter?.();
    });
    server.watch(["character"], () => this.cancel());
  }

  names(): Tool[] {
    return in_order(this.actions.keys());
  }

  now(): ToolActions {
    return this.actions.get(page.value.tool)!;
  }

  get busy(): boolean {
    return this.gesture !== null;
  }

  cancel() {
    this.gesture?.of.end(this.gesture.moved);
    this.gesture = null;
  }

  private press(event: PointerEvent) {
    if (event.target !== this.studio.view.canvas || event.button !== 0 || event.altKey || !this.begin(event)) return;
    event.stopPropagation();
    this.studio.view.canvas.setPointerCapture(event.pointerId);
  }

  // Begins the tool's gesture at the place of an event, from a pointer or from the keyboard's hand. False: there is none.
  begin(event: PointerEvent): boolean {
    if (!this.studio.character || this.gesture || this.now().unable?.()) return false;
    const gesture = this.now().press(this.studio.view.ray(event), event);
    if (!gesture) return false;
    page.change({ turntable: false });
    this.gesture = { pointer: event.pointerId, of: gesture, x: event.clientX, y: event.clientY, moved: false };
    return true;
  }
  // Leads the gesture that began with the same pointer id to the place of an event. False: there is none.
  lead(event: PointerEvent): boolean {
    if (!this.gesture || event.pointerId !== this.gesture.pointer) return false;
    if (Math.hypot(event.clientX - this.gesture.x, event.clientY - this.gesture.y) > 3) this.gesture.moved = true;
    this.gesture.of.move(this.studio.view.ray(event), event);
    return true;
  }
  finish(event: PointerEvent): boolean {
    if (!this.gesture || event.pointerId !== this.gesture.pointer) return false;
    const { of, moved } = this.gesture;
    this.gesture = null;
    of.end(moved);
    this.studio.view.need_picture();
    return true;
  }

  private move(event: PointerEvent) {
    if (this.lead(event)) {
      event.stopPropagation();
      return;
    }
    if (event.buttons !== 0 || event.target !== this.studio.view.canvas || event.timeStamp - this.hovered < hover_interval) return;
    this.hovered = event.timeStamp;
    this.studio.view.canvas.style.cursor = event.altKey ? "" : this.hover(event) ?? "";
  }

  // The cursor over this place, with what the tool shows there; null: the view's.
  hover(event: PointerEvent): string | null {
    return (this.studio.character && !this.now().unable?.() && this.now().hover?.(this.studio.view.ray(event), event)) || null;
  }

  private move_early(event: PointerEvent) {
    if (!this.gesture || event.pointerId !== this.gesture.pointer || event.timeStamp - this.early < early_interval) return;
    this.early = event.timeStamp;
    this.gesture.of.move(this.studio.view.ray(event), event);
  }

  private end(event: PointerEvent) {
    if (this.finish(event)) event.stopPropagation();
  }
}
