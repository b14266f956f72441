// The body-centred cubic lattice: the corners and centres of a grid of cubes. Two neighbouring centres and an edge of
// the face between them form a tetrahedron: 12 per cube, all congruent, with dihedral angles of 60 and 90 degrees
// (Labelle and Shewchuk 2007, section 3).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

using CubeIndex = std::array<int, 3>;

inline CubeIndex neighbour(CubeIndex cube, std::size_t axis, int step) {
  cube[axis] += step;
  return cube;
}

// A grid of cubes in space: cube (i, j, k) spans [i, i + 1] x ... times `cell`.
struct CubeGrid {
  Vec3 origin;
  double cell = 1;

  Vec3 corner(const CubeIndex& c) const { return origin + cell * Vec3{double(c[0]), double(c[1]), double(c[2])}; }
  Vec3 center(const CubeIndex& c) const { return corner(c) + cell * Vec3{0.5, 0.5, 0.5}; }
  CubeIndex cube_of(const Vec3& p) const {
    const Vec3 q = (p - origin) / cell;
    return {static_cast<int>(std::floor(q.x)), static_cast<int>(std::floor(q.y)), static_cast<int>(std::floor(q.z))};
  }
};

// Coordinates must lie within [0, max_lattice_coordinate].
inline constexpr int max_lattice_coordinate = (1 << 19) - 1;

// Key of a cube, or of its lower corner; keys are ordered by z, y, x.
inline std::uint64_t lattice_key(const CubeIndex& c) {
  return (static_cast<std::uint64_t>(c[2]) << 40) | (static_cast<std::uint64_t>(c[1]) << 20) |
         static_cast<std::uint64_t>(c[0]);
}

// A tetrahedron: centre of `cube`, centre of its upper neighbour along `axis`, and corners `edge` and `edge + 1` (mod
// 4) of the face between them.
struct LatticeTetrahedron {
  CubeIndex cube;
  std::uint8_t axis = 0, edge = 0;
};

// Nodes of the lattice: corner (i, j, k) or centre of cube (i, j, k).
struct LatticeNode {
  CubeIndex index;
  bool center = false;
};
inline std::uint64_t lattice_key(const LatticeNode& n) {
  return (lattice_key(n.index) << 1) | static_cast<std::uint64_t>(n.center);
}
inline Vec3 position(const CubeGrid& grid, const LatticeNode& n) {
  return n.center ? grid.center(n.index) : grid.corner(n.index);
}

// The nodes of a tetrahedron in the order of positive volume.
inline std::array<LatticeNode, 4> nodes_of(const LatticeTetrahedron& t) {
  const std::size_t b = (t.axis + 1u) % 3, c = (t.axis + 2u) % 3;
  const CubeIndex upper = neighbour(t.cube, t.axis, 1);
  const auto face_corner = [&](unsigned k) {
    CubeIndex q = upper;
    if (k == 1 || k == 2) ++q[b];
    if (k == 2 || k == 3) ++q[c];
    return q;
  };
  return {{{t.cube, true}, {upper, true}, {face_corner(t.edge), false}, {face_corner((t.edge + 1u) % 4), false}}};
}

// Open-addressing hash table from lattice keys to indices.
class LatticeMap {
 public:
  explicit LatticeMap(std::size_t expected = 64) { rehash(expected); }
  // Index stored for `key`, or -1.
  int find(std::uint64_t key) const {
    for (std::size_t slot = hash(key);; ++slot) {
      const Entry& entry = entries_[slot & mask_];
      if (entry.value < 0) return -1;
      if (entry.key == key) return entry.value;
    }
  }
  // Stores `value` (not negative) unless the key exists; returns the stored value.
  int insert(std::uint64_t key, int value) {
    if (2 * (size_ + 1) > entries_.size()) rehash(2 * entries_.size());
    for (std::size_t slot = hash(key);; ++slot) {
      Entry& entry = entries_[slot & mask_];
      if (entry.value < 0) {
        entry = {key, value};
        ++size_;
        return value;
      }
      if (entry.key == key) return entry.value;
    }
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    int value = -1;
  };
  static std::size_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(key ^ (key >> 29));
  }
  void rehash(std::size_t wanted) {
    std::size_t capacity = 64;
    while (capacity < 2 * wanted) capacity *= 2;
    std::vector<Entry> old(capacity);
    old.swap(entries_);
    mask_ = capacity - 1;
    size_ = 0;
    for (const Entry& entry : old)
      if (entry.value >= 0) insert(entry.key, entry.value);
  }
  std::vector<Entry> entries_;
  std::size_t mask_ = 0, size_ = 0;
};

}  // namespace sinew
