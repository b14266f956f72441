// The bodies of SurfaceGpu and the buffers that hold them.
#include "sinew/gpu/surface_gpu_implementation.h"

// Needs <cstdint>, which it does not include.
#include "dynamic_skinning_spirv.h"

namespace sinew {

void SurfaceGpu::Implementation::make_bodies(std::span<const SurfaceGpuModel> packed,
                                             std::span<const int> model_of_body) {
  std::vector<std::size_t> first_word{0};
  for (const SurfaceGpuModel& model : packed) {
    first_word.push_back(first_word.back() + model.words.size());
    order.push_back(model.order);
  }
  narrow(first_word.back(), "models");
  const auto threads = static_cast<std::size_t>(options.threads);
  std::size_t state_quads = 0, bones = 0, outputs = 0, step_groups = 0, show_groups = 0;
  for (std::size_t b = 0; b < model_of_body.size(); ++b) {
    const int m = model_of_body[b];
    if (m < 0 || static_cast<std::size_t>(m) >= packed.size())
      throw usage_error("body " + std::to_string(b) + " on the GPU is of model " + std::to_string(m) +
                        ", and there are " + std::to_string(packed.size()));
    const SurfaceGpuModel& model = packed[static_cast<std::size_t>(m)];
    const auto word = static_cast<std::uint32_t>(first_word[static_cast<std::size_t>(m)]);
    bodies.push_back({narrow(state_quads, "vertices"), model.vertex_count, narrow(bones, "bones"),
                      (model.reference == ShapeReference::rest ? rest_reference : 0) |
                          (model.shaped ? shaped_restoration : 0) | (model.ranged ? ranged : 0),
                      word / 4 + model.vertices, word + model.attributes, word + model.slices, word + model.segments,
                      word + model.sources, model.output_count, narrow(outputs, "vertices"),
                      static_cast<float>(model.step), static_cast<float>(model.reach), word + model.modes,
                      static_cast<std::uint32_t>(model.mode_scale.size()), static_cast<float>(model.shortest_spoke)});
    modal.push_back({model.modal, model.mode_scale, model.turn_scale, {}});
    rest_modes(b);
    model_of.push_back(static_cast<std::uint32_t>(m));
    bone_count.push_back(model.bone_count);
    first_group.push_back(narrow(step_groups, "vertices"));
    first_show_group.push_back(narrow(show_groups, "vertices"));
    state_quads += 3 * std::size_t{model.vertex_count};
    bones += model.bone_count;
    outputs += model.output_count;
    step_groups += (model.vertex_count + threads - 1) / threads;
    show_groups += (model.output_count + threads - 1) / threads;
  }
  narrow(state_quads, "vertices");
  narrow(3 * bones * static_cast<std::size_t>(options.most_steps + 1), "bones");
  narrow(3 * outputs, "vertices");
  first_group.push_back(narrow(step_groups, "vertices"));
  first_show_group.push_back(narrow(show_groups, "vertices"));
  all_bones = static_cast<std::uint32_t>(bones);
}

void SurfaceGpu::Implementation::make_buffers(std::span<const SurfaceGpuModel> packed) {
  std::vector<Group> table;  // groups of steps, then groups of the output
  const auto threads = static_cast<std::uint32_t>(options.threads);
  for (std::uint32_t b = 0; b < bodies.size(); ++b)
    for (std::uint32_t i = 0; i < bodies[b].vertex_count; i += threads) table.push_back({b, i});
  for (std::uint32_t b = 0; b < bodies.size(); ++b)
    for (std::uint32_t i = 0; i < bodies[b].output_count; i += threads) table.push_back({b, i});
  for (std::uint32_t& first : first_show_group) first += first_group.back();
  std::vector<std::uint32_t> words;
  for (const SurfaceGpuModel& model : packed) words.insert(words.end(), model.words.begin(), model.words.end());

  const BodyRecord& last = bodies.back();
  const std::size_t state_bytes = (last.state + 3 * std::size_t{last.vertex_count}) * sizeof(Quad);
  const std::size_t shape_bytes = 3 * sizeof(float) * (std::size_t{last.output_first} + last.output_count);
  const std::size_t pose_bytes = all_bones * sizeof(BoneRecord) * static_cast<std::size_t>(options.most_steps + 1);
  const std::size_t motion_bytes = bodies.size() * sizeof(MotionRecord);
  groups = VulkanBuffer(device, table.size() * sizeof(Group), BufferMemory::device, "workgroups of the bodies");
  bodies_buffer = VulkanBuffer(device, bodies.size() * sizeof(BodyRecord), BufferMemory::device, "bodies");
  models = VulkanBuffer(device, words.size() * sizeof(std::uint32_t), BufferMemory::device, "surface models");
  poses = VulkanBuffer(device, pose_bytes, BufferMemory::device, "bones of the bodies");
  motions_buffer = VulkanBuffer(device, motion_bytes, BufferMemory::device, "surroundings of the bodies");
  for (VulkanBuffer& buffer : state)
    buffer = VulkanBuffer(device, state_bytes, BufferMemory::device, "vertices of the bodies");
  positions = VulkanBuffer(device, shape_bytes, BufferMemory::device, "positions of the bodies");
  normals = VulkanBuffer(device, shape_bytes, BufferMemory::device, "normals of the bodies");
  pose_staging = VulkanBuffer(device, pose_bytes, BufferMemory::upload, "bones of the bodies");
  motion_staging = VulkanBuffer(device, motion_bytes, BufferMemory::upload, "surroundings of the bodies");
  upload(device, groups, 0, bytes_of(table));
  upload(device, bodies_buffer, 0, bytes_of(bodies));
  upload(device, models, 0, bytes_of(words));
  run_commands(device, [&](VkCommandBuffer commands) {  // output vertices that are not in the model stay zero
    vkCmdFillBuffer(commands, positions.handle(), 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(commands, normals.handle(), 0, VK_WHOLE_SIZE, 0);
    memory_barrier(commands);
  });

  std::vector<std::vector<std::uint32_t>> constants;
  for (std::uint32_t entry = 0; entry < entries; ++entry) constants.push_back({threads, entry});
  pipelines = std::make_unique<VulkanPipelines>(device, dynamic_skinning_spirv, buffers, sizeof(Call), constants);
  for (std::size_t k = 0; k < 2; ++k)
    sets[k] = pipelines->bind(std::array<VkBuffer, buffers>{
        groups.handle(), bodies_buffer.handle(), models.handle(), poses.handle(), motions_buffer.handle(),
        state[1 - k].handle(), state[k].handle(), positions.handle(), normals.handle()});
  if (device.timestamp_bits == 0) return;
  VkQueryPoolCreateInfo queries{};
  queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = 2;
  check(device, vkCreateQueryPool(device.device, &queries, nullptr, &clock), "make a clock");
}

void SurfaceGpu::Implementation::set_bones(std::size_t body, std::span<const Affine> bones,
                                           std::vector<BoneRecord>& pose) const {
  if (bones.size() != bone_count[body])
    throw input_error("body " + std::to_string(body) + " on the GPU was given " + std::to_string(bones.size()) +
                      " bones and its model has " + std::to_string(bone_count[body]));
  for (std::size_t k = 0; k < bones.size(); ++k) {
    const BoneRecord bone = bone_record(bones[k]);
    for (const float value : bone.rows)
      if (!(std::abs(value) <= largest_number))
        throw input_error("the matrix of bone " + std::to_string(k) + " of body " + std::to_string(body) +
                          " on the GPU is not finite or larger than 1,000,000: give metres, near the origin");
    pose[bodies[body].bones + k] = bone;
  }
}

}  // namespace sinew
