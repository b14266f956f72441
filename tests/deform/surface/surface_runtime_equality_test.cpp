// The C run-time, in single precision and with parameters of 8 bits, against the steps that fitting makes: what is
// learned is what ships.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "tests/deform/surface/surface_motions.h"

namespace sinew {
namespace {

struct DifferenceOfMotion {
  double largest = 0, last = 0;   // distance over the motion and at its end, as a share of the model's height
  double farthest_from_goal = 0;  // metres
};

// Both have what the file holds. `size`: of the dance. `still`: steps after it, in its last pose.
DifferenceOfMotion difference_of(const SurfaceModel& source, std::size_t frames, double size, std::size_t still = 0) {
  const std::vector<std::byte> file = cook_runtime_file(source);
  const SurfaceModel model = read_runtime_file(file, "model");
  EXPECT_EQ(model.shape.size(), source.shape.size());
  SurfaceMotion motion = test::swinging_motion(model, frames, 0, size);
  motion.bones.insert(motion.bones.end(), still, motion.bones.back());
  const test::RuntimeModel runtime(file);
  const test::RuntimeBody body(runtime);
  // The run-time's matrices are in single precision: both see the same ones.
  SurfaceMotion rounded = motion;
  for (auto& bones : rounded.bones)
    for (Affine& bone : bones) {
      for (double& v : bone.linear.m) v = static_cast<double>(static_cast<float>(v));
      for (std::size_t k = 0; k < 3; ++k)
        bone.translation[k] = static_cast<double>(static_cast<float>(bone.translation[k]));
    }
  PosedSurface now, next;
  pose_surface(model, rounded.bones[0], now);
  SurfaceState state = rest_in_goal(model, rounded.bones[0], now, now), after;  // as sinew_body_reset: at rest
  test::must(sinew_body_reset(body.body, test::to_bones(motion.bones[0]).data(), nullptr));
  DifferenceOfMotion difference;
  for (std::size_t k = 1; k < frames + still; ++k) {
    pose_surface(model, rounded.bones[k], next);
    step_surface(model, now, next, state, after);
    std::swap(state, after);
    std::swap(now, next);
    test::must(sinew_body_step(body.body, test::to_bones(motion.bones[k]).data()));
    const std::vector<Vec3> positions = body.positions();
    difference.last = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      difference.last = std::max(difference.last, distance(positions[i], state.position[i]) / model.height);
      difference.farthest_from_goal = std::max(difference.farthest_from_goal, distance(state.position[i], now.goal[i]));
    }
    difference.largest = std::max(difference.largest, difference.last);
  }
  return difference;
}

void expect_equal(ShapeReference reference, bool shape) {
  SurfaceModel model = test::tube(25, 16);
  model.reference = reference;
  test::set_smooth_parameters(model);
  if (shape) test::set_smooth_shape(model);
  const DifferenceOfMotion difference = difference_of(model, 301, 0.5);
  EXPECT_LE(difference.largest, 1e-5);
  EXPECT_GT(difference.farthest_from_goal, 0.05);  // it does swing
}

TEST(SurfaceRuntimeEquality, AgainstTheRigsShape) { expect_equal(ShapeReference::rig, false); }
TEST(SurfaceRuntimeEquality, AgainstTheRestShape) { expect_equal(ShapeReference::rest, false); }
TEST(SurfaceRuntimeEquality, WithRestorationThatDiffersBetweenDirections) {
  expect_equal(ShapeReference::rig, true);
  expect_equal(ShapeReference::rest, true);
}

TEST(SurfaceRuntimeEquality, WhereVerticesAreHeldAtTheirReach) {
  SurfaceModel model = test::tube(25, 16);
  test::set_smooth_parameters(model);
  model.reach = 0.04;
  const DifferenceOfMotion difference = difference_of(model, 301, 0.5);
  EXPECT_LE(difference.largest, 1e-5);
  EXPECT_NEAR(difference.farthest_from_goal, 0.04, 1e-5);
}

// ---- one step at a time, from the same state ----

constexpr double epsilon = 0x1p-24;  // a float's rounding, relative

double largest_coordinate(const Vec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// How far apart two steps of a vertex may end, one in doubles, one in floats: what is rounded, and how often. The goal
// of some bones is a sum of up to 16 roundings of where things are; the terms have a dozen each of what is near the
// vertex (edges, offsets, changes, spokes), times parameters that sum to less than four. An error of A turns R by K^-1
// times it, which moves the neighbours' mean edge m by its cross product; the direction of a short spoke is that of
// rounded places.
double bound_of(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t i, const Vec3& next_goal) {
  Quat guess;
  vertex_terms(model, moment, i, guess);
  const Vec3 x = moment.position[i];
  const double place = largest_coordinate(x) + largest_coordinate(next_goal) + largest_coordinate(model.rest[i]);
  double near = norm(moment.goal[i] - x) + norm(moment.change[i]) + norm(next_goal - moment.goal[i]);
  double along = 0;  // what an error of where things are does to the direction of a spoke
  for (int k = model.first_spoke[i]; k < model.first_spoke[i + 1]; ++k) {
    const auto spoke = static_cast<std::size_t>(k);
    const SurfaceSegment& s = moment.segments[static_cast<std::size_t>(model.spokes[spoke].segment)];
    const double d = distance(x, nearest_on_segment(s.head, s.tail, x)), length = moment.spoke_length[spoke];
    near += norm(x - s.head) + length;
    along += model.spokes[spoke].weight * length / std::max(d, 1e-6) * (place + largest_coordinate(s.head));
  }
  const double pull = frame_pull(model, i);
  Mat3 a = neighbourhood_frame(model, moment, i) * pull;
  Vec3 m;
  double products = 2 * pull, farthest = 0;
  const int count = model.first_neighbour[i + 1] - model.first_neighbour[i];
  for (int k = model.first_neighbour[i]; k < model.first_neighbour[i + 1]; ++k) {
    const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
    const Vec3 edge_vector = moment.shape[j] - moment.shape[i], offset_vector = moment.position[j] - x;
    a += outer(offset_vector, edge_vector);
    m += edge_vector / count;
    const double edge = norm(edge_vector), offset = norm(offset_vector);
    products += edge * offset;
    farthest = std::max(farthest, edge + offset + norm(moment.change[j]));
  }
  near += farthest;
  // The run-time's own solution for R is left where what is missing is below 2e-6 of A.
  const Mat3 inverse = rotation_derivative(a, to_matrix(guess), 1e-6 * pull).inverse;
  const Mat3 across{{0, -m.z, m.y, m.z, 0, -m.x, -m.y, m.x, 0}};
  const double turned = frobenius_norm(across * inverse) * products * (2e-6 + epsilon * (count + 32));
  return epsilon * (16 * place + 48 * near + 8 * model.parameters[i].gamma * along) +
         model.parameters[i].beta * std::min(turned, 2 * norm(m));
}

struct Steps {
  double most = 0;       // of what the bounds allow
  double largest = 0;    // metres
  double tight = 0;      // share of steps of vertices whose bound is below 1e-5 of the model's height
  double most_turn = 0;  // radians that a neighbourhood has turned in a step
};

// Every step of the library begins where the run-time is.
Steps compare_steps(const SurfaceModel& source, const std::vector<std::vector<Affine>>& bones) {
  const std::vector<std::byte> file = cook_runtime_file(source);
  const SurfaceModel model = read_runtime_file(file, "model");
  const test::RuntimeModel runtime(file);
  const test::RuntimeBody body(runtime);
  const std::uint32_t* order = sinew_model_order(runtime.model);
  const std::size_t n = model.rest.size();
  PosedSurface now, next;
  SurfaceState state{std::vector<Vec3>(n), std::vector<Vec3>(n), std::vector<Quat>(n)}, after;
  test::must(sinew_body_reset(body.body, test::to_bones(bones[0]).data(), nullptr));
  Steps steps;
  std::size_t tight = 0;
  for (std::size_t k = 0; k + 1 < bones.size(); ++k) {
    pose_surface(model, bones[k], now);
    pose_surface(model, bones[k + 1], next);
    const sinew_record* records = sinew_body_records(body.body);
    const auto wide = [](const float* v) {
      return Vec3{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    };
    for (std::size_t place = 0; place < n; ++place) {
      const std::size_t i = order[place];
      state.position[i] = wide(records[place].position);
      state.change[i] = wide(records[place].velocity) * static_cast<double>(static_cast<float>(model.step));
      now.goal[i] = wide(records[place].goal);
      const float* q = records[place].rotation;
      state.rotation[i] = Quat{static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
                               static_cast<double>(q[3])};
    }
    const std::vector<Quat> before = state.rotation;
    step_surface(model, now, next, state, after);
    test::must(sinew_body_step(body.body, test::to_bones(bones[k + 1]).data()));
    const std::vector<Vec3> positions = body.positions();
    const SurfaceMoment moment = moment_of(model, state, now, next);
    for (std::size_t i = 0; i < n; ++i) {
      const double bound = bound_of(model, moment, i, next.goal[i]), d = distance(positions[i], after.position[i]);
      tight += bound < 1e-5 * model.height;
      steps.largest = std::max(steps.largest, d);
      steps.most = std::max(steps.most, d / bound);
      const double cosine = std::min(1.0, std::abs(dot(before[i], state.rotation[i])));
      steps.most_turn = std::max(steps.most_turn, 2 * std::acos(cosine));
    }
  }
  steps.tight = static_cast<double>(tight) / static_cast<double>(n * (bones.size() - 1));
  return steps;
}

std::vector<std::vector<Affine>> rounded(std::vector<std::vector<Affine>> bones) {
  for (auto& of_frame : bones)
    for (Affine& bone : of_frame) {
      for (double& v : bone.linear.m) v = static_cast<double>(static_cast<float>(v));
      for (std::size_t k = 0; k < 3; ++k)
        bone.translation[k] = static_cast<double>(static_cast<float>(bone.translation[k]));
    }
  return bones;
}

struct Body {
  const char* name;
  SurfaceModel model;
  double tight;  // the share of steps that must be held to 1e-5 of the height
};

std::vector<Body> bodies() {
  return {{"a tube", test::tube(25, 16), 0.99},
          {"a thin tube", test::tube(20, 5, 2, 1, 0.004), 0.99},
          {"a line", test::line(20, false), 0.99},
          {"a line with twigs", test::line(20, true), 0.99}};
}

void expect_equal_steps(bool mirror) {
  for (Body& body : bodies())
    for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest})
      for (const bool shape : {false, true}) {
        body.model.reference = reference;
        body.model.shape.clear();
        test::set_smooth_parameters(body.model);
        if (shape) test::set_smooth_shape(body.model);
        SurfaceMotion motion = test::swinging_motion(body.model, 301, 0, 1);
        if (mirror)  // now and then the upper bone turns its flesh inside out
          for (std::size_t k = 0; k < motion.bones.size(); ++k)
            if (k / 20 % 2 == 1)
              motion.bones[k][1].linear = motion.bones[k][1].linear * Mat3::diagonal({-0.8, 1.1, 0.9});
        const Steps steps = compare_steps(body.model, rounded(motion.bones));
        const std::string what = std::string(body.name) + (reference == ShapeReference::rig ? ", rig" : ", rest") +
                                 (shape ? ", shape" : "") + (mirror ? ", mirrored" : "");
        EXPECT_LE(steps.most, 1) << what << ": " << steps.largest << " m";
        EXPECT_GE(steps.tight, body.tight) << what;
        EXPECT_GT(steps.most_turn, 0.3) << what << " does not dance";
        std::printf("%s: a step within %.1e m, %.2f of the bound; %.3f held tightly; turns up to %.2f\n", what.c_str(),
                    steps.largest, steps.most, steps.tight, steps.most_turn);
      }
}

// Also where neighbourhoods turn by more in a step than can be followed.
TEST(SurfaceRuntimeEquality, EveryStepOfAWildDance) { expect_equal_steps(false); }
TEST(SurfaceRuntimeEquality, EveryStepOfADanceThatMirrorsFlesh) { expect_equal_steps(true); }

// ---- a wild dance, left to itself ----

// Flesh is thrown farther than its tube is thick, and stays the library's. Once bones stand still, both come to the
// same rest: floats stand still where alpha of what is missing is rounded away, 16 roundings of where things are.
TEST(SurfaceRuntimeEquality, AfterAWildDanceBothMeetAgain) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(25, 16);
    model.reference = reference;
    test::set_smooth_parameters(model);
    const DifferenceOfMotion difference = difference_of(model, 301, 1, 1200);
    double softest = 1, farthest = 0;
    for (const VertexParameters& p : model.parameters) softest = std::min(softest, p.alpha);
    for (const Vec3& x : model.rest) farthest = std::max(farthest, norm(x));
    EXPECT_GT(difference.farthest_from_goal, 0.15);
    EXPECT_LE(difference.largest, 1e-5);
    EXPECT_LE(difference.last, 16 * epsilon * farthest / softest / model.height);
    std::printf("wild dance: apart by up to %.1e of the height, at the end by %.1e\n", difference.largest,
                difference.last);
  }
}

}  // namespace
}  // namespace sinew
