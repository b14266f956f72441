#include "sinew/bake/rig_space_proof/tables.h"

#include <cstdio>
#include <limits>

namespace sinew {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::string count(std::size_t n) { return std::to_string(n); }

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  return text;
}

}  // namespace

Table speed_table(const SpeedExperiment& experiment, const std::string& name, const std::string& rig) {
  Table table;
  table.name = name;
  table.title = experiment.name + ", " + rig + " (table 1): " + count(experiment.parameters) + " parameters, " +
                count(experiment.boundary) + " boundary and " + count(experiment.interior) + " interior vertices, " +
                milliseconds(experiment.seconds_per_evaluation) + " an evaluation";
  table.columns = {{"method"},
                   {"steps", 0},
                   {"ms a step", 2},
                   {"speed-up", 1},
                   {"rig evaluations a step", 1},
                   {"Jacobians", 0},
                   {"roll-backs", 0},
                   {"Newton iterations a step", 2},
                   {"distance to the reference, mean, % of the height", 4},
                   {"largest, %", 3}};
  const bool compared = !experiment.rows.empty() && experiment.rows.front().method == "reference";
  for (const SpeedRow& row : experiment.rows) {
    const bool reference = row.method == "reference";
    table.rows.push_back({row.method, static_cast<double>(row.steps), 1e3 * row.seconds_per_step,
                          compared ? experiment.rows.front().seconds_per_step / row.seconds_per_step : nothing,
                          row.rig_evaluations, reference ? nothing : static_cast<double>(row.jacobians),
                          reference ? nothing : static_cast<double>(row.roll_backs), row.iterations,
                          reference ? nothing : 100 * row.mean_distance, reference ? nothing : 100 * row.largest_distance});
  }
  return table;
}

Table interior_table(const InteriorExperiment& experiment) {
  Table table;
  table.name = "interior";
  table.title = "Elastic energy of " + experiment.name + " with the inside as a linear map, over that of the static solve (figure 5): " +
                count(experiment.equilibrium.size()) + " frames, " + count(experiment.boundary) + " boundary and " +
                count(experiment.interior) + " interior vertices";
  table.columns = {{"map"},
                   {"poses learned from", 0},
                   {"correspondences left", 2},
                   {"energy, mean, times the static solve's", 3},
                   {"largest", 2},
                   {"ms per interior vertex", 3}};
  for (const InteriorMap& map : experiment.maps)
    table.rows.push_back({map.name, static_cast<double>(map.poses), map.correspondences, map.mean_ratio, map.largest_ratio,
                          1e3 * map.seconds_per_vertex});
  return table;
}

Table interior_frames_table(const InteriorExperiment& experiment) {
  Table table;
  table.name = "interior_frames";
  table.title = "The same over time: elastic energy of " + experiment.name + ", joules";
  table.columns = {{"map"}, {"poses learned from", 0}, {"time, s", 3}, {"energy, J", 4}};
  for (std::size_t k = 0; k < experiment.equilibrium.size(); ++k)
    table.rows.push_back({"static solve", nothing, experiment.seconds[k], experiment.equilibrium[k]});
  for (const InteriorMap& map : experiment.maps)
    for (std::size_t k = 0; k < map.energy.size(); ++k)
      table.rows.push_back({map.name, static_cast<double>(map.poses), experiment.seconds[k], map.energy[k]});
  return table;
}

}  // namespace sinew
