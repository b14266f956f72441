#include <algorithm>
#include <cctype>
#include <string>

#include "sinew/anatomy/bone_names.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/find_body_bones.h"

namespace sinew {
namespace {

bool has_text(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

enum class NamedLimb { none, arm, leg };
struct LimbLabel {
  NamedLimb limb = NamedLimb::none;
  char label = ' ';  // as in limb_of_chain()
};

bool names_upper(std::string_view part) { return has_text(part, "up") || has_text(part, "high"); }
bool names_lower(std::string_view part) { return has_text(part, "lo") && !has_text(part, "elbow"); }

// The limb that the name of a bone on one side belongs to, and its part.
LimbLabel limb_label(const BoneName& name) {
  const std::string& part = name.part;
  for (const std::string_view helper : {"pole", "ik", "control", "orient", "twist", "roll", "slot", "target"})
    if (has_text(part, helper)) return {};
  using enum NamedLimb;
  if (part == "clavicle") return {arm, 'b'};
  if (part == "upperarm") return {arm, 'u'};
  if (part == "forearm") return {arm, 'l'};
  if (part == "hand" || part == "fist" || part == "palm") return {arm, 'e'};
  if (part == "thigh") return {leg, 'u'};
  if (part == "shin") return {leg, 'l'};
  if (part == "foot") return {leg, 'e'};
  if (part == "toes") return {leg, 't'};
  if (has_text(part, "arm")) return {arm, names_upper(part) ? 'u' : names_lower(part) ? 'l' : ' '};
  if (has_text(part, "leg")) return {leg, names_upper(part) ? 'u' : names_lower(part) ? 'l' : ' '};
  if (part == "hips") return {leg, ' '};  // of a side: the hip joint, or what carries it
  return {};
}

// Which finger a name says, as an index into finger_names; -1: none.
int finger_of(std::string_view part) {
  constexpr std::array<std::string_view, 5> words{"thumb", "index", "middle", "ring", "pinky"};
  for (std::size_t k = 0; k < words.size(); ++k)
    if (part == words[k] || part.ends_with(words[k])) return static_cast<int>(k);
  return part == "little" || part.ends_with("little") ? 4 : -1;
}

class NameSearch {
 public:
  NameSearch(const Skeleton& skeleton, std::span<const Vec3> rest)
      : skeleton_(skeleton), rest_(rest), children_(skeleton.joints.size()), labels_(skeleton.joints.size()) {
    names_.reserve(skeleton.joints.size());
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      names_.push_back(bone_name(skeleton.joints[j].name));
      if (names_[j].side != 0 && !is_end_marker(skeleton.joints[j].name)) labels_[j] = limb_label(names_[j]);
      if (skeleton.joints[j].parent >= 0) children_[index(skeleton.joints[j].parent)].push_back(static_cast<int>(j));
    }
  }

  BodyBones find() {
    BodyBones bones;
    bones.found_by = "names";
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      bones.legs[side] = limb(NamedLimb::leg, side == 0 ? 1 : -1);
      bones.arms[side] = limb(NamedLimb::arm, side == 0 ? 1 : -1);
      attach_foot(bones.legs[side], side == 0 ? 1 : -1);
      attach_end(bones.legs[side], side == 0 ? 1 : -1);
      attach_end(bones.arms[side], side == 0 ? 1 : -1);
      bones.arms[side].tip = -1;
    }
    bones.head = find_head();
    if (bones.head < 0) bones.head = last_of("neck");
    find_trunk(skeleton_, bones);
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) find_fingers(bones, side);
    find_tail(bones);
    return bones;
  }

 private:
  bool labelled(int joint, NamedLimb limb, int side) const {
    return labels_[index(joint)].limb == limb && names_[index(joint)].side == side;
  }

  // Per joint: the number of labelled joints from it on.
  std::vector<int> labelled_from(NamedLimb limb, int side) const {
    std::vector<int> count(labels_.size(), 0);
    for (auto at = skeleton_.parents_first.rbegin(); at != skeleton_.parents_first.rend(); ++at) {
      count[index(*at)] += labelled(*at, limb, side) ? 1 : 0;
      const int parent = skeleton_.joints[index(*at)].parent;
      if (parent >= 0) count[index(parent)] += count[index(*at)];
    }
    return count;
  }

  // Joints of a limb outward: from the topmost labelled joint with the most labelled ones below it, along these, and
  // where there are no more of them along the only child or the marker of the end.
  std::vector<int> chain_of(NamedLimb limb, int side) const {
    const std::vector<int> labelled_count = labelled_from(limb, side);
    int top = -1, most = 0;
    for (const int joint : skeleton_.parents_first)
      if (labelled(joint, limb, side) && labelled_count[index(joint)] > most) {
        top = joint;
        most = labelled_count[index(joint)];
      }
    std::vector<int> chain;
    for (int at = top; at >= 0;) {
      chain.push_back(at);
      int next = -1, best = 0;
      for (const int child : children_[index(at)])
        if (labelled_count[index(child)] > best) {
          next = child;
          best = labelled_count[index(child)];
        }
      if (next < 0 && children_[index(at)].size() == 1) next = children_[index(at)].front();
      at = next;
    }
    return chain;
  }

  LimbBones limb(NamedLimb which, int side) const {
    const std::vector<int> chain = chain_of(which, side);
    std::string labels;
    for (const int joint : chain) labels += labelled(joint, which, side) ? labels_[index(joint)].label : ' ';
    LimbBones bones = limb_of_chain(skeleton_, rest_, chain, labels);
    if (which == NamedLimb::leg) return bones;
    // Toes of hands are fingers; a finger is no hand.
    bones.tip = -1;
    if (bones.end >= 0 && labels_[index(bones.end)].limb != NamedLimb::arm &&
        finger_of(names_[index(bones.end)].part) >= 0)
      bones.end = -1;
    return bones;
  }

  // Feet that hang on the root, as those of rigs with baked inverse kinematics do.
  void attach_foot(LimbBones& leg, int side) const {
    if (leg.end >= 0 || leg.lower < 0) return;
    for (const int joint : skeleton_.parents_first) {
      if (!labelled(joint, NamedLimb::leg, side) || labels_[index(joint)].label != 'e') continue;
      leg.end = joint;
      leg.marker = -1;
      for (const int child : children_[index(joint)]) leg.marker = child;
      return;
    }
  }

  // Ends that hang on the root and are not named as such: the topmost joint of the side at the limb's end marker.
  void attach_end(LimbBones& limb, int side) const {
    if (limb.end >= 0 || limb.lower < 0 || limb.marker < 0) return;
    constexpr double near = 0.3;  // of the lower bone
    const Vec3 at = rest_[index(limb.marker)];
    const double reach = near * norm(at - rest_[index(limb.lower)]);
    for (const int joint : skeleton_.parents_first) {
      const std::string& part = names_[index(joint)].part;
      if (names_[index(joint)].side != side || has_text(part, "pole") || has_text(part, "target") ||
          norm(rest_[index(joint)] - at) > reach || descends_from(skeleton_, joint, limb.upper) ||
          is_end_marker(skeleton_.joints[index(joint)].name))
        continue;
      limb.end = joint;
      limb.marker = -1;
      for (const int child : children_[index(joint)])
        (is_end_marker(skeleton_.joints[index(child)].name) ? limb.marker : limb.tip) = child;
      return;
    }
  }

  // The head with the most named bones of a trunk above it; the topmost of several.
  int find_head() const {
    int head = -1, most = -1;
    for (const int joint : skeleton_.parents_first) {
      if (names_[index(joint)].part != "head" || names_[index(joint)].side != 0) continue;
      int trunk = 0;
      for (int up = skeleton_.joints[index(joint)].parent; up >= 0; up = skeleton_.joints[index(up)].parent)
        for (const std::string_view part : {"hips", "spine", "chest", "neck"}) trunk += names_[index(up)].part == part;
      if (trunk <= most) continue;
      head = joint;
      most = trunk;
    }
    return head;
  }
  int last_of(std::string_view part) const {
    int last = -1;
    for (const int joint : skeleton_.parents_first)
      if (has_text(names_[index(joint)].part, part) && names_[index(joint)].side == 0) last = joint;
    return last;
  }

  void find_fingers(BodyBones& bones, std::size_t side) const {
    const LimbBones& arm = bones.arms[side];
    const int hand = arm.end >= 0 ? arm.end : arm.lower;
    if (hand < 0) return;
    constexpr std::size_t most_links = 3;
    for (const int joint : skeleton_.parents_first) {
      if (joint == hand || is_end_marker(skeleton_.joints[index(joint)].name)) continue;
      const int finger = finger_of(names_[index(joint)].part);
      if (finger < 0 || !descends_from(skeleton_, joint, hand)) continue;
      std::vector<int>& chain = bones.fingers[side][index(finger)];
      if (chain.size() < most_links && (chain.empty() || descends_from(skeleton_, joint, chain.back())))
        chain.push_back(joint);
    }
  }

  void find_tail(BodyBones& bones) const {
    for (const int joint : skeleton_.parents_first)
      if (names_[index(joint)].part == "tail" &&
          (bones.tail.empty() || descends_from(skeleton_, joint, bones.tail.back())))
        bones.tail.push_back(joint);
  }

  const Skeleton& skeleton_;
  std::span<const Vec3> rest_;
  std::vector<std::vector<int>> children_;
  std::vector<BoneName> names_;
  std::vector<LimbLabel> labels_;
};

}  // namespace

BodyBones bones_by_name(const Skeleton& skeleton, std::span<const Vec3> rest) {
  return NameSearch(skeleton, rest).find();
}

}  // namespace sinew
