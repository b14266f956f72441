// Feeds arbitrary bytes to the run-time's reader of surface models, with a checksum that fits, and moves what it takes
// for good. Only a status may come out: a crash, a sanitizer report, a hang or a number that is not finite is a bug.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "runtime/sinew_runtime.h"
#include "sinew/base/error.h"
#include "sinew/deform/surface/runtime_file.h"

namespace {

constexpr std::size_t most_memory = std::size_t{1} << 26;

// The length and the checksum that a file of these bytes says.
void mend(std::vector<std::byte>& file) {
  if (file.size() < 32) return;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < 8; ++i) file[16 + i] = static_cast<std::byte>(file.size() >> (8 * i) & 255);
  for (std::size_t i = 0; i < file.size(); ++i)
    if (i < 24 || i >= 32) hash = (hash ^ std::to_integer<std::uint64_t>(file[i])) * 1099511628211u;
  for (std::size_t i = 0; i < 8; ++i) file[24 + i] = static_cast<std::byte>(hash >> (8 * i) & 255);
}

void* aligned(std::size_t bytes) { return ::operator new(bytes, std::align_val_t(SINEW_ALIGNMENT)); }
void free_aligned(void* memory) { ::operator delete(memory, std::align_val_t(SINEW_ALIGNMENT)); }

void require(bool holds) {
  if (!holds) std::abort();
}

void move(sinew_body* body, const sinew_model_facts& facts) {
  std::vector<float> bones, positions(3 * static_cast<std::size_t>(facts.vertices)), normals(positions.size());
  for (std::uint32_t b = 0; b < facts.bones; ++b)
    for (const float m : {0.f, -1.f, 0.f, 0.5f, 1.f, 0.f, 0.f, 0.f, 0.f, 0.f, 1.f, 2.f}) bones.push_back(m);
  require(sinew_body_reset(body, bones.data(), nullptr) == SINEW_OK);
  for (float& m : bones) m *= 1.5f;
  for (int i = 0; i < 3; ++i) require(sinew_body_advance(body, bones.data(), 0.013, nullptr) == SINEW_OK);
  require(sinew_body_shape(body, SINEW_ALL_VERTICES, positions.data(), 12, normals.data(), 12) == SINEW_OK);
  for (const float x : positions) require(std::isfinite(x));
  for (const float x : normals) require(std::isfinite(x));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> file(size);
  for (std::size_t i = 0; i < size; ++i) file[i] = static_cast<std::byte>(data[i]);
  mend(file);
  std::size_t bytes = 0;
  const bool is_good = !file.empty() && sinew_model_memory(file.data(), file.size(), &bytes) == SINEW_OK;
  try {
    const sinew::SurfaceModel model = sinew::read_runtime_file(file, "input.sinew");
    require(is_good);
    sinew::cook_runtime_file(model);
  } catch (const sinew::Error&) {
    require(!is_good);
  }
  if (!is_good || bytes > most_memory) return 0;
  void* model_memory = aligned(bytes);
  const sinew_model* model = nullptr;
  require(sinew_model_open(file.data(), file.size(), model_memory, bytes, &model) == SINEW_OK);
  const std::size_t body_bytes = sinew_body_memory(model);
  void* body_memory = aligned(body_bytes);
  sinew_body* body = nullptr;
  sinew_model_facts facts;
  sinew_model_get_facts(model, &facts);
  require(sinew_body_create(model, body_memory, body_bytes, &body) == SINEW_OK);
  move(body, facts);
  free_aligned(body_memory);
  free_aligned(model_memory);
  return 0;
}
