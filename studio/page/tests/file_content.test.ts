// What a dropped file is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { content_of, content_of_gltf, json_length } from "../src/bars/file_content.ts";

const glb = (json: object, name: string) => {
  const text = new TextEncoder().encode(JSON.stringify(json)), bytes = new Uint8Array(20 + text.length), view = new DataView(bytes.buffer);
  for (const [place, word] of [[0, 0x46546c67], [4, 2], [8, bytes.length], [12, text.length], [16, 0x4e4f534a]]) view.setUint32(place, word, true);
  bytes.set(text, 20);
  return new File([bytes], name);
};

test("a file is a character, motion, or both", async () => {
  const both = { meshes: [{}], animations: [{}, {}] };
  assert.deepEqual(await content_of(glb(both, "hero.glb")), { character: true, motion: true, clips: 2 });
  assert.deepEqual(await content_of(glb({ meshes: [{}] }, "hero.vrm")), { character: true, motion: false, clips: 0 });
  assert.deepEqual(await content_of(glb({ animations: [{}] }, "walk.GLB")), { character: false, motion: true, clips: 1 });
  assert.deepEqual(await content_of(new File([JSON.stringify(both)], "hero.gltf")), { character: true, motion: true, clips: 2 });
  for (const name of ["walk.bvh", "walk.VRMA"]) assert.equal((await content_of(new File(["x"], name))).motion, true);
  assert.deepEqual(await content_of(new File(["o thing"], "thing.obj")), { character: true, motion: false, clips: 0 });
});

test("what cannot be read is opened, so that the server says what is wrong", async () => {
  assert.deepEqual(content_of_gltf("{"), { character: false, motion: false, clips: 0 });
  assert.equal(json_length(new ArrayBuffer(8)), null);
  assert.equal(json_length(new ArrayBuffer(64)), null);
  assert.deepEqual(await content_of(new File(["broken"], "hero.glb")), { character: true, motion: false, clips: 0 });
});
