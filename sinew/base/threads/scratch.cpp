#include "sinew/base/threads/scratch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace sinew {
namespace {

struct Block {
  Block* next;
};

// Size classes: powers of two from 64 bytes.
constexpr std::size_t smallest_class = 6, classes = 64;
std::size_t class_of(std::size_t bytes) {
  return std::max(smallest_class, static_cast<std::size_t>(std::bit_width(bytes > 0 ? bytes - 1 : 0)));
}

struct Kept {
  std::array<Block*, classes> blocks{};
  bool ended = false;  // then memory of vectors that outlive their thread is returned to the system
  ~Kept() {
    ended = true;
    for (Block*& first : blocks)
      while (first) {
        Block* const next = first->next;
        ::operator delete(first);
        first = next;
      }
  }
};
thread_local Kept kept;

}  // namespace

void* take_scratch(std::size_t bytes) {
  const std::size_t size = class_of(bytes);
  if (size + 1 >= classes) throw std::bad_alloc();
  Block*& first = kept.blocks[size];
  if (!first) return ::operator new (std::size_t{1} << size);
  Block* const block = first;
  first = block->next;
  return block;
}

void give_back_scratch(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  if (kept.ended) return ::operator delete(memory);
  Block*& first = kept.blocks[class_of(bytes)];
  first = new (memory) Block{first};
}

}  // namespace sinew
