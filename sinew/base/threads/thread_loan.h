// Parallel loops (parallel.h) on a host's own threads, instead of the team that Sinew starts for the process.
//
//   class Jobs : public HostThreads { ... };      // a few lines around the engine's job system
//   const ThreadLoan loan(jobs);                  // on the thread that steps
//   session.advance(1.0 / 60);                    // its loops run there
//
// While a thread has a loan, nothing that it calls starts a thread. Results have the same bits with or without a loan,
// for any number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

// Threads of the host program that Sinew may work on.
class HostThreads {
 public:
  virtual ~HostThreads() = default;

  // Number of tasks that may run at the same time, at least 1; includes the thread that calls run() if that works too.
  virtual int count() const = 0;

  // Calls task(i) once for each i < tasks, on any threads and in any order, and returns on the calling thread when all
  // have returned. Tasks never throw, never wait for each other and never call run(). Sinew calls it from every thread
  // that has a loan of this host, never with more tasks than count(). A loop of a simulation step takes 5 to 50
  // microseconds: a job system that needs more than one or two to start is not worth lending.
  virtual void run(std::size_t tasks, const std::function<void(std::size_t)>& task) = 0;
};

// While an object of this class lives, the loops that its thread starts run on the host's threads. Create and destroy
// it on the same thread; of several, the newest counts. Loans of different threads are independent, so that two
// sessions can step on two threads at once.
class ThreadLoan {
 public:
  // `host` must outlive it.
  explicit ThreadLoan(HostThreads& host);
  // Restricts the loops to the calling thread.
  ThreadLoan();
  ~ThreadLoan();
  ThreadLoan(const ThreadLoan&) = delete;
  ThreadLoan& operator=(const ThreadLoan&) = delete;

  int count() const;
  // For parallel.h: calls chunk(i) once for each i in [0, count), as ThreadTeam::run does (thread_team.h).
  void run(std::size_t count, const std::function<void(std::size_t)>& chunk) const;

 private:
  HostThreads* host_;
  const ThreadLoan* before_;
};

// The loan of the calling thread; null if it has none.
const ThreadLoan* current_loan();

}  // namespace sinew
