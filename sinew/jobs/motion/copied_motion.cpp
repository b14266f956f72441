#include "sinew/jobs/motion/copied_motion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace sinew {
namespace {

constexpr double noticed_ratio = 0.02;  // of bone lengths, from 1

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

bool is_same_skeleton(const JoinedMotion& joined) {
  constexpr double most_missing = 0.1;  // of the nodes
  if (std::fabs(joined.bone_ratio - 1) >= noticed_ratio) return false;
  return std::all_of(joined.clips.begin(), joined.clips.end(), [](const JoinedClip& clip) {
    return static_cast<double>(clip.not_found.size()) <= most_missing * static_cast<double>(clip.channels);
  });
}

}  // namespace sinew
