// A rig given by a function of the host program.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"

namespace sinew {

class FunctionRig : public Rig {
 public:
  // Surface for one parameter vector: world, metres, with the rig's number of vertices.
  using Function = std::function<std::vector<Vec3>(std::span<const double> p)>;

  // `name` is used in messages. Throws usage_error where two parameters have the same name, a range is empty or does
  // not contain the rest value, or there is no function.
  FunctionRig(std::string name, std::vector<RigParameter> parameters, std::size_t vertices, Function function);

  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  std::size_t vertices() const override { return vertices_; }
  // Throws input_error, naming the rig, where the function throws (an Error is passed on unchanged), or returns another
  // number of vertices or a position that is not finite.
  void evaluate(std::span<const double> p, std::span<Vec3> s) override;

 private:
  std::string name_;
  std::vector<RigParameter> parameters_;
  std::size_t vertices_;
  Function function_;
};

// Checks a list of parameters. Returns a sentence about the first defect, which begins with `name`; empty if there is
// none.
std::string wrong_parameters(const std::string& name, std::span<const RigParameter> parameters);

}  // namespace sinew
