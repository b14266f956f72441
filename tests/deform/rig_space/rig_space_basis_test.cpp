// How the body moves with free parameters: sparse products against dense ones, derivatives against differences.
#include "sinew/deform/rig_space/reduced_basis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/deform/rig_space/parameter_effects.h"
#include "sinew/rig/rig_differences.h"
#include "studies/reference/boundary_rig.h"
#include "tests/base/same_bits.h"
#include "tests/deform/rig_space/rig_space_bodies.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

// A basis of many vertices and several tiles, with rows of none, one and more of these, and the same written out.
struct RandomBasis {
  std::size_t vertices = 300;
  ReducedBasis sparse;
  Eigen::MatrixXd dense;
  Noise noise{3};

  explicit RandomBasis(std::size_t columns) {
    ReducedBasisBuilder builder(columns);
    dense = Eigen::MatrixXd::Zero(row(3 * vertices), row(columns));
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t c = 0; c < columns; ++c) {
        if (v % 7 == 0 || (v + c / 5) % 4 != 0) continue;
        // In two parts, as a vertex gets them that hangs on two.
        for (int part = 0; part < 2; ++part) {
          const Vec3 d = noise.vector();
          builder.add(c, d);
          for (std::size_t axis = 0; axis < 3; ++axis) dense(row(3 * v + axis), row(c)) += d[axis];
        }
      }
      if (v > 10 && v % 5 == 0)
        for (const std::size_t other : {v - 3, v - 10}) {
          const double weight = noise();
          builder.add_row(builder.basis(), other, weight);
          dense.middleRows<3>(row(3 * v)) += weight * dense.middleRows<3>(row(3 * other));
        }
      builder.finish_row();
    }
    sparse = builder.take();
  }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(noise());
    return result;
  }
  std::vector<Vec3> vectors(std::size_t count) {
    std::vector<Vec3> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(noise.vector());
    return result;
  }
};

Eigen::MatrixXd square(const std::vector<double>& numbers, std::size_t stride) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(numbers.data(), row(stride), row(stride));
}

class ReducedBasisProducts : public testing::TestWithParam<std::size_t> {};

TEST_P(ReducedBasisProducts, AreThoseOfTheDenseMatrix) {
  const std::size_t columns = GetParam();
  RandomBasis basis(columns);
  ASSERT_EQ(basis.sparse.vertices(), basis.vertices);
  EXPECT_EQ(basis.sparse.padded_columns(), (columns + 7) / 8 * 8);

  const std::vector<double> u = basis.numbers(columns);
  const std::vector<Vec3> base = basis.vectors(basis.vertices);
  std::vector<Vec3> x(basis.vertices);
  displace(basis.sparse, u, base, x);
  const Eigen::VectorXd displaced =
      flattened(base) + basis.dense * Eigen::Map<const Eigen::VectorXd>(u.data(), row(columns));
  EXPECT_LT((flattened(x) - displaced).norm(), 1e-13 * displaced.norm());
  std::vector<Vec3> first(40);  // of the first vertices only
  displace(basis.sparse, u, base, first);
  for (std::size_t v = 0; v < first.size(); ++v) EXPECT_EQ(first[v], x[v]);

  const std::vector<Vec3> f = basis.vectors(basis.vertices);
  std::vector<double> reduced(columns);
  reduce(basis.sparse, f, reduced);
  const Eigen::VectorXd expected = basis.dense.transpose() * flattened(f);
  EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(reduced.data(), row(columns)) - expected).norm(),
            1e-13 * expected.norm());

  // Both are added to what is there.
  const std::size_t stride = basis.sparse.padded_columns();
  std::vector<double> mass;
  for (std::size_t v = 0; v < basis.vertices; ++v) mass.push_back(0.1 + std::abs(basis.noise()));
  Eigen::VectorXd diagonal(row(3 * basis.vertices));
  for (std::size_t v = 0; v < basis.vertices; ++v) diagonal.segment<3>(row(3 * v)).setConstant(mass[v]);
  std::vector<double> result(stride * stride, 2.0);
  add_reduced_mass(basis.sparse, mass, result);
  const Eigen::MatrixXd reduced_mass = basis.dense.transpose() * diagonal.asDiagonal() * basis.dense;
  const Eigen::MatrixXd found = square(result, stride).array() - 2.0;
  EXPECT_LT((found.topLeftCorner(row(columns), row(columns)) - reduced_mass).norm(), 1e-13 * reduced_mass.norm());
  EXPECT_EQ(found.rightCols(row(stride - columns)).cwiseAbs().sum(), 0);
  EXPECT_EQ(found.bottomRows(row(stride - columns)).cwiseAbs().sum(), 0);
}

TEST_P(ReducedBasisProducts, OfStiffnessAreThoseOfTheDenseMatrix) {
  const std::size_t columns = GetParam();
  RandomBasis basis(columns);
  // Couplings between neighbours and far ones; vertices that do not move have none but their diagonal's.
  std::vector<int> pairs;
  for (int v = 0; v < static_cast<int>(basis.vertices); ++v)
    for (const int other : {v + 1, v + 17})
      if (other < static_cast<int>(basis.vertices) && basis.sparse.moves(at(v)) && basis.sparse.moves(at(other)))
        pairs.insert(pairs.end(), {v, other});
  BlockMatrix stiffness = block_pattern(static_cast<int>(basis.vertices), pairs, 2);
  for (int v = 0; v < stiffness.rows; ++v)
    for (int k = stiffness.row_start[at(v)]; k < stiffness.row_start[at(v) + 1]; ++k) {
      const int other = stiffness.column[at(k)];
      if (other < v) continue;
      const Mat3 block = basis.noise.matrix();
      stiffness.block[at(k)] = other == v ? block + transpose(block) : block;
      stiffness.block[at(find_block(stiffness, other, v))] = transpose(stiffness.block[at(k)]);
    }
  const std::size_t stride = basis.sparse.padded_columns();
  std::vector<double> result(stride * stride, 1.0);
  add_reduced_stiffness(basis.sparse, stiffness, result);
  const Eigen::MatrixXd expected = basis.dense.transpose() * dense(stiffness) * basis.dense;
  const Eigen::MatrixXd found = square(result, stride).array() - 1.0;
  EXPECT_LT((found.topLeftCorner(row(columns), row(columns)) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_EQ(found.rightCols(row(stride - columns)).cwiseAbs().sum(), 0);
  EXPECT_EQ(found.bottomRows(row(stride - columns)).cwiseAbs().sum(), 0);
}

INSTANTIATE_TEST_SUITE_P(OneTileAndMore, ReducedBasisProducts, testing::Values(1, 8, 19, 53));

TEST(ReducedBasis, ProductsAreDeterministicForAnyNumberOfThreads) {
  RandomBasis basis(53);
  const std::vector<double> mass(basis.vertices, 0.3);
  const std::vector<Vec3> f = basis.vectors(basis.vertices);
  const std::size_t stride = basis.sparse.padded_columns();
  expect_same_bits([&] {
    std::vector<double> result(stride * stride, 0.0), reduced(basis.sparse.columns);
    add_reduced_mass(basis.sparse, mass, result);
    reduce(basis.sparse, f, reduced);
    result.insert(result.end(), reduced.begin(), reduced.end());
    return result;
  });
}

// A boundary that lies on triangles, and partly beside them, under a rig that bends, twists and swells its surface.
struct Bent {
  std::shared_ptr<RigSpaceBody> body = rig_space_block({.cells = {4, 2, 2}, .size = {0.4, 0.2, 0.2}});
  std::vector<Vec3> rest = boundary_of(*body);
  FunctionRig rig{"bent", numbered_parameters(11), rest.size(), [this](std::span<const double> p) {
                    std::vector<Vec3> s;
                    for (const Vec3& x : rest) {
                      BlockPose pose{.bend = p[0], .twist = p[1], .squeeze = 0.3 * p[2]};
                      Vec3 at_rest = x;
                      for (std::size_t i = 3; i < 11; ++i)
                        at_rest.y += 0.02 * p[i] * std::sin(static_cast<double>(i) * x.x * 9 + x.z);
                      s.push_back(posed(pose, {0.4, 0.2, 0.2}, at_rest));
                    }
                    return s;
                  }};

  Bent() {
    const std::size_t count = body->boundary_vertices();
    for (std::size_t v = 0; v < count; ++v) {
      SurfaceAnchor& anchor = body->anchors[v];
      const auto vertex = [&](std::size_t k) { return static_cast<int>((v + k) % count); };
      anchor.vertex = {vertex(0), vertex(1), vertex(2)};
      anchor.weight = {0.5, 0.3, 0.2};
      if (v % 3 != 0) continue;
      anchor.frame = {vertex(0), vertex(7), vertex(11)};
      const Vec3 point = 0.5 * rest[at(vertex(0))] + 0.3 * rest[at(vertex(1))] + 0.2 * rest[at(vertex(2))];
      anchor.offset = offset_in_frame(anchor.frame, rest, rest[v] - point);
    }
  }
};

TEST(BodyBasis, IsTheDerivativeOfThePlacedBody) {
  Bent bent;
  const std::size_t all = bent.body->mesh.positions.size();
  std::vector<int> free;
  for (int i = 0; i < 11; ++i) free.push_back(i);
  std::vector<double> p{0.4, -0.3, 0.2, 0.1, 0.5, -0.2, 0.3, 0, 0.1, -0.4, 0.2};
  const auto placed = [&](const std::vector<double>& values) {
    std::vector<Vec3> s(bent.rig.vertices()), x(all);
    bent.rig.evaluate(values, s);
    place_boundary(*bent.body, s, x);
    place_interior(*bent.body, x);
    return flattened(x);
  };
  RigDifferences differences(bent.rig, free, p);
  RigJacobian jacobian;
  differences.jacobian(p, jacobian);
  std::vector<Vec3> s(bent.rig.vertices());
  bent.rig.evaluate(p, s);
  const ReducedBasis whole = body_basis(*bent.body, s, jacobian), outer = boundary_basis(*bent.body, s, jacobian);
  ASSERT_EQ(whole.vertices(), all);
  ASSERT_EQ(outer.vertices(), bent.body->boundary_vertices());

  constexpr double step = 1e-5;
  const std::vector<Vec3> nothing(all);
  for (std::size_t c = 0; c < free.size(); ++c) {
    std::vector<double> less = p, more = p, unit(free.size(), 0.0);
    less[c] -= step;
    more[c] += step;
    unit[c] = 1;
    const Eigen::VectorXd difference = (placed(more) - placed(less)) / (2 * step);
    std::vector<Vec3> column(all), outer_column(outer.vertices());
    displace(whole, unit, nothing, column);
    displace(outer, unit, nothing, outer_column);
    EXPECT_LT((flattened(column) - difference).norm(), 1e-7 * difference.norm()) << c;
    for (std::size_t v = 0; v < outer.vertices(); ++v) EXPECT_EQ(outer_column[v], column[v]);
  }

  // The rig of the boundary alone has the same surface.
  BoundaryRig boundary(*bent.body, bent.rig);
  std::vector<Vec3> b(boundary.vertices());
  boundary.evaluate(p, b);
  EXPECT_EQ((flattened(b) - placed(p).head(row(3 * b.size()))).norm(), 0);
}

TEST(BodyBasis, AnchorsAreRenumberedToTheVerticesInUse) {
  std::vector<SurfaceAnchor> anchors(2);
  anchors[0].vertex = {9, 4, 9};
  anchors[0].weight = {0.2, 0.5, 0.3};
  anchors[1].vertex = {30, 4, 7};
  anchors[1].weight = {0.1, 0.2, 0.7};
  anchors[1].frame = {12, 9, 30};
  anchors[1].offset = {0.1, 0.2, 0.3};
  const std::vector<int> used = anchored_vertices(anchors);
  EXPECT_EQ(used, (std::vector<int>{4, 7, 9, 12, 30}));
  Noise noise(8);
  std::vector<Vec3> surface, few;
  for (int v = 0; v < 31; ++v) surface.push_back(noise.vector());
  for (const int v : used) few.push_back(surface[at(v)]);
  const std::vector<SurfaceAnchor> renamed = renumbered(anchors, used);
  EXPECT_TRUE(renamed[0].on_surface());
  for (std::size_t a = 0; a < 2; ++a)
    EXPECT_EQ(anchored_position(renamed[a], few), anchored_position(anchors[a], surface));
}

// Masses of linear elements: all of the body's, at its centre of mass.
TEST(BodyMasses, AddUpToTheBodys) {
  const auto body = rig_space_block({.cells = {4, 2, 3}, .size = {0.5, 0.2, 0.3}});
  std::vector<double> fill = body->material.fill;
  double mass = 0;
  Vec3 moment;
  const std::vector<double> masses = vertex_masses(body->mesh, fill, 900);
  for (std::size_t v = 0; v < masses.size(); ++v) {
    mass += masses[v];
    moment += masses[v] * body->mesh.positions[v];
  }
  // Sums over vertices, of sums over tetrahedra.
  const double operations = static_cast<double>(masses.size() + 24 + 30);
  EXPECT_NEAR(mass, 900 * 0.5 * 0.2 * 0.3, test::rounding_of(900 * 0.5 * 0.2 * 0.3, operations));
  EXPECT_LT(distance(moment / mass, {0.25, 0.1, 0.15}), test::rounding_of(0.5, operations));
  std::fill(fill.begin(), fill.end(), 0.5);
  // A sum over the tetrahedra around a vertex, 24 at most in such a block.
  EXPECT_NEAR(vertex_masses(body->mesh, fill, 900)[0], masses[0] / 2, test::rounding_of(masses[0], 24 + 4));
}

std::vector<double> gram(const Eigen::MatrixXd& columns, std::size_t stride) {
  std::vector<double> result(stride * stride, 0.0);
  const Eigen::MatrixXd product = columns.transpose() * columns;
  for (Eigen::Index i = 0; i < product.rows(); ++i)
    for (Eigen::Index j = 0; j < product.cols(); ++j)
      result[at(static_cast<int>(i)) * stride + at(static_cast<int>(j))] = product(i, j);
  return result;
}

TEST(ParameterEffects, ToldApartOrNot) {
  Noise noise(2);
  Eigen::MatrixXd columns(40, 5);
  for (Eigen::Index i = 0; i < columns.size(); ++i) columns.data()[i] = noise();
  columns.col(1) *= 1e-6;  // of another unit
  std::vector<double> range(5, 2.0);
  range[1] = 2e6;
  const auto all = [&](const Eigen::MatrixXd& c) { return find_dependent(gram(c, 8), 5, 8, range, 1e-9); };
  const auto found = [&](const Eigen::MatrixXd& c) {
    const std::vector<DependentParameter> dependent = all(c);
    EXPECT_EQ(dependent.size(), 1u);
    return dependent.empty() ? DependentParameter{} : dependent[0];
  };
  EXPECT_TRUE(all(columns).empty());

  Eigen::MatrixXd nothing = columns;
  nothing.col(2).setZero();
  EXPECT_EQ(found(nothing).parameter, 2);
  EXPECT_EQ(found(nothing).like, -1);
  nothing.col(2).setConstant(1e-12);  // over its range less than what counts
  EXPECT_EQ(found(nothing).parameter, 2);
  EXPECT_EQ(found(nothing).like, -1);

  Eigen::MatrixXd same = columns;
  same.col(4) = -3e3 * columns.col(1);
  EXPECT_EQ(found(same).parameter, 4);
  EXPECT_EQ(found(same).like, 1);
  EXPECT_TRUE(found(same).same);

  Eigen::MatrixXd together = columns;
  together.col(3) = 0.2 * columns.col(0) - 2 * columns.col(2);
  EXPECT_EQ(found(together).parameter, 3);
  EXPECT_EQ(found(together).like, 2);
  EXPECT_FALSE(found(together).same);

  // Close is not the same: a part in a thousand is told apart.
  Eigen::MatrixXd close = columns;
  close.col(4) = columns.col(0) + 1e-3 * columns.col(3);
  close.col(3) = columns.col(4) - columns.col(2);
  EXPECT_TRUE(all(close).empty());

  // All at once, and what is left can be told apart.
  Eigen::MatrixXd several = together;
  several.col(0).setZero();
  several.col(2) = 4 * columns.col(1);
  several.col(3) = 1e6 * columns.col(1) + columns.col(4);
  const std::vector<DependentParameter> wrong = all(several);
  ASSERT_EQ(wrong.size(), 3u);
  EXPECT_EQ(wrong[0].parameter, 0);
  EXPECT_EQ(wrong[0].like, -1);
  EXPECT_EQ(wrong[1].parameter, 2);
  EXPECT_TRUE(wrong[1].same);
  EXPECT_EQ(wrong[2].parameter, 4);
  EXPECT_FALSE(wrong[2].same);
}

}  // namespace
}  // namespace sinew
