#include "studies/skinning/tables.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double microseconds_a_vertex(const SkinningComparison& comparison, const SkinningResult& result) {
  return result.posed.microseconds / static_cast<double>(comparison.surface.rest.positions.size());
}

// Measures over all bends in which a family ran.
struct FamilySummary {
  std::string family;
  int bends = 0, twice_inside = 0, unfinished = 0;
  double most_lost = 0, most_gained = 0, depth = 0, stretch = 0, smallest = HUGE_VAL, thinnest = NAN;
  double distance = 0, microseconds = 0;  // sums

  void add(const SkinningComparison& comparison, const SkinningResult& result) {
    const SkinMeasures& m = result.measures;
    ++bends;
    most_lost = std::fmin(most_lost, m.volume_change);
    most_gained = std::fmax(most_gained, m.volume_change);
    twice_inside += m.twice_inside;
    depth = std::max(depth, m.depth / comparison.height);
    stretch = std::max(stretch, m.stretch);
    smallest = std::min(smallest, m.smallest_stretch);
    thinnest = std::fmin(thinnest, m.thinnest);
    distance += result.distance;
    microseconds += microseconds_a_vertex(comparison, result);
    unfinished += result.posed.at_rest ? 0 : 1;
  }
};

FamilySummary& summary_of(const std::string& family, std::vector<FamilySummary>& summaries) {
  for (FamilySummary& each : summaries)
    if (each.family == family) return each;
  summaries.push_back({family});
  return summaries.back();
}

}  // namespace

Table skinning_table(const SkinningComparison& comparison) {
  Table table;
  table.name = "skinning_" + comparison.character;
  table.title = "Families of skinning on " + comparison.character +
                ": volume relative to the flesh of the bones that meet; distance from nonlinear elasticity over their "
                "skin; time on one thread";
  table.columns = {{"bend"},
                   {"family"},
                   {"volume, %", 1},
                   {"vertices inside twice", 0},
                   {"depth, % of height", 2},
                   {"stretch, 99th percentile", 2},
                   {"largest", 2},
                   {"smallest", 2},
                   {"thinnest section, %", 0},
                   {"distance, % of height", 2},
                   {"us a vertex and frame", 3},
                   {"came to rest"}};
  for (std::size_t b = 0; b < comparison.bends.size(); ++b)
    for (const SkinningRun& run : comparison.runs) {
      if (run.results.empty()) {
        table.rows.push_back({comparison.bends[b].name, run.family, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                              "failed: " + run.failure});
        continue;
      }
      const SkinningResult& result = run.results[b];
      const SkinMeasures& m = result.measures;
      table.rows.push_back({comparison.bends[b].name, run.family, 100 * m.volume_change,
                            static_cast<double>(m.twice_inside), 100 * m.depth / comparison.height, m.stretch,
                            m.largest_stretch, m.smallest_stretch, 100 * m.thinnest, 100 * result.distance,
                            microseconds_a_vertex(comparison, result), result.posed.at_rest ? "yes" : "no"});
    }
  return table;
}

Table skinning_summary(const std::vector<SkinningComparison>& comparisons) {
  std::vector<FamilySummary> summaries;
  for (const SkinningComparison& comparison : comparisons)
    for (const SkinningRun& run : comparison.runs) {
      FamilySummary& summary = summary_of(run.family, summaries);
      for (const SkinningResult& result : run.results) summary.add(comparison, result);
    }
  Table table;
  table.name = "summary";
  table.title = "Families of skinning over all bends of all characters";
  table.columns = {{"family"},
                   {"bends", 0},
                   {"most volume lost, %", 1},
                   {"most gained, %", 1},
                   {"vertices inside twice, all", 0},
                   {"deepest, % of height", 2},
                   {"stretch, worst 99th percentile", 2},
                   {"smallest", 2},
                   {"thinnest section, %", 0},
                   {"distance, mean, % of height", 2},
                   {"us a vertex and frame, mean", 3},
                   {"not at rest", 0}};
  for (const FamilySummary& each : summaries) {
    if (each.bends == 0) {  // it failed everywhere
      table.rows.push_back({each.family, 0.0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN});
      continue;
    }
    const double mean = 1.0 / each.bends;
    table.rows.push_back({each.family, static_cast<double>(each.bends), 100 * each.most_lost, 100 * each.most_gained,
                          static_cast<double>(each.twice_inside), 100 * each.depth, each.stretch, each.smallest,
                          100 * each.thinnest, 100 * mean * each.distance, mean * each.microseconds,
                          static_cast<double>(each.unfinished)});
  }
  return table;
}

}  // namespace sinew
