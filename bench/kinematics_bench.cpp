// Inverse kinematics, one thread: a limb of two bones in closed form, an iteration of damped least squares on eight
// joints and of FABRIK on twenty bones, each beside the same mathematics written out plainly with Eigen.
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sinew/kinematics/chain_step.h"
#include "sinew/kinematics/fabrik.h"
#include "sinew/kinematics/pose_solver.h"
#include "sinew/kinematics/two_bone.h"

namespace {

using namespace sinew;

// Targets on a curve in reach, so that no run is like the one before.
std::vector<Vec3> targets(double reach) {
  std::vector<Vec3> result;
  for (int i = 0; i < 256; ++i) {
    const double t = 0.1 * i;
    result.push_back({reach * std::cos(t), reach * std::sin(1.3 * t), 0.3 * reach * std::sin(t)});
  }
  return result;
}

void two_bones(benchmark::State& state) {
  const TwoBoneLimb leg{{0, 1, 0}, {0.02, 0.55, 0.04}, {0, 0.1, 0}};
  const std::vector<Vec3> goals = targets(0.5);
  std::size_t i = 0;
  for (auto _ : state) {
    const TwoBonePose pose = solve_two_bones(leg, {leg.root + goals[i++ & 255], {0, 0, 1}, {}, false, 0.97});
    benchmark::DoNotOptimize(pose);
  }
}

// The law of cosines with acos, and turns from one direction to another.
void two_bones_plain(benchmark::State& state) {
  const Eigen::Vector3d root(0, 1, 0), middle(0.02, 0.55, 0.04), end(0, 0.1, 0), pole(0, 0, 1);
  const double a = (middle - root).norm(), b = (end - middle).norm();
  const std::vector<Vec3> goals = targets(0.5);
  std::size_t i = 0;
  for (auto _ : state) {
    const Vec3 goal = goals[i++ & 255];
    const Eigen::Vector3d line(goal.x, goal.y, goal.z), along = line.normalized();
    const double d = std::min(line.norm(), 0.9999 * (a + b));
    const double lean = std::acos((a * a + d * d - b * b) / (2 * a * d));
    const Eigen::Vector3d side = (pole - along * along.dot(pole)).normalized();
    const Eigen::Vector3d knee = root + a * (std::cos(lean) * along + std::sin(lean) * side), foot = root + d * along;
    Eigen::Quaterniond upper = Eigen::Quaterniond::FromTwoVectors(middle - root, knee - root);
    Eigen::Quaterniond lower = Eigen::Quaterniond::FromTwoVectors(end - middle, foot - knee);
    benchmark::DoNotOptimize(upper);
    benchmark::DoNotOptimize(lower);
  }
}

JointTree straight_tree(int bones) {
  JointTree tree;
  for (int j = 0; j <= bones; ++j) {
    tree.parent.push_back(j - 1);
    tree.offset.push_back({0, 0.1, 0.01 * (j % 2)});
  }
  return tree;
}

Chain chain_of(int bones) {
  const JointTree tree = straight_tree(bones);
  PlacedJoints placed;
  place_joints(tree, {{}, std::vector<Quat>(tree.size())}, placed);
  placed.rotation.pop_back();
  return {placed.place, placed.rotation};
}

void damped_least_squares_8_joints(benchmark::State& state) {
  Chain chain = chain_of(8);
  const std::vector<Vec3> goals = targets(0.5);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(damped_step(chain, goals[i++ & 255], 0.2));
}

// The Jacobian written out, and Eigen's inverse and products.
void damped_least_squares_8_joints_plain(benchmark::State& state) {
  const Chain start = chain_of(8);
  std::vector<Eigen::Vector3d> place;
  for (const Vec3& p : start.place) place.emplace_back(p.x, p.y, p.z);
  std::vector<Eigen::Quaterniond> rotation(8, Eigen::Quaterniond::Identity());
  const std::vector<Vec3> goals = targets(0.5);
  std::size_t i = 0;
  for (auto _ : state) {
    const Vec3 goal = goals[i++ & 255];
    Eigen::Matrix<double, 3, 24> jacobian;
    for (int j = 0; j < 8; ++j)
      for (int axis = 0; axis < 3; ++axis)
        jacobian.col(3 * j + axis) = Eigen::Vector3d::Unit(axis).cross(place[8] - place[static_cast<std::size_t>(j)]);
    const Eigen::Matrix3d gram = jacobian * jacobian.transpose() + 0.04 * Eigen::Matrix3d::Identity();
    const Eigen::Matrix<double, 24, 1> step =
        jacobian.transpose() * gram.ldlt().solve(Eigen::Vector3d(goal.x, goal.y, goal.z) - place[8]);
    for (std::size_t j = 8; j-- > 0;) {
      const Eigen::Vector3d turn = step.segment<3>(static_cast<Eigen::Index>(3 * j));
      const Eigen::Quaterniond q(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
      for (std::size_t k = j; k < 8; ++k) {
        place[k + 1] = place[j] + q * (place[k + 1] - place[j]);
        rotation[k] = q * rotation[k];
      }
    }
    benchmark::DoNotOptimize(rotation.data());
  }
}

PointTree points_of(const Chain& chain) {
  PointTree tree;
  for (std::size_t j = 0; j < chain.place.size(); ++j) {
    tree.parent.push_back(static_cast<int>(j) - 1);
    tree.length.push_back(j == 0 ? 0 : distance(chain.place[j], chain.place[j - 1]));
  }
  return tree;
}

void fabrik_20_bones(benchmark::State& state) {
  const Chain chain = chain_of(20);
  const PointTree tree = points_of(chain);
  const std::vector<Vec3> goals = targets(1);
  std::size_t i = 0;
  double iterations = 0;
  std::vector<Vec3> points = chain.place;
  for (auto _ : state) {
    const FabrikResult result = fabrik(tree, std::vector<PointGoal>{{20, goals[i++ & 255]}}, {100, 1e-9}, points);
    iterations += result.iterations;
  }
  state.counters["ns_per_iteration"] =
      benchmark::Counter(iterations * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void fabrik_20_bones_plain(benchmark::State& state) {
  const Chain chain = chain_of(20);
  std::vector<Eigen::Vector3d> p;
  std::vector<double> length;
  for (std::size_t j = 0; j < chain.place.size(); ++j) {
    p.emplace_back(chain.place[j].x, chain.place[j].y, chain.place[j].z);
    if (j > 0) length.push_back((p[j] - p[j - 1]).norm());
  }
  const std::vector<Vec3> goals = targets(1);
  std::size_t i = 0;
  double iterations = 0;
  for (auto _ : state) {
    const Eigen::Vector3d goal(goals[i & 255].x, goals[i & 255].y, goals[i & 255].z);
    ++i;
    for (int k = 0; k < 100 && (p[20] - goal).norm() > 1e-9; ++k, ++iterations) {
      p[20] = goal;
      for (std::size_t j = 20; j-- > 0;) p[j] = p[j + 1] + (p[j] - p[j + 1]).normalized() * length[j];
      p[0].setZero();
      for (std::size_t j = 0; j < 20; ++j) p[j + 1] = p[j] + (p[j + 1] - p[j]).normalized() * length[j];
    }
  }
  state.counters["ns_per_iteration"] =
      benchmark::Counter(iterations * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Two feet that stand, the centre of mass above them, and a hand: four goals in three priorities, 15 joints.
void whole_body(benchmark::State& state) {
  JointTree tree;
  const auto add = [&tree](int parent, const Vec3& offset) {
    tree.parent.push_back(parent);
    tree.offset.push_back(offset);
    tree.mass.push_back(5);
    tree.mass_centre.push_back({});
    return static_cast<int>(tree.size()) - 1;
  };
  const int hips = add(-1, {}), spine = add(hips, {0, 0.25, 0});
  add(spine, {0, 0.35, 0});
  int hand = 0, feet[2] = {};
  for (const int side : {0, 1}) {
    const double x = side ? -1 : 1;
    hand = add(add(add(spine, {0.2 * x, 0.25, 0}), {0, -0.3, 0.02}), {0, -0.27, 0.03});
    feet[side] = add(add(add(hips, {0.1 * x, -0.05, 0}), {0, -0.42, 0.02}), {0, -0.41, -0.02});
  }
  TreePose pose{{}, std::vector<Quat>(tree.size())};
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  std::vector<PoseGoal> goals(4);
  for (const int side : {0, 1}) {
    goals[static_cast<std::size_t>(side)].joint = feet[side];
    goals[static_cast<std::size_t>(side)].target = placed(feet[side], {});
  }
  goals[2] = {GoalKind::centre_of_mass, 0, {}, {0, 0, 0}, {}, {1, 0, 1}, 1};
  goals[3].joint = hand;
  goals[3].priority = 2;
  std::size_t i = 0;
  for (auto _ : state) {
    const double t = 0.02 * static_cast<double>(i++);
    goals[3].target = {-0.2 + 0.2 * std::cos(t), -0.4 + 0.2 * std::sin(t), 0.45};
    benchmark::DoNotOptimize(solve_pose(tree, goals, {{}, 1}, pose));
  }
}

BENCHMARK(two_bones);
BENCHMARK(two_bones_plain);
BENCHMARK(damped_least_squares_8_joints);
BENCHMARK(damped_least_squares_8_joints_plain);
BENCHMARK(fabrik_20_bones);
BENCHMARK(fabrik_20_bones_plain);
BENCHMARK(whole_body)->Unit(benchmark::kMicrosecond);

}  // namespace
