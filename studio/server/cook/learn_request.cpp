#include "studio/server/cook/learn_request.h"

#include <utility>

#include "sinew/base/file.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/write/write_paint.h"
#include "studio/server/cook/file_jobs.h"

namespace sinew::studio {

namespace fs = std::filesystem;

LearnRequest learn_request(const command::Learn& learn, const Paint& paint, RigSpaceSettings settings,
                           const std::shared_ptr<const OpenedCharacter>& opened, const fs::path& character) {
  settings.interior.clear();
  check_any_free(settings);
  LearnRequest request;
  request.opened = opened;
  LearnJob& job = request.job;
  job.input = character;
  job.output = beside(character, learn.output, {".vskin"});
  const std::string stem = job.output.stem().string();
  if (!paint.empty()) {
    request.paint = paint;
    job.input = character.parent_path() / (stem + ".painted.glb");
  }
  request.settings = settings_json(settings);
  request.settings_file = character.parent_path() / (stem + ".settings.json");
  request.command = "sinew learn " + shell_word(job.input.filename().string()) + " -o " + shell_word(learn.output) +
                    " --settings " + shell_word(request.settings_file.filename().string());
  job.settings = std::move(settings);
  return request;
}

std::vector<fs::path> LearnRequest::files() const {
  std::vector<fs::path> files{job.output};
  if (!paint.empty()) files.push_back(job.input);
  files.push_back(settings_file);
  return files;
}

bool run_learn(const LearnRequest& request, const Progress& progress, LearnReport& report) {
  if (!request.paint.empty()) {
    Character painted = request.opened->character;
    put_paint(*request.surface, request.paint, painted);
    write_painted(*request.opened->document, painted, request.job.input);
  }
  write_text_file(request.settings_file, request.settings);
  report = learn_file(request.job, progress);
  return report.complete;
}

PageJson learn_report_json(const LearnReport& report) {
  return {{"parameters", report.parameters},     {"boundary", report.boundary}, {"interior", report.interior},
          {"tetrahedra", report.tetrahedra},     {"poses", report.poses},       {"skipped", report.skipped},
          {"off_percent", 100 * report.residual}};
}

}  // namespace sinew::studio
