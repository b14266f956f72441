#include "sinew/bake/held_notes.h"

#include <algorithm>
#include <cstdio>

namespace sinew {
namespace {

// Shares of the height.
constexpr double visible = 1e-4, failed = 1e-2;

std::string millimetres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  return text;
}

std::string phrase(const HeldRecord& record) {
  char when[32];
  std::snprintf(when, sizeof when, "%.2f s", record.worst_at);
  const ConstraintError& m = record.constraint_error;
  return (m.is_ring ? "belt '" : "grab '") + m.name.str() + "' is " + millimetres(m.mean) +
         (m.is_ring ? " from its size on average" : " from where it should be on average") + ", " +
         millimetres(m.largest) + (m.is_ring ? " where it is farthest, at " : " at most, at ") + when;
}

// Writes one sentence about the records for which `tells` is true.
template <class Tells>
std::string sentence(std::span<const HeldRecord> records, const std::string& clip, const std::string& end,
                     const Tells& tells) {
  std::string result;
  for (const HeldRecord& record : records)
    if (tells(record.constraint_error)) result += (result.empty() ? clip + ": " : "; ") + phrase(record);
  return result.empty() ? result : result + end;
}

}  // namespace

void add_constraint_errors(std::span<const ConstraintError> constraint_errors, double clip_time,
                           std::vector<HeldRecord>& records) {
  for (const ConstraintError& error : constraint_errors) {
    auto record = std::find_if(records.begin(), records.end(), [&](const HeldRecord& r) {
      return r.constraint_error.name == error.name && r.constraint_error.is_ring == error.is_ring;
    });
    if (record == records.end()) record = records.insert(records.end(), {{error.name, error.is_ring}, clip_time, 0});
    ++record->steps;
    record->constraint_error.mean += (error.mean - record->constraint_error.mean) / record->steps;
    if (!(error.largest > record->constraint_error.largest)) continue;
    record->constraint_error.largest = error.largest;
    record->worst_at = clip_time;
  }
}

void report_constraint_errors(std::span<const HeldRecord> records, double height, BakeResult& result) {
  const auto has_failed = [&](const ConstraintError& m) { return m.mean > failed * height; };
  const auto is_off = [&](const ConstraintError& m) { return m.largest > visible * height && !has_failed(m); };
  const std::string note =
      sentence(records, result.report.name, "; the cells there cannot follow it more closely.", is_off);
  const std::string failure =
      sentence(records, result.report.name,
               ", which is not what was asked for; ask for less, or for more cells (--lattice-cells).", has_failed);
  if (!note.empty()) result.notes.push_back(note);
  if (!failure.empty()) result.failures.push_back(failure);
}

}  // namespace sinew
