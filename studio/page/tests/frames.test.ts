// Frames and surfaces, written here by the protocol's page byte by byte and read by the page's decoder.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode_frame, decode_surface, frame_character } from "../src/connection/protocol.ts";

const padded = (bytes: number) => (bytes + 3) & ~3;

function frame_bytes(options: { heat?: boolean; goal?: boolean; measures?: boolean; muscles?: boolean }): ArrayBuffer {
  const vertices = 3, joints = 1;
  const size = 76 + padded(6 * vertices) + 48 * joints + (options.heat ? padded(vertices) + 4 : 0)
    + (options.goal ? padded(6 * vertices) : 0) + (options.measures ? 24 : 0) + (options.muscles ? 64 : 0);
  const bytes = new ArrayBuffer(size), view = new DataView(bytes);
  view.setUint32(0, 0x46574e53, true);
  view.setUint16(4, 1, true);
  view.setUint16(6, (options.heat ? 1 : 0) | (options.goal ? 2 : 0) | (options.measures ? 4 : 0) | (options.muscles ? 64 : 0), true);
  view.setUint32(8, 17, true);
  view.setUint32(12, 41, true);
  view.setFloat64(16, 2.5, true);
  view.setFloat64(24, 0.75, true);
  view.setFloat64(32, 0.01, true);
  view.setUint32(40, vertices, true);
  view.setUint32(44, joints, true);
  view.setUint32(48, 3, true);
  [-1, 0, 2].forEach((low, k) => view.setFloat32(52 + 4 * k, low, true));
  [2, 4, 1].forEach((extent, k) => view.setFloat32(64 + 4 * k, extent, true));
  const points = [0, 0, 0, 65535, 65535, 65535, 32768, 16384, 0];
  points.forEach((value, k) => view.setUint16(76 + 2 * k, value, true));
  let at = 76 + padded(6 * vertices);
  [1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7].forEach((value, k) => view.setFloat32(at + 4 * k, value, true));
  at += 48;
  if (options.heat) {
    [0, 128, 255].forEach((value, k) => view.setUint8(at + k, value));
    view.setFloat32(at + padded(vertices), 0.25, true);
    at += padded(vertices) + 4;
  }
  if (options.goal) {
    [...points].reverse().forEach((value, k) => view.setUint16(at + 2 * k, value, true));
    at += padded(6 * vertices);
  }
  if (options.measures) {
    [0.5, 240, 12, 0.03, 0.02, 0.99].forEach((value, k) => view.setFloat32(at + 4 * k, value, true));
    at += 24;
  }
  if (options.muscles) {
    [2, 2].forEach((value, k) => view.setUint32(at + 4 * k, value, true)); // two muscles of two points
    [0.25, 1, ...Array.from({ length: 12 }, (_, k) => k)].forEach((value, k) => view.setFloat32(at + 8 + 4 * k, value, true));
  }
  return bytes;
}

test("a frame's positions lie in its box", () => {
  const frame = decode_frame(frame_bytes({}));
  assert.deepEqual([...frame.positions.subarray(0, 6)], [-1, 0, 2, 1, 4, 3]);
  assert.ok(Math.abs(frame.positions[6] - (2 * 32768) / 65535 + 1) < 1e-6);
  assert.equal(frame.number, 17);
  assert.equal(frame.applied, 41);
  assert.equal(frame.clip_time, 0.75);
  assert.equal(frame.character, 3);
  assert.deepEqual([...frame.joint.subarray(9)], [5, 6, 7]);
  assert.equal(frame.heat, null);
  assert.equal(frame_character(frame_bytes({})), 3);
});

for (const options of [{ heat: true }, { goal: true }, { measures: true }, { muscles: true }, { heat: true, goal: true, measures: true, muscles: true }])
  test(`a frame brings what its flags say: ${Object.keys(options)}`, () => {
    const frame = decode_frame(frame_bytes(options));
    assert.equal(frame.heat !== null, "heat" in options);
    assert.equal(frame.goal !== null, "goal" in options);
    assert.equal(frame.measures !== null, "measures" in options);
    assert.equal(frame.muscles !== null, "muscles" in options);
    if (frame.muscles) {
      assert.deepEqual([...frame.muscles.activation], [0.25, 1]);
      assert.equal(frame.muscles.points, 2);
      assert.deepEqual([...frame.muscles.places.subarray(6)], [6, 7, 8, 9, 10, 11]);
    }
    if (frame.heat) {
      assert.deepEqual([...frame.heat], [0, 128, 255]);
      assert.equal(frame.heat_scale, 0.25);
    }
    if (frame.goal) assert.ok(Math.abs(frame.goal[0] + 1) < 1e-6 && Math.abs(frame.goal[3] - 1) < 1e-6);
    if (frame.measures) assert.ok(Math.abs(frame.measures.picked - 0.02) < 1e-6 && frame.measures.steps_per_second === 240);
  });

test("a frame that ends early is refused, wherever it ends", () => {
  const whole = frame_bytes({ heat: true, goal: true, measures: true, muscles: true });
  for (let size = 0; size < whole.byteLength; ++size)
    assert.throws(() => decode_frame(whole.slice(0, size)), `cut to ${size} of ${whole.byteLength} bytes`);
});

test("frames use memory again", () => {
  const memory = new Float32Array(9);
  assert.equal(decode_frame(frame_bytes({}), () => memory).positions, memory);
});

function surface_bytes(vertex_of: number[]): ArrayBuffer {
  const bytes = new ArrayBuffer(24 + 4 * 9 + 4 * 3 + 16 + 4 * vertex_of.length), words = new Uint32Array(bytes);
  words.set([0x53574e53, 1, 3, 3, 1, 1]);
  new Float32Array(bytes, 24, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  words.set([0, 1, 2], 15);
  words.set([7, 2, 1, vertex_of.length, ...vertex_of], 18);
  return bytes;
}

test("a surface names its vertices per primitive", () => {
  const surface = decode_surface(surface_bytes([2, 1, 0, 1]));
  assert.equal(surface.character, 3);
  assert.deepEqual([...surface.triangles], [0, 1, 2]);
  assert.deepEqual([surface.parts[0].node, surface.parts[0].mesh, surface.parts[0].primitive], [7, 2, 1]);
  assert.deepEqual([...surface.parts[0].vertex_of], [2, 1, 0, 1]);
});

test("a surface whose parts name no vertex is refused", () => {
  assert.throws(() => decode_surface(surface_bytes([0, 3])), /names no vertex/);
});
