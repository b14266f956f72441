// What a preparation has to tell: sizes, settings in force, times and sentences.
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
  std::string method;                           // as on the command line: "flesh"
  std::map<std::string, std::string> settings;  // what was in force, by the name of the option
  double height = 0;                            // metres
  std::size_t vertices = 0;                     // of the simulated parts, as in the file
  std::size_t welded_vertices = 0;              // of the simulation surface
  std::size_t body_vertices = 0;
  std::size_t tetrahedra = 0;
  std::size_t free_unknowns = 0;
  std::vector<StageReport> stages;    // in the order in which they were done
  std::vector<std::string> warnings;  // what was decided or ignored, for people
  std::vector<std::string> failures;  // of the warnings, what was asked for and did not come about
};

}  // namespace sinew
