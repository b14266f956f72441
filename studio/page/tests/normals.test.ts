import assert from "node:assert/strict";
import { test } from "node:test";
import { cluster_normals, find_clusters, spread, surface_clusters } from "../src/scene/normals.ts";

// A sphere of latitudes and longitudes, whose vertices are shared.
function sphere(rings: number, segments: number) {
  const positions: number[] = [], triangles: number[] = [];
  for (let i = 0; i <= rings; ++i)
    for (let j = 0; j < segments; ++j) {
      const polar = (Math.PI * i) / rings, around = (2 * Math.PI * j) / segments;
      positions.push(Math.sin(polar) * Math.cos(around), Math.cos(polar), Math.sin(polar) * Math.sin(around));
    }
  const at = (i: number, j: number) => i * segments + (j % segments);
  for (let i = 0; i < rings; ++i)
    for (let j = 0; j < segments; ++j) triangles.push(at(i, j), at(i + 1, j + 1), at(i + 1, j), at(i, j), at(i, j + 1), at(i + 1, j + 1));
  return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
}

test("normals of a sphere point away from its middle", () => {
  const { positions, triangles } = sphere(40, 80), vertices = positions.length / 3;
  const clusters = surface_clusters(triangles, vertices), normals = new Float32Array(3 * vertices);
  cluster_normals(clusters, positions, normals);
  for (let k = 80; k < vertices - 80; ++k) { // without the poles, where a ring of vertices is one point
    const dot = positions[3 * k] * normals[3 * k] + positions[3 * k + 1] * normals[3 * k + 1] + positions[3 * k + 2] * normals[3 * k + 2];
    assert.ok(dot > 0.998, `vertex ${k}: cosine ${dot}`);
  }
});

// Two triangles that meet at a right angle along the edge of vertices 0 and 1.
const fold = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1]);

test("a hard edge of the file stays hard, a seam of texture smooth", () => {
  const vertex_of = new Uint32Array([0, 1, 2, 0, 1, 3]), triangles = new Uint32Array([0, 1, 2, 3, 4, 5]);
  const hard = new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0]);
  const s = Math.SQRT1_2, soft = new Float32Array([0, s, s, 0, s, s, 0, 0, 1, 0, s, s, 0, s, s, 0, 1, 0]);
  for (const [normals, clusters_expected] of [[hard, 6], [soft, 4]] as const) {
    const clusters = find_clusters([{ vertex_of, normals, triangles }], 4);
    assert.equal(clusters.count, clusters_expected);
    const sums = new Float32Array(3 * clusters.count), out = new Float32Array(18);
    cluster_normals(clusters, fold, sums);
    spread(clusters.of, sums, out);
    // In the pose of the file the normals are those of the file.
    for (let k = 0; k < 18; ++k) assert.ok(Math.abs(out[k] - normals[k]) < 1e-6, `component ${k}: ${out[k]}, file ${normals[k]}`);
  }
});

test("clusters hold parts together where their vertices meet", () => {
  const s = Math.SQRT1_2;
  const one = { vertex_of: new Uint32Array([0, 1, 2]), triangles: new Uint32Array([0, 1, 2]), normals: new Float32Array([0, s, s, 0, s, s, 0, 0, 1]) };
  const two = { vertex_of: new Uint32Array([0, 3, 1]), triangles: new Uint32Array([0, 1, 2]), normals: new Float32Array([0, s, s, 0, 1, 0, 0, s, s]) };
  const clusters = find_clusters([one, two], 4);
  assert.equal(clusters.count, 4);
  assert.equal(clusters.of[0], clusters.of[3]);
});
