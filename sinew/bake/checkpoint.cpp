#include "sinew/bake/checkpoint.h"

#include <cstring>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

constexpr char magic[8] = {'S', 'I', 'N', 'E', 'W', 'C', 'K', '8'};

// A single list of fields serves reading and writing.
template <class Archive, class C>
void fields(Archive& archive, C& c) {
  archive.value(c.fingerprint);
  archive.value(c.steps_done);
  archive.value(c.frames_done);
  archive.values(c.now.numbers);
  archive.values(c.hands);
  archive.values(c.curves);
  archive.values(c.posed);
  archive.values(c.floating);
  archive.values(c.balls);
  archive.records(c.frames, [&archive](auto& frame) {
    archive.value(frame.time);
    archive.value(frame.milliseconds);
    archive.value(frame.iterations);
    archive.value(frame.energy);
    archive.value(frame.volume_ratio);
    archive.value(frame.min_det);
    archive.value(frame.strain_limit);
    archive.value(frame.display_limit);
    archive.value(frame.unfinished);
  });
  archive.records(c.displacement, [&archive](auto& part) { archive.values(part); });
}

}  // namespace

void check_checkpoint_name(const std::filesystem::path& path) {
  std::error_code status;
  if (is_standard_output(path) ||
      (std::filesystem::exists(path, status) && !std::filesystem::is_regular_file(path, status) &&
       !std::filesystem::is_directory(path, status)))
    throw usage_error(path.string() +
                      ": is no file that a checkpoint could be read from again; name a file with --checkpoint.");
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  ByteWriter writer;
  writer.value(magic);
  fields(writer, checkpoint);
  writer.checksum();
  write_file(path, writer.bytes());
}

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t expected_fingerprint) {
  const std::vector<std::byte> bytes = read_file(path);
  if (bytes.size() < sizeof(magic) + sizeof(std::uint64_t) || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    throw input_error(path.string() +
                      ": is not a checkpoint of this version of Sinew; start the run again without --resume.");
  ByteReader reader(bytes, path.string() + ": the checkpoint is damaged; start the run again without --resume.");
  reader.checksum();
  char head[sizeof(magic)];
  reader.value(head);
  Checkpoint checkpoint;
  fields(reader, checkpoint);
  reader.finish();
  if (checkpoint.fingerprint != expected_fingerprint)
    throw input_error(path.string() +
                      ": the checkpoint belongs to another character, clip or settings; start again without --resume.");
  return checkpoint;
}

}  // namespace sinew
