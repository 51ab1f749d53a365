#include "distal/view/live_scene.hpp"

#include <time.h>

#include <algorithm>

namespace distal {
namespace {

constexpr int kMostSteps = 1000;

void nap() {
  constexpr long kNap_ns = 2'000'000;
  const timespec time{0, kNap_ns};
  nanosleep(&time, nullptr);
}

}  // namespace

LiveScene::LiveScene(const Scene& scene, const LiveOptions& options)
    : scene_(scene),
      options_(options),
      session_(scene, options.session),
      source_(scene, session_, ViewMode::live, options.session.version) {
  reset();
}

RunResult LiveScene::run(ViewServer& server) {
  ViewPowers powers;
  powers.refusal = "only a recorded run can be sought";
  if (options_.still_at_s) go_to_still();
  show(server);
  server.open(source_.scene(), powers, source_, box_);
  // A scene may be over in half a second: it begins when somebody looks.
  while (!stopped() && server.viewers() == 0) nap();
  pace_.restart(time_s());
  while (!stopped()) {
    handle_requests();
    const bool single = steps_ > 0;
    if (single || standing_.status == ViewStatus::running) {
      if (!single && !pace_.wait(time_s())) {
        show(server);
        continue;
      }
      advance_period();
      if (single) --steps_;
      show(server);
    } else {
      show(server);
      nap();
    }
  }
  server.close();
  if (standing_.status == ViewStatus::failed) return session_.finish(RunStatus::failed, standing_.message);
  return session_.finish(session_.reached_duration() ? RunStatus::done : RunStatus::interrupted);
}

bool LiveScene::over() { return room_->motion() ? room_->motion()->finished() : session_.reached_duration(); }

void LiveScene::go_to_still() {
  while (!stopped() && standing_.status == ViewStatus::running && time_s() < *options_.still_at_s) advance_period();
  if (standing_.status == ViewStatus::running) standing_.status = ViewStatus::paused;
}

void LiveScene::handle_requests() {
  box_.take(requests_);
  for (const SteerRequest& request : requests_) handle(request);
}

void LiveScene::handle(const SteerRequest& request) {
  switch (request.kind) {
    case SteerKind::pause:
      if (standing_.status == ViewStatus::running) standing_.status = ViewStatus::paused;
      break;
    case SteerKind::resume:
      go_on();
      break;
    case SteerKind::step:
      if (standing_.status == ViewStatus::failed) break;
      beyond_end_ = beyond_end_ || standing_.status == ViewStatus::ended;
      standing_.status = ViewStatus::paused;
      steps_ = std::min(steps_ + 1, kMostSteps);
      break;
    case SteerKind::speed:
      pace_.set_speed(request.value, time_s());
      break;
    case SteerKind::reset:
      reset();
      break;
    default:
      break;
  }
}

void LiveScene::reset() {
  session_.reset();
  room_.emplace(scene_.controllers, body_names(session_.simulation()));
  if (scene_.motion) room_->follow(*scene_.motion, session_.simulation());
  const bool paused = standing_.status == ViewStatus::paused;
  standing_ = {};
  if (paused) standing_.status = ViewStatus::paused;
  beyond_end_ = false;
  steps_ = 0;
  pace_.restart(time_s());
}

void LiveScene::go_on() {
  if (standing_.status == ViewStatus::failed || standing_.status == ViewStatus::running) return;
  beyond_end_ = beyond_end_ || standing_.status == ViewStatus::ended;
  standing_.status = ViewStatus::running;
  pace_.restart(time_s());
}

void LiveScene::advance_period() {
  const auto commands = room_->update(session_.feedback(), session_.period_s());
  const StepReport report = session_.advance(commands);
  if (report.status == StepStatus::failed) {
    standing_.status = ViewStatus::failed;
    standing_.message = report.message;
  } else if (over() && !beyond_end_) {
    standing_.status = ViewStatus::ended;
  }
}

void LiveScene::show(ViewServer& server) {
  standing_.speed = pace_.speed();
  standing_.real_time_factor = standing_.status == ViewStatus::running ? pace_.real_time_factor() : 0.0;
  const bool standing_changed = !shown_ || shown_->status != standing_.status || shown_->speed != standing_.speed ||
                                shown_->in_hand != standing_.in_hand;
  if (!standing_changed && (shown_s_ == time_s() || !server.wants_moment())) return;
  source_.publish(session_, standing_);
  server.announce_moment();
  shown_ = standing_;
  shown_s_ = time_s();
}

}  // namespace distal
