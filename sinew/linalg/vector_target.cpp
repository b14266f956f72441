#include "sinew/linalg/vector_target.h"

// The targets that all kernels leave out.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::string name_of_target(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  if (name == "AVX3") return "avx512";
  if (name == "EMU128" || name == "SCALAR") return "portable";
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

// The targets of this processor, whatever was chosen before.
std::vector<std::int64_t> available_targets() {
  const std::int64_t chosen = hwy::SupportedTargets();
  hwy::SetSupportedTargetsForTest(0);
  std::vector<std::int64_t> targets;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) targets.push_back(target);
  hwy::SetSupportedTargetsForTest(chosen);
  return targets;
}

}  // namespace

std::vector<std::string> vector_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : available_targets()) names.push_back(name_of_target(target));
  return names;
}

std::string vector_target() { return name_of_target(hwy::SupportedAndGeneratedTargets().front()); }

void use_vector_target(std::string_view name) {
  std::string known;
  for (const std::int64_t target : available_targets()) {
    known += (known.empty() ? "" : ", ") + name_of_target(target);
    if (name_of_target(target) != name) continue;
    // Wider targets have lower bits.
    hwy::SetSupportedTargetsForTest(~(target - 1));
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  throw usage_error("The vector target '" + std::string(name) + "' cannot be used on this processor; it has " + known +
                    '.');
}

void use_vector_target_from_environment() {
  const char* name = std::getenv(vector_target_variable);
  if (name && *name) use_vector_target(name);
}

}  // namespace sinew
