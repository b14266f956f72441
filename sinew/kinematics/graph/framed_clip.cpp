#include "sinew/kinematics/graph/framed_clip.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"
#include "sinew/kinematics/key_recorder.h"

namespace sinew {

GraphBody graph_body(const Skeleton& skeleton, std::span<const Clip> clips, std::span<const int> skin, int root,
                     double metres_per_unit) {
  std::vector<const Clip*> each;
  for (const Clip& clip : clips) each.push_back(&clip);
  std::vector<char> moves(skeleton.joints.size(), 0), below(skeleton.joints.size(), 0);
  for (const int joint : moved_joints(each).joints) moves[index(joint)] = 1;
  for (const int joint : skin) moves[index(joint)] = 1;
  GraphBody body{&skeleton, root, {}, metres_per_unit};
  int common = -1;
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    below[index(joint)] = parent >= 0 && (below[index(parent)] || moves[index(parent)]);
    if (!moves[index(joint)] || below[index(joint)]) continue;
    body.tops.push_back(joint);
    common = body.tops.size() == 1 ? joint : common_ancestor(skeleton, common, joint);
  }
  if (body.root < 0) body.root = common >= 0 ? common : body.tops.empty() ? -1 : body.tops.front();
  return body;
}

FramedClip::FramedClip(const GraphBody& body, const Clip& clip, bool loops, double frames_per_second,
                       const Vec3& travel)
    : body_(&body), clip_(&clip), loops_(loops), frames_per_second_(frames_per_second), travel_(travel) {
  const double steps = (clip.end - clip.start) * frames_per_second;
  constexpr double rounding = 1e-6;
  frames_ = loops ? std::max(1, static_cast<int>(std::lround(steps))) : static_cast<int>(steps + rounding) + 1;
  step_ = loops ? (clip.end - clip.start) / frames_ : 1 / frames_per_second;
  const RootStanding standing_of(*body.skeleton, body.root);
  SamplingSpace space;
  Pose pose;
  for (int f = 0; f < frames_ + (loops ? 1 : 0); ++f) {
    sample(*body.skeleton, &clip, seconds(f), space, pose);
    Standing at = standing_of(pose);
    at.place = at.place * body.metres_per_unit;
    if (f > 0) at.heading = nearest_heading(at.heading, standings_.back().heading);
    standings_.push_back(at);
  }
  if (loops) cycle_ = after(standings_.back(), inverse(standings_.front()));
}

double FramedClip::seconds(int frame) const {
  const int within = loops_ && frame > frames_ ? frame % frames_ : frame;
  return std::min(clip_->start + within * step_, clip_->end);
}

int FramedClip::frame_at(double seconds) const {
  return static_cast<int>(std::lround((seconds - clip_->start) / step_));
}

Standing FramedClip::standing(int frame) const {
  if (!loops_ || frame <= frames_) return standings_[index(frame)];
  Standing at = standings_[index(frame % frames_)];
  for (int k = frame / frames_; k > 0; --k) at = after(cycle_, at);
  return at;
}

Standing FramedClip::offset(int frame) const {
  Standing offset;
  for (int k = loops_ ? frame / frames_ : 0; k > 0; --k) offset = after(cycle_, offset);
  return offset;
}

void FramedClip::sample_frame(int frame, SamplingSpace& space, Pose& pose) const {
  sample(*body_->skeleton, clip_, seconds(loops_ ? frame % frames_ : frame), space, pose);
}

double FramedClip::speed() const {
  // Over a second, so that hips that sway do not count.
  const int second = static_cast<int>(std::lround(1 / step_)), apart = std::max(1, std::min(second, frames_ - 1));
  double way = 0;
  int count = 0;
  for (int f = 0; has(f + apart) && f < frames_; ++f, ++count)
    way += norm(standing(f + apart).place - standing(f).place + apart * travel_step());
  return count == 0 ? 0 : way / (count * apart * step_);
}

std::vector<double> calm_headings(const FramedClip& clip, int reach) {
  std::vector<double> calm;
  for (int f = 0; f < clip.frames(); ++f) {
    double sum = 0, count = 0;
    // Around a cycle the frames of one whole cycle are averaged; of an even number the two that are farthest off are
    // the same one.
    const int around = clip.loops() ? clip.frames() / 2 : reach;
    for (int k = f - around; k <= f + around; ++k) {
      if (!clip.loops() && !clip.has(k)) continue;
      const int ahead = k < 0 ? k + clip.frames() : k;
      const bool is_half = clip.loops() && clip.frames() % 2 == 0 && (k == f - around || k == f + around);
      const double share = is_half ? 0.5 : 1;
      sum += share * (clip.standing(ahead).heading - (k < 0 ? clip.cycle().heading : 0));
      count += share;
    }
    calm.push_back(sum / count);
  }
  return calm;
}

double calm_heading_of(const FramedClip& clip, std::span<const double> calm_headings, int frame) {
  const int cycles = clip.loops() ? frame / clip.frames() : 0;
  return calm_headings[index(frame - cycles * clip.frames())] + cycles * clip.cycle().heading;
}

}  // namespace sinew
