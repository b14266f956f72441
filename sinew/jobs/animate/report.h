// The JSON report of a run (docs/file_formats.md describes its fields).
#pragma once

#include <filesystem>
#include <string>

#include "sinew/bake/run_report.h"

namespace sinew {

// Over the frames of a clip: on how many a safety clamp acted, and on which share of the vertices, in the mean over all
// frames and at most. `share`: FrameReport::strain_limit or display_limit.
struct ClampCount {
  int frames = 0;
  double mean = 0, most = 0;
};
ClampCount count_clamp(const ClipReport& clip, double FrameReport::*share);

// Numbers that are not finite become null.
std::string report_json(const RunReport& report);

void write_report(const RunReport& report, const std::filesystem::path& path);

}  // namespace sinew
