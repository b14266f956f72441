#include "studies/capell/tables.h"

#include <string>
#include <utility>

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

namespace {

const std::vector<TableColumn> body_columns{
    {"body"},           {"cells or tetrahedra", 0}, {"unknowns", 0},  {"error of motion, %", 1},
    {"largest, %", 1},  {"amplitude, %", 1},        {"shape, %", 2},  {"volume, least, %", 1},
    {"most, %", 1},     {"least det F", 2},         {"ms a step", 3}, {"iterations a step", 1},
    {"cooked in, s", 2}};

std::vector<TableCell> body_cells(const BodiesRow& row) {
  return {row.body,
          static_cast<double>(row.elements),
          static_cast<double>(row.unknowns),
          100 * row.error,
          100 * row.largest_error,
          100 * row.amplitude,
          100 * row.shape_error,
          100 * row.volume_low,
          100 * row.volume_high,
          row.least_det,
          row.milliseconds,
          row.iterations,
          row.cook_seconds};
}

std::string reference_name(Reference reference) { return reference == Reference::rig ? "rig" : "elastic"; }

}  // namespace

Table bodies_table(const BodiesExperiment& experiment) {
  Table table;
  table.name = "bodies_" + experiment.character + "_" + reference_name(experiment.reference);
  table.title = experiment.character + ", " + experiment.clip + ", " + reference_name(experiment.reference) +
                " reference: against the last row (motion over its own, shape over the height)";
  table.columns = body_columns;
  for (const BodiesRow& row : experiment.rows) table.rows.push_back(body_cells(row));
  return table;
}

Table bodies_table(const std::vector<BodiesExperiment>& experiments) {
  Table table;
  table.name = "bodies";
  table.title = "Bodies of lattices and of tetrahedra";
  table.columns = {{"character"}, {"clip"}, {"reference"}, {"motion, %", 2}};
  table.columns.insert(table.columns.end(), body_columns.begin(), body_columns.end());
  for (const BodiesExperiment& experiment : experiments)
    for (const BodiesRow& row : experiment.rows) {
      std::vector<TableCell> cells{experiment.character, experiment.clip, reference_name(experiment.reference),
                                   100 * experiment.motion};
      const std::vector<TableCell> more = body_cells(row);
      cells.insert(cells.end(), more.begin(), more.end());
      table.rows.push_back(std::move(cells));
    }
  return table;
}

Table paint_table(const PaintExperiment& experiment) {
  Table table;
  table.name = "paint";
  table.title = experiment.character + " shakes its head (displacement over its height)";
  table.columns = {{"part"},          {"stiffness", 2}, {"lattice vertices painted", 0}, {"material"},
                   {"largest, %", 2}, {"RMS, %", 2},    {"settles within, s", 2}};
  for (std::size_t k = 0; k < experiment.parts.size(); ++k)
    for (std::size_t r = 0; r < experiment.runs.size(); ++r) {
      const PaintRun& run = experiment.runs[r];
      table.rows.push_back({experiment.parts[k].name, r == 0 ? 1.0 : experiment.parts[k].stiffness,
                            r == 0 ? 0.0 : static_cast<double>(experiment.painted[k]), run.material,
                            100 * run.largest[k], 100 * run.rms[k], run.settled[k]});
    }
  return table;
}

Table two_forms_table(const std::vector<TwoFormsRow>& rows) {
  Table table;
  table.name = "two_forms";
  table.title = "Equation 5.10 and its symmetric form in a lattice of 12 x 4 x 4 cells";
  table.columns = {{"form"},
                   {"bent by, degrees", 0},
                   {"net force, %", 5},
                   {"net torque, %", 3},
                   {"least eigenvalue of the system, N/m", 2},
                   {"without inertia, N/m", 2}};
  for (const TwoFormsRow& row : rows)
    table.rows.push_back(
        {text(name_of(row.how)), row.degrees, 100 * row.net_force, 100 * row.net_torque, row.system, row.stiffness});
  return table;
}

}  // namespace sinew
