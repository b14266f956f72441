#include "sinew/jobs/animate/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/base/file.h"

namespace sinew {
namespace {

// Keeps the order in which fields are set, so that the file reads from general to particular.
using OrderedJson = nlohmann::ordered_json;

OrderedJson percent_of(double metres, double height) {
  return height > 0 ? OrderedJson(100 * metres / height) : OrderedJson(nullptr);
}

OrderedJson error_json(double rms, double maximum, double height) {
  return OrderedJson{{"rms_metres", rms},
                     {"rms_percent_of_height", percent_of(rms, height)},
                     {"max_metres", maximum},
                     {"max_percent_of_height", percent_of(maximum, height)}};
}

// Numbers and objects as JSON values, everything else as text.
OrderedJson setting_json(const std::string& value) {
  OrderedJson parsed = OrderedJson::parse(value, nullptr, false);
  return parsed.is_discarded() ? OrderedJson(value) : parsed;
}

OrderedJson frame_json(const FrameReport& frame) {
  return OrderedJson{{"time", frame.time},
                     {"ms", frame.milliseconds},
                     {"iterations", frame.iterations},
                     {"unfinished", frame.unfinished},
                     {"energy", frame.energy},
                     {"volume_ratio", frame.volume_ratio},
                     {"min_det", frame.min_det},
                     {"strain_bound", frame.strain_limit},
                     {"limit", frame.display_limit}};
}

OrderedJson real_time_json(const RealTimeReport& run) {
  OrderedJson json{{"speed", run.speed},
                   {"seconds", run.seconds},
                   {"simulated_seconds", run.simulated_seconds},
                   {"steps_per_second", run.steps_per_second},
                   {"times_behind", run.times_behind},
                   {"seconds_behind", run.seconds_behind}};
  json["steps"] = OrderedJson::array();
  for (const RealTimeReport::Steps& steps : run.steps)
    json["steps"].push_back(OrderedJson{{"step", steps.step}, {"count", steps.count}});
  return json;
}

OrderedJson number_or_null(const std::optional<double>& value, double scale = 1) {
  return value ? OrderedJson(scale * *value) : OrderedJson(nullptr);
}

OrderedJson quality_json(const Quality& quality) {
  return OrderedJson{{"rig", 100 * quality.rig},
                     {"seen", 100 * quality.seen},
                     {"largest", 100 * quality.largest},
                     {"stretch", number_or_null(quality.stretch)},
                     {"worst", number_or_null(quality.worst)},
                     {"flips", quality.flips},
                     {"rigid", 100 * quality.rigid},
                     {"sunk", number_or_null(quality.sunk, 100)},
                     {"pop", number_or_null(quality.pop)},
                     {"loop", number_or_null(quality.loop, 100)},
                     {"volume", {quality.least_volume, quality.most_volume}}};
}

OrderedJson clamp_json(const ClampCount& count) {
  return OrderedJson{{"frames", count.frames}, {"mean_share", count.mean}, {"most_share", count.most}};
}

OrderedJson clip_json(const ClipReport& clip) {
  OrderedJson json{{"name", clip.name}, {"fps", clip.frames_per_second}, {"steps_per_second", clip.steps_per_second}};
  if (!clip.counters.empty()) {
    OrderedJson& counters = json["counters"] = OrderedJson::object();
    for (const auto& [name, count] : clip.counters) counters[name] = count;
  }
  if (clip.end)
    json["end"] = OrderedJson{{"decided", clip.end->decided}, {"why", clip.end->why}, {"run_on", clip.end->run_on}};
  for (const CutReport& cut : clip.cuts)
    json["cuts"].push_back(OrderedJson{{"begin", cut.begin}, {"end", cut.end}, {"jump_metres", cut.jump}});
  if (clip.motion)
    json["motion"] = OrderedJson{{"source", clip.motion->source},
                                 {"contacts", clip.motion->contacts},
                                 {"foot_slide_percent_of_leg", 100 * clip.motion->slide},
                                 {"foot_slide_before_percent_of_leg", 100 * clip.motion->slide_before},
                                 {"first_step_percent_of_leg", 100 * clip.motion->first_step},
                                 {"usual_step_percent_of_leg", 100 * clip.motion->usual_step},
                                 {"dropped_first_frame", clip.motion->dropped_first_frame}};
  if (clip.quality) json["quality"] = quality_json(*clip.quality);
  if (!clip.still.empty()) json["still"] = clip.still;
  json["last_resorts"] = OrderedJson{{"strain_bound", clamp_json(count_clamp(clip, &FrameReport::strain_limit))},
                                     {"limit", clamp_json(count_clamp(clip, &FrameReport::display_limit))}};
  if (clip.real_time) json["real_time"] = real_time_json(*clip.real_time);
  json["frames"] = OrderedJson::array();
  for (const FrameReport& frame : clip.frames) json["frames"].push_back(frame_json(frame));
  return json;
}

OrderedJson morph_fit_json(const RunReport& report) {
  OrderedJson json = error_json(report.morph_rms_error, report.morph_max_error, report.height);
  json["meshes"] = OrderedJson::array();
  for (const MorphFitReport& mesh : report.morph_fit) {
    OrderedJson entry{{"mesh", mesh.mesh}, {"node", mesh.node}, {"targets", mesh.targets}};
    entry.update(error_json(mesh.rms_error, mesh.max_error, report.height));
    json["meshes"].push_back(entry);
  }
  return json;
}

}  // namespace

ClampCount count_clamp(const ClipReport& clip, double FrameReport::*share) {
  ClampCount count;
  for (const FrameReport& frame : clip.frames) {
    if (frame.*share > 0) ++count.frames;
    count.mean += frame.*share / static_cast<double>(clip.frames.size());
    count.most = std::max(count.most, frame.*share);
  }
  return count;
}

std::string report_json(const RunReport& report) {
  OrderedJson json{{"input", report.input},
                   {"output", report.output},
                   {"program", "sinew " + report.program_version},
                   {"method", report.method}};
  json["settings"] = OrderedJson::object();
  for (const auto& [name, value] : report.settings) json["settings"][name] = setting_json(value);
  json["metres_per_unit"] = report.metres_per_unit;
  json["height_metres"] = report.height;
  json["counts"] = OrderedJson{{"vertices", report.vertices},           {"welded_vertices", report.welded_vertices},
                               {"body_vertices", report.body_vertices}, {"tetrahedra", report.tetrahedra},
                               {"free_unknowns", report.free_unknowns}, {"threads", report.threads}};
  json["stages"] = OrderedJson::array();
  for (const StageReport& stage : report.stages)
    json["stages"].push_back(OrderedJson{{"name", stage.name}, {"seconds", stage.seconds}});
  json["clips"] = OrderedJson::array();
  for (const ClipReport& clip : report.clips) json["clips"].push_back(clip_json(clip));
  // A glTF in which nothing moved has no targets, but may have an error.
  const bool fitted = !report.morph_fit.empty() || report.morph_max_error > 0;
  json["morph_fit"] = fitted ? morph_fit_json(report) : OrderedJson(nullptr);
  json["accessories"] = OrderedJson::array();
  for (const AccessoryReport& accessory : report.accessories)
    json["accessories"].push_back(
        OrderedJson{{"node", accessory.node},
                    {"bone", accessory.bone},
                    {"largest_metres", accessory.largest},
                    {"largest_percent_of_height", percent_of(accessory.largest, report.height)}});
  json["quality"] = report.quality ? quality_json(*report.quality) : OrderedJson(nullptr);
  json["output_bytes"] = report.output_bytes;
  json["bytes_added"] = report.bytes_added;
  json["warnings"] = report.warnings;
  // Names from files may contain invalid UTF-8.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void write_report(const RunReport& report, const std::filesystem::path& path) {
  write_text_file(path, report_json(report));
}

}  // namespace sinew
