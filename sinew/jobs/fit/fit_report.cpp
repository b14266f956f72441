// Implements fit_report_json().
#include <nlohmann/json.hpp>

#include "sinew/jobs/fit_file.h"

namespace sinew {

std::string fit_report_json(const FitJob& job, const FitReport& report) {
  using Json = nlohmann::ordered_json;
  const auto error = [&](double goal, double rms) {
    return Json{
        {"goal_rms_metres", goal}, {"rms_metres", rms}, {"removed_percent", goal > 0 ? 100 * (1 - rms / goal) : 0.0}};
  };
  Json json{{"input", job.input.string()},
            {"model", job.output.string()},
            {"program", std::string("sinew ") + SINEW_VERSION},
            {"height_metres", report.height},
            {"vertices", report.vertices},
            {"file_bytes", report.file_bytes},
            {"steps_per_second", job.steps_per_second},
            {"reference", job.reference == ShapeReference::rig ? "rig" : "rest"},
            {"scheme", job.fit.scheme == FitScheme::gradient ? "gradient" : "alternating"},
            {"iterations", report.iterations},
            {"converged", report.converged}};
  json.update(error(report.goal_rms, report.rms));
  json["rms_before_rounding_metres"] = report.rms_before_rounding;
  if (!report.held_out.what.empty()) {
    json["held_out"] = Json{{"what", report.held_out.what}};
    json["held_out"].update(error(report.held_out.goal_rms, report.held_out.rms));
  }
  json["smoothness"] = report.smoothness;
  if (!report.trials.empty()) json["cross_validation"] = Json::array();
  for (const SmoothnessTrial& trial : report.trials)
    json["cross_validation"].push_back(Json{{"smoothness", trial.smoothness},
                                            {"learned_left_percent", 100 * trial.learned},
                                            {"unseen_left_percent", 100 * trial.unseen}});
  json["examples"] = Json::array();
  for (const FitExampleReport& example : report.examples) {
    Json entry{{"clip", example.clip}, {"source", example.source}, {"frames", example.frames}};
    entry.update(error(example.goal_rms, example.rms));
    json["examples"].push_back(entry);
  }
  json["stages"] = Json::array();
  for (const StageReport& stage : report.stages)
    json["stages"].push_back(Json{{"name", stage.name}, {"seconds", stage.seconds}});
  json["notes"] = report.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sinew
