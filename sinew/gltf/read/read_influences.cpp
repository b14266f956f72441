#include "sinew/gltf/read/read_influences.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// Exporters round weights to floats and bytes; only sums with a larger error are reported.
constexpr double sum_tolerance = 1e-4;

struct RepairedVertices {
  std::vector<int> not_finite, negative, no_such_joint, duplicate, too_many, wrong_sum, unweighted;
};

struct Candidate {
  int joint;
  double weight;
};

// Returns true if the vertex has a positive weight on a joint that the skin lacks.
bool collect(const Primitive& primitive, std::size_t vertex, std::size_t joint_count, RepairedVertices& repaired,
             std::vector<Candidate>& candidates) {
  const int number = static_cast<int>(vertex);
  bool not_finite = false, negative = false, no_such_joint = false, duplicate = false;
  candidates.clear();
  for (std::size_t k = 0; k < primitive.influences_per_vertex; ++k) {
    const double weight = primitive.weights[vertex * primitive.influences_per_vertex + k];
    const double joint = primitive.joints[vertex * primitive.influences_per_vertex + k];
    if (!std::isfinite(weight)) not_finite = true;
    if (weight < 0) negative = true;
    if (!std::isfinite(weight) || weight <= 0) continue;
    if (joint >= static_cast<double>(joint_count)) {
      no_such_joint = true;
      continue;
    }
    const int index = static_cast<int>(joint);
    const auto same =
        std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.joint == index; });
    if (same == candidates.end()) {
      candidates.push_back({index, weight});
    } else {
      same->weight += weight;
      duplicate = true;
    }
  }
  if (not_finite) repaired.not_finite.push_back(number);
  if (negative) repaired.negative.push_back(number);
  if (no_such_joint) repaired.no_such_joint.push_back(number);
  if (duplicate) repaired.duplicate.push_back(number);
  return no_such_joint;
}

Influences largest_normalized(std::vector<Candidate>& candidates, int vertex, RepairedVertices& repaired) {
  double stored_sum = 0;
  for (const Candidate& candidate : candidates) stored_sum += candidate.weight;
  if (std::fabs(stored_sum - 1) > sum_tolerance) repaired.wrong_sum.push_back(vertex);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  if (candidates.size() > static_cast<std::size_t>(max_influences)) {
    repaired.too_many.push_back(vertex);
    candidates.resize(static_cast<std::size_t>(max_influences));
  }
  double sum = 0;
  for (const Candidate& candidate : candidates) sum += candidate.weight;
  Influences influences;
  for (const Candidate& candidate : candidates) {
    const auto k = static_cast<std::size_t>(influences.count++);
    influences.joint[k] = candidate.joint;
    influences.weight[k] = candidate.weight / sum;
  }
  return influences;
}

void report(const std::string& part, RepairedVertices&& repaired, std::vector<Defect>& repairs) {
  const auto add = [&](const char* name, std::vector<int>& vertices, const char* action) {
    if (!vertices.empty()) repairs.push_back({name, part, "vertex", std::move(vertices), action});
  };
  add("NaN skin weight", repaired.not_finite,
      "The weights that are not numbers are left out and the others scaled to a sum of one.");
  add("negative skin weight", repaired.negative,
      "The negative weights are left out and the others scaled to a sum of one.");
  add("joint index out of range", repaired.no_such_joint,
      "The weights on joints that the skin lacks are left out and the others scaled to a sum of one.");
  add("duplicate joint in a vertex", repaired.duplicate, "The weights of the joint are added.");
  add("more than eight influences", repaired.too_many,
      "The eight largest weights are kept and scaled to a sum of one.");
  add("weights not summing to one", repaired.wrong_sum, "The weights are scaled to a sum of one.");
  add("unweighted vertex", repaired.unweighted,
      "The vertex follows the joint that its first influence names, else the skin's first joint.");
}

}  // namespace

std::vector<Influences> resolve_influences(const Primitive& primitive, const Skin& skin, const std::string& file,
                                           std::vector<Defect>& repairs) {
  const std::size_t vertices = primitive.part.surface.positions.size();
  std::vector<Influences> influences(vertices);
  RepairedVertices repaired;
  std::vector<Candidate> candidates;
  for (std::size_t v = 0; v < vertices; ++v) {
    const bool no_such_joint = collect(primitive, v, skin.joints.size(), repaired, candidates);
    if (!candidates.empty()) {
      influences[v] = largest_normalized(candidates, static_cast<int>(v), repaired);
      continue;
    }
    if (no_such_joint)
      throw input_error(file + ": vertex " + std::to_string(v) + " of \"" + primitive.part.name +
                        "\" is bound only to joints that the skin \"" + skin.name + "\" does not have (it has " +
                        std::to_string(skin.joints.size()) + "); bind the mesh to its skeleton again.");
    repaired.unweighted.push_back(static_cast<int>(v));
    const double first = primitive.joints[v * primitive.influences_per_vertex];
    influences[v].count = 1;
    influences[v].joint[0] = first < static_cast<double>(skin.joints.size()) ? static_cast<int>(first) : 0;
    influences[v].weight[0] = 1;
  }
  report(primitive.part.name, std::move(repaired), repairs);
  return influences;
}

}  // namespace sinew
