// One device for all tests, with every call under validation. A piece of another device's name may be given in SINEW_GPU.
#pragma once

#include <cstdlib>

#include "sinew/gpu/gpu_device.h"

namespace sinew::test {

inline GpuDevice& test_device() {
  static GpuDevice gpu([] {
    const char* name = std::getenv("SINEW_GPU");
    return GpuDeviceOptions{name ? name : "", true};
  }());
  return gpu;
}

}  // namespace sinew::test
