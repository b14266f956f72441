// make_blocks()
#include <algorithm>

#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/fit/gradient_kernel.h"
#include "sinew/deform/surface/vertex_terms.h"

namespace sinew::gradient_kernel {
namespace {

// Lists of different length per vertex, block by block: `length(i)` of vertex i, padded to the longest of its block.
template <class Length>
std::vector<int> first_slots(const Blocks& blocks, const Length& length) {
  std::vector<int> first{0};
  for (std::size_t b = 0; b < blocks.blocks; ++b) {
    int longest = 0;
    for (std::size_t i = b * block_size; i < std::min((b + 1) * block_size, blocks.vertices); ++i)
      longest = std::max(longest, length(i));
    first.push_back(first.back() + longest);
  }
  return first;
}

void add_neighbours(const SurfaceModel& model, Blocks& blocks) {
  const auto count = [&](std::size_t i) { return model.first_neighbour[i + 1] - model.first_neighbour[i]; };
  blocks.first_slot = first_slots(blocks, count);
  const auto nobody = static_cast<int>(blocks.blocks * block_size);  // the first of the zeros
  for (std::size_t b = 0; b < blocks.blocks; ++b)
    for (int slot = 0; slot < blocks.first_slot[b + 1] - blocks.first_slot[b]; ++slot)
      for (std::size_t i = b * block_size; i < (b + 1) * block_size; ++i) {
        const bool there = i < blocks.vertices && slot < count(i);
        const int j = there ? model.neighbours[static_cast<std::size_t>(model.first_neighbour[i] + slot)] : -1;
        blocks.neighbour.push_back(there ? j : static_cast<int>(i));
        blocks.listener.push_back(there ? j : nobody);
      }
  blocks.share.assign(blocks.stride, 0);
  for (std::size_t i = 0; i < blocks.vertices; ++i)
    if (count(i) > 0) blocks.share[i] = 1 / static_cast<double>(count(i));
}

void add_spokes(const SurfaceModel& model, Blocks& blocks) {
  const auto count = [&](std::size_t i) { return model.first_spoke[i + 1] - model.first_spoke[i]; };
  blocks.first_spoke = first_slots(blocks, count);
  for (std::size_t b = 0; b < blocks.blocks; ++b)
    for (int slot = 0; slot < blocks.first_spoke[b + 1] - blocks.first_spoke[b]; ++slot)
      for (std::size_t i = b * block_size; i < (b + 1) * block_size; ++i) {
        const bool there = i < blocks.vertices && slot < count(i);
        const Spoke spoke =
            there ? model.spokes[static_cast<std::size_t>(model.first_spoke[i] + slot)] : Spoke{.segment = 0};
        const SurfaceSegment& segment = model.segments[static_cast<std::size_t>(spoke.segment)];
        blocks.spoke_segment.push_back(spoke.segment);
        blocks.spoke_weight.push_back(there ? spoke.weight : 0);
        blocks.spoke_length.push_back(
            there ? distance(model.rest[i], nearest_on_segment(segment.head, segment.tail, model.rest[i])) : 0);
      }
}

}  // namespace

Blocks make_blocks(const SurfaceModel& model) {
  Blocks blocks;
  blocks.vertices = model.rest.size();
  blocks.blocks = (blocks.vertices + block_size - 1) / block_size;
  blocks.stride = (blocks.blocks + 1) * block_size;
  blocks.rest_shape = model.reference == ShapeReference::rest;
  blocks.in_directions = !model.shape.empty();
  blocks.reach = model.reach;
  blocks.shortest_spoke = shortest_spoke(model);
  add_neighbours(model, blocks);
  add_spokes(model, blocks);
  blocks.turn.assign(blocks.stride, static_cast<int>(model.bones.size()));
  blocks.rest.assign(3 * blocks.stride, 0);
  blocks.frame_pull.assign(blocks.stride, 1);  // which vertices that are not there turn with
  blocks.range.assign(blocks.stride, 0);
  for (std::size_t i = 0; i < blocks.vertices; ++i) {
    blocks.range[i] = inverse_squared_range(model, i);
    blocks.frame_pull[i] = frame_pull(model, i);
    if (model.influences[i].count > 0) blocks.turn[i] = model.influences[i].joint[0];
    for (std::size_t c = 0; c < 3; ++c) blocks.rest[c * blocks.stride + i] = model.rest[i][c];
  }
  return blocks;
}

}  // namespace sinew::gradient_kernel
