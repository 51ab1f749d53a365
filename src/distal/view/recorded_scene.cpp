#include "distal/view/recorded_scene.hpp"

#include <time.h>

#include <utility>

#include "distal/core/error.hpp"

namespace distal {

RecordedScene::RecordedScene(const RecordedRun& run, const std::atomic<bool>* stop)
    : run_(run), stop_(stop), frame_(run.frames() - 1) {}

bool RecordedScene::update() {
  const std::lock_guard lock(mutex_);
  if (fresh_) std::swap(front_, newest_);
  return std::exchange(fresh_, false);
}

void RecordedScene::develop(RoleSet, ViewMoment& moment) { moment = front_; }

void RecordedScene::serve(ViewServer& server) {
  ViewPowers powers;
  powers.touch = false;
  powers.seek = true;
  powers.refusal = "this run is recorded; distal view SCENE can be touched";
  show(server);
  server.open(run_.scene(), powers, *this, box_);
  std::vector<SteerRequest> requests;
  while (!stopped()) {
    box_.take(requests);
    for (const SteerRequest& request : requests) handle(request);
    show(server);
    if (playing_ && pace_.wait(run_.time_s(frame_ + 1))) {
      go_to(frame_ + 1);
    } else if (!playing_) {
      const timespec nap{0, 2'000'000};
      nanosleep(&nap, nullptr);
    }
  }
  server.close();
}

void RecordedScene::go_to(std::size_t frame) {
  frame_ = std::min(frame, run_.frames() - 1);
  if (frame_ + 1 == run_.frames()) playing_ = false;
  changed_ = true;
}

void RecordedScene::handle(const SteerRequest& request) {
  changed_ = true;
  switch (request.kind) {
    case SteerKind::pause:
      playing_ = false;
      break;
    case SteerKind::resume:
      // At the end it begins again.
      if (frame_ + 1 == run_.frames()) frame_ = 0;
      playing_ = run_.frames() > 1;
      break;
    case SteerKind::step:
      playing_ = false;
      go_to(frame_ + 1);
      break;
    case SteerKind::speed:
      pace_.set_speed(request.value, run_.time_s(frame_));
      return;
    case SteerKind::reset:
      go_to(0);
      break;
    case SteerKind::seek:
      go_to(run_.frame_at(request.value));
      break;
    default:
      break;
  }
  pace_.restart(run_.time_s(frame_));
}

// Of a frame that cannot be read the numbers are left, and the reason.
ViewMoment RecordedScene::load() const {
  try {
    return run_.load(frame_);
  } catch (const InputError& problem) {
    ViewMoment moment = run_.numbers(frame_);
    moment.standing.message = problem.what();
    return moment;
  }
}

void RecordedScene::show(ViewServer& server) {
  if (!changed_) return;
  changed_ = false;
  ViewMoment moment = load();
  const bool last = frame_ + 1 == run_.frames();
  moment.standing.status = playing_ ? ViewStatus::running : last ? ViewStatus::ended : ViewStatus::paused;
  moment.standing.speed = pace_.speed();
  moment.standing.real_time_factor = playing_ ? pace_.real_time_factor() : 0.0;
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(moment);
    fresh_ = true;
  }
  server.announce_moment();
}

}  // namespace distal
