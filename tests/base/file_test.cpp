// Whole files in, whole files out: what is written appears at once or not at all.
#include "sinew/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

class File : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(SINEW_BINARY_DIR) / "test_base" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  fs::path file(const std::string& name) const { return folder_ / name; }

  // Names of everything in the folder, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  // The action fails with one sentence of this kind that names the file.
  static void expect_refusal(ErrorKind kind, const fs::path& path, const std::function<void()>& action) {
    try {
      action();
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      const std::string sentence = error.what();
      EXPECT_EQ(error.kind(), kind) << sentence;
      EXPECT_NE(sentence.find(path.string()), std::string::npos) << sentence;
      EXPECT_EQ(sentence.back(), '.') << sentence;
      EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
  }

  using Names = std::vector<std::string>;
  fs::path folder_;
};

TEST_F(File, WhatIsWrittenIsRead) {
  std::string every_byte(256, ' ');
  for (std::size_t k = 0; k < every_byte.size(); ++k) every_byte[k] = static_cast<char>(k);
  for (const std::string& text : {std::string(), std::string("one line\n"), every_byte, std::string(3'000'000, 'x')}) {
    write_text_file(file("a"), text);
    EXPECT_TRUE(read_text_file(file("a")) == text);
    write_file(file("b"), bytes_of(text));
    EXPECT_TRUE(read_file(file("b")) == bytes_of(text));
  }
  EXPECT_EQ(files(), (Names{"a", "b"}));
}

TEST_F(File, PiecesAppearTogetherAndOnlyWhenCommitted) {
  {
    FileWriter writer(file("out"));
    writer.write(bytes_of("first "));
    EXPECT_FALSE(fs::exists(file("out")));
    EXPECT_EQ(files().size(), 1u) << "the temporary file is beside its target, so that renaming it is one step";
    writer.write(bytes_of("second"));
    writer.commit();
    EXPECT_EQ(files(), Names{"out"});
  }
  EXPECT_EQ(read_text_file(file("out")), "first second");
}

TEST_F(File, WithoutCommitNothingIsLeftAndWhatWasThereStays) {
  { FileWriter(file("new")).write(bytes_of("half")); }
  EXPECT_EQ(files(), Names{});

  write_text_file(file("old"), "as it was");
  try {
    FileWriter writer(file("old"));
    writer.write(bytes_of("half"));
    EXPECT_EQ(read_text_file(file("old")), "as it was");
    throw simulation_error("the numbers went wrong.");
  } catch (const Error&) {
  }
  EXPECT_EQ(read_text_file(file("old")), "as it was");
  EXPECT_EQ(files(), Names{"old"});
}

TEST_F(File, AnExistingFileIsReplacedByAnotherAndNotWrittenInto) {
  write_text_file(file("out"), "long text that stood there before");
  fs::create_hard_link(file("out"), file("same_file"));
  write_text_file(file("out"), "short");
  EXPECT_EQ(read_text_file(file("out")), "short");
  EXPECT_EQ(read_text_file(file("same_file")), "long text that stood there before");
}

TEST_F(File, NewFilesAreForTheirOwnerToWriteAndForAllToReadAsFarAsTheUserLets) {
  const mode_t before = ::umask(0022);
  write_text_file(file("usual"), "");
  ::umask(0077);
  write_text_file(file("private"), "");
  ::umask(before);
  EXPECT_EQ(fs::status(file("usual")).permissions(), fs::perms(0644));
  EXPECT_EQ(fs::status(file("private")).permissions(), fs::perms(0600));
}

TEST_F(File, PlacesThatCannotBeWrittenAreUsageErrorsAndLeaveNothing) {
  const auto refused = [&](const fs::path& path) {
    expect_refusal(ErrorKind::usage, path, [&] { write_text_file(path, "text"); });
  };
  refused(file("nowhere") / "out");
  refused(file(std::string(300, 'n')));  // longer than names may be
  write_text_file(file("file"), "");
  refused(file("file") / "out");
  fs::create_directory(file("folder"));
  refused(file("folder"));  // a file cannot take the name of a folder
  EXPECT_EQ(files(), (Names{"file", "folder"}));
  EXPECT_TRUE(fs::is_empty(file("folder")));
}

TEST_F(File, FoldersWithoutPermissionAreUsageErrors) {
  if (::geteuid() == 0) {
    std::cout << "Not tested: the administrator may write everywhere.\n";
    return;
  }
  fs::create_directory(file("locked"));
  fs::permissions(file("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  const fs::path path = file("locked") / "out";
  expect_refusal(ErrorKind::usage, path, [&] { write_text_file(path, "text"); });
  fs::permissions(file("locked"), fs::perms::owner_all);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(File, AFullDiskIsAUsageErrorWithTheReasonAndLeavesNothing) {
  // A limit on the size of files stands for it: the write that passes it fails.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 10'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  std::optional<Error> caught;
  try {
    write_text_file(file("large"), std::string(100'000, 'x'));
  } catch (const Error& error) {
    caught = error;
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, action);
  ASSERT_TRUE(caught.has_value());
  EXPECT_EQ(caught->kind(), ErrorKind::usage);
  EXPECT_NE(std::string(caught->what()).find(file("large").string() + ": does not fit (" + std::strerror(EFBIG) + ")"),
            std::string::npos)
      << caught->what();
  EXPECT_EQ(files(), Names{});
}

TEST_F(File, WhatCannotBeReadIsAnInputError) {
  const auto refused = [&](const fs::path& path) {
    expect_refusal(ErrorKind::input, path, [&] { read_file(path); });
    expect_refusal(ErrorKind::input, path, [&] { read_text_file(path); });
  };
  refused(file("missing"));
  refused(folder_);
  refused(file("nowhere") / "missing");
  fs::create_symlink(file("missing"), file("dangling"));
  refused(file("dangling"));
}

TEST_F(File, NamesThatHoldAZeroAreNotCutToAnother) {
  write_text_file(file("a"), "text");
  const fs::path longer = folder_ / std::string("a\0b", 3);
  EXPECT_THROW(read_file(longer), Error);
  EXPECT_THROW(write_text_file(longer, "other"), Error);
  EXPECT_EQ(read_text_file(file("a")), "text");
  EXPECT_EQ(files(), Names{"a"});
}

TEST_F(File, LinksAreFollowedToWhatTheyName) {
  fs::create_directory(file("elsewhere"));
  write_text_file(file("elsewhere") / "real", "before");
  fs::create_symlink("elsewhere/real", file("link"));
  fs::create_symlink("link", file("link_to_link"));
  fs::create_symlink(file("elsewhere") / "new", file("to_nothing_yet"));
  for (const char* link : {"link", "link_to_link", "to_nothing_yet"}) {
    {
      FileWriter writer(file(link));
      writer.write(bytes_of(link));
      EXPECT_EQ(files(), (Names{"elsewhere", "link", "link_to_link", "to_nothing_yet"}))
          << "its work is beside the target";
      writer.commit();
    }
    EXPECT_TRUE(fs::is_symlink(file(link)));
    EXPECT_EQ(read_text_file(file(link)), link);
  }
  EXPECT_EQ(read_text_file(file("elsewhere") / "real"), "link_to_link");
  EXPECT_FALSE(fs::is_symlink(file("elsewhere") / "real"));
  EXPECT_EQ(read_text_file(file("elsewhere") / "new"), "to_nothing_yet");

  fs::create_symlink("round", file("round"));
  expect_refusal(ErrorKind::usage, file("round"), [&] { write_text_file(file("round"), "text"); });
  EXPECT_TRUE(fs::is_symlink(file("round")));
}

// A link, so that nobody's device is at stake where this fails.
TEST_F(File, DevicesAreWrittenInto) {
  fs::create_symlink("/dev/null", file("nothing"));
  fs::create_symlink("/dev/full", file("full"));
  check_can_write(file("nothing"), Content::binary);
  write_text_file(file("nothing"), "text");
  expect_refusal(ErrorKind::usage, file("full"), [&] { write_text_file(file("full"), "text"); });
  EXPECT_TRUE(fs::is_character_file(file("nothing")));
  EXPECT_TRUE(fs::is_character_file(file("full")));
  EXPECT_EQ(files(), (Names{"full", "nothing"}));
}

TEST_F(File, FifosGetTheBytesAndStayFifos) {
  ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
  check_can_write(file("fifo"), Content::binary);  // with no reader it would wait for one
  const std::string text(300'000, 'x');            // more than a pipe holds
  std::future<std::string> reader = std::async(std::launch::async, [&] {
    const int descriptor = ::open(file("fifo").c_str(), O_RDONLY);
    std::string all;
    std::array<char, 4096> piece{};
    for (ssize_t got; (got = ::read(descriptor, piece.data(), piece.size())) > 0;)
      all.append(piece.data(), static_cast<std::size_t>(got));
    ::close(descriptor);
    return all;
  });
  write_text_file(file("fifo"), text);
  // Where it was replaced, nobody will ever come to its reader.
  ASSERT_TRUE(fs::is_fifo(file("fifo")));
  EXPECT_TRUE(reader.get() == text);
}

TEST_F(File, SocketsGetTheBytesAndStaySockets) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const fs::path place =
      fs::path(testing::TempDir()) / ("sinew_" + std::to_string(::getpid()) + ".socket");  // a short name
  ASSERT_LT(place.native().size(), sizeof(address.sun_path));
  std::copy(place.native().begin(), place.native().end(), address.sun_path);
  fs::remove(place);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  expect_refusal(ErrorKind::usage, place, [&] { write_text_file(place, "text"); });  // nobody listens
  ASSERT_EQ(::listen(listener, 1), 0);
  write_text_file(place, "text");
  const int caller = ::accept(listener, nullptr, nullptr);
  std::array<char, 16> got{};
  EXPECT_EQ(::read(caller, got.data(), got.size()), 4);
  EXPECT_STREQ(got.data(), "text");
  EXPECT_TRUE(fs::is_socket(place));
  ::close(caller);
  ::close(listener);
  fs::remove(place);
}

TEST_F(File, OpenDescriptorsAreWrittenWhereTheyStand) {
  const int log = ::open(file("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(log, 0);
  ASSERT_EQ(::write(log, "before ", 7), 7);
  const std::string number = std::to_string(log);
  fs::create_symlink("/proc/self/fd/" + number, file("link"));
  write_text_file("/dev/fd/" + number, "a file");
  write_text_file(file("link"), " and a link");
  ASSERT_EQ(::write(log, " after", 6), 6);
  ::close(log);
  EXPECT_EQ(read_text_file(file("log")), "before a file and a link after");
  EXPECT_THROW(check_can_write("/dev/fd/" + number, Content::text), Error);  // closed by now
}

TEST_F(File, TerminalsGetNoBinaryFiles) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) {
    std::cout << "Not tested: there are no pseudo terminals here.\n";
    return;
  }
  const fs::path name = "/dev/fd/" + std::to_string(terminal);
  check_can_write(name, Content::text);
  expect_refusal(ErrorKind::usage, name, [&] { check_can_write(name, Content::binary); });
  ::close(terminal);
}

TEST_F(File, WhatAKilledRunLeftIsClearedByTheNext) {
  std::array<int, 2> told{};
  ASSERT_EQ(::pipe(told.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    FileWriter writer(file("out"));
    writer.write(bytes_of("half"));
    [[maybe_unused]] const ssize_t sent = ::write(told[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char begun = 0;
  ASSERT_EQ(::read(told[0], &begun, 1), 1);
  ASSERT_EQ(files().size(), 1u);
  const std::string left = files()[0];

  write_text_file(file("other"), "");  // its writer is alive
  EXPECT_EQ(files(), (Names{"other", left}));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(told[0]);
  ::close(told[1]);
  ASSERT_EQ(files(), (Names{"other", left}));
  write_text_file(file("other"), "");
  EXPECT_EQ(files(), Names{"other"});
}

TEST_F(File, OnlyLeftOversAreCleared) {
  const Names kept{"notes.tmp", "sinew-1-2.tmp.gz", "sinew-1.tmp", "sinew-a-2.tmp", "sinew-notes.tmp"};
  for (const std::string& name : kept) std::ofstream(file(name)) << name;
  fs::create_symlink("notes.tmp", file("sinew-7-7.tmp"));
  fs::create_directory(file("sinew-8-8.tmp"));
  std::ofstream(file("sinew-9-9.tmp")) << "left";
  write_text_file(file("out"), "");
  Names expected = kept;
  expected.insert(expected.end(), {"out", "sinew-7-7.tmp", "sinew-8-8.tmp"});
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(files(), expected);
}

}  // namespace
}  // namespace sinew
