// A host's own threads for the parallel loops (parallel.h), in place of the team that Sinew starts for the process.
//
//   class Jobs : public HostThreads { ... };      // a few lines around the engine's job system
//   const ThreadLoan loan(jobs);                  // on the thread that steps
//   session.advance(1.0 / 60);                    // its loops run there
//
// While a thread has a loan, nothing that it calls starts a thread. Results are the same bits as without one, whatever
// the host's threads do and however many they are.
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

// Threads of the host program that Sinew may work on.
class HostThreads {
 public:
  virtual ~HostThreads() = default;

  // How many tasks may run at a time, at least 1; the thread that calls run() counts where it works too.
  virtual int count() const = 0;

  // Calls task(i) once for each i < tasks, on any threads and in any order, also one after the other, and returns, on
  // the thread that called it, when all have returned. Tasks never throw, never wait for each other and never call
  // run(). Sinew calls it from every thread that has a loan of this, and never with more tasks than count(). A loop of
  // a simulation step takes 5 to 50 microseconds: begin it in one or two, or lend nothing.
  virtual void run(std::size_t tasks, const std::function<void(std::size_t)>& task) = 0;
};

// While one of these lives, the loops that its thread begins run on the host's threads. Made and destroyed on one
// thread; of several, the youngest counts. Other threads are as they were: each has loans of its own, so that two
// sessions step on two threads at once.
class ThreadLoan {
 public:
  // `host` must outlive it.
  explicit ThreadLoan(HostThreads& host);
  // Of no thread but the calling one.
  ThreadLoan();
  ~ThreadLoan();
  ThreadLoan(const ThreadLoan&) = delete;
  ThreadLoan& operator=(const ThreadLoan&) = delete;

  int count() const;
  // What parallel.h runs: chunk(i) once for each i in [0, count), as ThreadTeam::run does (thread_team.h).
  void run(std::size_t count, const std::function<void(std::size_t)>& chunk) const;

 private:
  HostThreads* host_;
  const ThreadLoan* before_;
};

// Of the calling thread; null: none.
const ThreadLoan* current_loan();

}  // namespace sinew
