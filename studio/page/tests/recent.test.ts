// Files that were opened last.
import assert from "node:assert/strict";
import { test } from "node:test";
import { that_open, with_recent } from "../src/bars/recent_files.ts";

const file = (path: string) => ({ name: path.replace(/.*\//, ""), path });

test("the newest file comes first, once, and a few are kept", () => {
  let list = ["/a/1.glb", "/a/2.glb", "/a/3.glb", "/a/1.glb"].map(file).reduce(with_recent, [] as { name: string; path: string }[]);
  assert.deepEqual(list.map(({ name }) => name), ["1.glb", "3.glb", "2.glb"]);
  for (let k = 0; k < 20; ++k) list = with_recent(list, file(`/b/${k}.glb`));
  assert.deepEqual(list.map(({ name }) => name), ["19.glb", "18.glb", "17.glb", "16.glb"]);
});

test("only files of the studio's folders are offered", () => {
  const list = ["/home/me/a.glb", "/home/me/sub/b.glb", "/home/meadow/c.glb", "/home/me/../you/d.glb"].map(file);
  assert.deepEqual(that_open(list, ["/home/me"]).map(({ name }) => name), ["a.glb", "b.glb"]);
  assert.deepEqual(that_open(list, []), []);
  assert.deepEqual(that_open(list, ["/"]).map(({ name }) => name), ["a.glb", "b.glb", "c.glb"]);
});
