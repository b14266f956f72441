// Local changes to a closed triangle mesh that keep it a closed manifold.
#pragma once

#include <utility>
#include <vector>

#include "surface.h"

namespace sinew::samples {

struct MeshEditor {
  explicit MeshEditor(Surface surface);

  std::vector<Vec3> position;
  std::vector<Vec3> normal;                // per vertex: of the solid there; triangles must agree with it
  std::vector<char> on_outline;            // per vertex: lies where two regions meet
  std::vector<std::vector<Index>> around;  // per vertex: its triangles
  std::vector<Triangle> triangle;
  std::vector<std::uint8_t> region;  // per triangle
  std::vector<char> alive;           // per triangle

  bool is_used(Index v) const { return !around[v].empty(); }
  Vec3 area_vector(Index t) const;
  // Each edge once, as (smaller, larger), in the order of the triangles.
  std::vector<std::pair<Index, Index>> edges() const;
  std::vector<Index> neighbours(Index v) const;
  bool has_edge(Index u, Index v) const;
  // The two sides belong to different regions.
  bool is_outline_edge(Index u, Index v) const;
  // Whether v may move to p, where the solid's normal is n: no triangle turns away from the normals
  // of its corners or vanishes.
  bool keeps_orientation(Index v, const Vec3& p, const Vec3& n) const;

  // The same for the four triangles that a split at `middle` makes.
  bool split_keeps_orientation(Index u, Index v, const Vec3& middle, const Vec3& n) const;
  // Puts a vertex at `middle` into edge (u, v) and returns it.
  Index split(Index u, Index v, const Vec3& middle, const Vec3& n);

  // Whether `removed` can be merged into `kept` at `target` without changing the topology, turning
  // a triangle over or making an edge longer than `longest`.
  bool can_collapse(Index kept, Index removed, const Vec3& target, const Vec3& n, double longest) const;
  void collapse(Index kept, Index removed, const Vec3& target, const Vec3& n);

  // Whether the edge is not locally Delaunay (opposite angles sum to more than 180 degrees) and may
  // be turned; flip() returns false where the turned edge exists already or triangles would fold.
  bool improves_by_flip(Index u, Index v) const;
  bool flip(Index u, Index v);

  Surface compact() const;

 private:
  struct Sides {
    Index left, right;  // triangles that contain u->v and v->u
    Index left_apex, right_apex;
  };
  Sides sides(Index u, Index v) const;
  // Whether triangle t stays fair when its corner `from` moves to p.
  bool stays_fair(Index t, Index from, const Vec3& p, const Vec3& n, double longest) const;
  void detach(Index t, Index v);
};

}  // namespace sinew::samples
