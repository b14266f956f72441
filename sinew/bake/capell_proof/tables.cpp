#include "sinew/bake/capell_proof/tables.h"

#include <string>

namespace sinew {
namespace {

std::string text(std::string_view words) { return std::string(words); }

}  // namespace

Table lattice_bend_table(const std::vector<LatticeBendRun>& runs) {
  Table table;
  table.name = "bend";
  table.title = "A bar bent at its joint, in static equilibrium (lengths over the bar's width)";
  table.columns = {
      {"linearisation"},       {"bent by, degrees", 0},      {"volume, %", 1},      {"thickness at the joint, %", 1},
      {"least section, %", 1}, {"RMS from nonlinear, %", 1}, {"largest, %", 1},     {"inside out", 0},
      {"ms a step", 2},        {"iterations a step", 1},     {"still moving, %", 2}};
  for (const LatticeBendRun& run : runs)
    for (const LatticeBendPose& pose : run.poses)
      table.rows.push_back(
          {text(name_of(run.how)), pose.degrees, 100 * pose.volume_ratio, 100 * pose.thickness,
           100 * pose.least_section, 100 * pose.rms, 100 * pose.largest, static_cast<double>(pose.inverted),
           run.milliseconds, run.iterations,
           run.how.linearization == Linearization::warped ? TableCell(100 * run.unrest) : TableCell("")});
  return table;
}

Table limb_table(const std::vector<LimbRow>& rows, double converged_sag) {
  Table table;
  table.name = "limb";
  table.title = "A limb under its own weight: sag of its tip";
  table.columns = {{"basis"},      {"levels", 0},          {"cells or tetrahedra", 0}, {"unknowns", 0},
                   {"sag, mm", 2}, {"error of sag, %", 1}, {"ms a step", 2},           {"iterations a step", 1}};
  for (const LimbRow& row : rows) {
    const TableCell levels = row.levels > 0 ? TableCell(static_cast<double>(row.levels)) : TableCell("");
    table.rows.push_back({row.method, levels, static_cast<double>(row.elements), static_cast<double>(row.unknowns),
                          1e3 * row.sag, 100 * (row.sag / converged_sag - 1), row.milliseconds, row.iterations});
  }
  return table;
}

Table head_table(const HeadExperiment& experiment) {
  Table table;
  table.name = "head";
  table.title = experiment.character + " turns its head: " + std::to_string(experiment.cells) + " cells, " +
                std::to_string(experiment.unknowns) + " unknowns (lengths over its height)";
  table.columns = {{"linearisation"}, {"volume, %", 1}, {"RMS from nonlinear, %", 3},
                   {"largest, %", 2}, {"ms a step", 2}, {"iterations a step", 1}};
  for (const HeadRun& run : experiment.runs)
    table.rows.push_back({text(name_of(run.how)), 100 * run.volume_ratio, 100 * run.rms, 100 * run.largest,
                          run.milliseconds, run.iterations});
  return table;
}

Table adaptive_table(const AdaptiveExperiment& experiment) {
  Table table;
  table.name = "adaptive";
  table.title = experiment.character + ", " + experiment.clip + ", " + std::to_string(experiment.cells) +
                " cells (lengths over its height)";
  table.columns = {{"functions"},    {"unknowns, at most", 0}, {"RMS from uniform, %", 3}, {"largest, %", 2},
                   {"ms a step", 2}, {"iterations a step", 1}, {"times as fast", 1}};
  for (const AdaptiveRow& row : experiment.rows)
    table.rows.push_back({row.name, static_cast<double>(row.most_unknowns), 100 * row.rms, 100 * row.largest,
                          row.milliseconds, row.iterations, experiment.rows.front().milliseconds / row.milliseconds});
  return table;
}

Table mouth_table(const std::vector<MouthRow>& rows) {
  Table table;
  table.name = "mouth";
  table.title = "A mouth, stretched and opened by its tips (distances over the way of a tip)";
  table.columns = {{"lattice"},         {"cells", 0},      {"unknowns", 0},
                   {"RMS error, %", 1}, {"largest, %", 1}, {"energy, %", 1}};
  for (const MouthRow& row : rows)
    table.rows.push_back({row.lattice, static_cast<double>(row.cells), static_cast<double>(row.unknowns), 100 * row.rms,
                          100 * row.largest, 100 * row.energy});
  return table;
}

}  // namespace sinew
