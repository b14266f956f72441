#include "sinew/bake/clip_end.h"

#include <algorithm>
#include <cmath>

#include "sinew/bake/fields.h"
#include "sinew/rig/clip_motion.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

constexpr double same_pose = 0.01;  // of the size: largest distance between vertices of equal poses
constexpr double sloppy_pose =
    0.05;  // of the size: the same, if the RMS distance is below half of a frame's own motion
constexpr double a_frame = 1.0 / 24;         // seconds
constexpr double least_moving = 0.2;         // of the clip's own speed, at both ends
constexpr double most_jerk = 1.25;           // of the largest change of velocity within the clip
constexpr double frame_left_out = 1.0 / 15;  // seconds: longest frame that may be missing
constexpr double most_left_over = 0.6;       // of the change that a missing frame must explain: unexplained share

using Field = std::vector<Vec3>;  // one vector per vertex

double mean(const Field& a) {
  return std::sqrt(inner_product(a, a) / static_cast<double>(std::max<std::size_t>(a.size(), 1)));
}

// a + s b
Field sum(const Field& a, double s, const Field& b) {
  Field c(a.size());
  for (std::size_t v = 0; v < a.size(); ++v) c[v] = a[v] + s * b[v];
  return c;
}

Field moved(const Affine& map, const Field& a) {
  Field c(a.size());
  for (std::size_t v = 0; v < a.size(); ++v) c[v] = map * a[v];
  return c;
}

Vec3 centre(const Field& a) {
  Vec3 sum;
  for (const Vec3& x : a) sum += x;
  return sum / static_cast<double>(a.size());
}

double size_of(const Field& a) {
  Vec3 least = a[0], most = a[0];
  for (const Vec3& x : a) least = min(least, x), most = max(most, x);
  return std::max({most.x - least.x, most.y - least.y, most.z - least.z});
}

// Translation along the ground and rotation about the vertical that best map `a` onto `b`.
Affine travel_over_ground(const Field& a, const Field& b) {
  const Vec3 from = centre(a), to = centre(b);
  double along = 0, across = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    const Vec3 x = a[v] - from, y = b[v] - to;
    along += x.x * y.x + x.z * y.z;
    across += x.z * y.x - x.x * y.z;
  }
  const Mat3 rotation = to_matrix(axis_angle({0, 1, 0}, std::atan2(across, along)));
  Affine travel{rotation, to - rotation * from};
  travel.translation.y = 0;
  return travel;
}

// Motion from one sample to the next.
struct Steps {
  std::vector<Field> step;
  double speed = 0, change = 0;  // metres per sample: RMS of all steps, and largest change between two
  double of_pose = 0;            // like `speed`, without travel along the ground

  explicit Steps(std::span<const Field> surface) {
    for (std::size_t k = 1; k < surface.size(); ++k) {
      step.push_back(sum(surface[k], -1, surface[k - 1]));
      speed += inner_product(step.back(), step.back());
      Vec3 along = centre(step.back());
      along.y = 0;
      of_pose +=
          inner_product(step.back(), step.back()) - static_cast<double>(step.back().size()) * squared_norm(along);
      if (k > 1) change = std::max(change, mean(sum(step[k - 1], -1, step[k - 2])));
    }
    speed = std::sqrt(speed / static_cast<double>(step.size() * step[0].size()));
    of_pose = std::sqrt(std::max(of_pose, 0.0) / static_cast<double>(step.size() * step[0].size()));
  }

  // RMS speed over the first or the last eighth of the clip.
  double speed_near(bool end) const {
    const std::size_t looks = std::max<std::size_t>(2, step.size() / 8);
    double sum = 0;
    for (std::size_t k = 0; k < looks; ++k)
      sum += inner_product(step[end ? step.size() - 1 - k : k], step[end ? step.size() - 1 - k : k]);
    return std::sqrt(sum / static_cast<double>(looks * step[0].size()));
  }
};

bool is_moving(const Steps& steps) {
  return std::min(steps.speed_near(false), steps.speed_near(true)) >= least_moving * steps.speed;
}

bool is_same_pose(const Field& gap, double size, double motion_of_a_frame) {
  const double most = largest_norm(gap);
  return most <= same_pose * size || (most <= sloppy_pose * size && mean(gap) <= 0.5 * motion_of_a_frame);
}

// Accounts for a last frame that an exporter left out: the clip's last pose is then one frame before the first one
// recurs, either there or farther along.
struct LeftOut {
  bool is_it = false;
  Affine travel;
};

// `begins` and `ends` are changes per sample at the clip's beginning and end, both relative to the first pose; `travel`
// leads from there to the last one.
LeftOut left_out_frame(const Field& first, const Field& last, const Field& begins, const Field& ends,
                       const Affine& travel, double seconds) {
  const bool travels = !(travel == Affine{});
  // Travelling poses are compared without travel first, and the distance travelled afterwards.
  const auto but_travel = [&](Field change) {
    if (!travels) return change;
    Vec3 along = centre(change);
    along.y = 0;
    for (Vec3& v : change) v -= along;
    return change;
  };
  const Field missing = but_travel(sum(first, -1, moved(inverse(travel), last)));
  const Field both = sum(begins, 1, ends), mean_speed = sum(both, -0.5, both), speed = but_travel(mean_speed);
  const double looks = inner_product(missing, speed) / std::max(inner_product(speed, speed), 1e-300);
  const bool explained = mean(sum(missing, -looks, speed)) <= most_left_over * mean(missing);
  LeftOut found{looks > 0 && looks * seconds <= frame_left_out && explained, travel};
  if (travels) {
    Vec3 farther = travel.linear * (looks * centre(mean_speed));
    farther.y = 0;
    found.travel.translation += farther;
  }
  return found;
}

}  // namespace

int sample_count_of_clip(double seconds) { return std::clamp(static_cast<int>(std::lround(24 * seconds)), 8, 48) + 1; }

ClipEnd clip_end(std::span<const std::vector<Vec3>> surface, double seconds, bool travels) {
  const Field &first = surface.front(), &last = surface.back();
  const double size = size_of(first);
  const Steps steps(surface);
  const double motion_of_a_frame = steps.speed * a_frame / seconds;
  ClipEnd end;
  bool same = is_same_pose(sum(last, -1, first), size, motion_of_a_frame);
  Affine travel;
  if (!same && travels) {
    travel = travel_over_ground(first, last);
    same = is_same_pose(sum(last, -1, moved(travel, first)), size, steps.of_pose * a_frame / seconds);
    if (same) end.travel = travel;
  }
  const Affine rotate_back{transpose(end.travel.linear), {}};
  const std::size_t n = steps.step.size();
  // Velocities at the very ends, from two steps each; those at the end are expressed relative to the first pose.
  const Field begins = sum(sum(steps.step[0], 0.5, steps.step[0]), -0.5, steps.step[1]);
  const Field ends = moved(rotate_back, sum(sum(steps.step[n - 1], 0.5, steps.step[n - 1]), -0.5, steps.step[n - 2]));

  if (!same) {
    // Exporters leave out the last frame of a cycle, since it equals the first.
    Vec3 along = centre(last) - centre(first);
    along.y = 0;
    LeftOut left_out = left_out_frame(first, last, begins, ends, Affine{}, seconds);
    for (const Affine& over_ground : {Affine{{}, along}, travel}) {
      if (left_out.is_it || !travels) break;
      left_out = left_out_frame(first, last, begins, moved(Affine{transpose(over_ground.linear), {}}, ends),
                                over_ground, seconds);
    }
    if (left_out.is_it && is_moving(steps)) {
      end.ending = Ending::moving_on;
      end.travel = left_out.travel;
      end.why = end.travel == Affine{} ? "moves on through its end, with its last frame left out"
                                       : "moves on through its end, farther along, with its last frame left out";
    } else {
      end.why = "its last pose is not its first";
    }
    return end;
  }
  if (steps.speed <= 1e-6 * size) {
    end.ending = Ending::at_rest;
    end.why = "stands still";
  } else if (!is_moving(steps)) {
    end.ending = Ending::at_rest;
    end.why = "ends as it began, at rest";
  } else if (mean(sum(begins, -1, ends)) > most_jerk * steps.change) {
    end.ending = Ending::at_rest;
    end.why = "ends as it began, at another speed";
  } else {
    end.ending = Ending::moving_on;
    end.why = end.travel == Affine{} ? "moves on through its end" : "moves on through its end, farther along";
  }
  return end;
}

ClipEnd clip_end(const Character& character, const SimulationSurface& surface, const Clip& clip, bool travels) {
  std::vector<std::vector<Vec3>> looks(static_cast<std::size_t>(sample_count_of_clip(clip.end - clip.start)));
  const double between = (clip.end - clip.start) / static_cast<double>(looks.size() - 1);
  const ClipMotion motion = clip_motion(character, surface, clip);
  SamplingSpace space;
  Pose pose;
  std::vector<Affine> bones(surface.bones.size());
  for (std::size_t k = 0; k < looks.size(); ++k) {
    sample(character.skeleton, &motion.driving(clip), clip.start + static_cast<double>(k) * between, space, pose);
    bone_transforms(character, surface.bones, pose, bones);
    looks[k].resize(surface.rest.positions.size());
    pose_points(skin_of(surface), bones, looks[k]);
  }
  return clip_end(looks, between, travels);
}

}  // namespace sinew
