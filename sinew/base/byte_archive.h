// Reader and writer of the project's own binary files: numbers in memory order, little endian, one after the other.
// Every length is checked when it is read back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

// FNV-1a over raw bytes, for checksums, fingerprints and result hashes.
inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 14695981039346656037ull) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) seed = (seed ^ bytes[i]) * 1099511628211ull;
  return seed;
}

// Appends numbers to an array of bytes.
class ByteWriter {
 public:
  template <class T>
  void value(const T& v) {
    // Numbers alone: structs may hold padding, whose bytes differ from run to run.
    static_assert(std::is_arithmetic_v<std::remove_all_extents_t<T>>);
    const auto* begin = reinterpret_cast<const std::byte*>(&v);
    bytes_.insert(bytes_.end(), begin, begin + sizeof(T));
  }
  // Writes the count, then all values.
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
  // Writes the hash of all bytes so far.
  void checksum() { value(hash_bytes(bytes_.data(), bytes_.size())); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Throws input_error with the given sentence where the bytes end too early or too late.
class ByteReader {
 public:
  // Does not copy `bytes`, which must outlive this.
  ByteReader(std::span<const std::byte> bytes, std::string sentence) : bytes_(bytes), sentence_(std::move(sentence)) {}

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
  // Removes the checksum at the end and compares it with the hash of the bytes before it.
  void checksum() {
    std::uint64_t stored = 0;
    if (bytes_.size() - at_ < sizeof(stored)) throw damaged();
    const std::size_t size = bytes_.size() - sizeof(stored);
    std::memcpy(&stored, bytes_.data() + size, sizeof(stored));
    bytes_ = bytes_.first(size);
    if (hash_bytes(bytes_.data(), size) != stored) throw damaged();
  }
  void finish() const {
    if (at_ != bytes_.size()) throw damaged();
  }
  Error damaged() const { return input_error(sentence_); }

 private:
  const std::byte* take(std::size_t size) {
    if (size > bytes_.size() - at_) throw damaged();
    at_ += size;
    return bytes_.data() + (at_ - size);
  }

  std::span<const std::byte> bytes_;
  std::string sentence_;
  std::size_t at_ = 0;
};

}  // namespace sinew
