#include "sinew/jobs/motion/copied_motion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace sinew {
namespace {

constexpr double noticed_ratio = 0.02;  // of bone lengths, from 1

Vec3 rest_offset(const Joint& joint) {
  return joint.rest_matrix ? joint.rest_matrix->translation : joint.rest.translation;
}

std::string names_for_note(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", " : "") + names[k];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace

void note_what_was_not_found(const JoinedMotion& joined, const std::string& file, std::vector<std::string>& notes) {
  // Clips that lack the same nodes share a sentence.
  using Names = std::vector<std::string>;
  const auto note = [&](Names JoinedClip::*missing, const char* what) {
    std::map<Names, Names> clips;
    for (const JoinedClip& clip : joined.clips)
      if (!(clip.*missing).empty()) clips[clip.*missing].push_back(clip.name);
    for (const auto& [nodes, names] : clips)
      notes.push_back(file + ": " + what + names_for_note(nodes) + " (" +
                      (names.size() == joined.clips.size() ? "every clip" : names_for_note(names)) + ").");
  };
  note(&JoinedClip::not_found,
       "its channels of these nodes are left out, because the character has no node of that name, or several: ");
  note(&JoinedClip::no_shape,
       "its channels of morph weights are left out, since the character has other morph targets: ");
  note(&JoinedClip::no_number,
       "its channels of these numbers are left out, since no node of the character has them as custom properties: ");
  if (!joined.left_out.empty())
    notes.push_back(file + ": these clips move no node of the character and are left out: " +
                    names_for_note(joined.left_out) + ".");
  if (std::fabs(joined.bone_ratio - 1) < noticed_ratio) return;
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", joined.bone_ratio);
  notes.push_back(
      file + ": its skeleton differs: its bones are " + text +
      " times as long. Keys are copied unchanged, so translation keys change the lengths of the character's "
      "bones.");
}

bool is_alike(const JoinedMotion& joined) {
  constexpr double most_missing = 0.1;  // of the nodes
  if (std::fabs(joined.bone_ratio - 1) >= noticed_ratio) return false;
  return std::all_of(joined.clips.begin(), joined.clips.end(), [](const JoinedClip& clip) {
    return static_cast<double>(clip.not_found.size()) <= most_missing * static_cast<double>(clip.channels);
  });
}

bool has_same_axes(const JoinedMotion& joined, const SkeletonAndBody& character, const SkeletonAndBody& motion) {
  constexpr double noticed_turn = 0.1;     // radians
  constexpr double noticed_offset = 0.05;  // share of its length
  const std::vector<int> body = joints_of(character.body.bones);
  return std::all_of(joined.nodes.begin(), joined.nodes.end(), [&](const auto& nodes) {
    const std::size_t theirs = nodes.first, own = nodes.second;
    if (std::find(body.begin(), body.end(), static_cast<int>(own)) == body.end()) return true;
    if (character.body.bound && motion.body.bound) {
      const double cosine = dot(character.body.reference.rotation[own], motion.body.reference.rotation[theirs]);
      if (std::abs(cosine) < std::cos(noticed_turn / 2)) return false;
    }
    // The offsets of hips are moved by poses.
    if (static_cast<int>(own) == character.body.bones.root || static_cast<int>(own) == character.body.bones.pelvis)
      return true;
    const Vec3 a = rest_offset(character.skeleton.joints[own]), b = rest_offset(motion.skeleton.joints[theirs]);
    return norm(a - b) <= noticed_offset * std::max(norm(a), norm(b));
  });
}

}  // namespace sinew
