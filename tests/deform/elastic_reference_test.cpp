// The elastic reference: no force without deformation, momentum, definiteness and stability of the warped
// forms, accuracy of its iterative solution, volume at joints.
#include "sinew/deform/tetrahedra/elastic_reference.h"

#include <functional>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "tests/deform/bars.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

std::unique_ptr<BodyMotion> at_rest(const std::shared_ptr<const FleshBody>& body, Warping warping,
                                    const std::vector<Affine>& pose) {
  std::unique_ptr<BodyMotion> flesh = elastic_reference_flesh(body, warping);
  flesh->reset({0, pose}, {flesh->step(), pose});
  return flesh;
}

void step_in_place(BodyMotion& flesh, const std::vector<Affine>& pose, int steps) {
  for (int k = 1; k <= steps; ++k) flesh.advance({k * flesh.step(), pose});
}

VertexFrames frames_of(const FleshBody& body, const std::vector<Affine>& pose) {
  VertexFrames frames;
  predict_frames(body.description.mesh.positions, body.description.influences, pose, frames);
  return frames;
}

std::unique_ptr<WarpedStiffness> warped(const FleshBody& body, Warping warping) {
  return warping == Warping::element ? element_warped_stiffness(body) : vertex_warped_stiffness(body);
}

// The operator of a pose, column by column, in local frames.
Eigen::MatrixXd dense_stiffness(WarpedStiffness& stiffness, std::size_t unknowns) {
  const auto n = static_cast<Eigen::Index>(unknowns);
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> unit(unknowns), column(unknowns);
  for (std::size_t k = 0; k < unknowns; ++k) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[k] = 1;
    stiffness.apply({}, 0, unit, column);
    matrix.col(static_cast<Eigen::Index>(k)) = Eigen::Map<Eigen::VectorXd>(column.data(), n);
  }
  return matrix;
}

// What iterations multiply with is the operator of their residuals, up to single precision.
void expect_rough_product(const FleshBody& body, const std::vector<Affine>& pose) {
  const VertexFrames frames = frames_of(body, pose);
  const SystemFactors factors{0.7, 900};
  for (const Warping warping : {Warping::element, Warping::vertex}) {
    const auto stiffness = warped(body, warping);
    stiffness->set_pose(frames);
    std::vector<double> u(3 * body.free_vertex.size()), exact(u.size()), rough(u.size());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = 0.004 * std::sin(1.7 * static_cast<double>(k));
    stiffness->apply(factors, 0, u, exact);
    stiffness->apply_roughly(factors, u, rough);
    double scale = 0;
    for (const double value : exact) scale = std::max(scale, std::abs(value));
    ASSERT_GT(scale, 0);
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(rough[k], exact[k], 1e-5 * scale);
  }
}

struct NetForce {
  double force = 0, torque = 0;  // shares of the sum of the single forces' sizes, and of their moments'
};

// Forces of a pose of a body without core, with displacements that are not small.
NetForce net_force(const FleshBody& body, Warping warping, const std::vector<Affine>& pose) {
  const VertexFrames frames = frames_of(body, pose);
  const auto stiffness = warped(body, warping);
  stiffness->set_pose(frames);
  std::vector<double> u(3 * body.free_vertex.size()), local(u.size());
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = 0.004 * std::sin(1.7 * static_cast<double>(k));
  stiffness->apply({}, 1, u, local);
  Vec3 force, torque;
  double force_scale = 0, torque_scale = 0;
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    const Vec3 world = frames.rotation[v] * Vec3{local[3 * f], local[3 * f + 1], local[3 * f + 2]};
    const Vec3 position = frames.goal[v] + frames.rotation[v] * Vec3{u[3 * f], u[3 * f + 1], u[3 * f + 2]};
    force += world;
    torque += cross(position, world);
    force_scale += norm(world);
    torque_scale += norm(position) * norm(world);
  }
  return {norm(force) / force_scale, norm(torque) / torque_scale};
}

std::shared_ptr<const FleshBody> free_bar(const Bar& bar) {
  FleshDescription description = bar_description(bar);
  std::fill(description.core.begin(), description.core.end(), 0);
  return cook_flesh(assemble_flesh(std::move(description)), {});
}

TEST(ElasticReference, TheBindPoseIsAtRest) {
  const Bar bar;
  const auto body = cooked_bar(bar);
  for (Warping warping : {Warping::element, Warping::vertex}) {
    const std::vector<Affine> pose = bar_pose(bar, moved({0.5, 1, -2}));
    const auto flesh = at_rest(body, warping, pose);
    EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-9);
    step_in_place(*flesh, pose, 100);
    EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-9);
  }
}

TEST(ElasticReference, ACommonRotationIsAtRest) {
  const Bar bar;
  const auto body = cooked_bar(bar);
  const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, -1, 2}), 2 * pi / 3));
  for (Warping warping : {Warping::element, Warping::vertex}) {
    const auto flesh = at_rest(body, warping, bar_pose(bar, {turn, {1, 2, 3}}));
    EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-9);
    step_in_place(*flesh, bar_pose(bar, {turn, {1, 2, 3}}), 50);
    EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-9);
  }
}

TEST(ElasticReference, UnderOneRotationForcesAndTorquesSumToZero) {
  const Bar bar;
  const auto body = free_bar(bar);
  // Small strain has no torque only where the strain is small too: displacements that are not add a torque
  // that is quadratic in them, and so is not asked for here.
  const Affine turn{to_matrix(axis_angle(normalized(Vec3{1, 1, 1}), 1.9)), {0.3, 0, 0.1}};
  for (Warping warping : {Warping::element, Warping::vertex})
    EXPECT_LT(net_force(*body, warping, bar_pose(bar, turn)).force, 1e-10);

  // The linear torque, sum x cross Q at the goal's positions, vanishes for any displacement.
  const VertexFrames frames = frames_of(*body, bar_pose(bar, turn));
  for (Warping warping : {Warping::element, Warping::vertex}) {
    const auto stiffness = warped(*body, warping);
    stiffness->set_pose(frames);
    std::vector<double> u(3 * body->free_vertex.size()), local(u.size());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = 0.004 * std::sin(1.7 * static_cast<double>(k));
    stiffness->apply({}, 1, u, local);
    Vec3 torque;
    double scale = 0;
    for (std::size_t f = 0; f < body->free_vertex.size(); ++f) {
      const auto v = static_cast<std::size_t>(body->free_vertex[f]);
      const Vec3 moment =
          cross(frames.goal[v], frames.rotation[v] * Vec3{local[3 * f], local[3 * f + 1], local[3 * f + 2]});
      torque += moment;
      scale += norm(moment);
    }
    EXPECT_LT(norm(torque), 1e-10 * scale);
  }
}

TEST(ElasticReference, ElementWarpingAddsNoForceAtABentJoint) {
  const Bar bar;
  const auto body = free_bar(bar);
  for (double bend : {pi / 2, 3 * pi / 4}) {
    const NetForce element = net_force(*body, Warping::element, bar_pose(bar, moved({}), bend));
    const NetForce vertex = net_force(*body, Warping::vertex, bar_pose(bar, moved({}), bend));
    EXPECT_LT(element.force, 1e-10);
    EXPECT_GT(vertex.force, 1e-4);  // what docs/flesh.md reports of equation 5.10
    RecordProperty("element_torque_" + std::to_string(std::lround(bend * 180 / pi)), std::to_string(element.torque));
    std::cout << "bend " << std::lround(bend * 180 / pi) << ": net force element " << element.force << " vertex "
              << vertex.force << ", net torque element " << element.torque << " vertex " << vertex.torque << "\n";
  }
}

TEST(ElasticReference, RoughProductsAreTheProductsToSinglePrecision) {
  const Bar bar;
  expect_rough_product(*free_bar(bar), bar_pose(bar, moved({}), pi / 2));
  expect_rough_product(*cooked_bar(bar), bar_pose(bar, moved({}), 3 * pi / 4));
}

TEST(ElasticReference, ElementWarpingIsSymmetricAndDefiniteInBentPoses) {
  Bar bar;
  bar.along = 8;
  bar.across = 2;
  const auto body = cooked_bar(bar);
  for (double bend : {pi / 2, 3 * pi / 4}) {
    const VertexFrames frames = frames_of(*body, bar_pose(bar, moved({}), bend));
    const auto stiffness = warped(*body, Warping::element);
    stiffness->set_pose(frames);
    const Eigen::MatrixXd matrix = dense_stiffness(*stiffness, 3 * body->free_vertex.size());
    EXPECT_LT((matrix - matrix.transpose()).norm(), 1e-12 * matrix.norm());
    const double smallest = test::symmetric_eigenvalues(0.5 * (matrix + matrix.transpose()))[0];
    EXPECT_GT(smallest, 0);
    const auto capell = warped(*body, Warping::vertex);
    capell->set_pose(frames);
    const Eigen::MatrixXd other = dense_stiffness(*capell, 3 * body->free_vertex.size());
    const double symmetric_part = test::symmetric_eigenvalues(0.5 * (other + other.transpose()))[0];
    std::cout << "bend " << std::lround(bend * 180 / pi) << ": smallest eigenvalue of the symmetric part, element "
              << smallest << " vertex " << symmetric_part << " N/m\n";
  }
}

TEST(ElasticReference, BothWarpingsAreTheRestStiffnessUnderOneRotation) {
  Bar bar;
  bar.along = 6;
  bar.across = 2;
  const auto body = cooked_bar(bar);
  const VertexFrames frames = frames_of(*body, bar_pose(bar, {to_matrix(axis_angle({0, 1, 0}, 2.2)), {}}));
  const Eigen::MatrixXd rest = test::dense(body->stiffness);
  for (Warping warping : {Warping::element, Warping::vertex}) {
    const auto stiffness = warped(*body, warping);
    stiffness->set_pose(frames);
    EXPECT_LT((dense_stiffness(*stiffness, 3 * body->free_vertex.size()) - rest).norm(), 1e-12 * rest.norm());
  }
}

TEST(ElasticReference, StaticEquilibriumBalancesForces) {
  Bar bar;
  bar.along = 8;
  bar.across = 2;
  FleshDynamics dynamics;
  dynamics.gravity_in_rest = GravityInRest::off;
  const auto body = cooked_bar(bar, dynamics);
  const std::vector<Affine> pose = bar_pose(bar, moved({}), pi / 2);
  const auto flesh = at_rest(body, Warping::element, pose);
  const VertexFrames frames = frames_of(*body, pose);
  const auto stiffness = warped(*body, Warping::element);
  stiffness->set_pose(frames);
  const auto n = static_cast<Eigen::Index>(3 * body->free_vertex.size());
  std::vector<double> zero(static_cast<std::size_t>(n)), load(zero.size());
  stiffness->apply({}, 1, zero, load);
  Eigen::VectorXd b(n);
  for (std::size_t f = 0; f < body->free_vertex.size(); ++f) {
    const Vec3 force = transpose_times(frames.rotation[static_cast<std::size_t>(body->free_vertex[f])],
                                       outside_force(*body, f, Mat3::identity()));
    for (std::size_t k = 0; k < 3; ++k) b[static_cast<Eigen::Index>(3 * f + k)] = force[k] - load[3 * f + k];
  }
  const Eigen::VectorXd expected = test::solved(dense_stiffness(*stiffness, zero.size()), b);
  EXPECT_LT((free_displacement(*body, *flesh) - expected).norm(), 1e-7 * expected.norm());
  // And the step agrees that nothing moves.
  step_in_place(*flesh, pose, 50);
  EXPECT_LT((free_displacement(*body, *flesh) - expected).norm(), 1e-6 * expected.norm());
}

TEST(ElasticReference, StepsReachTheToleranceInFewIterations) {
  Bar bar;
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.002;
  const auto body = cooked_bar(bar);
  for (Warping warping : {Warping::element, Warping::vertex}) {
    const auto pose = [&](int k) { return bar_pose(bar, moved({}), pi / 2 + 0.3 * std::sin(0.05 * k)); };
    const std::unique_ptr<BodyMotion> flesh = elastic_reference_flesh(body, warping);
    const std::vector<Affine> first = pose(0), second = pose(1);
    flesh->reset({0, first}, {flesh->step(), second});
    int iterations = 0;
    for (int k = 1; k <= 100; ++k) {
      const std::vector<Affine> bones = pose(k);
      flesh->advance({k * flesh->step(), bones});
      iterations += flesh->statistics().iterations;
      EXPECT_LE(flesh->statistics().residual, body->dynamics.tolerance);
    }
    EXPECT_LT(iterations, 100 * 20);
  }
}

double bar_volume(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> local) {
  double sum = 0;
  for (const Tetrahedron& t : body.description.mesh.tetrahedra) {
    Vec3 p[4];
    for (std::size_t c = 0; c < 4; ++c) {
      const auto v = static_cast<std::size_t>(t[c]);
      p[c] = frames.goal[v] + frames.rotation[v] * local[v];
    }
    sum += volume(p[0], p[1], p[2], p[3]);
  }
  return sum;
}

TEST(ElasticReference, AJointKeepsMoreOfItsVolumeThanTheRigs) {
  const Bar bar;
  const auto body = cooked_bar(bar);
  const double rest = bar.length * bar.width * bar.width;
  for (double bend : {pi / 2, 3 * pi / 4}) {
    const std::vector<Affine> pose = bar_pose(bar, moved({}), bend);
    const VertexFrames frames = frames_of(*body, pose);
    const auto flesh = at_rest(body, Warping::element, pose);
    const std::vector<Vec3> none(flesh->local_displacements().size());
    const double rig_loss = 1 - bar_volume(*body, frames, none) / rest;
    const double elastic_loss = 1 - bar_volume(*body, frames, flesh->local_displacements()) / rest;
    std::cout << "bend " << std::lround(bend * 180 / pi) << ": volume lost by the rig " << rig_loss << ", elastic "
              << elastic_loss << "\n";
    EXPECT_GT(rig_loss, 0.01);
    EXPECT_LT(std::abs(elastic_loss), 0.5 * rig_loss);
  }
}

TEST(ElasticReference, PiecesThatKeepTheRigsShapeDo) {
  const Bar bar;
  FleshDescription description = bar_description(bar);
  description.keeps_rig_shape.assign(description.mesh.positions.size(), 1);
  const auto body = cook_flesh(assemble_flesh(std::move(description)), {});
  for (Warping warping : {Warping::element, Warping::vertex}) {
    const auto flesh = at_rest(body, warping, bar_pose(bar, moved({}), 2));
    EXPECT_LT(largest_norm(flesh->local_displacements()), 1e-9);
  }
}

// A sheet (an ear) is a part of a piece: its end of the bar keeps the rig's shape, the other one does not. Where the
// bar is says nothing about its shape, and where both ends meet the goal counts for both or for neither.
FleshDescription half_kept(const Bar& bar) {
  FleshDescription description = bar_description(bar);
  const std::vector<Vec3>& rest = description.mesh.positions;
  for (const Vec3& x : rest) description.keeps_rig_shape.push_back(x.x > 0.6 * bar.length);
  return description;
}

TEST(ElasticReference, APartThatKeepsTheRigsShapeFeelsNoForceFromWhereTheBarIs) {
  const Bar bar;
  const auto body = cook_flesh(assemble_flesh(half_kept(bar)), {});
  const std::vector<double> none(3 * body->free_vertex.size(), 0.0);
  const auto largest_force = [&](Warping warping, const std::vector<Affine>& pose) {
    const VertexFrames frames = frames_of(*body, pose);
    const auto stiffness = warped(*body, warping);
    stiffness->set_pose(frames);
    std::vector<double> force(none.size());
    stiffness->apply({}, 1, none, force);
    double most = 0;
    for (const double f : force) most = std::max(most, std::abs(f));
    return most;
  };
  const Affine far{to_matrix(axis_angle({0.6, 0, 0.8}, 1.1)), {3, -2, 5}};
  for (Warping warping : {Warping::element, Warping::vertex})
    EXPECT_LT(largest_force(warping, bar_pose(bar, far)), 1e-9 * largest_force(warping, bar_pose(bar, moved({}), 0.5)));
}

TEST(ElasticReference, APartThatKeepsTheRigsShapeBendsTheRestNoFartherThanElasticityAlone) {
  const Bar bar;
  const auto body = cook_flesh(assemble_flesh(half_kept(bar)), {}), plain = cooked_bar(bar);
  for (double bend : {0.0, 0.5, 1.5}) {
    const std::vector<Affine> pose = bar_pose(bar, moved({3, -2, 5}), bend);
    const double without = largest_norm(at_rest(plain, Warping::element, pose)->local_displacements());
    EXPECT_LT(largest_norm(at_rest(body, Warping::element, pose)->local_displacements()), 1.5 * without + 1e-9) << bend;
  }
}

TEST(ElasticReference, PaintedDampingOfOneIsUniformDampingUnderOneRotation) {
  // Bent, the two differ: painted damping has the rest stiffness' form, uniform damping the pose's.
  Bar bar;
  bar.along = 6;
  bar.across = 2;
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.003;
  FleshDescription plain = bar_description(bar), painted = bar_description(bar);
  painted.damping.assign(painted.mesh.tetrahedra.size(), 1.0);
  FleshDynamics dynamics;
  dynamics.tolerance = 1e-11;
  const auto a = cook_flesh(assemble_flesh(std::move(plain)), dynamics),
             b = cook_flesh(assemble_flesh(std::move(painted)), dynamics);
  std::vector<Eigen::VectorXd> results;
  for (const auto& body : {a, b}) {
    const std::unique_ptr<BodyMotion> flesh = elastic_reference_flesh(body);
    const auto pose = [&](int k) {
      return bar_pose(bar, {to_matrix(axis_angle({0, 0, 1}, 0.03 * k)), {0, 0.02 * std::sin(0.2 * k), 0}});
    };
    play(*flesh, pose, 60);
    results.push_back(free_displacement(*body, *flesh));
  }
  EXPECT_GT(results[0].norm(), 1e-3);
  EXPECT_LT((results[0] - results[1]).norm(), 1e-7 * results[0].norm());
}

TEST(ElasticReference, InTheBindPoseItMovesLikeTheRigReference) {
  Bar bar;
  bar.mass_damping = 3;
  bar.stiffness_damping = 0.002;
  FleshDynamics dynamics;
  dynamics.tolerance = 1e-10;
  const auto body = cooked_bar(bar, dynamics);
  std::unique_ptr<BodyMotion> both[2] = {rig_reference_flesh(body), elastic_reference_flesh(body)};
  for (auto& flesh : both) {
    const auto pose = [&](int k) { return bar_pose(bar, moved({0, 0.02 * std::sin(0.1 * k), 0})); };
    play(*flesh, pose, 100);
  }
  const Eigen::VectorXd u = free_displacement(*body, *both[0]), v = free_displacement(*body, *both[1]);
  EXPECT_GT(u.norm(), 1e-3);
  EXPECT_LT((u - v).norm(), 1e-7 * u.norm());
}

TEST(ElasticReferenceDeterminism, ThreadsDoNotChangeABit) {
  Bar bar;
  bar.along = 30;
  bar.across = 4;
  const auto body = cooked_bar(bar);
  for (Warping warping : {Warping::element, Warping::vertex}) {
    std::vector<std::vector<Vec3>> results;
    for (int threads : {1, 2, 4}) {
      set_thread_count(threads);
      const auto flesh = at_rest(body, warping, bar_pose(bar, moved({}), 0.5));
      step_in_place(*flesh, bar_pose(bar, moved({}), 0.55), 5);
      results.emplace_back(flesh->local_displacements().begin(), flesh->local_displacements().end());
    }
    set_thread_count(0);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST(ElasticReference, SnapshotsContinueWithTheSameBits) {
  const Bar bar;
  const auto body = cooked_bar(bar);
  const auto flesh = at_rest(body, Warping::element, bar_pose(bar, moved({}), 0.5));
  step_in_place(*flesh, bar_pose(bar, moved({}), 0.6), 5);
  Snapshot snapshot;
  flesh->save(snapshot);
  const std::unique_ptr<BodyMotion> other = elastic_reference_flesh(body);
  const std::vector<Affine> saved_at = bar_pose(bar, moved({}), 0.6);
  other->load(snapshot, {0, saved_at});
  step_in_place(*flesh, bar_pose(bar, moved({}), 0.7), 5);
  step_in_place(*other, bar_pose(bar, moved({}), 0.7), 5);
  for (std::size_t v = 0; v < flesh->local_displacements().size(); ++v)
    ASSERT_EQ(flesh->local_displacements()[v], other->local_displacements()[v]);
}

}  // namespace
}  // namespace sinew
