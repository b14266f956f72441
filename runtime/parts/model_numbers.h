/* ---- the model's own numbers and formulas ----
 * What the run-time and those who make its files (sinew/deform/surface, in double precision) have to agree about, to
 * the last digit: both are compiled from this. Numbers are rounded to floats where floats are used. */

/* What a file may hold: metres, seconds, hertz, counts. With these, and bones within SINEW_LARGEST and
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
/* A mode swings at least twice as slowly as steps can show, and at most once in a quarter of an hour. */
#define SINEW_LOWEST_FREQUENCY 1e-3
#define SINEW_HIGHEST_SWINGS_A_STEP 0.25
#define SINEW_LARGEST_COUPLING 1e3

/* Symplectic Euler is stable where k + 2 c <= 4, with k = alpha + 2 beta + gamma and c = 2 lambda + delta, and alpha
 * times the largest eigenvalue of its shape. What is above SINEW_MOST_STIFF is scaled down. */
#define SINEW_STABILITY_LOAD(alpha, beta, gamma, lambda, delta, largest_eigenvalue) \
  ((largest_eigenvalue) * (alpha) + 2 * (beta) + (gamma) + 2 * (2 * (lambda) + (delta)))
#define SINEW_MOST_STIFF 3.9

/* How strongly its frame draws the rotation of a neighbourhood, as a share of the squared distances of neighbours at
 * rest, and the least of these that counts, of the character's squared height. */
#define SINEW_FRAME_SHARE 1e-3
#define SINEW_LEAST_SPREAD 1e-10

/* A range of nothing counts as this share of the character's height. */
#define SINEW_LEAST_RANGE 1e-6

/* Spokes shorter than this, of the character's height, push no more than one of this length, and have no direction. */
#define SINEW_SHORTEST_SPOKE 1e-6
