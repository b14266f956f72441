// fibre_tensions() with fibres side by side in vector registers, dispatched at run time.
#include "sinew/deform/flesh/fibre_elasticity.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/flesh/fibre_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/deform/flesh/patch_lanes.h"
#include "sinew/elastic/hill_curves.h"

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::fibre_kernels {
namespace HWY_NAMESPACE {

using namespace sinew::patch_kernels::HWY_NAMESPACE;

template <class R>
struct ForceAndWork {
  R force, work;
};

// hill::active_force() and active_work().
template <class Number, class R = Real<Number>>
HWY_INLINE ForceAndWork<R> active_curve(R length) {
  const auto number = [](double of) { return R(static_cast<Number>(of)); };
  const R one(1), y = length - one, size = smaller(absolute(y), number(hill::foot)), left = number(hill::foot) - size;
  const R half = number(hill::half_work), squared = size * size;
  const auto on_top = size < number(hill::shoulder);
  const R work = select(on_top, size * neg_mul_add(number(4.0 / 3), squared, one),
                        neg_mul_add(number(3) * left, left * left, half));
  return {select(on_top, neg_mul_add(number(4), squared, one), number(9) * left * left),
          select(y < R::zero(), half - work, half + work)};
}

// hill::passive_force() and passive_work().
template <class Number, class R = Real<Number>>
HWY_INLINE ForceAndWork<R> passive_curve(R strain) {
  const auto number = [](double of) { return R(static_cast<Number>(of)); };
  const R all = larger(strain, R::zero()), e = smaller(all, number(hill::passive_last)), more = all - e;
  const R rate = number(hill::passive_rate), first = number(hill::passive_first), one(1);
  const R grown = R(hn::Exp(typename R::Tag(), (rate * e).v)), risen = grown - one, slope = rate * grown;
  return {first * mul_add(slope, more, risen),
          first * (risen * number(1 / hill::passive_rate) - e + more * mul_add(number(0.5) * slope, more, risen))};
}

// hill::velocity_factor() of a velocity in units of the fastest.
template <class Number, class R = Real<Number>>
HWY_INLINE R velocity_curve(R velocity) {
  const auto number = [](double of) { return R(static_cast<Number>(of)); };
  const R one(1), v = larger(velocity, -one), slower = smaller(v, R::zero()), faster = larger(v, R::zero());
  const R shortening = (one + slower) / neg_mul_add(number(1 / hill::curvature), slower, one);
  const R lengthening = number(hill::most_lengthening - 1) * faster / (faster + number(hill::lengthening));
  return shortening + lengthening;
}

// sum_k c_k row_k.
template <class Number>
HWY_INLINE Vector<Number> along_fibre(const FibreGroup<Number>& group, size_t lane, const Row<Number>* rows) {
  using R = Real<Number>;
  Vector<Number> sum = R::load_aligned(group.coefficient[0] + lane) * gather_rows(rows, group.corner[0] + lane);
  for (size_t c = 1; c < 4; ++c)
    sum = mul_add(R::load_aligned(group.coefficient[c] + lane), gather_rows(rows, group.corner[c] + lane), sum);
  return sum;
}

template <class Number>
HWY_INLINE double tensions(const FibreState<Number>& state, size_t begin, size_t end, Row<Number>* tension) {
  using R = Real<Number>;
  const R one(1), smallest(Number(1e-12)), passive_scale(static_cast<Number>(state.passive));
  const R by_step(static_cast<Number>(state.over_step / hill::fastest));
  double total = 0;
  for (size_t g = begin; g < end; ++g) {
    const FibreGroup<Number>& group = state.groups[g];
    const FibrePose<Number>& pose = state.pose[g];
    R energy = R::zero();
    for (size_t lane = 0; lane < patch_lanes; lane += R::lanes) {
      const Vector<Number> goal{R::load_aligned(pose.goal[0] + lane), R::load_aligned(pose.goal[1] + lane),
                                R::load_aligned(pose.goal[2] + lane)};
      const Vector<Number> fibre = goal + along_fibre(group, lane, state.displacement.data());
      const R length = square_root(larger(dot(fibre, fibre), smallest));
      const Vector<Number> unit = (one / length) * fibre;
      const R over_optimal = R::load_aligned(group.over_optimal + lane);
      const ForceAndWork<R> bell = active_curve<Number>(length * over_optimal);
      const ForceAndWork<R> stretch = passive_curve<Number>(length * R::load_aligned(pose.over_natural + lane) - one);
      const R active = R::load_aligned(group.active + lane) * R::load_aligned(pose.activation + lane);
      const R passive = passive_scale * R::load_aligned(group.passive + lane);
      R pull = active * bell.force;
      if (state.over_step > 0)
        pull = pull * velocity_curve<Number>((length - R::load_aligned(pose.before + lane)) * over_optimal * by_step);
      const Vector<Number> force = mul_add(passive, stretch.force, pull) * unit;
      hn::StoreInterleaved4(force.x.v, force.y.v, force.z.v, R::zero().v, typename R::Tag(),
                            &tension[patch_lanes * g + lane].x);
      energy = energy + active * bell.work / select(over_optimal > R::zero(), over_optimal, one);
      energy = mul_add(passive * R::load_aligned(pose.natural + lane), stretch.work, energy);
    }
    total += static_cast<double>(sum(energy));
  }
  return total;
}

double tensions_in_doubles(const FibreState<double>& state, size_t begin, size_t end, Row<double>* tension) {
  return tensions(state, begin, end, tension);
}
double tensions_in_floats(const FibreState<float>& state, size_t begin, size_t end, Row<float>* tension) {
  return tensions(state, begin, end, tension);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::fibre_kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::fibre_kernels {
HWY_EXPORT(tensions_in_doubles);
HWY_EXPORT(tensions_in_floats);
}  // namespace sinew::fibre_kernels

namespace sinew {

template <>
double fibre_tensions<double>(const FibreState<double>& state, std::size_t begin, std::size_t end,
                              std::span<Row<double>> tension) {
  using namespace fibre_kernels;
  return HWY_DYNAMIC_DISPATCH(tensions_in_doubles)(state, begin, end, tension.data());
}
template <>
double fibre_tensions<float>(const FibreState<float>& state, std::size_t begin, std::size_t end,
                             std::span<Row<float>> tension) {
  using namespace fibre_kernels;
  return HWY_DYNAMIC_DISPATCH(tensions_in_floats)(state, begin, end, tension.data());
}

}  // namespace sinew
#endif
