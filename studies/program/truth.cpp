// sinew-study truth: the experiments of docs/truth.md.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/printable.h"
#include "sinew/jobs/open_character.h"
#include "studies/program/session.h"
#include "studies/program/study.h"
#include "studies/program/verbs.h"
#include "studies/surface/dancing_tube.h"
#include "studies/truth/tables.h"

namespace sinew::study {
namespace {

struct TruthSubject {
  Character character;
  std::string name;
  TruthOptions how;
};

std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

// Parses FILE, FILE:CLIP or FILE:CLIP:JOINTS; an existing file with the whole name takes precedence.
TruthSubject read_subject(const std::string& argument) {
  std::string file = argument;
  std::vector<std::string> more;
  while (!std::filesystem::exists(file) && more.size() < 2) {
    const std::size_t colon = file.rfind(':');
    if (colon == std::string::npos || colon == 0) break;
    more.insert(more.begin(), file.substr(colon + 1));
    file.resize(colon);
  }
  more.resize(2);
  TruthSubject subject{open_character(file).character, printable(std::filesystem::path(file).stem().string()), {}};
  subject.how.clip = more[0];
  subject.how.swing = between_commas(more[1]);
  return subject;
}

void run_truth(const StudyOptions& options, StudySession& session) {
  std::vector<TruthExperiment> experiments;
  const auto examine = [&](const TruthSubject& subject) {
    TruthOptions how = subject.how;
    how.others = chosen(options, "others");
    how.learned = chosen(options, "learned");
    how.methods = how.learned || chosen(options, "methods");
    experiments.push_back(truth_experiment(subject.character, subject.name, how, session.progress()));
  };
  for (const std::string& file : options.files) examine(read_subject(file));
  if (options.files.empty()) examine({dancing_tube(), "tube", {}});
  if (chosen(options, "flesh")) {
    session.show(truth_table(experiments));
    session.show(nonlinear_flesh_table(experiments));
  }
  if (chosen(options, "parts")) {
    session.show(truth_parts_table(experiments));
    session.show(truth_places_table(experiments));
  }
  if (chosen(options, "others")) session.show(other_truths_table(experiments));
  if (chosen(options, "methods") || chosen(options, "learned")) session.show(truth_methods_table(experiments));
}

}  // namespace

void add_truth(cli::CommandLine& line) {
  add_study(line,
            {"truth",
             "Default flesh, springs and surface models beside nonlinear elasticity",
             "FILES",
             "Characters, FILE, FILE:CLIP or FILE:CLIP:JOINTS with patterns of the joints that springs swing",
             {"flesh", "parts", "others", "methods", "learned"},
             run_truth},
            std::make_shared<StudyOptions>());
}

}  // namespace sinew::study
