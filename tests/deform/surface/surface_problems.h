// Models and examples of other models, for tests of errors and of their gradients.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "sinew/deform/surface/fit/surface_error.h"
#include "tests/deform/surface/surface_motions.h"

namespace sinew::test {

struct Variant {
  std::string name;
  ShapeReference reference = ShapeReference::rig;
  bool shape = false;
  SurfaceErrorOptions error;
  bool is_line = false;  // of vertices, with twigs, in place of a tube
  double range = 0;      // metres, on the average over the vertices; 0: none
};

// Every choice by itself, and all at once.
inline std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const std::string name = reference == ShapeReference::rig ? "rig" : "rest";
    all.push_back({name, reference, false, {}});
    all.push_back({name + ", shape", reference, true, {}});
    all.push_back({name + ", window", reference, false, {.window = 7, .velocity_weight = 0}});
    all.push_back({name + ", velocity", reference, false, {.window = 0, .velocity_weight = 0.02}});
    all.push_back({name + ", line", reference, false, {}, true});
    all.push_back({name + ", shape, window, velocity", reference, true, {.window = 5, .velocity_weight = 0.03}});
  }
  all.push_back({"rig, shape, range, window, velocity",
                 ShapeReference::rig,
                 true,
                 {.window = 9, .velocity_weight = 0.02},
                 false,
                 0.04});
  all.push_back({"rest, range", ShapeReference::rest, false, {}, false, 0.04});
  return all;
}

// A model, and examples of another whose parameters are some way off. Frames and vertices have weights.
struct Problem {
  SurfaceModel model;
  std::vector<SurfaceExample> examples;
};

inline Problem problem_of(const Variant& variant, int rings = 7, int columns = 6) {
  Problem problem;
  SurfaceModel& model = problem.model = variant.is_line ? line(30, true) : tube(rings, columns);
  model.reference = variant.reference;
  set_smooth_parameters(model);
  if (variant.shape) set_smooth_shape(model);
  if (variant.range > 0)
    for (const Vec3& x : model.rest) model.range.push_back(variant.range * (1 + 0.5 * smooth_noise(x, 11)));
  SurfaceModel other = model;
  for (VertexParameters& p : other.parameters)
    p = {p.alpha * 1.3, p.beta * 0.7, p.gamma * 1.2, p.lambda * 0.8, p.delta * 1.4};
  problem.examples = {example_of(other, swinging_motion(model, 24)),
                      example_of(other, swinging_motion(model, 17, 3.0))};
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> weight(0.5f, 1.5f);
  problem.examples[1].weight.resize(17 * model.rest.size());
  for (float& w : problem.examples[1].weight) w = weight(generator);
  return problem;
}

}  // namespace sinew::test
