#include "sinew/bake/mixed_proof/tables.h"

#include <cstdio>
#include <initializer_list>

namespace sinew {
namespace {

std::string text(std::string_view words) { return std::string(words); }

std::string field_name(double reach) {
  if (reach == 0) return "clusters";
  char words[48];
  std::snprintf(words, sizeof words, reach == 1 ? "smooth" : "smooth, reach %g", reach);
  return words;
}

void append(std::vector<TableCell>& row, std::initializer_list<double> values) {
  for (const double value : values) row.emplace_back(value);
}

// A row that ends in words, where nothing was measured.
void leave_empty(std::vector<TableCell>& row, const Table& table, const char* why) {
  row.emplace_back(why);
  row.resize(table.columns.size(), TableCell{""});
}

}  // namespace

Table bend_table(const std::vector<BendRun>& runs) {
  Table table;
  table.name = "bend";
  table.title = "A bar bent at a joint in its middle (lengths over the bar's width)";
  table.columns = {{"method"}, {"material"}, {"bent by, degrees", 0}, {"far half turned, degrees", 1},
                   {"axis off the bones, most", 3}, {"axis off the bones, RMS", 3}, {"volume, %", 1},
                   {"least stretch"}, {"largest stretch"}, {"inside out", 0}, {"vertices inside others", 0},
                   {"triangles crossing", 0}, {"solves a frame", 1}, {"ms a frame", 1}};
  for (const BendRun& run : runs)
    for (const BendPose& pose : run.poses) {
      std::vector<TableCell> row{text(name_of(run.method)), text(name_of(run.material)), pose.degrees};
      const BodyMeasures& body = pose.body;
      if (pose.solved)
        append(row, {pose.followed_degrees, pose.largest_offset, pose.rms_offset, 100 * (body.volume_ratio - 1),
                     body.smallest_stretch, body.largest_stretch, double(body.inverted), double(body.overlapping),
                     double(body.crossing), run.solves, run.milliseconds});
      else
        leave_empty(row, table, "no equilibrium");
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table twist_table(const std::vector<TwistPose>& poses) {
  Table table;
  table.name = "twist";
  table.title = "A bar twisted at a joint in its middle (energy over Young's modulus times volume)";
  table.columns = {{"material"}, {"rotations"}, {"twisted by, degrees", 0}, {"least section", 3}, {"volume, %", 1},
                   {"least stretch"}, {"largest stretch"}, {"inside out", 0}, {"triangles crossing", 0},
                   {"energy, 1/1000", 2}};
  for (const TwistPose& pose : poses) {
    std::vector<TableCell> row{text(name_of(pose.material)), field_name(pose.reach), pose.degrees};
    const BodyMeasures& body = pose.body;
    if (pose.solved)
      append(row, {pose.smallest_section, 100 * (body.volume_ratio - 1), body.smallest_stretch, body.largest_stretch,
                   double(body.inverted), double(body.crossing), 1000 * pose.energy});
    else
      leave_empty(row, table, "no equilibrium");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table reference_table(const std::vector<ReferenceRow>& rows) {
  Table table;
  table.name = "free_rotations";
  table.title = "Against the nonlinear equilibrium, whose rotations are free (distances over the body's thickness or height)";
  table.columns = {{"pose"}, {"material"}, {"rotations"}, {"energy over the least", 3}, {"RMS distance, %", 2},
                   {"largest distance, %", 1}, {"volume, %", 2}, {"volume, free, %", 2}, {"ms", 1},
                   {"steps, free", 0}, {"ms, free", 0}};
  for (const ReferenceRow& r : rows) {
    std::vector<TableCell> row{r.pose, text(name_of(r.material)), field_name(r.reach)};
    if (r.solved)
      append(row, {r.energy / r.reference_energy, 100 * r.rms, 100 * r.max, 100 * (r.volume - 1),
                   100 * (r.reference_volume - 1), r.milliseconds, double(r.reference_iterations),
                   r.reference_milliseconds});
    else
      leave_empty(row, table, "no equilibrium");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace sinew
