#include "sinew/rig/offset_rig.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

Vec3 three(std::span<const double> p, int first) { return {p[index(first)], p[index(first) + 1], p[index(first) + 2]}; }

void set_three(std::span<double> p, int first, const Vec3& r) {
  for (std::size_t c = 0; c < 3; ++c) p[index(first) + c] = r[c];
}

// Offsets of rotation vectors, by the first parameter of each.
std::map<int, Vec3> turned(const std::vector<RigParameter>& parameters, std::span<const int> moved,
                           std::span<const double> offsets) {
  std::map<int, Vec3> result;
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (const int first = parameters[index(moved[i])].rotation; first >= 0)
      result[first][index(moved[i] - first)] = offsets[i];
  return result;
}

// Appends a column that is a sum of others times factors.
void append_column(const RigJacobian& from, std::span<const std::pair<std::size_t, double>> terms,
                   RigJacobian& result) {
  std::map<int, Vec3> sum;
  for (const auto& [column, factor] : terms)
    for (auto k = index(from.start[column]); k < index(from.start[column + 1]); ++k)
      sum[from.vertex[k]] += factor * from.derivative[k];
  for (const auto& [vertex, derivative] : sum) {
    result.vertex.push_back(vertex);
    result.derivative.push_back(derivative);
  }
  result.start.push_back(static_cast<int>(result.vertex.size()));
}

}  // namespace

void add_offsets(const std::vector<RigParameter>& parameters, std::span<const int> moved,
                 std::span<const double> offsets, std::span<double> p) {
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const RigParameter& parameter = parameters[index(moved[i])];
    double& value = p[index(moved[i])];
    if (parameter.rotation < 0) value = value == parameter.rest ? offsets[i] : value + (offsets[i] - parameter.rest);
  }
  for (const auto& [first, offset] : turned(parameters, moved, offsets)) {
    const Vec3 keyed = three(p, first);
    if (keyed == Vec3{})
      set_three(p, first, offset);
    else if (!(offset == Vec3{}))
      set_three(p, first, nearest_rotation_vector(rotation_exponential(keyed) * rotation_exponential(offset), keyed));
  }
}

OffsetRig::OffsetRig(Rig& rig, std::vector<int> moved)
    : rig_(rig), moved_(std::move(moved)), parameters_(rig.parameters()) {
  for (const int i : moved_) parameters_.push_back(rig.parameters()[index(i)]);
}

std::vector<int> OffsetRig::offsets() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < moved_.size(); ++i) result.push_back(static_cast<int>(rig_.parameters().size() + i));
  return result;
}

std::vector<double> OffsetRig::together(std::span<const double> p) const {
  const std::size_t keyed = rig_.parameters().size();
  std::vector<double> result(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(keyed));
  add_offsets(rig_.parameters(), moved_, p.subspan(keyed), result);
  return result;
}

void OffsetRig::evaluate(std::span<const double> p, std::span<Vec3> s) { rig_.evaluate(together(p), s); }

void OffsetRig::evaluate_many(std::span<const double> p, std::span<Vec3> s) {
  std::vector<double> all;
  for (std::size_t at = 0; at < p.size(); at += parameters_.size()) {
    const std::vector<double> one = together(p.subspan(at, parameters_.size()));
    all.insert(all.end(), one.begin(), one.end());
  }
  rig_.evaluate_many(all, s);
}

// With exp(r) = exp(r_key) exp(q), both rotations change equally, J(r) dr = J(q) dq (rotation_right_jacobian).
bool OffsetRig::jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) {
  const std::size_t keyed = rig_.parameters().size();
  std::vector<double> at = together(p);
  std::map<int, Mat3> rates;  // dr/dq of rotation vectors that are keyed
  for (const auto& [first, offset] : turned(rig_.parameters(), moved_, p.subspan(keyed))) {
    if (three(p, first) == Vec3{}) continue;
    // The shortest equivalent vector: derivatives are not defined at whole turns of others.
    const Vec3 r = rotation_logarithm(rotation_exponential(three(at, first)));
    set_three(at, first, r);
    rates[first] = inverse(rotation_right_jacobian(r)) * rotation_right_jacobian(offset);
  }
  std::vector<int> asked;
  std::map<int, std::size_t> place;
  const auto ask = [&](int parameter) {
    const auto [entry, is_new] = place.try_emplace(parameter, asked.size());
    if (is_new) asked.push_back(parameter);
    return entry->second;
  };
  std::vector<std::vector<std::pair<std::size_t, double>>> terms(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (index(columns[c]) < keyed) throw usage_error("a rig with offsets is asked for derivatives by what is keyed.");
    const int parameter = moved_[index(columns[c]) - keyed], first = rig_.parameters()[index(parameter)].rotation;
    const auto turn = rates.find(first);
    if (turn == rates.end())
      terms[c] = {{ask(parameter), 1.0}};
    else
      for (int row = 0; row < 3; ++row)
        terms[c].emplace_back(ask(first + row), turn->second(index(row), index(parameter - first)));
  }
  RigJacobian own;
  if (!rig_.jacobian(at, asked, own)) return false;
  result = {};
  for (const auto& column : terms) append_column(own, column, result);
  return true;
}

}  // namespace sinew
