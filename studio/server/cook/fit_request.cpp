#include "studio/server/cook/fit_request.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/choose_clip.h"
#include "sinew/files/settings_json.h"
#include "sinew/gltf/write/write_paint.h"
#include "studio/server/cook/file_jobs.h"

namespace sinew::studio {

namespace fs = std::filesystem;

FitRequest fit_request(const command::Fit& fit, const Project& project, const FleshSettings& flesh,
                       const std::shared_ptr<const OpenedCharacter>& opened, const fs::path& character) {
  if (opened->character.clips.empty())
    throw usage_error("A model is learned from clips, and the file has none; open one with clips.");
  if (flesh.free_body)
    throw usage_error(
        "A free body has no rig that a model could follow; turn free_body off, or open a rigged character.");
  FitRequest request;
  request.opened = opened;
  FitJob& job = request.job;
  job.input = character;
  job.output = beside(character, fit.output, {".sinew"});
  job.settings = flesh;
  const std::string stem = job.output.stem().string();
  if (!project.paint.empty()) {
    request.paint = project.paint;
    job.input = character.parent_path() / (stem + ".painted.glb");
  }
  request.settings = settings_json(flesh);
  request.settings_file = character.parent_path() / (stem + ".settings.json");
  request.command = "sinew fit " + shell_word(job.input.filename().string()) + " --simulate -o " +
                    shell_word(fit.output) + " --settings " + shell_word(request.settings_file.filename().string());
  for (const std::string& clip : fit.clips) {
    choose_clip(opened->character, clip);
    job.examples.push_back({{}, clip, {}, {}});
    request.command += " --clip " + shell_word(clip);
  }
  if (job.examples.empty()) job.examples.emplace_back();
  return request;
}

std::vector<fs::path> FitRequest::files() const {
  std::vector<fs::path> files{job.output};
  if (!paint.empty()) files.push_back(job.input);
  files.push_back(settings_file);
  return files;
}

bool run_fit(const FitRequest& request, const Progress& progress, FitReport& report) {
  if (!request.paint.empty()) {
    Character painted = request.opened->character;
    put_paint(*request.surface, request.paint, painted);
    write_painted(*request.opened->document, painted, request.job.input);
  }
  write_text_file(request.settings_file, request.settings);
  FitResult result = fit_file(request.job, progress);
  report = std::move(result.report);
  return result.complete;
}

}  // namespace sinew::studio
