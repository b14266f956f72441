// A rig: anything that maps named parameters p to surface positions s(p) (Hahn 2013, equation 1). Physics asks nothing
// else of it: it may be a skeleton with a skin, wires, a lattice, a function, or a program outside.
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
  logarithm,  // of a factor: 0 leaves the size as it is
  weight,     // of a shape: usually 0 to 1
  other,
};

struct RigParameter {
  std::string name;     // unique in its rig: "belly.translation.x"
  std::string control;  // what an animator takes hold of to change it: "belly"
  RigUnit unit = RigUnit::other;
  double rest = 0;               // value at which the control does nothing
  double lower = -1, upper = 1;  // range that it is made for, lower <= rest <= upper, lower < upper
  bool free_by_default = true;   // where a user frees the control by its name
  int rotation = -1;             // first of the three parameters whose rotation vector it is part of; -1: of none
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
  // input_error, naming the rig, where it fails, answers numbers that are not finite or another count of vertices.
  virtual void evaluate(std::span<const double> p, std::span<Vec3> s) = 0;

  // Several parameter vectors one after the other, and as many surfaces: rigs that can answer faster so do.
  virtual void evaluate_many(std::span<const double> p, std::span<Vec3> s) {
    const std::size_t count = parameters().size(), points = vertices();
    for (std::size_t i = 0; i * points < s.size(); ++i)
      evaluate(p.subspan(i * count, count), s.subspan(i * points, points));
  }

  // ds/dp of the parameters `columns`, where the rig knows it; false where it does not (rig/rig_differences.h).
  virtual bool jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) {
    (void)p, (void)columns, (void)result;
    return false;
  }
};

// What an animator keyed of a rig: parameters as functions of time.
class RigAnimation {
 public:
  virtual ~RigAnimation() = default;

  // Sets every parameter that is keyed to its value at `seconds` on the clip's time line; leaves the others as they
  // are.
  virtual void sample(double seconds, std::span<double> p) const = 0;
  // Per parameter: 1 where it is keyed.
  virtual const std::vector<char>& keyed() const = 0;
  // Per parameter: 1 where it is keyed, but never further from its rest value than `tolerance` in its own unit:
  // exporters key every bone, also those that nobody moves.
  virtual std::vector<char> still(double tolerance = 1e-6) const {
    (void)tolerance;
    return std::vector<char>(keyed().size(), 0);
  }
};

}  // namespace sinew
