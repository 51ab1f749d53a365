#include "distal/patience.hpp"

#include <utility>

#include "distal/terminal.hpp"

namespace distal {
namespace {

constexpr std::chrono::seconds kQuiet{2}, kBetween{1};

}  // namespace

Patience::Patience(std::string what)
    : what_(std::move(what)), watcher_([this](std::stop_token stop) { watch(std::move(stop)); }) {}

Patience::~Patience() {
  watcher_.request_stop();
  watcher_.join();
  if (told_ && standard_error_is_terminal()) say("\r\033[K");
}

void Patience::now(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Patience::watch(std::stop_token stop) {
  const bool terminal = standard_error_is_terminal();
  std::unique_lock lock(mutex_);
  const auto rest = [&](std::chrono::seconds time) {
    wake_.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
  };
  if (!rest(kQuiet)) return;
  std::chrono::seconds waited = kQuiet;
  do {
    tell(terminal, waited);
    waited += kBetween;
  } while (terminal && rest(kBetween));
}

void Patience::tell(bool terminal, std::chrono::seconds waited) {
  if (terminal)
    say("\r\033[K{}: {} s", what_, waited.count());
  else
    say("{} ...\n", what_);
  std::fflush(stderr);
  told_ = true;
}

}  // namespace distal
