#include "sinew/deform/springs/spring_chain.h"

#include <cmath>

#include "sinew/character/character.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr int most_pushes = 16;

// The shortest turn about `centre` from one direction to another; none where they are opposite.
Affine turn_about(const Vec3& centre, const Vec3& from, const Vec3& to) {
  const double lengths = norm(from) * norm(to);
  if (!(lengths > 0)) return {};
  const double w = lengths + dot(from, to);
  if (!(w > 1e-12 * lengths)) return {};
  const Vec3 axis = cross(from, to);
  const double scale = 1 / std::sqrt(squared_norm(axis) + w * w);
  const Mat3 rotation = to_matrix(Quat{axis.x * scale, axis.y * scale, axis.z * scale, w * scale});
  return {rotation, centre - rotation * centre};
}

Vec3 at_length(const Vec3& head, const Vec3& tail, double length, const Vec3& otherwise) {
  const Vec3 to_tail = tail - head;
  const double now = norm(to_tail);
  return head + (now > 0 ? to_tail * (length / now) : otherwise * length);
}

Vec3 kept_out(const Vec3& point, double radius, const Colliders& colliders, const std::optional<double>& ground) {
  Vec3 x = point;
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    const Gap gap = gap_to(colliders, c, x);
    if (gap.distance < radius) x += (radius - gap.distance) * gap.normal;
  }
  if (ground) x.y = std::max(x.y, *ground + radius);
  return x;
}

// Walks the bones from the roots on; `swing(spring, bone)` gives the tail in the world for a bone as its parents carry
// it.
template <class Swing>
void walk(const SpringChain& chain, std::span<const Affine> bones, const Swing& swing, SwungBones& swung) {
  std::vector<Affine>&correction = swung.correction, &result = swung.bones;
  correction.assign(bones.size(), Affine{});
  result.assign(bones.begin(), bones.end());
  std::size_t s = 0;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const int parent = chain.parent[b];
    if (parent >= 0) correction[b] = correction[static_cast<std::size_t>(parent)];
    if (s < chain.springs.size() && chain.springs[s].bone == static_cast<int>(b)) {
      const Spring& spring = chain.springs[s];
      const Affine carried = correction[b] * bones[b];
      const Vec3 head = carried * spring.head, tail = swing(s, carried);
      correction[b] = turn_about(head, carried * spring.tail - head, tail - head) * correction[b];
      ++s;
    }
    result[b] = correction[b] * bones[b];
  }
}

}  // namespace

SpringState springs_at_rest(const SpringChain& chain, std::span<const Affine> bones, std::span<const Affine> next) {
  SpringState state;
  for (const Spring& spring : chain.springs) {
    const Affine &now = bones[static_cast<std::size_t>(spring.bone)],
                 &then = next[static_cast<std::size_t>(spring.bone)];
    state.tail.push_back(now * spring.tail);
    state.before.push_back(2.0 * state.tail.back() - then * spring.tail);
    state.turned.push_back(spring.tail - spring.head);
  }
  return state;
}

namespace {

// Tails of joints that stay turned as they are, and the maps that carry their joints, with these bones.
struct CarriedTails {
  std::vector<Vec3> tail;
  std::vector<Mat3> map;
};

CarriedTails carried_tails(const SpringChain& chain, std::span<const Affine> bones, SpringState& state) {
  CarriedTails result;
  walk(
      chain, bones,
      [&](std::size_t s, const Affine& carried) {
        const Vec3 tail = carried * chain.springs[s].head + carried.linear * state.turned[s];
        result.tail.push_back(tail);
        result.map.push_back(carried.linear);
        return tail;
      },
      state.swung);
  return result;
}

}  // namespace

void carry_springs(const SpringChain& chain, const SpringCut& cut, SpringState& state) {
  const CarriedTails before = carried_tails(chain, cut.before, state), left = carried_tails(chain, cut.left, state);
  const CarriedTails entered = carried_tails(chain, cut.entered, state), next = carried_tails(chain, cut.next, state);
  const double share_before = cut.seconds_before > 0 ? spring_step / cut.seconds_before : 0;
  const double share_after = cut.seconds_after > 0 ? spring_step / cut.seconds_after : 0;
  for (std::size_t s = 0; s < state.tail.size(); ++s) {
    const Mat3 turn = closest_rotation(entered.map[s]) * transpose(closest_rotation(left.map[s]));
    const Vec3 relative = state.tail[s] - state.before[s] - share_before * (left.tail[s] - before.tail[s]);
    state.tail[s] = entered.tail[s];
    state.before[s] = entered.tail[s] - share_after * (next.tail[s] - entered.tail[s]) - turn * relative;
  }
}

void step_springs(const SpringChain& chain, const SpringForces& forces, double size, std::span<const Affine> bones,
                  const Colliders& colliders, const std::optional<double>& ground, SpringState& state) {
  walk(
      chain, bones,
      [&](std::size_t s, const Affine& carried) {
        const Spring& spring = chain.springs[s];
        const Vec3 head = carried * spring.head, way = carried * spring.tail - head;
        const double length = norm(way);
        const Vec3 direction = length > 0 ? way / length : Vec3{};
        const Vec3 inertia = (1 - forces.drag) * (state.tail[s] - state.before[s]);
        Vec3 x = state.tail[s] + inertia +
                 (spring_step * size) * (forces.stiffness * direction + forces.gravity * forces.down);
        x = at_length(head, x, length, direction);
        // The specification pushes once and takes the length after it, which may lead back in.
        for (int round = 0; round < most_pushes; ++round) {
          const Vec3 out = kept_out(x, forces.radius, colliders, ground);
          if (out == x) break;
          x = at_length(head, out, length, direction);
        }
        state.before[s] = state.tail[s];
        state.tail[s] = x;
        state.turned[s] = is_invertible(carried) ? inverse(carried).linear * (x - head) : spring.tail - spring.head;
        return x;
      },
      state.swung);
}

std::span<const Affine> turned_bones(const SpringChain& chain, std::span<const Affine> bones,
                                     std::span<const Vec3> turned, SwungBones& swung) {
  walk(
      chain, bones,
      [&](std::size_t s, const Affine& carried) {
        return carried * chain.springs[s].head + carried.linear * turned[s];
      },
      swung);
  return swung.bones;
}

}  // namespace sinew
