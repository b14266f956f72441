#include "studio/server/cook/job_inputs.h"

#include "sinew/base/file.h"
#include "sinew/gltf/write/write_paint.h"
#include "studio/server/cook/file_jobs.h"

namespace sinew::studio {

std::vector<std::filesystem::path> JobFiles::written() const {
  std::vector<std::filesystem::path> files{output};
  if (copied) files.push_back(input);
  files.push_back(settings);
  return files;
}

std::string JobFiles::command(const std::string& verb, const std::string& options) const {
  return "sinew " + verb + " " + shell_word(input.filename().string()) + " " + options + "-o " +
         shell_word(output.filename().string()) + " --settings " + shell_word(settings.filename().string());
}

JobFiles job_files(const JobInputs& inputs, const std::string& name, const std::string& ending) {
  JobFiles files;
  files.output = beside(inputs.character, name, {ending});
  const bool painted = !inputs.paint.empty();
  files.copied = painted || !inputs.opened->motions.empty();
  const std::filesystem::path folder = inputs.character.parent_path();
  const std::string stem = files.output.stem().string();
  files.input = files.copied ? folder / (stem + (painted ? ".painted.glb" : ".moving.glb")) : inputs.character;
  files.settings = folder / (stem + ".settings.json");
  return files;
}

void write_job_files(const JobInputs& inputs, const JobFiles& files, const std::string& settings) {
  if (files.copied) {
    Character painted = inputs.opened->character;
    put_paint(*inputs.surface, inputs.paint, painted);
    write_painted(*inputs.opened->document, painted, files.input);
  }
  write_text_file(files.settings, settings);
}

}  // namespace sinew::studio
