#include "sinew/files/markers_csv.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

constexpr double farthest = 1e7;  // metres or seconds
constexpr std::array<std::string_view, 5> columns{"name", "time", "x", "y", "z"};
using Fields = std::array<std::string_view, columns.size()>;

std::string_view trimmed(std::string_view text) {
  constexpr const char* space = " \t\r\"";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

class MarkerReader {
 public:
  explicit MarkerReader(std::string file) : file_(std::move(file)) {}

  void read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    bool headed = false;
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (trimmed(line).empty()) continue;
      const Fields fields = split(line);
      if (headed)
        add(fields);
      else if (fields != columns)
        fail("must be the header name,time,x,y,z");
      headed = true;
    }
  }

  std::vector<Marker> finish() {
    if (markers_.empty())
      throw input_error(file_ + ": has no marker; write one position per line below the header name,time,x,y,z.");
    return std::move(markers_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(file_ + ": line " + std::to_string(line_) + " " + what + "; export the markers again.");
  }

  Fields split(std::string_view line) const {
    Fields fields;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const std::size_t comma = line.find(',');
      if ((comma == std::string_view::npos) != (k + 1 == fields.size()))
        fail("must have five fields between commas: name,time,x,y,z");
      fields[k] = trimmed(line.substr(0, comma));
      if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
    }
    return fields;
  }

  double number(const Fields& fields, std::size_t column) const {
    const std::string_view word = fields[column];
    double value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || end != word.data() + word.size() || !(std::abs(value) <= farthest))
      fail("has \"" + std::string(word.substr(0, 40)) + "\" where " + std::string(columns[column]) +
           " belongs, a number of at most ten million");
    return value;
  }

  void add(const Fields& fields) {
    if (fields[0].empty()) fail("has no name");
    const double time = number(fields, 1);
    if (fields[2].empty() && fields[3].empty() && fields[4].empty()) return;
    const Vec3 position{number(fields, 2), number(fields, 3), number(fields, 4)};
    const auto [at, fresh] = index_.try_emplace(std::string(fields[0]), markers_.size());
    if (fresh) markers_.push_back({at->first, line_, {}, {}});
    Marker& marker = markers_[at->second];
    if (!marker.times.empty() && !(time > marker.times.back()))
      fail("does not come after the line before of the same marker in time");
    marker.times.push_back(time);
    marker.positions.push_back(position);
  }

  std::string file_;
  std::size_t line_ = 0;
  std::vector<Marker> markers_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace

std::vector<Marker> read_markers_csv(const std::filesystem::path& path) {
  MarkerReader reader(path.string());
  reader.read(read_text_file(path));
  return reader.finish();
}

}  // namespace sinew
