// Requests to the server's bench for force rigs, which works on one at a time and drops it when another comes. Here they
// wait for each other: of each kind the newest, and fits go before pictures, pictures before rehearsals.
import type { Command } from "./protocol.ts";

export type BenchWork = "fit" | "picture" | "rehearse";
const order: BenchWork[] = ["fit", "picture", "rehearse"];

export type Reply = Record<string, unknown> & { stopped?: boolean };
interface Waiting { command: Command; answer: (reply: Reply) => void; fail: (error: unknown) => void }

export class Bench {
  private readonly waiting = new Map<BenchWork, Waiting>();
  private running: BenchWork | null = null;

  constructor(private readonly ask_server: (command: Command) => Promise<Reply>) {}

  // Replies `stopped` where a newer request of this kind came before this one's turn.
  ask<Of extends object>(work: BenchWork, command: Command): Promise<Of & Reply> {
    return new Promise<Reply>((answer, fail) => {
      this.waiting.get(work)?.answer({ stopped: true });
      this.waiting.set(work, { command, answer, fail });
      void this.go();
    }) as Promise<Of & Reply>;
  }

  private async go() {
    const next = order.find((work) => this.waiting.has(work));
    // Work that goes first interrupts what runs, which then gets another turn.
    if (!next || (this.running !== null && order.indexOf(next) >= order.indexOf(this.running))) return;
    const request = this.waiting.get(next)!;
    this.waiting.delete(next);
    this.running = next;
    try {
      const reply = await this.ask_server(request.command);
      if (reply.stopped && !this.waiting.has(next)) this.waiting.set(next, request);
      else request.answer(reply);
    } catch (error) {
      request.fail(error);
    }
    if (this.running === next) this.running = null;
    void this.go();
  }
}
