import assert from "node:assert/strict";
import { test } from "node:test";
import { Bench, type Reply } from "../src/connection/bench.ts";
import type { Command } from "../src/connection/protocol.ts";

// A server that drops what it works on when another request comes.
function server() {
  const log: string[] = [];
  let running: { name: string; answer: (reply: Reply) => void } | null = null;
  return {
    log,
    ask: (command: Command) => new Promise<Reply>((answer) => {
      running?.answer({ stopped: true });
      running = { name: (command as { name: string }).name, answer };
      log.push(running.name);
    }),
    async finish() {
      const done = running!;
      running = null;
      done.answer({ done: done.name });
      await new Promise((turn) => setImmediate(turn));
    },
  };
}
const picture = (name: string): Command => ({ do: "picture_shape", name });
const fit = (name: string): Command => ({ do: "fit_shape", name, target: "morph:a" });

test("pictures and rehearsals wait for each other, and a fit interrupts them", async () => {
  const { log, ask, finish } = server();
  const bench = new Bench(ask);
  const rehearsed = bench.ask("rehearse", picture("r"));
  const pictured = bench.ask("picture", picture("p"));
  assert.deepEqual(log, ["r", "p"]);
  const fitted = bench.ask("fit", fit("f"));
  assert.deepEqual(log, ["r", "p", "f"]);
  await finish();
  assert.equal((await fitted).done, "f");
  await finish();
  assert.equal((await pictured).done, "p");
  await finish();
  assert.equal((await rehearsed).done, "r");
  assert.deepEqual(log, ["r", "p", "f", "p", "r"]);
});

test("of two that wait the newer one is asked", async () => {
  const { log, ask, finish } = server();
  const bench = new Bench(ask);
  const first = bench.ask("fit", fit("1")), second = bench.ask("fit", fit("2")), third = bench.ask("fit", fit("3"));
  assert.equal((await second).stopped, true);
  await finish();
  assert.equal((await first).done, "1");
  await finish();
  assert.equal((await third).done, "3");
  assert.deepEqual(log, ["1", "3"]);
});
