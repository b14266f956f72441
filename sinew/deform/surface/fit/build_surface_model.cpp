#include "sinew/deform/surface/fit/build_surface_model.h"

#include <algorithm>
#include <limits>

#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

// A vertex may leave its goal by this share of the character's height: far beyond what flesh does, near enough that
// nothing is lost on the screen.
constexpr double reach_of_height = 0.25;

Influences strongest(const Influences& all) {
  Influences kept = all;
  kept.count = std::min(all.count, max_surface_influences);
  double sum = 0;
  for (int k = 0; k < kept.count; ++k) sum += kept.weight[static_cast<std::size_t>(k)];
  for (int k = 0; k < kept.count; ++k) kept.weight[static_cast<std::size_t>(k)] /= sum;
  for (int k = kept.count; k < max_influences; ++k) {
    kept.joint[static_cast<std::size_t>(k)] = 0;
    kept.weight[static_cast<std::size_t>(k)] = 0;
  }
  return kept;
}

// Both ends of every edge know each other, in rising order.
void connect(const TriangleMesh& mesh, SurfaceModel& model) {
  std::vector<std::vector<int>> ring(mesh.positions.size());
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (a == b) continue;
      ring[static_cast<std::size_t>(a)].push_back(b);
      ring[static_cast<std::size_t>(b)].push_back(a);
    }
  model.first_neighbour = {0};
  for (std::vector<int>& neighbours : ring) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    model.neighbours.insert(model.neighbours.end(), neighbours.begin(), neighbours.end());
    model.first_neighbour.push_back(static_cast<int>(model.neighbours.size()));
  }
}

std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.positions.size());
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t k) { return mesh.positions[static_cast<std::size_t>(t[k])]; };
    const Vec3 area = cross(at(1) - at(0), at(2) - at(0));
    for (const int v : t) normals[static_cast<std::size_t>(v)] += area;
  }
  for (Vec3& normal : normals) normal = squared_norm(normal) > 0 ? normalized(normal) : Vec3{0, 1, 0};
  return normals;
}

int bone_with_core(const std::vector<Bone>& bones, int bone) {
  for (int b = bone; b >= 0; b = bones[static_cast<std::size_t>(b)].parent)
    if (!bones[static_cast<std::size_t>(b)].helper) return b;
  return bone;
}

void add_spokes(const SimulationSurface& surface, SurfaceModel& model) {
  std::vector<int> first_segment;  // per bone
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    first_segment.push_back(static_cast<int>(model.segments.size()));
    for (const BoneSegment& s : surface.bones[b].segments)
      model.segments.push_back({static_cast<int>(b), s.head, s.tail});
  }
  first_segment.push_back(static_cast<int>(model.segments.size()));

  const auto nearest_segment = [&](int bone, const Vec3& point) {
    int nearest = first_segment[static_cast<std::size_t>(bone)];
    double least = std::numeric_limits<double>::infinity();
    for (int s = nearest; s < first_segment[static_cast<std::size_t>(bone) + 1]; ++s) {
      const SurfaceSegment& segment = model.segments[static_cast<std::size_t>(s)];
      const double d = distance(point, nearest_on_segment(segment.head, segment.tail, point));
      if (d < least) {
        least = d;
        nearest = s;
      }
    }
    return nearest;
  };

  model.first_spoke = {0};
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    const Influences& influences = model.influences[v];
    const std::size_t first = model.spokes.size();
    for (int k = 0; k < influences.count; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      const int segment = nearest_segment(bone_with_core(surface.bones, influences.joint[slot]), model.rest[v]);
      const auto same = std::find_if(model.spokes.begin() + static_cast<std::ptrdiff_t>(first), model.spokes.end(),
                                     [&](const Spoke& s) { return s.segment == segment; });
      if (same != model.spokes.end())
        same->weight += influences.weight[slot];
      else
        model.spokes.push_back({segment, influences.weight[slot]});
    }
    model.first_spoke.push_back(static_cast<int>(model.spokes.size()));
  }
}

}  // namespace

Vec3 nearest_on_segment(const Vec3& head, const Vec3& tail, const Vec3& point) {
  const Vec3 along = tail - head;
  const double squared = squared_norm(along);
  if (!(squared > 0)) return head;
  return head + along * std::clamp(dot(point - head, along) / squared, 0.0, 1.0);
}

SurfaceModel build_surface_model(const Character& character, const SimulationSurface& surface,
                                 const SurfaceModelOptions& options) {
  SurfaceModel model;
  model.step = options.step;
  model.reference = options.reference;
  model.height = options.height;
  model.reach = reach_of_height * options.height;
  for (const Bone& bone : surface.bones) model.bones.push_back({bone.name, bone.rest_to_joint});
  model.rest = surface.rest.positions;
  model.normals = vertex_normals(surface.rest);
  for (const Influences& influences : surface.influences) model.influences.push_back(strongest(influences));
  connect(surface.rest, model);
  add_spokes(surface, model);
  model.parameters.assign(model.rest.size(), {.alpha = 1, .delta = 1});
  for (std::size_t p = 0; p < surface.parts.size(); ++p)
    model.parts.push_back({character.parts[static_cast<std::size_t>(surface.parts[p])].name, surface.vertex_of[p]});
  return model;
}

}  // namespace sinew
