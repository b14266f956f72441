// Strain of the skin: how much longer or shorter its edges are than the rig has them. Pure.

const bins = 400, most = 2; // of the histogram: strains beyond `most` count as it

// Pairs of vertices, one per side of a triangle, at most about `count` of them, spread evenly.
export function sampled_edges(triangles: ArrayLike<number>, count: number): Uint32Array {
  const sides = triangles.length, step = Math.max(1, Math.ceil(sides / count)), kept = Math.ceil(sides / step);
  const edges = new Uint32Array(2 * kept);
  for (let k = 0; k < kept; ++k) {
    const at = k * step, next = at % 3 === 2 ? at - 2 : at + 1;
    edges[2 * k] = triangles[at];
    edges[2 * k + 1] = triangles[next];
  }
  return edges;
}

// The strain that this share of the edges stays below: |length / length by the rig - 1|. Edges without a length do not count.
export function strain_of(edges: ArrayLike<number>, positions: ArrayLike<number>, goal: ArrayLike<number>, share: number): number {
  const histogram = new Uint32Array(bins + 1);
  let counted = 0;
  for (let k = 0; k < edges.length; k += 2) {
    const rig = length(goal, edges[k], edges[k + 1]);
    if (!(rig > 0)) continue;
    const strain = Math.abs(length(positions, edges[k], edges[k + 1]) / rig - 1);
    ++histogram[Math.min(bins, Math.floor((strain / most) * bins))];
    ++counted;
  }
  let below = 0;
  for (let bin = 0; bin <= bins; ++bin) {
    below += histogram[bin];
    if (counted > 0 && below >= share * counted) return ((bin + 0.5) / bins) * most;
  }
  return 0;
}

function length(points: ArrayLike<number>, a: number, b: number): number {
  return Math.hypot(points[3 * a] - points[3 * b], points[3 * a + 1] - points[3 * b + 1], points[3 * a + 2] - points[3 * b + 2]);
}
