// Distance of two stretches of motion: that of their point clouds over a window of frames, after the rigid motion along
// the ground (a turn about y and a way) that brings the second nearest to the first (Kovar 2002, equations 1 to 3).
//
// With weights that add up to one, points (x, y, z) of the first window and (x', y', z') of the second, and a bar for
// weighted sums over all points of the window, the second window is turned by
//
//   theta = atan2(S, C),  C = bar(xx' + zz') - bar(x) bar(x') - bar(z) bar(z'),
//                         S = bar(xz' - zx') - bar(x) bar(z') + bar(z) bar(x'),
//
// its centre comes to that of the first, and what is left is
//
//   D^2 = bar(xx + yy + zz) + bar(x'x' + y'y' + z'z') - 2 bar(yy')
//         - bar(x)^2 - bar(z)^2 - bar(x')^2 - bar(z')^2 - 2 hypot(C, S),
//
// since C cos(theta) + S sin(theta), which the turn makes largest, is hypot(C, S) there. Sums of one window slide along
// its clip. Sums of both are the three bars of products: they are the sums over the window's frames t of
//
//   P(i + t, j + t) = sum_k w_k (x x' + z z'),  Q likewise of x z' - z x',  R likewise of y y',
//
// entries of three products of matrices of frames by points. Along a diagonal i - j = const a window's sum follows from
// the one before by adding the entry that comes in and taking off the one that goes out, so that a pair of windows
// costs as much as a pair of frames, for windows of any length.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/kinematics/standing.h"
#include "sinew/linalg/dense_matrix.h"

namespace sinew {

struct GroundAlignment {
  Standing motion;      // brings the second points to the first
  double distance = 0;  // root of the weighted mean of squares that is left
};

// Aligns equally many points, in order, with these weights (positive sum).
GroundAlignment align_on_ground(std::span<const Vec3> first, std::span<const Vec3> second,
                                std::span<const double> weights);

// Distances of all windows of a motion from each other.
class WindowDistances {
 public:
  // `weights`: of the cloud's points, adding up to 1. `window`: frames of a window, at least 1.
  WindowDistances(std::span<const double> weights, int window);

  // Appends frames that follow each other, frames x points, metres. Windows begin in the first `windows` of them, and
  // must end within them.
  void add_run(std::span<const Vec3> positions, std::size_t windows);

  int window() const { return static_cast<int>(window_); }
  std::size_t frames() const { return begins_.size(); }
  // Whether a window begins in a frame.
  bool begins(std::size_t frame) const { return begins_[frame] != 0; }

  // Distances of windows from i to i + rows - 1 and from j to j + columns - 1, metres, infinite where none begins. The
  // matrix has that size; ranges end within frames().
  void distances(std::size_t i, std::size_t j, DenseMatrix& result) const;
  // Mean square of the distance of a window's points from their middle, squared metres: squares of distances are
  // differences of numbers as large as this one, and are rounded likewise.
  double spread(std::size_t frame) const { return spread_[frame]; }
  // The distance of one pair, with the motion that brings the second to the first.
  GroundAlignment alignment(std::size_t i, std::size_t j) const;

 private:
  DenseMatrix part(const std::vector<double>& values, std::size_t per_frame, std::size_t frame,
                   std::size_t count) const;
  DenseMatrix window_sums(const std::vector<double>& first, const std::vector<double>& second, std::size_t per_frame,
                          std::size_t i, std::size_t j, std::size_t rows, std::size_t columns) const;

  std::vector<double> weights_;
  std::size_t window_;
  // Per frame, times the roots of the weights and relative to the run's centre: x of all points and z of all; z of all
  // and -x of all; y of all.
  std::vector<double> planar_, turned_, heights_;
  std::vector<char> begins_;
  // Per frame in which a window begins, means over the window: place, and squares of all coordinates less the square of
  // that place.
  std::vector<Vec3> middle_;
  std::vector<double> spread_;
  std::vector<Vec3> centre_;  // per frame: of its run, level
};

}  // namespace sinew
