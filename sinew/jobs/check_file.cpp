#include "sinew/jobs/check_file.h"

#include <algorithm>
#include <optional>

#include "sinew/cook/prepare.h"
#include "sinew/cook/prepare_mixed.h"
#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/defect_rank.h"
#include "sinew/jobs/open_character.h"

namespace sinew {
namespace {

// Enough elements to see which parts hang together.
constexpr int tetrahedra_for_parts = 3000;

// The sentence without the file's name before it.
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

// With the settings that `animate` takes by default.
void try_flesh(const Character& character, const Progress& progress, FileCheck& check) {
  try {
    prepare_flesh(character, {}, progress);
    check.methods = {"flesh", "mixed"};
  } catch (const Error& error) {
    must_be_mended(character.file, error, check);
  }
}

// Parts of the body of a character without skin weights that no bone reaches are defects too.
void try_mixed(Character character, const Progress& progress, FileCheck& check) {
  try {
    adopt_skeleton(character);
    MixedSettings settings;
    settings.tetrahedra = tetrahedra_for_parts;
    const MixedScene scene = prepare_mixed(character, settings, progress);
    for (const BonelessPart& part : scene.pins.boneless_parts)
      check.defects.push_back({"part without a bone", "", "", {}, boneless_sentence(scene, part)});
    check.methods = {"mixed"};
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
