// The instruction set of vector kernels can be chosen, and kernels then run with it.
#include "sinew/linalg/vector_target.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/cholesky/dense_kernels.h"

namespace sinew {
namespace {

// Puts back the target that the tests are run with.
struct VectorTargetKept {
  const std::string before = vector_target();
  ~VectorTargetKept() { use_vector_target(before); }
};

TEST(VectorTarget, TheWidestIsUsedUnlessOneIsNamed) {
  const std::vector<std::string> all = vector_targets();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back(), "portable");
  const char* named = std::getenv(vector_target_variable);
  EXPECT_EQ(vector_target(), named && *named ? std::string(named) : all.front());
}

TEST(VectorTarget, EveryOneCanBeUsed) {
  const VectorTargetKept kept;
  const std::vector<std::string> all = vector_targets();
  for (const std::string& name : all) {
    use_vector_target(name);
    EXPECT_EQ(vector_target(), name);
    EXPECT_EQ(vector_targets(), all);
  }
}

// Entries of a product are sums of `length` terms: they differ by rounding alone, by at most the number of terms times
// epsilon times the sum of their absolute values on either side.
TEST(VectorTarget, KernelsRunWithIt) {
  const VectorTargetKept kept;
  constexpr std::size_t rows = 24, columns = 8, length = 1003;
  std::vector<double> a(rows * length), b(columns * length);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<double>(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(3.0 * static_cast<double>(i));
  std::vector<std::vector<double>> products;
  for (const std::string& name : vector_targets()) {
    use_vector_target(name);
    products.emplace_back(rows * columns);
    cholesky::product_transposed({products.back().data(), rows}, {a.data(), rows}, {b.data(), columns}, rows, columns,
                                 length);
  }
  bool differ = false;
  for (const std::vector<double>& product : products)
    for (std::size_t i = 0; i < product.size(); ++i) {
      EXPECT_LE(std::abs(product[i] - products[0][i]), 2 * length * std::numeric_limits<double>::epsilon() * length);
      differ |= product[i] != products[0][i];
    }
  EXPECT_EQ(differ, products.size() > 1) << "the kernels ran with one target only";
}

TEST(VectorTarget, OneThatIsNotThereIsRefused) {
  try {
    use_vector_target("abacus");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("'abacus'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("portable"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew
