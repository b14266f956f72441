#include "sinew/gpu/surface_gpu.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/gpu/surface_gpu_implementation.h"

namespace sinew {

namespace {

void check_finite(const Vec3& v, const char* what) {
  if (!(std::abs(v.x) <= largest_number && std::abs(v.y) <= largest_number && std::abs(v.z) <= largest_number))
    throw input_error(std::string("the ") + what +
                      " of a body on the GPU is not finite or larger than 1,000,000: give SI units");
}

}  // namespace

// Workgroups beyond the limit of one dimension are spread over two; the shader skips surplus ones.
void SurfaceGpu::Implementation::dispatch(VkCommandBuffer commands, Entry entry, std::uint32_t written,
                                          const Call& call) const {
  if (call.group_count == 0) return;
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines->pipeline(entry));
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines->layout(), 0, 1, &sets[written], 0,
                          nullptr);
  vkCmdPushConstants(commands, pipelines->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Call), &call);
  const std::uint32_t widest = device.properties.limits.maxComputeWorkGroupCount[0];
  const std::uint32_t rows = (call.group_count - 1) / widest + 1;
  vkCmdDispatch(commands, (call.group_count - 1) / rows + 1, rows, 1);
}

void SurfaceGpu::Implementation::stage_pose(std::size_t slot, const std::vector<BoneRecord>& pose) const {
  const std::size_t bytes = all_bones * sizeof(BoneRecord);
  if (bytes > 0) std::memcpy(pose_staging.mapped() + slot * bytes, pose.data(), bytes);
}

void SurfaceGpu::Implementation::copy_poses(VkCommandBuffer commands, std::size_t count) const {
  if (all_bones == 0) return;
  const VkBufferCopy range{0, 0, count * all_bones * sizeof(BoneRecord)};
  vkCmdCopyBuffer(commands, pose_staging.handle(), poses.handle(), 1, &range);
}

// Steps with bones from fraction `begin` of the way between the two poses to fraction `end`, in equal parts.
void SurfaceGpu::Implementation::run_steps(int steps, double begin, double end) {
  std::vector<BoneRecord> pose(all_bones), previous;
  for (int s = 0; s <= steps; ++s) {
    previous = pose;
    const auto share = static_cast<float>(begin + (end - begin) * s / steps);
    for (std::size_t k = 0; k < pose.size(); ++k)
      for (std::size_t c = 0; c < 12; ++c)
        pose[k].rows[c] = share >= 1 ? next_pose[k].rows[c]
                                     : last_pose[k].rows[c] + share * (next_pose[k].rows[c] - last_pose[k].rows[c]);
    stage_pose(static_cast<std::size_t>(s), pose);
    if (s == 0) continue;
    for (std::size_t b = 0; b < bodies.size(); ++b) step_modes_of(b, previous, pose);
    before_pose = previous;
  }
  if (motions_changed) std::memcpy(motion_staging.mapped(), motions.data(), motions.size() * sizeof(MotionRecord));
  run_commands(device, [&](VkCommandBuffer commands) {
    copy_poses(commands, static_cast<std::size_t>(steps) + 1);
    if (motions_changed) {
      const VkBufferCopy range{0, 0, motions.size() * sizeof(MotionRecord)};
      vkCmdCopyBuffer(commands, motion_staging.handle(), motions_buffer.handle(), 1, &range);
    }
    memory_barrier(commands);
    if (clock) vkCmdResetQueryPool(commands, clock, 0, 2);
    if (clock) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, clock, 0);
    for (int s = 0; s < steps; ++s) {
      after = 1 - after;
      Call call;
      call.group_count = first_group.back();
      call.pose = static_cast<std::uint32_t>(s) * all_bones;
      call.next_pose = call.pose + all_bones;
      dispatch(commands, step_entry, after, call);
      memory_barrier(commands);
    }
    if (clock) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, clock, 1);
  });
  motions_changed = false;
  if (!clock) return;
  std::uint64_t ticks[2] = {};
  check(device,
        vkGetQueryPoolResults(device.device, clock, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "read its clock");
  const std::uint64_t mask =
      device.timestamp_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << device.timestamp_bits) - 1;
  last_step_seconds += static_cast<double>((ticks[1] - ticks[0]) & mask) * 1e-9 *
                       static_cast<double>(device.properties.limits.timestampPeriod);
}

// Coupled modes ask for the state at the beginning of each step.
bool SurfaceGpu::Implementation::is_coupled() const {
  return std::any_of(modal.begin(), modal.end(),
                     [](const BodyModes& body) { return body.model && body.model->mode_coupling > 0; });
}

void SurfaceGpu::Implementation::rest_modes(std::size_t body) {
  const std::size_t count = modal[body].scale.size();
  modal[body].state = {std::vector<double>(count), std::vector<double>(count)};
}

void SurfaceGpu::Implementation::step_modes_of(std::size_t body, std::span<const BoneRecord> now,
                                               std::span<const BoneRecord> next) {
  BodyModes& own = modal[body];
  if (!own.model) return;
  const auto maps = [&](std::span<const BoneRecord> pose) {
    return affine_maps(pose.subspan(bodies[body].bones, bone_count[body]));
  };
  const std::vector<Affine> bones = maps(now);
  std::vector<double> deviation;
  if (own.model->mode_coupling > 0) {
    const SurfaceGpuState then = state_of(body);
    deviation = mode_deviation(*own.model, bones, then.goals, then.positions);
  }
  step_modes(*own.model, maps(before_pose), bones, maps(next), deviation, own.state);
}

// Writes the modes' coordinates of this step to where the shader's shape() and poke() read them.
void SurfaceGpu::Implementation::stage_modes(std::size_t body, double fraction) const {
  const BodyModes& own = modal[body];
  MotionRecord motion = motions[body];
  std::vector<double> shown(own.scale.size());
  for (std::size_t k = 0; k < shown.size(); ++k)
    shown[k] = own.state.before[k] + fraction * (own.state.now[k] - own.state.before[k]);
  if (own.model) limit_modes(*own.model, shown);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    motion.modes[k] = static_cast<float>(own.scale[k] * shown[k]);
    motion.turns[k] = static_cast<float>(own.turn_scale[k] * shown[k]);
  }
  std::memcpy(motion_staging.mapped() + body * sizeof(MotionRecord), &motion, sizeof(MotionRecord));
}

void SurfaceGpu::Implementation::copy_modes(VkCommandBuffer commands, std::size_t body) const {
  const VkBufferCopy range{body * sizeof(MotionRecord) + offsetof(MotionRecord, modes),
                           body * sizeof(MotionRecord) + offsetof(MotionRecord, modes),
                           sizeof(MotionRecord::modes) + sizeof(MotionRecord::turns)};
  vkCmdCopyBuffer(commands, motion_staging.handle(), motions_buffer.handle(), 1, &range);
}

void SurfaceGpu::Implementation::require_ready(std::size_t body) const {
  if (!ready[body]) throw usage_error("body " + std::to_string(body) + " on the GPU has no state yet: reset it first");
}

Call SurfaceGpu::Implementation::call_for(std::size_t body) const {
  Call call;
  call.first_group = first_group[body];
  call.group_count = first_group[body + 1] - first_group[body];
  return call;
}

// Runs an entry point that changes the state at the end of the last step.
void SurfaceGpu::Implementation::change(Entry entry, const Call& call) {
  run_commands(device, [&](VkCommandBuffer commands) {
    memory_barrier(commands);
    dispatch(commands, entry, after, call);
    memory_barrier(commands);
  });
}

// Resets both states, so that the output between them is the same.
void SurfaceGpu::Implementation::reset_groups(Call call) {
  call.pose = 0;
  call.next_pose = all_bones;
  run_commands(device, [&](VkCommandBuffer commands) {
    copy_poses(commands, 2);
    memory_barrier(commands);
    dispatch(commands, reset_entry, 0, call);
    memory_barrier(commands);
    dispatch(commands, reset_entry, 1, call);
    memory_barrier(commands);
  });
}

SurfaceGpu::SurfaceGpu(GpuDevice& device, std::span<const SurfaceGpuModel> models, std::span<const int> model_of_body,
                       const SurfaceGpuOptions& options)
    : implementation_(std::make_unique<Implementation>(device, options)) {
  const VkPhysicalDeviceLimits& limits = device.vulkan().properties.limits;
  const int most =
      static_cast<int>(std::min({limits.maxComputeWorkGroupSize[0], limits.maxComputeWorkGroupInvocations, 1024u}));
  if (options.threads < 32 || options.threads > most || options.threads % 32 != 0)
    throw usage_error("a workgroup of " + std::to_string(options.threads) +
                      " threads was asked for: take a multiple of "
                      "32 up to " +
                      std::to_string(most));
  if (options.most_steps < 1 || options.most_steps > 1024)
    throw usage_error("between 1 and 1024 steps can be handed to the GPU at once, not " +
                      std::to_string(options.most_steps));
  if (model_of_body.empty()) throw usage_error("no bodies were asked for on the GPU: give at least one");
  Implementation& own = *implementation_;
  own.make_bodies(models, model_of_body);
  own.before_pose.resize(own.all_bones);
  own.last_pose.resize(own.all_bones);
  own.next_pose.resize(own.all_bones);
  own.ready.resize(own.bodies.size());
  own.motions.resize(own.bodies.size());
  own.make_buffers(models);
}

SurfaceGpu::~SurfaceGpu() = default;
SurfaceGpu::SurfaceGpu(SurfaceGpu&&) noexcept = default;
SurfaceGpu& SurfaceGpu::operator=(SurfaceGpu&&) noexcept = default;

int SurfaceGpu::body_count() const { return static_cast<int>(implementation_->bodies.size()); }
double SurfaceGpu::last_step_seconds() const { return implementation_->last_step_seconds; }

void SurfaceGpu::set_bones(int body, std::span<const Affine> bones) {
  implementation_->set_bones(implementation_->body_index(body), bones, implementation_->next_pose);
}

void SurfaceGpu::set_surroundings(int body, const SurfaceSurroundings& s) {
  check_finite(s.acceleration, "acceleration");
  check_finite(s.wind, "wind");
  const std::size_t b = implementation_->body_index(body);
  if (!(s.air >= 0 && s.air * static_cast<double>(implementation_->bodies[b].step) <= 0.5))
    throw input_error(
        "the air's rate of a body on the GPU must be between 0 and half a step's inverse: give such a number");
  MotionRecord& motion = implementation_->motions[b];
  const double acceleration[4] = {s.acceleration.x, s.acceleration.y, s.acceleration.z, s.air};
  const double wind[3] = {s.wind.x, s.wind.y, s.wind.z};
  for (std::size_t c = 0; c < 4; ++c) motion.acceleration_air[c] = static_cast<float>(acceleration[c]);
  for (std::size_t c = 0; c < 3; ++c) motion.wind[c] = static_cast<float>(wind[c]);
  implementation_->motions_changed = true;
}

void SurfaceGpu::reset(int body, std::span<const Affine> bones_before) {
  Implementation& own = *implementation_;
  const std::size_t b = own.body_index(body);
  const auto first = static_cast<std::ptrdiff_t>(own.bodies[b].bones);
  std::copy_n(own.next_pose.begin() + first, own.bone_count[b], own.last_pose.begin() + first);
  std::vector<BoneRecord> before = own.last_pose;
  if (!bones_before.empty()) own.set_bones(b, bones_before, before);
  own.stage_pose(0, before);
  own.stage_pose(1, own.next_pose);
  std::copy_n(before.begin() + first, own.bone_count[b], own.before_pose.begin() + first);
  own.rest_modes(b);
  own.reset_groups(own.call_for(b));
  own.ready[b] = true;
}

void SurfaceGpu::reset() {
  Implementation& own = *implementation_;
  own.last_pose = own.before_pose = own.next_pose;
  for (std::size_t b = 0; b < own.bodies.size(); ++b) own.rest_modes(b);
  own.stage_pose(0, own.last_pose);
  own.stage_pose(1, own.next_pose);
  Call call;
  call.group_count = own.first_group.back();
  own.reset_groups(call);
  own.ready.assign(own.ready.size(), true);
}

void SurfaceGpu::step(int steps) {
  Implementation& own = *implementation_;
  for (std::size_t b = 0; b < own.bodies.size(); ++b) own.require_ready(b);
  own.last_step_seconds = 0;
  for (int done = 0; done < steps;) {
    const int now = own.is_coupled() ? 1 : std::min(own.options.most_steps, steps - done);
    own.run_steps(now, static_cast<double>(done) / steps, static_cast<double>(done + now) / steps);
    done += now;
  }
  own.last_pose = own.next_pose;
}

void SurfaceGpu::poke(int body, const Vec3& centre, double radius, const Vec3& velocity_change) {
  Implementation& own = *implementation_;
  const std::size_t b = own.body_index(body);
  own.require_ready(b);
  check_finite(centre, "poke's centre");
  check_finite(velocity_change, "poke's velocity");
  if (!(radius > 0 && radius <= largest_number)) throw input_error("a poke's radius must be positive: give metres");
  Call call = own.call_for(b);
  const double sphere[4] = {centre.x, centre.y, centre.z, radius};
  const double vector[3] = {velocity_change.x, velocity_change.y, velocity_change.z};
  std::transform(sphere, sphere + 4, call.sphere, [](double v) { return static_cast<float>(v); });
  std::transform(vector, vector + 3, call.vector, [](double v) { return static_cast<float>(v); });
  own.stage_pose(0, own.last_pose);
  own.stage_modes(b, 1);
  run_commands(own.device, [&](VkCommandBuffer commands) {
    own.copy_poses(commands, 1);
    own.copy_modes(commands, b);
  });
  own.change(poke_entry, call);
}

void SurfaceGpu::rebase(int body, const Vec3& shift) {
  Implementation& own = *implementation_;
  const std::size_t b = own.body_index(body);
  own.require_ready(b);
  check_finite(shift, "shift of the origin");
  Call call = own.call_for(b);
  const double vector[3] = {shift.x, shift.y, shift.z};
  std::transform(vector, vector + 3, call.vector, [](double v) { return static_cast<float>(v); });
  own.change(rebase_entry, call);
  for (std::size_t k = 0; k < own.bone_count[b]; ++k)
    for (std::size_t r = 0; r < 3; ++r) {
      own.last_pose[own.bodies[b].bones + k].rows[4 * r + 3] -= call.vector[r];
      own.before_pose[own.bodies[b].bones + k].rows[4 * r + 3] -= call.vector[r];
    }
}

SurfaceGpuState SurfaceGpu::state(int body) const {
  const std::size_t b = implementation_->body_index(body);
  implementation_->require_ready(b);
  return implementation_->state_of(b);
}

SurfaceGpuState SurfaceGpu::Implementation::state_of(std::size_t b) const {
  const std::size_t n = bodies[b].vertex_count;
  std::vector<Quad> quads(3 * n);
  download(device, state[after], bodies[b].state * sizeof(Quad), std::as_writable_bytes(std::span<Quad>(quads)));
  SurfaceGpuState result{std::vector<Vec3>(n), std::vector<Vec3>(n), std::vector<Vec3>(n), std::vector<Quat>(n)};
  for (std::size_t p = 0; p < n; ++p) {
    const std::size_t i = order[model_of[b]][p];
    const Quad &x = quads[p], &v = quads[n + p], &g = quads[2 * n + p];
    result.positions[i] = {x.x, x.y, x.z};
    result.velocities[i] = {v.x, v.y, v.z};
    result.goals[i] = {g.x, g.y, g.z};
    result.rotations[i] = quaternion(x.w, v.w, g.w);
  }
  return result;
}

SurfaceGpuShape SurfaceGpu::shape(int body, double fraction, std::span<const Affine> bones) const {
  const Implementation& own = *implementation_;
  const std::size_t b = own.body_index(body);
  own.require_ready(b);
  if (!(fraction >= 0 && fraction <= 1)) throw usage_error("a moment between two steps is a fraction from 0 to 1");
  std::vector<BoneRecord> pose = own.last_pose;
  if (!bones.empty()) own.set_bones(b, bones, pose);
  own.stage_pose(0, pose);
  own.stage_modes(b, fraction);
  Call call;
  call.first_group = own.first_show_group[b];
  call.group_count = own.first_show_group[b + 1] - own.first_show_group[b];
  call.fraction = static_cast<float>(fraction);
  run_commands(own.device, [&](VkCommandBuffer commands) {
    own.copy_poses(commands, 1);
    own.copy_modes(commands, b);
    memory_barrier(commands);
    own.dispatch(commands, show_entry, own.after, call);
  });
  const std::size_t count = 3 * std::size_t{own.bodies[b].output_count};
  const std::size_t first = 3 * sizeof(float) * own.bodies[b].output_first;
  SurfaceGpuShape shape{std::vector<float>(count), std::vector<float>(count)};
  download(own.device, own.positions, first, std::as_writable_bytes(std::span<float>(shape.positions)));
  download(own.device, own.normals, first, std::as_writable_bytes(std::span<float>(shape.normals)));
  return shape;
}

}  // namespace sinew
