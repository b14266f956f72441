#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/rig/implicit/composed_field.h"

namespace sinew {
namespace {

// Lengths are shares of the radius of a vertex's part. Every step of the projection is a continuous function of the
// pose, and the number of steps is fixed: skin is continuous, but may be fast. What begins or ends does so smoothly.
constexpr double rounding = 1e-7;    // bones that agree to this agree; other skin is entered beyond this
constexpr double level_ramp = 0.02;  // depth below its level from which on a vertex fully comes back
// Steps do not pass through a thin part, and become shorter, since they go to and fro over the floor of a crease.
constexpr std::array longest_step{0.3, 0.25, 0.15, 0.08, 0.04, 0.02};
// Added to the squared slope of a union, times its square: where gradients cancel, in a crease, nothing moves.
constexpr double least_slope = 0.03;
// A part opposes a vertex's return to its level by the cosine between its gradient and that of the vertex's union:
// fully up to the first, no longer from the second on. Its field is that much higher, as a share of the radius, where
// it begins to count and where it counts fully.
constexpr double opposed = 0, agreed = 0.9;
constexpr double far_off = 0.6, close_by = 0;
constexpr int smoothings = 2;

// Skin gives way in one manner to that of a limb that folds with its own, and in another to that of parts that do not
// meet it in a joint, which it only touches. Other parts that meet in a joint go on in one another: their closed ends
// are no skin that could be touched.
struct Contact {
  double ramp;            // excess over which a place on the way to the spine comes to count as in the other's realm
  double gap;             // excess up to which places outside of the realm count, for fields are not exact
  double shallow;         // depth in the other skin from which on a vertex fully gives way
  double most_per_depth;  // farthest that a vertex moves, times how deep it is in the other skin
  // Mean rate of the other field outwards, from where the vertex is led to where it was: beyond the second, skin goes
  // on in the other's; below the first, it faces it.
  double facing, following;
};
constexpr Contact in_joint{0.1, 0.04, 0.1, 2.5, 0.6, 0.9}, elsewhere{0.3, 0, 0.1, 1.5, 0.3, 0.7};
constexpr double spine_begins = 0.03, spine_ends = 0.3;  // of the intrusion at a limb's spine
constexpr double short_way = 0.05;                       // ways that are not much longer have no rate to speak of
constexpr double touched = 0.4;                          // move of a vertex that fully touches other skin
// Limbs that fold meet where their fields are equal, less a share of the radius, by which each stays on its own side.
constexpr double apart = 0.02;
// Added to the squared slope of the fields' difference, so that nothing slides where there is none.
constexpr double flat = 0.05;
constexpr int meeting_steps = 3;
constexpr std::size_t grain = 128, cluster_grain = 8;  // vertices, clusters

// Depths in the realm of another part at places from a vertex to its spine, metres: positive in it.
using RealmSamples = std::array<double, ray_samples + 1>;

// Integral of the share to which a place counts, by its excess over the ramp.
double counted(double excess) {
  if (!(excess > 0)) return 0;
  return excess < 1 ? excess * excess * excess * (1 - excess / 2) : excess - 0.5;
}

// The share of a way that is in the other's realm: from its end on, which is the realm's innermost place, or from its
// beginning, up to where the realm ends. Excess is linear between samples; places count from half of the ramp outside
// of the realm on, and fully from half of it inside on.
double share_in_realm(const RealmSamples& excess, double ramp, bool from_spine) {
  RealmSamples reached = excess;
  for (std::size_t k = ray_samples; from_spine && k-- > 0;) reached[k] = std::max(reached[k], reached[k + 1]);
  for (std::size_t k = 1; !from_spine && k <= ray_samples; ++k) reached[k] = std::min(reached[k], reached[k - 1]);
  double sum = 0;
  for (std::size_t k = 0; k < ray_samples; ++k) {
    const double out = reached[k] / ramp + 0.5, in = reached[k + 1] / ramp + 0.5;
    if (!(out > 0)) continue;
    // Where both are nearly the same the quotient is all rounding.
    const double middle = std::clamp((out + in) / 2, 0.0, 1.0);
    sum += out - in > 1e-6 ? (counted(out) - counted(in)) / (out - in) : 1 - falling_step(middle, 0, 1);
  }
  return sum / ray_samples;
}

// A length that is itself up to half of the limit, and reaches the limit smoothly.
double limited(double length, double limit) {
  const double over = std::clamp(length / limit - 0.5, 0.0, 1.0);
  return std::min(length, 1.5 * limit) - limit * over * over / 2;
}

// Two ways become one, which is nearly the longer of them.
Vec3 combined(const Vec3& a, const Vec3& b) {
  const double p = squared_norm(a) * squared_norm(a), q = squared_norm(b) * squared_norm(b);
  return p > 0 && q > 0 ? (p * a + q * b) / (p + q) : a + b;
}

class Projection {
 public:
  Projection(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions)
      : skin_(skin),
        bones_(bones),
        fields_(skin, bones),
        x_(positions),
        touches_(positions.size()),
        way_(positions.size()) {}

  void run() {
    skinned_.assign(x_.begin(), x_.end());
    shaped_ = skinned_;
    for_clusters([&](const Cluster& cluster) {
      keep_shape(cluster);
      for (const std::size_t v : skin_.clusters.of(cluster)) shaped_[v] = x_[v];
      leave_other_skin(cluster);
    });
    smooth_contacts();
  }

 private:
  using Cluster = SkinClusters::Cluster;

  // Clusters whose part has a field.
  void for_clusters(FunctionRef<void(const Cluster&)> visit) {
    const std::vector<Cluster>& clusters = skin_.clusters.clusters;
    parallel_for(clusters.size(), cluster_grain, [&](std::size_t c) {
      if (fields_.has(clusters[c].part)) visit(clusters[c]);
    });
  }

  Vec3 spine(std::size_t v) const {
    return bones_[index(skin_.parts[index(skin_.strongest[v])].bone)] * skin_.spine[v];
  }
  double radius(std::size_t v) const { return fields_.radius(skin_.strongest[v]); }

  void keep_shape(const Cluster& cluster) {
    for (const std::size_t v : skin_.clusters.of(cluster))
      if (skin_.own_start[v + 1] - skin_.own_start[v] > 1 && is_finite(x_[v])) keep_shape(v);
  }

  // A vertex that has sunk into its own bones' parts comes back: by Newton's steps along the gradient of their union to
  // the level that it has at rest. They come to an end where the gradient vanishes: that is a crease. A vertex goes no
  // farther than its bones disagree about it, and stays where another part faces it. Skin that is above its level spans
  // a gap between parts, as a raised arm's armpit does, or rounds a joint off: there is nothing to be led to.
  void keep_shape(std::size_t v) {
    const double size = radius(v);
    double farthest = disagreement(skin_, bones_, v, x_[v]);
    if (!(farthest > rounding * size)) return;
    const double level = skin_.level[v] * fields_.scale(skin_.strongest[v]) - rounding * size;
    const PosedFields::Own fields = fields_.own_fields(v, x_[v]);
    FieldValue now;
    if (fields.count == 0 || !(fields_.lower_bound(fields) < level)) return;
    fields_.own(fields, x_[v], now);
    if (!(now.value < level)) return;
    farthest *= unopposed(v, now, size);
    if (!(farthest > rounding * size)) return;
    const Vec3 start = x_[v];
    Vec3 place = start;
    for (int k = 0; k < static_cast<int>(longest_step.size()) && now.value < level; ++k) {
      const double missing = softened(level - now.value, level_ramp * size), square = squared_norm(now.gradient);
      const double way = missing * square / (square * square + least_slope);  // over the length of the gradient
      const double longest = way * std::sqrt(square) / (longest_step[index(k)] * size);
      place += way / std::sqrt(1 + longest * longest) * now.gradient;
      if (!fields_.own(v, place, now)) break;
    }
    const double gone = distance(place, start);
    if (!(gone > 0)) return;
    x_[v] = start + limited(gone, farthest) / gone * (place - start);
  }

  // From 0, where a part close by faces the surface of a vertex's union, to 1, where all go the same way as it: on the
  // floor and the walls of a crease skin that was led outwards would be led into the skin that it faces. Folded limbs
  // do not oppose each other, since the crease between them is found all the way down to the bones.
  double unopposed(std::size_t v, const FieldValue& surface, double size) const {
    double least = 1;
    const int own = skin_.strongest[v];
    const FieldBox around = FieldBox{x_[v], x_[v]}.grown(2 * far_off * size);
    for (int p = 0; p < static_cast<int>(skin_.parts.size()); ++p) {
      FieldValue part;
      if (p == own || !fields_.has(p) || !fields_.inside(p).meets(around) || fold(skin_, own, p) ||
          !fields_.part(p, x_[v], part))
        continue;
      const double lengths = norm(part.gradient) * norm(surface.gradient);
      const double cosine = dot(part.gradient, surface.gradient) / (lengths + least_slope);
      const double counts =
          falling_step((part.value - surface.value) / std::min(size, fields_.radius(p)), close_by, far_off);
      least = std::min(least, 1 - counts * falling_step(cosine, opposed, agreed));
    }
    return least;
  }

  // Marks a vertex that other skin has moved so far: fully only where that is something, so that skin which begins to
  // touch does not jump.
  void touch(std::size_t v, double moved) {
    touches_[v] = std::max(touches_[v], 1 - falling_step(moved / (touched * radius(v)), 0, 1));
  }

  // Moves vertices that are inside of other skin towards their own bones, to where both skins are equally deep.
  void leave_other_skin(const Cluster& cluster) {
    const std::vector<int>& touchable = skin_.touchable[index(cluster.part)];
    if (touchable.empty()) return;
    FieldBox box{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (const std::size_t v : skin_.clusters.of(cluster))
      if (is_finite(x_[v])) box = box.around({skinned_[v], skinned_[v]});
    ScratchVector<int> near;
    for (const int p : touchable)
      if (fields_.has(p) && fields_.inside(p).meets(box)) near.push_back(p);
    for (const std::size_t v : skin_.clusters.of(cluster)) {
      if (!is_finite(x_[v])) continue;
      for (const int p : near)
        if (fields_.inside(p).holds(skinned_[v])) way_[v] = combined(way_[v], way_out(v, p));
    }
    for (const std::size_t v : skin_.clusters.of(cluster)) {
      const double length = norm(way_[v]);
      if (!(length > 0)) continue;
      x_[v] += way_[v];
      touch(v, length);
    }
  }

  // The field of a vertex's own part less that of another: negative on its own side of the surface where they meet.
  bool difference(std::size_t v, int other, const Vec3& place, FieldValue& result) const {
    FieldValue there;
    if (!fields_.part(skin_.strongest[v], place, result) || !fields_.part(other, place, there)) return false;
    result = {result.value - there.value, result.gradient - there.gradient};
    return true;
  }

  // Excess, at rest, of the depth in the other part over that in its own along a vertex's line to its spine, metres.
  double detour(std::size_t v, int other) const {
    for (const auto& [part, depth] : skin_.detour[v])
      if (part == other) return depth * fields_.scale(skin_.strongest[v]);
    return 0;
  }

  // The way that a vertex has to go because of another part, metres: towards its spine, or, where its limb folds, to
  // the nearest place of the surface on which both parts are equally deep.
  Vec3 way_out(std::size_t v, int other) const {
    const double size = radius(v);
    const bool joined = fold(skin_, skin_.strongest[v], other);
    const Contact& contact = joined ? in_joint : elsewhere;
    const Vec3 &x = shaped_[v], spine = this->spine(v);
    double field = 0;
    if (!fields_.distance(other, skinned_[v], field)) return {};
    const double entered = softened(fields_.overlap(v, other) - field - rounding * size, contact.shallow * size);
    if (!(entered > 0) || !fields_.distance(other, x, field)) return {};
    const double length = distance(x, spine), usual = joined ? detour(v, other) : 0;
    RealmSamples excess{};
    for (std::size_t k = 0; k <= ray_samples; ++k) {
      const Vec3 place = x + static_cast<double>(k) / ray_samples * (spine - x);
      excess[k] = fields_.intrusion(v, other, place) - usual + contact.gap * size;
      if (k == 0 && !joined && !(excess[k] > -0.5 * contact.ramp * size)) return {};
    }
    const double boundary = share_in_realm(excess, contact.ramp * size, joined);
    double share = skin_.across[v];
    // Limbs whose bone is in the other's realm do not fold there.
    if (joined) share *= falling_step(excess[ray_samples] / size, spine_begins, spine_ends);
    if (!(share > 0 && boundary > 0)) return {};
    const Vec3 place = x + boundary * (spine - x);
    double beyond = 0;
    if (!fields_.distance(other, place, beyond)) return {};
    share *= falling_step((field - beyond) / (boundary * length + short_way * size), contact.facing, contact.following);
    if (!joined && share > 0) share *= fields_.has_skin(other, x, field, size);
    const Vec3 way = share * ((joined ? nearest_meeting(v, other, place) : place) - x);
    const double gone = norm(way);
    return gone > 0 ? limited(gone, contact.most_per_depth * entered) / gone * way : way;
  }

  // The place nearest to a vertex on the surface where its limb meets the other one, from the place at which its way to
  // its spine goes through that surface: along its tangent plane, then by Newton's steps across it.
  Vec3 nearest_meeting(std::size_t v, int other, const Vec3& place) const {
    const double size = radius(v);
    const Vec3 back = shaped_[v] - place;
    // Both sides look for the same surface, but where skin overlaps at rest.
    const double level = std::max(0.0, skin_.depth[v] * fields_.scale(skin_.strongest[v]) - fields_.overlap(v, other) +
                                           detour(v, other)) -
                         apart * size;
    FieldValue now;
    if (!difference(v, other, place, now)) return place;
    const double square = squared_norm(now.gradient);
    Vec3 nearest = place + square / (square + flat) * (back - dot(back, now.gradient) / (square + 1e-6) * now.gradient);
    for (int k = 0; k < meeting_steps && difference(v, other, nearest, now); ++k) {
      const double missing = level - now.value;
      // No step leads farther outwards than the vertex was led inwards.
      const double longest = missing > 0 ? std::min(longest_step[0] * size, norm(back)) : longest_step[0] * size;
      if (!(longest > 0)) break;
      const double slope = squared_norm(now.gradient) + flat, step = missing / slope;
      nearest += step / std::hypot(1, step * std::sqrt(slope) / longest) * now.gradient;
    }
    return nearest;
  }

  // Where skin touches it ends sharply: what other skin moves is smoothed there, and less and less around. Along its
  // own way each vertex still goes as far as it has to, and no farther.
  void smooth_contacts() {
    if (*std::max_element(touches_.begin(), touches_.end()) == 0) return;
    std::vector<Vec3> moved(x_.size());
    for (std::size_t v = 0; v < x_.size(); ++v) moved[v] = x_[v] - shaped_[v];
    for (int k = 0; k < smoothings; ++k) {
      const std::vector<Vec3> before = moved;
      parallel_for(x_.size(), grain, [&](std::size_t v) {
        if (touches_[v] > 0) moved[v] += touches_[v] * (around(v, before) - before[v]);
      });
    }
    parallel_for(x_.size(), grain, [&](std::size_t v) {
      if (!(touches_[v] > 0)) return;
      x_[v] = shaped_[v] + moved[v];
      if (const double square = squared_norm(way_[v]); square > 0)
        x_[v] += (1 - dot(moved[v], way_[v]) / square) * way_[v];
    });
  }

  // Mean of the values of the vertices around one.
  template <class Value>
  Value around(std::size_t v, const std::vector<Value>& of) const {
    Value sum{};
    const auto begin = index(skin_.ring_start[v]), end = index(skin_.ring_start[v + 1]);
    for (std::size_t k = begin; k < end; ++k) sum += of[index(skin_.ring[k])];
    return begin < end ? sum / static_cast<double>(end - begin) : of[v];
  }

  const ImplicitSkin& skin_;
  const std::span<const Affine> bones_;
  const PosedFields fields_;
  std::span<Vec3> x_;
  std::vector<Vec3> skinned_;    // positions by dual quaternions: world, metres
  std::vector<Vec3> shaped_;     // positions before skin leaves other skin: world, metres
  std::vector<double> touches_;  // per vertex, 0 to 1: how much it touches other skin
  std::vector<Vec3> way_;        // per vertex: by which other skin moves it, metres
};

}  // namespace

void project_skin(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions) {
  Projection(skin, bones, positions).run();
}

}  // namespace sinew
