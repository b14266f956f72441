// Values carried from the surface into the volume.
#include "sinew/character/body_binding.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/character/influences.h"
#include "tests/dense_algebra.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

TriangleMesh limb(double size = 1) { return upright_tube(16, 12, size, 0.15 * size); }

VolumeMesh volume_of(const TriangleMesh& surface) {
  VolumeMeshingOptions options;
  options.target_tetrahedra = 1500;
  return mesh_volume(surface, options);
}

// The minimiser by its definition, as a dense system; where a piece is free, the smallest one.
Eigen::MatrixXd dense_minimiser(const TetrahedralMesh& mesh, const Embedding& embedding,
                                const Eigen::MatrixXd& values) {
  constexpr double smoothness = 0.02;
  const auto vertices = static_cast<Eigen::Index>(mesh.positions.size());
  const auto position = [&](int v) {
    const Vec3& p = mesh.positions[static_cast<std::size_t>(v)];
    return Eigen::Vector3d(p.x, p.y, p.z);
  };
  double edges = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) edges += (position(t[1]) - position(t[0])).norm();
  const double mean_edge = edges / static_cast<double>(mesh.tetrahedra.size());

  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(vertices, vertices);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    // Row k of the inverse holds the coefficients of 1, x, y, z in the function that is 1 at corner k and 0 at the
    // others.
    Eigen::Matrix4d corners;
    for (int k = 0; k < 4; ++k) corners.col(k) << 1, position(t[static_cast<std::size_t>(k)]);
    const Eigen::Matrix<double, 4, 3> gradient = corners.inverse().rightCols<3>();
    const double volume = std::abs(corners.determinant()) / 6;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        matrix(t[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(j)]) +=
            smoothness / mean_edge * volume * gradient.row(i).dot(gradient.row(j));
  }
  Eigen::MatrixXd carry = Eigen::MatrixXd::Zero(values.rows(), vertices);
  for (std::size_t s = 0; s < embedding.points.size(); ++s) {
    const EmbeddedPoint& point = embedding.points[s];
    for (std::size_t k = 0; k < 4; ++k)
      carry(static_cast<Eigen::Index>(s), mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k]) +=
          point.weights[k];
  }
  matrix += carry.transpose() * carry;
  return test::least_squares(matrix, carry.transpose() * values);
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMajor extended(const VolumeMesh& volume, const RowMajor& values) {
  const std::vector<double> result =
      extend_into_volume(volume.mesh, volume.embedding, {values.data(), static_cast<std::size_t>(values.size())},
                         static_cast<int>(values.cols()));
  return Eigen::Map<const RowMajor>(result.data(), static_cast<Eigen::Index>(volume.mesh.positions.size()),
                                    values.cols());
}

// Bands around the limb, one column each, that sum to one at every point: hard borders or soft ones.
RowMajor bands(const TriangleMesh& surface, int columns, bool soft) {
  RowMajor values = RowMajor::Zero(static_cast<Eigen::Index>(surface.positions.size()), columns);
  for (Eigen::Index s = 0; s < values.rows(); ++s) {
    const double at = std::clamp(surface.positions[static_cast<std::size_t>(s)].y, 0.0, 1.0) * (columns - 1);
    const auto below = static_cast<Eigen::Index>(soft ? std::floor(at) : std::round(at));
    const double share = soft ? at - static_cast<double>(below) : 0;
    values(s, below) += 1 - share;
    if (share > 0) values(s, below + 1) += share;
  }
  return values;
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

double value_at(const TetrahedralMesh& mesh, const EmbeddedPoint& point, const Eigen::VectorXd& field) {
  double value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value += point.weights[k] * field(mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k]);
  return value;
}

TEST(ExtendIntoVolume, ConstantsStayConstant) {
  const TriangleMesh surface = limb();
  const VolumeMesh volume = volume_of(surface);
  const std::vector<double> found =
      extend_into_volume(volume.mesh, volume.embedding, std::vector<double>(surface.positions.size(), 3.5), 1);
  for (double value : found) EXPECT_NEAR(value, 3.5, 1e-4);
}

TEST(ExtendIntoVolume, MeetsTheSurfaceAndStaysBetweenItsValues) {
  const TriangleMesh surface = limb();
  const VolumeMesh volume = volume_of(surface);
  std::vector<double> heights;
  for (const Vec3& x : surface.positions) heights.push_back(x.y);
  const std::vector<double> found = extend_into_volume(volume.mesh, volume.embedding, heights, 1);
  const Eigen::Map<const Eigen::VectorXd> field(found.data(), static_cast<Eigen::Index>(found.size()));
  for (std::size_t s = 0; s < surface.positions.size(); ++s)
    EXPECT_NEAR(value_at(volume.mesh, volume.embedding.points[s], field), heights[s], 0.03);
  for (double value : found) {
    EXPECT_GT(value, -0.15);
    EXPECT_LT(value, 1.15);
  }
}

TEST(ExtendIntoVolume, DoesNotDependOnSize) {
  const TriangleMesh small = limb(1), large = limb(64);  // a power of two: the same mesh but for its scale
  const VolumeMesh a = volume_of(small), b = volume_of(large);
  ASSERT_EQ(a.mesh.positions.size(), b.mesh.positions.size());
  std::vector<double> values;
  for (const Vec3& x : small.positions) values.push_back(x.y > 0.5);
  const std::vector<double> u = extend_into_volume(a.mesh, a.embedding, values, 1),
                            v = extend_into_volume(b.mesh, b.embedding, values, 1);
  for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], v[k], 1e-9);
}

TEST(ExtendIntoVolume, IsTheMinimiserThatADenseSolutionGives) {
  const TriangleMesh surface = limb();
  VolumeMesh volume = volume_of(surface);
  // A piece that nothing is embedded in.
  const auto first = static_cast<int>(volume.mesh.positions.size());
  for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{0.1, 0, 0}, Vec3{0, 0.1, 0}, Vec3{0, 0, 0.1}})
    volume.mesh.positions.push_back(corner + Vec3{3, 0, 0});
  volume.mesh.tetrahedra.push_back({first, first + 1, first + 2, first + 3});
  for (const int columns : {1, 3, 8, 19})
    for (const bool soft : {false, true}) {
      const RowMajor values = columns > 1 ? bands(surface, columns, soft) : RowMajor(bands(surface, 2, soft).col(0));
      const RowMajor found = extended(volume, values);
      const Eigen::MatrixXd expected = dense_minimiser(volume.mesh, volume.embedding, values);
      EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(), 1e-9) << columns << " columns";
      EXPECT_TRUE((found.bottomRows(4).array() == 0).all());
      EXPECT_GT(found.lpNorm<Eigen::Infinity>(), 0.9);
    }
}

TEST(ExtendIntoVolume, SharesOfOneStaySharesOfOne) {
  const TriangleMesh surface = limb();
  const VolumeMesh volume = volume_of(surface);
  for (const bool soft : {false, true}) {
    const RowMajor found = extended(volume, bands(surface, 19, soft));
    EXPECT_LT((found.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-7);
  }
}

TEST(ExtendIntoVolume, HasNoExtremesInside) {
  // The maximum principle: the skin keeps between the values given, and vertices deeper inside keep between those
  // of the elements that carry the skin, whose outer corners extrapolate.
  const TriangleMesh surface = limb();
  VolumeMeshingOptions options;
  options.target_tetrahedra = 10'000;
  const VolumeMesh volume = mesh_volume(surface, options);
  std::vector<char> carries(volume.mesh.positions.size(), 0);
  for (const EmbeddedPoint& point : volume.embedding.points)
    for (int v : volume.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)])
      carries[static_cast<std::size_t>(v)] = 1;
  ASSERT_GT(std::count(carries.begin(), carries.end(), 0), 200);
  for (const bool soft : {false, true}) {
    const RowMajor found = extended(volume, bands(surface, 3, soft));
    for (Eigen::Index column = 0; column < 3; ++column) {
      Range carrying, inside;
      for (std::size_t v = 0; v < carries.size(); ++v)
        (carries[v] ? carrying : inside).include(found(static_cast<Eigen::Index>(v), column));
      EXPECT_GE(inside.low, carrying.low);
      EXPECT_LE(inside.high, carrying.high);
      Range skin;
      for (const EmbeddedPoint& point : volume.embedding.points)
        skin.include(value_at(volume.mesh, point, found.col(column)));
      EXPECT_GT(skin.low, -0.01);
      EXPECT_LT(skin.high, 1.01);
    }
  }
}

TEST(ExtendIntoVolume, PointsThatNoElementCarriesAreLeftOut) {
  const TriangleMesh surface = limb();
  VolumeMesh volume = volume_of(surface);
  const RowMajor values = bands(surface, 3, true);
  RowMajor more(values.rows() + 1, 3);
  more << values, 1e6, 1e6, 1e6;
  const RowMajor expected = extended(volume, values);
  volume.embedding.points.push_back({});
  EXPECT_EQ(extended(volume, more), expected);
}

TEST(ExtendIntoVolume, SameBitsForAnyNumberOfThreads) {
  const TriangleMesh surface = limb();
  VolumeMeshingOptions options;
  options.target_tetrahedra = 20'000;
  const VolumeMesh volume = mesh_volume(surface, options);
  const RowMajor values = bands(surface, 11, false);
  RowMajor first;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const RowMajor found = extended(volume, values);
    if (first.size() == 0) first = found;
    EXPECT_EQ(found, first) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(BodyInfluences, ArePositiveSortedAndSumToOne) {
  SimulationSurface surface;
  surface.rest = limb();
  surface.bones.resize(2);
  for (const Vec3& x : surface.rest.positions) surface.influences.push_back(between(0, 1, x.y * 2 - 0.5));
  const VolumeMesh volume = volume_of(surface.rest);
  const std::vector<Influences> body = body_influences(volume.mesh, volume.embedding, surface);
  ASSERT_EQ(body.size(), volume.mesh.positions.size());
  for (std::size_t v = 0; v < body.size(); ++v) {
    ASSERT_GT(body[v].count, 0);
    double sum = 0, upper = 0;
    for (int k = 0; k < body[v].count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      EXPECT_GT(body[v].weight[slot], 0);
      if (k > 0) {
        EXPECT_LE(body[v].weight[slot], body[v].weight[slot - 1]);
      }
      sum += body[v].weight[slot];
      if (body[v].joint[slot] == 1) upper += body[v].weight[slot];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(upper, std::clamp(volume.mesh.positions[v].y * 2 - 0.5, 0.0, 1.0), 0.12);
  }
}

}  // namespace
}  // namespace sinew
