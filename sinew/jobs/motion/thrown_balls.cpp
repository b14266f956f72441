#include "sinew/jobs/motion/thrown_balls.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/base/index.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

std::vector<BallPath> ball_paths(const Character& character, std::span<const ThrownBall> thrown,
                                 const Reaction& reaction) {
  std::vector<BallPath> paths;
  const auto taken = [&](const std::string& name) {
    const std::vector<Joint>& joints = character.skeleton.joints;
    return std::any_of(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
  };
  int number = 0;
  for (std::size_t b = 0; b < thrown.size(); ++b) {
    BallPath path;
    do path.name = "ball " + std::to_string(++number);
    while (taken(path.name));
    path.radius = radius_of(thrown[b]);
    for (const std::vector<Vec3>& frame : reaction.balls) path.place.push_back(frame[b]);
    const auto flies = std::find_if(reaction.times.begin(), reaction.times.end(),
                                    [&](double time) { return time > thrown[b].time + 1e-9; });
    const auto first = std::min(static_cast<std::size_t>(flies - reaction.times.begin()), path.place.size() - 1);
    std::fill(path.place.begin(), path.place.begin() + static_cast<std::ptrdiff_t>(first), path.place[first]);
    paths.push_back(std::move(path));
  }
  return paths;
}

void add_ball_nodes(std::span<const BallPath> balls, std::span<const double> times, OpenedCharacter& opened,
                    Clip& clip) {
  if (balls.empty()) return;
  const double unit = opened.character.metres_per_unit;
  GltfEdit edit(*opened.document);
  nlohmann::json& nodes = array_of(edit.json(), "nodes");
  for (const BallPath& ball : balls) {
    const int node = static_cast<int>(nodes.size());
    const Vec3 start = ball.place.front() / unit;
    nodes.push_back({{"name", ball.name}, {"translation", {start.x, start.y, start.z}}});
    for (nlohmann::json& scene : array_of(edit.json(), "scenes")) array_of(scene, "nodes").push_back(node);
    Channel path{node, ChannelPath::translation, Interpolation::linear, {times.begin(), times.end()}, 3, {}};
    for (const Vec3& place : ball.place)
      path.values.insert(path.values.end(), {place.x / unit, place.y / unit, place.z / unit});
    clip.channels.push_back(std::move(path));
  }
  opened.document = edited_document(edit);
}

std::string ball_settings(std::span<const BallPath> balls) {
  nlohmann::ordered_json colliders = nlohmann::ordered_json::array();
  for (const BallPath& ball : balls) {
    const Vec3& at = ball.place.front();
    colliders.push_back(
        {{"shape", "sphere"}, {"centre", {at.x, at.y, at.z}}, {"radius", ball.radius}, {"joint", ball.name}});
  }
  return nlohmann::ordered_json{{"colliders", colliders}}.dump(2) + "\n";
}

}  // namespace sinew
