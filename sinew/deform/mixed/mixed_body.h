// The body for mixed finite elements: everything that does not change with the pose. Equation numbers here and in the
// other files of this folder are those of docs/mixed_fem.md.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/free_vertices.h"
#include "sinew/elastic/mixed_materials.h"
#include "sinew/elastic/sample_entries.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/sparse_pattern.h"

namespace sinew {

// Vertices that the rig moves, exactly or by springs.
struct MixedPins {
  std::vector<int> held;       // vertices moved exactly; each once
  std::vector<int> tied;       // vertices tied to points by springs; a vertex may have several
  std::vector<double> spring;  // per tied: newtons per metre, not negative
};

// Assembly map from samples to matrices over free vertices: entries a and b of sample s couple at place[begin[s] + a *
// (number of entries) + b] of the pattern's columns; -1 if one of them is held.
struct CouplingPlaces {
  SparsePattern pattern;           // free.count() rows
  std::vector<std::size_t> begin;  // per sample
  std::vector<int> place;
};

struct MixedBody {
  std::vector<Vec3> rest;            // n, metres, rest space
  StrainSamples samples;             // with Element::linear one per tetrahedron, in their order
  StretchEnergy energy;              // Psi(S)
  std::vector<double> skew_modulus;  // kappa per sample, pascals: resistance to rotating away from R (equation 4)
  MixedPins pins;
  FreeVertices free;
  SampleEntries entries;  // entries of the samples, by vertex
  CouplingPlaces places;
};

struct MixedBodyOptions {
  // kappa / mu. 1 makes ARAP the energy mu |F - R|^2. 0 is the paper's pseudo-inverse, which to first order does not
  // resist rotation of elements away from R and needs pins against it (section 4).
  double skew_share = 1;
};

// Throws usage_error for pins that do not exist, are held twice or have negative springs, for samples of other
// vertices, for inadmissible moduli, and for a connected part of the body without a pin.
MixedBody mixed_body(std::vector<Vec3> rest, StrainSamples samples, const StretchEnergy& energy, MixedPins pins,
                     const MixedBodyOptions& options = {});

// One pose of the rig, and the loads on the body in it.
struct MixedLoad {
  std::span<const Mat3> rotations;  // per sample: R, rest to world; rotation matrices
  std::span<const Vec3> held;       // per pins.held: position, metres, world
  std::span<const Vec3> tied;       // per pins.tied: end of its spring, metres, world
  std::span<const Vec3> forces;     // per vertex: dead loads, newtons, world; empty: none
};

// Throws usage_error if a span has the wrong length or a number is not finite.
void check_load(const MixedBody& body, const MixedLoad& load);

}  // namespace sinew
