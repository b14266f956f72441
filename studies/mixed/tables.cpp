#include "studies/mixed/tables.h"

#include <algorithm>
#include <cmath>
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

// Fills a row with a reason where nothing was measured.
void leave_empty(std::vector<TableCell>& row, const Table& table, const char* why) {
  row.emplace_back(why);
  row.resize(table.columns.size(), TableCell{""});
}

std::string motion_of(const JointRun& run) { return text(name_of(run.limb)) + (run.twist ? ", twisted" : ", bent"); }

// The one of two ratios that is farther from 1.
double farther(double a, double b) { return std::abs(b - 1) > std::abs(a - 1) ? b : a; }

}  // namespace

Table bend_table(const std::vector<BendRun>& runs) {
  Table table;
  table.name = "bend";
  table.title = "A bar bent at a joint in its middle (lengths over the bar's width)";
  table.columns = {{"method"},
                   {"material"},
                   {"bent by, degrees", 0},
                   {"far half turned, degrees", 1},
                   {"axis off the bones, most", 3},
                   {"axis off the bones, RMS", 3},
                   {"volume, %", 1},
                   {"least stretch"},
                   {"largest stretch"},
                   {"inside out", 0},
                   {"vertices inside others", 0},
                   {"triangles crossing", 0},
                   {"solves a frame", 1},
                   {"ms a frame", 1}};
  for (const BendRun& run : runs)
    for (const BendPose& pose : run.poses) {
      std::vector<TableCell> row{text(name_of(run.method)), text(name_of(run.material)), pose.degrees};
      const MeshMeasures& body = pose.body;
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
  table.columns = {{"material"},         {"rotations"},     {"twisted by, degrees", 0},
                   {"least section", 3}, {"volume, %", 1},  {"least stretch"},
                   {"largest stretch"},  {"inside out", 0}, {"triangles crossing", 0},
                   {"energy, 1/1000", 2}};
  for (const TwistPose& pose : poses) {
    std::vector<TableCell> row{text(name_of(pose.material)), field_name(pose.reach), pose.degrees};
    const MeshMeasures& body = pose.body;
    if (pose.solved)
      append(row, {pose.smallest_section, 100 * (body.volume_ratio - 1), body.smallest_stretch, body.largest_stretch,
                   double(body.inverted), double(body.crossing), 1000 * pose.energy});
    else
      leave_empty(row, table, "no equilibrium");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table press_table(const std::vector<PressPose>& poses) {
  Table table;
  table.name = "press";
  table.title = "A bent bar under outside forces and pressed by solid shapes, in static equilibrium";
  table.columns = {{"material"},
                   {"load"},
                   {"moved, widths", 2},
                   {"points pushed", 0},
                   {"pushed, N", 2},
                   {"deepest, 1e-6 m", 2},
                   {"left out of balance", 6},
                   {"volume, %", 2},
                   {"inside out", 0},
                   {"ms", 1}};
  for (const PressPose& pose : poses) {
    std::vector<TableCell> row{text(name_of(pose.material)), pose.load.name};
    if (pose.solved)
      append(row, {pose.largest_move, double(pose.contacts.pushing.size()), pose.pushed, 1e6 * pose.contacts.deepest,
                   pose.contacts.residual, 100 * (pose.body.volume_ratio - 1), double(pose.body.inverted),
                   pose.milliseconds});
    else
      leave_empty(row, table, "no equilibrium");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table reference_table(const std::vector<ReferenceRow>& rows) {
  Table table;
  table.name = "free_rotations";
  table.title =
      "Against the nonlinear equilibrium, whose rotations are free (distances over the body's thickness or height)";
  table.columns = {{"pose"},
                   {"material"},
                   {"rotations"},
                   {"energy over the least", 3},
                   {"RMS distance, %", 2},
                   {"largest distance, %", 1},
                   {"volume, %", 2},
                   {"volume, free, %", 2},
                   {"ms", 1},
                   {"steps, free", 0},
                   {"ms, free", 0}};
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

Table joint_table(const std::vector<JointRun>& runs) {
  Table table;
  table.name = "joints";
  table.title = "Joints of characters, the worst of all frames";
  table.columns = {{"character"},
                   {"joint"},
                   {"up to, degrees", 0},
                   {"method"},
                   {"volume near the joint, %", 1},
                   {"volume of the body, %", 2},
                   {"largest stretch"},
                   {"least stretch"},
                   {"inside out", 0},
                   {"ms a frame", 2}};
  for (const JointRun& run : runs) {
    JointFrame worst;
    for (const JointFrame& frame : run.frames) {
      worst.degrees = std::max(worst.degrees, frame.degrees);
      worst.region_volume = farther(worst.region_volume, frame.region_volume);
      worst.body_volume = farther(worst.body_volume, frame.body_volume);
      worst.largest_stretch = std::max(worst.largest_stretch, frame.largest_stretch);
      worst.smallest_stretch = std::min(worst.smallest_stretch, frame.smallest_stretch);
      worst.inverted = std::max(worst.inverted, frame.inverted);
    }
    std::vector<TableCell> row{run.character, motion_of(run), worst.degrees, text(name_of(run.method))};
    append(row, {100 * (worst.region_volume - 1), 100 * (worst.body_volume - 1), worst.largest_stretch,
                 worst.smallest_stretch, double(worst.inverted), run.milliseconds});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table joint_frame_table(const std::vector<JointRun>& runs) {
  Table table;
  table.name = "joint_frames";
  table.title = "Joints of characters, frame by frame";
  table.columns = {{"character"},
                   {"joint"},
                   {"degrees", 0},
                   {"method"},
                   {"volume near the joint, %", 2},
                   {"volume of the body, %", 3},
                   {"largest stretch", 3},
                   {"least stretch", 3},
                   {"inside out", 0}};
  for (const JointRun& run : runs)
    for (const JointFrame& frame : run.frames) {
      std::vector<TableCell> row{run.character, motion_of(run), frame.degrees, text(name_of(run.method))};
      append(row, {100 * (frame.region_volume - 1), 100 * (frame.body_volume - 1), frame.largest_stretch,
                   frame.smallest_stretch, double(frame.inverted)});
      table.rows.push_back(std::move(row));
    }
  return table;
}

}  // namespace sinew
