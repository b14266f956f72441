#include "sinew/kinematics/graph/blend_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr int samples_per_pair = 8;         // of clips next to each other
constexpr double measured_per_second = 60;  // frames

bool rises_or_falls(std::span<const BlendSample> table, double BlendSample::*member) {
  const double way = table.back().*member - table.front().*member;
  for (std::size_t k = 1; k < table.size(); ++k)
    if (!((table[k].*member - table[k - 1].*member) * way > 0)) return false;
  return true;
}

// Change of a parameter from end to end, as a share of its largest size.
double change_of(std::span<const BlendSample> table, double BlendSample::*member) {
  double most = 0;
  for (const BlendSample& each : table) most = std::max(most, std::abs(each.*member));
  return most > 0 ? std::abs(table.back().*member - table.front().*member) / most : 0;
}

}  // namespace

Clip blend_cycle(const GraphBody& body, const std::array<ClipToBlend, 2>& clips, double weight,
                 double frames_per_second, const std::string& name) {
  const ClipBlend blend{{WeightKey{0, weight}}, blended_cycle(clips, weight), frames_per_second};
  return blend_clips(*body.skeleton, body.root, clips, blend, name);
}

BlendSample measure_cycle(const GraphBody& body, const Clip& clip, const Vec3& travel) {
  const FramedClip framed(body, clip, true, measured_per_second, travel);
  double way = 0;
  for (int f = 0; f < framed.frames(); ++f) {
    const Standing now = framed.standing(f), next = framed.standing(f + 1);
    way += dot(next.place - now.place + framed.travel_step(), turned((now.heading + next.heading) / 2, body.forward));
  }
  const double seconds = clip.end - clip.start;
  return {0, way / seconds, framed.cycle().heading / seconds};
}

BlendSpace::BlendSpace(const GraphBody& body, std::vector<ClipToBlend> clips, double frames_per_second,
                       std::vector<Vec3> travel)
    : body_(body), clips_(std::move(clips)), frames_per_second_(frames_per_second), travel_(std::move(travel)) {
  const int pairs = static_cast<int>(clips_.size()) - 1;
  for (int k = 0; k <= samples_per_pair * pairs; ++k) {
    const double weight = static_cast<double>(k) / samples_per_pair;
    table_.push_back(measure_cycle(body_, clip(weight, ""), this->travel(weight)));
    table_.back().weight = weight;
  }
  const bool speeds = rises_or_falls(table_, &BlendSample::speed), turns = rises_or_falls(table_, &BlendSample::turn);
  // A turn of less than 0.1 rad/s is the way that a walk sways.
  constexpr double sways = 0.1;
  const bool turns_much = turns && std::abs(table_.back().turn - table_.front().turn) > sways;
  by_turn_ = turns_much && (!speeds || change_of(table_, &BlendSample::turn) > change_of(table_, &BlendSample::speed));
  if (!by_turn_ && !speeds)
    throw input_error("neither the speed nor the turn of their blends rises or falls from the first to the last");
}

double BlendSpace::least() const { return std::min(parameter(table_.front()), parameter(table_.back())); }
double BlendSpace::most() const { return std::max(parameter(table_.front()), parameter(table_.back())); }

double BlendSpace::weight_at(double wanted) const {
  const double sign = parameter(table_.back()) > parameter(table_.front()) ? 1 : -1;
  const auto next = std::find_if(table_.begin(), table_.end(),
                                 [&](const BlendSample& each) { return sign * (parameter(each) - wanted) >= 0; });
  if (next == table_.begin()) return table_.front().weight;
  if (next == table_.end()) return table_.back().weight;
  const BlendSample &after = *next, &before = *(next - 1);
  const double share = (wanted - parameter(before)) / (parameter(after) - parameter(before));
  return std::lerp(before.weight, after.weight, share);
}

BlendSpace::Between BlendSpace::between(double weight) const {
  const int last = static_cast<int>(clips_.size()) - 2, first = std::clamp(static_cast<int>(weight), 0, last);
  return {index(first), {clips_[index(first)], clips_[index(first + 1)]}, std::clamp(weight - first, 0.0, 1.0)};
}

Clip BlendSpace::clip(double weight, const std::string& name) const {
  const Between at = between(weight);
  return blend_cycle(body_, at.pair, at.share, frames_per_second_, name);
}

Vec3 BlendSpace::travel(double weight) const {
  if (travel_.empty()) return {};
  const Between at = between(weight);
  const auto way = [&](std::size_t k) {
    return travel_[at.first + k] * (at.pair[k].clip->end - at.pair[k].clip->start);
  };
  return ((1 - at.share) * way(0) + at.share * way(1)) / blended_cycle(at.pair, at.share);
}

}  // namespace sinew
