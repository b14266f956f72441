// A surface model in the binary layout of runtime/dynamic_skinning.comp. Does not need a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct SurfaceGpuModel {
  std::vector<std::uint32_t> words;  // see "A model" in the header of the shader; a multiple of four
  // Offsets of its parts from the first word: `vertices` in units of four words, the others in words.
  std::uint32_t vertices = 0, attributes = 0, modes = 0, slices = 0, segments = 0, sources = 0;
  std::uint32_t vertex_count = 0, bone_count = 0, output_count = 0;
  ShapeReference reference = ShapeReference::rig;
  bool shaped = false;                        // restoration is anisotropic
  bool ranged = false;                        // the output is clamped
  double step = 0, reach = 0;                 // seconds, metres
  double shortest_spoke = 0;                  // metres
  std::shared_ptr<const SurfaceModel> modal;  // set if there are low-frequency modes, which the host steps
  std::vector<double> mode_scale;             // per mode: factor of its quantised shape
  std::vector<double> turn_scale;             // per mode: factor of its quantised rotation of the surface
  std::vector<std::uint32_t> order;           // per vertex of the shader: the vertex of the model
  std::vector<std::uint32_t> first_output;    // per part of the model, and for the end: its first output vertex
};

// Vertices are in the order of the run-time library (runtime_order). Parameters and weights have 8 and 16 bits as in
// the model's file (encode_parameters). Shapes of restoration have 16 bits here, but only 8 in a file and hence in
// models that read_runtime_file() returns. Throws input_error where the model is invalid or too large for the shader's
// indices.
SurfaceGpuModel pack_surface_model(const SurfaceModel& model);

}  // namespace sinew
