// read_runtime_file()
#include <algorithm>
#include <bit>
#include <numeric>

#include "runtime/sinew_runtime.h"
#include "sinew/base/error.h"
#include "sinew/deform/surface/parameter_codes.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/runtime_file_layout.h"

namespace sinew {
namespace {

using namespace runtime_file;
using Order = std::vector<std::size_t>;  // per place the vertex of the model

// Walks through a file that sinew_model_memory() has found good.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void go_to(std::size_t at) { at_ = at; }
  std::uint32_t u8() { return std::to_integer<std::uint32_t>(bytes_[at_++]); }
  std::uint32_t u16() {
    const std::uint32_t low = u8();
    return low | u8() << 8;
  }
  std::uint32_t u32() {
    const std::uint32_t low = u16();
    return low | u16() << 16;
  }
  double f32() { return std::bit_cast<float>(u32()); }
  Vec3 vec3() {
    const double x = f32(), y = f32();
    return {x, y, f32()};
  }
  double snorm16() { return static_cast<std::int16_t>(u16()) / largest_snorm; }
  Vec3 snorm16_vec3() {
    const double x = snorm16(), y = snorm16();
    return {x, y, snorm16()};
  }
  Affine affine() {
    Affine map;
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) map.linear(row, column) = f32();
      map.translation[row] = f32();
    }
    return map;
  }
  std::string text(std::size_t count) {
    std::string s(count, ' ');
    for (char& c : s) c = static_cast<char>(u8());
    return s;
  }
  void end_section() { at_ = (at_ + 3) / 4 * 4; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

// Sizes everything that the header counts; returns the number of vertices.
std::size_t read_header(Reader& in, SurfaceModel& model) {
  in.go_to(flags_at);
  const std::uint32_t flags = in.u32();
  model.reference = flags & rest_flag ? ShapeReference::rest : ShapeReference::rig;
  in.go_to(checked_from);
  model.step = in.f32(), model.reach = in.f32(), model.height = in.f32();
  in.u32();
  model.bones.resize(in.u32()), model.segments.resize(in.u32());
  const std::size_t n = in.u32();
  model.parts.resize(in.u32()), model.neighbours.resize(in.u32()), model.spokes.resize(in.u32());
  in.u32(), in.u32();  // vertices of parts, bytes of names
  model.modes.resize(in.u32());
  model.mode_coupling = in.f32();
  in.go_to(header_bytes);
  if (flags & shape_flag) model.shape.resize(n);
  if (flags & range_flag) model.range.resize(n);
  return n;
}

void read_influences(Reader& in, const Order& order, SurfaceModel& model) {
  std::vector<std::array<int, max_surface_influences>> joints(order.size());
  for (const std::size_t v : order)
    for (int& joint : joints[v]) joint = static_cast<int>(in.u16());
  for (const std::size_t v : order)
    for (const int joint : joints[v]) {
      const std::uint32_t weight = in.u16();
      if (weight == 0) continue;
      Influences& influences = model.influences[v];
      influences.joint[static_cast<std::size_t>(influences.count)] = joint;
      influences.weight[static_cast<std::size_t>(influences.count++)] = weight / double(weight_one);
    }
}

void read_parameters(Reader& in, const Order& order, SurfaceModel& model) {
  for (const std::size_t v : order) {
    ParameterCodes codes;
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(in.u8());
    model.parameters[v] = decode_parameters(codes);
  }
  in.end_section();
  if (!model.shape.empty())
    for (const std::size_t v : order) {
      ShapeCodes codes;
      for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(in.u8());
      model.shape[v] = decode_shape(codes);
    }
  in.end_section();
  if (!model.range.empty())
    for (const std::size_t v : order) model.range[v] = decode_range(static_cast<std::uint8_t>(in.u8()), model.reach);
  in.end_section();
}

void read_modes(Reader& in, const Order& order, SurfaceModel& model) {
  std::vector<double> scale;
  for (SurfaceMode& mode : model.modes) {
    mode.frequency = in.f32(), mode.damping_ratio = in.f32();
    scale.push_back(in.f32());
    in.u32();
    mode.shape.resize(order.size());
  }
  for (SurfaceMode& mode : model.modes)
    for (std::size_t b = 0; b < model.bones.size(); ++b) mode.drive.push_back(in.affine());
  for (const std::size_t v : order)
    for (std::size_t k = 0; k < model.modes.size(); ++k) model.modes[k].shape[v] = scale[k] * in.snorm16_vec3();
  in.end_section();
}

// Lists come in the order of places: count, then fill.
void read_counts(Reader& in, const Order& order, std::vector<int>& first) {
  first.assign(order.size() + 1, 0);
  for (const std::size_t v : order) first[v + 1] = static_cast<int>(in.u16());
  in.end_section();
  std::partial_sum(first.begin(), first.end(), first.begin());
}

void read_neighbours(Reader& in, const Order& order, SurfaceModel& model) {
  read_counts(in, order, model.first_neighbour);
  for (const std::size_t v : order) {
    const auto begin = model.neighbours.begin() + model.first_neighbour[v];
    const auto end = model.neighbours.begin() + model.first_neighbour[v + 1];
    for (auto j = begin; j != end; ++j) *j = static_cast<int>(order[in.u32()]);
    std::sort(begin, end);
  }
}

void read_spokes(Reader& in, const Order& order, SurfaceModel& model) {
  read_counts(in, order, model.first_spoke);
  const auto spokes_of = [&](std::size_t v) {
    return std::span(model.spokes.begin() + model.first_spoke[v], model.spokes.begin() + model.first_spoke[v + 1]);
  };
  for (const std::size_t v : order)
    for (Spoke& spoke : spokes_of(v)) spoke.segment = static_cast<int>(in.u16());
  in.end_section();
  for (const std::size_t v : order)
    for (Spoke& spoke : spokes_of(v)) spoke.weight = in.u16() / double(weight_one);
  in.end_section();
}

}  // namespace

SurfaceModel read_runtime_file(std::span<const std::byte> bytes, const std::string& name) {
  std::size_t memory = 0;
  const sinew_status status =
      bytes.empty() ? SINEW_NOT_A_MODEL : sinew_model_memory(bytes.data(), bytes.size(), &memory);
  if (status != SINEW_OK) throw input_error(name + ": " + sinew_sentence(status));

  SurfaceModel model;
  Reader in(bytes);
  const std::size_t n = read_header(in, model);
  std::vector<std::size_t> bone_names, part_names;
  for (SurfaceBone& bone : model.bones) {
    bone.rest_to_joint = in.affine();
    bone_names.push_back(in.u32());
  }
  for (SurfaceSegment& segment : model.segments) {
    segment.bone = static_cast<int>(in.u32());
    segment.head = in.vec3(), segment.tail = in.vec3();
  }
  for (SurfaceModelPart& part : model.parts) {
    part.vertex_of.resize(in.u32());
    part_names.push_back(in.u32());
  }
  Order order(n);
  for (std::size_t& v : order) v = in.u32();
  for (std::size_t place = 0; place < n; ++place) in.u32();  // the other way round
  model.rest.resize(n), model.normals.resize(n), model.influences.resize(n), model.parameters.resize(n);
  for (const std::size_t v : order) model.rest[v] = in.vec3();
  for (const std::size_t v : order) model.normals[v] = normalized(in.snorm16_vec3());
  in.end_section();
  read_influences(in, order, model);
  read_parameters(in, order, model);
  read_modes(in, order, model);
  read_neighbours(in, order, model);
  read_spokes(in, order, model);
  for (SurfaceModelPart& part : model.parts)
    for (int& v : part.vertex_of) {
      const std::uint32_t at = in.u32();
      v = at == no_vertex ? -1 : static_cast<int>(order[at]);
    }
  for (std::size_t b = 0; b < model.bones.size(); ++b) model.bones[b].name = in.text(bone_names[b]);
  for (std::size_t p = 0; p < model.parts.size(); ++p) model.parts[p].name = in.text(part_names[p]);
  return model;
}

}  // namespace sinew
