// Normals of a moving surface. Vertices of a model that share a surface vertex and a normal in the file form one
// cluster. Face normals are summed over clusters, weighted by area, so that smooth shading stays smooth across texture
// seams and hard edges stay hard.

export interface Part {
  vertex_of: Uint32Array; // surface vertex per drawn vertex
  normals: Float32Array | null; // as in the file
  triangles: Uint32Array; // of drawn vertices
}

export interface Clusters {
  count: number;
  of: Uint32Array; // cluster per drawn vertex, all parts in sequence
  corners: Uint32Array; // cluster per corner of a triangle
  vertices: Uint32Array; // surface vertex per corner of a triangle
  vertex_of: Uint32Array; // surface vertex per drawn vertex
}

const same_direction = 0.9995; // cosine: within two degrees

function joined(arrays: Uint32Array[]): Uint32Array {
  const all = new Uint32Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

export function find_clusters(parts: Part[], surface_vertices: number): Clusters {
  const vertex_of = joined(parts.map((part) => part.vertex_of));
  const of = new Uint32Array(vertex_of.length);
  const first = new Int32Array(surface_vertices).fill(-1); // per surface vertex: its first cluster
  const next: number[] = []; // per cluster: the next one at the same vertex
  const normal: number[] = []; // per cluster
  let begin = 0;
  for (const part of parts) {
    for (let k = 0; k < part.vertex_of.length; ++k) {
      const vertex = part.vertex_of[k];
      const [x, y, z] = part.normals ? part.normals.subarray(3 * k, 3 * k + 3) : [0, 0, 0];
      let cluster = first[vertex];
      while (cluster >= 0) {
        const dot = x * normal[3 * cluster] + y * normal[3 * cluster + 1] + z * normal[3 * cluster + 2];
        if (!part.normals || dot > same_direction) break;
        cluster = next[cluster];
      }
      if (cluster < 0) {
        cluster = next.length;
        next.push(first[vertex]);
        first[vertex] = cluster;
        normal.push(x, y, z);
      }
      of[begin + k] = cluster;
    }
    begin += part.vertex_of.length;
  }
  const drawn: Uint32Array[] = [];
  begin = 0;
  for (const part of parts) {
    const offset = begin;
    drawn.push(part.triangles.map((vertex) => vertex + offset));
    begin += part.vertex_of.length;
  }
  const corners = joined(drawn);
  return {
    count: next.length, of, vertex_of, corners: corners.map((vertex) => of[vertex]),
    vertices: corners.map((vertex) => vertex_of[vertex]),
  };
}

// Clusters of the surface itself: one per vertex, smooth everywhere.
export function surface_clusters(triangles: Uint32Array, vertices: number): Clusters {
  const each = new Uint32Array(vertices).map((_, k) => k);
  return { count: vertices, of: each, vertex_of: each, corners: triangles, vertices: triangles };
}

// Unit normals per cluster, summed over the faces; `sums` has 3 floats per cluster.
export function cluster_normals(clusters: Clusters, positions: Float32Array, sums: Float32Array) {
  sums.fill(0);
  const { corners, vertices } = clusters;
  for (let k = 0; k < vertices.length; k += 3) {
    const a = 3 * vertices[k], b = 3 * vertices[k + 1], c = 3 * vertices[k + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
    const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (let corner = k; corner < k + 3; ++corner) {
      const at = 3 * corners[corner];
      sums[at] += x;
      sums[at + 1] += y;
      sums[at + 2] += z;
    }
  }
  for (let k = 0; k < sums.length; k += 3) {
    const length = Math.sqrt(sums[k] * sums[k] + sums[k + 1] * sums[k + 1] + sums[k + 2] * sums[k + 2]);
    const scale = length > 0 ? 1 / length : 0;
    sums[k] *= scale;
    sums[k + 1] *= scale;
    sums[k + 2] *= scale;
  }
}

// Copies cluster normals to the drawn vertices, 3 floats each.
export function spread(per: Uint32Array, values: Float32Array, into: Float32Array) {
  for (let k = 0, at = 0; k < per.length; ++k, at += 3) {
    const from = 3 * per[k];
    into[at] = values[from];
    into[at + 1] = values[from + 1];
    into[at + 2] = values[from + 2];
  }
}
