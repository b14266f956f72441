// cook_runtime_file()
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "runtime/sinew_runtime.h"
#include "sinew/base/byte_archive.h"
#include "sinew/deform/surface/check_surface_model.h"
#include "sinew/deform/surface/parameter_codes.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/runtime_file_layout.h"
#include "sinew/deform/surface/runtime_order.h"

namespace sinew {
namespace {

using namespace runtime_file;

class Writer {
 public:
  void u8(std::uint32_t value) { bytes_.push_back(static_cast<std::byte>(value & 255)); }
  void u16(std::uint32_t value) { u8(value), u8(value >> 8); }
  void u32(std::uint32_t value) { u16(value), u16(value >> 16); }
  void u64(std::uint64_t value) {
    u32(static_cast<std::uint32_t>(value)), u32(static_cast<std::uint32_t>(value >> 32));
  }
  void f32(double value) { u32(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
  void vec3(const Vec3& v) { f32(v.x), f32(v.y), f32(v.z); }
  void text(const std::string& s) {
    for (const char c : s) u8(static_cast<unsigned char>(c));
  }
  void end_section() {
    while (bytes_.size() % 4 != 0) u8(0);
  }
  void put_u64(std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) bytes_[at + i] = static_cast<std::byte>(value >> (8 * i) & 255);
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Sixteen-bit shares that sum to exactly weight_one: rounded down, what is left to the largest remainders. Empty where
// the weights do not say anything.
std::vector<std::uint32_t> quantised(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  if (!(sum > 0) || !std::isfinite(sum) || *std::min_element(weights.begin(), weights.end()) < 0) return {};
  std::vector<std::uint32_t> shares;
  std::vector<std::size_t> by_remainder(weights.size());
  std::iota(by_remainder.begin(), by_remainder.end(), 0u);
  std::uint32_t left = weight_one;
  for (const double w : weights) {
    shares.push_back(static_cast<std::uint32_t>(w / sum * weight_one));
    left -= std::min(left, shares.back());
  }
  const auto remainder = [&](std::size_t i) { return weights[i] / sum * weight_one - shares[i]; };
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t k = 0; left > 0; ++k, --left) ++shares[by_remainder[k % shares.size()]];
  return shares;
}

std::uint32_t snorm16(double value) {
  return static_cast<std::uint16_t>(
      static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * largest_snorm)));
}

void write_normals(Writer& out, const SurfaceModel& model, const std::vector<int>& order) {
  for (const int v : order) {
    Vec3 normal = normalized(model.normals[static_cast<std::size_t>(v)]);
    if (squared_norm(normal) < 0.5) normal = {0, 0, 1};  // a vertex of no triangle: anything of unit length
    out.u16(snorm16(normal.x)), out.u16(snorm16(normal.y)), out.u16(snorm16(normal.z));
  }
  out.end_section();
}

void write_influences(Writer& out, const SurfaceModel& model, const std::vector<int>& order) {
  std::vector<std::array<std::uint32_t, max_surface_influences>> weights;
  for (const int v : order) {
    const Influences& influences = model.influences[static_cast<std::size_t>(v)];
    const auto count = static_cast<std::size_t>(influences.count);
    std::array<std::uint32_t, max_surface_influences>& of_vertex = weights.emplace_back();
    of_vertex.fill(0);
    if (count > 0) {
      const auto shares = quantised({influences.weight.begin(), influences.weight.begin() + influences.count});
      if (shares.empty())
        refuse_surface_model("has weights on vertex " + std::to_string(v) + " that do not sum to one");
      std::copy(shares.begin(), shares.end(), of_vertex.begin());
    }
    for (std::size_t k = 0; k < max_surface_influences; ++k)
      out.u16(k < count ? static_cast<std::uint32_t>(influences.joint[k]) : 0);
  }
  out.end_section();
  for (const auto& of_vertex : weights)
    for (const std::uint32_t w : of_vertex) out.u16(w);
  out.end_section();
}

// The largest number in a mode's shape.
double shape_scale(const SurfaceMode& mode) {
  double scale = 0;
  for (const Vec3& d : mode.shape) scale = std::max({scale, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  return static_cast<double>(static_cast<float>(std::min(scale, 1.0)));
}

void write_affine(Writer& out, const Affine& map) {
  for (std::size_t row = 0; row < 3; ++row) out.vec3(map.linear.row(row)), out.f32(map.translation[row]);
}

void write_modes(Writer& out, const SurfaceModel& model, const std::vector<int>& order) {
  std::vector<double> scale;
  for (const SurfaceMode& mode : model.modes) {
    scale.push_back(shape_scale(mode));
    out.f32(mode.frequency), out.f32(mode.damping_ratio), out.f32(scale.back()), out.u32(0);
  }
  for (const SurfaceMode& mode : model.modes)
    for (const Affine& bone : mode.drive) write_affine(out, bone);
  for (const int v : order)
    for (std::size_t k = 0; k < model.modes.size(); ++k) {
      const Vec3 d = model.modes[k].shape[static_cast<std::size_t>(v)] * (scale[k] > 0 ? 1 / scale[k] : 0);
      out.u16(snorm16(d.x)), out.u16(snorm16(d.y)), out.u16(snorm16(d.z));
    }
  out.end_section();
}

void write_neighbours(Writer& out, const SurfaceModel& model, const std::vector<int>& order,
                      const std::vector<int>& place) {
  const auto count = [&](int v) {
    return model.first_neighbour[static_cast<std::size_t>(v) + 1] - model.first_neighbour[static_cast<std::size_t>(v)];
  };
  for (const int v : order) out.u16(static_cast<std::uint32_t>(count(v)));
  out.end_section();
  for (const int v : order)
    for (int k = 0; k < count(v); ++k) {
      const int j = model.neighbours[static_cast<std::size_t>(model.first_neighbour[static_cast<std::size_t>(v)] + k)];
      out.u32(static_cast<std::uint32_t>(place[static_cast<std::size_t>(j)]));
    }
}

void write_spokes(Writer& out, const SurfaceModel& model, const std::vector<int>& order) {
  std::vector<std::uint32_t> weights;
  const auto spokes_of = [&](int v) {
    const auto begin = model.spokes.begin() + model.first_spoke[static_cast<std::size_t>(v)];
    return std::span(begin, model.spokes.begin() + model.first_spoke[static_cast<std::size_t>(v) + 1]);
  };
  for (const int v : order) out.u16(static_cast<std::uint32_t>(spokes_of(v).size()));
  out.end_section();
  for (const int v : order) {
    std::vector<double> of_vertex;
    for (const Spoke& spoke : spokes_of(v)) {
      out.u16(static_cast<std::uint32_t>(spoke.segment));
      of_vertex.push_back(spoke.weight);
    }
    if (of_vertex.empty()) continue;
    const auto shares = quantised(of_vertex);
    if (shares.empty())
      refuse_surface_model("has weights of spokes on vertex " + std::to_string(v) + " that do not sum to one");
    weights.insert(weights.end(), shares.begin(), shares.end());
  }
  out.end_section();
  for (const std::uint32_t w : weights) out.u16(w);
  out.end_section();
}

// Totals in the header, besides the counts of bones, segments and so on.
struct Totals {
  std::size_t part_vertices = 0, name_bytes = 0;
};

Totals totals_of(const SurfaceModel& model) {
  Totals totals;
  for (const SurfaceBone& bone : model.bones) totals.name_bytes += bone.name.size();
  for (const SurfaceModelPart& part : model.parts) {
    totals.name_bytes += part.name.size();
    totals.part_vertices += part.vertex_of.size();
  }
  if (std::max({totals.part_vertices, totals.name_bytes, model.neighbours.size(), model.spokes.size()}) > no_vertex / 2)
    refuse_surface_model("is too large for a file");
  return totals;
}

// Length and checksum are still to come.
void write_header(Writer& out, const SurfaceModel& model) {
  const Totals totals = totals_of(model);
  out.text(std::string(magic, sizeof magic));
  out.u32(model.range.empty() ? SINEW_FILE_VERSION_WITHOUT_RANGES : SINEW_FILE_VERSION);
  out.u32((model.reference == ShapeReference::rest ? rest_flag : 0) | (model.shape.empty() ? 0 : shape_flag) |
          (model.modes.empty() ? 0 : mode_flag) | (model.range.empty() ? 0 : range_flag));
  out.u64(0), out.u64(0);
  out.f32(model.step), out.f32(model.reach), out.f32(model.height), out.u32(0);
  for (const std::size_t count :
       {model.bones.size(), model.segments.size(), model.rest.size(), model.parts.size(), model.neighbours.size(),
        model.spokes.size(), totals.part_vertices, totals.name_bytes})
    out.u32(static_cast<std::uint32_t>(count));
  out.u32(static_cast<std::uint32_t>(model.modes.size())), out.f32(model.mode_coupling);
  while (out.bytes().size() < header_bytes) out.u32(0);
}

// Bones, segments, parts.
void write_tables(Writer& out, const SurfaceModel& model) {
  for (const SurfaceBone& bone : model.bones) {
    write_affine(out, bone.rest_to_joint);
    out.u32(static_cast<std::uint32_t>(bone.name.size()));
  }
  for (const SurfaceSegment& segment : model.segments) {
    out.u32(static_cast<std::uint32_t>(segment.bone));
    out.vec3(segment.head), out.vec3(segment.tail);
  }
  for (const SurfaceModelPart& part : model.parts) {
    out.u32(static_cast<std::uint32_t>(part.vertex_of.size()));
    out.u32(static_cast<std::uint32_t>(part.name.size()));
  }
}

void write_parameters(Writer& out, const SurfaceModel& model, const std::vector<int>& order) {
  for (const int v : order) {
    const auto i = static_cast<std::size_t>(v);
    const RestorationShape shape =
        model.shape.empty() ? RestorationShape{} : decode_shape(encode_shape(model.shape[i]));
    for (const std::uint8_t code : encode_parameters(model.parameters[i], shape)) out.u8(code);
  }
  out.end_section();
  if (!model.shape.empty())
    for (const int v : order)
      for (const std::uint8_t code : encode_shape(model.shape[static_cast<std::size_t>(v)])) out.u8(code);
  out.end_section();
  if (!model.range.empty())
    for (const int v : order) out.u8(encode_range(model.range[static_cast<std::size_t>(v)], model.reach));
  out.end_section();
}

void write_parts(Writer& out, const SurfaceModel& model, const std::vector<int>& place) {
  for (const SurfaceModelPart& part : model.parts)
    for (const int v : part.vertex_of)
      out.u32(v == -1 ? no_vertex : static_cast<std::uint32_t>(place[static_cast<std::size_t>(v)]));
  for (const SurfaceBone& bone : model.bones) out.text(bone.name);
  for (const SurfaceModelPart& part : model.parts) out.text(part.name);
  out.end_section();
}

}  // namespace

std::vector<std::byte> cook_runtime_file(const SurfaceModel& model) {
  check_surface_model(model);
  const std::vector<int> order = runtime_order(model);
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);

  Writer out;
  write_header(out, model);
  write_tables(out, model);
  for (const int v : order) out.u32(static_cast<std::uint32_t>(v));
  for (const int i : place) out.u32(static_cast<std::uint32_t>(i));
  for (const int v : order) out.vec3(model.rest[static_cast<std::size_t>(v)]);
  write_normals(out, model, order);
  write_influences(out, model, order);
  write_parameters(out, model, order);
  write_modes(out, model, order);
  write_neighbours(out, model, order, place);
  write_spokes(out, model, order);
  write_parts(out, model, place);

  out.put_u64(bytes_at, out.bytes().size());
  const std::vector<std::byte>& bytes = out.bytes();
  out.put_u64(checksum_at, hash_bytes(bytes.data() + checked_from, bytes.size() - checked_from,
                                      hash_bytes(bytes.data(), checksum_at)));
  return std::move(out.bytes());
}

}  // namespace sinew
