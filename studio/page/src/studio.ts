// Objects that the parts of the page share.
import type { Character } from "./scene/character.ts";
import type { Connection } from "./connection/connection.ts";
import { Bench, type Reply } from "./connection/bench.ts";
import { all_sent } from "./connection/newest.ts";
import { Picking, type Picked } from "./scene/picking.ts";
import type { Ray } from "./scene/geometry.ts";
import type { Command } from "./connection/protocol.ts";
import type { View } from "./scene/view.ts";
import { notice, type NoticeKind } from "./widgets/notices.ts";

export class Studio {
  character: Character | null = null;
  readonly picking = new Picking();

  readonly bench: Bench;

  constructor(readonly view: View, readonly connection: Connection) {
    this.bench = new Bench((command) => connection.ask<Reply>(command));
  }

  get height(): number {
    return this.character ? Math.max(1e-6, this.size) : 1;
  }
  size = 1; // metres: the character's height, as the server decided it

  pick(ray: Ray): Picked | null {
    return this.character ? this.picking.pick(this.character, ray) : null;
  }

  // Runs an action for the user; failures are displayed as a sentence. Resolves to whether it succeeded.
  do(command: Command): Promise<boolean> {
    return this.said(this.connection.ask(command));
  }

  // Undoes or redoes an act, once the server has what hands still send: that would come after and be an act of its own.
  // Resolves to whether it succeeded; `failure` is the kind of notice that says if not.
  async step_in_history(way: "undo" | "redo", failure: NoticeKind = "error"): Promise<boolean> {
    await all_sent();
    return this.said(this.connection.ask({ do: way }), failure);
  }

  // Likewise for commands that search for equilibrium, which wait for each other.
  on_bench(command: Command): Promise<boolean> {
    return this.said(this.bench.ask("fit", command));
  }

  private async said(asked: Promise<unknown>, kind: NoticeKind = "error"): Promise<boolean> {
    try {
      await asked;
      return true;
    } catch (error) {
      notice((error as Error).message, kind);
      return false;
    }
  }
}
