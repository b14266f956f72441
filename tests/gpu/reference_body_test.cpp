#include "tests/gpu/reference_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/linalg/rotation.h"
#include "tests/gpu/tube_model.h"

namespace sinew::test {
namespace {

Vec3 from_segment(const Vec3& head, const Vec3& tail, const Vec3& point) {
  const Vec3 axis = tail - head, d = point - head;
  const double squared = squared_norm(axis);
  return d - axis * (squared > 0 ? std::clamp(dot(d, axis) / squared, 0.0, 1.0) : 0.0);
}

double stretch(const SurfaceSegment& segment, const Affine& bone) {
  const double volume = std::abs(determinant(bone.linear));
  const Vec3 axis = segment.tail - segment.head;
  if (!(norm(axis) > 1e-8 && norm(bone.linear * axis) > 1e-8)) return std::cbrt(volume);
  return std::sqrt(volume * norm(axis) / norm(bone.linear * axis));
}

Mat3 strongest_bone(const SurfaceModel& model, std::size_t vertex, const std::vector<Affine>& bones) {
  const Influences& influences = model.influences[vertex];
  if (influences.count == 0) return Mat3::identity();
  return closest_rotation(bones[static_cast<std::size_t>(influences.joint[0])].linear);
}

Vec3 restoration(const SurfaceModel& model, std::size_t vertex, const std::vector<Affine>& bones,
                 const Vec3& towards_goal) {
  if (model.shape.empty()) return towards_goal;
  const Mat3 turn = strongest_bone(model, vertex, bones);
  return turn * (to_matrix(model.shape[vertex]) * transpose_times(turn, towards_goal));
}

VertexParameters stable(VertexParameters p) {
  const double stiffness = p.alpha + 2 * p.beta + p.gamma + 2 * (2 * p.lambda + p.delta);
  const double scale = std::min(1.0, 3.9 / stiffness);
  return stiffness > 0
             ? VertexParameters{scale * p.alpha, scale * p.beta, scale * p.gamma, scale * p.lambda, scale * p.delta}
             : p;
}

}  // namespace

Affine blended(const SurfaceModel& model, std::size_t vertex, const std::vector<Affine>& bones) {
  const Influences& influences = model.influences[vertex];
  if (influences.count == 0) return {};
  Affine sum{Mat3::zero(), {}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
    const Affine& bone = bones[static_cast<std::size_t>(influences.joint[k])];
    sum.linear += bone.linear * influences.weight[k];
    sum.translation += bone.translation * influences.weight[k];
  }
  return sum;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double d = distance(a[i], b[i]);
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

void ReferenceBody::reset(const std::vector<Affine>& pose) {
  bones = pose;
  const std::size_t n = model.rest.size();
  g.resize(n);
  q.assign(n, Quat{});
  for (std::size_t i = 0; i < n; ++i) {
    const Affine m = blended(model, i, bones);
    g[i] = m * model.rest[i];
    if (model.reference == ShapeReference::rest) q[i] = to_quaternion(closest_rotation(m.linear));
  }
  x = g;
  v.assign(n, Vec3{});
}

void ReferenceBody::step(const std::vector<Affine>& next_bones) {
  const double h = model.step;
  const bool keeps_rest = model.reference == ShapeReference::rest;
  const std::vector<Vec3> x0 = x, v0 = v, g0 = g;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const VertexParameters p = stable(model.parameters[i]);
    const auto begin = static_cast<std::size_t>(model.first_neighbour[i]);
    const auto end = static_cast<std::size_t>(model.first_neighbour[i + 1]);
    Vec3 shape_term, damping_term;
    if (end > begin) {
      const double share = 1 / static_cast<double>(end - begin);
      Mat3 a = Mat3::zero();
      double spread = 0;
      Vec3 offset, edge;
      for (std::size_t k = begin; k < end; ++k) {
        const auto j = static_cast<std::size_t>(model.neighbours[k]);
        const Vec3 e = keeps_rest ? model.rest[j] - model.rest[i] : g0[j] - g0[i];
        a += outer(x0[j] - x0[i], e);
        spread += squared_norm(model.rest[j] - model.rest[i]);
        offset += (x0[j] - x0[i]) * share;
        edge += e * share;
        damping_term += (v0[j] - v0[i]) * share;
      }
      // A thousandth of the neighbourhood's extent keeps it to its bone, or to the goal's own frame.
      a += (keeps_rest ? strongest_bone(model, i, bones) : Mat3::identity()) * (1e-3 * spread);
      q[i] = to_quaternion(closest_rotation(a));
      shape_term = offset - to_matrix(q[i]) * edge;
    }
    Vec3 spoke_term;
    for (auto k = static_cast<std::size_t>(model.first_spoke[i]);
         k < static_cast<std::size_t>(model.first_spoke[i + 1]); ++k) {
      const Spoke& spoke = model.spokes[k];
      const SurfaceSegment& segment = model.segments[static_cast<std::size_t>(spoke.segment)];
      const Affine& bone = bones[static_cast<std::size_t>(segment.bone)];
      const Vec3 head = bone * segment.head, tail = bone * segment.tail;
      const Vec3 d = from_segment(head, tail, x0[i]);
      const double kept = keeps_rest
                              ? norm(from_segment(segment.head, segment.tail, model.rest[i])) * stretch(segment, bone)
                              : norm(from_segment(head, tail, g0[i]));
      spoke_term += (d * (kept / std::max(norm(d), 1e-6)) - d) * spoke.weight;
    }
    g[i] = blended(model, i, next_bones) * model.rest[i];
    const Vec3 goal_velocity = (g[i] - g0[i]) / h;
    v[i] = v0[i] +
           (restoration(model, i, bones, g0[i] - x0[i]) * p.alpha + shape_term * p.beta + spoke_term * p.gamma) / h +
           damping_term * p.lambda + (goal_velocity - v0[i]) * p.delta +
           (surroundings.acceleration + (surroundings.wind - v0[i]) * surroundings.air) * h;
    x[i] = x0[i] + v[i] * h;
    if (distance(x[i], g[i]) > model.reach) {
      x[i] = g[i] + normalized(x[i] - g[i]) * model.reach;
      v[i] = goal_velocity;
    }
  }
  bones = next_bones;
}

void ReferenceBody::poke(const Vec3& centre, double radius, const Vec3& velocity_change) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double inside = 1 - squared_norm(x[i] - centre) / (radius * radius);
    if (inside > 0) v[i] += velocity_change * (inside * inside);
  }
}

namespace {

// The program that the shader is held against has known answers of its own.
TEST(ReferenceBody, RestsWhereItsGoalRests) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const SurfaceModel model = tube({.reference = reference});
    std::vector<Affine> bones = lively_bones(0.3);
    if (reference == ShapeReference::rest) bones[1] = bones[0];  // bent, it has another shape to rest in
    ReferenceBody body(model);
    body.reset(bones);
    for (int s = 0; s < 50; ++s) body.step(bones);
    EXPECT_LT(largest_difference(body.x, body.g), 1e-12);
  }
}

}  // namespace
}  // namespace sinew::test
