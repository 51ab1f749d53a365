#include "distal/view/audience.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/core/error.hpp"
#include "distal/view/view_messages.hpp"

namespace distal {
namespace {

constexpr std::size_t kMostFramesOnTheWay = 2, kMostWaiting = 8;

}  // namespace

// One that says it has got frames which it does not even read has no place either: nothing piles up.
bool Seat::has_place() const { return on_the_way_.size() < kMostFramesOnTheWay && waiting() < kMostWaiting; }

Audience::Audience(const ViewScene& scene, const ViewPowers& powers, MomentSource& source, SteeringBox& box)
    : scene_(scene),
      powers_(powers),
      source_(source),
      box_(box),
      scene_message_(std::make_shared<std::string>(scene_message(scene))) {}

void Audience::join(Seat& seat) {
  seats_.push_back(&seat);
  seat.send(scene_message_);
  tell_all();
}

// Who goes away lets go.
void Audience::leave(const Seat& seat) {
  if (std::erase(seats_, &seat) == 0) return;
  if (seat.held_) box_.put({SteerKind::release, 0.0, *seat.held_, Vec3::Zero()});
  if (seat.pushes_) box_.put({SteerKind::push_end, 0.0, 0, Vec3::Zero()});
  tell_all();
}

void Audience::take_moment() {
  if (!source_.update()) return;
  has_moment_ = true;
  developed_ = 0;
  tell_all();
}

// A viewer that was busy gets the next moment rather than an old one, if there is a next one.
bool Audience::tick() {
  send_frames([](const Seat& seat) { return seat.waited_; });
  for (Seat* seat : seats_) seat->waited_ = seat->stale_ && seat->has_place();
  return std::any_of(seats_.begin(), seats_.end(), [](const Seat* seat) { return seat->has_place(); });
}

void Audience::tell_all() {
  encoded_.clear();
  for (Seat* seat : seats_) seat->stale_ = true;
  send_frames([](const Seat&) { return true; });
}

template <typename Choice>
void Audience::send_frames(Choice&& chosen) {
  if (!has_moment_) return;
  for (Seat* seat : seats_)
    if (seat->stale_ && seat->has_place() && chosen(*seat)) send_frame(*seat);
}

void Audience::send_frame(Seat& seat) {
  const ViewWish& wish = seat.wish_;
  auto same = std::find_if(encoded_.begin(), encoded_.end(), [&](const Encoded& e) { return e.wish == wish; });
  if (same == encoded_.end()) {
    if (developed_ == 0 || (wish.roles & ~developed_) != 0) {
      for (const Seat* each : seats_) developed_ |= each->wish_.roles;
      source_.develop(developed_, moment_);
    }
    const FrameNumbers numbers{++frames_, seats_.size()};
    encoded_.push_back({wish, frames_, std::make_shared<std::string>(frame_message(scene_, moment_, wish, numbers))});
    same = encoded_.end() - 1;
  }
  seat.on_the_way_.push_back(same->frame);
  seat.stale_ = seat.waited_ = false;
  seat.send(same->message);
}

// Notes to a viewer that does not read are lost: nothing piles up.
void Audience::send_note(Seat& seat, std::string_view text) {
  if (seat.waiting() < kMostWaiting) seat.send(std::make_shared<std::string>(note_message(text, true)));
}

void Audience::hear(Seat& seat, std::string_view text) {
  try {
    const PageMessage message = parse_page_message(text);
    if (const auto* arrived = std::get_if<FrameArrived>(&message)) {
      const auto found = std::find(seat.on_the_way_.begin(), seat.on_the_way_.end(), arrived->frame);
      if (found != seat.on_the_way_.end()) seat.on_the_way_.erase(found);
    } else if (const auto* wish = std::get_if<ViewWish>(&message)) {
      seat.wish_ = *wish;
      seat.stale_ = true;
      send_frames([&](const Seat& each) { return &each == &seat; });
    } else {
      pass_on(seat, std::get<SteerRequest>(message));
    }
  } catch (const InputError& problem) { send_note(seat, fmt::format("not understood: {}", problem.what())); }
}

// Every viewer has a hand, but there is one of each thing that it can take.
std::string Audience::find_rival(const Seat& seat, const SteerRequest& request) const {
  for (const Seat* each : seats_) {
    if (each == &seat) continue;
    if (request.kind == SteerKind::grab && each->held_ == request.body)
      return fmt::format("{} is in the hand of another viewer",
                         scene_.bodies[static_cast<std::size_t>(request.body)].name);
    if (request.kind == SteerKind::push && each->pushes_) return "another viewer has the ball";
  }
  return {};
}

void Audience::pass_on(Seat& seat, SteerRequest request) {
  std::string refusal = find_refusal(request, scene_, powers_);
  if (refusal.empty()) refusal = find_rival(seat, request);
  if (!refusal.empty()) return send_note(seat, refusal);
  if (request.kind == SteerKind::drag || request.kind == SteerKind::release) {
    if (!seat.held_) return;
    request.body = *seat.held_;
  }
  if (request.kind == SteerKind::push_end && !seat.pushes_) return;
  if (!box_.put(request)) return send_note(seat, "too many requests at once: one is lost");
  remember(seat, request);
}

void Audience::remember(Seat& seat, const SteerRequest& request) {
  if (request.kind == SteerKind::grab) seat.held_ = request.body;
  if (request.kind == SteerKind::release) seat.held_.reset();
  if (request.kind == SteerKind::push) seat.pushes_ = true;
  if (request.kind == SteerKind::push_end) seat.pushes_ = false;
  for (Seat* each : seats_) {
    const bool reset = request.kind == SteerKind::reset;
    if (reset) each->pushes_ = false;
    if (reset || (request.kind == SteerKind::give_back && each->held_ == request.body)) each->held_.reset();
  }
}

}  // namespace distal
