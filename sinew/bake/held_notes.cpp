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
  const ConstraintError& m = record.misfit;
  return (m.belt ? "belt '" : "grab '") + m.name.str() + "' is " + millimetres(m.mean) +
         (m.belt ? " from its size on average" : " from where it should be on average") + ", " +
         millimetres(m.largest) + (m.belt ? " where it is farthest, at " : " at most, at ") + when;
}

// Writes one sentence about the records for which `tells` is true.
template <class Tells>
std::string sentence(std::span<const HeldRecord> records, const std::string& clip, const std::string& end,
                     const Tells& tells) {
  std::string result;
  for (const HeldRecord& record : records)
    if (tells(record.misfit)) result += (result.empty() ? clip + ": " : "; ") + phrase(record);
  return result.empty() ? result : result + end;
}

}  // namespace

void add_misfits(std::span<const ConstraintError> misfits, double clip_time, std::vector<HeldRecord>& records) {
  for (const ConstraintError& misfit : misfits) {
    auto record = std::find_if(records.begin(), records.end(), [&](const HeldRecord& r) {
      return r.misfit.name == misfit.name && r.misfit.belt == misfit.belt;
    });
    if (record == records.end()) record = records.insert(records.end(), {{misfit.name, misfit.belt}, clip_time, 0});
    ++record->steps;
    record->misfit.mean += (misfit.mean - record->misfit.mean) / record->steps;
    if (!(misfit.largest > record->misfit.largest)) continue;
    record->misfit.largest = misfit.largest;
    record->worst_at = clip_time;
  }
}

void say_misfits(std::span<const HeldRecord> records, double height, BakeResult& result) {
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
