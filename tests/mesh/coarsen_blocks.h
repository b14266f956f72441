// Complexes for the tests of coarsening, and what must hold in all of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "shapes.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/lattice_building/coarsen_points.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew::test {

// Unit cubes, each cut into six tetrahedra around its diagonal.
inline TetrahedralMesh block(int nx, int ny, int nz) {
  TetrahedralMesh mesh;
  const auto at = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) mesh.positions.push_back({double(i), double(j), double(k)});
  constexpr int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (const auto& order : axes) {
          std::array<int, 3> c{i, j, k};
          Tetrahedron t{at(c[0], c[1], c[2])};
          for (std::size_t s = 0; s < 3; ++s) {
            ++c[std::size_t(order[s])];
            t[s + 1] = at(c[0], c[1], c[2]);
          }
          const auto p = [&](std::size_t n) { return mesh.positions[std::size_t(t[n])]; };
          if (volume(p(0), p(1), p(2), p(3)) < 0) std::swap(t[2], t[3]);
          mesh.tetrahedra.push_back(t);
        }
  return mesh;
}

inline TriangleMesh block_surface(int nx, int ny, int nz) {
  const TetrahedralMesh mesh = block(nx, ny, nz);
  return {mesh.positions, boundary_surface(mesh).triangles};
}

inline std::vector<int> homes_of(const TetrahedralComplex& complex, const TriangleMesh& surface) {
  std::vector<int> home;
  for (const Vec3& p : surface.positions) home.push_back(walk_to(complex, 0, p));
  return home;
}

inline double complex_volume(const TetrahedralComplex& complex) {
  double sum = 0;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t)
    if (complex.is_alive(int(t))) {
      const auto p = complex.corners(int(t));
      sum += volume(p[0], p[1], p[2], p[3]);
    }
  return sum;
}

inline double worst_mean_ratio(const TetrahedralComplex& complex) {
  double worst = HUGE_VAL;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t)
    if (complex.is_alive(int(t))) worst = std::min(worst, mean_ratio(complex.corners(int(t))));
  return worst;
}

// Positive volumes, faces of two tetrahedra at most on opposite sides, stars that know their tetrahedra, chains of
// edges.
inline void expect_sound(const TetrahedralComplex& complex) {
  std::map<std::array<int, 3>, int> faces;
  for (std::size_t t = 0; t < complex.tetrahedra.size(); ++t) {
    if (!complex.is_alive(int(t))) continue;
    EXPECT_GT(mean_ratio(complex.corners(int(t))), 0) << "tetrahedron " << t;
    const Tetrahedron& c = complex.tetrahedra[t];
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<int, 3> face{c[(k + 1) % 4], c[(k + 2) % 4], c[(k + 3) % 4]};
      std::sort(face.begin(), face.end());
      const auto x = [&](int v) { return complex.positions[std::size_t(v)]; };
      const int side = volume(x(face[0]), x(face[1]), x(face[2]), x(c[k])) > 0 ? 1 : 2;
      EXPECT_EQ(faces[face] & side, 0) << "face " << face[0] << ' ' << face[1] << ' ' << face[2];
      faces[face] |= side;
      const std::vector<int>& star = complex.star[std::size_t(c[k])];
      EXPECT_EQ(std::count(star.begin(), star.end(), int(t)), 1);
    }
  }
  for (const std::vector<int>& chain : complex.chains)
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      EXPECT_FALSE(around_edge(complex, chain[i], chain[i + 1]).empty()) << "chain at " << i;
}

inline TetrahedralMesh alive_mesh(const TetrahedralComplex& complex) {
  TetrahedralMesh mesh{complex.positions, {}};
  for (const Tetrahedron& t : complex.tetrahedra)
    if (t[0] >= 0) mesh.tetrahedra.push_back(t);
  return mesh;
}

// Stands on the origin, 2 m high, with a waist.
inline TriangleMesh wavy_tube() {
  return outward(tube(
      40, 24,
      [](double t) {
        return Vec3{0.1 * std::sin(3 * t), 2 * t, 0};
      },
      [](double t) { return 0.3 + 0.1 * std::cos(8 * t); },
      [](double) {
        return Vec3{1, 0, 0};
      },
      {0, 0, 0}, {0.1 * std::sin(3.0), 2, 0}, {0, 0, 1}));
}

// The body mesh of a surface, which it carries.
inline TetrahedralComplex complex_of(const TriangleMesh& surface, int tetrahedra, VolumeMesh& body) {
  VolumeMeshingOptions options;
  options.target_tetrahedra = tetrahedra;
  body = mesh_volume(surface, options);
  TetrahedralComplex complex(body.mesh);
  std::vector<int> home;
  for (const EmbeddedPoint& p : body.embedding.points) home.push_back(p.tetrahedron);
  carry_surface(complex, surface, home, 0.5 * body.cell_size);
  return complex;
}

// Directions that have nothing to do with one another, of length 1.
inline Vec3 direction(int n) {
  return normalized(Vec3{std::sin(12.9898 * n + 1), std::sin(78.233 * n + 2), std::sin(37.719 * n + 3)});
}

}  // namespace sinew::test
