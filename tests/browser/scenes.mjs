// Tests of a page, each of which goes on where the one before ended.
import assert from "node:assert/strict";
import { test } from "node:test";

// Makes tests of the page that `eye()` looks at then. They fail on what the page complained of meanwhile as well, with a
// picture.
export function scenes(eye) {
  return (name, run) =>
    test(name, { timeout: 90_000 }, async () => {
      try {
        await run();
      } catch (error) {
        await eye()?.picture(`failed ${name.slice(0, 40)}`);
        await eye()?.page.mouse.up().catch(() => {}); // nor do the next ones fail on a button that is still held
        error.message += `\nThe page says: ${(await eye()?.notices()) ?? "nothing"}`;
        throw error;
      }
      const { complaints } = eye();
      eye().complaints = []; // each is told once
      await eye().notices();
      assert.deepEqual(complaints, []);
      assert.deepEqual(await eye().errors(), []);
    });
}
