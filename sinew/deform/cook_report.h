// Report of a preparation: sizes, settings in force, times, warnings.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sinew {

struct StageReport {
  std::string name;    // "read", "volume", "bind", "cook", "simulate", "fit", "write"...
  double seconds = 0;  // wall time
};

struct CookReport {
  std::string method;                           // name on the command line: "flesh"
  std::map<std::string, std::string> settings;  // values in force, by name of the option
  double height = 0;                            // metres
  std::size_t vertices = 0;                     // of the simulated parts, as in the file
  std::size_t welded_vertices = 0;              // of the simulation surface
  std::size_t body_vertices = 0;
  std::size_t tetrahedra = 0;
  std::size_t free_unknowns = 0;
  std::vector<StageReport> stages;    // in order of execution
  std::vector<std::string> warnings;  // sentences on what was decided or ignored
  std::vector<std::string> failures;  // warnings about requests that could not be met
};

}  // namespace sinew
