// Trial positions of a vertex: a star decides as the replacements that it stands for.
#include <gtest/gtest.h>

#include <random>

#include "coarsen_blocks.h"
#include "sinew/mesh/lattice_building/coarsen_collapse.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/lattice_building/coarsen_points.h"
#include "sinew/mesh/lattice_building/coarsen_star.h"

namespace sinew {
namespace {

// A tube with points on its surface, some of which may be outside by an allowance, coarsened in part.
TetrahedralComplex half_coarsened() {
  VolumeMesh body;
  TetrahedralComplex complex = test::complex_of(test::wavy_tube(), 1500, body);
  EXPECT_EQ(enclose_points(complex, 0.01 * body.cell_size), 0);
  CoarsenOptions options;
  options.target_tetrahedra = 500;
  options.highest_cost = HUGE_VAL;
  coarsen(complex, std::vector<double>(complex.positions.size(), 0.35), options);
  for (std::size_t p = 0; p < complex.points.size(); p += 7) complex.allowance[p] = 0.01;
  return complex;
}

struct Counts {
  int covered = 0, uncovered = 0, shaped = 0, flat = 0;
};

// Compares one trial with the replacement.
void expect_alike(const TetrahedralComplex& complex, TrialStar& star, const Replacement& replacement, int& hint,
                  Counts& counts) {
  const Vec3& p = replacement.position;
  const double ratio = smallest_mean_ratio(replacement);
  for (const double floor : {0.02, 0.2}) {
    const double found = star.mean_ratio_from(p, floor);
    const bool allowed = ratio > 0 && coarse(ratio) >= coarse(floor);
    EXPECT_EQ(found > 0, allowed) << ratio << " " << floor;
    if (allowed) {
      EXPECT_NEAR(found, ratio, 1e-12);
    }
    (allowed ? counts.shaped : counts.flat) += 1;
  }
  const double volume_scale = star.volume_before();
  EXPECT_NEAR(star.volume_at(p) - star.volume_before(), volume_added(complex, replacement), 1e-12 * volume_scale);
  double shape = 0;
  for (const std::array<Vec3, 4>& corners : replacement.corners) shape += std::pow(mean_ratio(corners), -2);
  const double energy = star.energy(p, 2, HUGE_VAL);
  if (ratio > 0) {
    EXPECT_NEAR(energy / (shape + 2 * star.volume_at(p)), 1, 1e-9);
  } else {
    EXPECT_EQ(energy, HUGE_VAL);
  }
  std::vector<int> points, home;
  const bool covered = distribute_points(complex, replacement, points, home);
  EXPECT_EQ(star.covers(p, hint), covered);
  (covered ? counts.covered : counts.uncovered) += 1;
}

TEST(CoarsenStar, AgreesWithReplacements) {
  const TetrahedralComplex complex = half_coarsened();
  TrialStar star(complex);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> step(-0.12, 0.12);
  int hint = -1;
  Counts collapses, moves;
  for (int v = 0; v < static_cast<int>(complex.positions.size()); ++v) {
    const Vec3 at = complex.positions[std::size_t(v)];
    for (int w : neighbours(complex, v)) {
      if (w < v) continue;
      star.around_collapsed_edge(v, w);
      for (int k = 0; k < 4; ++k) {
        const Vec3 p =
            0.5 * (at + complex.positions[std::size_t(w)]) + 0.3 * k * Vec3{step(random), step(random), step(random)};
        expect_alike(complex, star, collapsed_edge(complex, v, w, p), hint, collapses);
      }
    }
    if (complex.star[std::size_t(v)].empty()) continue;
    star.around_vertex(v);
    for (int k = 0; k < 4; ++k)
      expect_alike(complex, star,
                   moved_vertex(complex, v, at + 0.3 * k * Vec3{step(random), step(random), step(random)}), hint,
                   moves);
  }
  for (const Counts& counts : {collapses, moves})
    EXPECT_GT(std::min({counts.covered, counts.uncovered, counts.shaped, counts.flat}), 50);
}

TEST(CoarsenStar, VolumeGrowsByItsSlope) {
  const TetrahedralComplex complex = half_coarsened();
  TrialStar star(complex);
  for (int v = 0; v < static_cast<int>(complex.positions.size()); ++v) {
    if (complex.star[std::size_t(v)].empty()) continue;
    star.around_vertex(v);
    const Vec3 p = complex.positions[std::size_t(v)], along = test::direction(v);
    EXPECT_NEAR(star.volume_at(p), star.volume_before(), 1e-12 * star.volume_before());
    EXPECT_NEAR(star.volume_at(p + 0.3 * along) - star.volume_at(p), 0.3 * star.volume_slope(along),
                1e-12 * star.volume_before());
  }
}

}  // namespace
}  // namespace sinew
