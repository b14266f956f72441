#include "sinew/files/rotations_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "sinew/base/byte_archive.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

constexpr char rotations_magic[8] = {'S', 'I', 'N', 'E', 'W', 'R', 'O', 'T'};
constexpr std::uint32_t rotations_format_version = 1;
constexpr double rotation_tolerance = 1e-6;  // largest entry of R^T R - 1

bool is_rotation(const Mat3& r) {
  const Mat3 rest = transpose(r) * r - Mat3::identity();
  for (const double entry : rest.m)
    if (!(std::abs(entry) <= rotation_tolerance)) return false;
  return determinant(r) > 0;
}

// A sentence about what is wrong; empty if nothing is.
std::string fault_of_rotations(const ElementRotations& rotations) {
  const std::size_t groups = rotations.groups();
  if (rotations.time.empty() || rotations.group.empty()) return "it has no frame or no element";
  if (groups == 0 || rotations.rotation.size() != groups * rotations.time.size())
    return "its counts contradict each other";
  for (std::size_t t = 0; t < rotations.elements(); ++t)
    if (rotations.group[t] < 0 || static_cast<std::size_t>(rotations.group[t]) >= groups)
      return "element " + std::to_string(t) + " is in group " + std::to_string(rotations.group[t]) + " of " +
             std::to_string(groups);
  for (std::size_t k = 0; k < rotations.time.size(); ++k) {
    if (!std::isfinite(rotations.time[k]) || (k > 0 && !(rotations.time[k] > rotations.time[k - 1])))
      return "the time of frame " + std::to_string(k) + " is no number or does not come after the one before it";
    for (std::size_t g = 0; g < groups; ++g)
      if (!is_rotation(rotations.frame(k)[g]))
        return "what turns group " + std::to_string(g) + " in frame " + std::to_string(k) + " is no rotation matrix";
  }
  return {};
}

std::vector<double> numbers_of_rotations(const std::vector<Mat3>& rotations) {
  std::vector<double> numbers;
  numbers.reserve(9 * rotations.size());
  for (const Mat3& r : rotations) numbers.insert(numbers.end(), std::begin(r.m), std::end(r.m));
  return numbers;
}

}  // namespace

std::vector<std::byte> rotations_file_bytes(const ElementRotations& rotations) {
  if (const std::string wrong = fault_of_rotations(rotations); !wrong.empty())
    throw usage_error("Rotations cannot be written: " + wrong + ".");
  ByteWriter writer;
  writer.value(rotations_magic);
  writer.value(rotations_format_version);
  writer.values(rotations.group);
  writer.values(rotations.time);
  writer.values(numbers_of_rotations(rotations.rotation));
  return writer.bytes();
}

ElementRotations parse_rotations_file(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() < sizeof(rotations_magic) ||
      std::memcmp(bytes.data(), rotations_magic, sizeof(rotations_magic)) != 0)
    throw input_error(name + ": is not a file of rotations; `sinew animate --write-rotations FILE` writes one.");
  ByteReader reader(bytes, name + ": the file is damaged; write it again.");
  char head[sizeof(rotations_magic)];
  std::uint32_t written = 0;
  reader.value(head);
  reader.value(written);
  if (written != rotations_format_version)
    throw input_error(name + ": is of version " + std::to_string(written) +
                      " of the format, and this is a program for version " + std::to_string(rotations_format_version) +
                      "; write it again.");
  ElementRotations rotations;
  std::vector<double> numbers;
  reader.values(rotations.group);
  reader.values(rotations.time);
  reader.values(numbers);
  reader.finish();
  rotations.rotation.resize(numbers.size() / 9);
  for (std::size_t k = 0; k < rotations.rotation.size(); ++k)
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(9 * k), 9, std::begin(rotations.rotation[k].m));
  const std::string wrong =
      numbers.size() % 9 != 0 ? "its counts contradict each other" : fault_of_rotations(rotations);
  if (!wrong.empty()) throw input_error(name + ": " + wrong + "; write it again.");
  return rotations;
}

void write_rotations_file(const std::filesystem::path& path, const ElementRotations& rotations) {
  write_file(path, rotations_file_bytes(rotations));
}

ElementRotations read_rotations_file(const std::filesystem::path& path, std::size_t elements) {
  ElementRotations rotations = parse_rotations_file(read_file(path), path.string());
  if (rotations.elements() != elements)
    throw input_error(path.string() + ": has rotations for " + std::to_string(rotations.elements()) +
                      " elements, but the body has " + std::to_string(elements) +
                      "; use the character and the number of tetrahedra that it was made for.");
  return rotations;
}

}  // namespace sinew
