/* Sinew's run-time in one source: see sinew_runtime.h. docs/runtime.md has the equations, numbered as in Shi et al.
 * 2008.
 *
 * First the types, then the kernels, which are written once over a type of lanes: this source includes itself for each
 * kind of vector registers that the machine may have. Then the reading of files, then bodies.
 *
 * runtime/sinew_runtime.c, which ships, is runtime/parts/runtime.c with its parts in place of their includes. Change
 * the parts, then run `cmake -P runtime/amalgamate.cmake`.
 */
#ifndef SINEW_LANES_PASS

#include "sinew_runtime.h"

#include <math.h>
#include <string.h>

/* The name of this source, for whoever renames it. SINEW_NO_SIMD leaves the scalar kernels alone. */
#ifndef SINEW_SOURCE
#define SINEW_SOURCE "sinew_runtime.c"
#endif

#include "platform.h"

#include "model_numbers.h"

#include "kernel_types.h"

#include "rotation.h"

#include "passes.h"

#include "little_endian.h"

#include "file.h"

#include "build_model.h"

#include "modes.h"

#include "model_facts.h"

#include "registers.h"

#include "body.h"

#include "pieces.h"

#include "bones.h"

#include "body_modes.h"

#include "reset.h"

#include "steps.h"

#include "shape.h"

#include "what_acts.h"

#include "how_it_runs.h"

#include "state.h"

#else /* SINEW_LANES_PASS: what follows is compiled once for each kind of registers */

#include "lanes_scalar.h"

#include "lanes_sse2.h"

#include "lanes_neon.h"

#include "lanes_avx2.h"

#include "lanes_avx512.h"

#include "lane_pairs.h"

#include "kernel_rotation.h"

#include "kernel_goals.h"

#include "kernel_spokes.h"

#include "kernel_step.h"

#include "kernel_shape.h"

#include "lanes_end.h"

#endif /* SINEW_LANES_PASS */
