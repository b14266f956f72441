#include "sinew/deform/surface/surface_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/parts/model_numbers.h"
#include "runtime/sinew_runtime.h"
#include "sinew/base/byte_archive.h"
#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/surface/runtime_file_layout.h"
#include "sinew/deform/surface/vertex_terms.h"

namespace sinew {
namespace {

std::array<float, 3> to_floats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

void* aligned(std::vector<std::byte>& memory, std::size_t bytes) {
  memory.resize(bytes + SINEW_ALIGNMENT);
  void* start = memory.data();
  std::size_t room = memory.size();
  return std::align(SINEW_ALIGNMENT, bytes, start, room);
}

void fill(std::span<const Affine> bones, std::vector<float>& to) {
  to.clear();
  for (const Affine& bone : bones)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c)
        to.push_back(static_cast<float>(c < 3 ? bone.linear(r, c) : bone.translation[r]));
}

// A little-endian number of 64 bits.
std::uint64_t number_at(std::span<const std::byte> bytes) {
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < sizeof(number); ++k) number |= std::to_integer<std::uint64_t>(bytes[k]) << (8 * k);
  return number;
}

// Puts a number of 64 bits into two words of a run-time's state.
void put_number(std::uint64_t number, std::span<double> words) {
  words[0] = static_cast<double>(number & 0xffffffffu);
  words[1] = static_cast<double>(number >> 32);
}

// The hash of words as they stand in a run-time's state, little-endian.
std::uint64_t hash_words(std::span<const double> words) {
  std::vector<std::byte> bytes;
  bytes.reserve(4 * words.size());
  for (const double number : words) {
    const auto word = static_cast<std::uint32_t>(number);
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(word >> shift & 0xffu));
  }
  return hash_bytes(bytes.data(), bytes.size());
}

// Places in a run-time's state, in words: the checksum of its model (runtime/sinew_runtime.c, state); that of the state
// itself is last.
constexpr std::size_t model_checksum_word = 2, checksum_words = 2;

// Whether all numbers are words and the checksum at the end holds.
bool is_state(std::span<const double> state) {
  constexpr double largest = std::numeric_limits<std::uint32_t>::max();
  if (state.size() < model_checksum_word + 2 * checksum_words) return false;
  for (const double word : state)
    if (!(word >= 0 && word <= largest && word == std::floor(word))) return false;
  std::array<double, checksum_words> expected{};
  put_number(hash_words(state.first(state.size() - checksum_words)), expected);
  return std::ranges::equal(expected, state.last(checksum_words));
}

// The host's side of sinew_threads: the library's own team.
void run_tasks(void*, std::uint32_t tasks, void (*task)(void*, std::uint32_t), void* work) {
  parallel_for(tasks, 1, [&](std::size_t i) { task(work, static_cast<std::uint32_t>(i)); });
}

}  // namespace

OpenSurfaceModel::OpenSurfaceModel(std::span<const std::byte> file, const std::string& name) {
  const auto require = [&](sinew_status status) {
    if (status != SINEW_OK)
      throw input_error(name + ": " + sinew_sentence(status) + "; make the model anew with `sinew fit`.");
  };
  std::size_t bytes = 0;
  require(sinew_model_memory(file.data(), file.size(), &bytes));
  void* memory = aligned(memory_, bytes);
  require(sinew_model_open(file.data(), file.size(), memory, bytes, &model_));
  checksum_ = number_at(file.subspan(runtime_file::checksum_at));
  sinew_model_facts facts;
  sinew_model_get_facts(model_, &facts);
  for (std::uint32_t v = 0; v < facts.vertices; ++v) {
    const double range = std::max(static_cast<double>(sinew_model_range(model_, v)),
                                  SINEW_LEAST_RANGE * static_cast<double>(facts.height));
    inverse_squared_ranges_.push_back(1 / (range * range));
  }
}

OpenSurfaceModel::~OpenSurfaceModel() = default;

std::size_t OpenSurfaceModel::vertices() const {
  sinew_model_facts facts;
  sinew_model_get_facts(model_, &facts);
  return facts.vertices;
}

std::size_t OpenSurfaceModel::modes() const {
  sinew_model_facts facts;
  sinew_model_get_facts(model_, &facts);
  return facts.modes;
}

double OpenSurfaceModel::step() const {
  sinew_model_facts facts;
  sinew_model_get_facts(model_, &facts);
  return static_cast<double>(facts.step);
}

SurfaceBody::SurfaceBody(std::shared_ptr<const OpenSurfaceModel> model) : model_(std::move(model)) {
  const std::size_t bytes = sinew_body_memory(model_->get());
  void* memory = aligned(memory_, bytes);
  require(sinew_body_create(model_->get(), memory, bytes, &body_), "making the body");
  const sinew_threads threads{run_tasks, nullptr, static_cast<std::uint32_t>(thread_count())};
  require(sinew_body_use_threads(body_, &threads), "lending threads");
}

SurfaceBody::~SurfaceBody() = default;

void SurfaceBody::require(int status, const char* doing) const {
  if (status == SINEW_OK) return;
  const std::string sentence =
      std::string(doing) + ": " + sinew_sentence(static_cast<sinew_status>(status)) + "; look at the rig's pose there.";
  throw simulation_error(sentence);
}

// The run-time asks for the step before: goals are linear in the bones, so that this one moves as far as the next.
void SurfaceBody::fill_with_step_before(std::span<const Affine> bones, std::span<const Affine> next,
                                        std::vector<float>& before) {
  std::vector<Affine> earlier(bones.begin(), bones.end());
  for (std::size_t b = 0; b < earlier.size(); ++b) {
    earlier[b].linear = bones[b].linear * 2.0 - next[b].linear;
    earlier[b].translation = bones[b].translation * 2.0 - next[b].translation;
  }
  fill(earlier, before);
  fill(bones, bones_);
}

void SurfaceBody::reset(std::span<const Affine> bones, std::span<const Affine> next) {
  std::vector<float> earlier;
  fill_with_step_before(bones, next, earlier);
  require(sinew_body_reset(body_, bones_.data(), earlier.data()), "beginning");
}

void SurfaceBody::carry(std::span<const Affine> bones, std::span<const Affine> next) {
  std::vector<float> earlier;
  fill_with_step_before(bones, next, earlier);
  require(sinew_body_carry(body_, bones_.data(), earlier.data()), "carrying across a cut");
}

void SurfaceBody::step(std::span<const Affine> bones) {
  fill(bones, bones_);
  require(sinew_body_step(body_, bones_.data()), "stepping");
}

void SurfaceBody::poke(const Vec3& centre, double radius, const Vec3& velocity_change) {
  require(
      sinew_body_poke(body_, to_floats(centre).data(), static_cast<float>(radius), to_floats(velocity_change).data()),
      "poking");
}

static_assert(SurfaceBody::most_held == SINEW_MOST_HELD);

void SurfaceBody::hold(int vertex, const Vec3& position) {
  const sinew_status status = sinew_body_hold(body_, static_cast<std::uint32_t>(vertex), to_floats(position).data());
  if (status == SINEW_TOO_MANY_HELD)
    throw usage_error("a surface model holds at most " + std::to_string(most_held) +
                      " vertices at a time; grab fewer points, or use --method flesh.");
  require(status, "holding");
}

void SurfaceBody::release(int vertex) {
  require(sinew_body_release(body_, static_cast<std::uint32_t>(vertex)), "letting go");
}

void SurfaceBody::offsets(std::vector<Vec3>& offsets) const {
  const sinew_record* records = sinew_body_records(body_);
  const std::uint32_t* order = sinew_model_order(model_->get());
  offsets.resize(model_->vertices());
  const auto bound = static_cast<double>(sinew_body_bound(body_));
  for (std::size_t place = 0; place < offsets.size(); ++place) {
    const sinew_record& r = records[place];
    Vec3& d = offsets[order[place]];
    for (std::size_t c = 0; c < 3; ++c) d[c] = static_cast<double>(r.position[c]) - static_cast<double>(r.goal[c]);
    if (bound > 0) d = shown_offset(d, bound * model_->inverse_squared_ranges()[order[place]]);
  }
  add_modes(offsets);
}

void SurfaceBody::positions(std::vector<Vec3>& positions) const {
  const sinew_record* records = sinew_body_records(body_);
  const std::uint32_t* order = sinew_model_order(model_->get());
  positions.resize(model_->vertices());
  for (std::size_t place = 0; place < positions.size(); ++place) {
    const float* x = records[place].position;
    positions[order[place]] = {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
  }
  add_modes(positions);
}

std::vector<double> SurfaceBody::save() const {
  std::vector<std::uint32_t> words(sinew_body_state_size(model_->get()) / sizeof(std::uint32_t));
  require(sinew_body_save(body_, words.data(), words.size() * sizeof(std::uint32_t)), "saving");
  return {words.begin(), words.end()};
}

void SurfaceBody::load(std::span<const double> state) {
  constexpr double largest = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> words;
  for (const double number : state)
    if (number >= 0 && number <= largest && number == std::floor(number))
      words.push_back(static_cast<std::uint32_t>(number));
  const std::size_t bytes = words.size() * sizeof(std::uint32_t);
  if (words.size() != state.size() || bytes != sinew_body_state_size(model_->get()) ||
      sinew_body_load(body_, words.data(), bytes) != SINEW_OK)
    throw input_error("the checkpoint holds another model's state; start the run again without --resume.");
}

void SurfaceBody::take_over(std::span<const double> state) {
  if (!is_state(state)) return load(state);  // says what is wrong
  std::vector<double> own(state.begin(), state.end());
  put_number(model_->checksum(), std::span(own).subspan(model_checksum_word));
  const std::span<double> last = std::span(own).last(checksum_words);
  put_number(hash_words(std::span(own).first(own.size() - checksum_words)), last);
  load(own);
}

void SurfaceBody::add_modes(std::vector<Vec3>& to) const {
  if (model_->modes() == 0) return;
  std::vector<float> moved(3 * to.size());
  require(sinew_body_mode_offsets(body_, moved.data(), 3 * sizeof(float)), "moving by modes");
  for (std::size_t k = 0; k < moved.size(); ++k) to[k / 3][k % 3] += static_cast<double>(moved[k]);
}

}  // namespace sinew
