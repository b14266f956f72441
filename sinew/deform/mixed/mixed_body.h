// The body of mixed finite elements: everything that does not change while it is posed. Equation numbers here and in
// the other files of this folder are those of docs/mixed_fem.md.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/free_vertices.h"
#include "sinew/elastic/mixed_materials.h"
#include "sinew/elastic/sample_entries.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/sparse_pattern.h"

namespace sinew {

// Vertices that the rig moves.
struct MixedPins {
  std::vector<int> held;       // exactly; each vertex once
  std::vector<int> tied;       // by springs to points; a vertex may have several
  std::vector<double> spring;  // per tied: newtons per metre, not negative
};

// The places in matrices over free vertices that samples write to: entries a and b of sample s couple at
// place[begin[s] + a * (number of entries) + b] of the pattern's columns, -1 where one of them is held.
struct CouplingPlaces {
  SparsePattern pattern;           // free.count() rows
  std::vector<std::size_t> begin;  // per sample
  std::vector<int> place;
};

struct MixedBody {
  std::vector<Vec3> rest;            // n, metres, rest space
  StrainSamples samples;             // with Element::linear one per tetrahedron, in their order
  StretchEnergy energy;              // Psi(S)
  std::vector<double> skew_modulus;  // per sample, kappa, pascals: resistance to turning away from R (equation 4)
  MixedPins pins;
  FreeVertices free;
  SampleEntries entries;  // of the samples by vertex
  CouplingPlaces places;
};

struct MixedBodyOptions {
  // kappa / mu. 1 makes ARAP the energy mu |F - R|^2; 0 is the paper's pseudo-inverse, which leaves rotations of
  // elements away from R free to first order and needs pins against them (section 4).
  double skew_share = 1;
};

// Throws usage_error for pins that do not exist, are held twice or have negative springs, for samples of other
// vertices, for moduli that are no elastic solid's, and for a connected part of the body that has no pin.
MixedBody mixed_body(std::vector<Vec3> rest, StrainSamples samples, const StretchEnergy& energy, MixedPins pins,
                     const MixedBodyOptions& options = {});

// One pose of the rig, and what acts on the body in it.
struct MixedLoad {
  std::span<const Mat3> rotations;  // per sample: R, rest to world; rotation matrices
  std::span<const Vec3> held;       // per pins.held: where it is, metres, world
  std::span<const Vec3> tied;       // per pins.tied: where its spring ends, metres, world
  std::span<const Vec3> forces;     // per vertex: dead loads, newtons, world; empty: none
};

// Throws usage_error where the spans' lengths do not fit the body or a number is not finite.
void check_load(const MixedBody& body, const MixedLoad& load);

}  // namespace sinew
