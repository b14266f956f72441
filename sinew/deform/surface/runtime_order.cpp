#include "sinew/deform/surface/runtime_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sinew {
namespace {

// Vertices of so many places in a row may change places among each other, so that blocks have equal counts.
constexpr std::size_t sorted_window = 64;

std::uint64_t spread_bits(std::uint64_t v) {  // 21 bits to every third
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

// Position of a point along Morton's curve through a cube.
std::uint64_t along_curve(const Vec3& p, const Vec3& low, double size) {
  const auto cell = [&](double from_low) {
    return static_cast<std::uint64_t>(std::clamp(from_low / size, 0.0, 1.0) * 0x1fffff);
  };
  return spread_bits(cell(p.x - low.x)) | spread_bits(cell(p.y - low.y)) << 1 | spread_bits(cell(p.z - low.z)) << 2;
}

}  // namespace

std::vector<int> runtime_order(const SurfaceModel& model) {
  const std::size_t n = model.rest.size();
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Vec3& p : model.rest) low = min(low, p), high = max(high, p);
  const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-12});
  std::vector<std::uint64_t> key(n);
  for (std::size_t v = 0; v < n; ++v) key[v] = along_curve(model.rest[v], low, size);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)]; });
  const auto count = [&](int v) {
    return model.first_neighbour[static_cast<std::size_t>(v) + 1] - model.first_neighbour[static_cast<std::size_t>(v)];
  };
  for (std::size_t begin = 0; begin < n; begin += sorted_window)
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                     order.begin() + static_cast<std::ptrdiff_t>(std::min(n, begin + sorted_window)),
                     [&](int a, int b) { return count(a) < count(b); });
  return order;
}

}  // namespace sinew
