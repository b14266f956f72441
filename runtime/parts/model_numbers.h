/* ---- constants and formulas of the model ---- Shared by the run-time and the code that writes its files
 * (sinew/deform/surface, in double precision), which must agree exactly. Numbers are rounded to floats where floats
 * are used. */

/* Limits of numbers in a file: metres, seconds, hertz, counts. With these, and bones within SINEW_LARGEST and
 * SINEW_LARGEST_SCALE, no product in a kernel overflows. */
#define SINEW_LARGEST_REST 1e3
#define SINEW_LARGEST_SCALE 1e3
#define SINEW_SHORTEST_STEP 1e-4
#define SINEW_LONGEST_STEP 0.1
#define SINEW_SHORTEST_REACH 1e-6
#define SINEW_MOST_VERTICES (1 << 26)
#define SINEW_MOST_BONES 65535
#define SINEW_MOST_SEGMENTS 65535
#define SINEW_MOST_SPOKES 64
/* A mode's frequency is at most half of what steps can resolve, and its period at most a quarter of an hour. */
#define SINEW_LOWEST_FREQUENCY 1e-3
#define SINEW_HIGHEST_SWINGS_A_STEP 0.25
#define SINEW_LARGEST_COUPLING 1e3

/* Symplectic Euler is stable where k + 2 c <= 4, with k = alpha + 2 beta + gamma and c = 2 lambda + delta; alpha is
 * multiplied by the largest eigenvalue of its shape. Values above SINEW_MOST_STIFF are scaled down. */
#define SINEW_STABILITY_LOAD(alpha, beta, gamma, lambda, delta, largest_eigenvalue) \
  ((largest_eigenvalue) * (alpha) + 2 * (beta) + (gamma) + 2 * (2 * (lambda) + (delta)))
#define SINEW_MOST_STIFF 3.9

/* Weight of its frame in the rotation of a neighbourhood, relative to the squared distances of neighbours at rest,
 * and the lower bound of those, relative to the character's squared height. */
#define SINEW_FRAME_SHARE 1e-3
#define SINEW_LEAST_SPREAD 1e-10

/* Least range, relative to the character's height; smaller ones count as this. */
#define SINEW_LEAST_RANGE 1e-6

/* Length, relative to the character's height, below which spokes have no direction and no stronger force. */
#define SINEW_SHORTEST_SPOKE 1e-6
