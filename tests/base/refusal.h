// What a refusal says.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sinew/base/error.h"

namespace sinew::test {

// The sentence of the error that `action` throws, which has to be of that kind.
template <class Action>
std::string refusal(ErrorKind kind, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return {};
}

}  // namespace sinew::test
