#include "sinew/mesh/surface/weld.h"

#include <cstdint>

namespace sinew {
namespace {

std::uint64_t mixed(std::uint64_t a) {
  a ^= a >> 30;
  a *= 0xbf58476d1ce4e5b9ULL;
  a ^= a >> 27;
  a *= 0x94d049bb133111ebULL;
  return a ^ (a >> 31);
}

std::uint64_t hash_of(double x, double y, double z) {
  const auto bits = [](double v) {
    v += 0.0;  // -0 becomes 0
    std::uint64_t b;
    static_assert(sizeof b == sizeof v);
    __builtin_memcpy(&b, &v, sizeof b);
    return b;
  };
  return mixed(bits(x) + mixed(bits(y) + mixed(bits(z))));
}

// Chained hash table from a key to the welded vertices filed under it.
class Buckets {
 public:
  explicit Buckets(std::size_t count) {
    std::size_t size = 16;
    while (size < 2 * count) size *= 2;
    head_.assign(size, -1);
  }
  void add(std::uint64_t key, int welded) {
    int& head = head_[key & (head_.size() - 1)];
    entries_.push_back({key, welded, head});
    head = static_cast<int>(entries_.size()) - 1;
  }
  // The smallest welded vertex under `key` that `accept` takes, or -1.
  template <class Accept>
  int find(std::uint64_t key, const Accept& accept) const {
    int best = -1;
    for (int e = head_[key & (head_.size() - 1)]; e >= 0; e = entries_[static_cast<std::size_t>(e)].next) {
      const Entry& entry = entries_[static_cast<std::size_t>(e)];
      if (entry.key == key && (best < 0 || entry.welded < best) && accept(entry.welded)) best = entry.welded;
    }
    return best;
  }

 private:
  struct Entry {
    std::uint64_t key;
    int welded, next;
  };
  std::vector<int> head_;
  std::vector<Entry> entries_;
};

}  // namespace

WeldMap weld(std::span<const Vec3> positions, const WeldOptions& options) {
  WeldMap map;
  map.welded.resize(positions.size());
  Buckets buckets(positions.size());
  const double tolerance = options.tolerance, squared_tolerance = tolerance * tolerance;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3 p = positions[i];
    int found = -1;
    if (is_finite(p)) {
      const auto accept = [&](int w) {
        const int first = map.source[static_cast<std::size_t>(w)];
        const Vec3 q = positions[static_cast<std::size_t>(first)];
        return (tolerance > 0 ? squared_norm(p - q) <= squared_tolerance : p == q) &&
               (!options.equal || options.equal(first, static_cast<int>(i)));
      };
      if (tolerance > 0) {
        const Vec3 c = p / (2 * tolerance);
        // A ball of radius `tolerance` touches at most two grid cells of size 2 tolerance per axis.
        const double x0 = std::floor(c.x - 0.5), y0 = std::floor(c.y - 0.5), z0 = std::floor(c.z - 0.5);
        for (int corner = 0; corner < 8; ++corner) {
          const int w = buckets.find(hash_of(x0 + (corner & 1), y0 + (corner >> 1 & 1), z0 + (corner >> 2)), accept);
          if (w >= 0 && (found < 0 || w < found)) found = w;
        }
      } else {
        found = buckets.find(hash_of(p.x, p.y, p.z), accept);
      }
    }
    if (found < 0) {
      found = static_cast<int>(map.source.size());
      map.source.push_back(static_cast<int>(i));
      if (is_finite(p)) {
        const Vec3 c = tolerance > 0 ? p / (2 * tolerance) : p;
        buckets.add(tolerance > 0 ? hash_of(std::floor(c.x), std::floor(c.y), std::floor(c.z)) : hash_of(c.x, c.y, c.z),
                    found);
      }
    }
    map.welded[i] = found;
  }
  return map;
}

TriangleMesh apply_weld(const TriangleMesh& mesh, const WeldMap& map) {
  TriangleMesh result;
  result.positions.reserve(map.source.size());
  for (int first : map.source) result.positions.push_back(mesh.positions[static_cast<std::size_t>(first)]);
  result.triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    Triangle welded;
    for (std::size_t k = 0; k < 3; ++k) welded[k] = map.welded[static_cast<std::size_t>(t[k])];
    result.triangles.push_back(welded);
  }
  return result;
}

JoinedMesh join(std::span<const TriangleMesh* const> parts) {
  JoinedMesh joined;
  joined.vertex_offset.push_back(0);
  joined.triangle_offset.push_back(0);
  for (const TriangleMesh* part : parts) {
    const int offset = joined.vertex_offset.back();
    joined.mesh.positions.insert(joined.mesh.positions.end(), part->positions.begin(), part->positions.end());
    for (const Triangle& t : part->triangles)
      joined.mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    joined.vertex_offset.push_back(static_cast<int>(joined.mesh.positions.size()));
    joined.triangle_offset.push_back(static_cast<int>(joined.mesh.triangles.size()));
  }
  return joined;
}

}  // namespace sinew
