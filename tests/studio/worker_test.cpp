#include "studio/server/worker.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

using namespace sinew;
using namespace sinew::studio;

namespace {

// Runs until it is asked to stop.
void work_until_stopped(const Progress& progress) {
  while (report(progress, "", 0)) std::this_thread::yield();
}

TEST(Worker, TheNewestTaskWinsAndEveryTaskHearsOfIt) {
  std::promise<void> begun;
  std::vector<std::string> order;  // on the worker's thread
  Worker worker;
  worker.give([&](const Progress& progress) {
    begun.set_value();
    work_until_stopped(progress);
    order.push_back("first was stopped");
  });
  begun.get_future().wait();
  for (const char* name : {"second", "third", "last"})
    worker.give([&order, name](const Progress& progress) {
      order.push_back(name + std::string(report(progress, "", 0) ? " ran" : " was stopped"));
    });
  worker.wait();
  ASSERT_EQ(order.size(), 4u);
  EXPECT_EQ(order.front(), "first was stopped");
  EXPECT_EQ(order.back(), "last ran");
  for (const char* name : {"second was stopped", "third was stopped"})
    EXPECT_EQ(std::count(order.begin(), order.end(), name), 1) << name;
}

TEST(Worker, ATaskOfAMomentComesToItsEnd) {
  std::promise<void> begun, go_on;
  bool stopped = false, next = false;
  Worker worker;
  worker.give([&](const Progress& progress) {
    worker.takes_a_moment();
    begun.set_value();
    go_on.get_future().wait();
    stopped = !report(progress, "", 0);
  });
  begun.get_future().wait();
  worker.give([&](const Progress&) { next = true; });
  go_on.set_value();
  worker.wait();
  EXPECT_FALSE(stopped);
  EXPECT_TRUE(next);
}

TEST(Worker, OneAtATimeIsRefusedWhileBusy) {
  std::promise<void> begun, go_on;
  Worker worker;
  EXPECT_TRUE(worker.give_if_idle([&](const Progress&) {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  EXPECT_FALSE(worker.give_if_idle([](const Progress&) {}));
  go_on.set_value();
  worker.wait();
  EXPECT_TRUE(worker.give_if_idle([](const Progress&) {}));
}

TEST(Worker, CancelStopsWhatRunsAndWhatWaits) {
  std::promise<void> begun, cancelled;
  int stopped = 0;
  Worker worker;
  worker.give([&](const Progress& progress) {
    begun.set_value();
    work_until_stopped(progress);
    ++stopped;
    cancelled.get_future().wait();  // the next task, which asked this one to stop, begins no sooner
  });
  begun.get_future().wait();
  worker.give([&](const Progress& progress) { stopped += !report(progress, "", 0); });
  worker.cancel();
  cancelled.set_value();
  worker.wait();
  EXPECT_EQ(stopped, 2);
  // What comes after it runs.
  bool ran = false;
  worker.give([&](const Progress& progress) { ran = report(progress, "", 0); });
  worker.wait();
  EXPECT_TRUE(ran);
}

TEST(Worker, ItsEndStopsTasksOrLetsThemFinish) {
  for (const bool finishes : {false, true}) {
    int ran = 0, stopped = 0;
    {
      Worker worker({.gathering = std::chrono::hours(1), .finishes = finishes});
      worker.give([&](const Progress& progress) { ++(report(progress, "", 0) ? ran : stopped); });
    }
    EXPECT_EQ(ran, finishes ? 1 : 0);
    EXPECT_EQ(stopped, finishes ? 0 : 1);
  }
}

TEST(Worker, GathersWhatComesSoonAfter) {
  int ran = 0;
  Worker worker({.gathering = std::chrono::hours(1), .finishes = true});
  for (int k = 0; k < 5; ++k) worker.give([&](const Progress& progress) { ran += report(progress, "", 0); });
  worker.wait();  // hurries it
  EXPECT_EQ(ran, 1);
}

}  // namespace
