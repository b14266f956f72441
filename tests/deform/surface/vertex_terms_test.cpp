#include "sinew/deform/surface/vertex_terms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/deform/surface/surface_motion.h"
#include "tests/deform/surface/surface_motions.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using test::swinging;
using test::tube;
using test::turned;

// Terms of numbers up to 3: a point in a bone's frame, the nearest point on a segment, a length and a quotient.
constexpr double rounding_of_terms = test::rounding_of(3, 24);

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LE(distance(a, b), tolerance) << a.x << " " << a.y << " " << a.z << " against " << b.x << " " << b.y << " "
                                       << b.z;
}

// One vertex without neighbours at `rest` on one bone whose segment goes from `head` to `tail`.
SurfaceModel lone_vertex(const Vec3& rest, const Vec3& head, const Vec3& tail, ShapeReference reference) {
  SurfaceModel model;
  model.reference = reference;
  model.rest = {rest};
  model.normals = {{0, 1, 0}};
  model.influences = {test::influence({{0, 1}})};
  model.bones.push_back({"bone", {}});
  model.segments.push_back({0, head, tail});
  model.first_neighbour = {0, 0};
  model.first_spoke = {0, 1};
  model.spokes = {{0, 1}};
  model.parameters.resize(1);
  return model;
}

// Terms of all vertices where the surface is at `position`, its bones as given now and at the next step.
std::vector<TermArray> terms_at(const SurfaceModel& model, const std::vector<Affine>& now,
                                const std::vector<Affine>& then, const std::vector<Vec3>& position,
                                const std::vector<Vec3>& change) {
  PosedSurface posed, next;
  pose_surface(model, now, posed);
  pose_surface(model, then, next);
  SurfaceState state{position, change, std::vector<Quat>(position.size())};
  const SurfaceMoment moment = moment_of(model, state, posed, next);
  std::vector<TermArray> terms;
  for (std::size_t i = 0; i < position.size(); ++i) terms.push_back(vertex_terms(model, moment, i, state.rotation[i]));
  return terms;
}

Vec3 spoke_at(const SurfaceModel& model, const Affine& bone, const Vec3& position) {
  return terms_at(model, {bone}, {bone}, {position}, {Vec3{}})[0][2];
}

TEST(VertexTerms, VanishWhereEverythingIsAtRest) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = tube(9, 8);
    model.reference = reference;
    const std::vector<Affine> still(2);
    for (const TermArray& terms : terms_at(model, still, still, model.rest, std::vector<Vec3>(model.rest.size())))
      for (const Vec3& term : terms) EXPECT_LE(norm(term), 1e-14);
  }
}

// The whole thing turned and moved, from step to step by the same amount: it moves along without any force.
TEST(VertexTerms, VanishUnderRigidMotionOfAll) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = tube(9, 8);
    model.reference = reference;
    test::set_smooth_shape(model);
    Affine bone = turned({1, 2, 3}, 2.5), next = bone;
    bone.translation = {3, -2, 5};
    next.translation = {3.1, -2, 5.2};
    std::vector<Vec3> position, change;
    for (const Vec3& x : model.rest) {
      position.push_back(bone * x);
      change.push_back(next * x - bone * x);
    }
    for (const TermArray& terms : terms_at(model, {bone, bone}, {next, next}, position, change))
      for (const Vec3& term : terms) EXPECT_LE(norm(term), 2e-14);
  }
}

// In the rig's own pose nothing pulls, however it bends; against the rest shape it does.
TEST(VertexTerms, ABentRigIsRestOnlyForTheRigsOwnShape) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = tube(17, 8);
    model.reference = reference;
    const std::vector<Affine> bones{Affine{}, turned({0, 0, 1}, 1.2, {0, 0.5, 0})};
    PosedSurface posed;
    pose_surface(model, bones, posed);
    double most = 0;
    for (const TermArray& terms : terms_at(model, bones, bones, posed.goal, std::vector<Vec3>(model.rest.size())))
      for (const Vec3& term : terms) most = std::max(most, norm(term));
    if (reference == ShapeReference::rig)
      EXPECT_LE(most, 1e-14);
    else
      EXPECT_GT(most, 1e-3);
  }
}

TEST(VertexTerms, TheGoalPullsTowardsItself) {
  const SurfaceModel model = tube(9, 8);
  std::vector<Vec3> position = model.rest;
  position[20] += Vec3{0.01, -0.02, 0.03};
  const std::vector<Affine> still(2);
  const auto terms = terms_at(model, still, still, position, std::vector<Vec3>(position.size()));
  expect_near(terms[20][0], {-0.01, 0.02, -0.03}, rounding_of_terms);
}

// Equation 6 with the sign as printed would push a vertex to the far side of its neighbours. Where a vertex alone has
// left its place, the neighbours' shape wants it back: on a symmetric ring all the way.
TEST(VertexTerms, NeighboursPullAVertexBackToItsPlaceAmongThem) {
  const SurfaceModel model = test::sheet(9, 9);
  const std::size_t middle = 40;
  const std::vector<Affine> still(1);
  for (const Vec3& d : {Vec3{0, 1e-3, 0}, Vec3{4e-4, 3e-4, -5e-4}}) {
    std::vector<Vec3> position = model.rest;
    position[middle] += d;
    const auto terms = terms_at(model, still, still, position, std::vector<Vec3>(position.size()));
    expect_near(terms[middle][1], -1.0 * d, 1e-9);  // the ring's edges add up to zero, so no turn moves its middle
  }
  // A vertex at the border, whose edges do not cancel: what the formula of (6) and (7) gives with its own rotation.
  const std::size_t corner = 4;
  std::vector<Vec3> position = model.rest;
  position[corner] += Vec3{0, 2e-3, 1e-3};
  PosedSurface posed;
  pose_surface(model, still, posed);
  Mat3 a = Mat3::zero();
  double spread = 0;
  Vec3 mean_offset, mean_edge;
  const int begin = model.first_neighbour[corner], end = model.first_neighbour[corner + 1];
  for (int k = begin; k < end; ++k) {
    const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
    a += outer(position[j] - position[corner], model.rest[j] - model.rest[corner]);
    spread += squared_norm(model.rest[j] - model.rest[corner]);
    mean_offset += (position[j] - position[corner]) / (end - begin);
    mean_edge += (model.rest[j] - model.rest[corner]) / (end - begin);
  }
  a += Mat3::identity() * (1e-3 * spread);
  const auto terms = terms_at(model, still, still, position, std::vector<Vec3>(position.size()));
  expect_near(terms[corner][1], mean_offset - closest_rotation(a) * mean_edge, 1e-12);
  EXPECT_LT(terms[corner][1].y, 0);
}

// What the paper's U V would make of a neighbourhood that is turned inside out: a mirror, with which it would stay so.
TEST(VertexTerms, ANeighbourhoodTurnedInsideOutIsPushedBack) {
  SurfaceModel model = test::sphere(2);
  std::vector<Vec3> position = model.rest;
  for (Vec3& x : position) x.y = -x.y;
  const std::vector<Affine> still(1);
  double most = 0;
  for (const TermArray& terms : terms_at(model, still, still, position, std::vector<Vec3>(position.size())))
    most = std::max(most, norm(terms[1]));
  EXPECT_GT(most, 0.02);
}

TEST(VertexTerms, SpokesKeepTheDistanceFromTheBone) {
  const SurfaceModel model =
      lone_vertex({0.3, 0.5, 0.4}, {0, 0, 0}, {0, 1, 0}, ShapeReference::rig);  // half a metre off
  const Affine still;
  // Twice as far out, and slid along: half of that back towards the axis.
  expect_near(spoke_at(model, still, {0.6, 0.9, 0.8}), {-0.3, 0, -0.4}, rounding_of_terms);
  // Turned about the bone: no force.
  expect_near(spoke_at(model, still, {0.5, 0.2, 0}), {}, rounding_of_terms);
  // Beyond the tail the foot is the tail.
  const Vec3 beyond{0, 2, 0.1};
  const Vec3 d = beyond - Vec3{0, 1, 0};
  expect_near(spoke_at(model, still, beyond), (0.5 / norm(d) - 1) * d, rounding_of_terms);
  // On the bone there is no direction: no force, no NaN; within a micrometre it is bounded.
  expect_near(spoke_at(model, still, {0, 0.5, 0}), {}, 0);
  EXPECT_LE(norm(spoke_at(model, still, {1e-9, 0.5, 0})), 0.5);
}

TEST(VertexTerms, SpokesWithoutLength) {
  // A bone of no length: its point.
  const SurfaceModel point = lone_vertex({0, 0.5, 0}, {0, 0, 0}, {0, 0, 0}, ShapeReference::rest);
  expect_near(spoke_at(point, {}, {2, 0, 0}), {-1.5, 0, 0}, rounding_of_terms);
  // A vertex that rests on the bone is pulled back onto it, by all of its distance.
  const SurfaceModel on_bone = lone_vertex({0, 0.5, 0}, {0, 0, 0}, {0, 1, 0}, ShapeReference::rest);
  expect_near(spoke_at(on_bone, {}, {0.1, 0.7, 0}), {-0.1, 0, 0}, rounding_of_terms);
}

// A bone that is stretched lengthwise keeps its girth; one that is scaled across changes it; each to the root of the
// area.
TEST(VertexTerms, SpokesFollowABonesScale) {
  const SurfaceModel model = lone_vertex({0.5, 0.5, 0}, {0, 0, 0}, {0, 1, 0}, ShapeReference::rest);
  Affine along, across, one_way;
  along.linear = Mat3{{1, 0, 0, 0, 3, 0, 0, 0, 1}};
  across.linear = Mat3{{2, 0, 0, 0, 1, 0, 0, 0, 2}};
  one_way.linear = Mat3{{4, 0, 0, 0, 1, 0, 0, 0, 1}};
  expect_near(spoke_at(model, along, {0.5, 2, 0}), {}, rounding_of_terms);
  expect_near(spoke_at(model, across, {1, 0.5, 0}), {}, rounding_of_terms);
  expect_near(spoke_at(model, across, {3, 0.5, 0}), {-2, 0, 0}, rounding_of_terms);
  expect_near(spoke_at(model, one_way, {1, 0.5, 0}), {}, rounding_of_terms);
  // Against the rig the goal itself says how far.
  SurfaceModel rig = model;
  rig.reference = ShapeReference::rig;
  expect_near(spoke_at(rig, one_way, {2, 0.5, 0}), {}, rounding_of_terms);
}

TEST(VertexTerms, SeveralSpokesAreAveragedByTheirWeights) {
  SurfaceModel model = lone_vertex({0.5, 0.5, 0}, {0, 0, 0}, {0, 1, 0}, ShapeReference::rest);
  model.segments.push_back({0, {0.5, 0, 0}, {0.5, 0.1, 0}});
  model.spokes = {{0, 0.75}, {1, 0.25}};
  model.first_spoke = {0, 2};
  const Vec3 x{0.7, 0.5, 0}, d = x - Vec3{0.5, 0.1, 0};
  expect_near(spoke_at(model, {}, x), 0.75 * Vec3{-0.2, 0, 0} + 0.25 * (0.4 / norm(d) - 1) * d, rounding_of_terms);
}

// Equation 9 with the mean taken over the differences: equal velocities give nothing, whatever their number.
TEST(VertexTerms, DampingIsTowardsTheNeighboursMeanVelocity) {
  const SurfaceModel model = tube(9, 8);
  const std::size_t n = model.rest.size();
  const std::vector<Affine> still(2);
  std::vector<Vec3> change(n, Vec3{0.1, 0.2, 0.3});
  for (const TermArray& terms : terms_at(model, still, still, model.rest, change))
    expect_near(terms[3], {}, rounding_of_terms);
  change[30] += Vec3{0.6, 0, 0};
  const auto terms = terms_at(model, still, still, model.rest, change);
  expect_near(terms[30][3], {-0.6, 0, 0}, rounding_of_terms);
  for (int k = model.first_neighbour[30]; k < model.first_neighbour[31]; ++k) {
    const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
    expect_near(terms[j][3], {0.6 / (model.first_neighbour[j + 1] - model.first_neighbour[j]), 0, 0},
                rounding_of_terms);
  }
}

TEST(VertexTerms, AbsoluteDampingIsRelativeToTheGoalsNextChange) {
  SurfaceModel model = lone_vertex({0, 0.5, 0}, {0, 0, 0}, {0, 1, 0}, ShapeReference::rig);
  Affine next;
  next.translation = {0.2, 0, 0};
  const auto terms = terms_at(model, {Affine{}}, {next}, {{0, 0.5, 0}}, {{0.05, 0, 0.1}});
  expect_near(terms[0][4], {0.15, 0, -0.1}, rounding_of_terms);
  EXPECT_EQ(terms[0][1], Vec3{});  // without neighbours
  EXPECT_EQ(terms[0][3], Vec3{});
}

TEST(VertexTerms, TheShapeOfRestorationTurnsWithTheBone) {
  SurfaceModel model = lone_vertex({0, 0.5, 0}, {0, 0, 0}, {0, 1, 0}, ShapeReference::rig);
  model.shape = {{2, 0.75, 0.25, 0, 0, 0}};
  const Affine quarter = turned({0, 0, 1}, std::numbers::pi / 2);  // x becomes y, y becomes -x
  const Vec3 goal = quarter * model.rest[0], d{0.1, 0.2, 0.3};
  const auto terms = terms_at(model, {quarter}, {quarter}, {goal - d}, {Vec3{}});
  expect_near(terms[0][0], {0.75 * 0.1, 2 * 0.2, 0.25 * 0.3}, rounding_of_terms);
  // A bone's scale has no part in it.
  Affine scaled = quarter;
  for (double& v : scaled.linear.m) v *= 1.7;
  expect_near(terms_at(model, {scaled}, {scaled}, {scaled * model.rest[0] - d}, {Vec3{}})[0][0],
              {0.75 * 0.1, 2 * 0.2, 0.25 * 0.3}, rounding_of_terms);
}

TEST(VertexTerms, TheIdentityAsShapeChangesNothing) {
  SurfaceModel model = tube(9, 8);
  const std::vector<Affine> bones = swinging(model, 0.2), next = swinging(model, 0.22);
  std::vector<Vec3> position, change;
  PosedSurface posed;
  pose_surface(model, bones, posed);
  for (const Vec3& x : posed.goal) position.push_back(x + Vec3{0.02 * std::sin(20 * x.y), 0.01, 0.03 * x.x});
  change.assign(position.size(), Vec3{0.01, 0, 0});
  const auto plain = terms_at(model, bones, next, position, change);
  model.shape.resize(model.rest.size());
  const auto shaped = terms_at(model, bones, next, position, change);
  for (std::size_t i = 0; i < plain.size(); ++i) expect_near(plain[i][0], shaped[i][0], rounding_of_terms);
}

// Neighbours in a line, or none at all, do not say how they are turned about it: their bone does.
TEST(VertexTerms, ALineIsTurnedAboutItselfAsItsBone) {
  SurfaceModel model = test::line(9, false);
  model.reference = ShapeReference::rest;
  const Affine bone = turned({0.3, 1, 0.1}, 2.2);
  PosedSurface posed;
  pose_surface(model, std::vector<Affine>{bone, bone}, posed);
  for (const bool in_one_point : {false, true}) {
    SurfaceState state{posed.goal, std::vector<Vec3>(posed.goal.size()), std::vector<Quat>(posed.goal.size())};
    if (in_one_point) std::fill(state.position.begin(), state.position.end(), Vec3{1, 2, 3});
    const SurfaceMoment moment = moment_of(model, state, posed, posed);
    for (std::size_t i = 0; i < posed.goal.size(); ++i) {
      vertex_terms(model, moment, i, state.rotation[i]);
      EXPECT_LE(frobenius_norm(to_matrix(state.rotation[i]) - bone.linear), 1e-12);
    }
  }
}

// A ring that is folded into a line, and on until it is inside out: R goes along without a leap.
TEST(VertexTerms, ANeighbourhoodThatFoldsTurnsWithoutALeap) {
  const SurfaceModel model = test::sheet(5, 5);
  const std::vector<Affine> still(1);
  const std::size_t middle = 12;
  Mat3 last;
  double farthest = 0, all = 0;
  constexpr int steps = 20000;
  for (int k = 0; k <= steps; ++k) {
    const double width = 1 - 2.0 * k / steps;  // through zero to the mirror image; a breath of wind decides for a side
    std::vector<Vec3> position = model.rest;
    for (Vec3& x : position) x = {x.x + 0.02 * x.z, 0.03 * x.x + 0.02 * x.z, width * x.z};
    PosedSurface posed;
    pose_surface(model, still, posed);
    SurfaceState state{position, std::vector<Vec3>(position.size()), std::vector<Quat>(position.size())};
    vertex_terms(model, moment_of(model, state, posed, posed), middle, state.rotation[middle]);
    const Mat3 rotation = to_matrix(state.rotation[middle]);
    if (k > 0) {
      farthest = std::max(farthest, frobenius_norm(rotation - last));
      all += frobenius_norm(rotation - last);
    }
    last = rotation;
  }
  EXPECT_GT(all, 2);  // it is turned over
  EXPECT_LE(farthest, 0.05);
}

TEST(VertexTerms, NothingIsLostInDegenerateNeighbourhoods) {
  SurfaceModel model = test::sheet(5, 5);
  const std::vector<Affine> still(1);
  std::vector<Vec3> position(model.rest.size(), Vec3{1, 1, 1});  // all in one point
  for (const TermArray& terms : terms_at(model, still, still, position, std::vector<Vec3>(position.size())))
    for (const Vec3& term : terms) EXPECT_TRUE(is_finite(term));
  for (std::size_t i = 0; i < position.size(); ++i) position[i] = {static_cast<double>(i), 0, 0};  // all in one line
  for (const TermArray& terms : terms_at(model, still, still, position, std::vector<Vec3>(position.size())))
    for (const Vec3& term : terms) EXPECT_TRUE(is_finite(term));
}

}  // namespace
}  // namespace sinew
