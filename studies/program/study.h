// A study: experiments that compare one method with others, run by one verb of the program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "studies/program/session.h"

namespace sinew::cli {
class CommandLine;
struct Verb;
}  // namespace sinew::cli

namespace sinew::study {

struct Study {
  std::string name;                      // of its verb, and of the file with its tables
  std::string what;                      // summary in one line
  std::string files_name, files;         // "FILES", and their meaning
  std::vector<std::string> experiments;  // names for --only
  void (*run)(const StudyOptions& options, StudySession& session) = nullptr;
};

// Adds its verb with the options that all studies have, bound to `options`.
cli::Verb& add_study(cli::CommandLine& line, const Study& study, const std::shared_ptr<StudyOptions>& options);

}  // namespace sinew::study
