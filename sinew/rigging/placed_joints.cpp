#include "sinew/rigging/placed_joints.h"

#include <cstddef>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/nearest_word.h"

namespace sinew {
namespace {

std::map<std::string, int> numbers_by_name(const std::vector<PlacedJoint>& joints) {
  std::map<std::string, int> numbers;
  for (std::size_t j = 0; j < joints.size(); ++j) numbers.try_emplace(joints[j].name, static_cast<int>(j));
  return numbers;
}

std::string quoted(const std::string& name) { return "joint '" + name + "'"; }

void check_names(const std::vector<PlacedJoint>& joints, const std::string& file) {
  std::map<std::string, int> seen;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].name.empty())
      throw input_error(file + ": joint " + std::to_string(j) + " has no name; give it one that no other joint has.");
    if (!seen.try_emplace(joints[j].name, static_cast<int>(j)).second)
      throw input_error(file + ": there are two joints called '" + joints[j].name + "'; call one of them otherwise.");
  }
}

void check_parents(const std::vector<PlacedJoint>& joints, const std::string& file) {
  const std::map<std::string, int> numbers = numbers_by_name(joints);
  std::vector<std::string> names;
  for (const PlacedJoint& joint : joints) names.push_back(joint.name);
  for (const PlacedJoint& joint : joints) {
    if (joint.parent.empty() || numbers.contains(joint.parent)) continue;
    const std::string nearest = nearest_word(joint.parent, names);
    throw input_error(file + ": " + quoted(joint.name) + " has the parent '" + joint.parent + "', which is not there" +
                      (nearest.empty() ? "; add it, or name another." : ": did you mean '" + nearest + "'?"));
  }
}

void check_circles(const std::vector<PlacedJoint>& joints, const std::string& file) {
  const std::vector<int> parent = parents_of(joints);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    int up = parent[j];
    for (std::size_t steps = 0; up >= 0 && steps < joints.size(); ++steps) {
      if (up == static_cast<int>(j))
        throw input_error(file + ": the parents of " + quoted(joints[j].name) +
                          " lead back to itself; leave out the parent of one joint, which is then the topmost.");
      up = parent[index(up)];
    }
  }
}

}  // namespace

void check_joints(const std::vector<PlacedJoint>& joints, const std::string& file) {
  if (joints.empty()) throw input_error(file + ": has no joints; place at least one.");
  check_names(joints, file);
  for (const PlacedJoint& joint : joints)
    if (!is_finite(joint.position))
      throw input_error(file + ": " + quoted(joint.name) +
                        " stands at no finite place; give it three numbers, in metres.");
  check_parents(joints, file);
  check_circles(joints, file);
}

std::vector<int> parents_of(const std::vector<PlacedJoint>& joints) {
  const std::map<std::string, int> numbers = numbers_by_name(joints);
  std::vector<int> parents;
  for (const PlacedJoint& joint : joints) parents.push_back(joint.parent.empty() ? -1 : numbers.at(joint.parent));
  return parents;
}

std::vector<int> parents_first(const std::vector<PlacedJoint>& joints) {
  const std::vector<int> parent = parents_of(joints);
  std::vector<char> placed(joints.size(), 0);
  std::vector<int> order;
  while (order.size() < joints.size())
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (placed[j] || (parent[j] >= 0 && !placed[index(parent[j])])) continue;
      placed[j] = 1;
      order.push_back(static_cast<int>(j));
    }
  return order;
}

}  // namespace sinew
