// The patches' forces against the strain samples that define them, and the vector kernel against plain loops.
#include "sinew/deform/flesh/patch_elasticity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include <hwy/targets.h>

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

Mat3 frame_rotation(std::size_t p) {
  return to_matrix(axis_angle(normalized(Vec3{1, 2, -0.5}), 0.4 * static_cast<double>(p)));
}

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
  StrainSamples samples_ =
      strain_samples(description_.mesh, GetParam(), {description_.material, description_.young, {}});
};

// With one frame for all, forces are those of the samples: sum_s V_s R (2 mu e_s + lambda tr(e_s) I) g_sv.
TEST_P(PatchElasticityOf, AddsUpToTheSamples) {
  const Mat3 rotation = frame_rotation(2);
  const PatchElasticity<double> elasticity = patch_elasticity<double>(description_.mesh, GetParam(), samples_);
  const std::vector<Patch<double>>& patches = elasticity.patches;
  const std::vector<Row<double>> positions = shaken_positions<double>(description_.mesh);
  const std::vector<PatchFrame<double>> frame(patches.size(), patch_frame<double>(rotation));
  const std::vector<double> load(patches.size(), 0.75);
  std::vector<Row<double>> parts(elasticity.vertex.size());
  patch_forces<double>({patches, frame, load, positions}, 0, patches.size(), parts);
  std::vector<Vec3> force(positions.size()), expected(positions.size()), world;
  for (const Row<double>& p : positions) world.push_back({p.x, p.y, p.z});
  for (std::size_t k = 0; k < parts.size(); ++k) {
    EXPECT_EQ(parts[k].zero, 0);
    force[static_cast<std::size_t>(elasticity.vertex[k])] += Vec3{parts[k].x, parts[k].y, parts[k].z};
  }
  double scale = 0;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    const Mat3 turned = transpose(rotation) * deformation_gradient(samples_, s, world);
    const Mat3 strain = (turned + transpose(turned)) * 0.5 - Mat3::identity() * load[0];
    const Mat3 stress = strain * (2 * samples_.shear[s]) + Mat3::identity() * (samples_.lambda[s] * trace(strain));
    for (auto k = static_cast<std::size_t>(samples_.start[s]); k < static_cast<std::size_t>(samples_.start[s + 1]);
         ++k) {
      const Vec3 part = rotation * (stress * samples_.gradient[k]) * samples_.volume[s];
      expected[static_cast<std::size_t>(samples_.vertex[k])] += part;
      scale = std::max(scale, norm(part));
    }
  }
  ASSERT_GT(scale, 0);
  for (std::size_t v = 0; v < force.size(); ++v) EXPECT_LT(distance(force[v], expected[v]), 1e-11 * scale);
}

// patch_forces() one tetrahedron after the other, in doubles.
template <class Real>
std::vector<Vec3> forces_by_plain_loops(const PatchElasticity<Real>& elasticity, const PatchPose<Real>& pose) {
  const auto wide = [](const auto& x, const auto& y, const auto& z) { return Vec3{double{x}, double{y}, double{z}}; };
  std::vector<Vec3> force(elasticity.vertex.size());
  for (std::size_t p = 0; p < elasticity.patches.size(); ++p) {
    const Patch<Real>& patch = elasticity.patches[p];
    const auto lanes = static_cast<std::size_t>(patch.count);
    Mat3 rotation, mean = Mat3::zero();
    for (std::size_t k = 0; k < 9; ++k) rotation.m[k] = double{pose.frame[p].entry[k]};
    std::vector<Mat3> strain;
    const auto gradient = [&](std::size_t corner, std::size_t t) {
      const auto& g = patch.gradient[corner - 1];
      return wide(g[0][t], g[1][t], g[2][t]);
    };
    for (std::size_t t = 0; t < lanes; ++t) {
      const auto position = [&](std::size_t corner) {
        const Row<Real>& row = pose.position[static_cast<std::size_t>(patch.corner[corner][t] / 4)];
        return wide(row.x, row.y, row.z);
      };
      Mat3 deformation = Mat3::zero();
      for (std::size_t k = 1; k < 4; ++k) deformation += outer(position(k) - position(0), gradient(k, t));
      const Mat3 turned = transpose(rotation) * deformation;
      strain.push_back((turned + transpose(turned)) * 0.5 - Mat3::identity() * double{pose.load[p]});
      mean += strain.back() * double{patch.share[t]};
    }
    const auto stress = [](const Mat3& e, double shear, double lambda) {
      return e * (2 * shear) + Mat3::identity() * (lambda * trace(e));
    };
    const Mat3 shared = stress(mean, double{patch.mean_shear}, double{patch.mean_lambda});
    for (std::size_t t = 0; t < lanes; ++t) {
      const Mat3 all =
          stress(strain[t], double{patch.shear[t]}, double{patch.lambda[t]}) + shared * double{patch.share[t]};
      const auto at = [&](std::size_t corner) -> Vec3& {
        return force[static_cast<std::size_t>(patch.vertex_begin + patch.slot[corner][t] / 4)];
      };
      for (std::size_t k = 1; k < 4; ++k) {
        const Vec3 f = rotation * (all * gradient(k, t));
        at(k) += f;
        at(0) -= f;
      }
    }
  }
  return force;
}

template <class Real>
void expect_plain_loops(const FleshDescription& description, Element element, const StrainSamples& samples,
                        double tolerance) {
  const PatchElasticity<Real> elasticity = patch_elasticity<Real>(description.mesh, element, samples);
  const std::vector<Patch<Real>>& patches = elasticity.patches;
  const std::vector<Row<Real>> positions = shaken_positions<Real>(description.mesh);
  std::vector<PatchFrame<Real>> frame;
  for (std::size_t p = 0; p < patches.size(); ++p) frame.push_back(patch_frame<Real>(frame_rotation(p)));
  std::vector<Row<Real>> fast(elasticity.vertex.size());
  for (const Real some : {Real(0), Real(1)}) {
    const std::vector<Real> load(patches.size(), some);
    patch_forces<Real>({patches, frame, load, positions}, 0, patches.size(), fast);
    const std::vector<Vec3> plain = forces_by_plain_loops<Real>(elasticity, {patches, frame, load, positions});
    double scale = 0;
    for (const Vec3& f : plain) scale = std::max(scale, norm(f));
    ASSERT_GT(scale, 0);
    for (std::size_t e = 0; e < fast.size(); ++e) {
      EXPECT_LT(distance({double{fast[e].x}, double{fast[e].y}, double{fast[e].z}}, plain[e]), tolerance * scale);
      EXPECT_EQ(fast[e].zero, 0);
    }
  }
}

// Each patch names each of its vertices once, and its corners by them.
TEST_P(PatchElasticityOf, ListsTheVerticesOfEachPatch) {
  const PatchElasticity<double> elasticity = patch_elasticity<double>(description_.mesh, GetParam(), samples_);
  int end = 0, tetrahedra = 0;
  for (const Patch<double>& patch : elasticity.patches) {
    EXPECT_EQ(patch.vertex_begin, end);
    end = patch.vertex_end;
    tetrahedra += patch.count;
    for (int k = patch.vertex_begin + 1; k < end; ++k)
      EXPECT_LT(elasticity.vertex[static_cast<std::size_t>(k - 1)], elasticity.vertex[static_cast<std::size_t>(k)]);
    for (std::size_t c = 0; c < 4; ++c)
      for (int t = 0; t < patch.count; ++t)
        EXPECT_EQ(patch.corner[c][t],
                  4 * elasticity.vertex[static_cast<std::size_t>(patch.vertex_begin + patch.slot[c][t] / 4)]);
  }
  EXPECT_EQ(end, static_cast<int>(elasticity.vertex.size()));
  EXPECT_EQ(tetrahedra, static_cast<int>(description_.mesh.tetrahedra.size()));
}

TEST_P(PatchElasticityOf, KernelIsThePlainLoops) {
  // On this processor's registers, then on smaller ones.
  for (const std::int64_t target : {std::int64_t{0}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    if (target != 0 && (hwy::SupportedTargets() & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    expect_plain_loops<double>(description_, GetParam(), samples_, 1e-12);
    expect_plain_loops<float>(description_, GetParam(), samples_, 2e-5);
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, PatchElasticityOf, testing::Values(Element::linear, Element::patch));

}  // namespace
}  // namespace sinew
