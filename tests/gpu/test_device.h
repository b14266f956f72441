// One device for all tests, with every call under validation. A piece of another device's name may be given in
// SINEW_GPU.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "sinew/gpu/gpu_device.h"

namespace sinew::test {

// Never closed: drivers that are unloaded leave memory behind, which a leak checker would find.
inline GpuDevice& test_device() {
  static GpuDevice* const gpu = [] {
    const char* name = std::getenv("SINEW_GPU");
    return new GpuDevice(GpuDeviceOptions{name ? name : "", true});
  }();
  return *gpu;
}

// Opens it before the first test.
class DeviceEnvironment : public ::testing::Environment {
 public:
  void SetUp() override { test_device(); }
};
inline ::testing::Environment* const device_environment = ::testing::AddGlobalTestEnvironment(new DeviceEnvironment);

}  // namespace sinew::test
