// Sends one command at a time; of those that come meanwhile the newest goes next, and the others are dropped.
import type { Command } from "./protocol.ts";

const at_work = new Set<Promise<void>>();

// Undo waits for this: for all that a hand still sends.
export function before_undo(work: Promise<void>) {
  const done = work.finally(() => at_work.delete(done));
  at_work.add(done);
}

// Resolves once all that was to be sent is answered, or dropped after a failure.
export async function all_sent(): Promise<void> {
  while (at_work.size > 0) await Promise.all(at_work);
}

export class Newest {
  private busy = false;
  private waiting: Command | null = null;

  // `send` resolves to whether the command succeeded; after a failure what waits is dropped.
  constructor(private readonly send: (command: Command) => Promise<boolean>) {}

  // True while something is being sent or waits.
  get pending(): boolean {
    return this.busy || this.waiting !== null;
  }

  // Forgets the command that waits.
  drop() {
    this.waiting = null;
  }

  tell(command: Command): Promise<void> {
    this.waiting = command;
    if (this.busy) return Promise.resolve();
    const work = this.send_all();
    before_undo(work);
    return work;
  }

  private async send_all(): Promise<void> {
    this.busy = true;
    while (this.waiting) {
      const next = this.waiting;
      this.waiting = null;
      if (!(await this.send(next))) this.waiting = null;
    }
    this.busy = false;
  }
}
