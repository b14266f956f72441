// node three.mjs FILE.glb CACHE.pc2 REPORT.json: three.js plays the clip of FILE, with its curves of rig-space physics where
// there are some, and morphs and skins its vertices on the CPU at ten times as CACHE has them, to the error that REPORT
// admits + 1e-4 of the height.
import { readFileSync } from 'node:fs';
import { fleshNodes, glbJson, playedAnimations, readPointCache, readReport, spreadFrames } from './glb.mjs';

globalThis.self = globalThis;
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');

const [file, cachePath, reportPath] = process.argv.slice(2);
const json = glbJson(file);
const cache = readPointCache(cachePath);
const report = readReport(reportPath);

const loader = new GLTFLoader();
loader.setMeshoptDecoder(MeshoptDecoder);
// Pictures need a browser, and nothing that moves needs pictures.
loader.register(() => ({ name: 'no pictures', loadTexture: () => Promise.resolve(new THREE.Texture()) }));
// Primitives that are still compressed got no flesh.
loader.setDRACOLoader({ preload() {}, decodeDracoFile: (data, done) => done(new THREE.BufferGeometry()) });
const bytes = readFileSync(file);
const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');

const meshes = [];
for (const node of fleshNodes(json)) {
  const object = await gltf.parser.getDependency('node', node);
  const parts = object.isMesh ? [object] : object.children.filter(
    (child) => child.isMesh && gltf.parser.associations.get(child)?.primitives !== undefined &&
      gltf.parser.associations.get(child).meshes === json.nodes[node].mesh);
  meshes.push(...parts);
}
const points = meshes.reduce((sum, mesh) => sum + mesh.geometry.attributes.position.count, 0);
if (points !== cache.points) {
  console.log(`  three.js has ${points} vertices, the cache ${cache.points}`);
  process.exit(1);
}

const mixer = new THREE.AnimationMixer(gltf.scene);
const actions = playedAnimations(json, report.clip).map((index) => mixer.clipAction(gltf.animations[index]));
for (const action of actions) {
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
}

let worst = { distance: 0 };
let moved = 0;
const first = cache.position(0);
const point = new THREE.Vector3();
for (const frame of spreadFrames(cache.frames, 10)) {
  for (const action of actions) action.reset().play();
  mixer.setTime((cache.start + frame * cache.rate) / report.framesPerSecond);
  gltf.scene.updateMatrixWorld(true);
  const expected = cache.position(frame);
  let offset = 0;
  for (const mesh of meshes) {
    for (let vertex = 0; vertex < mesh.geometry.attributes.position.count; ++vertex, offset += 3) {
      mesh.getVertexPosition(vertex, point).applyMatrix4(mesh.matrixWorld).multiplyScalar(report.metresPerUnit);
      const distance = Math.hypot(point.x - expected[offset], point.y - expected[offset + 1], point.z - expected[offset + 2]);
      moved = Math.max(moved, Math.hypot(expected[offset] - first[offset], expected[offset + 1] - first[offset + 1]));
      if (!(distance <= worst.distance)) worst = { distance, frame, vertex, mesh: mesh.name };
    }
  }
}
const bound = report.maxError + 1e-4 * report.height;
const percent = (metres) => `${((100 * metres) / report.height).toFixed(4)} % of the height`;
console.log(`  farthest ${percent(worst.distance)} (allowed ${percent(bound)}; the surface moves by ${percent(moved)})` +
  (worst.frame === undefined ? '' : ` at frame ${worst.frame}, vertex ${worst.vertex} of ${worst.mesh}`));
process.exit(worst.distance <= bound ? 0 : 1);
