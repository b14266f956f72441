// A triple buffer that passes the newest value from one thread to another; neither ever waits. For example, the thread
// that steps a session publishes its surface and the one that draws reads the latest; values that were replaced in
// between are never seen.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace sinew {

// For one writer and one reader. Of the three values one is being written, one is being read, and one is ready.
template <class Value>
class HandOver {
 public:
  // The value that the writer fills next. It holds the contents of an earlier publish() or the initial ones.
  Value& writing() { return values_[writing_]; }
  // Makes the written value available to the reader; writing() is another value afterwards.
  void publish() { writing_ = waiting_.exchange(writing_ | fresh, std::memory_order_acq_rel) & index; }

  // The newest published value, unchanged until the next call. `is_new`, if given, is set to whether read() returns it
  // for the first time.
  const Value& read(bool* is_new = nullptr) {
    const bool waits = (waiting_.load(std::memory_order_relaxed) & fresh) != 0;
    if (waits) reading_ = waiting_.exchange(reading_, std::memory_order_acq_rel) & index;
    if (is_new) *is_new = waits;
    return values_[reading_];
  }

 private:
  static constexpr std::uint8_t fresh = 4, index = 3;

  std::array<Value, 3> values_{};
  std::uint8_t writing_ = 0, reading_ = 1;
  std::atomic<std::uint8_t> waiting_{2};
};

}  // namespace sinew
