#include "sinew/deform/rig_space/rig_space_body.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

// A Jacobian by vertices instead of columns.
struct JacobianRows {
  std::vector<int> start;        // vertices + 1
  std::vector<int> column;       // per entry, ascending within a vertex
  std::vector<Vec3> derivative;  // per entry
};

JacobianRows rows_of(const RigJacobian& jacobian, std::size_t vertices) {
  JacobianRows rows;
  rows.start.assign(vertices + 1, 0);
  for (const int v : jacobian.vertex) ++rows.start[index(v) + 1];
  for (std::size_t v = 0; v < vertices; ++v) rows.start[v + 1] += rows.start[v];
  rows.column.resize(jacobian.vertex.size());
  rows.derivative.resize(jacobian.vertex.size());
  std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
  for (std::size_t c = 0; c < jacobian.columns(); ++c)
    for (auto k = index(jacobian.start[c]); k < index(jacobian.start[c + 1]); ++k) {
      const auto at = index(next[index(jacobian.vertex[k])]++);
      rows.column[at] = static_cast<int>(c);
      rows.derivative[at] = jacobian.derivative[k];
    }
  return rows;
}

ReducedBasisBuilder with_boundary(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian) {
  const JacobianRows rows = rows_of(jacobian, s.size());
  ReducedBasisBuilder builder(jacobian.columns());
  for (const SurfaceAnchor& anchor : body.anchors) {
    for (std::size_t which = 0; which < (anchor.on_surface() ? 3u : 6u); ++which) {
      const auto vertex = index(which < 3 ? anchor.vertex[which] : anchor.frame[which - 3]);
      if (rows.start[vertex] == rows.start[vertex + 1] || (which < 3 && anchor.weight[which] == 0)) continue;
      const Mat3 turn = which < 3 ? Mat3::identity() : anchor_derivative(anchor, s, which);
      for (auto k = index(rows.start[vertex]); k < index(rows.start[vertex + 1]); ++k)
        builder.add(index(rows.column[k]),
                    which < 3 ? rows.derivative[k] * anchor.weight[which] : turn * rows.derivative[k]);
    }
    builder.finish_row();
  }
  return builder;
}

}  // namespace

std::vector<int> anchored_vertices(std::span<const SurfaceAnchor> anchors) {
  std::vector<int> vertices;
  for (const SurfaceAnchor& anchor : anchors) {
    vertices.insert(vertices.end(), anchor.vertex.begin(), anchor.vertex.end());
    if (!anchor.on_surface()) vertices.insert(vertices.end(), anchor.frame.begin(), anchor.frame.end());
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

std::vector<SurfaceAnchor> renumbered(std::span<const SurfaceAnchor> anchors, std::span<const int> vertices) {
  std::vector<SurfaceAnchor> result(anchors.begin(), anchors.end());
  const auto number = [&](int& v) {
    if (v >= 0) v = static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  for (SurfaceAnchor& anchor : result) {
    for (int& v : anchor.vertex) number(v);
    for (int& v : anchor.frame) number(v);
  }
  return result;
}

std::vector<double> vertex_masses(const TetrahedralMesh& mesh, std::span<const double> fill, double density) {
  std::vector<double> mass(mesh.positions.size(), 0.0);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const Tetrahedron& t = mesh.tetrahedra[e];
    const double own = density * fill[e] *
                       volume(mesh.positions[index(t[0])], mesh.positions[index(t[1])], mesh.positions[index(t[2])],
                              mesh.positions[index(t[3])]);
    for (const int v : t) mass[index(v)] += own / 4;
  }
  return mass;
}

void place_boundary(const RigSpaceBody& body, std::span<const Vec3> s, std::span<Vec3> x) {
  parallel_for(body.anchors.size(), 512, [&](std::size_t v) { x[v] = anchored_position(body.anchors[v], s); });
}

void place_interior(const RigSpaceBody& body, std::span<Vec3> x) {
  const std::size_t boundary = body.boundary_vertices();
  parallel_for(body.interior_vertices(), 256, [&](std::size_t i) { x[boundary + i] = row_times(body.interior, i, x); });
}

ReducedBasis boundary_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian) {
  return with_boundary(body, s, jacobian).take();
}

ReducedBasis body_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian) {
  return corrected_basis(body, s, jacobian, {});
}

ReducedBasis corrected_basis(const RigSpaceBody& body, std::span<const Vec3> s, const RigJacobian& jacobian,
                             std::span<const Mat3> rotations) {
  ReducedBasisBuilder builder = with_boundary(body, s, jacobian);
  for (std::size_t i = 0; i < body.interior_vertices(); ++i) {
    for (auto k = index(body.interior.start[i]); k < index(body.interior.start[i + 1]); ++k)
      builder.add_row(builder.basis(), index(body.interior.column[k]), body.interior.value[k]);
    if (!rotations.empty()) builder.add_turned_row(body.correction.rest, i, rotations[i]);
    builder.finish_row();
  }
  return builder.take();
}

}  // namespace sinew
