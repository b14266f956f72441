// sinew-study skinning: families of skinning on the same bends (docs/skinning.md).
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/cli/command_line.h"
#include "sinew/jobs/open_character.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/skinning/bent_tube.h"
#include "studies/skinning/pictures.h"
#include "studies/skinning/tables.h"

namespace sinew::study {
namespace {

// FILE or FILE:JOINT; an existing file with the whole name takes precedence.
std::pair<std::string, std::string> character_and_joint(const std::string& argument) {
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos || colon == 0 || std::filesystem::exists(argument)) return {argument, ""};
  return {argument.substr(0, colon), argument.substr(colon + 1)};
}

// Name of a comparison, for tables and files: letters, digits and underscores.
std::string name_of_comparison(const std::string& file, const std::string& joint) {
  std::string name = std::filesystem::path(file).stem().string() + (joint.empty() ? "" : "_" + joint);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

void run_skinning(const StudyOptions& options, StudySession& session) {
  std::vector<SkinningComparison> comparisons;
  FamilyOptions families;
  families.geometric = chosen(options, "geometric");
  families.physical = chosen(options, "physical");
  const auto compare = [&](const Character& character, const std::string& name, const std::string& joint) {
    comparisons.push_back(compare_skinning(character, name, joint, families, session.progress()));
    session.show(skinning_table(comparisons.back()));
    session.picture("skinning_" + name, [&] { return skinning_picture(comparisons.back()); });
  };
  for (const std::string& argument : options.files) {
    const auto [file, joint] = character_and_joint(argument);
    compare(open_character(file).character, name_of_comparison(file, joint), joint);
  }
  if (options.files.empty()) compare(bent_tube(), "tube", "upper");
  session.show(skinning_summary(comparisons));
}

}  // namespace

void add_skinning(cli::CommandLine& line) {
  add_study(line,
            {"skinning",
             "Every family of skinning on the same bends, beside nonlinear elasticity",
             "FILES",
             "Characters, FILE or FILE:JOINT with a pattern of the joints that bend",
             {"geometric", "physical"},
             run_skinning},
            std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
