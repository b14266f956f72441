// A step against what is known of it.
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "sinew/deform/surface/parameter_codes.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew {
namespace {

double farthest_apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, distance(a[i], b[i]));
  return most;
}

TEST(RuntimeStep, RestIsRest) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(20, 16, 3);
    model.reference = reference;
    test::set_parameters(model, test::soft);
    const test::RuntimeModel opened(model);
    const test::RuntimeBody body(opened);
    const test::Bones bones = test::rest_bones(model);
    test::must(sinew_body_reset(body.body, bones.data(), nullptr));
    for (int i = 0; i < 1000; ++i) test::must(sinew_body_step(body.body, bones.data()));
    EXPECT_LT(farthest_apart(body.positions(), model.rest), 2e-6);
    EXPECT_LT(farthest_apart(body.normals(), model.normals), 1e-4);
  }
}

// z^2 - (2 - k - c) z + (1 - c) = 0, with k = alpha and c = delta, for one vertex whose goal has jumped and stands.
TEST(RuntimeStep, AFreeVertexIsADampedOscillator) {
  SurfaceModel model = test::sheet(1, 1);
  model.reach = 10;
  test::set_parameters(model, {0.04, 0, 0, 0, 0.0225});
  const VertexParameters p = decode_parameters(encode_parameters(model.parameters[0]));
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  Affine moved;
  test::must(sinew_body_reset(body.body, test::to_bones({moved}).data(), nullptr));
  const float centre[3] = {0, 0, 0}, push[3] = {0.6f, 0, 0};
  test::must(sinew_body_poke(body.body, centre, 1, push));
  using Complex = std::complex<double>;
  const double k = p.alpha, c = p.delta, b = 2 - k - c;
  const Complex root = std::sqrt(Complex(b * b - 4 * (1 - c)));
  const Complex z1 = (b + root) / 2.0, z2 = (b - root) / 2.0;
  // x_0 = 0 and x_1 = h (1 - c) v_0.
  const double first = model.step * (1 - c) * 0.6;
  for (int i = 1; i <= 300; ++i) {
    test::must(sinew_body_step(body.body, test::to_bones({moved}).data()));
    const Complex expected = first * (std::pow(z1, i) - std::pow(z2, i)) / (z1 - z2);
    EXPECT_NEAR(body.positions()[0].x, expected.real(), 2e-6) << i;
  }
}

TEST(RuntimeStep, DeltaOfOneFollowsTheGoal) {
  SurfaceModel model = test::tube(20, 16, 2);
  test::set_parameters(model, {0, 0, 0, 0, 1});
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened), goal(opened);
  test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
  for (int i = 1; i <= 100; ++i) {
    const test::Bones bones = test::bent(model, std::sin(0.1 * i), {0.02 * i, 0.3 * std::sin(0.2 * i), 0});
    test::must(sinew_body_step(body.body, bones.data()));
    test::must(sinew_body_reset(goal.body, bones.data(), nullptr));
    EXPECT_LT(farthest_apart(body.positions(), goal.positions()), 1e-5);
  }
}

// The spokes' and neighbours' pull of an even stretch, by hand: a sphere in a bone that has suddenly grown.
TEST(RuntimeStep, OneStepIsEquationsThreeToEleven) {
  SurfaceModel model = test::sphere(2);
  model.segments[0] = {0, {0, 0, 0}, {0, 0, 0}};
  model.reference = ShapeReference::rest;
  const VertexParameters p = decode_parameters(encode_parameters({0.1, 0.2, 0.3, 0.1, 0.05}));
  test::set_parameters(model, p);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  Affine wide;
  wide.linear = Mat3::diagonal({1.2, 1.2, 1.2});
  test::must(sinew_body_reset(body.body, test::to_bones({wide}).data(), nullptr));
  const auto start = body.positions();
  test::must(sinew_body_step(body.body, test::to_bones({{}}).data()));
  const auto end = body.positions();
  const double h = model.step;
  for (std::size_t v = 0; v < start.size(); ++v) {
    // At rest in the large goal: G = B = D = 0 (the spoke has grown with the bone), L draws towards the rest shape, R =
    // I.
    Vec3 mean, edges;
    const int count = model.first_neighbour[v + 1] - model.first_neighbour[v];
    for (int k = model.first_neighbour[v]; k < model.first_neighbour[v + 1]; ++k) {
      const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
      mean += start[j] * (1.0 / count);
      edges += (model.rest[j] - model.rest[v]) * (1.0 / count);
    }
    const Vec3 shape = mean - edges - start[v], goal_velocity = (model.rest[v] - start[v]) / h;
    const Vec3 velocity = shape * (p.beta / h) + goal_velocity * p.delta;
    EXPECT_LT(distance(end[v], start[v] + velocity * h), 1e-6) << v;
  }
}

Affine moved_and_turned() {
  Affine frame = test::turned({1, 2, -0.5}, 1.1);
  frame.translation = {0.7, -0.4, 1.3};
  return frame;
}

// The same swing in another frame of the world is the same swing. Gentle ones, here and below: a surface that crumples
// does not forget how it was rounded.
TEST(RuntimeStep, MovingEverythingChangesNothingButTheFrame) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(20, 16, 3);
    model.reference = reference;
    test::set_parameters(model, {0.1, 0.3, 0.1, 0.2, 0.05});
    test::set_shapes(model);
    const test::RuntimeModel opened(model);
    const test::RuntimeBody here(opened), there(opened);
    const Affine frame = moved_and_turned();
    const auto pose = [&](int i, const Affine& in) {
      std::vector<Affine> matrices;
      for (std::size_t b = 0; b < 3; ++b)
        matrices.push_back(in *
                           test::turned({0, 0, 1}, 0.1 * std::sin(0.15 * i) * static_cast<double>(b), {0, 0.3, 0}));
      return test::to_bones(matrices);
    };
    test::must(sinew_body_reset(here.body, pose(0, {}).data(), nullptr));
    test::must(sinew_body_reset(there.body, pose(0, frame).data(), nullptr));
    double most = 0, farthest_normal = 0;
    for (int i = 1; i <= 100; ++i) {
      test::must(sinew_body_step(here.body, pose(i, {}).data()));
      test::must(sinew_body_step(there.body, pose(i, frame).data()));
    }
    const auto a = here.positions(), b = there.positions(), na = here.normals(), nb = there.normals();
    for (std::size_t v = 0; v < a.size(); ++v) {
      most = std::max(most, distance(frame * a[v], b[v]));
      farthest_normal = std::max(farthest_normal, distance(frame.linear * na[v], nb[v]));
    }
    EXPECT_LT(most, 5e-6);
    EXPECT_LT(farthest_normal, 2e-4);
  }
}

TEST(RuntimeStep, RebasingMovesTheOriginAlone) {
  SurfaceModel model = test::tube(20, 16, 3);
  test::set_parameters(model, test::soft);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody plain(opened), rebased(opened);
  test::must(sinew_body_reset(plain.body, test::bent(model, 0).data(), nullptr));
  test::must(sinew_body_reset(rebased.body, test::bent(model, 0).data(), nullptr));
  const Vec3 shift{4, -2, 8};
  for (int i = 1; i <= 60; ++i) {
    const double bend = 0.1 * std::sin(0.2 * i);
    if (i == 30) {
      const float by[3] = {4, -2, 8};
      const auto before = rebased.positions();
      test::must(sinew_body_rebase(rebased.body, by));
      const auto after = rebased.positions();
      for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LT(distance(before[v] - shift, after[v]), 1e-6);
    }
    test::must(sinew_body_step(plain.body, test::bent(model, bend).data()));
    test::must(sinew_body_step(rebased.body, test::bent(model, bend, i >= 30 ? -shift : Vec3{}).data()));
  }
  const auto a = plain.positions(), b = rebased.positions();
  for (std::size_t v = 0; v < a.size(); ++v) EXPECT_LT(distance(a[v] - shift, b[v]), 1e-5);
}

// Put elsewhere and turned, flesh goes on as it was: the same run, seen in another frame.
TEST(RuntimeStep, WhatIsCarriedGoesOnAsItWas) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(20, 16, 3);
    model.reference = reference;
    test::set_parameters(model, {0.1, 0.3, 0.1, 0.2, 0.05});
    test::set_shapes(model);
    const test::RuntimeModel opened(model);
    const test::RuntimeBody here(opened), carried(opened);
    const Affine frame = moved_and_turned();
    const auto pose = [&](int i, const Affine& in) {
      std::vector<Affine> matrices;
      for (std::size_t b = 0; b < 3; ++b)
        matrices.push_back(in *
                           test::turned({0, 0, 1}, 0.1 * std::sin(0.15 * i) * static_cast<double>(b), {0, 0.3, 0}));
      return test::to_bones(matrices);
    };
    test::must(sinew_body_reset(here.body, pose(0, {}).data(), nullptr));
    test::must(sinew_body_reset(carried.body, pose(0, {}).data(), nullptr));
    double most = 0, farthest_apart = 0;
    for (int i = 1; i <= 60; ++i) {
      test::must(sinew_body_step(here.body, pose(i, {}).data()));
      test::must(sinew_body_step(carried.body, pose(i, i > 30 ? frame : Affine{}).data()));
      if (i == 30) test::must(sinew_body_carry(carried.body, pose(30, frame).data(), pose(29, frame).data()));
      if (i < 30) continue;
      const auto a = here.positions(), b = carried.positions();
      for (std::size_t v = 0; v < a.size(); ++v) {
        most = std::max(most, distance(frame * a[v], b[v]));
        farthest_apart = std::max(farthest_apart, distance(a[v], model.rest[v]));
      }
    }
    EXPECT_LT(most, 2e-5);
    EXPECT_GT(farthest_apart, 0.01);
  }
}

// Figure 6c: what is dragged deforms locally, and comes back.
TEST(RuntimeStep, ADragStaysLocal) {
  SurfaceModel model = test::tube(60, 24, 1, 2, 0.2);
  test::set_parameters(model, {0.02, 0.4, 0.05, 0.2, 0.02});
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  const test::Bones bones = test::rest_bones(model);
  test::must(sinew_body_reset(body.body, bones.data(), nullptr));
  const std::uint32_t dragged = 30 * 24;
  const Vec3 from = model.rest[dragged];
  const float to[3] = {static_cast<float>(from.x + 0.15), static_cast<float>(from.y), static_cast<float>(from.z)};
  test::must(sinew_body_hold(body.body, dragged, to));
  for (int i = 0; i < 300; ++i) test::must(sinew_body_step(body.body, bones.data()));
  const auto held = body.positions();
  EXPECT_LT(distance(held[dragged], {to[0], to[1], to[2]}), 1e-6);
  EXPECT_GT(distance(held[dragged + 24], model.rest[dragged + 24]), 0.02) << "neighbours follow";
  for (std::size_t v = 0; v < held.size(); ++v)
    if (std::abs(model.rest[v].y - from.y) > 0.6) {
      EXPECT_LT(distance(held[v], model.rest[v]), 0.0015) << "a hundredth of the drag, 60 cm away";
    }
  test::must(sinew_body_release(body.body, dragged));
  for (int i = 0; i < 600; ++i) test::must(sinew_body_step(body.body, bones.data()));
  EXPECT_LT(farthest_apart(body.positions(), model.rest), 1e-4);
}

// Smooth swings, sampled by the host at its own rate.
std::vector<Vec3> after_a_second(const SurfaceModel& model, const test::RuntimeModel& opened, double fps) {
  const test::RuntimeBody body(opened);
  const auto pose = [&](double time) {
    return test::bent(model, 0.4 * std::sin(5 * time), {0.2 * std::sin(3 * time), 0, 0});
  };
  test::must(sinew_body_reset(body.body, pose(0).data(), nullptr));
  std::uint32_t all = 0, made = 0;
  for (int i = 1; i <= static_cast<int>(std::lround(fps)); ++i) {
    test::must(sinew_body_advance(body.body, pose(i / fps).data(), 1 / fps, &made));
    all += made;
  }
  EXPECT_NEAR(all, 1 / model.step, 1.01);
  return body.positions();
}

TEST(RuntimeClock, AnyFrameRateShowsOneMotion) {
  SurfaceModel model = test::tube(20, 16, 3);
  test::set_parameters(model, test::soft);
  const test::RuntimeModel opened(model);
  const auto reference = after_a_second(model, opened, 60);
  const test::RuntimeBody goal(opened);
  test::must(
      sinew_body_reset(goal.body, test::bent(model, 0.4 * std::sin(5.0), {0.2 * std::sin(3.0), 0, 0}).data(), nullptr));
  const double swing = farthest_apart(reference, goal.positions());
  EXPECT_GT(swing, 0.02) << "flesh lags behind";
  // What differs is how bones go between the host's frames: straight.
  for (const double fps : {30.0, 24.0, 75.0, 144.0, 240.0})
    EXPECT_LT(farthest_apart(after_a_second(model, opened, fps), reference), (fps < 50 ? 0.04 : 0.02) * swing) << fps;
}

TEST(RuntimeClock, ShowsNoJumpsBetweenSteps) {
  SurfaceModel model = test::tube(12, 10, 1);
  test::set_parameters(model, test::soft);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, test::bent(model, 0).data(), nullptr));
  const float centre[3] = {0.15f, 0.5f, 0}, push[3] = {1, 0, 0};
  test::must(sinew_body_poke(body.body, centre, 0.3f, push));
  std::vector<Vec3> last = body.positions();
  double most = 0;
  for (int i = 0; i < 500; ++i) {
    test::must(sinew_body_advance(body.body, test::bent(model, 0).data(), 0.001, nullptr));
    const auto now = body.positions();
    most = std::max(most, farthest_apart(last, now));
    last = now;
  }
  EXPECT_LT(most, 1.05e-3) << "a metre a second, a millisecond at a time";
  EXPECT_GT(most, 0.3e-3);
}

TEST(RuntimeClock, SavedStateGoesOnWithTheSameBits) {
  SurfaceModel model = test::tube(20, 16, 3);
  test::set_parameters(model, test::soft);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened), again(opened);
  test::must(sinew_body_reset(body.body, test::bent(model, 0).data(), nullptr));
  const auto advance = [&](const test::RuntimeBody& of, int i) {
    test::must(sinew_body_advance(of.body, test::bent(model, 0.3 * std::sin(0.2 * i)).data(), 0.011, nullptr));
  };
  for (int i = 0; i < 40; ++i) advance(body, i);
  const float held[3] = {0.2f, 0.6f, 0};
  test::must(sinew_body_hold(body.body, 100, held));
  std::vector<unsigned char> state(sinew_body_state_size(opened.model));
  test::must(sinew_body_save(body.body, state.data(), state.size()));
  test::must(sinew_body_load(again.body, state.data(), state.size()));
  EXPECT_EQ(farthest_apart(body.positions(), again.positions()), 0);
  for (int i = 40; i < 80; ++i) advance(body, i), advance(again, i);
  EXPECT_EQ(farthest_apart(body.positions(), again.positions()), 0);
  EXPECT_EQ(farthest_apart(body.normals(), again.normals()), 0);
  for (std::size_t i = 0; i < state.size(); i += 97) {
    std::vector<unsigned char> bad = state;
    bad[i] ^= 0x40;
    EXPECT_EQ(sinew_body_load(again.body, bad.data(), bad.size()), SINEW_OTHER_MODEL) << i;
  }
  EXPECT_EQ(sinew_body_load(again.body, state.data(), state.size() - 1), SINEW_TOO_LITTLE_MEMORY);
}

// Goals that a host computes itself, the same that bones would give, move flesh alike.
TEST(RuntimeGoals, AHostsOwnSkinningGivesTheSameMotion) {
  SurfaceModel model = test::tube(20, 16, 3);
  test::set_parameters(model, test::soft);
  const test::RuntimeModel opened(model);
  const test::RuntimeBody by_bones(opened), by_goals(opened), skin(opened);
  test::must(sinew_body_reset(by_bones.body, test::bent(model, 0).data(), nullptr));
  for (int i = 0; i <= 60; ++i) {
    const test::Bones bones = test::bent(model, 0.4 * std::sin(0.15 * i));
    std::vector<float> goals(4 * model.rest.size());  // a stride of sixteen bytes
    test::must(sinew_body_reset(skin.body, bones.data(), nullptr));
    test::must(sinew_body_shape(skin.body, SINEW_ALL_VERTICES, goals.data(), 16, nullptr, 0));
    if (i == 0) {
      test::must(sinew_body_reset_to_goals(by_goals.body, bones.data(), goals.data(), 16));
    } else {
      test::must(sinew_body_step(by_bones.body, bones.data()));
      test::must(sinew_body_step_to_goals(by_goals.body, bones.data(), goals.data(), 16));
    }
  }
  EXPECT_EQ(farthest_apart(by_bones.positions(), by_goals.positions()), 0);
}

TEST(RuntimeGoals, JointsBecomeBones) {
  const SurfaceModel model = test::tube(8, 8, 2);
  const test::RuntimeModel opened(model);
  // Joints in centimetres where they were bound: bones are the identity.
  std::vector<float> joints;
  for (int b = 0; b < 2; ++b) {
    const float y = static_cast<float>(100 * 0.5 * b);
    for (const float m : {100.f, 0.f, 0.f, 0.f, 0.f, 100.f, 0.f, 0.f, 0.f, 0.f, 100.f, 0.f, 0.f, y, 0.f, 1.f})
      joints.push_back(m);
  }
  std::vector<float> bones(24);
  test::must(sinew_bones_from_joints(opened.model, joints.data(), 0.01f, bones.data()));
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(bones[i], i % 12 % 5 == 0 ? 1 : 0, 1e-6) << i;
}

// Seams: both copies of a vertex stand where it is.
TEST(RuntimeParts, SeamsGetTheSamePositionsAndNormals) {
  SurfaceModel model = test::tube(20, 16, 2);
  test::set_parameters(model, test::soft);
  model.parts[0].vertex_of.push_back(-1);  // of no vertex: left alone
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, test::bent(model, 0).data(), nullptr));
  for (int i = 0; i < 20; ++i) test::must(sinew_body_step(body.body, test::bent(model, 0.05 * i).data()));
  const auto positions = body.positions(), normals = body.normals();
  struct Corner {
    float position[3], texture[2], normal[3];
  };
  std::vector<Corner> corners(model.parts[0].vertex_of.size(), {{-9, -9, -9}, {1, 2}, {-9, -9, -9}});
  test::must(sinew_body_shape(body.body, 0, corners[0].position, sizeof(Corner), corners[0].normal, sizeof(Corner)));
  for (std::size_t c = 0; c + 1 < corners.size(); ++c) {
    const auto v = static_cast<std::size_t>(model.parts[0].vertex_of[c]);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(corners[c].position[k], static_cast<float>(positions[v][k]));
      EXPECT_EQ(corners[c].normal[k], static_cast<float>(normals[v][k]));
    }
    EXPECT_EQ(corners[c].texture[1], 2);
  }
  EXPECT_EQ(corners.back().position[0], -9);
  // Normals are those of the moved surface: across a bent tube they still point outward.
  for (std::size_t v = 0; v < 20 * 16; ++v) EXPECT_NEAR(norm(normals[v]), 1, 1e-5);
}

TEST(RuntimeSurroundings, AirTakesFleshAlongAndAccelerationPullsIt) {
  SurfaceModel model = test::sheet(1, 1);
  model.reach = 100;
  test::set_parameters(model, {0, 0, 0, 0, 0});
  const test::RuntimeModel opened(model);
  const test::RuntimeBody body(opened);
  test::must(sinew_body_reset(body.body, test::rest_bones(model).data(), nullptr));
  const sinew_surroundings s{{0, -2, 0}, {3, 0, 0}, 1.5f};
  test::must(sinew_body_set_surroundings(body.body, &s));
  for (int i = 0; i < 600; ++i) test::must(sinew_body_step(body.body, test::rest_bones(model).data()));
  EXPECT_NEAR(body.velocities()[0].x, 3, 1e-3);         // the wind's
  EXPECT_NEAR(body.velocities()[0].y, -2 / 1.5, 1e-3);  // a / k: where drag holds the balance
}

}  // namespace
}  // namespace sinew
