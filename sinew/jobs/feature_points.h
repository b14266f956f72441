// Files of pairs of points: those that correspond in two characters, for `sinew shape transfer --features`: a pair a
// line, each a place at rest in metres or the joint of a bone:
//
//   # source          target
//   0.1 1.6 0.12      0.2 2.1 0.9
//   bone:head         bone:Head
//
// and control points that are moved by hand, for --control-points, each where it is in the fitted lattice and where it
// goes, both x y z at rest in metres.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/similarity_fit.h"

namespace sinew {

// Throws input_error naming file, line and remedy. `file`: a name for messages.
std::vector<PointPair> feature_points_from(std::string_view text, const std::string& file,
                                           const SimulationSurface& source, const SimulationSurface& target);
std::vector<PointPair> read_feature_points(const std::filesystem::path& file, const SimulationSurface& source,
                                           const SimulationSurface& target);

// Likewise for moves of control points; `source`: where one is, `target`: where it goes.
std::vector<PointPair> control_point_moves_from(std::string_view text, const std::string& file);
std::vector<PointPair> read_control_point_moves(const std::filesystem::path& file);

}  // namespace sinew
