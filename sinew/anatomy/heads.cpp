#include "sinew/anatomy/heads.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

// A head has at least and, with everything attached to it, at most these fractions of the skin, and at least a certain
// number of bones above it that carry skin.
constexpr double least_of_the_skin = 0.01, most_of_the_skin = 0.8;
constexpr int fewest_above = 2;
// It is about the largest of what is attached to it, and that is near it, in units of its radius (root mean square).
// Arms and legs are not.
constexpr double share_of_largest = 0.7, near_it = 3;
// Alternatively it is separate, as hair is: this fraction of its skin belongs to other pieces than the head's. Beside
// pairs of bones it may be a neck.
constexpr double hangs_apart = 0.8;
// A bone is a part of the head if this fraction of its skin is connected with it and its centre is no farther than
// this, in radii. Ears that reach farther may flop.
constexpr double of_one_piece = 0.5, of_it = 2;
// Bones attached to a head branch, or turn back by this fraction of their length; those of a tail do neither.
constexpr double bends_back = 0.75;
// Eyes are two rigid parts: of similar size, side by side, each at most this fraction of the radius.
constexpr double alike_eyes = 1.3, largest_eye = 1, widest_eyes = 1.8;

double radius_of(const BoneRegion& region) { return norm(region.spread); }

class Heads {
 public:
  Heads(const SimulationSurface& surface, const BoneRegions& regions, const SurfacePieces& pieces,
        std::span<const RigidPart> rigid, std::span<const double> compact, std::span<const char> skull)
      : surface_(surface), regions_(regions), pieces_(pieces), rigid_(rigid), compact_(compact), skull_(skull) {
    measure();
  }

  std::vector<HeadFound> find() const {
    std::vector<std::pair<int, int>> deepest_first;
    for (std::size_t b = 0; b < regions_.bones.size(); ++b)
      deepest_first.push_back({-ancestors_with_skin(b, true), static_cast<int>(b)});
    std::stable_sort(deepest_first.begin(), deepest_first.end());
    std::vector<HeadFound> heads;
    for (const auto& [depth, bone] : deepest_first) {
      const bool beside_another = std::any_of(heads.begin(), heads.end(), [&, b = bone](const HeadFound& head) {
        return head.bone == b || is_below(index(head.bone), b) || is_below(index(b), head.bone);
      });
      if (beside_another) continue;
      std::string because = evidence(index(bone));
      if (because.empty()) continue;
      int head = bone;
      if (const int up = parent(bone); up >= 0 && is_rest_of(index(up), index(bone)))
        if (std::string more = evidence(index(up)); !more.empty()) head = up, because = std::move(more);
      heads.push_back({head, std::move(because), of_one_piece_with(index(head))});
    }
    return heads;
  }

 private:
  // Computes, per bone, the area of its region by pieces.
  void measure() {
    const std::vector<double> areas = vertex_areas(surface_.rest);
    by_piece_.resize(regions_.bones.size());
    for (std::size_t v = 0; v < areas.size(); ++v) {
      if (surface_.influences[v].count == 0 || pieces_.of_vertex[v] < 0) continue;
      by_piece_[index(surface_.influences[v].joint[0])][pieces_.of_vertex[v]] += areas[v];
    }
  }

  int ancestors_with_skin(std::size_t b, bool any) const {
    int count = 0;
    for (int up = surface_.bones[b].parent; up >= 0; up = surface_.bones[index(up)].parent)
      count += any || regions_.bones[index(up)].area > 0;
    return count;
  }

  int parent(int b) const { return surface_.bones[index(b)].parent; }

  // True if a snout was found and the bone above is the rest of the head: of similar size, without eyes on the snout or
  // pairs beside it.
  bool is_rest_of(std::size_t up, std::size_t snout) const {
    if (regions_.bones[up].area < share_of_largest * regions_.bones[snout].area || skull_[snout] || has_eyes(snout))
      return false;
    for (const std::size_t c : carrying_below(up))
      if (c != snout && !is_below(c, static_cast<int>(snout)) && regions_.bones[c].twin >= 0) return false;
    return true;
  }

  bool is_below(std::size_t b, int other) const {
    for (int up = surface_.bones[b].parent; up >= 0; up = surface_.bones[index(up)].parent)
      if (up == other) return true;
    return false;
  }

  std::vector<std::size_t> carrying_below(std::size_t b) const {
    std::vector<std::size_t> below, open{b};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const int child : regions_.children[at]) {
        open.push_back(index(child));
        if (regions_.bones[index(child)].area > 0) below.push_back(index(child));
      }
    }
    std::sort(below.begin(), below.end());
    return below;
  }

  int main_piece(std::size_t b) const {
    int main = -1;
    double most = 0;
    for (const auto& [piece, area] : by_piece_[b])
      if (area > most) most = area, main = piece;
    return main;
  }

  double share_in_piece(std::size_t b, int piece) const {
    const auto found = by_piece_[b].find(piece);
    return found == by_piece_[b].end() || !(regions_.bones[b].area > 0) ? 0 : found->second / regions_.bones[b].area;
  }

  std::vector<int> of_one_piece_with(std::size_t b) const {
    const int main = main_piece(b);
    std::vector<int> bones;
    for (const std::size_t c : carrying_below(b))
      if (share_in_piece(c, main) >= of_one_piece &&
          distance(regions_.bones[c].centre, regions_.bones[b].centre) <= of_it * radius_of(regions_.bones[b]))
        bones.push_back(static_cast<int>(c));
    return bones;
  }

  bool branches_or_bends(std::size_t b, const std::vector<std::size_t>& below) const {
    int ends = 0;
    for (const std::size_t c : below) ends += carrying_below(c).empty();
    if (ends > 1) return true;
    double length = 0;
    std::size_t at = b;
    for (std::size_t left = below.size(); left > 0; --left) {
      std::size_t next = at;
      for (const std::size_t c : below)
        if (is_below(c, static_cast<int>(at)) && (next == at || is_below(next, static_cast<int>(c)))) next = c;
      if (next == at) break;
      length += distance(regions_.bones[at].centre, regions_.bones[next].centre);
      at = next;
    }
    return distance(regions_.bones[b].centre, regions_.bones[at].centre) < bends_back * length;
  }

  bool has_eyes(std::size_t b) const {
    struct Eye {
      Vec3 centre;
      double radius = 0;
    };
    std::vector<Eye> eyes;
    const double radius = radius_of(regions_.bones[b]);
    for (const RigidPart& part : rigid_) {
      if (index(part.bone) != b || part.vertices.empty()) continue;
      Eye eye;
      for (const int v : part.vertices)
        eye.centre += surface_.rest.positions[index(v)] / static_cast<double>(part.vertices.size());
      for (const int v : part.vertices)
        eye.radius = std::max(eye.radius, distance(eye.centre, surface_.rest.positions[index(v)]));
      if (eye.radius <= largest_eye * radius) eyes.push_back(eye);
    }
    for (std::size_t i = 0; i < eyes.size(); ++i)
      for (std::size_t j = i + 1; j < eyes.size(); ++j) {
        const auto [less, more] = std::minmax(eyes[i].radius, eyes[j].radius);
        const double away = distance(eyes[i].centre, eyes[j].centre);
        if (more <= alike_eyes * less && away >= less && away <= widest_eyes * radius) return true;
      }
    return false;
  }

  // The reason why the bone is such a head; empty if it is not.
  std::string evidence(std::size_t b) const {
    const BoneRegion& region = regions_.bones[b];
    if (surface_.bones[b].helper || region.twin >= 0 || compact_[b] < 1 || ancestors_with_skin(b, false) < fewest_above)
      return {};
    if (region.area < least_of_the_skin * regions_.area || region.branch_area > most_of_the_skin * regions_.area)
      return {};
    const std::vector<std::size_t> below = carrying_below(b);
    if (below.size() < 2) return {};
    for (const std::size_t c : below)
      if (region.area < share_of_largest * regions_.bones[c].area) return {};
    if (has_eyes(b)) return "at the far end of a spine, with a pair of eyes on it";
    if (!branches_or_bends(b, below)) return {};
    const int main = main_piece(b);
    const bool pairs =
        std::any_of(below.begin(), below.end(), [&](std::size_t c) { return regions_.bones[c].twin >= 0; });
    for (const std::size_t c : below)
      if (distance(regions_.bones[c].centre, region.centre) > near_it * radius_of(region) &&
          (pairs || share_in_piece(c, main) > 1 - hangs_apart))
        return {};
    return "at the far end of a spine, and all that hangs on it is near it or apart from its skin";
  }

  const SimulationSurface& surface_;
  const BoneRegions& regions_;
  const SurfacePieces& pieces_;
  std::span<const RigidPart> rigid_;
  std::span<const double> compact_;
  std::span<const char> skull_;
  std::vector<std::map<int, double>> by_piece_;  // square metres
};

}  // namespace

std::vector<HeadFound> find_heads(const SimulationSurface& surface, const BoneRegions& regions,
                                  const SurfacePieces& pieces, std::span<const RigidPart> rigid,
                                  std::span<const double> compact, std::span<const char> skull) {
  return Heads(surface, regions, pieces, rigid, compact, skull).find();
}

}  // namespace sinew
