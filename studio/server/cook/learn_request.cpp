#include "studio/server/cook/learn_request.h"

#include <utility>

#include "sinew/files/settings_json.h"

namespace sinew::studio {

LearnRequest learn_request(const command::Learn& learn, JobInputs inputs, RigSpaceSettings settings) {
  settings.interior.clear();
  check_any_free(settings);
  LearnRequest request;
  request.files = job_files(inputs, learn.output, ".vskin");
  request.settings = settings_json(settings);
  request.command = request.files.command("learn");
  request.job.input = request.files.input;
  request.job.output = request.files.output;
  request.job.settings = std::move(settings);
  request.inputs = std::move(inputs);
  return request;
}

bool run_learn(const LearnRequest& request, const Progress& progress, LearnReport& report) {
  write_job_files(request.inputs, request.files, request.settings);
  report = learn_file(request.job, progress);
  return report.complete;
}

PageJson learn_report_json(const LearnReport& report) {
  return {{"parameters", report.parameters},     {"boundary", report.boundary}, {"interior", report.interior},
          {"tetrahedra", report.tetrahedra},     {"poses", report.poses},       {"skipped", report.skipped},
          {"off_percent", 100 * report.residual}};
}

}  // namespace sinew::studio
