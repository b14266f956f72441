// The part of the condensed matrix that couples the three coordinates where the material has the form of equation 14
// with kappa = mu: a matrix of rank one for each sample,
//
//   A = L (x) 1_3 + D^T C D,   row s of D:  (D u)_s = sum_i (R_s g_si) . u_i = tr(R_s^T grad u),   C_ss = c_s V_s.
//
// D u is the change of volume that a displacement makes in the samples, in the frames of their rotations. D is kept
// for one pose, twice, by samples and by vertices, so that products with D and D^T only gather: the same bits for any
// number of threads. It is rounded to single precision: D^T C D stays symmetric and off by 1e-7, while right-hand
// sides are found from the rotations themselves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// A row of D at one vertex. The fourth number is zero.
struct VolumeEntry {
  float x = 0, y = 0, z = 0, none = 0;
};

struct VolumeRows {
  std::vector<int> sample;     // per row: the sample it belongs to; samples without a volume part have none
  std::vector<double> weight;  // per row: c_s V_s, joules
  // Row r covers entries row_start[r] .. row_start[r + 1]: free vertices only.
  std::vector<int> row_start{0};
  std::vector<int> vertex;          // per entry: number among the free vertices
  std::vector<int> gradient;        // per entry: index into StrainSamples::gradient
  std::vector<VolumeEntry> by_row;  // per entry, of the pose
  // Free vertex v covers items vertex_start[v] .. vertex_start[v + 1], in the order of the rows.
  std::vector<int> vertex_start{0};
  std::vector<int> row;                // per item
  std::vector<int> entry;              // per item: index into `vertex` and `by_row`
  std::vector<VolumeEntry> by_vertex;  // per item, of the pose

  std::size_t rows() const { return sample.size(); }
};

// `modulus`: per sample, c_s, pascals; of no rotation yet.
VolumeRows volume_rows(const MixedBody& body, std::span<const double> modulus);

// D for the rotations (per sample) of a pose.
void turn_volume_rows(const MixedBody& body, std::span<const Mat3> rotations, VolumeRows& rows);

// tension[r] = c V tr(R^T F - I) of the row's sample at `positions` (n, metres, world), in double precision: zero where
// the sample is only turned, wherever it is.
void find_tensions(const MixedBody& body, const VolumeRows& rows, std::span<const Mat3> rotations,
                   std::span<const Vec3> positions, std::span<double> tension);

// Vectors over free vertices have three numbers each and one more at the end, which is read and not used.

// change[r] = (D u)_r for rows [begin, end).
void volume_change(const VolumeRows& rows, std::span<const double> u, std::size_t begin, std::size_t end,
                   std::span<double> change);

// force[v] += (D^T tension)_v for vertices [begin, end).
void add_volume_forces(const VolumeRows& rows, std::span<const double> tension, std::size_t begin, std::size_t end,
                       std::span<double> force);

// The same number by number, which the ones above are tested against.
void volume_change_reference(const VolumeRows& rows, std::span<const double> u, std::size_t begin, std::size_t end,
                             std::span<double> change);
void add_volume_forces_reference(const VolumeRows& rows, std::span<const double> tension, std::size_t begin,
                                 std::size_t end, std::span<double> force);

}  // namespace sinew
