#include "sinew/deform/surface_dynamics/runtime_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>

#include "runtime/sinew_runtime.h"
#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr char magic[] = {'S', 'I', 'N', 'E', 'W', 'S', 'R', 'F'};
constexpr std::size_t header_bytes = 96, checksum_at = 24, checked_from = 32;
constexpr std::uint32_t weight_one = 65535, no_vertex = 0xffffffffu;
constexpr std::uint32_t rest_flag = 1, shape_flag = 2, mode_flag = 4;
// What runtime/sinew_runtime.c accepts.
constexpr double largest_rest = 1e3, largest_bone = 1e6, shortest_step = 1e-4, longest_step = 0.1,
                 shortest_reach = 1e-6;
constexpr double most_stiff = 3.8999;  // a hair below the run-time's 3.9
constexpr double lowest_frequency = 1e-3, largest_coupling = 1e3;
constexpr float highest_swings_a_step = 0.25f;
constexpr double largest_snorm = 32767;
constexpr int most_spokes = 64, most_count = 65535;
constexpr int most_vertices = 1 << 26;
// Vertices of so many places in a row may change places among each other, so that blocks have equal counts.
constexpr std::size_t sorted_window = 64;

// FNV-1a
std::uint64_t checksum_of(std::span<const std::byte> bytes, std::uint64_t hash = 14695981039346656037u) {
  for (const std::byte b : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(b)) * 1099511628211u;
  return hash;
}

// ---- writing ----

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

[[noreturn]] void refuse(const std::string& what) { throw input_error("the surface model " + what); }

void check_index(int index, std::size_t count, const char* what) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    refuse(std::string("has ") + what + " " + std::to_string(index) + ", but only " + std::to_string(count) +
           " of them");
}

void check_within(const Vec3& v, double largest, const char* what) {
  if (!(std::abs(v.x) <= largest && std::abs(v.y) <= largest && std::abs(v.z) <= largest))
    refuse(std::string("has ") + what + " farther than " + std::to_string(static_cast<int>(largest)) +
           " m from the origin or not finite; check the character's scale");
}

void check_ranges(const std::vector<int>& first, std::size_t n, std::size_t total, const char* what) {
  const bool fits = first.size() == n + 1 && first.front() == 0 && std::is_sorted(first.begin(), first.end()) &&
                    static_cast<std::size_t>(first.back()) == total;
  if (!fits) refuse(std::string("has lists of ") + what + " that do not add up");
}

void check_modes(const SurfaceModel& model) {
  if (model.modes.size() > max_surface_modes) refuse("has more than 16 modes");
  if (!(model.mode_coupling >= 0 && model.mode_coupling <= (model.modes.empty() ? 0 : largest_coupling)))
    refuse("has a coupling of its modes outside 0 to 1000, or one without modes");
  for (const SurfaceMode& mode : model.modes) {
    const float swings_a_step = static_cast<float>(mode.frequency) * static_cast<float>(model.step);
    if (!(mode.frequency >= lowest_frequency && swings_a_step <= highest_swings_a_step))
      refuse("has a mode below 0.001 Hz or faster than a swing in four steps");
    if (!(mode.damping_ratio >= 0 && mode.damping_ratio <= 1)) refuse("has a mode with a damping ratio outside 0 to 1");
    if (mode.shape.size() != model.rest.size() || mode.drive.size() != model.bones.size())
      refuse("has a mode for another number of vertices or bones");
    for (const Vec3& d : mode.shape)
      if (!(std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 1.001)) refuse("has a mode longer than 1");
    for (const Affine& bone : mode.drive) {
      check_within(bone.translation, largest_bone, "the drive of a mode");
      for (const double m : bone.linear.m)
        if (!(std::abs(m) <= largest_bone)) refuse("has a drive of a mode that is not finite");
    }
  }
}

void check_model(const SurfaceModel& model) {
  const std::size_t n = model.rest.size();
  if (n == 0 || n > static_cast<std::size_t>(most_vertices)) refuse("has no vertices, or more than 67 million");
  if (model.bones.size() >= most_count || model.segments.size() > most_count)
    refuse("has more than 65534 bones or 65535 segments");
  if (model.normals.size() != n || model.influences.size() != n || model.parameters.size() != n)
    refuse("has normals, influences or parameters for another number of vertices");
  if (!model.shape.empty() && model.shape.size() != n)
    refuse("has shapes of restoration for another number of vertices");
  for (const RestorationShape& s : model.shape)
    if (!std::isfinite(s.xx + s.yy + s.zz + s.xy + s.xz + s.yz))
      refuse("has a shape of restoration that is not finite");
  if (!(model.step >= shortest_step && model.step <= longest_step)) refuse("has a step outside 0.1 to 100 ms");
  if (!(model.reach >= shortest_reach && model.reach <= largest_rest)) refuse("has a reach outside 1 um to 1 km");
  if (!(model.height > 0 && model.height <= largest_rest)) refuse("has a height of zero or more than 1 km");
  check_ranges(model.first_neighbour, n, model.neighbours.size(), "neighbours");
  check_ranges(model.first_spoke, n, model.spokes.size(), "spokes");
  for (const SurfaceBone& bone : model.bones) {
    check_within(bone.rest_to_joint.translation, largest_bone, "a bone matrix");
    for (const double m : bone.rest_to_joint.linear.m)
      if (!(std::abs(m) <= largest_bone)) refuse("has a matrix of bone \"" + bone.name + "\" that is not finite");
    if (bone.name.find('\0') != std::string::npos) refuse("has a bone with a zero in its name");
  }
  for (const SurfaceSegment& segment : model.segments) {
    check_index(segment.bone, model.bones.size(), "a segment of bone");
    check_within(segment.head, largest_rest, "a segment");
    check_within(segment.tail, largest_rest, "a segment");
  }
  for (std::size_t v = 0; v < n; ++v) {
    check_within(model.rest[v], largest_rest, "a vertex");
    if (!is_finite(model.normals[v])) refuse("has a normal that is not finite");
    const Influences& influences = model.influences[v];
    if (influences.count < 0 || influences.count > max_surface_influences)
      refuse("has more than four influences on vertex " + std::to_string(v));
    for (int k = 0; k < influences.count; ++k)
      check_index(influences.joint[static_cast<std::size_t>(k)], model.bones.size(), "an influence of bone");
    if (model.first_neighbour[v + 1] - model.first_neighbour[v] > most_count)
      refuse("has more than 65535 neighbours of vertex " + std::to_string(v));
    if (model.first_spoke[v + 1] - model.first_spoke[v] > most_spokes)
      refuse("has more than 64 spokes of vertex " + std::to_string(v));
  }
  check_modes(model);
  for (const int j : model.neighbours) check_index(j, n, "a neighbour");
  for (const Spoke& spoke : model.spokes) check_index(spoke.segment, model.segments.size(), "a spoke to segment");
  for (const SurfaceModelPart& part : model.parts) {
    if (part.name.find('\0') != std::string::npos) refuse("has a part with a zero in its name");
    for (const int v : part.vertex_of)
      if (v != -1) check_index(v, n, "a part with vertex");
  }
}

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
  return static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * 32767)));
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
      if (shares.empty()) refuse("has weights on vertex " + std::to_string(v) + " that do not sum to one");
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
    if (shares.empty()) refuse("has weights of spokes on vertex " + std::to_string(v) + " that do not sum to one");
    weights.insert(weights.end(), shares.begin(), shares.end());
  }
  out.end_section();
  for (const std::uint32_t w : weights) out.u16(w);
  out.end_section();
}

// Of a symmetric matrix without negative eigenvalues: the limit of the norms of its powers, squared again and again.
double largest_eigenvalue(Mat3 s) {
  double log_scale = 0, power = 1;
  for (int i = 0; i < 40; ++i) {
    const double norm = frobenius_norm(s);
    if (!(norm > 0)) return 0;
    log_scale += std::log(norm) * power;
    s = (s * (1 / norm)) * (s * (1 / norm));
    power /= 2;
  }
  return std::exp(log_scale);
}

// ---- order ----

std::uint64_t spread_bits(std::uint64_t v) {  // 21 bits to every third
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

// Where a point is along Morton's curve through a cube.
std::uint64_t along_curve(const Vec3& p, const Vec3& low, double size) {
  const auto cell = [&](double from_low) {
    return static_cast<std::uint64_t>(std::clamp(from_low / size, 0.0, 1.0) * 0x1fffff);
  };
  return spread_bits(cell(p.x - low.x)) | spread_bits(cell(p.y - low.y)) << 1 | spread_bits(cell(p.z - low.z)) << 2;
}

}  // namespace

ShapeCodes encode_shape(const RestorationShape& s) {
  const auto diagonal = [](double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value / 3, 0.0, 1.0) * 255));
  };
  const auto other = [](double value) {
    return static_cast<std::uint8_t>(static_cast<std::int8_t>(std::lround(std::clamp(value / 1.5, -1.0, 1.0) * 127)));
  };
  return {diagonal(s.xx), diagonal(s.yy), diagonal(s.zz), other(s.xy), other(s.xz), other(s.yz)};
}

RestorationShape decode_shape(const ShapeCodes& codes) {
  float s[6];
  sinew_decode_restoration(codes.data(), s);
  return {s[0], s[1], s[2], s[3], s[4], s[5]};
}

ParameterCodes encode_parameters(const VertexParameters& p, const RestorationShape& shape) {
  const std::array<double, 5> squares{p.alpha, p.beta, p.gamma, 2 * p.lambda, p.delta};
  const double largest = largest_eigenvalue(to_matrix(shape));
  const auto total = [&](const std::array<double, 5>& s) {
    return largest * s[0] + 2 * s[1] + s[2] + 2 * s[3] + 2 * s[4];
  };
  ParameterCodes codes{};
  std::array<double, 5> decoded{};
  for (std::size_t i = 0; i < 5; ++i) {
    codes[i] = static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::clamp(squares[i], 0.0, 1.0))));
    decoded[i] = codes[i] / 255.0 * (codes[i] / 255.0);
  }
  // Rounded down, as the run-time does where a file is not stable, which this one then is.
  if (total(decoded) > most_stiff)
    for (std::size_t i = 0; i < 5; ++i)
      codes[i] = static_cast<std::uint8_t>(codes[i] * std::sqrt(most_stiff / total(decoded)));
  return codes;
}

VertexParameters decode_parameters(const ParameterCodes& codes) {
  const auto square = [&](std::size_t i) { return codes[i] / 255.0 * (codes[i] / 255.0); };
  return {square(0), square(1), square(2), 0.5 * square(3), square(4)};
}

std::vector<int> runtime_order(const SurfaceModel& model) {
  const std::size_t n = model.rest.size();
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Vec3& p : model.rest) low = min(low, p), high = max(high, p);
  const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-12});
  std::vector<std::uint64_t> key(n);
  for (std::size_t v = 0; v < n; ++v) key[v] = along_curve(model.rest[v], low, size);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)]; });
  const auto count = [&](int v) {
    return model.first_neighbour[static_cast<std::size_t>(v) + 1] - model.first_neighbour[static_cast<std::size_t>(v)];
  };
  for (std::size_t begin = 0; begin < n; begin += sorted_window)
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                     order.begin() + static_cast<std::ptrdiff_t>(std::min(n, begin + sorted_window)),
                     [&](int a, int b) { return count(a) < count(b); });
  return order;
}

std::vector<std::byte> cook_runtime_file(const SurfaceModel& model) {
  check_model(model);
  const std::vector<int> order = runtime_order(model);
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);

  std::size_t part_vertices = 0, name_bytes = 0;
  for (const SurfaceBone& bone : model.bones) name_bytes += bone.name.size();
  for (const SurfaceModelPart& part : model.parts) {
    name_bytes += part.name.size();
    part_vertices += part.vertex_of.size();
  }
  if (part_vertices > no_vertex / 2 || name_bytes > no_vertex / 2 || model.neighbours.size() > no_vertex / 2 ||
      model.spokes.size() > no_vertex / 2)
    refuse("is too large for a file");

  Writer out;
  out.text(std::string(magic, sizeof magic));
  out.u32(SINEW_FILE_VERSION);
  out.u32((model.reference == ShapeReference::rest ? rest_flag : 0) | (model.shape.empty() ? 0 : shape_flag) |
          (model.modes.empty() ? 0 : mode_flag));
  out.u64(0), out.u64(0);  // bytes of the file, checksum
  out.f32(model.step), out.f32(model.reach), out.f32(model.height), out.u32(0);
  for (const std::size_t count : {model.bones.size(), model.segments.size(), order.size(), model.parts.size(),
                                  model.neighbours.size(), model.spokes.size(), part_vertices, name_bytes})
    out.u32(static_cast<std::uint32_t>(count));
  out.u32(static_cast<std::uint32_t>(model.modes.size())), out.f32(model.mode_coupling);
  while (out.bytes().size() < header_bytes) out.u32(0);

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
  for (const int v : order) out.u32(static_cast<std::uint32_t>(v));
  for (const int i : place) out.u32(static_cast<std::uint32_t>(i));
  for (const int v : order) out.vec3(model.rest[static_cast<std::size_t>(v)]);
  write_normals(out, model, order);
  write_influences(out, model, order);
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
  write_modes(out, model, order);
  write_neighbours(out, model, order, place);
  write_spokes(out, model, order);
  for (const SurfaceModelPart& part : model.parts)
    for (const int v : part.vertex_of)
      out.u32(v == -1 ? no_vertex : static_cast<std::uint32_t>(place[static_cast<std::size_t>(v)]));
  for (const SurfaceBone& bone : model.bones) out.text(bone.name);
  for (const SurfaceModelPart& part : model.parts) out.text(part.name);
  out.end_section();

  out.put_u64(16, out.bytes().size());
  out.put_u64(checksum_at, checksum_of(std::span(out.bytes()).subspan(checked_from),
                                       checksum_of(std::span(out.bytes()).first(checksum_at))));
  return std::move(out.bytes());
}

namespace {

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

}  // namespace

SurfaceModel read_runtime_file(std::span<const std::byte> bytes, const std::string& name) {
  std::size_t memory = 0;
  const sinew_status status =
      bytes.empty() ? SINEW_NOT_A_MODEL : sinew_model_memory(bytes.data(), bytes.size(), &memory);
  if (status != SINEW_OK) throw input_error(name + ": " + sinew_sentence(status));

  SurfaceModel model;
  Reader in(bytes);
  in.go_to(12);
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

  std::vector<std::size_t> bone_names;
  for (SurfaceBone& bone : model.bones) {
    bone.rest_to_joint = in.affine();
    bone_names.push_back(in.u32());
  }
  for (SurfaceSegment& segment : model.segments) {
    segment.bone = static_cast<int>(in.u32());
    segment.head = in.vec3(), segment.tail = in.vec3();
  }
  std::vector<std::size_t> part_names;
  for (SurfaceModelPart& part : model.parts) {
    part.vertex_of.resize(in.u32());
    part_names.push_back(in.u32());
  }
  std::vector<std::size_t> order(n), place(n);
  for (std::size_t& v : order) v = in.u32();
  for (std::size_t& i : place) i = in.u32();
  model.rest.resize(n), model.normals.resize(n), model.influences.resize(n), model.parameters.resize(n);
  for (const std::size_t v : order) model.rest[v] = in.vec3();
  for (const std::size_t v : order) model.normals[v] = normalized(in.snorm16_vec3());
  in.end_section();
  std::vector<std::array<int, max_surface_influences>> joints(n);
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
  for (const std::size_t v : order) {
    ParameterCodes codes;
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(in.u8());
    model.parameters[v] = decode_parameters(codes);
  }
  in.end_section();
  if (flags & shape_flag) model.shape.resize(n);
  for (const std::size_t v : order) {
    if (model.shape.empty()) break;
    ShapeCodes codes;
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(in.u8());
    model.shape[v] = decode_shape(codes);
  }
  in.end_section();

  std::vector<double> scale;
  for (SurfaceMode& mode : model.modes) {
    mode.frequency = in.f32(), mode.damping_ratio = in.f32();
    scale.push_back(in.f32());
    in.u32();
    mode.shape.resize(n);
  }
  for (SurfaceMode& mode : model.modes)
    for (std::size_t b = 0; b < model.bones.size(); ++b) mode.drive.push_back(in.affine());
  for (const std::size_t v : order)
    for (std::size_t k = 0; k < model.modes.size(); ++k) model.modes[k].shape[v] = scale[k] * in.snorm16_vec3();
  in.end_section();

  // Lists come in the order of places: count, then fill.
  const auto first_of = [&](std::vector<int>& first) {
    first.assign(n + 1, 0);
    for (const std::size_t v : order) first[v + 1] = static_cast<int>(in.u16());
    in.end_section();
    std::partial_sum(first.begin(), first.end(), first.begin());
  };
  first_of(model.first_neighbour);
  for (const std::size_t v : order) {
    const auto begin = model.neighbours.begin() + model.first_neighbour[v];
    const auto end = model.neighbours.begin() + model.first_neighbour[v + 1];
    for (auto j = begin; j != end; ++j) *j = static_cast<int>(order[in.u32()]);
    std::sort(begin, end);
  }
  first_of(model.first_spoke);
  const auto spokes_of = [&](std::size_t v) {
    return std::span(model.spokes.begin() + model.first_spoke[v], model.spokes.begin() + model.first_spoke[v + 1]);
  };
  for (const std::size_t v : order)
    for (Spoke& spoke : spokes_of(v)) spoke.segment = static_cast<int>(in.u16());
  in.end_section();
  for (const std::size_t v : order)
    for (Spoke& spoke : spokes_of(v)) spoke.weight = in.u16() / double(weight_one);
  in.end_section();
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
