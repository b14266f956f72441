#include "sinew/jobs/shape/shape_target.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/words.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/weld.h"
#include "sinew/rig/weight_controls.h"

namespace sinew {
namespace {

// Ratio of sizes from which on a target is of another size.
constexpr double other_size = 2;

double diagonal(const Box& box) { return norm(box.upper - box.lower); }

// The parts that show triangles, in order.
std::vector<const Part*> shown_parts(const Character& character) {
  std::vector<const Part*> parts;
  for (const Part& part : character.parts)
    if (is_surface(part)) parts.push_back(&part);
  return parts;
}

bool same_vertices(const Character& character, const Character& target) {
  const std::vector<const Part*> mine = shown_parts(character), theirs = shown_parts(target);
  return mine.size() == theirs.size() && std::equal(mine.begin(), mine.end(), theirs.begin(), [](auto* a, auto* b) {
           return a->surface.positions.size() == b->surface.positions.size() &&
                  a->surface.triangles == b->surface.triangles;
         });
}

struct ShownMeshes {
  Character character;
  std::vector<std::vector<Vec3>> positions;  // per shown part, at rest, in units of the file
  TriangleMesh mesh;                         // all of them, world, metres
};

ShownMeshes read_shown(const std::string& file, double metres) {
  ShownMeshes shown{read_character(file), {}, {}};
  const Pose rest = sample(shown.character.skeleton, nullptr, 0);
  TriangleMesh& mesh = shown.mesh;
  for (const Part* part : shown_parts(shown.character)) {
    shown.positions.push_back(posed_positions(shown.character, *part, rest));
    const auto first = static_cast<int>(mesh.positions.size());
    for (const Vec3& x : shown.positions.back()) {
      if (!is_finite(x)) throw input_error(file + ": a vertex of the target is no number.");
      mesh.positions.push_back(metres * x);
    }
    for (Triangle t : part->surface.triangles) {
      for (int& v : t) v += first;
      mesh.triangles.push_back(t);
    }
  }
  if (mesh.triangles.empty()) throw input_error(file + ": has no triangles that could be a target.");
  return shown;
}

}  // namespace

std::vector<Vec3> skin_of_parts(const SimulationSurface& surface, const std::vector<std::vector<Vec3>>& of_part,
                                double metres_per_unit) {
  std::vector<Vec3> skin(surface.rest.positions.size());
  for (std::size_t k = 0; k < surface.vertex_of.size(); ++k)
    for (std::size_t v = 0; v < surface.vertex_of[k].size(); ++v)
      if (const int s = surface.vertex_of[k][v]; s >= 0) skin[index(s)] = metres_per_unit * of_part[k][v];
  return skin;
}

ShapeTarget morph_target_shape(const Character& character, const SimulationSurface& surface, Pose pose,
                               const std::string& name) {
  std::vector<std::string> names;
  bool found = false;
  for (const WeightControl& weight : weight_controls(character, surface)) {
    names.push_back(weight.parameter.name);
    if (weight.parameter.name != name && weight.parameter.control != name) continue;
    std::vector<double>& weights = pose.morph_weights[index(weight.node)];
    weights.resize(std::max(weights.size(), index(weight.target) + 1));
    weights[index(weight.target)] = 1;
    found = true;
  }
  if (!found)
    throw usage_error(
        "--target morph:" + name + ": " + character.file +
        (names.empty() ? " has no morph targets on its skin." : " has none of this name, but " + listed(names) + "."));
  std::vector<std::vector<Vec3>> of_part;
  for (const int part : surface.parts)
    of_part.push_back(posed_positions(character, character.parts[index(part)], pose));
  return {skin_of_parts(surface, of_part, character.metres_per_unit), {}};
}

TriangleMesh mesh_of_file(const std::string& file, double metres) { return read_shown(file, metres).mesh; }

ShapeTarget target_of_file(const std::string& file, double scale, const Character& character,
                           const SimulationSurface& surface, std::span<const Vec3> skin) {
  const double metres = scale * character.metres_per_unit;
  ShownMeshes read = read_shown(file, metres);
  const Character& target = read.character;
  const std::vector<std::vector<Vec3>>& positions = read.positions;
  ShapeTarget shape;
  shape.mesh = std::move(read.mesh);
  const double ratio = diagonal(bounds(shape.mesh.positions)) / diagonal(bounds(skin));
  if (!(ratio < other_size && ratio > 1 / other_size))
    throw input_error(file + ": the target is " + short_number(ratio) +
                      " times as large as the character; give --target-scale " + short_number(scale / ratio) +
                      " if it is meant in another unit.");
  if (same_vertices(character, target)) {
    std::vector<std::vector<Vec3>> of_part;
    const std::vector<const Part*> shown = shown_parts(character);
    for (const int part : surface.parts) {
      const auto at = std::find(shown.begin(), shown.end(), &character.parts[index(part)]);
      of_part.push_back(positions[static_cast<std::size_t>(at - shown.begin())]);
    }
    shape.vertices = skin_of_parts(surface, of_part, metres);
    shape.mesh = {};
  } else if (shape.mesh.triangles == surface.rest.triangles &&
             shape.mesh.positions.size() == surface.rest.positions.size()) {
    shape.vertices = std::move(shape.mesh.positions);
    shape.mesh = {};
  } else {
    shape.mesh = apply_weld(shape.mesh, weld(shape.mesh.positions));
  }
  return shape;
}

}  // namespace sinew
