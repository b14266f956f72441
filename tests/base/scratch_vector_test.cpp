// Memory for the work of a step: used again, by whichever thread gave it back, and none is invented.
#include "sinew/base/threads/scratch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "sinew/base/shared_text.h"

namespace sinew {
namespace {

TEST(ScratchVector, WhatIsGivenBackIsTakenAgain) {
  const void* first = nullptr;
  {
    const ScratchVector<double> work(1000, 1.0);
    first = work.data();
  }
  const ScratchVector<double> again(900, 0.0);
  EXPECT_EQ(static_cast<const void*>(again.data()), first);
  const ScratchVector<double> beside(900, 0.0);
  EXPECT_NE(static_cast<const void*>(beside.data()), first);
  for (const double x : again) EXPECT_EQ(x, 0);
}

TEST(ScratchVector, IsAlignedAndHoldsWhatIsPutThere) {
  for (std::size_t bytes = 1; bytes < 5000; bytes += 37) {
    ScratchVector<unsigned char> work(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(work.data()) % __STDCPP_DEFAULT_NEW_ALIGNMENT__, 0u);
    for (std::size_t k = 0; k < bytes; ++k) work[k] = static_cast<unsigned char>(k);
    for (std::size_t k = 0; k < bytes; ++k) ASSERT_EQ(work[k], static_cast<unsigned char>(k));
  }
}

TEST(ScratchVector, MayEndOnAnotherThread) {
  auto work = std::make_unique<ScratchVector<int>>(100000, 7);
  std::thread([taken = std::move(work)]() mutable {
    EXPECT_EQ(taken->back(), 7);
    taken.reset();
    const ScratchVector<int> again(100000, 8);
    EXPECT_EQ(again.front(), 8);
  }).join();
}

TEST(ScratchVector, MoreThanThereCanBeIsRefused) {
  EXPECT_THROW(take_scratch(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
}

TEST(SharedText, CopiesAreOneText) {
  const SharedText name = std::string(100, 'x'), copy = name;
  EXPECT_EQ(&name.str(), &copy.str());
  EXPECT_EQ(name, SharedText(std::string(100, 'x')));
  EXPECT_FALSE(name == SharedText("y"));
  EXPECT_TRUE(SharedText("").empty());
  EXPECT_EQ(SharedText().str(), "");
}

}  // namespace
}  // namespace sinew
