#include "sinew/files/skinning_file.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "sinew/base/byte_archive.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

constexpr char skinning_magic[8] = {'S', 'I', 'N', 'E', 'W', 'V', 'S', 'K'};
constexpr std::uint32_t skinning_format_version = 1;
constexpr double weight_sum_tolerance = 1e-9;  // largest difference of a row's sum from one
constexpr const char* remedy = "; learn the inside again with `sinew learn`.";

template <class Archive, class File>
void fields(Archive& archive, File& file) {
  archive.value(file.key.body);
  archive.value(file.key.parameters);
  archive.value(file.weights.columns);
  archive.values(file.weights.start);
  archive.values(file.weights.column);
  archive.values(file.weights.value);
}

// A sentence about what is wrong with the weights; empty if nothing is.
std::string fault(const SparseRows& weights) {
  if (weights.columns < 0 || weights.start.empty() || weights.start.front() != 0 ||
      weights.column.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      weights.start.back() != static_cast<int>(weights.column.size()) || weights.value.size() != weights.column.size())
    return "its counts contradict each other";
  for (std::size_t row = 0; row < weights.rows(); ++row)
    if (weights.start[row] > weights.start[row + 1] || weights.start[row + 1] > weights.start.back())
      return "its counts contradict each other at interior vertex " + std::to_string(row);
  for (std::size_t row = 0; row < weights.rows(); ++row) {
    const std::string place = " of interior vertex " + std::to_string(row);
    double sum = 0;
    int last = -1;
    for (auto k = static_cast<std::size_t>(weights.start[row]); k < static_cast<std::size_t>(weights.start[row + 1]);
         ++k) {
      if (weights.column[k] <= last || weights.column[k] >= weights.columns)
        return "boundary vertex " + std::to_string(weights.column[k]) + place + " does not exist or is out of order";
      last = weights.column[k];
      if (!(weights.value[k] >= 0) || !std::isfinite(weights.value[k]))
        return "a weight" + place + " is negative or no number";
      sum += weights.value[k];
    }
    if (!(std::abs(sum - 1) <= weight_sum_tolerance)) return "the weights" + place + " do not sum to one";
  }
  return {};
}

template <class T>
std::uint64_t hash_list(std::span<const T> list, std::uint64_t seed) {
  const std::uint64_t size = list.size();
  return hash_bytes(list.data(), list.size_bytes(), hash_bytes(&size, sizeof(size), seed));
}

}  // namespace

SkinningKey skinning_key(const TetrahedralMesh& mesh, std::span<const int> boundary, std::span<const int> interior,
                         std::span<const std::string> parameters) {
  SkinningKey key;
  key.body = hash_list(std::span<const Vec3>(mesh.positions), hash_bytes(nullptr, 0));
  key.body = hash_list(std::span<const Tetrahedron>(mesh.tetrahedra), key.body);
  key.body = hash_list(interior, hash_list(boundary, key.body));
  key.parameters = hash_bytes(nullptr, 0);
  for (const std::string& name : parameters) key.parameters = hash_list(std::span<const char>(name), key.parameters);
  return key;
}

std::vector<std::byte> skinning_file_bytes(const SkinningFile& file) {
  const std::string wrong = fault(file.weights);
  if (!wrong.empty()) throw usage_error("Weights of the inside cannot be written: " + wrong + ".");
  ByteWriter writer;
  writer.value(skinning_magic);
  writer.value(skinning_format_version);
  fields(writer, file);
  writer.checksum();
  return writer.bytes();
}

SkinningFile parse_skinning_file(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() < sizeof(skinning_magic) || std::memcmp(bytes.data(), skinning_magic, sizeof(skinning_magic)) != 0)
    throw input_error(name + ": is not a file of `sinew learn` (.vskin); give one, or leave it out.");
  ByteReader reader(bytes, name + ": the file is damaged" + remedy);
  char head[sizeof(skinning_magic)];
  std::uint32_t written = 0;
  reader.value(head);
  reader.value(written);
  if (written != skinning_format_version)
    throw input_error(name + ": is of version " + std::to_string(written) +
                      " of the format, and this is a program for version " + std::to_string(skinning_format_version) +
                      remedy);
  reader.checksum();
  SkinningFile file;
  fields(reader, file);
  reader.finish();
  const std::string wrong = fault(file.weights);
  if (!wrong.empty()) throw input_error(name + ": " + wrong + remedy);
  return file;
}

void write_skinning_file(const std::filesystem::path& path, const SkinningFile& file) {
  write_file(path, skinning_file_bytes(file));
}

SparseRows read_skinning_file(const std::filesystem::path& path, const SkinningKey& expected) {
  SkinningFile file = parse_skinning_file(read_file(path), path.string());
  if (file.key.body != expected.body)
    throw input_error(path.string() + ": was learned for another character or another body" + remedy);
  if (file.key.parameters != expected.parameters)
    throw input_error(path.string() + ": was learned for other free controls" + remedy);
  return std::move(file.weights);
}

}  // namespace sinew
