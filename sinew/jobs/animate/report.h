// The JSON report of a run (docs/file_formats.md describes its fields).
#pragma once

#include <filesystem>
#include <string>

#include "sinew/bake/run_report.h"

namespace sinew {

// Use of a safety clamp in a clip: number of frames, and mean and largest share of the vertices over all
// frames. `share` is FrameReport::strain_limit or display_limit.
struct ClampCount {
  int frames = 0;
  double mean = 0, most = 0;
};
ClampCount count_clamp(const ClipReport& clip, double FrameReport::*share);

// The report as JSON. Numbers that are not finite become null.
std::string report_json(const RunReport& report);

void write_report(const RunReport& report, const std::filesystem::path& path);

}  // namespace sinew
