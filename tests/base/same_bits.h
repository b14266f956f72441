// Results that must not depend on the number of threads.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sinew/base/threads/parallel.h"

namespace sinew::test {

// compute() returns a vector of doubles: the same bits with 1, 2 and 4 threads. Returns them.
template <class Compute>
std::vector<double> expect_same_bits(const Compute& compute) {
  std::vector<double> first;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const std::vector<double> result = compute();
    if (threads == 1) first = result;
    const bool same = result.size() == first.size() &&
                      (first.empty() || std::memcmp(result.data(), first.data(), first.size() * sizeof(double)) == 0);
    EXPECT_TRUE(same) << threads << " threads";
  }
  set_thread_count(0);
  return first;
}

}  // namespace sinew::test
