// The patches' forces against the strain samples that define them, and the vector kernel against plain loops.
#include "sinew/deform/lattice_flesh/patch_elasticity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

template <class Real>
std::vector<Row<Real>> shaken_positions(const TetrahedralMesh& mesh) {
  std::vector<Row<Real>> positions;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3& x = mesh.positions[v];
    const double k = static_cast<double>(v);
    const Vec3 shaken = x + 0.01 * Vec3{std::sin(1.3 * k), std::sin(2.9 * k), std::sin(0.7 * k)};
    positions.push_back({static_cast<Real>(shaken.x), static_cast<Real>(shaken.y), static_cast<Real>(shaken.z), 0});
  }
  return positions;
}

Mat3 frame_rotation(std::size_t p) { return to_matrix(axis_angle(normalized(Vec3{1, 2, -0.5}), 0.4 * static_cast<double>(p))); }

class PatchElasticityOf : public testing::TestWithParam<Element> {
 protected:
  FleshDescription description_ = [] {
    FleshDescription d = bar_description(Bar{});
    for (std::size_t t = 0; t < d.mesh.tetrahedra.size(); ++t) {
      d.young.resize(d.mesh.tetrahedra.size());
      d.young[t] = 1e4 * (1 + 0.5 * std::sin(static_cast<double>(t)));
    }
    return d;
  }();
  StrainSamples samples_ = strain_samples(description_.mesh, GetParam(), {description_.material, description_.young, {}});
};

// With one frame for all, forces are those of the samples: sum_s V_s R (2 mu e_s + lambda tr(e_s) I) g_sv.
TEST_P(PatchElasticityOf, AddsUpToTheSamples) {
  const Mat3 rotation = frame_rotation(2);
  const std::vector<Patch<double>> patches = patch_elasticity<double>(description_.mesh, GetParam(), samples_);
  const std::vector<Row<double>> positions = shaken_positions<double>(description_.mesh);
  const std::vector<Mat3> frame(patches.size(), rotation);
  const std::vector<double> load(patches.size(), 0.75);
  std::vector<Row<double>> parts(force_row(patches.size(), 0, 0));
  patch_forces<double>({patches, frame, load, positions}, 0, patches.size(), parts);
  std::vector<Vec3> force(positions.size()), expected(positions.size()), world;
  for (const Row<double>& p : positions) world.push_back({p.x, p.y, p.z});
  for (std::size_t p = 0; p < patches.size(); ++p)
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t t = 0; t < patch_lanes; ++t) {
        const Row<double>& part = parts[force_row(p, c, t)];
        EXPECT_EQ(part.zero, 0);
        if (t >= static_cast<std::size_t>(patches[p].count)) {
          EXPECT_EQ(norm(Vec3{part.x, part.y, part.z}), 0);
        }
        force[static_cast<std::size_t>(patches[p].corner[c][t])] += Vec3{part.x, part.y, part.z};
      }
  double scale = 0;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    const Mat3 turned = transpose(rotation) * deformation_gradient(samples_, s, world);
    const Mat3 strain = (turned + transpose(turned)) * 0.5 - Mat3::identity() * load[0];
    const Mat3 stress = strain * (2 * samples_.shear[s]) + Mat3::identity() * (samples_.lambda[s] * trace(strain));
    for (auto k = static_cast<std::size_t>(samples_.start[s]); k < static_cast<std::size_t>(samples_.start[s + 1]); ++k) {
      const Vec3 part = rotation * (stress * samples_.gradient[k]) * samples_.volume[s];
      expected[static_cast<std::size_t>(samples_.vertex[k])] += part;
      scale = std::max(scale, norm(part));
    }
  }
  ASSERT_GT(scale, 0);
  for (std::size_t v = 0; v < force.size(); ++v) EXPECT_LT(distance(force[v], expected[v]), 1e-11 * scale);
}

template <class Real>
void expect_plain_loops(const FleshDescription& description, Element element, const StrainSamples& samples, double tolerance) {
  const std::vector<Patch<Real>> patches = patch_elasticity<Real>(description.mesh, element, samples);
  const std::vector<Row<Real>> positions = shaken_positions<Real>(description.mesh);
  std::vector<Mat3> frame;
  for (std::size_t p = 0; p < patches.size(); ++p) frame.push_back(frame_rotation(p));
  std::vector<Row<Real>> fast(force_row(patches.size(), 0, 0)), plain(fast.size());
  for (const Real some : {Real(0), Real(1)}) {
    const std::vector<Real> load(patches.size(), some);
    patch_forces<Real>({patches, frame, load, positions}, 0, patches.size(), fast);
    patch_forces_reference<Real>({patches, frame, load, positions}, 0, patches.size(), plain);
    double scale = 0;
    for (const Row<Real>& f : plain) scale = std::max(scale, norm(Vec3{double{f.x}, double{f.y}, double{f.z}}));
    ASSERT_GT(scale, 0);
    for (std::size_t e = 0; e < fast.size(); ++e) {
      const Vec3 difference{double{fast[e].x} - double{plain[e].x}, double{fast[e].y} - double{plain[e].y}, double{fast[e].z} - double{plain[e].z}};
      EXPECT_LT(norm(difference), tolerance * scale);
      EXPECT_EQ(fast[e].zero, 0);
    }
  }
}

TEST_P(PatchElasticityOf, KernelIsThePlainLoops) {
  expect_plain_loops<double>(description_, GetParam(), samples_, 1e-12);
  expect_plain_loops<float>(description_, GetParam(), samples_, 2e-5);
}

INSTANTIATE_TEST_SUITE_P(Elements, PatchElasticityOf, testing::Values(Element::linear, Element::patch));

}  // namespace
}  // namespace sinew
