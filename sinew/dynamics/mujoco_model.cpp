#include "sinew/dynamics/mujoco_model.h"

#include <algorithm>
#include <cstdio>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// Which geometries touch: (contype of one) & (conaffinity of the other). Skin touches the ground, capsules touch balls,
// balls touch all but skin points.
constexpr const char* of_ground = R"( contype="1" conaffinity="0")";
constexpr const char* of_skin = R"( contype="0" conaffinity="1")";
constexpr const char* of_capsule = R"( contype="0" conaffinity="2")";
constexpr const char* of_ball = R"( contype="2" conaffinity="3")";

// Flesh on flesh gives way more softly than soles on the ground, and slides more easily.
constexpr const char* of_touch = R"( condim="3" friction="0.3 0.3 0 0 0" solref="0.02 1" solimp="0.9 0.95 0.01")";

// Skin points are small spheres whose lowest point is the skin: this share of the body's height.
constexpr double point_size = 0.004;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string vector(const Vec3& v) { return number(v.x) + ' ' + number(v.y) + ' ' + number(v.z); }

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + '"';
}

std::string inertial(const Vec3& centre, double mass, const Mat3& i) {
  return "<inertial" + attribute("pos", vector(centre)) + attribute("mass", number(mass)) +
         attribute("fullinertia", vector({i(0, 0), i(1, 1), i(2, 2)}) + ' ' + vector({i(0, 1), i(0, 2), i(1, 2)})) +
         "/>\n";
}

std::string capsule_name(int link) { return "link" + std::to_string(link); }

std::string capsule(const Capsule& c, int link) {
  if (!(c.radius > 0)) return {};
  const std::string size = attribute("name", capsule_name(link)) + attribute("size", number(c.radius)),
                    kind = of_capsule;
  if (distance(c.from, c.to) < 1e-3 * c.radius)
    return "<geom type=\"sphere\"" + size + attribute("pos", vector(c.from)) + kind + "/>\n";
  return "<geom type=\"capsule\"" + size + attribute("fromto", vector(c.from) + ' ' + vector(c.to)) + kind + "/>\n";
}

// The size of a link's skin points beside the link itself: they lie within the skin by their radius.
std::string skin_points(const std::vector<Vec3>& points, const Vec3& centre, double radius) {
  std::string text;
  for (const Vec3& point : points) {
    const Vec3 inward = centre - point;
    const double way = std::min(radius, 0.5 * norm(inward));
    text += "<geom type=\"sphere\"" + attribute("size", number(radius)) +
            attribute("pos", vector(point + normalized(inward) * way)) + of_skin + "/>\n";
  }
  return text;
}

// Distance of the farthest skin points along the tree: a measure of the body's size, metres.
double size_of(const ArticulatedBody& body) {
  TreePose pose{{}, std::vector<Quat>(body.size())};
  PlacedJoints placed;
  place_joints(body.tree, pose, placed);
  double most = 0;
  for (std::size_t k = 0; k < body.size(); ++k)
    for (const Vec3& point : body.skin_points[k]) most = std::max(most, norm(placed(static_cast<int>(k), point)));
  return most;
}

}  // namespace

std::string mujoco_model(const ArticulatedBody& body, const EngineOptions& options, std::span<const EngineBall> balls) {
  std::string text = "<mujoco>\n<compiler balanceinertia=\"true\" boundmass=\"0\"/>\n<option";
  text += attribute("timestep", number(options.step)) + attribute("gravity", vector(options.gravity)) +
          attribute("integrator", options.accurate ? "RK4" : "Euler") +
          " cone=\"elliptic\" impratio=\"10\" solver=\"Newton\" iterations=\"20\" tolerance=\"1e-9\"/>\n"
          "<size njmax=\"600\" nconmax=\"200\"/>\n<default><geom condim=\"3\"" +
          attribute("friction", number(options.friction) + " 0 0") +
          " solref=\"0.01 1\" solimp=\"0.95 0.99 0.002\"/></default>\n<worldbody>\n";
  if (options.has_ground)
    text += "<geom name=\"ground\" type=\"plane\" size=\"1 1 1\" zaxis=\"0 1 0\"" +
            attribute("pos", vector({0, options.ground, 0})) + of_ground + "/>\n";
  const double radius = point_size * size_of(body);
  std::vector<int> open;  // links whose elements are not closed yet
  for (std::size_t k = 0; k < body.size(); ++k) {
    while (!open.empty() && open.back() != body.tree.parent[k]) {
      text += "</body>\n";
      open.pop_back();
    }
    open.push_back(static_cast<int>(k));
    text += "<body" + attribute("pos", vector(k == 0 ? Vec3{} : body.tree.offset[k])) + ">\n";
    text += k == 0 && !options.root_is_held ? "<freejoint/>\n" : "<joint type=\"ball\"/>\n";
    text += inertial(body.tree.mass_centre[k], body.tree.mass[k], body.inertia[k]) +
            capsule(body.capsule[k], static_cast<int>(k)) +
            skin_points(body.skin_points[k], body.tree.mass_centre[k], radius);
  }
  for (; !open.empty(); open.pop_back()) text += "</body>\n";
  for (std::size_t b = 0; b < balls.size(); ++b)
    text += "<body" + attribute("pos", vector({0, 1000.0 + 10 * static_cast<double>(b), 0})) + "><freejoint/>" +
            "<geom type=\"sphere\"" + attribute("size", number(balls[b].radius)) +
            attribute("mass", number(balls[b].mass)) + of_ball + "/></body>\n";
  text += "</worldbody>\n<contact>\n";
  for (const auto& [first, second] : options.touching)
    text += "<pair" + attribute("geom1", capsule_name(first)) + attribute("geom2", capsule_name(second)) + of_touch +
            "/>\n";
  return text + "</contact>\n</mujoco>\n";
}

}  // namespace sinew
