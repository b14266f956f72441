#include "studio/server/cook/fit_request.h"

#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/files/settings_json.h"
#include "studio/server/cook/file_jobs.h"

namespace sinew::studio {

FitRequest fit_request(const command::Fit& fit, JobInputs inputs, const FleshSettings& flesh) {
  const Character& character = inputs.opened->character;
  if (character.clips.empty())
    throw usage_error("A model is learned from clips, and the file has none; open one with clips.");
  if (flesh.free_body)
    throw usage_error(
        "A free body has no rig that a model could follow; turn free_body off, or open a rigged character.");
  FitRequest request;
  request.files = job_files(inputs, fit.output, ".sinew");
  request.settings = settings_json(flesh);
  request.command = request.files.command("fit", "--simulate ");
  FitJob& job = request.job;
  job.input = request.files.input;
  job.output = request.files.output;
  job.settings = flesh;
  for (const std::string& clip : fit.clips) {
    choose_clip(character, clip);
    job.examples.push_back({{}, clip, {}, {}});
    request.command += " --clip " + shell_word(clip);
  }
  if (job.examples.empty()) job.examples.emplace_back();
  request.inputs = std::move(inputs);
  return request;
}

bool run_fit(const FitRequest& request, const Progress& progress, FitReport& report) {
  write_job_files(request.inputs, request.files, request.settings);
  FitResult result = fit_file(request.job, progress);
  report = std::move(result.report);
  return result.complete;
}

}  // namespace sinew::studio
