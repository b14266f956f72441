#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/rig/implicit/composed_field.h"

namespace sinew {
namespace {

// Lengths are shares of the radius of a vertex's part.
constexpr double rounding = 1e-7;      // bones that agree to this agree; other skin is entered beyond this
constexpr double tolerance = 1e-3;     // of levels
constexpr double longest_step = 0.25;  // so that no step passes through a thin part
constexpr int most_steps = 6;
constexpr double least_slope = 0.2;  // of a field, where it tells a direction
constexpr double turned = 0.5736;    // cos 55 degrees, between gradients of two steps: other skin begins between them
constexpr int halvings = 5;          // of the step in which it begins
// A part opposes a vertex's return to its level by the cosine between its gradient and that of the vertex's union:
// fully up to the first, no longer from the second on. Its field is that much higher, as a share of the radius, where
// it begins to count and where it counts fully.
constexpr double opposed = 0.5, agreed = 0.9;
constexpr double far_off = 0.5, close_by = 0.25;
constexpr int ray_tries = 3;  // places at which the boundary of the other realm is sought
constexpr int smoothings = 2, passes_after = 3;

// Skin gives way in one manner to that of a limb that folds with its own, and in another to that of parts that do not
// meet it in a joint, which it only touches. Other parts that meet in a joint go on in one another: their closed ends
// are no skin that could be touched.
struct Contact {
  double core;            // depth in its own part over which a vertex's spine counts as inside of it
  double most_per_depth;  // farthest that a vertex moves, times how deep it is in the other skin
  // Rate of the other field outwards along the way to the spine, where both are equally deep: beyond the second, skin
  // goes on in the other's; below the first, it faces it.
  double facing, following;
};
constexpr Contact in_joint{0.01, 12, 0.5, 0.9}, elsewhere{0.3, 1.5, 0.3, 0.7};
constexpr double touched = 0.05;                       // move of a vertex that fully touches other skin
constexpr std::size_t grain = 128, cluster_grain = 8;  // vertices, clusters

class Projection {
 public:
  Projection(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions)
      : skin_(skin),
        bones_(bones),
        fields_(skin, bones),
        x_(positions),
        touches_(positions.size()),
        outside_(positions.size()) {}

  void run() {
    const std::vector<Vec3> skinned(x_.begin(), x_.end());
    for_clusters([&](const Cluster& cluster) {
      keep_shape(cluster);
      leave_other_skin(cluster);
    });
    if (!smooth_contacts(skinned)) return;
    for (int k = 0; k < passes_after; ++k) for_clusters([&](const Cluster& cluster) { leave_other_skin(cluster); });
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

  double radius(std::size_t v) const { return fields_.radius(skin_.strongest[v]); }

  void keep_shape(const Cluster& cluster) {
    for (const std::size_t v : skin_.clusters.of(cluster))
      if (skin_.own_start[v + 1] - skin_.own_start[v] > 1 && is_finite(x_[v])) keep_shape(v);
  }

  // A vertex that has sunk into its own bones' parts comes back: by Newton's steps along the gradient of their union to
  // the level that it has at rest. They end where the gradient jumps: that is a crease. A vertex goes no farther than
  // its bones disagree about it, and stays where another part faces it. Skin that is above its level spans a gap
  // between parts, as a raised arm's armpit does, or rounds a joint off: there is nothing to be led to.
  void keep_shape(std::size_t v) {
    const double size = radius(v);
    double farthest = disagreement(skin_, bones_, v, x_[v]);
    FieldValue now, there;
    if (!(farthest > rounding * size)) return;
    const double level = skin_.level[v] * fields_.scale(skin_.strongest[v]);
    const PosedFields::Lowest lowest = fields_.lowest(v, x_[v]);
    if (lowest.part < 0 || (!fields_.bulges(lowest) && level - lowest.value < tolerance * size)) return;
    fields_.own(lowest, x_[v], now);
    if (level - now.value < tolerance * size) return;
    farthest *= unopposed(v, now, size);
    if (!(farthest > rounding * size)) return;
    const Vec3 start = x_[v];
    for (int k = 0; k < most_steps; ++k) {
      const double missing = level - now.value, square = squared_norm(now.gradient);
      if (missing < tolerance * size || !(square > least_slope * least_slope)) return;
      const double way = std::min(missing / std::sqrt(square), longest_step * size);
      const Vec3 next = x_[v] + way / std::sqrt(square) * now.gradient;
      if (const double gone = distance(next, start); gone > farthest) {
        x_[v] = start + farthest / gone * (next - start);
        return;
      }
      if (!fields_.own(v, next, there)) return;
      if (turns(now, there)) {
        x_[v] = before_turn(v, now, next);
        touch(v, distance(start, x_[v]));
        return;
      }
      x_[v] = next;
      now = there;
    }
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
      const double cosine = lengths > 0 ? dot(part.gradient, surface.gradient) / lengths : 1;
      const double counts = falling_step((part.value - surface.value) / size, close_by, far_off);
      least = std::min(least, 1 - counts * falling_step(cosine, opposed, agreed));
    }
    return least;
  }

  // Marks a vertex that other skin has moved so far: fully only where that is something, so that skin which begins to
  // touch does not jump.
  void touch(std::size_t v, double moved) {
    touches_[v] = std::max(touches_[v], std::min(1.0, moved / (touched * radius(v))));
  }

  static bool turns(const FieldValue& a, const FieldValue& b) {
    return dot(a.gradient, b.gradient) < turned * norm(a.gradient) * norm(b.gradient);
  }

  // The last place between a vertex and `beyond` where the gradient is still about what it is at the vertex.
  Vec3 before_turn(std::size_t v, const FieldValue& here, Vec3 beyond) const {
    Vec3 before = x_[v];
    FieldValue at;
    for (int k = 0; k < halvings; ++k) {
      const Vec3 middle = 0.5 * (before + beyond);
      (fields_.own(v, middle, at) && !turns(here, at) ? before : beyond) = middle;
    }
    return before;
  }

  // Moves vertices that are inside of other skin towards their own bones, to where both skins are equally deep.
  void leave_other_skin(const Cluster& cluster) {
    const std::vector<int>& touchable = skin_.touchable[index(cluster.part)];
    if (touchable.empty()) return;
    FieldBox box{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (const std::size_t v : skin_.clusters.of(cluster))
      if (outside_[v] == 0 && is_finite(x_[v])) box.least = min(box.least, x_[v]), box.most = max(box.most, x_[v]);
    ScratchVector<int> near;
    for (const int p : touchable)
      if (fields_.has(p) && fields_.inside(p).meets(box)) near.push_back(p);
    for (const std::size_t v : skin_.clusters.of(cluster)) {
      if (outside_[v] != 0 || !is_finite(x_[v])) continue;
      const Vec3 x = x_[v];
      double most = 0;
      for (const int p : near)
        if (fields_.inside(p).holds(x)) most = std::max(most, way_out(v, x, p));
      outside_[v] = most > 0 ? 0 : 1;
      if (!(most > 0)) continue;
      const Vec3 spine = bones_[index(skin_.parts[index(cluster.part)].bone)] * skin_.spine[v];
      x_[v] = x + most * (spine - x);
      touch(v, distance(x, x_[v]));
    }
  }

  // Excess, at rest, of the depth in the other part over that in its own along a vertex's line to its spine, metres.
  double detour(std::size_t v, int other) const {
    for (const auto& [part, depth] : skin_.detour[v])
      if (part == other) return depth * fields_.scale(skin_.strongest[v]);
    return 0;
  }

  // Whether a part's field at a place faces skin that has this direction outwards, from 1 to 0.
  double faces(const Contact& contact, bool joined, int other, const Vec3& x, const Vec3& outwards) const {
    FieldValue there;
    if (!fields_.part(other, x, there)) return 0;
    // Around a joint, where the field is nearly the same everywhere, it has no direction to speak of.
    const double slope = joined ? 1 : norm(there.gradient);
    return slope > 0 ? falling_step(dot(outwards, there.gradient) / slope, contact.facing, contact.following) : 0;
  }

  // The share between `in` and `out` at which the excess vanishes: it is at most zero and positive there. Secants and
  // halves in turn, and a last secant that is not tried.
  template <class Excess>
  static double boundary(const Excess& excess, double in, double at_in, double out, double at_out) {
    const auto secant = [&] { return at_in < at_out ? at_in / (at_in - at_out) : 0; };
    for (int k = 0; k < ray_tries; ++k) {
      const double middle = in + (k % 2 == 0 ? secant() : 0.5) * (out - in), here = excess(middle);
      if (here > 0)
        out = middle, at_out = here;
      else
        in = middle, at_in = here;
    }
    return in + secant() * (out - in);
  }

  // Share of the way from the vertex at `x` to its spine that it has to go because of another part.
  double way_out(std::size_t v, const Vec3& x, int other) const {
    const double size = radius(v);
    const int own = skin_.strongest[v];
    double field = 0;
    if (!fields_.distance(other, x, field)) return 0;
    const double entered = fields_.overlap(v, other) - rounding * size - field;
    if (!(entered > 0)) return 0;
    const bool joined = fold(skin_, own, other);
    const Vec3 spine = bones_[index(skin_.parts[index(own)].bone)] * skin_.spine[v];
    const double length = distance(x, spine);
    const Contact& contact = joined ? in_joint : elsewhere;
    const double usual = joined ? detour(v, other) : 0;
    // Positive in the other's realm.
    const auto excess = [&](double share) { return fields_.excess(v, other, x + share * (spine - x)) - usual; };
    const double inside = -excess(1);
    if (!(inside > 0) || !(length > 0)) return 0;
    // The search in a joint goes from the spine outwards to where the other's realm begins: skin may have passed the
    // other bone.
    // Elsewhere, from the skin inwards to where it ends.
    double in = joined ? 1 : 0, out = -1, deepest = 0, at_in = -inside, at_out = 0;  // excess at both
    for (int k = 1; k <= ray_samples; ++k) {
      const double share = static_cast<double>(joined ? ray_samples - k : k - 1) / ray_samples;
      const double here = excess(share);
      deepest = std::max(deepest, here);
      if (here > 0) {
        if (!joined || out < 0) out = share, at_out = here;
      } else if (!joined) {
        in = share, at_in = here;
        break;
      } else if (out < 0) {
        in = share, at_in = here;
      }
    }
    if (out < 0) return 0;
    if (in <= out && !joined) in = 1, at_in = -inside;  // the last sample is in the other's realm
    in = boundary(excess, in, at_in, out, at_out);
    const Vec3 outwards = (x - spine) / length;
    double share = skin_.across[v] * faces(contact, joined, other, x + in * (spine - x), outwards);
    if (!joined && share > 0) share *= faces(contact, joined, other, x, outwards);
    if (!joined && share > 0) share *= fields_.has_skin(other, x, field);
    const double depth = joined ? std::min(entered, deepest) : entered;
    return std::min(share * std::min(1.0, inside / (contact.core * size)) * in,
                    contact.most_per_depth * depth / length);
  }

  // Where skin touches it ends sharply: corrections are smoothed there, and less and less around. False: nothing
  // touches.
  bool smooth_contacts(const std::vector<Vec3>& skinned) {
    std::vector<double> share = touches_;
    if (*std::max_element(share.begin(), share.end()) == 0) return false;
    std::vector<Vec3> moved(x_.size());
    for (std::size_t v = 0; v < x_.size(); ++v) moved[v] = x_[v] - skinned[v];
    for (int k = 0; k < smoothings; ++k) {
      const std::vector<double> old = share;
      const std::vector<Vec3> before = moved;
      parallel_for(x_.size(), grain, [&](std::size_t v) {
        if (skin_.strongest[v] < 0) return;
        share[v] = 0.5 * (old[v] + around(v, old));
        if (share[v] > 0) moved[v] += share[v] * (around(v, before) - before[v]);
      });
    }
    for (std::size_t v = 0; v < x_.size(); ++v)
      if (share[v] > 0) x_[v] = skinned[v] + moved[v], outside_[v] = 0;
    return true;
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
  std::vector<double> touches_;  // per vertex, 0 to 1: how much it touches other skin
  std::vector<char> outside_;    // per vertex, 1: where it is now no other skin moves it
};

}  // namespace

void project_skin(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions) {
  Projection(skin, bones, positions).run();
}

}  // namespace sinew
