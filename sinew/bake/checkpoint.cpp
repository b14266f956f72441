#include "sinew/bake/checkpoint.h"

#include <bit>
#include <cstring>
#include <string>
#include <type_traits>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are written as they lie in memory");

constexpr char magic[8] = {'S', 'I', 'N', 'E', 'W', 'C', 'K', '2'};

class Writer {
 public:
  template <class T>
  void value(const T& v) {
    // Numbers alone: structs may hold padding, whose bytes differ from run to run.
    static_assert(std::is_arithmetic_v<std::remove_all_extents_t<T>>);
    const auto* begin = reinterpret_cast<const std::byte*>(&v);
    bytes_.insert(bytes_.end(), begin, begin + sizeof(T));
  }
  template <class T>
  void values(const std::vector<T>& v) {
    static_assert(std::is_arithmetic_v<T>);
    value(static_cast<std::uint64_t>(v.size()));
    const auto* begin = reinterpret_cast<const std::byte*>(v.data());
    bytes_.insert(bytes_.end(), begin, begin + v.size() * sizeof(T));
  }
  template <class T, class Fields>
  void records(const std::vector<T>& v, const Fields& fields) {
    value(static_cast<std::uint64_t>(v.size()));
    for (const T& record : v) fields(record);
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  Reader(std::vector<std::byte> bytes, std::string file) : bytes_(std::move(bytes)), file_(std::move(file)) {}

  template <class T>
  void value(T& v) {
    std::memcpy(&v, take(sizeof(T)), sizeof(T));
  }
  template <class T>
  void values(std::vector<T>& v) {
    std::uint64_t count = 0;
    value(count);
    if (count > (bytes_.size() - at_) / sizeof(T)) throw damaged();
    v.resize(count);
    if (count > 0) std::memcpy(v.data(), take(count * sizeof(T)), count * sizeof(T));
  }
  template <class T, class Fields>
  void records(std::vector<T>& v, const Fields& fields) {
    std::uint64_t count = 0;
    value(count);
    for (std::uint64_t i = 0; i < count; ++i) fields(v.emplace_back());
  }
  void finish() const {
    if (at_ != bytes_.size()) throw damaged();
  }
  Error damaged() const {
    return input_error(file_ + ": the checkpoint is damaged; start the run again without --resume.");
  }

 private:
  const std::byte* take(std::size_t size) {
    if (size > bytes_.size() - at_) throw damaged();
    at_ += size;
    return bytes_.data() + (at_ - size);
  }

  std::vector<std::byte> bytes_;
  std::string file_;
  std::size_t at_ = 0;
};

// One list of fields for both directions.
template <class Archive, class C>
void fields(Archive& archive, C& c) {
  archive.value(c.fingerprint);
  archive.value(c.steps_done);
  archive.value(c.pass);
  archive.value(c.frames_done);
  archive.values(c.now.numbers);
  archive.values(c.before.numbers);
  archive.values(c.pass_start);
  archive.records(c.frames, [&archive](auto& frame) {
    archive.value(frame.time);
    archive.value(frame.milliseconds);
    archive.value(frame.iterations);
    archive.value(frame.energy);
    archive.value(frame.volume_ratio);
    archive.value(frame.min_det);
  });
  archive.records(c.displacement, [&archive](auto& part) { archive.values(part); });
}

}  // namespace

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) seed = (seed ^ bytes[i]) * 1099511628211ull;
  return seed;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  Writer writer;
  writer.value(magic);
  fields(writer, checkpoint);
  writer.value(hash_bytes(writer.bytes().data(), writer.bytes().size()));
  write_file(path, writer.bytes());
}

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t expected_fingerprint) {
  std::vector<std::byte> bytes = read_file(path);
  std::uint64_t stored = 0;
  if (bytes.size() < sizeof(magic) + sizeof(stored) || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    throw input_error(path.string() +
                      ": is not a checkpoint of this version of Sinew; start the run again without --resume.");
  std::memcpy(&stored, bytes.data() + bytes.size() - sizeof(stored), sizeof(stored));
  bytes.resize(bytes.size() - sizeof(stored));
  const bool whole = hash_bytes(bytes.data(), bytes.size()) == stored;
  Reader reader(std::move(bytes), path.string());
  if (!whole) throw reader.damaged();
  char head[sizeof(magic)];
  reader.value(head);
  Checkpoint checkpoint;
  fields(reader, checkpoint);
  reader.finish();
  if (checkpoint.fingerprint != expected_fingerprint)
    throw input_error(path.string() +
                      ": the checkpoint belongs to another character, clip or settings; start again without --resume.");
  return checkpoint;
}

}  // namespace sinew
