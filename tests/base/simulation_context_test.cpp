// Errors of simulations are told with where they happened and what can be done.
#include <gtest/gtest.h>

#include "sinew/base/simulation_context.h"

namespace sinew {
namespace {

template <class Work>
std::string sentence_of(const Work& work, ErrorKind kind) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

TEST(SimulationContext, NamesPlaceTimeAndRemedyFromTheInsideOut) {
  const auto fails = [] { throw simulation_error("the matrix is not positive definite at block row 193"); };
  EXPECT_EQ(
      sentence_of(
          [&] {
            in_context("hero.glb", "try another body", [&] {
              in_context("clip 'walk'", "try a smaller --step", [&] { in_context("at 1.5 s", "", fails); });
            });
          },
          ErrorKind::simulation),
      "hero.glb: clip 'walk': at 1.5 s: the matrix is not positive definite at block row 193; try a smaller --step.");
}

TEST(SimulationContext, WholeSentencesKeepTheirOwnRemedy) {
  const auto fails = [] { throw simulation_error("the body found no equilibrium; use a milder pose."); };
  EXPECT_EQ(sentence_of([&] { in_context("hero.glb", "try another body", fails); }, ErrorKind::simulation),
            "hero.glb: the body found no equilibrium; use a milder pose.");
}

TEST(SimulationContext, WhatASentenceSaysItselfIsNotSaidAgain) {
  const auto fails = [] {
    throw simulation_error("hero.glb: clip 'walk' at 1.5 s: vertex 7 is torn off; mend the clip.");
  };
  EXPECT_EQ(sentence_of(
                [&] {
                  in_context("hero.glb", "",
                             [&] { in_context("clip 'walk'", "", [&] { in_context("at 1.5 s", "", fails); }); });
                },
                ErrorKind::simulation),
            "hero.glb: clip 'walk' at 1.5 s: vertex 7 is torn off; mend the clip.");
}

TEST(SimulationContext, OtherErrorsAndValuesPass) {
  EXPECT_EQ(in_context("hero.glb", "", [] { return 7; }), 7);
  EXPECT_EQ(
      sentence_of([] { in_context("hero.glb", "", [] { throw usage_error("--clip: none."); }); }, ErrorKind::usage),
      "--clip: none.");
}

}  // namespace
}  // namespace sinew
