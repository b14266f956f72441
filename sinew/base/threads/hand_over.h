// The newest value of one thread, looked at by another: neither ever waits. The thread that steps a session writes
// where its surface is, the one that draws looks when it likes; what was overwritten in between is never seen.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace sinew {

// One writer, one reader. Three values in turn: one is written, one is read, one waits in between.
template <class Value>
class HandOver {
 public:
  // The writer's own, to be filled; of an earlier publish() or as it began.
  Value& writing() { return values_[writing_]; }
  // Shows it to the reader. What is written next is another one.
  void publish() { writing_ = waiting_.exchange(writing_ | fresh, std::memory_order_acq_rel) & index; }

  // The newest that was published, which stays as it is until the next call. `is_new`, if given, is set to whether it
  // was never seen before.
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
