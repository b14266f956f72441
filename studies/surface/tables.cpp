#include "studies/surface/tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sinew {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::string three_digits(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

// Least and largest of one measure over a run.
template <class Measure>
std::pair<double, double> extremes(const FallingTubeRun& run, const Measure& measure) {
  std::pair<double, double> result{HUGE_VAL, -HUGE_VAL};
  for (const FallingTubeFrame& frame : run.frames) {
    result.first = std::min(result.first, measure(frame));
    result.second = std::max(result.second, measure(frame));
  }
  return result;
}

}  // namespace

Table falling_tube_table(const FallingTube& experiment) {
  Table table;
  table.name = "fall";
  table.title = "A tube whose bone accelerates downward and stops (figure 3): extremes over the motion";
  table.columns = {{"tube"},
                   {"gamma", 2},
                   {"volume, least %", 1},
                   {"largest %", 1},
                   {"nearest to the bone, % of the radius", 1},
                   {"farthest, %", 1},
                   {"section's height, least %", 1},
                   {"its width, largest %", 1}};
  for (const FallingTubeRun& run : experiment.runs) {
    const auto volume = extremes(run, [](const FallingTubeFrame& f) { return f.volume; });
    const auto near = extremes(run, [](const FallingTubeFrame& f) { return std::min(f.below, f.above); });
    const auto far = extremes(run, [](const FallingTubeFrame& f) { return std::max(f.below, f.above); });
    const auto height = extremes(run, [](const FallingTubeFrame& f) { return f.height; });
    const auto width = extremes(run, [](const FallingTubeFrame& f) { return f.width; });
    table.rows.push_back({run.name, run.gamma, 100 * volume.first, 100 * volume.second, 100 * near.first,
                          100 * far.second, 100 * height.first, 100 * width.second});
  }
  return table;
}

Table falling_tube_frames_table(const FallingTube& experiment) {
  Table table;
  table.name = "fall_frames";
  table.title = "The same over time";
  table.columns = {{"tube"},        {"time, s", 3},   {"volume, %", 2}, {"below the bone, % of the radius", 1},
                   {"above, %", 1}, {"height, %", 1}, {"width, %", 1}};
  for (const FallingTubeRun& run : experiment.runs)
    for (const FallingTubeFrame& f : run.frames)
      table.rows.push_back(
          {run.name, f.time, 100 * f.volume, 100 * f.below, 100 * f.above, 100 * f.height, 100 * f.width});
  return table;
}

Table local_drag_table(const std::vector<LocalDragRun>& runs, const LocalDragOptions& options) {
  Table table;
  table.name = "drag";
  table.title = "A vertex dragged out by a radius: largest displacement of those around it, % of the drag";
  table.columns = {{"material"}, {"from the vertex, radii"}};
  for (const int steps : options.steps)
    table.columns.push_back({"after " + std::to_string(steps) + (steps == 1 ? " step" : " steps"), 2});
  for (const LocalDragRun& run : runs)
    for (std::size_t bin = 0; bin < static_cast<std::size_t>(options.bins); ++bin) {
      const double from = options.bin * static_cast<double>(bin);
      const bool last = bin + 1 == static_cast<std::size_t>(options.bins);
      std::vector<TableCell> row{run.material,
                                 three_digits(from) + (last ? " and more" : " to " + three_digits(from + options.bin))};
      for (const std::vector<double>& displacement : run.displacement) row.emplace_back(100 * displacement.at(bin));
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table recovery_table(const std::vector<RecoveryRow>& rows) {
  Table table;
  table.name = "recovery";
  table.title =
      "Parameters from examples that the model made: vertices that are right to 0.001, and the largest differences of "
      "95 % of them";
  table.columns = {{"scheme"}, {"shape"},  {"restoration"}, {"right, %", 1},      {"alpha"},         {"beta"},
                   {"gamma"},  {"lambda"}, {"delta"},       {"error left, %", 4}, {"iterations", 0}, {"seconds", 1}};
  for (const RecoveryRow& row : rows) {
    std::vector<TableCell> cells{row.scheme, row.reference, row.directions ? "by direction" : "a number",
                                 100 * row.share};
    for (std::size_t k = 0; k < surface_parameters; ++k)
      cells.emplace_back(k < row.worst.size() ? TableCell(three_digits(row.worst[k])) : TableCell(nothing));
    cells.insert(cells.end(), {100 * row.error, static_cast<double>(row.iterations), row.seconds});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table schemes_table(const SchemesExperiment& experiment) {
  Table table;
  table.name = "schemes";
  table.title = "Fitting " + experiment.character + ", clip '" + experiment.clip + "', " +
                std::to_string(experiment.vertices) + " vertices, " + std::to_string(experiment.frames) +
                " steps: RMS error left, % of the goal's (" + three_digits(1e3 * experiment.goal_rms) + " mm)";
  table.columns = {{"scheme"}};
  const std::vector<std::size_t> shown{0, 5, 10, 20, 50, 100, 199};
  for (const std::size_t k : shown) table.columns.push_back({"iteration " + std::to_string(k), 1});
  table.columns.push_back({"best", 1});
  table.columns.push_back({"seconds", 1});
  for (const SchemeRun& run : experiment.runs) {
    std::vector<TableCell> row{run.name};
    for (const std::size_t k : shown) row.emplace_back(k < run.error.size() ? 100 * run.error[k] : nothing);
    row.insert(row.end(), {100 * run.best, run.seconds});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table scheme_iterations_table(const SchemesExperiment& experiment) {
  Table table;
  table.name = "schemes_iterations";
  table.title =
      "RMS error left over iterations, % of the goal's: " + experiment.character + ", '" + experiment.clip + "'";
  table.columns = {{"scheme"}, {"iteration", 0}, {"error, %", 3}};
  for (const SchemeRun& run : experiment.runs)
    for (std::size_t k = 0; k < run.error.size(); ++k)
      table.rows.push_back({run.name, static_cast<double>(k), 100 * run.error[k]});
  return table;
}

Table soft_part_table(const SoftPart& experiment) {
  Table table;
  table.name = "material";
  table.title = "A tube whose upper half is painted soft (figure 4): medians over the vertices of its halves";
  table.columns = {{"half"},
                   {"stiffness, times", 2},
                   {"alpha, uniform", 3},
                   {"alpha, painted", 3},
                   {"painted over uniform", 2},
                   {"flesh moves by, mm, uniform", 2},
                   {"painted", 2}};
  for (const SoftPartRow& row : experiment.rows)
    table.rows.push_back({row.half, row.painted, row.uniform, row.found,
                          row.uniform > 0 ? row.found / row.uniform : nothing, 1e3 * row.moves,
                          1e3 * row.moves_painted});
  return table;
}

Table learning_table(const std::vector<LearningExperiment>& experiments) {
  Table table;
  table.name = "learning";
  table.title = "Flesh learned from one clip, played on another: RMS distance from finite elements, % of the height";
  table.columns = {{"character"}, {"vertices", 0},   {"clip"},      {""},           {"rig alone", 3},
                   {"model", 3},  {"removed, %", 1}, {"fit, s", 1}, {"file, kB", 0}};
  for (const LearningExperiment& e : experiments)
    for (const LearningClip& clip : e.clips)
      table.rows.push_back({e.character, static_cast<double>(e.vertices), clip.name,
                            clip.seen ? "learned from" : "unseen", 100 * clip.goal_rms / e.height,
                            100 * clip.rms / e.height, 100 * clip.removed(), clip.seen ? e.fit_seconds : nothing,
                            clip.seen ? static_cast<double>(e.file_bytes) / 1e3 : nothing});
  return table;
}

}  // namespace sinew
