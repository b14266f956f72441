// The common part of sections whose buttons ask the server's bench: files beside the character, and one request at a time.
import { element } from "../widgets/dom.ts";
import type { FileEntry, FilesReply } from "../connection/protocol.ts";
import { notice } from "../widgets/notices.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";

export abstract class BenchSection {
  readonly section: HTMLElement;
  protected files: FileEntry[] = [];
  protected busy = ""; // text of the request that runs
  private of = ""; // character and method that this is for

  constructor(protected readonly studio: Studio, name: string, private readonly endings: RegExp) {
    this.section = element("section", { class: name });
  }

  // Begins to follow the character; called when all fields are there.
  protected follow() {
    server.watch(["character", "method"], () => {
      // Edits report the method anew.
      const now = `${server.value.character?.number} ${server.value.method.name}`;
      if (now === this.of) return;
      this.of = now;
      this.forget();
      if (page.value.panel === "shape") void this.list();
      this.show();
    });
    page.watch(["panel"], () => page.value.panel === "shape" && void this.list());
  }

  // Another character or method came.
  protected abstract forget(): void;
  protected abstract fill(): void;

  protected show() {
    const { character, method } = server.value;
    this.section.hidden = !character || method.name !== "flesh";
    if (!this.section.hidden) this.fill();
  }

  private async list() {
    try {
      const reply = await this.studio.connection.ask<FilesReply & Record<string, unknown>>({ do: "files" });
      this.files = reply.files.filter(({ name, folder }) => !folder && this.endings.test(name) && name !== server.value.character?.name);
    } catch {
      this.files = [];
    }
    this.show();
  }

  // The reply; null where it failed, which is said, or a newer request came.
  protected async run<Of extends object>(what: string, ask: () => Promise<Of & { stopped?: boolean }>): Promise<Of | null> {
    this.busy = what;
    this.show();
    let reply: (Of & { stopped?: boolean }) | null = null;
    try {
      reply = await ask();
    } catch (error) {
      notice((error as Error).message, "error");
    }
    this.busy = "";
    this.show();
    return reply?.stopped ? null : reply;
  }
}
