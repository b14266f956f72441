// A rig: anything that maps named parameters p to surface positions s(p) (Hahn 2013, equation 1), such as a skeleton
// with a skin, wires, a lattice, a function, or an external program.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

enum class RigUnit {
  metres,
  radians,
  logarithm,  // logarithm of a scale factor; 0: unchanged
  weight,     // weight of a shape, usually 0 to 1
  other,
};

struct RigParameter {
  std::string name;     // unique in its rig: "belly.translation.x"
  std::string control;  // control that the animator moves: "belly"
  RigUnit unit = RigUnit::other;
  double rest = 0;               // value at which the control does nothing
  double lower = -1, upper = 1;  // intended range; lower <= rest <= upper, lower < upper
  bool free_by_default = true;   // physics moves it when a user frees the control by name
  int rotation = -1;             // index of the first component of its rotation vector; -1: no rotation
};

// Derivatives of surface positions with respect to some of the parameters, sparse: most controls move few vertices.
// Column c has entries start[c] .. start[c + 1], vertices ascending.
struct RigJacobian {
  std::vector<int> start{0};     // columns + 1
  std::vector<int> vertex;       // per entry
  std::vector<Vec3> derivative;  // per entry: ds_vertex / dp_c, metres per unit of the parameter

  std::size_t columns() const { return start.size() - 1; }
};

// An instance holds work space: one thread at a time.
class Rig {
 public:
  virtual ~Rig() = default;

  virtual const std::vector<RigParameter>& parameters() const = 0;
  virtual std::size_t vertices() const = 0;

  // `p`: one value per parameter; values outside the ranges are allowed. `s`: world, metres, one per vertex. Throws
  // input_error naming the rig if it fails or returns numbers that are not finite or a wrong count of vertices.
  virtual void evaluate(std::span<const double> p, std::span<Vec3> s) = 0;

  // Evaluates several parameter vectors, concatenated, into as many surfaces. Override it if batches are faster.
  virtual void evaluate_many(std::span<const double> p, std::span<Vec3> s) {
    const std::size_t count = parameters().size(), points = vertices();
    for (std::size_t i = 0; i * points < s.size(); ++i)
      evaluate(p.subspan(i * count, count), s.subspan(i * points, points));
  }

  // Computes ds/dp for the parameters `columns`. False if the rig cannot (see rig/rig_differences.h).
  virtual bool jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) {
    (void)p, (void)columns, (void)result;
    return false;
  }
};

// The keyed parameters of a rig as functions of time.
class RigAnimation {
 public:
  virtual ~RigAnimation() = default;

  // Sets every keyed parameter to its value at `seconds` on the clip's time line. Others do not change.
  virtual void sample(double seconds, std::span<double> p) const = 0;
  // Per parameter: 1 if it is keyed.
  virtual const std::vector<char>& keyed() const = 0;
  // Per parameter: 1 if it is keyed but stays within `tolerance`, in its own unit, of its rest value. Exporters also
  // key bones that do not move.
  virtual std::vector<char> still(double tolerance = 1e-6) const {
    (void)tolerance;
    return std::vector<char>(keyed().size(), 0);
  }
};

}  // namespace sinew
