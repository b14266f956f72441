// Any bytes as a BVH file: the reader answers with motion of finite numbers, or with a sentence.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/files/bvh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sinew::BvhMotion motion = sinew::parse_bvh({reinterpret_cast<const char*>(data), size}, "fuzz.bvh");
    const auto finite = [](double number) {
      if (!std::isfinite(number)) std::abort();
    };
    finite(motion.seconds_per_frame);
    for (const sinew::Channel& channel : motion.clip.channels) {
      for (const double time : channel.times) finite(time);
      for (const double value : channel.values) finite(value);
    }
    const sinew::Pose pose = sinew::sample(motion.skeleton, &motion.clip, motion.clip.end);
    for (const sinew::Affine& world : pose.world) finite(sinew::norm(world.translation));
  } catch (const sinew::Error&) {
  }
  return 0;
}
