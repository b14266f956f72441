#include "sinew/kinematics/stride_beats.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr int samples_per_second = 60;
constexpr double least_swing = 0.2;  // of the leg's length, from foot to foot
// A foot is in front once it is ahead of the other one by this share of the farthest.
constexpr double in_front = 0.3;

// Distance of the left foot ahead of the right one, in the direction that the body looks; over one cycle.
std::vector<double> lead_of_left(const Skeleton& skeleton, const BodyBones& bones, const AnatomicalFrames& frames,
                                 const Clip& clip) {
  const int count = std::max(8, static_cast<int>(std::lround((clip.end - clip.start) * samples_per_second)));
  const Vec3 up = frames.axes.column(1), forward = frames.axes.column(2);
  const Quat rest = orientation_of(sample(skeleton, nullptr, 0).world[index(bones.root)]);
  SamplingSpace space;
  Pose pose;
  std::vector<double> lead;
  for (int k = 0; k < count; ++k) {
    sample(skeleton, &clip, clip.start + (clip.end - clip.start) * k / count, space, pose);
    const Quat turned = orientation_of(pose.world[index(bones.root)]) * conjugate(rest);
    const Vec3 looks = rotate(axis_angle(up, twist_angle(turned, up)), forward);
    lead.push_back(dot(looks, pose.world[index(bones.legs[0].end_joint())].translation -
                                  pose.world[index(bones.legs[1].end_joint())].translation));
  }
  return lead;
}

}  // namespace

std::vector<double> stride_beats(const Skeleton& skeleton, const BodyBones& bones, const AnatomicalFrames& frames,
                                 const Clip& clip) {
  if (!(clip.end > clip.start)) return {};
  for (const LimbBones& leg : bones.legs)
    if (leg.end_joint() == leg.lower) return {};  // no ankle
  const std::vector<double> lead = lead_of_left(skeleton, bones, frames, clip);
  const auto [least, most] = std::minmax_element(lead.begin(), lead.end());
  if (!(*most > 0 && *least < 0 && *most - *least > least_swing * frames.leg_length)) return {};
  const std::size_t n = lead.size(), begin = static_cast<std::size_t>(most - lead.begin());
  const double ahead = in_front * *most, behind = in_front * *least;

  // Farthest samples of the stretches in which one foot is in front, around the cycle from the farthest of the left.
  struct Step {
    bool left;
    std::size_t at;
  };
  std::vector<Step> steps;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t at = (begin + k) % n;
    if (lead[at] < ahead && lead[at] > behind) continue;
    const bool left = lead[at] > 0;
    if (steps.empty() || steps.back().left != left)
      steps.push_back({left, at});
    else if (left ? lead[at] > lead[steps.back().at] : lead[at] < lead[steps.back().at])
      steps.back().at = at;
  }
  // The last stretch is the first one's beginning.
  if (steps.size() > 1 && steps.back().left) steps.pop_back();
  if (steps.size() % 2 != 0) return {};
  std::vector<double> beats;
  for (const Step& step : steps)
    beats.push_back(clip.start + (clip.end - clip.start) * static_cast<double>(step.at) / static_cast<double>(n));
  std::sort(beats.begin(), beats.end());
  // The first of the left foot begins: the list goes on over the cycle's end.
  const double first = clip.start + (clip.end - clip.start) * static_cast<double>(begin) / static_cast<double>(n);
  const auto at = std::find(beats.begin(), beats.end(), first);
  std::vector<double> ordered(at, beats.end());
  for (auto each = beats.begin(); each != at; ++each) ordered.push_back(*each + (clip.end - clip.start));
  return ordered;
}

}  // namespace sinew
