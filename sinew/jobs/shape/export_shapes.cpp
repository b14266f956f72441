#include "sinew/jobs/shape/export_shapes.h"

#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/gltf/write/write_correctives.h"
#include "sinew/jobs/shape/corrective_shapes.h"
#include "sinew/jobs/shape/shape_work.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

nlohmann::json control_json(const ControlMeasure& measure, const std::string& name, const AbstractControl* declared,
                            const Skeleton& skeleton) {
  nlohmann::json json{{"name", name}, {"measure", measure.measure}};
  if (measure.joint >= 0) {
    json["node"] = measure.joint;
    json["node_name"] = skeleton.joints[index(measure.joint)].name;
  }
  if (measure.measure == "weight")
    json["target"] = measure.target;
  else if (measure.measure == "property")
    json["pointer"] = measure.pointer;
  else if (measure.measure == "abstract" && declared) {
    json["value"] = declared->value;
    if (!declared->keys.empty()) json["keys"] = declared->keys, json["loop"] = declared->loop;
  } else if (measure.joint >= 0) {
    json["rest_rotation"] = {measure.rest.x, measure.rest.y, measure.rest.z, measure.rest.w};
    if (measure.measure != "angle") json["axis"] = {measure.axis.x, measure.axis.y, measure.axis.z};
  }
  return json;
}

nlohmann::json drivers_json(const CorrectiveShapes& shapes, const ControlValues& controls, const ShapeWork& work) {
  nlohmann::json drivers = nlohmann::json::array();
  for (std::size_t r = 0; r < shapes.rigs.size(); ++r) {
    const CorrectiveRig& rig = shapes.rigs[r];
    nlohmann::json of_rig = nlohmann::json::array(), samples = nlohmann::json::array();
    for (const std::size_t control : controls.of_rig(shapes.rig_of_file[r])) {
      const AbstractControl* declared = nullptr;
      for (const AbstractControl& each : work.file.controls)
        if (each.name == controls.name(control)) declared = &each;
      const Skeleton& skeleton = work.character().skeleton;
      of_rig.push_back(control_json(controls.measure(control, skeleton), controls.name(control), declared, skeleton));
    }
    for (std::size_t k = 0; k < rig.samples.size(); ++k)
      samples.push_back(
          {{"at", rig.samples[k].at},
           {"target", rig.target[k] < 0 ? nlohmann::json() : nlohmann::json(shapes.names[index(rig.target[k])])}});
    drivers.push_back({{"name", rig.name},
                       {"controls", of_rig},
                       {"interpolation", of_rig.size() == 1 ? "linear" : "radial"},
                       {"samples", samples}});
  }
  return drivers;
}

Json error_json(const CorrectiveError& error, double height) {
  return {{"rms_mm", 1e3 * error.rms},
          {"largest_mm", 1e3 * error.largest},
          {"rms_percent", 100 * error.rms / height},
          {"largest_percent", 100 * error.largest / height}};
}

Json report_json(const CorrectiveShapes& shapes, const ShapeWork& work) {
  Json json{{"character", work.character().file}, {"height", work.height()}, {"rigs", Json::array()}};
  for (const CorrectiveRig& rig : shapes.rigs) {
    Json targets = Json::array();
    for (const int target : rig.target)
      if (target >= 0) targets.push_back(shapes.names[index(target)]);
    json["rigs"].push_back({{"name", rig.name},
                            {"targets", targets},
                            {"moves_mm", 1e3 * rig.moves},
                            {"at_samples", error_json(rig.at_samples, work.height())},
                            {"between", error_json(rig.between, work.height())}});
  }
  json["clips"] = Json::array();
  for (std::size_t c = 0; c < work.character().clips.size(); ++c) {
    Json frames = Json::array();
    for (const CorrectiveFrame& frame : shapes.frames)
      if (frame.clip == static_cast<int>(c)) {
        frames.push_back({{"time", frame.time}});
        frames.back().update(error_json(frame.error, work.height()));
      }
    json["clips"].push_back({{"name", work.character().clips[c].name}, {"frames", frames}});
  }
  json["notes"] = shapes.notes;
  return json;
}

// "0.12 mm RMS, 0.5 mm at most (0.03 % of the height)"
std::string said(const CorrectiveError& error, double height) {
  return short_number(1e3 * error.rms) + " mm RMS, " + short_number(1e3 * error.largest) + " mm at most (" +
         short_percent(error.largest / height) + " of the height)";
}

std::vector<std::string> lines_of(const CorrectiveShapes& shapes, const ShapeWork& work) {
  const double height = work.height();
  std::vector<std::string> lines;
  for (const CorrectiveRig& rig : shapes.rigs) {
    std::size_t targets = 0;
    for (const int target : rig.target) targets += target >= 0;
    lines.push_back(rig.name + ": " + std::to_string(targets) + (targets == 1 ? " target" : " targets") +
                    ", moves the skin by up to " + short_number(1e3 * rig.moves) + " mm; error at its samples " +
                    said(rig.at_samples, height) + ", between them " + said(rig.between, height));
  }
  for (std::size_t c = 0; c < work.character().clips.size(); ++c) {
    CorrectiveError error;
    for (const CorrectiveFrame& frame : shapes.frames)
      if (frame.clip == static_cast<int>(c)) {
        error.rms = std::max(error.rms, frame.error.rms);
        error.largest = std::max(error.largest, frame.error.largest);
      }
    lines.push_back("clip " + work.character().clips[c].name + ": " + said(error, height));
  }
  lines.insert(lines.end(), shapes.notes.begin(), shapes.notes.end());
  return lines;
}

}  // namespace

ExportedShapes export_shapes(const ExportShapesJob& job, const Progress& progress) {
  std::vector<std::filesystem::path> outputs{job.output};
  if (!job.report.empty()) outputs.push_back(job.report);
  check_outputs_apart(outputs, std::array{job.input, job.rigs});
  if (!std::filesystem::exists(job.rigs)) throw input_error(job.rigs.string() + ": there is no such file of rigs.");
  ShapeWork work = open_work(job.input, job.rigs, job.size, job.flesh, part_of(progress, 0, 0.3));
  const ControlValues controls(work.file, {}, work.character(), work.surface());
  const CorrectiveShapes shapes = corrective_shapes(work, controls, job.frames_per_clip, part_of(progress, 0.3, 0.95));
  report_or_stop(progress, "writing " + job.output.filename().string(), 0.97);
  write_gltf_with_correctives(*work.opened.document, work.character(), shapes.fit, shapes.keys,
                              drivers_json(shapes, controls, work), job.output);
  if (!job.report.empty()) write_text_file(job.report, report_json(shapes, work).dump(2) + "\n");
  return {work.opened.size.sentence, lines_of(shapes, work)};
}

}  // namespace sinew
