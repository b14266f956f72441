#include "sinew/cook/mixed/bind_automatically.h"

#include <algorithm>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 256;

// Largest extent of a loose piece that keeps its shape, as a share of the character's longest side.
constexpr double rigid_piece = 0.1;

// Bones with their weights, each bone once.
using Weights = std::vector<std::pair<int, double>>;

void add(Weights& weights, int bone, double weight) {
  const auto found =
      std::find_if(weights.begin(), weights.end(), [&](const auto& entry) { return entry.first == bone; });
  if (found == weights.end())
    weights.emplace_back(bone, weight);
  else
    found->second += weight;
}

// Sums over the elements around each body vertex, weighted by volume; not yet normalised.
std::vector<Weights> weights_of_body(const TetrahedralMesh& mesh, const RotationWeights& of_elements) {
  std::vector<Weights> weights(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Tetrahedron& corners = mesh.tetrahedra[t];
    const auto x = [&](std::size_t k) { return mesh.positions[index(corners[k])]; };
    const double size = volume(x(0), x(1), x(2), x(3));
    for (const int v : corners)
      for (std::size_t k = index(of_elements.start[t]); k < index(of_elements.start[t + 1]); ++k)
        add(weights[index(v)], of_elements.bone[k], size * of_elements.weight[k]);
  }
  for (Weights& vertex : weights) {
    double sum = 0;
    for (const auto& [bone, weight] : vertex) sum += weight;
    for (auto& [bone, weight] : vertex) weight /= sum;
  }
  return weights;
}

// Sorts by falling weight and normalises the sum to one.
void normalize(Weights& weights) {
  std::erase_if(weights, [](const auto& entry) { return !(entry.second > 0); });
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  double sum = 0;
  for (const auto& [bone, weight] : weights) sum += weight;
  for (auto& [bone, weight] : weights) weight /= sum;
}

// Keeps the largest weights, reduced by the first that is left out. Where the order of two weights changes along the
// surface, both are then zero, and the skin has no jump.
Weights largest(Weights weights) {
  normalize(weights);
  if (weights.size() <= index(automatic_influences)) return weights;
  const double left_out = weights[index(automatic_influences)].second;
  weights.resize(index(automatic_influences));
  if (weights.front().second > left_out)
    for (auto& [bone, weight] : weights) weight -= left_out;
  normalize(weights);
  return weights;
}

std::vector<Weights> weights_of_surface(const BonedBody& body, double reach) {
  const std::vector<Weights> of_vertices =
      weights_of_body(body.mesh, smooth_weights(body.mesh, body.bones, body.clusters.bone, {reach}));
  std::vector<Weights> result(body.embedding.points.size());
  parallel_for(result.size(), grain, [&](std::size_t s) {
    const EmbeddedPoint& point = body.embedding.points[s];
    Weights sum;
    for (std::size_t k = 0; k < 4; ++k) {
      // Points just outside their element have one negative barycentric coordinate.
      const double share = std::max(point.weights[k], 0.0);
      for (const auto& [bone, weight] : of_vertices[index(body.mesh.tetrahedra[index(point.tetrahedron)][k])])
        if (share > 0) add(sum, bone, share * weight);
    }
    result[s] = largest(std::move(sum));
  });
  return result;
}

// Per surface vertex: the number of the loose body piece that carries it, or -1.
std::vector<int> loose_pieces(const BonedBody& body) {
  DisjointSets pieces(body.mesh.positions.size());
  for (const Tetrahedron& t : body.mesh.tetrahedra)
    for (const int corner : t) pieces.unite(t[0], corner);
  std::vector<int> result;
  for (const EmbeddedPoint& point : body.embedding.points) {
    const std::size_t t = index(point.tetrahedron);
    result.push_back(body.clusters.boneless[t] ? pieces.find(body.mesh.tetrahedra[t][0]) : -1);
  }
  return result;
}

// The triangles of the surface that bones reach.
TriangleMesh reached_surface(const TriangleMesh& surface, const std::vector<int>& piece) {
  TriangleMesh reached{surface.positions, {}};
  for (const Triangle& t : surface.triangles)
    if (piece[index(t[0])] < 0 && piece[index(t[1])] < 0 && piece[index(t[2])] < 0) reached.triangles.push_back(t);
  return reached;
}

// For a small piece: the mean over its vertices.
void follow_as_one(const std::vector<int>& vertices, std::vector<Weights>& weights) {
  Weights mean;
  for (const int v : vertices)
    for (const auto& [bone, weight] : weights[index(v)]) add(mean, bone, weight);
  mean = largest(std::move(mean));
  for (const int v : vertices) weights[index(v)] = mean;
}

void follow_skin(const BonedBody& body, std::vector<Weights>& weights) {
  const TriangleMesh& rest = body.surface.rest;
  const std::vector<int> piece = loose_pieces(body);
  const TriangleMesh reached = reached_surface(rest, piece);
  const BoundingVolumeHierarchy tree(reached);
  const std::vector<Weights> before = weights;
  parallel_for(weights.size(), grain, [&](std::size_t v) {
    if (piece[v] < 0) return;
    const ClosestPoint beside = tree.closest_point(rest.positions[v]);
    if (beside.triangle < 0) return;
    Weights sum;
    for (std::size_t k = 0; k < 3; ++k)
      for (const auto& [bone, weight] : before[index(reached.triangles[index(beside.triangle)][k])])
        add(sum, bone, beside.barycentric[k] * weight);
    weights[v] = largest(std::move(sum));
  });
  std::vector<std::vector<int>> vertices(body.mesh.positions.size());
  for (std::size_t v = 0; v < piece.size(); ++v)
    if (piece[v] >= 0) vertices[index(piece[v])].push_back(static_cast<int>(v));
  const double small = rigid_piece * longest_side(rest);
  for (const std::vector<int>& own : vertices) {
    Box box;
    for (const int v : own) box.include(rest.positions[index(v)]);
    const Vec3 size = box.upper - box.lower;
    if (!own.empty() && std::max({size.x, size.y, size.z}) <= small) follow_as_one(own, weights);
  }
}

// Converts bones to joints of the skin, which numbers joints by their place in its own list.
Influences over_joints(const Weights& over_bones, const std::vector<int>& slot_of_bone) {
  Weights over_slots;
  for (const auto& [bone, weight] : over_bones) add(over_slots, slot_of_bone[index(bone)], weight);
  normalize(over_slots);
  Influences influences;
  for (const auto& [slot, weight] : over_slots) {
    const auto k = index(influences.count++);
    influences.joint[k] = slot;
    influences.weight[k] = weight;
  }
  return influences;
}

std::vector<int> slots_of_bones(const std::vector<Bone>& bones, const Skin& skin) {
  std::vector<int> slots;
  for (const Bone& bone : bones) {
    const auto found = std::find(skin.joints.begin(), skin.joints.end(), bone.joint);
    // A bone of another skin: the nearest ancestor joint that this skin has, or else its first joint.
    int slot = found == skin.joints.end() ? -1 : static_cast<int>(found - skin.joints.begin());
    for (int up = bone.parent; slot < 0 && up >= 0; up = bones[index(up)].parent) {
      const auto above = std::find(skin.joints.begin(), skin.joints.end(), bones[index(up)].joint);
      if (above != skin.joints.end()) slot = static_cast<int>(above - skin.joints.begin());
    }
    slots.push_back(std::max(slot, 0));
  }
  return slots;
}

// Vertices without triangles take the influences of the nearest vertex of the same node's surfaces.
void follow_nearest(Character& character, Part& part) {
  for (std::size_t v = 0; v < part.influences.size(); ++v) {
    double nearest = HUGE_VAL;
    for (const Part& other : character.parts) {
      if (other.joint != part.joint || other.skin != part.skin || &other == &part) continue;
      for (std::size_t u = 0; u < other.influences.size(); ++u) {
        const double away = squared_norm(other.surface.positions[u] - part.surface.positions[v]);
        if (other.influences[u].count == 0 || !(away < nearest)) continue;
        nearest = away;
        part.influences[v] = other.influences[u];
      }
    }
  }
}

}  // namespace

void bind_automatically(Character& character, const BonedBody& body, double reach, LoosePieces loose) {
  std::vector<Weights> weights = weights_of_surface(body, reach);
  if (loose == LoosePieces::nearest_skin) follow_skin(body, weights);
  const SimulationSurface& surface = body.surface;
  for (std::size_t p = 0; p < surface.parts.size(); ++p) {
    Part& part = character.parts[index(surface.parts[p])];
    const std::vector<int> slots = slots_of_bones(body.bones, character.skins[index(part.skin)]);
    for (std::size_t v = 0; v < part.influences.size(); ++v)
      part.influences[v] = over_joints(weights[index(surface.vertex_of[p][v])], slots);
  }
  for (Part& part : character.parts)
    if (part.skin >= 0 && !part.influences.empty() && part.influences.front().count == 0)
      follow_nearest(character, part);
}

void bind_automatically(Character& character, const CookedMixed& mixed, const MixedSettings& settings) {
  bind_automatically(character, {mixed.surface, mixed.bones, mixed.mesh, mixed.embedding, mixed.clusters},
                     std::max(settings.smooth, automatic_reach), LoosePieces::nearest_bone);
}

}  // namespace sinew
