// Control points that the user has moved, and the moves before, for undo. Plain values.
import type { Vector } from "../connection/protocol.ts";

export interface MovedPoint { point: number; from: Vector; to: Vector } // from: where the fit has it

export class MovedPoints {
  private now: readonly MovedPoint[] = [];
  private before: (readonly MovedPoint[])[] = [];
  private after: (readonly MovedPoint[])[] = [];

  get all(): readonly MovedPoint[] {
    return this.now;
  }
  get can_undo(): boolean {
    return this.before.length > 0;
  }
  get can_redo(): boolean {
    return this.after.length > 0;
  }

  // A point that was moved already goes on from where the fit has it. `fitted`: where that is, for one that was not.
  move(point: number, fitted: Vector, to: Vector) {
    const from = this.now.find((one) => one.point === point)?.from ?? fitted;
    this.before.push(this.now);
    this.after = [];
    this.now = [...this.now.filter((one) => one.point !== point), { point, from, to }];
  }

  undo(): boolean {
    const last = this.before.pop();
    if (!last) return false;
    this.after.push(this.now);
    this.now = last;
    return true;
  }

  redo(): boolean {
    const next = this.after.pop();
    if (!next) return false;
    this.before.push(this.now);
    this.now = next;
    return true;
  }

  // Takes back a move that turned out to be impossible, for good.
  refuse() {
    this.now = this.before.pop() ?? [];
  }

  clear() {
    this.now = [];
    this.before = [];
    this.after = [];
  }
}
