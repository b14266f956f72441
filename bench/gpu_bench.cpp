// A step of learned dynamic skinning on the GPU, by the GPU's own clock, next to a copy of as many bytes on the same
// device, which is its bound. On software devices (Mesa's lavapipe) there are fewer characters, and times say nothing
// about GPUs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "sinew/gpu/surface_gpu.h"
#include "sinew/gpu/vulkan_device.h"
#include "tests/runtime/surface_bodies.h"

namespace {

using namespace sinew;

// Twelve floats per vertex are read and written: position, velocity, goal and rotation.
constexpr std::size_t state_bytes = 48;
constexpr int steps_at_once = 16;

// The device, opened once, or the reason why not. SINEW_GPU may hold part of another device's name.
struct Opened {
  std::unique_ptr<GpuDevice> device;
  std::string why_not;
};

Opened& opened() {
  static Opened one = [] {
    Opened result;
    try {
      const char* name = std::getenv("SINEW_GPU");
      result.device = std::make_unique<GpuDevice>(GpuDeviceOptions{name ? name : "", false});
    } catch (const std::exception& error) {
      result.why_not = error.what();
    }
    return result;
  }();
  return one;
}

// 25,006 vertices on 19 bones: the larger armadillo of the paper's table 1 has 25,001.
SurfaceModel character() {
  SurfaceModel model = test::tube(188, 133, 19, 1.8, 0.2);
  test::set_parameters(model, test::soft);
  return model;
}

std::vector<Affine> bones_at(double seconds, std::size_t count, int body) {
  std::vector<Affine> bones;
  Affine matrix{Mat3::identity(), {0.1 * std::sin(9 * seconds + body), 0, 0}};
  for (std::size_t b = 0; b < count; ++b) {
    matrix = matrix *
             test::turned({0, 0, 1}, 0.05 * std::sin(5 * seconds + body), {0, 1.8 * static_cast<double>(b) / 19, 0});
    bones.push_back(matrix);
  }
  return bones;
}

// Seconds per copy from buffer to buffer, by the GPU's clock if it has one, otherwise the processor's; the fastest of
// five.
double copy_seconds(VulkanDevice& device, std::size_t bytes) {
  const VulkanBuffer from(device, bytes, BufferMemory::device, "bytes to copy"),
      to(device, bytes, BufferMemory::device, "copy");
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2;
  VkQueryPool clock = VK_NULL_HANDLE;
  if (device.timestamp_bits > 0)
    check(device, vkCreateQueryPool(device.device, &info, nullptr, &clock), "make a clock");
  constexpr int copies = 8;
  double least = 1e300;
  for (int repetition = 0; repetition < 6; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    run_commands(device, [&](VkCommandBuffer commands) {
      if (clock) vkCmdResetQueryPool(commands, clock, 0, 2);
      if (repetition == 0) vkCmdFillBuffer(commands, from.handle(), 0, VK_WHOLE_SIZE, 1);  // allocates the pages
      memory_barrier(commands);
      if (clock) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, clock, 0);
      for (int c = 0; c < copies; ++c) {
        const VkBufferCopy range{0, 0, from.size()};
        vkCmdCopyBuffer(commands, from.handle(), to.handle(), 1, &range);
        memory_barrier(commands);
      }
      if (clock) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, clock, 1);
    });
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (clock) {
      std::uint64_t ticks[2] = {};
      check(device,
            vkGetQueryPoolResults(device.device, clock, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
            "read its clock");
      seconds = static_cast<double>(ticks[1] - ticks[0]) * 1e-9 *
                static_cast<double>(device.properties.limits.timestampPeriod);
    }
    if (repetition > 0) least = std::min(least, seconds / copies);
  }
  vkDestroyQueryPool(device.device, clock, nullptr);
  return least;
}

// Number of characters: those requested, but no more than fit into one buffer, and at most four on a software device.
int characters_that_fit(const GpuDevice& gpu, const VulkanDevice& device, std::size_t vertices, int wanted) {
  const std::size_t fit = device.properties.limits.maxStorageBufferRange / (vertices * state_bytes);
  return std::min(wanted, gpu.is_processor() ? 4 : static_cast<int>(std::min<std::size_t>(fit, 1000000)));
}

void steps(benchmark::State& state) {
  if (!opened().device) return state.SkipWithError(opened().why_not.c_str());
  GpuDevice& gpu = *opened().device;
  try {
    const SurfaceModel model = character();
    const std::size_t vertices = model.rest.size();
    const int count = characters_that_fit(gpu, gpu.vulkan(), vertices, static_cast<int>(state.range(0)));
    const std::vector<SurfaceGpuModel> models{pack_surface_model(model)};
    SurfaceGpu bodies(gpu, models, std::vector<int>(static_cast<std::size_t>(count), 0),
                      {.threads = static_cast<int>(state.range(1)), .most_steps = steps_at_once});
    double seconds = 0;
    const auto pose = [&] {
      for (int b = 0; b < count; ++b) bodies.set_bones(b, bones_at(seconds, model.bones.size(), b));
    };
    pose();
    bodies.reset();
    double least = 1e300;
    for (auto _ : state) {
      seconds += steps_at_once * model.step;
      pose();
      const auto start = std::chrono::steady_clock::now();
      bodies.step(steps_at_once);
      const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const double each = (bodies.last_step_seconds() > 0 ? bodies.last_step_seconds() : wall) / steps_at_once;
      least = std::min(least, each);
      state.SetIterationTime(each);
    }
    const std::size_t all = vertices * static_cast<std::size_t>(count), bytes = all * state_bytes;
    const double copy = copy_seconds(gpu.vulkan(), bytes);
    state.counters["characters"] = count;
    state.counters["us_per_step"] = least * 1e6;
    state.counters["vertices_per_us"] = static_cast<double>(all) / (least * 1e6);
    state.counters["GB_per_s"] = 2e-9 * static_cast<double>(bytes) / least;
    state.counters["copy_GB_per_s"] = 2e-9 * static_cast<double>(bytes) / copy;
    state.counters["share_of_copy"] = copy / least;
    state.SetLabel(gpu.name());
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

BENCHMARK(steps)
    ->ArgsProduct({{1, 1000}, {128, 64, 256}})
    ->ArgNames({"characters", "threads"})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
