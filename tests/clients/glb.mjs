// What the client tests share: reading GLB files, point caches, and the report of a run.
import { readFileSync } from 'node:fs';

// The JSON of a .glb.
export function glbJson(path) {
  const bytes = readFileSync(path);
  const length = bytes.readUInt32LE(12);
  return JSON.parse(bytes.toString('utf8', 20, 20 + length));
}

// PC2: { points, frames, start, rate, position(frame) -> Float32Array of points x 3, metres }.
export function readPointCache(path) {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 11) !== 'POINTCACHE2') throw new Error(`${path}: no PC2 file`);
  const points = bytes.readInt32LE(16);
  const frames = bytes.readInt32LE(28);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    points,
    frames,
    start: bytes.readFloatLE(20),
    rate: bytes.readFloatLE(24),
    position(frame) {
      const out = new Float32Array(points * 3);
      for (let i = 0; i < out.length; ++i) out[i] = view.getFloat32(32 + (frame * points * 3 + i) * 4, true);
      return out;
    },
  };
}

// What the clients need of a run's JSON report.
export function readReport(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const fit = report.morph_fit;
  // Curves may have fewer keys than frames.
  const keys = report.method === 'rigspace' ? report.settings.settings.key_error * report.height_metres : 0;
  return {
    height: report.height_metres,
    metresPerUnit: report.metres_per_unit,
    maxError: (fit === null ? 0 : fit.max_metres) + keys,
    framesPerSecond: report.clips[0].fps,
    clip: report.clips[0].name,
  };
}

// Indices of the animations that are to be played: `clip`, and its curves of rig-space physics with it; where these have all
// of its channels too, they alone.
export function playedAnimations(json, clip) {
  const animations = json.animations ?? [];
  const index = (name) => animations.findIndex((animation) => animation.name === name);
  const targets = (i) => animations[i].channels.map(({ target }) => `${target.node} ${target.path}`);
  const [keyed, curves] = [index(clip), index(`${clip}.flesh`)];
  if (keyed < 0 && curves < 0) return [0];
  if (curves < 0) return [keyed];
  const added = new Set(targets(curves));
  return keyed < 0 || targets(keyed).every((target) => added.has(target)) ? [curves] : [keyed, curves];
}

// `count` frames spread evenly over all, first and last among them.
export function spreadFrames(frames, count) {
  const chosen = new Set();
  for (let i = 0; i < count; ++i) chosen.add(Math.round((i * (frames - 1)) / Math.max(1, count - 1)));
  return [...chosen];
}

// The nodes whose mesh got flesh: those with a skin, in the order of the document, as the caches have them.
export function fleshNodes(json) {
  const reached = new Set();
  const visit = (node) => {
    if (reached.has(node)) return;
    reached.add(node);
    for (const child of json.nodes[node].children ?? []) visit(child);
  };
  for (const root of json.scenes?.[json.scene ?? 0]?.nodes ?? []) visit(root);
  return json.nodes.map((node, index) => index)
    .filter((index) => reached.has(index) && json.nodes[index].mesh !== undefined && json.nodes[index].skin !== undefined);
}
