// Bodies with known answers, for the tests of elastic/.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Numbers in [-1, 1] without pattern, the same in every run.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  Mat3 matrix() { return Mat3::from_columns(vector(), vector(), vector()); }

 private:
  std::uint64_t state_;
};

// The box [0, size] in cells[0] x cells[1] x cells[2] cuboids of six tetrahedra each (Kuhn's triangulation).
struct Block {
  TetrahedralMesh mesh;
  std::array<int, 3> cells;

  int vertex(int i, int j, int k) const { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; }
  bool on_boundary(int i, int j, int k) const {
    return i == 0 || j == 0 || k == 0 || i == cells[0] || j == cells[1] || k == cells[2];
  }
};

inline Block block(std::array<int, 3> cells, const Vec3& size) {
  Block result{{}, cells};
  const Vec3 cell{size.x / cells[0], size.y / cells[1], size.z / cells[2]};
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k) result.mesh.positions.push_back({i * cell.x, j * cell.y, k * cell.z});
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k) {
        std::array<std::size_t, 3> axis{0, 1, 2};
        do {
          std::array<int, 3> at{i, j, k};
          Tetrahedron tetrahedron{result.vertex(i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[axis[step]];
            tetrahedron[step + 1] = result.vertex(at[0], at[1], at[2]);
          }
          const auto& p = result.mesh.positions;
          const auto corner = [&](std::size_t c) { return p[static_cast<std::size_t>(tetrahedron[c])]; };
          if (volume(corner(0), corner(1), corner(2), corner(3)) < 0) std::swap(tetrahedron[2], tetrahedron[3]);
          result.mesh.tetrahedra.push_back(tetrahedron);
        } while (std::next_permutation(axis.begin(), axis.end()));
      }
  return result;
}

// The box [0, size] in the body-centred lattice that bodies are made of: four tetrahedra around each face between two
// cuboids, two under each face of the boundary. Corners are numbered as in block(), centres follow.
inline TetrahedralMesh lattice_block(std::array<int, 3> cells, const Vec3& size) {
  Block corners = block(cells, size);
  TetrahedralMesh mesh{std::move(corners.mesh.positions), {}};
  const Vec3 cell{size.x / cells[0], size.y / cells[1], size.z / cells[2]};
  const int first_centre = static_cast<int>(mesh.positions.size());
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k)
        mesh.positions.push_back({(i + 0.5) * cell.x, (j + 0.5) * cell.y, (k + 0.5) * cell.z});
  const auto add = [&](int a, int b, int c, int d) {
    const auto p = [&](int v) { return mesh.positions[static_cast<std::size_t>(v)]; };
    if (volume(p(a), p(b), p(c), p(d)) < 0) std::swap(c, d);
    mesh.tetrahedra.push_back({a, b, c, d});
  };
  std::array<int, 3> at{};
  for (at[0] = 0; at[0] < cells[0]; ++at[0])
    for (at[1] = 0; at[1] < cells[1]; ++at[1])
      for (at[2] = 0; at[2] < cells[2]; ++at[2])
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int side : {0, 1}) {
            const auto centre = [&](const std::array<int, 3>& c) {
              return first_centre + (c[0] * cells[1] + c[1]) * cells[2] + c[2];
            };
            std::array<int, 3> other = at;
            other[axis] += side == 1 ? 1 : -1;
            const bool outer = other[axis] < 0 || other[axis] == cells[axis];
            if (!outer && side == 0) continue;  // made from the other side
            std::array<int, 4> ring{};
            for (std::size_t corner = 0; corner < 4; ++corner) {
              std::array<int, 3> c = at;
              c[axis] += side;
              c[(axis + 1) % 3] += corner == 1 || corner == 2;
              c[(axis + 2) % 3] += corner >= 2;
              ring[corner] = corners.vertex(c[0], c[1], c[2]);
            }
            if (outer) {
              add(centre(at), ring[0], ring[1], ring[2]);
              add(centre(at), ring[0], ring[2], ring[3]);
            } else {
              for (std::size_t corner = 0; corner < 4; ++corner)
                add(centre(at), centre(other), ring[corner], ring[(corner + 1) % 4]);
            }
          }
  return mesh;
}

inline std::vector<int> boundary_vertices(const Block& body) {
  std::vector<int> vertices;
  for (int i = 0; i <= body.cells[0]; ++i)
    for (int j = 0; j <= body.cells[1]; ++j)
      for (int k = 0; k <= body.cells[2]; ++k)
        if (body.on_boundary(i, j, k)) vertices.push_back(body.vertex(i, j, k));
  return vertices;
}

// The same, with inner vertices moved by up to `share` of a unit cell in each direction.
inline Block perturbed_unit_cells(std::array<int, 3> cells, double share, std::uint64_t seed) {
  Block body = block(cells, {double(cells[0]), double(cells[1]), double(cells[2])});
  Noise noise(seed);
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k)
        if (!body.on_boundary(i, j, k))
          body.mesh.positions[static_cast<std::size_t>(body.vertex(i, j, k))] += noise.vector() * share;
  return body;
}

inline std::vector<Vec3> mapped(const std::vector<Vec3>& positions, const Affine& map) {
  std::vector<Vec3> result;
  for (const Vec3& p : positions) result.push_back(map * p);
  return result;
}

inline double largest_norm(std::span<const Vec3> vectors) {
  double largest = 0;
  for (const Vec3& v : vectors) largest = std::max(largest, norm(v));
  return largest;
}

}  // namespace sinew::test
