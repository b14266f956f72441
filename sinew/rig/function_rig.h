// A rig that a program brings along as a function.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

class FunctionRig : public Rig {
 public:
  // Surface of one parameter vector: world, metres, as many vertices as the rig has.
  using Function = std::function<std::vector<Vec3>(std::span<const double> p)>;

  // `name` stands in messages. Throws usage_error where two parameters have one name, a range is empty or does not hold
  // the rest value, or there is no function.
  FunctionRig(std::string name, std::vector<RigParameter> parameters, std::size_t vertices, Function function);

  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  std::size_t vertices() const override { return vertices_; }
  // Throws input_error, naming the rig, where the function throws (an Error goes through as it is), answers another
  // number of vertices or a position that is not finite.
  void evaluate(std::span<const double> p, std::span<Vec3> s) override;

 private:
  std::string name_;
  std::vector<RigParameter> parameters_;
  std::size_t vertices_;
  Function function_;
};

// What is wrong with a list of parameters, as a sentence that begins with `name`; empty where nothing is.
std::string wrong_parameters(const std::string& name, std::span<const RigParameter> parameters);

}  // namespace sinew
