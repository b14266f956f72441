// Vectors for the temporary data of a simulation step, such as right-hand sides. They reuse memory that earlier scratch
// vectors of the thread released, so that a repeated step does not allocate: the system's allocator may wait for other
// threads or for pages, which real time cannot afford.
//
//   ScratchVector<double> force(unknowns, 0.0);
//
// Released memory is kept until the thread ends. Do not use them for large vectors that are needed once.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

// Returns at least `bytes`, aligned as by operator new. Throws std::bad_alloc.
void* take_scratch(std::size_t bytes);
// Releases memory of take_scratch() to the calling thread, which keeps it. `bytes` must be the requested size.
void give_back_scratch(void* memory, std::size_t bytes) noexcept;

// Allocator of ScratchVector.
template <class T>
struct ScratchAllocator {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  using value_type = T;
  ScratchAllocator() = default;
  template <class U>
  ScratchAllocator(const ScratchAllocator<U>&) noexcept {}
  T* allocate(std::size_t count) { return static_cast<T*>(take_scratch(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { give_back_scratch(memory, count * sizeof(T)); }
  friend bool operator==(const ScratchAllocator&, const ScratchAllocator&) { return true; }
};

template <class T>
using ScratchVector = std::vector<T, ScratchAllocator<T>>;

}  // namespace sinew
