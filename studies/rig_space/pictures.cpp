#include "studies/rig_space/pictures.h"

#include "studies/common/picture_chart.h"

namespace sinew {

Image interior_picture(const InteriorExperiment& experiment) {
  Chart chart;
  chart.x_title = "time, s";
  chart.y_title = "elastic energy, J";
  chart.logarithmic_y = true;
  const auto add = [&](const std::string& name, const std::vector<double>& energy) {
    chart.lines.push_back({name, experiment.seconds, energy, chart_color(chart.lines.size()), false});
  };
  add("static solve", experiment.equilibrium);
  for (const InteriorMap& map : experiment.maps)
    if (map.paper || map.name == "default" || map.name == "default, corrected")
      if (map.poses == experiment.poses) add(map.name, map.energy);
  return draw_chart(chart);
}

Image interior_close_picture(const InteriorExperiment& experiment, double most) {
  Chart chart;
  chart.x_title = "time, s";
  chart.y_title = "elastic energy, J";
  chart.lines.push_back({"static solve", experiment.seconds, experiment.equilibrium, chart_color(0), false});
  for (const InteriorMap& map : experiment.maps)
    if (map.largest_ratio <= most)
      chart.lines.push_back({map.name + ", " + std::to_string(map.poses) + " poses", experiment.seconds, map.energy,
                             chart_color(chart.lines.size()), false});
  return draw_chart(chart);
}

Image step_length_picture(const StepLengthExperiment& experiment) {
  Chart chart;
  chart.x_title = "steps";
  chart.y_title = "mean distance, % of the height";
  chart.logarithmic_x = chart.logarithmic_y = true;
  for (const char* name : {"one length", "adaptive", "one length, deferred", "adaptive, deferred"})
    chart.lines.push_back({name, {}, {}, chart_color(chart.lines.size()), true});
  for (const StepLengthRow& row : experiment.rows) {
    ChartLine& line = chart.lines[(row.deferred ? 2u : 0u) + (row.adaptive ? 1u : 0u)];
    line.x.push_back(row.steps);
    line.y.push_back(100 * row.distance.mean);
  }
  return draw_chart(chart);
}

}  // namespace sinew
