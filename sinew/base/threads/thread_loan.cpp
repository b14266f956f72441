#include "sinew/base/threads/thread_loan.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace sinew {
namespace {

thread_local const ThreadLoan* loan_of_thread = nullptr;

// The chunks of one loop, divided into as many shares as there are tasks. A task first takes its own share, which is
// the same every time so that data stay in the caches of the core that used them last, then what is left of the
// others'.
class SharedChunks {
 public:
  SharedChunks(std::size_t count, std::size_t tasks, const std::function<void(std::size_t)>& chunk)
      : shares_(tasks), chunk_(chunk) {
    for (std::size_t k = 0; k < tasks; ++k) {
      shares_[k].next = count * k / tasks;
      shares_[k].end = count * (k + 1) / tasks;
    }
  }

  void work(std::size_t task) {
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      Share& share = shares_[(task + k) % shares_.size()];
      while (share.next.load(std::memory_order_relaxed) < share.end) {
        const std::size_t i = share.next.fetch_add(1, std::memory_order_relaxed);
        if (i >= share.end) break;
        call(i);
      }
    }
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct alignas(64) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };

  void call(std::size_t i) {
    try {
      chunk_(i);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (failure_ && failed_chunk_ < i) return;
      failure_ = std::current_exception();
      failed_chunk_ = i;
    }
  }

  std::vector<Share> shares_;
  const std::function<void(std::size_t)>& chunk_;
  std::mutex failure_mutex_;
  std::size_t failed_chunk_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

ThreadLoan::ThreadLoan(HostThreads& host) : host_(&host), before_(std::exchange(loan_of_thread, this)) {}
ThreadLoan::ThreadLoan() : host_(nullptr), before_(std::exchange(loan_of_thread, this)) {}
ThreadLoan::~ThreadLoan() { loan_of_thread = before_; }

int ThreadLoan::count() const { return host_ ? std::max(1, host_->count()) : 1; }

void ThreadLoan::run(std::size_t count, const std::function<void(std::size_t)>& chunk) const {
  const std::size_t tasks = std::min(count, static_cast<std::size_t>(this->count()));
  if (tasks <= 1) {
    for (std::size_t i = 0; i < count; ++i) chunk(i);
    return;
  }
  SharedChunks chunks(count, tasks, chunk);
  host_->run(tasks, [&chunks](std::size_t task) {
    const ThreadLoan loops_inside_run_alone;
    chunks.work(task);
  });
  chunks.rethrow_failure();
}

const ThreadLoan* current_loan() { return loan_of_thread; }

}  // namespace sinew
