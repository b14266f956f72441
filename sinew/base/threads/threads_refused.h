// Threads that loops (base/threads/parallel.h) asked for and did not get.
#pragma once

namespace sinew {

// Number of threads last requested that the system did not start because of a limit of processes or memory. Loops run
// on the others with the same results. May be called from any thread.
int threads_refused();

}  // namespace sinew
