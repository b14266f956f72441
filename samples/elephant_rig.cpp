// The elephant with wires (Singh and Fiume 1998): curves whose control points are nodes that ride on its joints. Trunk
// and belly have as many parameters as those of Hahn, Martin, Thomaszewski, Sumner, Coros and Gross (2012): 13 and 36.
#include <nlohmann/json.hpp>

#include "exact_math.h"
#include "rigging.h"
#include "samples.h"

namespace sinew::samples {
namespace {

using Json = nlohmann::ordered_json;

struct WirePoint {
  const char* joint;  // that it rides on
  Vec3 position;      // rest, world, metres
};

struct Wire {
  std::string name;  // of its control points, before their numbers
  double radius;     // metres from the curve at which its influence ends
  std::vector<WirePoint> points;
};

// Along the axis of the trunk, from under the mouth to the tip.
Wire trunk_wire() {
  return {"trunk_wire",
          0.30,
          {{"trunk_3", {0, 1.47, 1.915}},
           {"trunk_5", {0, 1.02, 1.955}},
           {"trunk_7", {0, 0.62, 1.965}},
           {"trunk_9", {0, 0.315, 2.245}}}};
}

// Across the belly, from the left flank to the right.
Wire belly_wire(const char* name, const char* joint, double z, const Vec3& flank, const Vec3& under) {
  const Vec3 outer{flank.x, flank.y, z}, inner{under.x, under.y, z};
  return {name, 0.40, {{joint, outer}, {joint, inner}, {joint, mirrored(inner)}, {joint, mirrored(outer)}}};
}

// Wires of one layer blend where they overlap.
using Layer = std::vector<Wire>;

std::vector<Layer> make_layers() {
  return {{trunk_wire()},
          // Between the legs: front, middle, back.
          {belly_wire("belly_wire_1", "chest", 0.27, {0.53, 1.28, 0}, {0.22, 0.94, 0}),
           belly_wire("belly_wire_2", "spine", -0.06, {0.58, 1.28, 0}, {0.22, 0.90, 0}),
           belly_wire("belly_wire_3", "hips", -0.38, {0.56, 1.28, 0}, {0.22, 0.90, 0})}};
}

std::string control_name(const Wire& wire, std::size_t point) { return wire.name + "_" + std::to_string(point + 1); }

}  // namespace

Sample make_elephant_rig() {
  Sample sample = make_elephant();
  // The wires take its place.
  absorb_joint(sample, "belly");
  for (const Layer& layer : make_layers())
    for (const Wire& wire : layer)
      for (std::size_t i = 0; i < wire.points.size(); ++i)
        sample.controls.push_back(
            {control_name(wire, i), sample.skeleton.index(wire.points[i].joint), wire.points[i].position});
  return sample;
}

std::string elephant_rig_layers() {
  Json list = Json::array();
  for (const Layer& layer : make_layers()) {
    Json curves = Json::array();
    for (const Wire& wire : layer) {
      Json controls = Json::array();
      for (std::size_t i = 0; i < wire.points.size(); ++i) controls.push_back(control_name(wire, i));
      curves.push_back({{"controls", controls}, {"radius", wire.radius}});
    }
    if (curves.size() == 1)
      list.push_back({{"wire", curves[0]}});
    else
      list.push_back({{"wires", {{"curves", curves}}}});
  }
  return Json{{"layers", list}}.dump(2) + "\n";
}

}  // namespace sinew::samples
