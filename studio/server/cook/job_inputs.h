// Files that a job of `sinew` reads when the studio starts it (fit, learn): the character with its paint
// and motions, and settings.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "studio/server/cook/cook_worker.h"

namespace sinew::studio {

struct JobInputs {
  std::shared_ptr<const OpenedCharacter> opened;
  std::shared_ptr<const SimulationSurface> surface;  // with the file's own paint
  std::filesystem::path character;                   // its file
  // Where there is paint, or motion of other files, the job reads a copy of the character that has them.
  Paint paint;
};

// Places of the files around one output, and the command line that does the same.
struct JobFiles {
  std::filesystem::path output, input, settings;  // `input`: the character, or its copy
  bool copied = false;

  // Files that are written, the output first.
  std::vector<std::filesystem::path> written() const;
  // "VERB input OPTIONS -o output --settings settings". `options` is empty or ends with a space.
  std::string command(const std::string& verb, const std::string& options = "") const;
};

// `name`: of the output, which goes beside the character with one of these endings. Throws usage_error for invalid
// names.
JobFiles job_files(const JobInputs& inputs, const std::string& name, const std::string& ending);

// Writes the copy, if there is one, and the settings.
void write_job_files(const JobInputs& inputs, const JobFiles& files, const std::string& settings);

}  // namespace sinew::studio
