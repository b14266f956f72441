// Whether the machine gave the threads that loops asked for (base/threads/parallel.h).
#pragma once

namespace sinew {

// How many threads of those last asked for the system did not start, for a limit of processes or of memory. Loops then
// run on the others, with the same results. Any thread may ask.
int threads_refused();

}  // namespace sinew
