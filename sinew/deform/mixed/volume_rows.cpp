#include "sinew/deform/mixed/volume_rows.h"

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t volume_rows_grain = 2048;

void sort_by_vertex(std::size_t free_vertices, VolumeRows& rows) {
  rows.vertex_start.assign(free_vertices + 1, 0);
  for (const int v : rows.vertex) ++rows.vertex_start[index(v) + 1];
  for (std::size_t v = 0; v < free_vertices; ++v) rows.vertex_start[v + 1] += rows.vertex_start[v];
  std::vector<int> next(rows.vertex_start.begin(), rows.vertex_start.end() - 1);
  rows.row.resize(rows.vertex.size());
  rows.entry.resize(rows.vertex.size());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (int e = rows.row_start[r]; e < rows.row_start[r + 1]; ++e) {
      const auto item = index(next[index(rows.vertex[index(e)])]++);
      rows.row[item] = static_cast<int>(r);
      rows.entry[item] = e;
    }
}

}  // namespace

VolumeRows volume_rows(const MixedBody& body, std::span<const double> modulus) {
  const StrainSamples& samples = body.samples;
  VolumeRows rows;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const double weight = modulus[s] * samples.volume[s];
    if (weight == 0) continue;
    rows.sample.push_back(static_cast<int>(s));
    rows.weight.push_back(weight);
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
      const int number = body.free.number[index(samples.vertex[index(k)])];
      if (number < 0) continue;
      rows.vertex.push_back(number);
      rows.gradient.push_back(k);
    }
    rows.row_start.push_back(static_cast<int>(rows.vertex.size()));
  }
  sort_by_vertex(body.free.vertex.size(), rows);
  rows.by_row.resize(rows.vertex.size());
  rows.by_vertex.resize(rows.vertex.size());
  return rows;
}

void turn_volume_rows(const MixedBody& body, std::span<const Mat3> rotations, VolumeRows& rows) {
  parallel_for(rows.rows(), volume_rows_grain, [&](std::size_t r) {
    const Mat3& rotation = rotations[index(rows.sample[r])];
    for (std::size_t e = index(rows.row_start[r]); e < index(rows.row_start[r + 1]); ++e) {
      const Vec3 turned = rotation * body.samples.gradient[index(rows.gradient[e])];
      rows.by_row[e] = {static_cast<float>(turned.x), static_cast<float>(turned.y), static_cast<float>(turned.z), 0};
    }
  });
  parallel_for(rows.by_vertex.size(), volume_rows_grain,
               [&](std::size_t item) { rows.by_vertex[item] = rows.by_row[index(rows.entry[item])]; });
}

void find_tensions(const MixedBody& body, const VolumeRows& rows, std::span<const Mat3> rotations,
                   std::span<const Vec3> positions, std::span<double> tension) {
  parallel_for(rows.rows(), volume_rows_grain, [&](std::size_t r) {
    const std::size_t s = index(rows.sample[r]);
    const Mat3& rotation = rotations[s];
    // R : (F - R) with F = I + sum u g^T.
    Mat3 change = Mat3::identity() - rotation;
    for (std::size_t k = index(body.samples.start[s]); k < index(body.samples.start[s + 1]); ++k) {
      const std::size_t v = index(body.samples.vertex[k]);
      change += outer(positions[v] - body.rest[v], body.samples.gradient[k]);
    }
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) sum += rotation.m[k] * change.m[k];
    tension[r] = rows.weight[r] * sum;
  });
}

}  // namespace sinew
