// A glTF file of a skinned tube that wears what has no skin: a hat with a feather, and a ring on a long rod.
#pragma once

#include <cmath>

#include "tests/gltf/read_builder.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {

// Stands two units high on "lower", "upper" from the middle on, below an armature that turns z up into y up. Clips:
// "swing", "still" and "sway".
struct HatFile : GltfBuilder {
  enum Node { armature, body, lower, upper, hat, feather, rod, lamp };

  HatFile() {
    const nlohmann::json body_mesh = skinned_tube(), hat_mesh = primitive_of(upright_tube(6, 24, 0.5, 0.3)),
                         feather_mesh = primitive_of(sphere({0, 0, 0}, 0.05, 8)),
                         rod_mesh = primitive_of(box({-0.03, -0.03, 0}, {0.03, 0.03, 1})),
                         lamp_mesh = primitive_of(sphere({0, 0, 0}, 0.1, 8));
    json["meshes"] = {mesh("body", body_mesh), mesh("hat", hat_mesh), mesh("feather", feather_mesh),
                      mesh("rod", rod_mesh), mesh("lamp", lamp_mesh)};
    const double half = std::sqrt(0.5);
    json["nodes"] = {
        {{"name", "armature"},
         {"children", {body, lower, lamp}},
         {"rotation", {0, -half, 0, half}},
         {"scale", {0.5, 0.5, 0.5}}},
        {{"name", "body"}, {"mesh", 0}, {"skin", 0}},
        {{"name", "lower"}, {"children", {upper}}},
        {{"name", "upper"}, {"translation", {0, 1, 0}}, {"rotation", {half, 0, 0, half}}, {"children", {hat, rod}}},
        // Level again, whatever turns it; around the top of the tube.
        {{"name", "hat"},
         {"mesh", 1},
         {"translation", {0, 0, -0.6}},
         {"rotation", {-half, 0, 0, half}},
         {"children", {feather}}},
        {{"name", "feather"}, {"mesh", 2}, {"translation", {0.32, 0.3, 0}}},
        {{"name", "rod"}, {"mesh", 3}, {"translation", {0.28, 0, -0.2}}, {"rotation", {0, half, 0, half}}},
        {{"name", "lamp"}, {"mesh", 4}, {"translation", {2, 2, 0}}}};
    json["skins"] = {{{"joints", {lower, upper}}, {"inverseBindMatrices", inverse_binds()}}};
    json["scenes"] = {{{"nodes", {armature}}}};
    json["scene"] = 0;
    json["animations"] = nlohmann::json::array();
    animate("swing", 0.5);
    animate("still", 0);
    animate("sway", 0.2);
  }

 private:
  static nlohmann::json mesh(const char* name, const nlohmann::json& primitive) {
    return {{"name", name}, {"primitives", nlohmann::json::array({primitive})}};
  }

  nlohmann::json skinned_tube() {
    const TriangleMesh tube = upright_tube(30, 24, 2, 0.26);
    nlohmann::json primitive = primitive_of(tube);
    std::vector<std::uint8_t> j;
    std::vector<float> w;
    for (const Vec3& x : tube.positions) {
      const auto upper_share = static_cast<float>(x.y < 0.8 ? 0 : x.y > 1.2 ? 1 : (x.y - 0.8) / 0.4);
      j.insert(j.end(), {0, 1, 0, 0});
      w.insert(w.end(), {1 - upper_share, upper_share, 0, 0});
    }
    primitive["attributes"]["JOINTS_0"] = accessor(j, "VEC4");
    primitive["attributes"]["WEIGHTS_0"] = accessor(w, "VEC4");
    return primitive;
  }

  int inverse_binds() {
    // Column by column: of "lower" the identity, of "upper" down by one and turned back.
    return accessor(std::vector<float>{1, 0, 0, 0, 0, 1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1,
                                       1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1, 1},
                    "MAT4");
  }

  // Leans and shakes by so much.
  void animate(const char* name, double amount) {
    std::vector<float> times, turns, shifts;
    for (int k = 0; k <= 20; ++k) {
      const double t = 0.05 * k, angle = amount * std::sin(2 * pi * t);
      times.push_back(static_cast<float>(t));
      // About x, beside the quarter turn that "upper" has at rest.
      turns.insert(turns.end(), {static_cast<float>(std::sin(pi / 4 + angle / 2)), 0, 0,
                                 static_cast<float>(std::cos(pi / 4 + angle / 2))});
      shifts.insert(shifts.end(), {static_cast<float>(0.3 * amount * std::sin(4 * pi * t)), 0, 0});
    }
    const int input = accessor(times, "SCALAR"), turn = accessor(turns, "VEC4"), shift = accessor(shifts, "VEC3");
    json["animations"].push_back(
        {{"name", name},
         {"samplers", {{{"input", input}, {"output", turn}}, {{"input", input}, {"output", shift}}}},
         {"channels",
          {{{"sampler", 0}, {"target", {{"node", upper}, {"path", "rotation"}}}},
           {{"sampler", 1}, {"target", {{"node", lower}, {"path", "translation"}}}}}}});
  }
};

}  // namespace sinew::test
