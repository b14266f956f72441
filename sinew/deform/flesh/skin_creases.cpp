#include "sinew/deform/flesh/skin_creases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t crease_grain = 16;  // clusters
// Farthest that a goal is before other skin which flesh may reach, and deepest behind it that shows, as shares of the
// thinner part's radius. Where a field tells of no skin it is larger than the first.
constexpr double near_skin = 0.3, deepest_seen = 0.35;
// Cosine between the gradients of the two fields at the goal: below the first the sides face each other, above the
// second skin goes on in the other part's.
constexpr double facing = -0.6, following = -0.2;
// Sides that face each other by less than this, from 0 to 1, do not meet: their slack is as far as flesh moves.
constexpr double least_facing = 0.1;
// Slack of sides that do not face each other at all, as a share of the thinner part's radius.
constexpr double most_slack = 0.5;
// Skin of a thin sheet, such as an ear's, is too fine for fields.
constexpr double least_across = 0.5;
// A cluster is left out where the fields at its middle are this much nearer to parallel than those of sides that meet.
constexpr double cluster_bend = 0.5;
// Fields closer to parallel than this do not say where the sides meet.
constexpr double least_apart = 0.3;

template <class Value>
bool same(std::span<const Value> a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Half the difference of the two depths is, between sides that face each other, the distance from their middle. `here`,
// `there`: the fields of the point's own part and of the other.
Gap gap_of(const ImplicitSkin& skin, const PosedFields& fields, std::size_t point, int part, const FieldValue& here,
           const FieldValue& there) {
  const int own = skin.strongest[point];
  const double own_depth = here.value - fields.scale(own) * skin.depth[point],
               other_depth = there.value - fields.overlap(point, part);
  const Vec3 away = there.gradient - here.gradient;
  const double slope = norm(away);
  if (!(slope > 0)) return {std::min(fields.radius(own), fields.radius(part)), {0, 1, 0}};
  return {(other_depth - own_depth) / std::max(slope, least_apart), away / slope};
}

// Places that a field does not reach are far from where the sides meet.
Gap gap_between(const ImplicitSkin& skin, const PosedFields& fields, const SkinMeeting& meeting, const Vec3& place) {
  const int own = skin.strongest[meeting.point];
  FieldValue here, there;
  if (!fields.part(meeting.part, place, there) || !fields.part(own, place, here))
    return {std::min(fields.radius(own), fields.radius(meeting.part)), {0, 1, 0}};
  return gap_of(skin, fields, meeting.point, meeting.part, here, there);
}

}  // namespace

SkinCreases::SkinCreases(std::shared_ptr<const ImplicitSkin> skin) : skin_(std::move(skin)) {
  clusters_ = skin_clusters(skin_->positions, skin_->parts.size(), [&](std::size_t s) {
    const int part = skin_->strongest[s];
    return part >= 0 && skin_->parts[index(part)].solid && skin_->across[s] > least_across ? part : -1;
  });
}

// Whether a goal is as near to a part's skin as those that meet it.
bool SkinCreases::is_near(const Vec3& goal, int own, int part) const {
  const double radius = std::min(now_->radius(own), now_->radius(part));
  double there = 0;
  return now_->distance(part, goal, there) && there <= near_skin * radius && there >= -deepest_seen * radius;
}

std::optional<SkinMeeting> SkinCreases::meeting(std::size_t point, const Vec3& goal, const FieldValue& own,
                                                int part) const {
  const double radius = std::min(now_->radius(skin_->strongest[point]), now_->radius(part));
  FieldValue there;
  if (!now_->part(part, goal, there)) return std::nullopt;
  const double lengths = norm(own.gradient) * norm(there.gradient);
  if (!(lengths > 0)) return std::nullopt;
  const double faces = falling_step(dot(own.gradient, there.gradient) / lengths, facing, following);
  if (!(faces > least_facing)) return std::nullopt;
  return SkinMeeting{point, part, (1 - faces) * most_slack * radius, goal,
                     gap_of(*skin_, *now_, point, part, own, there)};
}

// Whether points around `middle` may be near a part's skin.
bool SkinCreases::may_be_near(const Vec3& middle, double radius, int part) const {
  const double size = now_->radius(part), reach = near_skin * size + radius;
  if (!now_->inside(part).grown(reach).holds(middle)) return false;
  double there = 0;
  return !now_->distance(part, middle, there) || (there < reach && there > -deepest_seen * size - radius);
}

// Whether points around `middle`, whose own field is `own` there, may face a part's skin.
bool SkinCreases::may_face(const FieldValue& own, const Vec3& middle, int part) const {
  FieldValue there;
  return !now_->part(part, middle, there) ||
         dot(own.gradient, there.gradient) < (following + cluster_bend) * norm(own.gradient) * norm(there.gradient);
}

std::vector<SkinMeeting> SkinCreases::meetings_of(const SkinClusters::Cluster& cluster,
                                                  std::span<const Vec3> goals) const {
  const auto usable = [&](int part) {
    return skin_->parts[index(part)].solid && now_->has(part) && before_->has(part);
  };
  std::vector<SkinMeeting> found;
  const std::span<const std::size_t> points = clusters_.of(cluster);
  const Vec3& middle = goals[points[0]];
  double radius = 0;
  for (const std::size_t s : points) radius = std::max(radius, squared_norm(goals[s] - middle));
  radius = std::sqrt(radius);
  if (!usable(cluster.part) || !std::isfinite(radius) || !is_finite(middle)) return found;
  // Fields of the cluster's part, found where another part is near.
  std::optional<FieldValue> own;
  std::array<std::optional<FieldValue>, most_in_cluster> own_at;
  for (int part = 0; part < static_cast<int>(skin_->parts.size()); ++part) {
    if (part == cluster.part || !usable(part) || !may_be_near(middle, radius, part)) continue;
    if (!own && !now_->part(cluster.part, middle, own.emplace())) return found;
    if (!may_face(*own, middle, part)) continue;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vec3& goal = goals[points[k]];
      if (!is_near(goal, cluster.part, part)) continue;
      if (!own_at[k] && !now_->part(cluster.part, goal, own_at[k].emplace())) own_at[k]->gradient = {};
      if (const std::optional<SkinMeeting> one = meeting(points[k], goal, *own_at[k], part)) found.push_back(*one);
    }
  }
  return found;
}

void SkinCreases::begin(std::span<const Affine> before, std::span<const Affine> bones, std::span<const Vec3> goals) {
  // A skeleton that stands still meets itself as it did.
  if (now_ && same(before, bones_before_) && same(bones, bones_) && same(goals, goals_)) return;
  bones_before_.assign(before.begin(), before.end());
  bones_.assign(bones.begin(), bones.end());
  goals_.assign(goals.begin(), goals.end());
  before_.emplace(*skin_, before);
  now_.emplace(*skin_, bones);
  moved_.clear();
  for (const ImplicitSkin::Part& part : skin_->parts) {
    const Affine& bone = bones[index(part.bone)];
    moved_.push_back(std::abs(determinant(bone.linear)) > 0 ? before[index(part.bone)] * inverse(bone) : Affine{});
  }
  std::vector<std::vector<SkinMeeting>> found(clusters_.clusters.size());
  parallel_for(found.size(), crease_grain,
               [&](std::size_t c) { found[c] = meetings_of(clusters_.clusters[c], goals); });
  meetings_.clear();
  for (const std::vector<SkinMeeting>& some : found) meetings_.insert(meetings_.end(), some.begin(), some.end());
}

Gap SkinCreases::gap(const SkinMeeting& meeting, const Vec3& place) const {
  return gap_between(*skin_, *now_, meeting, place);
}
Gap SkinCreases::gap_before(const SkinMeeting& meeting, const Vec3& place) const {
  return gap_between(*skin_, *before_, meeting, place);
}
Vec3 SkinCreases::velocity(const SkinMeeting& meeting, const Vec3& place, double step) const {
  return (place - moved_[index(meeting.part)] * place) / step;
}

}  // namespace sinew
