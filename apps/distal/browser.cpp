#include "distal/browser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/record/vtu_reader.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kLongestWait = 120s;  // a software renderer on a busy machine is slow
constexpr auto kBetweenLooks = 50ms;

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// A folder of its own, so that no running browser is disturbed; gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "distal_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw OutputError("no folder for the browser's profile can be made");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// A browser that takes JSON messages, each ended by a zero byte, at descriptor 3 and answers at 4 (the DevTools
// protocol).
class HeadlessBrowser {
 public:
  HeadlessBrowser(const PictureOrder& order, const std::atomic<bool>& stop) : stop_(stop) {
    std::array<int, 2> to{}, from{};
    if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0)
      throw OutputError("no pipe to the browser can be made");
    to_ = to[1], from_ = from[0];
    std::vector<std::string> words = {order.browser,
                                      "--headless",
                                      "--no-sandbox",
                                      "--no-first-run",
                                      "--hide-scrollbars",
                                      "--disable-background-networking",
                                      "--use-gl=angle",
                                      "--use-angle=swiftshader",
                                      "--enable-unsafe-swiftshader",
                                      "--remote-debugging-pipe",
                                      fmt::format("--window-size={},{}", order.width, order.height),
                                      "--user-data-dir=" + (scratch_.path() / "profile").string(),
                                      "about:blank"};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const std::string log = scratch_.path() / "browser.log";
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    // By way of higher numbers, as the ends may be 3 and 4 themselves.
    constexpr int kSpareIn = 60, kSpareOut = 61;
    posix_spawn_file_actions_adddup2(&actions, to[0], kSpareIn);
    posix_spawn_file_actions_adddup2(&actions, from[1], kSpareOut);
    posix_spawn_file_actions_adddup2(&actions, kSpareIn, 3);
    posix_spawn_file_actions_adddup2(&actions, kSpareOut, 4);
    const int problem =
        ::posix_spawn(&process_, order.browser.c_str(), &actions, nullptr, pointers(words).data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    if (problem != 0) throw OutputError(fmt::format("{} cannot be started: {}", order.browser, std::strerror(problem)));
  }

  ~HeadlessBrowser() {
    ::close(to_);
    ::close(from_);
    // It ends when its pipe does.
    for (int i = 0; i < 100 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++i)
      std::this_thread::sleep_for(kBetweenLooks);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  HeadlessBrowser(const HeadlessBrowser&) = delete;
  HeadlessBrowser& operator=(const HeadlessBrowser&) = delete;

  json call(const std::string& method, json parameters, const std::string& session = {}) {
    const int id = ++calls_;
    start_ = Clock::now();
    json message = {{"id", id}, {"method", method}, {"params", std::move(parameters)}};
    if (!session.empty()) message["sessionId"] = session;
    const std::string text = message.dump();
    if (::write(to_, text.c_str(), text.size() + 1) != static_cast<ssize_t>(text.size() + 1)) refuse("does not listen");
    while (true) {
      const json answer = json::parse(next_message(), nullptr, false);
      if (!answer.is_object() || answer.value("id", 0) != id) continue;  // news that nobody asked for
      if (answer.contains("error")) refuse("says: " + answer["error"].dump());
      return answer.value("result", json::object());
    }
  }

 private:
  std::string next_message() {
    while (true) {
      if (const std::size_t end = received_.find('\0'); end != std::string::npos) {
        std::string message = received_.substr(0, end);
        received_.erase(0, end + 1);
        return message;
      }
      if (stop_.load()) throw OutputError("interrupted before there was a picture");
      if (Clock::now() - start_ > kLongestWait) refuse("does not answer");
      pollfd wait{from_, POLLIN, 0};
      if (::poll(&wait, 1, 200) <= 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t got = ::read(from_, buffer.data(), buffer.size());
      if (got <= 0) refuse("has ended");
      received_.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  [[noreturn]] void refuse(const std::string& what) const { throw OutputError("the browser " + what); }

  Scratch scratch_;
  const std::atomic<bool>& stop_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1, calls_ = 0;
  std::string received_;
  Clock::time_point start_;  // of the last call
};

void wait_until_ready(HeadlessBrowser& browser, const std::string& session) {
  const auto start = Clock::now();
  while (true) {
    const json answer = browser.call("Runtime.evaluate", {{"expression", "document.title"}}, session);
    if (answer.value("/result/value"_json_pointer, std::string()) == "ready") return;
    if (Clock::now() - start > kLongestWait)
      throw OutputError("the live page drew nothing; does the browser know WebGL?");
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace

bool has_desktop() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

void open_in_browser(const std::string& url) {
  const std::string program = find_program("xdg-open");
  if (program.empty()) return;
  const pid_t child = ::fork();
  if (child == 0) {
    // A grandchild, so that nobody has to wait for it; and silent.
    if (::fork() == 0) {
      const int nowhere = ::open("/dev/null", O_RDWR);
      for (const int standard : {0, 1, 2}) ::dup2(nowhere, standard);
      ::execl(program.c_str(), program.c_str(), url.c_str(), static_cast<char*>(nullptr));
    }
    ::_exit(0);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

std::string find_headless_browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (std::string found = find_program(name); !found.empty()) return found;
  throw InputError(
      "--png needs a browser to draw the picture: none of chromium, chromium-browser and google-chrome is here; "
      "on Debian: apt-get install chromium");
}

void take_picture(const PictureOrder& order, const std::string& url, const std::atomic<bool>& stop) {
  HeadlessBrowser browser(order, stop);
  const json size = {{"width", order.width}, {"height", order.height}};
  const json target = browser.call("Target.createTarget", {{"url", url}});
  const json attached = browser.call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
  const std::string session = attached.at("sessionId");
  json metrics = size;
  metrics.update({{"deviceScaleFactor", 1}, {"mobile", false}});
  browser.call("Emulation.setDeviceMetricsOverride", metrics, session);
  wait_until_ready(browser, session);
  const json shot = browser.call("Page.captureScreenshot", {{"format", "png"}}, session);
  std::vector<std::byte> bytes;
  if (!decode_base64(shot.value("data", std::string()), bytes) || bytes.empty())
    throw OutputError("the browser gave no picture");
  std::ofstream file(order.file, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw OutputError(fmt::format("cannot write {}", order.file.string()));
}

}  // namespace distal
