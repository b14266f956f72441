// Commands that hands send while the server is busy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { all_sent, Newest } from "../src/connection/newest.ts";
import type { Command } from "../src/connection/protocol.ts";

const set = (value: number): Command => ({ do: "set", path: "x", value });

// Answers when it is told to.
class SlowServer {
  readonly heard: Command[] = [];
  private answers: ((succeeded: boolean) => void)[] = [];
  hear(command: Command): Promise<boolean> {
    this.heard.push(command);
    return new Promise((answer) => this.answers.push(answer));
  }
  async answer(succeeded = true) {
    this.answers.shift()!(succeeded);
    await new Promise(setImmediate);
  }
}

test("of the commands that come while one is on its way only the newest follows", async () => {
  const server = new SlowServer(), hand = new Newest((command) => server.hear(command));
  for (const value of [1, 2, 3]) void hand.tell(set(value));
  await server.answer();
  await server.answer();
  assert.deepEqual(server.heard, [set(1), set(3)]);
  assert.equal(hand.pending, false);
});

test("what waits for all hands goes after their last command", async () => {
  const server = new SlowServer(), one = new Newest((command) => server.hear(command)), other = new Newest((command) => server.hear(command));
  await all_sent();
  void one.tell(set(1));
  void one.tell(set(2));
  let sent = false;
  const waits = all_sent().then(() => (sent = true));
  await server.answer();
  void other.tell(set(3)); // a hand that begins meanwhile
  await server.answer();
  assert.equal(sent, false);
  await server.answer(false);
  await waits;
  assert.deepEqual(server.heard, [set(1), set(2), set(3)]);
});
