// strip_weights.mjs INPUT.glb OUTPUT.glb: the same file without skin weights. Its skin stays, and no mesh uses it: a
// character with a skeleton and nothing that ties its surface to it.
import { readFileSync, writeFileSync } from 'node:fs';
import { glbJson } from './glb.mjs';

const [input, output] = process.argv.slice(2);
const json = glbJson(input);
for (const mesh of json.meshes)
  for (const primitive of mesh.primitives)
    for (const name of Object.keys(primitive.attributes))
      if (/^(JOINTS|WEIGHTS)_/.test(name)) delete primitive.attributes[name];
for (const node of json.nodes) if (node.mesh !== undefined) delete node.skin;

const file = readFileSync(input);
const rest = file.subarray(20 + file.readUInt32LE(12));  // the chunks after the JSON one
const text = Buffer.from(JSON.stringify(json));
const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
const head = Buffer.alloc(20);
head.writeUInt32LE(0x46546c67, 0);
head.writeUInt32LE(2, 4);
head.writeUInt32LE(20 + padded.length + rest.length, 8);
head.writeUInt32LE(padded.length, 12);
head.writeUInt32LE(0x4e4f534a, 16);
writeFileSync(output, Buffer.concat([head, padded, rest]));
