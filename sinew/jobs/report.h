// The JSON report of a run (docs/file_formats.md describes its fields).
#pragma once

#include <filesystem>
#include <string>

#include "sinew/cook/run_report.h"

namespace sinew {

// Numbers that are not finite become null.
std::string report_json(const RunReport& report);

void write_report(const RunReport& report, const std::filesystem::path& path);

}  // namespace sinew
