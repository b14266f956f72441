// Memory for large arrays that are read or written many times.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace sinew {

// Returns `bytes` of uninitialised memory, aligned to cache lines. Blocks of a few MiB or more are aligned to huge
// pages, which are requested where the system has them (Linux): fewer address translations and page faults. Throws
// std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory, std::size_t bytes);

// An array whose entries are not initialised.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size)
      : data_(static_cast<T*>(allocate_large(size * sizeof(T))), Free{size * sizeof(T)}) {}

  T* get() const { return data_.get(); }
  std::size_t size() const { return data_.get_deleter().bytes / sizeof(T); }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* data) const { free_large(data, bytes); }
  };
  std::unique_ptr<T[], Free> data_;
};

}  // namespace sinew
