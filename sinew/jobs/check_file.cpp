#include "sinew/jobs/check_file.h"

#include <algorithm>
#include <cstdio>

#include "sinew/bake/clip_end.h"
#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/defect_rank.h"
#include "sinew/cook/flesh/motion_estimate.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rig/clip_motion.h"

namespace sinew {
namespace {

// Enough elements to show which parts are connected.
constexpr int tetrahedra_for_parts = 3000;

// The sentence without the leading file name.
std::string without_file(const std::string& sentence, const std::string& file) {
  const std::string before = file + ": ";
  return sentence.starts_with(before) ? sentence.substr(before.size()) : sentence;
}

void append(const std::vector<Defect>& found, std::vector<Defect>& defects) {
  defects.insert(defects.end(), found.begin(), found.end());
}

void must_be_mended(const std::string& file, const Error& error, FileCheck& check) {
  check.refusal = error.what();
  if (!check.refusal.starts_with(file)) check.refusal = file + ": " + check.refusal;
  check.defects.push_back({"not to be animated", "", "", {}, without_file(error.what(), file), true});
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", " : "") + names[k];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

std::string counted(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string decided_anatomy(const CookedFlesh& scene) {
  std::vector<std::string> skulls;
  for (std::size_t b = 0; b < scene.anatomy.bones.size(); ++b)
    if (scene.anatomy.bones[b].tissue == Tissue::skull) skulls.push_back(scene.surface.bones[b].name);
  std::size_t rigid = 0;
  for (const RigidPart& thing : scene.anatomy.rigid) rigid += thing.vertices.size();
  if (skulls.empty() && rigid == 0) return "flesh everywhere.";
  std::string text;
  if (!skulls.empty())
    text = counted(skulls.size(), "bone is", "bones are") + " mostly skull (" + some_names(skulls) + ")";
  if (rigid > 0)
    text += (text.empty() ? "" : ", ") + counted(scene.anatomy.rigid.size(), "thing is", "things are") + " rigid (" +
            std::to_string(rigid) + " of " + std::to_string(scene.surface.rest.positions.size()) + " vertices)";
  return text + "; `sinew anatomy` says why.";
}

std::string decided_loops(const Character& character, const SimulationSurface& surface) {
  std::vector<std::string> loops, rest, elsewhere, poses;
  for (const Clip& clip : character.clips) {
    if (clip.end <= clip.start) {
      poses.push_back(clip.name);
      continue;
    }
    switch (clip_end(character, surface, clip, true).ending) {
      case Ending::moving_on:
        loops.push_back(clip.name);
        break;
      case Ending::at_rest:
        rest.push_back(clip.name);
        break;
      case Ending::elsewhere:
        elsewhere.push_back(clip.name);
        break;
    }
  }
  std::string text;
  const auto say = [&](const std::vector<std::string>& names, const std::string& what) {
    if (!names.empty()) text += (text.empty() ? "" : "; ") + what + ": " + some_names(names);
  };
  say(loops, "cyclic");
  say(rest, "coming to rest");
  say(elsewhere, "ending elsewhere");
  say(poses, "one pose");
  return text.empty() ? "there is no clip." : text + ".";
}

std::string decided_amount(const CookedFlesh& scene) {
  const double longest = longest_side(scene.surface);
  std::vector<double> seen = visible_amplitudes(scene.motion, scene.swings, scene.material.damping_ratio);
  std::vector<std::string> unseen;
  for (std::size_t c = 0; c < seen.size(); ++c)
    if (seen[c] < visible_share * longest) unseen.push_back(scene.motion.clips[c].clip);
  char text[160];
  if (unseen.size() == seen.size()) {
    std::snprintf(text, sizeof(text), "the flesh swings at %.2g Hz", scene.material.frequency);
    return text +
           std::string(seen.empty() ? ", as the look natural says." : ", and no clip is estimated to show it moving.");
  }
  std::nth_element(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2), seen.end());
  std::snprintf(text, sizeof(text),
                "the flesh swings at %.2g Hz and is seen to move by about %.2g %% of the size (the median of %s)",
                scene.material.frequency, 100 * seen[seen.size() / 2] / longest,
                counted(seen.size(), "clip", "clips").c_str());
  return text + (unseen.empty() ? std::string(".") : "; hardly in " + some_names(unseen) + ".");
}

// Empty if no clip is cut.
std::string decided_cuts(const Character& character, const SimulationSurface& surface) {
  std::string text;
  for (const Clip& clip : character.clips) {
    const std::string cuts = describe_cuts("clip '" + clip.name + "'", clip_motion(character, surface, clip).cuts);
    if (!cuts.empty()) text += (text.empty() ? "" : " ") + cuts;
  }
  return text;
}

std::vector<std::string> methods_for(bool skin_weights) {
  std::vector<std::string> names;
  for (const auto& method : all_methods())
    if (skin_weights || !method->traits().needs_skin_weights) names.emplace_back(method->name());
  return names;
}

// Uses the default settings of `animate`.
void try_flesh(const Character& character, const Progress& progress, FileCheck& check) {
  try {
    const CookedFlesh scene = prepare_flesh(character, {}, progress);
    check.decisions = {{"size", check.size},
                       {"anatomy", decided_anatomy(scene)},
                       {"loops", decided_loops(character, scene.surface)},
                       {"amount", decided_amount(scene)}};
    if (const std::string cuts = decided_cuts(character, scene.surface); !cuts.empty())
      check.decisions.push_back({"cuts", cuts});
    check.methods = methods_for(true);
  } catch (const Error& error) {
    must_be_mended(character.file, error, check);
  }
}

// In characters without skin weights, body parts that no bone reaches are defects too.
void try_mixed(Character character, const Progress& progress, FileCheck& check) {
  try {
    adopt_skeleton(character);
    MixedSettings settings;
    settings.tetrahedra = tetrahedra_for_parts;
    const CookedMixed scene = prepare_mixed(character, settings, progress);
    for (const BonelessPart& part : scene.pins.boneless_parts)
      check.defects.push_back({"part without a bone", "", "", {}, boneless_sentence(scene, part)});
    check.methods = methods_for(false);
    check.decisions = {{"size", check.size}};
  } catch (const Error& error) {
    must_be_mended(character.file, error, check);
  }
}

}  // namespace

FileCheck check_file(const std::string& file, const Progress& progress) {
  FileCheck check;
  try {
    OpenedCharacter opened = open_character(file, {}, &check.defects);
    Character& character = opened.character;
    append(find_surface_defects(character), check.defects);
    check.size = opened.size.sentence;
    if (has_skin_weights(character))
      try_flesh(character, progress, check);
    else
      try_mixed(std::move(character), progress, check);
  } catch (const Error& error) {
    check.refusal = error.what();
  }
  std::stable_sort(check.defects.begin(), check.defects.end(),
                   [](const Defect& a, const Defect& b) { return rank_of(a) < rank_of(b); });
  return check;
}

}  // namespace sinew
