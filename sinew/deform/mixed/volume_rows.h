// The volume part of the condensed matrix, which couples the three coordinates, for materials of equation 14 with kappa
// = mu. It is a matrix of rank one for each sample:
//
//   A = L (x) 1_3 + D^T C D,   row s of D:  (D u)_s = sum_i (R_s g_si) . u_i = tr(R_s^T grad u),   C_ss = c_s V_s.
//
// D u is the volume change caused by a displacement in each sample, in the frame of its rotation. D is stored for one
// pose, by samples and by vertices, so that products with D and D^T only gather and have the same bits for any number
// of threads. It is rounded to single precision: D^T C D stays symmetric, with a relative error of 1e-7; right-hand
// sides are computed from the rotations in double precision.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"

namespace sinew {

// Entry of a row of D at one vertex. The fourth number is zero.
struct VolumeEntry {
  float x = 0, y = 0, z = 0, none = 0;
};

struct VolumeRows {
  std::vector<int> sample;     // per row: its sample; samples without a volume part have no row
  std::vector<double> weight;  // per row: c_s V_s, joules
  // Row r covers entries row_start[r] .. row_start[r + 1]: free vertices only.
  std::vector<int> row_start{0};
  std::vector<int> vertex;          // per entry: index among the free vertices
  std::vector<int> gradient;        // per entry: index into StrainSamples::gradient
  std::vector<VolumeEntry> by_row;  // per entry, for the current pose
  // Free vertex v covers items vertex_start[v] .. vertex_start[v + 1], in the order of the rows.
  std::vector<int> vertex_start{0};
  std::vector<int> row;                // per item
  std::vector<int> entry;              // per item: index into `vertex` and `by_row`
  std::vector<VolumeEntry> by_vertex;  // per item, for the current pose

  std::size_t rows() const { return sample.size(); }
};

// Builds the rows; turn_volume_rows() must follow. `modulus`: per sample, c_s, pascals.
VolumeRows volume_rows(const MixedBody& body, std::span<const double> modulus);

// Computes D for the rotations (per sample) of a pose.
void turn_volume_rows(const MixedBody& body, std::span<const Mat3> rotations, VolumeRows& rows);

// Computes tension[r] = c V tr(R^T F - I) of the row's sample at `positions` (n, metres, world), in double precision;
// zero for rigid motion of the sample by its R.
void find_tensions(const MixedBody& body, const VolumeRows& rows, std::span<const Mat3> rotations,
                   std::span<const Vec3> positions, std::span<double> tension);

// Vectors over free vertices have three numbers each, and one more at the end, which is read but not used.

// Computes change[r] = (D u)_r for rows [begin, end).
void volume_change(const VolumeRows& rows, std::span<const double> u, std::size_t begin, std::size_t end,
                   std::span<double> change);

// Adds (D^T tension)_v to force[v] for vertices [begin, end).
void add_volume_forces(const VolumeRows& rows, std::span<const double> tension, std::size_t begin, std::size_t end,
                       std::span<double> force);

}  // namespace sinew
