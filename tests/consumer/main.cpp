// Calls one function of the lowest and one of the highest module through installed headers.
#include <sinew/base/error.h>
#include <sinew/base/threads/parallel.h>
#include <sinew/files/png.h>

#include <cstdio>

int main() {
  const double sum =
      sinew::ordered_sum(1000, 64, [](std::size_t begin, std::size_t end) { return static_cast<double>(end - begin); });
  if (sum != 1000) return 1;
  try {
    const std::vector<std::byte> bytes(8);
    sinew::decode_png(bytes, "no picture");
    return 1;
  } catch (const sinew::Error& error) {
    std::printf("%s\n", error.what());
    return error.kind() == sinew::ErrorKind::input ? 0 : 1;
  }
}
