// Connection to the worker: sends commands, and receives answers, events and frames.
import source from "./worker.ts?text";
import type { Command, ServerEvent } from "./protocol.ts";
import type { DrawnFrame, FromWorker, ToWorker, Wanted } from "./worker_messages.ts";
import type { Clusters } from "../scene/normals.ts";

export class Connection {
  on_event: (event: ServerEvent) => void = () => {};
  on_frame: (frame: DrawnFrame) => void = () => {};
  on_link: (link: "up" | "down" | "refused", program?: string, error?: string) => void = () => {};
  on_error: (sentence: string) => void = () => {};

  private readonly worker: Worker;
  private readonly token = new URLSearchParams(location.search).get("token") ?? "";
  private last = 0;
  private readonly waiting = new Map<number, { done: (reply: never) => void; failed: (error: Error) => void }>();

  constructor() {
    this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.heard(event.data);
  }

  start() {
    this.post({ kind: "start", address: this.address("/session").replace(/^http/, "ws") });
  }

  // The URL with the token and other query values.
  address(path: string, more: Record<string, string | number> = {}): string {
    const url = new URL(path, location.href);
    url.searchParams.set("token", this.token);
    for (const [key, value] of Object.entries(more)) url.searchParams.set(key, String(value));
    return url.href;
  }

  // Resolves to the answer, or rejects with the server's sentence.
  ask<Reply = Record<string, unknown>>(command: Command): Promise<Reply> {
    return new Promise<Reply>((done, failed) => {
      this.waiting.set(this.send(command), { done: done as (reply: never) => void, failed });
    });
  }

  // Sends without waiting; failures are displayed. Returns the number that frames refer to once they contain the
  // effect.
  tell(command: Command): number {
    return this.send(command);
  }

  character(number: number, dressed: Clusters, plain: Clusters) {
    this.post({ kind: "character", number, dressed, plain });
  }
  want(wanted: Wanted) {
    this.post({ kind: "want", wanted });
  }
  drawn(buffers: ArrayBuffer[]) {
    this.post({ kind: "drawn", buffers }, buffers);
  }

  private send(command: Command): number {
    const ref = ++this.last;
    this.post({ kind: "send", ref, command });
    return ref;
  }

  private post(message: ToWorker, transfer: Transferable[] = []) {
    this.worker.postMessage(message, transfer);
  }

  private heard(message: FromWorker) {
    switch (message.kind) {
      case "link": this.on_link(message.link, message.program, message.error); break;
      case "event": this.on_event(message.event); break;
      case "frame": this.on_frame(message.frame); break;
      case "reply": {
        const waiting = this.waiting.get(message.ref);
        this.waiting.delete(message.ref);
        if (message.error) {
          if (waiting) waiting.failed(Object.assign(new Error(message.error), message.reply));
          else this.on_error(message.error);
        } else waiting?.done(message.reply as never);
      }
    }
  }
}
