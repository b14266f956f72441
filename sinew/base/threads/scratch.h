// Vectors for the work of a step, such as its right-hand sides: their memory comes from what this thread's vectors gave
// back before, so that a step which has been made once takes none from the system when it is made again. Real time asks
// for that: the system's allocator may wait for other threads, or for pages.
//
//   ScratchVector<double> force(unknowns, 0.0);
//
// What is given back is kept until the thread ends: no vector that is large and used once should be one of these.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

// At least so many bytes, aligned as operator new does. Throws std::bad_alloc.
void* take_scratch(std::size_t bytes);
// On any thread, which keeps them. `bytes` as asked for.
void give_back_scratch(void* memory, std::size_t bytes) noexcept;

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
