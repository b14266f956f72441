#include "sinew/elastic/free_vertices.h"

#include <string>

#include "sinew/base/error.h"

namespace sinew {

FreeVertices free_vertices(std::size_t vertices, std::span<const int> held) {
  FreeVertices free;
  free.number.assign(vertices, 0);
  for (const int v : held) {
    if (v < 0 || static_cast<std::size_t>(v) >= vertices)
      throw usage_error("held vertex " + std::to_string(v) + " is not among the body's " + std::to_string(vertices) +
                        " vertices; hold vertices of this body.");
    free.number[static_cast<std::size_t>(v)] = -1;
  }
  for (std::size_t v = 0; v < vertices; ++v)
    if (free.number[v] >= 0) {
      free.number[v] = free.count();
      free.vertex.push_back(static_cast<int>(v));
    }
  if (free.vertex.empty()) throw usage_error("all vertices of the body are held; leave some of them free.");
  return free;
}

std::vector<double> gather(const FreeVertices& free, std::span<const Vec3> values) {
  std::vector<double> numbers;
  numbers.reserve(3 * free.vertex.size());
  for (const int v : free.vertex) {
    const Vec3& value = values[static_cast<std::size_t>(v)];
    numbers.insert(numbers.end(), {value.x, value.y, value.z});
  }
  return numbers;
}

std::vector<Vec3> moved_positions(std::span<const Vec3> positions, const FreeVertices& free,
                                  std::span<const double> step, double share) {
  std::vector<Vec3> result(positions.begin(), positions.end());
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    result[static_cast<std::size_t>(free.vertex[f])] += share * Vec3{step[3 * f], step[3 * f + 1], step[3 * f + 2]};
  return result;
}

}  // namespace sinew
