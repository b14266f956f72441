#include "sinew/rig/implicit/implicit_skin.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/topology.h"
#include "sinew/rig/bone_distance.h"
#include "sinew/rig/implicit/composed_field.h"
#include "sinew/rig/implicit/skin_parts.h"

namespace sinew {
namespace {

constexpr double cells_in_radius = 6;  // of a field's grid
// Cosine between the way from a vertex's spine and its part's gradient.
constexpr double along_skin = 0.3, across_skin = 0.7;
// Fields do not end by themselves where skin goes on in that of other parts: shares of a part's radius.
constexpr double reliable = 0.4, unreliable = 0.7;
constexpr double limb_length = 1.5;     // of a limb's bone, times its radius
constexpr double beside_depth = 0.05;   // of a detour that counts, of the radius: fields are not exact
constexpr double most_beside = 0.055;   // of a joint's vertices
constexpr double along_parent = 0.75;   // share of a bone from which on others go on from its end
constexpr double least_solid = 0.5;     // mean of `across`, of a part's vertices
constexpr double border_begins = 0.3;   // share of the margin around a part's points
constexpr double margin_of_radius = 1;  // around a part's points, up to which its field reaches

std::vector<std::optional<ImplicitSkin::Part>> fields_of(const std::vector<SkinPart>& parts) {
  std::vector<std::optional<ImplicitSkin::Part>> result(parts.size());
  parallel_for(parts.size(), 1, [&](std::size_t p) {
    const SkinPart& part = parts[p];
    if (!(part.radius > 0)) return;
    const std::optional<HermiteField> field = HermiteField::through(part.points);
    if (!field) return;
    Vec3 least = part.points.front().place, most = least;
    for (const OrientedPoint& point : part.points) least = min(least, point.place), most = max(most, point.place);
    const Vec3 margin = margin_of_radius * part.radius * Vec3{1, 1, 1};
    const Vec3 low = least, high = most;
    const auto reliability = [&](const Vec3& x, double value) {
      // No skin is near the border of the grid: where the field ends it tells so.
      const Vec3 out = max(low - x, x - high);
      const double beyond = std::max({out.x, out.y, out.z}) / margin.x;
      return falling_step(beyond_skin(part.skin, x, value) / part.radius, reliable, unreliable) *
             falling_step(beyond, border_begins, 1);
    };
    result[p].emplace(ImplicitSkin::Part{
        part.bone, part.parent, part.radius, false, true, part.skin,
        grid_of(*field, least - margin, most + margin, part.radius / cells_in_radius, reliability, part.radius / 2)});
  });
  return result;
}

class Fitting {
 public:
  explicit Fitting(const SimulationSurface& surface)
      : surface_(surface), parts_(skin_parts(surface)), number_(parts_.parts.size(), -1) {
    skin_.positions = surface.rest.positions;
    skin_.influences = surface.influences;
  }

  std::shared_ptr<const ImplicitSkin> result() {
    add_fields();
    if (skin_.parts.size() < 2) return nullptr;
    for (std::size_t v = 0; v < skin_.positions.size(); ++v) add_own(v);
    measure();
    find_folds();
    find_solid();
    find_rings();
    find_touchable();
    skin_.clusters =
        skin_clusters(skin_.positions, skin_.parts.size(), [&](std::size_t v) { return skin_.strongest[v]; });
    return std::make_shared<const ImplicitSkin>(std::move(skin_));
  }

 private:
  void add_fields() {
    std::vector<std::optional<ImplicitSkin::Part>> fields = fields_of(parts_.parts);
    for (std::size_t p = 0; p < fields.size(); ++p) {
      if (!fields[p]) {
        skin_.unfitted.push_back(parts_.parts[p].bone);
        continue;
      }
      number_[p] = static_cast<int>(skin_.parts.size());
      skin_.parts.push_back(std::move(*fields[p]));
    }
    for (ImplicitSkin::Part& part : skin_.parts)
      if (part.parent >= 0) part.parent = number_[index(part.parent)];
    std::vector<int> children(skin_.parts.size());
    for (const ImplicitSkin::Part& part : skin_.parts)
      if (goes_on(part)) ++children[index(part.parent)];
    for (ImplicitSkin::Part& part : skin_.parts)
      part.folds = goes_on(part) && children[index(part.parent)] == 1 && is_limb(part) &&
                   is_limb(skin_.parts[index(part.parent)]);
  }

  // Whether a part begins where the bone of its parent ends. Bones that twist a limb's skin begin along it.
  bool goes_on(const ImplicitSkin::Part& part) const {
    if (part.parent < 0) return false;
    const auto& of_part = surface_.bones[index(part.bone)].segments;
    const auto& of_parent = surface_.bones[index(skin_.parts[index(part.parent)].bone)].segments;
    if (of_part.empty() || of_parent.empty()) return false;
    double length = 0;
    for (const BoneSegment& s : of_parent) length = std::max(length, distance(s.head, s.tail));
    return distance(of_parent.front().head, of_part.front().head) > along_parent * length;
  }

  bool is_limb(const ImplicitSkin::Part& part) const {
    const std::vector<BoneSegment>& segments = surface_.bones[index(part.bone)].segments;
    return std::any_of(segments.begin(), segments.end(),
                       [&](const BoneSegment& s) { return distance(s.head, s.tail) > limb_length * part.radius; });
  }

  void add_own(std::size_t v) {
    std::vector<int> own;
    const int strongest = parts_.of_vertex[v] < 0 || parts_.on_shape[v] == 0 ? -1 : number_[index(parts_.of_vertex[v])];
    if (strongest >= 0) {
      const Influences& on = surface_.influences[v];
      for (std::size_t k = 0; k < index(on.count); ++k)
        if (const int p = parts_.of_bone[index(on.joint[k])];
            p >= 0 && on.weight[k] > 0 && number_[index(p)] >= 0 && skin_.joined(strongest, number_[index(p)]))
          own.push_back(number_[index(p)]);
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    skin_.strongest.push_back(strongest);
    skin_.own.insert(skin_.own.end(), own.begin(), own.end());
    skin_.own_start.push_back(static_cast<int>(skin_.own.size()));
  }

  // The fields at every vertex at rest.
  void measure() {
    const std::size_t count = skin_.positions.size();
    const PosedFields rest(skin_, std::vector<Affine>(surface_.bones.size()));
    skin_.level.resize(count);
    skin_.depth.resize(count);
    skin_.spine.resize(count);
    skin_.across.resize(count);
    skin_.overlap.resize(count);
    skin_.detour.resize(count);
    parallel_for(count, 256, [&](std::size_t v) {
      const int strongest = skin_.strongest[v];
      if (strongest < 0) return;
      const Vec3& x = skin_.positions[v];
      FieldValue own, part;
      if (!rest.part(strongest, x, part) || !rest.own(v, x, own)) {
        skin_.strongest[v] = -1;  // a field that does not reach the part's own skin tells nothing about it
        return;
      }
      skin_.level[v] = own.value;
      skin_.spine[v] = nearest_point(surface_.bones[index(skin_.parts[index(strongest)].bone)], x);
      skin_.depth[v] = part.value;
      const Vec3 outwards = normalized(x - skin_.spine[v]);
      skin_.across[v] = 1 - falling_step(dot(outwards, normalized(part.gradient)), along_skin, across_skin);
      double field = 0;
      for (int p = 0; p < static_cast<int>(skin_.parts.size()); ++p)
        if (p != strongest && rest.distance(p, x, field) && field < 0) skin_.overlap[v].emplace_back(p, field);
      for (auto k = index(skin_.own_start[v]); k < index(skin_.own_start[v + 1]); ++k)
        if (fold(skin_, strongest, skin_.own[k])) add_detour(rest, v, skin_.own[k]);
    });
  }

  void add_detour(const PosedFields& rest, std::size_t v, int part) {
    double most = 0;
    for (int k = 1; k <= ray_samples; ++k) {
      const double share = static_cast<double>(k) / ray_samples;
      most = std::max(most, rest.excess(v, part, skin_.positions[v] + share * (skin_.spine[v] - skin_.positions[v])));
    }
    if (most > 0) skin_.detour[v].emplace_back(part, most);
  }

  // Limbs fold where both end in their joint. Where the way from the skin to the bone leads through the other part
  // they lie beside each other, as a thumb beside its palm.
  void find_folds() {
    std::vector<std::size_t> around(skin_.parts.size()), beside(skin_.parts.size());  // by the child
    const auto child = [&](int a, int b) { return index(skin_.parts[index(a)].parent == b ? a : b); };
    for (std::size_t v = 0; v < skin_.positions.size(); ++v) {
      const int strongest = skin_.strongest[v];
      if (strongest < 0) continue;
      for (auto k = index(skin_.own_start[v]); k < index(skin_.own_start[v + 1]); ++k)
        if (fold(skin_, strongest, skin_.own[k])) ++around[child(strongest, skin_.own[k])];
      for (const auto& [part, depth] : skin_.detour[v])
        if (depth > beside_depth * skin_.parts[index(strongest)].radius) ++beside[child(strongest, part)];
    }
    for (std::size_t p = 0; p < around.size(); ++p)
      if (beside[p] > 1 && static_cast<double>(beside[p]) > most_beside * static_cast<double>(around[p]))
        skin_.parts[p].folds = false;
  }

  // Fields of thin sheets are too coarse for skin to touch.
  void find_solid() {
    std::vector<double> across(skin_.parts.size()), count(skin_.parts.size());
    for (std::size_t v = 0; v < skin_.positions.size(); ++v)
      if (skin_.strongest[v] >= 0)
        across[index(skin_.strongest[v])] += skin_.across[v], ++count[index(skin_.strongest[v])];
    for (std::size_t p = 0; p < skin_.parts.size(); ++p) skin_.parts[p].solid = across[p] > least_solid * count[p];
  }

  void find_touchable() {
    const int count = static_cast<int>(skin_.parts.size());
    skin_.touchable.resize(skin_.parts.size());
    for (int p = 0; p < count; ++p)
      for (int other = 0; other < count; ++other)
        if (p != other && skin_.parts[index(p)].solid && skin_.parts[index(other)].solid &&
            (fold(skin_, p, other) || !skin_.joined(p, other)))
          skin_.touchable[index(p)].push_back(other);
  }

  void find_rings() {
    std::vector<std::vector<int>> around(skin_.positions.size());
    for (const auto& [a, b] : mesh_edges(surface_.rest).vertices) {
      around[index(a)].push_back(b);
      around[index(b)].push_back(a);
    }
    for (std::vector<int>& ring : around) {
      std::sort(ring.begin(), ring.end());
      skin_.ring.insert(skin_.ring.end(), ring.begin(), ring.end());
      skin_.ring_start.push_back(static_cast<int>(skin_.ring.size()));
    }
  }

  const SimulationSurface& surface_;
  const SkinParts parts_;
  std::vector<int> number_;  // per part of the skin: its field; -1: none could be fitted
  ImplicitSkin skin_;
};

}  // namespace

std::shared_ptr<const ImplicitSkin> implicit_skin(const SimulationSurface& surface) {
  return Fitting(surface).result();
}

bool fold(const ImplicitSkin& skin, int a, int b) {
  const ImplicitSkin::Part &one = skin.parts[index(a)], &other = skin.parts[index(b)];
  return (one.folds && one.parent == b) || (other.folds && other.parent == a);
}

double disagreement(const ImplicitSkin& skin, std::span<const Affine> bones, std::size_t vertex, const Vec3& position) {
  const Influences& on = skin.influences[vertex];
  double sum = 0;
  for (std::size_t k = 0; k < index(on.count); ++k)
    sum += on.weight[k] * distance(bones[index(on.joint[k])] * skin.positions[vertex], position);
  return sum;
}

}  // namespace sinew
