#include "sinew/deform/mixed/mixed_body.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

void check_samples(const StrainSamples& samples, std::size_t vertices) {
  for (const int v : samples.vertex)
    if (v < 0 || index(v) >= vertices)
      throw usage_error("the body has an element at vertex " + std::to_string(v) + ", but " + std::to_string(vertices) +
                        " vertices only; give all of them.");
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const LameModuli moduli{samples.shear[s], samples.lambda[s]};
    // Samples of shear alone have no bulk modulus, to rounding.
    const bool elastic = std::isfinite(moduli.shear) && moduli.shear > 0 && std::isfinite(moduli.lambda) &&
                         bulk_modulus(moduli) >= -1e-12 * moduli.shear;
    if (!elastic || !(samples.volume[s] >= 0) || !std::isfinite(samples.volume[s]))
      throw usage_error("element " + std::to_string(s) +
                        " of the body has no stiffness or no volume that an elastic solid can have; give it a "
                        "positive Young's modulus and a Poisson's ratio between -1 and 0.5.");
  }
}

void check_pins(const MixedPins& pins, std::size_t vertices) {
  std::vector<int> held = pins.held;
  std::sort(held.begin(), held.end());
  const auto twice = std::adjacent_find(held.begin(), held.end());
  if (twice != held.end())
    throw usage_error("vertex " + std::to_string(*twice) + " of the body is held twice; hold it once.");
  if (pins.spring.size() != pins.tied.size())
    throw usage_error("there are " + std::to_string(pins.spring.size()) + " springs for " +
                      std::to_string(pins.tied.size()) + " tied vertices; give one each.");
  for (std::size_t k = 0; k < pins.tied.size(); ++k) {
    if (pins.tied[k] < 0 || index(pins.tied[k]) >= vertices)
      throw usage_error("tied vertex " + std::to_string(pins.tied[k]) + " is not among the body's " +
                        std::to_string(vertices) + " vertices; tie vertices of this body.");
    if (!(pins.spring[k] >= 0) || !std::isfinite(pins.spring[k]))
      throw usage_error("the spring of tied vertex " + std::to_string(pins.tied[k]) +
                        " is not a stiffness; give newtons per metre, not negative.");
  }
}

// A part that hangs together by its elements and has no pin could be anywhere.
void check_every_part_is_pinned(const MixedBody& body) {
  DisjointSets parts(body.rest.size());
  const StrainSamples& samples = body.samples;
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (int k = samples.start[s] + 1; samples.volume[s] > 0 && k < samples.start[s + 1]; ++k)
      parts.unite(samples.vertex[index(samples.start[s])], samples.vertex[index(k)]);
  std::vector<char> pinned(body.rest.size(), 0);
  for (const int v : body.pins.held) pinned[index(parts.find(v))] = 1;
  for (std::size_t k = 0; k < body.pins.tied.size(); ++k)
    if (body.pins.spring[k] > 0) pinned[index(parts.find(body.pins.tied[k]))] = 1;
  for (std::size_t v = 0; v < body.rest.size(); ++v)
    if (!pinned[index(parts.find(static_cast<int>(v)))])
      throw usage_error("vertex " + std::to_string(v) +
                        " of the body and all that hangs together with it has no pin; pin one of its vertices.");
}

CouplingPlaces coupling_places(const StrainSamples& samples, const FreeVertices& free) {
  std::vector<int> elements, start{0};
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k)
      if (const int number = free.number[index(samples.vertex[index(k)])]; number >= 0) elements.push_back(number);
    start.push_back(static_cast<int>(elements.size()));
  }
  CouplingPlaces places{element_pattern(free.count(), elements, start), {}, {}};
  for (std::size_t s = 0; s < samples.size(); ++s) {
    places.begin.push_back(places.place.size());
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k)
      for (int l = samples.start[s]; l < samples.start[s + 1]; ++l) {
        const int row = free.number[index(samples.vertex[index(k)])];
        const int column = free.number[index(samples.vertex[index(l)])];
        places.place.push_back(
            row < 0 || column < 0 ? -1 : find_column(places.pattern.row_start, places.pattern.column, row, column));
      }
  }
  return places;
}

}  // namespace

MixedBody mixed_body(std::vector<Vec3> rest, StrainSamples samples, const StretchEnergy& energy, MixedPins pins,
                     const MixedBodyOptions& options) {
  if (!(options.skew_share >= 0) || !std::isfinite(options.skew_share))
    throw usage_error(
        "the resistance to turning away from given rotations is a share of the shear modulus; give 0 or "
        "more.");
  check_samples(samples, rest.size());
  check_pins(pins, rest.size());
  MixedBody body;
  body.rest = std::move(rest);
  body.samples = std::move(samples);
  body.energy = energy;
  for (const double shear : body.samples.shear) body.skew_modulus.push_back(options.skew_share * shear);
  body.pins = std::move(pins);
  body.free = free_vertices(body.rest.size(), body.pins.held);
  check_every_part_is_pinned(body);
  body.entries = entries_of_vertices(body.samples, static_cast<int>(body.rest.size()));
  body.places = coupling_places(body.samples, body.free);
  return body;
}

namespace {

void check_length(std::size_t given, std::size_t wanted, const char* what, const char* per) {
  if (given != wanted)
    throw usage_error("there are " + std::to_string(given) + ' ' + what + " for " + std::to_string(wanted) + ' ' + per +
                      "; give one each.");
}
void check_finite(std::span<const Vec3> vectors, const char* what) {
  for (std::size_t k = 0; k < vectors.size(); ++k)
    if (!is_finite(vectors[k]))
      throw usage_error(std::string(what) + ' ' + std::to_string(k) + " is not a finite number; mend the rig's pose.");
}

}  // namespace

void check_load(const MixedBody& body, const MixedLoad& load) {
  check_length(load.rotations.size(), body.samples.size(), "rotations", "elements");
  check_length(load.held.size(), body.pins.held.size(), "places", "held vertices");
  check_length(load.tied.size(), body.pins.tied.size(), "places", "tied vertices");
  if (!load.forces.empty()) check_length(load.forces.size(), body.rest.size(), "forces", "vertices");
  for (std::size_t s = 0; s < load.rotations.size(); ++s)
    if (!std::isfinite(frobenius_norm(load.rotations[s])))
      throw usage_error("the rotation of element " + std::to_string(s) +
                        " is not a finite number; mend the rig's pose.");
  check_finite(load.held, "the place of held vertex");
  check_finite(load.tied, "the place of tied vertex");
  check_finite(load.forces, "the force on vertex");
}

}  // namespace sinew
