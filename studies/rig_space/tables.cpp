#include "studies/rig_space/tables.h"

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

std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", v);
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
                   {"over what moves, %", 4},
                   {"largest, %", 3}};
  const bool compared = !experiment.rows.empty() && experiment.rows.front().method == "reference";
  for (const SpeedRow& row : experiment.rows) {
    const bool reference = row.method == "reference";
    table.rows.push_back(
        {row.method, static_cast<double>(row.steps), 1e3 * row.seconds_per_step, compared ? row.speed_up : nothing,
         row.rig_evaluations, reference ? nothing : static_cast<double>(row.jacobians),
         reference ? nothing : static_cast<double>(row.roll_backs), row.iterations,
         reference ? nothing : 100 * row.distance.mean, reference ? nothing : 100 * row.distance.mean_of_moving,
         reference ? nothing : 100 * row.distance.largest});
  }
  return table;
}

Table interior_table(const InteriorExperiment& experiment) {
  Table table;
  table.name = "interior";
  table.title = "Elastic energy of " + experiment.name +
                " with the inside as a linear map, over that of the static solve (figure 5): " +
                count(experiment.equilibrium.size()) + " frames, " + count(experiment.boundary) + " boundary and " +
                count(experiment.interior) + " interior vertices";
  table.columns = {{"map"},
                   {"poses learned from", 0},
                   {"correspondences left", 2},
                   {"energy, mean, times the static solve's", 3},
                   {"largest", 2},
                   {"ms per interior vertex", 3}};
  for (const InteriorMap& map : experiment.maps)
    table.rows.push_back({map.name, static_cast<double>(map.poses), map.correspondences, map.mean_ratio,
                          map.largest_ratio, 1e3 * map.seconds_per_vertex});
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

Table deferral_table(const DeferralExperiment& experiment) {
  Table table;
  table.name = "deferral_" + experiment.name;
  table.title = "Deferred Jacobians, " + experiment.name + ", " + std::to_string(experiment.steps) +
                " steps: against a Jacobian per step, which takes " + short_number(experiment.rig_evaluations) +
                " rig evaluations a step";
  table.columns = {{"error of the linear rig that is accepted, of the height"},
                   {"looks ahead"},
                   {"Jacobians", 0},
                   {"of them seen ahead", 0},
                   {"roll-backs", 0},
                   {"rig evaluations a step", 1},
                   {"distance, mean, % of the height", 5},
                   {"largest, %", 3}};
  for (const DeferralRow& row : experiment.rows)
    table.rows.push_back({short_number(row.linearity), row.predictor ? "yes" : "no", static_cast<double>(row.jacobians),
                          static_cast<double>(row.predicted_updates), static_cast<double>(row.roll_backs),
                          row.rig_evaluations, 100 * row.distance.mean, 100 * row.distance.largest});
  return table;
}

Table step_length_table(const StepLengthExperiment& experiment) {
  Table table;
  table.name = "steps";
  table.title = "Steps of one length and adaptive ones, " + experiment.name + ", " + short_number(experiment.seconds) +
                " s: distance from steps of " + milliseconds(experiment.truth_step) + " with a Jacobian each";
  table.columns = {
      {"Jacobians"}, {"steps of"}, {"steps", 0}, {"distance, mean, % of the height", 4}, {"largest, %", 3}};
  for (const StepLengthRow& row : experiment.rows)
    table.rows.push_back({row.deferred ? "deferred" : "one a step",
                          row.adaptive ? "adaptive, tolerance " + short_number(row.tolerance) : milliseconds(row.step),
                          static_cast<double>(row.steps), 100 * row.distance.mean, 100 * row.distance.largest});
  return table;
}

Table stops_table(const StopsExperiment& experiment) {
  Table table;
  table.name = "stops";
  table.title = "Soft stops, " + experiment.name + ", " + std::to_string(experiment.steps) +
                " steps: excursions of the free parameters";
  table.columns = {{"range, times the rig's own", 2},
                   {"strength", 0},
                   {"largest excursion, % of the range", 1},
                   {"values beyond the range, %", 3},
                   {"change of values within 75 % of it, RMS, % of the range", 2}};
  for (const StopsRow& row : experiment.rows)
    table.rows.push_back(
        {row.range, row.limit, 100 * row.largest, 100 * row.beyond, row.limit > 0 ? 100 * row.inside : nothing});
  return table;
}

Table stiffness_table(const StiffnessExperiment& experiment) {
  Table table;
  table.name = "stiffness";
  table.title = "Stiffness of the controls '" + experiment.controls + "', " + experiment.name + ", " +
                std::to_string(experiment.steps) + " steps: RMS displacement of controls";
  table.columns = {{"Young's modulus, times", 2}, {"these, mm", 3}, {"the others, mm", 3}};
  for (const StiffnessRow& row : experiment.rows)
    table.rows.push_back({row.factor, 1e3 * row.changed, 1e3 * row.others});
  return table;
}

}  // namespace sinew
