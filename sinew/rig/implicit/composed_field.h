// The fields of a skin's parts in a pose, and their union as one vertex sees it.
#pragma once

#include <span>
#include <vector>

#include "sinew/rig/implicit/implicit_skin.h"

namespace sinew {

// A vertex's field at a place: 1 deep inside, 0 far outside.
struct ComposedValue {
  double value = 0;
  Vec3 gradient;  // 1/m, world
  int top = -1;   // the part that decides it; -1: no part reaches there
};

class PosedFields {
 public:
  // `skin` must outlive this object. Parts whose bone's map cannot be inverted have no field in this pose.
  PosedFields(const ImplicitSkin& skin, std::span<const Affine> bones);

  // One part's field at a place in the world, with its gradient in the world. False: it does not reach there.
  bool part(int part, const Vec3& x, FieldValue& result) const;
  // The union of the vertex's own parts at a place.
  ComposedValue own(std::size_t vertex, const Vec3& x) const;
  // That, or the highest of the other parts, less what overlaps at rest.
  ComposedValue all(std::size_t vertex, const Vec3& x) const;
  // The highest of all parts but the vertex's strongest one, less what overlaps at rest.
  ComposedValue others(std::size_t vertex, const Vec3& x) const;

 private:
  struct Placed {
    bool there = false;
    Affine to_rest;    // world to rest space
    Vec3 least, most;  // of the field's box: world, metres
  };
  std::span<const int> own_parts(std::size_t vertex) const;
  // The higher of `result` and the parts that are not among `without`, which are ascending.
  ComposedValue with_others(std::size_t vertex, const Vec3& x, std::span<const int> without, ComposedValue result) const;

  const ImplicitSkin& skin_;
  std::vector<Placed> placed_;
};

}  // namespace sinew
