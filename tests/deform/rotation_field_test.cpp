// The rotation field: what holds exactly, that it runs along the body, and the twist of section 11 in
// docs/mixed_fem.md.
#include "sinew/deform/mixed/rotation_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/pins.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/linalg/rotation.h"
#include "tests/deform/bones.h"
#include "tests/deform/mixed/mixed_bodies.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using test::at;

Mat3 turn(const Vec3& axis, double degrees) {
  return to_matrix(axis_angle(normalized(axis), degrees * std::numbers::pi / 180));
}

double largest_difference(const Mat3& a, const Mat3& b) { return frobenius_norm(a - b); }

// The weight of `bone` in element t.
double weight_of(const RotationWeights& weights, std::size_t t, int bone) {
  for (int k = weights.start[t]; k < weights.start[t + 1]; ++k)
    if (weights.bone[at(k)] == bone) return weights.weight[at(k)];
  return 0;
}

struct Field {
  TetrahedralMesh mesh;
  std::vector<Bone> bones;
  std::vector<int> clusters;
  RotationWeights weights;
};
Field field(const TetrahedralMesh& mesh, const std::vector<Bone>& bones, double reach = 1) {
  const std::vector<int> clusters = rotation_clusters(mesh, bones, ClusterRule::segment).bone;
  return {mesh, bones, clusters, smooth_weights(mesh, bones, clusters, {reach})};
}
Field bar_of_three_bones() {
  return field(test::perturbed_unit_cells({12, 3, 3}, 0.2, 3).mesh,
               test::chain({{0, 1.5, 1.5}, {4, 1.5, 1.5}, {8, 1.5, 1.5}, {12, 1.5, 1.5}}));
}

std::vector<Mat3> blended(const RotationWeights& weights, const std::vector<Mat3>& bones) {
  std::vector<Mat3> rotations(weights.size());
  blend_rotations(weights, bones, rotations);
  return rotations;
}

TEST(RotationField, WeightsArePositiveSortedAndAddUpToOne) {
  const Field f = bar_of_three_bones();
  ASSERT_EQ(f.weights.size(), f.mesh.tetrahedra.size());
  for (std::size_t t = 0; t < f.weights.size(); ++t) {
    double sum = 0, last = 1;
    for (std::size_t k = at(f.weights.start[t]); k < at(f.weights.start[t + 1]); ++k) {
      EXPECT_GT(f.weights.weight[k], 0);
      EXPECT_LE(f.weights.weight[k], last);
      sum += last = f.weights.weight[k];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

// A long bar with a border across it: w = 1 - exp(-x / l) / 2 at the distance x from the border, inside the cluster.
TEST(RotationField, FadesExponentiallyAcrossABorder) {
  const TetrahedralMesh mesh = test::block({96, 2, 2}, {24, 1, 1}).mesh;
  const Field f = field(mesh, test::chain({{0, 0.5, 0.5}, {12, 0.5, 0.5}, {24, 0.5, 0.5}}), 2);
  // By barycentres, volume by volume.
  double moment = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Vec3 c = test::barycentre(mesh, t);
    moment += (c.y - 0.5) * (c.y - 0.5) + (c.z - 0.5) * (c.z - 0.5);
  }
  const double length = 2 * std::sqrt(moment / static_cast<double>(mesh.tetrahedra.size()));
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const double x = test::barycentre(mesh, t).x - 12;
    const double exact = x < 0 ? 1 - 0.5 * std::exp(x / length) : 0.5 * std::exp(-x / length);
    EXPECT_NEAR(weight_of(f.weights, t, 0), exact, 0.02) << x;
  }
}

// A matrix becomes a quaternion, three are summed by weights and made a unit, and one becomes a matrix: entries up to
// 1, each of a root, a quotient and some ten products, twice over.
constexpr double rounding_of_a_blend = test::rounding_of(1, 2 * 12 + 2 * 3 + 15);

TEST(RotationField, BonesThatTurnAlikeTurnTheBodyAlike) {
  const Field f = bar_of_three_bones();
  EXPECT_EQ(blended(f.weights, {{}, {}, {}}), std::vector<Mat3>(f.weights.size()));
  for (const double degrees : {20.0, 100.0, 180.0, 300.0}) {
    const Mat3 q = turn({1, -2, 0.5}, degrees);
    for (const Mat3& r : blended(f.weights, {q, q, q})) EXPECT_LT(largest_difference(r, q), rounding_of_a_blend);
  }
}

// R Q_b for all bones is R times the field of Q_b, whatever signs the quaternions come with.
TEST(RotationField, TurnsWithTheWholeSkeleton) {
  const Field f = bar_of_three_bones();
  const std::vector<Mat3> pose{turn({0, 1, 1}, 30), turn({1, 1, 0}, 130), turn({1, 0, 0}, 200)};
  const std::vector<Mat3> first = blended(f.weights, pose);
  for (const double degrees : {90.0, 170.0, 190.0}) {
    const Mat3 whole = turn({1, 2, 3}, degrees);
    const std::vector<Mat3> second = blended(f.weights, {whole * pose[0], whole * pose[1], whole * pose[2]});
    for (std::size_t t = 0; t < first.size(); ++t) {
      // Where quaternions nearly cancel, their sum is short and its rounding is magnified.
      EXPECT_LT(largest_difference(second[t], whole * first[t]), 10 * rounding_of_a_blend);
      EXPECT_LT(largest_difference(transpose(first[t]) * first[t], Mat3::identity()), rounding_of_a_blend);
      EXPECT_GT(determinant(first[t]), 0);
    }
  }
}

TEST(RotationField, ReachOfZeroIsTheClusters) {
  const Field f =
      field(test::perturbed_unit_cells({6, 2, 2}, 0.2, 3).mesh, test::chain({{0, 1, 1}, {3, 1, 1}, {6, 1, 1}}), 0);
  const std::vector<Mat3> pose{turn({0, 1, 1}, 30), turn({1, 1, 0}, 130)};
  const std::vector<Mat3> rotations = blended(f.weights, pose);
  for (std::size_t t = 0; t < rotations.size(); ++t) EXPECT_EQ(rotations[t], pose[at(f.clusters[t])]);
}

// Two limbs side by side, 0.25 apart, that hang together behind. Where the gap is filled the rotations of one reach far
// into the other; where it is not they come around by the block behind, and fade on the way.
TEST(RotationField, RunsAlongTheBodyAndNotThroughTheAir) {
  std::vector<Bone> bones = test::chain({{1, 0.6, 1}, {5, 0.6, 1}});
  bones.push_back(test::chain({{1, 2.6, 1}, {5, 2.6, 1}})[0]);
  const auto strongest_of_the_other = [&](const Field& f) {
    double most = 0;
    for (std::size_t t = 0; t < f.weights.size(); ++t) {
      const Vec3 c = test::barycentre(f.mesh, t);
      if (c.x > 4 && (c.y < 2 || c.y > 2.25)) most = std::max(most, weight_of(f.weights, t, c.y < 2 ? 1 : 0));
    }
    return most;
  };
  EXPECT_LT(strongest_of_the_other(field(test::fork(), bones)), 0.05);
  EXPECT_GT(strongest_of_the_other(field(test::block({20, 12, 8}, {5, 3, 2}).mesh, bones)), 0.4);
}

// The labels are the same bit by bit; weights are sums over elements, whose order shows in their last digits.
TEST(RotationField, DoesNotDependOnTheOrderOfElements) {
  const Field f = bar_of_three_bones();
  TetrahedralMesh reversed = f.mesh;
  std::reverse(reversed.tetrahedra.begin(), reversed.tetrahedra.end());
  const Field r = field(reversed, f.bones);
  const std::vector<Mat3> pose{turn({0, 1, 1}, 30), turn({1, 1, 0}, 100), turn({1, 0, 0}, 60)};
  const std::vector<Mat3> a = blended(f.weights, pose), b = blended(r.weights, pose);
  for (std::size_t t = 0; t < a.size(); ++t) EXPECT_LT(largest_difference(a[t], b[a.size() - 1 - t]), 1e-12);
}

TEST(RotationField, DoesNotDependOnTheNumberOfThreads) {
  set_thread_count(1);
  const Field one = bar_of_three_bones();
  set_thread_count(3);
  const Field three = bar_of_three_bones();
  set_thread_count(0);
  EXPECT_EQ(one.clusters, three.clusters);
  EXPECT_EQ(one.weights.bone, three.weights.bone);
  EXPECT_EQ(one.weights.weight, three.weights.weight);
}

TEST(RotationField, OddSkeletonsHaveDefinedFields) {
  const TetrahedralMesh mesh = test::perturbed_unit_cells({8, 2, 2}, 0.2, 3).mesh;
  const Mat3 q = turn({1, 1, 0}, 130);
  for (const Vec3& end : {Vec3{8, 1, 1}, Vec3{0, 1, 1}, Vec3{0, 1000, 1}}) {  // inside, a joint alone, outside
    const Field f = field(mesh, test::chain({{0, 1, 1}, end}));
    for (const Mat3& r : blended(f.weights, {q})) EXPECT_EQ(r, q);
  }
  // Coincident joints, and a bone that has no element.
  std::vector<Bone> bones = test::chain({{0, 1, 1}, {4, 1, 1}, {4, 1, 1}, {8, 1, 1}});
  bones.push_back(test::chain({{4, 99, 1}, {5, 99, 1}})[0]);
  const Field f = field(mesh, bones);
  for (const int bone : f.weights.bone) EXPECT_TRUE(bone == 0 || bone == 2);
}

TEST(RotationField, RefusesWhatMakesNoSense) {
  const TetrahedralMesh mesh = test::block({1, 1, 1}, {1, 1, 1}).mesh;
  const std::vector<Bone> bones = test::chain({{0, 0, 0}, {1, 1, 1}});
  const std::vector<int> clusters(6, 0);
  EXPECT_THROW(smooth_weights(mesh, bones, std::vector<int>(5, 0)), Error);
  EXPECT_THROW(smooth_weights(mesh, bones, std::vector<int>(6, 1)), Error);
  EXPECT_THROW(smooth_weights(mesh, bones, clusters, {-1}), Error);
  EXPECT_THROW(smooth_weights(mesh, bones, clusters, {std::nan("")}), Error);
  TetrahedralMesh flat = mesh;
  flat.positions[0] = flat.positions[1];
  EXPECT_THROW(smooth_weights(flat, bones, clusters), Error);
  std::vector<Mat3> rotations(6);
  const RotationWeights weights = hard_weights(clusters);
  EXPECT_THROW(blend_rotations(weights, {}, rotations), Error);
  const Mat3 broken[] = {Mat3::identity() * std::nan("")};
  EXPECT_THROW(blend_rotations(weights, broken, rotations), Error);
  rotations.pop_back();
  EXPECT_THROW(blend_rotations(weights, std::vector<Mat3>(1), rotations), Error);
}

// A straight bar 6 x 1 x 1 on two bones along its axis, the second turned at the joint.
struct Posed {
  double largest_stretch = 0, smallest_stretch = 1;  // singular values of F
  double smallest_section = 1;                       // area of a cross-section, projected along the axis; 1 at rest
  double energy = 0;                                 // elastic, with each element's closest rotation; in units of E
};

double projected_section(const test::Block& bar, const std::vector<Vec3>& positions, int i) {
  const int n = bar.cells[1], m = bar.cells[2];
  std::vector<Vec3> loop;
  for (int j = 0; j < n; ++j) loop.push_back(positions[at(bar.vertex(i, j, 0))]);
  for (int k = 0; k < m; ++k) loop.push_back(positions[at(bar.vertex(i, n, k))]);
  for (int j = n; j > 0; --j) loop.push_back(positions[at(bar.vertex(i, j, m))]);
  for (int k = m; k > 0; --k) loop.push_back(positions[at(bar.vertex(i, 0, k))]);
  double area = 0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3 &p = loop[k], &q = loop[(k + 1) % loop.size()];
    area += (p.y * q.z - p.z * q.y) / 2;
  }
  return area;
}

Posed posed_bar(MixedMaterial material, const Vec3& axis, double degrees, double reach) {
  const test::Block bar = test::block({36, 6, 6}, {6, 1, 1});
  const Vec3 joint{3, 0.5, 0.5};
  const std::vector<Bone> bones = test::chain({{0, 0.5, 0.5}, joint, {6, 0.5, 0.5}});
  const RotationClusters clusters = rotation_clusters(bar.mesh, bones, ClusterRule::segment);
  const BonePins pins = bone_pins(bar.mesh, bones, clusters, {1});
  ElementFields fields;
  fields.material = {1, 0.45, 1};
  const auto body = std::make_shared<const MixedBody>(mixed_body(bar.mesh.positions,
                                                                 strain_samples(bar.mesh, Element::linear, fields),
                                                                 stretch_energy(material), held_pins(pins)));

  const Mat3 q = turn(axis, degrees);
  const std::vector<Mat3> rotations =
      blended(smooth_weights(bar.mesh, bones, clusters.bone, {reach}), {Mat3::identity(), q});
  const std::vector<Affine> pose{{}, {q, joint - q * joint}};
  const std::vector<Vec3> held = pin_positions(pins, bar.mesh.positions, pose);
  std::vector<Vec3> positions;
  MixedSolver(body).solve({rotations, held, {}, {}}, positions);

  Posed result;
  for (std::size_t s = 0; s < body->samples.size(); ++s) {
    const Mat3 f = deformation_gradient(body->samples, s, positions);
    const Vec3 sigma = signed_svd(f).sigma;
    result.largest_stretch = test::worse(result.largest_stretch, sigma.x);
    result.smallest_stretch = std::min(result.smallest_stretch, sigma.z);
    const double trace = sigma.x + sigma.y + sigma.z - 3;
    result.energy += body->samples.volume[s] *
                     (body->samples.shear[s] * squared_norm(sigma - Vec3{1, 1, 1}) +
                      (material == MixedMaterial::corotated ? body->samples.lambda[s] / 2 * trace * trace : 0));
  }
  for (int i = 0; i <= 36; ++i)
    result.smallest_section = std::min(result.smallest_section, projected_section(bar, positions, i));
  return result;
}

// Section 2 of docs/mixed_fem_comparisons.md has the numbers of a bar like this one.
TEST(RotationField, TakesTheCandyWrapperOutOfATwist) {
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated})
    for (const double degrees : {60.0, 120.0, 170.0}) {
      SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", " << degrees << " degrees");
      const Posed hard = posed_bar(material, {1, 0, 0}, degrees, 0),
                  smooth = posed_bar(material, {1, 0, 0}, degrees, 1);
      EXPECT_LT(smooth.largest_stretch - 1, 0.8 * (hard.largest_stretch - 1));
      EXPECT_LT(1 - smooth.smallest_section, 0.6 * (1 - hard.smallest_section));
      EXPECT_LT(smooth.energy, 0.5 * hard.energy);
      EXPECT_GT(smooth.smallest_stretch, 0.3);
      if (degrees == 170) {
        EXPECT_LT(hard.smallest_stretch, 0);  // turned inside out
      }
    }
}

// A reach of about the limb's radius suits bending: less is a jump, more pulls the bones' own rotations off their
// middle.
TEST(RotationField, DefaultReachSuitsBending) {
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated})
    for (const double degrees : {60.0, 90.0, 120.0}) {
      const double energy = posed_bar(material, {0, 0, 1}, degrees, SmoothWeightsOptions{}.reach).energy;
      EXPECT_LT(energy, posed_bar(material, {0, 0, 1}, degrees, 0).energy);
      EXPECT_LT(energy, posed_bar(material, {0, 0, 1}, degrees, 0.5).energy);
      EXPECT_LT(energy, posed_bar(material, {0, 0, 1}, degrees, 2).energy);
    }
}

}  // namespace
}  // namespace sinew
