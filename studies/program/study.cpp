#include "studies/program/study.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/terminal.h"

namespace sinew::study {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
  return result;
}

void run_study(const Study& study, const StudyOptions& options) {
  for (const std::string& only : options.only)
    if (std::find(study.experiments.begin(), study.experiments.end(), only) == study.experiments.end())
      throw usage_error("--only " + only + ": " + study.name + " has no such experiment; it has " +
                        join(study.experiments) + ".");
  cli::catch_interrupts();
  StudySession session(options);
  study.run(options, session);
  session.write_tables(study.name);
}

}  // namespace

cli::Verb& add_study(cli::CommandLine& line, const Study& study, const std::shared_ptr<StudyOptions>& options) {
  cli::Verb& verb = line.add_verb(study.name, "[" + study.files_name + "] -o FOLDER", study.what);
  cli::OptionSet& set = verb.options;
  set.add(study.files_name + " ...", options->files, study.files);
  set.add("-o, --output FOLDER", options->folder, "Folder for pictures (PNG) and " + study.name + ".json");
  set.add("--only NAMES", options->only,
          "Run only these experiments, with commas between them: " + join(study.experiments))
      .separated_by_commas();
  set.add("--quiet", options->quiet, "Tables and errors only");
  verb.action = [study, options] { run_study(study, *options); };
  return verb;
}

}  // namespace sinew::study
