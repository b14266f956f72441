#include "sinew/deform/flesh/skin_creases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t most_in_cluster = 16, cluster_grain = 16;
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
  std::vector<std::vector<std::size_t>> of_part(skin_->parts.size());
  for (std::size_t s = 0; s < skin_->strongest.size(); ++s)
    if (const int part = skin_->strongest[s];
        part >= 0 && skin_->parts[index(part)].solid && skin_->across[s] > least_across)
      of_part[index(part)].push_back(s);
  for (std::size_t part = 0; part < of_part.size(); ++part)
    if (!of_part[part].empty()) split(static_cast<int>(part), of_part[part]);
}

// Halves points at the middle of the longest side of the box around them, until few are left.
void SkinCreases::split(int part, std::span<std::size_t> points) {
  const std::vector<Vec3>& rest = skin_->positions;
  Vec3 least = rest[points[0]], most = least, mean;
  for (const std::size_t s : points) {
    least = min(least, rest[s]);
    most = max(most, rest[s]);
    mean += rest[s] / static_cast<double>(points.size());
  }
  if (points.size() > most_in_cluster) {
    const Vec3 side = most - least;
    const std::size_t axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const std::size_t half = points.size() / 2;
    std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(half), points.end(),
                     [&](std::size_t a, std::size_t b) {
                       return rest[a][axis] != rest[b][axis] ? rest[a][axis] < rest[b][axis] : a < b;
                     });
    split(part, points.first(half));
    split(part, points.subspan(half));
    return;
  }
  std::sort(points.begin(), points.end());
  std::iter_swap(points.begin(), std::min_element(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
                   return squared_norm(rest[a] - mean) < squared_norm(rest[b] - mean);
                 }));
  clusters_.push_back({part, clustered_.size(), clustered_.size() + points.size()});
  clustered_.insert(clustered_.end(), points.begin(), points.end());
}

std::optional<SkinMeeting> SkinCreases::meeting(std::size_t point, const Vec3& goal, const FieldValue& own,
                                                int part) const {
  const double radius = std::min(now_->radius(skin_->strongest[point]), now_->radius(part));
  FieldValue there;
  if (!now_->part(part, goal, there) || there.value > near_skin * radius || there.value < -deepest_seen * radius)
    return std::nullopt;
  const double lengths = norm(own.gradient) * norm(there.gradient);
  if (!(lengths > 0)) return std::nullopt;
  const double faces = falling_step(dot(own.gradient, there.gradient) / lengths, facing, following);
  if (!(faces > least_facing)) return std::nullopt;
  return SkinMeeting{point, part, (1 - faces) * most_slack * radius, goal,
                     gap_of(*skin_, *now_, point, part, own, there)};
}

// Whether points around `middle`, whose own field is `own` there, may meet a part.
bool SkinCreases::may_meet(const FieldValue& own, const Vec3& middle, double radius, int part) const {
  const double size = now_->radius(part), reach = near_skin * size + radius;
  FieldBox around = now_->inside(part);
  around.least -= reach * Vec3{1, 1, 1};
  around.most += reach * Vec3{1, 1, 1};
  FieldValue there;
  if (!around.holds(middle) || !now_->part(part, middle, there)) return around.holds(middle);
  return there.value < reach && there.value > -deepest_seen * size - radius &&
         dot(own.gradient, there.gradient) < (following + cluster_bend) * norm(own.gradient) * norm(there.gradient);
}

std::vector<SkinMeeting> SkinCreases::meetings_of(const Cluster& cluster, std::span<const Vec3> goals) const {
  const auto usable = [&](int part) {
    return skin_->parts[index(part)].solid && now_->has(part) && before_->has(part);
  };
  std::vector<SkinMeeting> found;
  const std::span<const std::size_t> points = std::span(clustered_).subspan(cluster.begin, cluster.end - cluster.begin);
  const Vec3& middle = goals[points[0]];
  double radius = 0;
  for (const std::size_t s : points) radius = std::max(radius, squared_norm(goals[s] - middle));
  radius = std::sqrt(radius);
  FieldValue own;
  if (!usable(cluster.part) || !std::isfinite(radius) || !is_finite(middle) || !now_->part(cluster.part, middle, own))
    return found;
  std::array<std::optional<FieldValue>, most_in_cluster> own_at;  // of the points, once a part is near
  for (int part = 0; part < static_cast<int>(skin_->parts.size()); ++part) {
    if (part == cluster.part || !usable(part) || !may_meet(own, middle, radius, part)) continue;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (!own_at[k]) {
        own_at[k].emplace();
        if (!now_->part(cluster.part, goals[points[k]], *own_at[k])) own_at[k]->gradient = {};
      }
      if (const std::optional<SkinMeeting> one = meeting(points[k], goals[points[k]], *own_at[k], part))
        found.push_back(*one);
    }
  }
  return found;
}

void SkinCreases::begin(std::span<const Affine> before, std::span<const Affine> bones, std::span<const Vec3> goals) {
  before_.emplace(*skin_, before);
  now_.emplace(*skin_, bones);
  moved_.clear();
  for (const ImplicitSkin::Part& part : skin_->parts) {
    const Affine& bone = bones[index(part.bone)];
    moved_.push_back(std::abs(determinant(bone.linear)) > 0 ? before[index(part.bone)] * inverse(bone) : Affine{});
  }
  std::vector<std::vector<SkinMeeting>> found(clusters_.size());
  parallel_for(clusters_.size(), cluster_grain, [&](std::size_t c) { found[c] = meetings_of(clusters_[c], goals); });
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
