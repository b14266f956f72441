// The GPU that compute work runs on, through Vulkan 1.1. Any driver works, also one that runs on the processor (Mesa's
// lavapipe).
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sinew {

struct GpuDeviceOptions {
  std::string name;       // part of the device's name; empty: the most capable device
  bool validate = false;  // enable Khronos' validation layer; input_error if it is not installed
};

struct VulkanDevice;  // sinew/gpu/vulkan_device.h

// A device with one compute queue. Everything made from it must be destroyed first, and calls must come from one thread
// at a time. Throws input_error, with what to install, where no device fits.
class GpuDevice {
 public:
  explicit GpuDevice(const GpuDeviceOptions& options = {});
  ~GpuDevice();
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  const std::string& name() const;
  // True for a driver that runs on the processor: its results are valid, its times are not.
  bool is_processor() const;
  // Messages of the validation layer so far, one sentence each; empty if it is not enabled.
  const std::vector<std::string>& validation_messages() const;

  VulkanDevice& vulkan() { return *vulkan_; }

 private:
  std::unique_ptr<VulkanDevice> vulkan_;
};

// Names of all devices that can run compute work, the most capable first; empty without Vulkan.
std::vector<std::string> gpu_device_names();

}  // namespace sinew
