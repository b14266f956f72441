#include "studies/truth/tables.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// One row per experiment with the errors of `rows`, which must be the same for all experiments.
Table errors_table(const std::vector<TruthExperiment>& experiments, std::vector<TruthRow> TruthExperiment::*rows) {
  Table table;
  table.columns = {{"character"}, {"clip"}};
  if (experiments.empty()) return table;
  for (const TruthRow& row : experiments.front().*rows) table.columns.push_back({row.name, 1});
  for (const TruthExperiment& e : experiments) {
    std::vector<TableCell> cells{e.character, e.clip};
    for (const TruthRow& row : e.*rows) cells.emplace_back(100 * row.error);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

Table truth_table(const std::vector<TruthExperiment>& experiments) {
  Table table;
  table.name = "truth";
  table.title =
      "Default flesh against nonlinear elasticity in the same body: distance over the surface and the clip, % of the "
      "truth's own motion";
  table.columns = {{"character"},
                   {"clip"},
                   {"tetrahedra", 0},
                   {"amount", 2},
                   {"it moves by, RMS, % of the longest side", 2},
                   {"at most, %", 1},
                   {"RMS distance, %", 1},
                   {"farthest, %", 1},
                   {"amplitude, %", 0},
                   {"rings at, Hz", 2},
                   {"truth, Hz", 2},
                   {"off by, %", 1},
                   {"damping ratio", 3},
                   {"truth's", 3}};
  for (const TruthExperiment& e : experiments) {
    const TruthRow& row = e.parts.back();
    table.rows.push_back({e.character, e.clip, static_cast<double>(e.tetrahedra), e.amount, 100 * e.motion,
                          100 * e.largest_motion, 100 * row.error, 100 * row.largest, 100 * row.amplitude, e.flesh_ring,
                          e.truth_ring, 100 * (e.flesh_ring / e.truth_ring - 1), e.flesh_damping, e.truth_damping});
  }
  return table;
}

Table nonlinear_flesh_table(const std::vector<TruthExperiment>& experiments) {
  Table table = errors_table(experiments, &TruthExperiment::nonlinear);
  table.name = "nonlinear";
  table.title = "Flesh of nonlinear elasticity: RMS distance from the truth, % of the truth's own motion";
  for (const TableColumn& column :
       {TableColumn{"microseconds a step"}, TableColumn{"rings at, Hz", 2}, TableColumn{"truth, Hz", 2},
        TableColumn{"damping ratio", 3}, TableColumn{"truth's", 3}})
    table.columns.push_back(column);
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    const TruthExperiment& e = experiments[k];
    for (const double value :
         {e.nonlinear.back().step_microseconds, e.nonlinear_ring, e.tissue_ring, e.nonlinear_damping, e.tissue_damping})
      table.rows[k].emplace_back(value);
  }
  return table;
}

Table truth_parts_table(const std::vector<TruthExperiment>& experiments) {
  Table table = errors_table(experiments, &TruthExperiment::parts);
  table.name = "parts";
  table.title = "Its parts, each with all before it: RMS distance from the truth, % of the truth's own motion";
  return table;
}

Table truth_places_table(const std::vector<TruthExperiment>& experiments) {
  constexpr std::size_t shown = 3;
  Table table;
  table.name = "places";
  table.title = "Where the error is: shares of the squared distances, and of the truth's squared motion";
  table.columns = {{"character"}, {"joint"}, {"of the distances, %", 0}, {"of the motion, %", 0}};
  for (const TruthExperiment& e : experiments)
    for (std::size_t k = 0; k < std::min(shown, e.places.size()); ++k)
      table.rows.push_back({e.character, e.places[k].joint, 100 * e.places[k].error, 100 * e.places[k].motion});
  return table;
}

Table other_truths_table(const std::vector<TruthExperiment>& experiments) {
  Table table;
  table.name = "others";
  table.title =
      "Other truths: how far from the truth, how far flesh is from them as shown and as computed, RMS, % of their own "
      "motion";
  table.columns = {{"character"},
                   {"rig strains beyond the bound, % of samples", 1},
                   {"truth"},
                   {"from the truth, %", 1},
                   {"amplitude, %", 0},
                   {"flesh from it, %", 1},
                   {"linear flesh from it, %", 1}};
  for (const TruthExperiment& e : experiments)
    for (const TruthRow& row : e.others)
      table.rows.push_back({e.character, 100 * e.held_samples, row.name, 100 * row.error, 100 * row.amplitude,
                            100 * row.flesh, 100 * row.linear});
  return table;
}

Table truth_methods_table(const std::vector<TruthExperiment>& experiments) {
  Table table;
  table.name = "methods";
  table.title = "Error against the truth, and time on one thread";
  table.columns = {
      {"character"},         {"method"},         {"RMS distance, %", 1},       {"farthest, %", 1}, {"amplitude, %", 0},
      {"steps a second", 0}, {"us per step", 1}, {"us per frame of 1/60 s", 0}};
  for (const TruthExperiment& e : experiments)
    for (const TruthRow& row : e.methods)
      table.rows.push_back({e.character, row.name, 100 * row.error, 100 * row.largest, 100 * row.amplitude,
                            row.step_microseconds > 0 ? std::round(1 / row.step) : NAN,
                            row.step_microseconds > 0 ? row.step_microseconds : NAN,
                            row.step_microseconds > 0 ? row.frame_microseconds : NAN});
  return table;
}

}  // namespace sinew
