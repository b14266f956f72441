#include "sinew/rig/implicit/implicit_skin.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/topology.h"
#include "sinew/rig/implicit/composed_field.h"
#include "sinew/rig/implicit/skin_parts.h"

namespace sinew {
namespace {

constexpr double cells_in_radius = 6;  // of a field's grid

std::vector<std::optional<ImplicitSkin::Part>> fields_of(const std::vector<SkinPart>& parts) {
  std::vector<std::optional<ImplicitSkin::Part>> result(parts.size());
  parallel_for(parts.size(), 1, [&](std::size_t p) {
    const SkinPart& part = parts[p];
    if (!(part.radius > 0)) return;
    const std::optional<HermiteField> field = HermiteField::through(part.points);
    if (!field) return;
    Vec3 least = part.points.front().place, most = least;
    for (const OrientedPoint& point : part.points) least = min(least, point.place), most = max(most, point.place);
    const Vec3 margin{part.radius, part.radius, part.radius};
    result[p].emplace(ImplicitSkin::Part{
        part.bone, part.parent, part.radius,
        FieldGrid(*field, least - margin, most + margin, part.radius / cells_in_radius)});
  });
  return result;
}

class Fitting {
 public:
  explicit Fitting(const SimulationSurface& surface)
      : surface_(surface), parts_(skin_parts(surface)), number_(parts_.parts.size(), -1) {}

  std::shared_ptr<const ImplicitSkin> result() {
    add_fields();
    if (skin_.parts.empty()) return nullptr;
    find_own();
    find_levels();
    find_rings();
    return std::make_shared<const ImplicitSkin>(std::move(skin_));
  }

 private:
  void add_fields() {
    std::vector<std::optional<ImplicitSkin::Part>> fields = fields_of(parts_.parts);
    for (std::size_t p = 0; p < fields.size(); ++p) {
      if (!fields[p]) continue;
      number_[p] = static_cast<int>(skin_.parts.size());
      skin_.parts.push_back(std::move(*fields[p]));
    }
    for (ImplicitSkin::Part& part : skin_.parts)
      part.parent = part.parent < 0 ? -1 : number_[index(part.parent)];
  }

  void find_own() {
    for (std::size_t v = 0; v < surface_.rest.positions.size(); ++v) {
      std::vector<int> own;
      const int strongest =
          parts_.of_vertex[v] < 0 || parts_.on_shape[v] == 0 ? -1 : number_[index(parts_.of_vertex[v])];
      if (strongest >= 0) {
        const Influences& on = surface_.influences[v];
        for (std::size_t k = 0; k < index(on.count); ++k)
          if (const int p = parts_.of_bone[index(on.joint[k])]; p >= 0 && on.weight[k] > 0) own.push_back(number_[index(p)]);
        for (std::size_t p = 0; p < skin_.parts.size(); ++p)
          if (static_cast<int>(p) == strongest || skin_.parts[p].parent == strongest ||
              skin_.parts[index(strongest)].parent == static_cast<int>(p))
            own.push_back(static_cast<int>(p));
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        if (own.front() < 0) own.erase(own.begin());
      }
      skin_.strongest.push_back(strongest);
      skin_.own.insert(skin_.own.end(), own.begin(), own.end());
      skin_.own_start.push_back(static_cast<int>(skin_.own.size()));
    }
  }

  void find_levels() {
    const std::vector<Vec3>& x = surface_.rest.positions;
    const PosedFields rest(skin_, std::vector<Affine>(surface_.bones.size()));
    skin_.level.resize(x.size());
    skin_.overlap.resize(x.size());
    parallel_for(x.size(), 256, [&](std::size_t v) {
      if (skin_.strongest[v] < 0) return;
      skin_.level[v] = rest.own(v, x[v]).value;
      FieldValue one;
      for (int p = 0; p < static_cast<int>(skin_.parts.size()); ++p)
        if (rest.part(p, x[v], one) && one.value > skin_.level[v])
          skin_.overlap[v].emplace_back(p, one.value - skin_.level[v]);
    });
  }

  // Vertices around v in order. Empty unless its triangles close around it once.
  std::vector<int> ring_of(int v, std::span<const int> triangles) const {
    std::vector<std::array<int, 2>> next;
    for (const int t : triangles) {
      const Triangle& corners = surface_.rest.triangles[index(t)];
      for (std::size_t k = 0; k < 3; ++k)
        if (corners[k] == v) next.push_back({corners[(k + 1) % 3], corners[(k + 2) % 3]});
    }
    std::vector<int> ring;
    if (next.empty()) return ring;
    for (int at = next.front()[0]; ring.size() < next.size();) {
      ring.push_back(at);
      const auto edge = std::find_if(next.begin(), next.end(), [&](const auto& e) { return e[0] == at; });
      if (edge == next.end()) return {};
      at = (*edge)[1];
      if (at == ring.front()) break;
    }
    return ring.size() == next.size() ? ring : std::vector<int>{};
  }

  // Floater 2003: (tan(a / 2) + tan(b / 2)) / distance, with the angles a and b beside the neighbour, all in the tangent
  // plane.
  std::vector<double> shares_of(int v, const Vec3& normal, const std::vector<int>& ring) const {
    const std::vector<Vec3>& x = surface_.rest.positions;
    std::vector<Vec3> flat;
    for (const int w : ring) {
      const Vec3 to = x[index(w)] - x[index(v)];
      flat.push_back(to - dot(to, normal) * normal);
    }
    std::vector<double> tangent(ring.size()), share(ring.size());
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vec3 &a = flat[k], &b = flat[(k + 1) % ring.size()];
      const double angle = std::atan2(dot(normal, cross(a, b)), dot(a, b));
      if (!(angle > 0)) return std::vector<double>(ring.size());
      tangent[k] = std::tan(angle / 2);
    }
    double sum = 0;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      share[k] = (tangent[(k + ring.size() - 1) % ring.size()] + tangent[k]) / norm(flat[k]);
      sum += share[k];
    }
    for (double& one : share) one /= sum;
    if (!std::isfinite(sum)) return std::vector<double>(ring.size());
    return share;
  }

  void find_rings() {
    const Rows around = triangles_around_vertices(surface_.rest);
    const std::vector<Vec3> normal = vertex_area_vectors(surface_.rest.positions, surface_.rest.triangles);
    for (std::size_t v = 0; v < normal.size(); ++v) {
      const int vertex = static_cast<int>(v);
      const std::vector<int> ring = ring_of(vertex, around[v]);
      const std::vector<double> share = shares_of(vertex, normalized(normal[v]), ring);
      skin_.ring.insert(skin_.ring.end(), ring.begin(), ring.end());
      skin_.ring_share.insert(skin_.ring_share.end(), share.begin(), share.end());
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

}  // namespace sinew
