// A surface model in the words that runtime/dynamic_skinning.comp reads. No GPU is needed to make it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct SurfaceGpuModel {
  std::vector<std::uint32_t> words;  // "A model" at the head of the shader; a multiple of four of them
  // Where its parts begin, from the first word: `vertices` in quads of four words, the others in words.
  std::uint32_t vertices = 0, attributes = 0, modes = 0, slices = 0, segments = 0, sources = 0;
  std::uint32_t vertex_count = 0, bone_count = 0, output_count = 0;
  ShapeReference reference = ShapeReference::rig;
  bool shaped = false;                        // restoration differs between directions
  bool ranged = false;                        // what is shown has bounds
  double step = 0, reach = 0;                 // seconds, metres
  double shortest_spoke = 0;                  // metres
  std::shared_ptr<const SurfaceModel> modal;  // where there are low-frequency modes, which the host steps
  std::vector<double> mode_scale;             // per mode: what its shape's fractions are to be multiplied by
  std::vector<double> turn_scale;             // ... the fractions of how it turns the surface
  std::vector<std::uint32_t> order;           // per vertex of the shader: the vertex of the model
  std::vector<std::uint32_t> first_output;    // per part of the model, and the end: its first output vertex
};

// Vertices stand in the order of the run-time (runtime_order), parameters and weights as the model's file has them: 8
// and 16 bits (encode_parameters). Shapes of restoration have 16 bits; of a model that goes into a file they have 8
// there, and so have those that read_runtime_file gives. Throws input_error where the model is not sound, or is too
// large for the shader's indices.
SurfaceGpuModel pack_surface_model(const SurfaceModel& model);

}  // namespace sinew
