#include "distal/view/live_scene.hpp"

#include <time.h>

#include <algorithm>

namespace distal {
namespace {

constexpr int kMostSingleSteps = 1000;

void nap() {
  constexpr long kNap_ns = 2'000'000;
  const timespec time{0, kNap_ns};
  nanosleep(&time, nullptr);
}

}  // namespace

LiveScene::LiveScene(const Scene& scene, const SessionOptions& options)
    : scene_(with_pointer(scene, pointer_name_)),
      session_(scene_, options),
      pointer_index_(session_.simulation().body_index(pointer_name_)),
      source_(scene_, session_, ViewMode::live, options.version, pointer_name_) {
  reset();
}

RunResult LiveScene::run(ViewServer& server, const std::atomic<bool>& stop) {
  stop_ = &stop;
  ViewPowers powers;
  powers.refusal = "only a recorded run can be sought";
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
      if (single && steps_ > 0) --steps_;
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

void LiveScene::go_to(double wanted_s, const std::atomic<bool>& stop) {
  stop_ = &stop;
  while (!stopped() && standing_.status == ViewStatus::running && time_s() < wanted_s) advance_period();
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
      steps_ = std::min(steps_ + 1, kMostSingleSteps);
      break;
    case SteerKind::speed:
      pace_.set_speed(request.value, time_s());
      break;
    case SteerKind::reset:
      reset();
      break;
    default:
      touch(request);
  }
}

// The mouse that holds a body, or with no name the one that touches a skin; null where there is none.
ToldDevice* LiveScene::find_mouse(const std::string& body) {
  for (HandPort* port : room_->ports())
    if (port->description().kind == DeviceKind::mouse && port->description().body == body)
      return dynamic_cast<ToldDevice*>(&port->device());
  return nullptr;
}

// True where the request was for a device of type mouse: its hand is not the page's own.
bool LiveScene::tell_mouse(const SteerRequest& request, bool with_ball, std::size_t body) {
  ToldDevice* mouse = find_mouse(with_ball ? "" : session_.simulation().body_name(body));
  if (mouse == nullptr) return false;
  if (request.kind == SteerKind::release || request.kind == SteerKind::give_back ||
      request.kind == SteerKind::push_end) {
    mouse->leave();
    return true;
  }
  for (HandPort* port : room_->ports())
    if (&port->device() == mouse) {
      const DeviceDescription& d = port->description();
      mouse->tell(d.q_xyzw.conjugate() * (request.place_m - d.position_m) / d.scale);
    }
  go_on_beyond_end();
  return true;
}

void LiveScene::touch(const SteerRequest& request) {
  const Simulation& simulation = session_.simulation();
  const bool with_ball = request.kind == SteerKind::push || request.kind == SteerKind::push_end;
  const std::size_t body = with_ball ? pointer_index_ : source_.commanded_of(static_cast<std::size_t>(request.body));
  if (tell_mouse(request, with_ball, body)) return;
  switch (request.kind) {
    case SteerKind::grab:
      hands_[body].emplace(simulation.model(), simulation.rigid_index(body),
                           simulation.state().rigid[simulation.rigid_index(body)], request.place_m);
      room_->rest(body, true);
      go_on_beyond_end();
      break;
    case SteerKind::drag:
      if (hands_[body]) hands_[body]->drag(request.place_m);
      break;
    case SteerKind::release:
      if (hands_[body]) hands_[body]->release(simulation.state().rigid[simulation.rigid_index(body)]);
      break;
    case SteerKind::give_back:
      hands_[body].reset();
      room_->rest(body, false);
      break;
    case SteerKind::push:
      pointer_->push(request.place_m, simulation.state());
      go_on_beyond_end();
      break;
    case SteerKind::push_end:
      pointer_->leave(simulation.state());
      break;
    default:
      break;
  }
  for (std::size_t b = 0; b < hands_.size(); ++b) standing_.in_hand[b] = hands_[b].has_value();
}

void LiveScene::reset() {
  session_.reset();
  room_.emplace(scene_, body_names(session_.simulation()));
  if (scene_.motion) room_->follow(*scene_.motion, session_.simulation());
  room_->connect(scene_, session_.simulation());
  const bool paused = standing_.status == ViewStatus::paused;
  standing_ = {};
  standing_.in_hand.assign(session_.simulation().body_count(), 0);
  hands_.clear();
  hands_.resize(session_.simulation().body_count());
  pointer_.emplace(session_.simulation().model(), session_.simulation().rigid_index(pointer_index_),
                   session_.simulation().state());
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

void LiveScene::go_on_beyond_end() {
  if (standing_.status == ViewStatus::ended) go_on();
}

// Hands go before controllers. They feel the truth, not what sensors make of it.
std::span<const BodyCommand> LiveScene::find_commands() {
  const auto wanted = room_->update(session_.feedback(), session_.period_s());
  commands_.assign(wanted.begin(), wanted.end());
  if (PrescribedMotion* motion = room_->motion())
    if (const std::optional<CurveRow> row = motion->take_row()) session_.add_curve_row(*row, room_->moved_body());
  const Simulation& simulation = session_.simulation();
  for (std::size_t b = 0; b < hands_.size(); ++b)
    if (hands_[b])
      commands_[b] = hands_[b]->update(simulation.state().rigid[simulation.rigid_index(b)],
                                       session_.readings()[b].feedback, session_.period_s());
  commands_[pointer_index_] = pointer_->update(session_.readings()[pointer_index_].feedback, session_.period_s());
  return commands_;
}

void LiveScene::advance_period() {
  const auto commands = find_commands();
  const StepReport report = session_.advance(commands, {}, room_->update_touches(session_.simulation()));
  if (report.status != StepStatus::failed && !room_->ports().empty()) session_.add_hands(room_->ports());
  if (report.status == StepStatus::failed) {
    standing_.status = ViewStatus::failed;
    standing_.message = report.message;
    steps_ = 0;
  } else if (over() && !beyond_end_) {
    standing_.status = ViewStatus::ended;
  }
}

void LiveScene::show(ViewServer& server) {
  standing_.speed = pace_.speed();
  standing_.pointer_parked = pointer_->parked();
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
