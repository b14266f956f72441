#include "rigging.h"

#include <algorithm>

#include "exact_math.h"
#include "sinew/base/error.h"

namespace sinew::samples {
namespace {

// Largest first.
Influences packed(std::vector<Influence> all) {
  std::erase_if(all, [](const Influence& influence) { return influence.weight <= 0; });
  Influences result{};
  if (all.size() > result.size())
    throw simulation_error("A vertex would have " + std::to_string(all.size()) + " influences; " +
                           std::to_string(result.size()) + " fit.");
  std::stable_sort(all.begin(), all.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  std::copy(all.begin(), all.end(), result.begin());
  return result;
}

double bump_of(const FleshJoint& joint, const Vec3& p) {
  const Vec3 offset = p - joint.centre;
  return joint.strength * bump(norm({offset.x / joint.radii.x, offset.y / joint.radii.y, offset.z / joint.radii.z}), 1);
}

// Turns bumps into the shares that flesh joints get of one joint's weight, and returns what is left to it.
double divide(std::vector<Influence>& flesh) {
  double sum = 0;
  for (const Influence& influence : flesh) sum += influence.weight;
  if (sum <= 0) return 1;
  const double left = std::max(0.0, 1 - sum) * std::max(0.0, 1 - sum);
  for (Influence& influence : flesh) influence.weight *= (1 - left) / sum;
  return left;
}

}  // namespace

void absorb_joint(Sample& sample, const std::string& name) {
  Skeleton& skeleton = sample.skeleton;
  const Index gone = skeleton.index(name), parent = skeleton.joints[gone].parent;
  if (parent == no_parent)
    throw simulation_error("The joint '" + name + "' has no parent that could take its weights.");
  const auto renumbered = [&](Index joint) { return joint == gone ? parent : joint > gone ? joint - 1 : joint; };

  for (Influences& influences : sample.weights) {
    std::vector<Influence> merged;
    for (const Influence& influence : influences) {
      const Index joint = renumbered(influence.joint);
      const auto same =
          std::find_if(merged.begin(), merged.end(), [&](const Influence& m) { return m.joint == joint; });
      if (same == merged.end())
        merged.push_back({joint, influence.weight});
      else
        same->weight += influence.weight;
    }
    influences = packed(std::move(merged));
  }
  for (RigidPart& part : sample.parts) part.joint = renumbered(part.joint);
  for (Clip& clip : sample.clips)
    for (Channel& channel : clip.channels) {
      if (channel.joint == gone) throw simulation_error("The clip '" + clip.name + "' moves the joint '" + name + "'.");
      channel.joint = renumbered(channel.joint);
    }
  for (Joint& joint : skeleton.joints)
    if (joint.parent != no_parent) joint.parent = renumbered(joint.parent);
  skeleton.joints.erase(skeleton.joints.begin() + static_cast<std::ptrdiff_t>(gone));
}

void rename_joint(Sample& sample, const std::string& name, const std::string& renamed) {
  sample.skeleton.joints[sample.skeleton.index(name)].name = renamed;
}

void FleshJointList::add_pair(const FleshJoint& left) {
  const bool sided = skeleton_.contains(left.parent + "_l");
  for (const char* side : {"_l", "_r"}) {
    FleshJoint joint = left;
    joint.name += side;
    if (sided) joint.parent += side;
    if (side[1] == 'r') {
      joint.position = mirrored(left.position);
      joint.centre = mirrored(left.centre);
    }
    joints.push_back(joint);
  }
}

void hang_flesh(Sample& sample, const std::vector<FleshJoint>& joints) {
  const auto first = static_cast<Index>(sample.skeleton.joints.size());
  std::vector<Index> source;  // per flesh joint: from which joint it takes weights
  for (const FleshJoint& joint : joints) {
    const Index added = sample.skeleton.add(joint.name, joint.parent, joint.position);
    const Index parent = sample.skeleton.joints[added].parent;
    source.push_back(parent < first ? parent : source[parent - first]);
  }
  for (std::size_t v = 0; v < sample.weights.size(); ++v) {
    std::vector<Influence> all;
    for (const Influence& influence : sample.weights[v]) {
      std::vector<Influence> shares;
      for (std::size_t i = 0; i < joints.size(); ++i)
        if (source[i] == influence.joint)
          shares.push_back({first + static_cast<Index>(i), bump_of(joints[i], sample.surface.position[v])});
      const double left = divide(shares);
      all.push_back({influence.joint, influence.weight * left});
      for (const Influence& share : shares) all.push_back({share.joint, influence.weight * share.weight});
    }
    sample.weights[v] = packed(std::move(all));
  }
}

}  // namespace sinew::samples
