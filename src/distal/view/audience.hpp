// Who looks on: which frame goes to whom, and what each viewer says. Knows no sockets and no clock.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "distal/view/page_message.hpp"
#include "distal/view/steering.hpp"
#include "distal/view/view_data.hpp"

namespace distal {

using SharedMessage = std::shared_ptr<const std::string>;

// One viewer: what it wants, and what is on its way to it.
class Seat {
 public:
  virtual ~Seat() = default;
  virtual void send(SharedMessage message) = 0;
  virtual std::size_t waiting() const = 0;  // messages that are not yet sent

 private:
  friend class Audience;
  bool has_place() const;

  ViewWish wish_;
  std::vector<std::uint64_t> on_the_way_;  // frames
  std::optional<int> held_;                // body in its hand
  bool pushes_ = false;                    // has the pointer
  bool stale_ = true;                      // has not been sent the newest moment
  bool waited_ = false;                    // and that for a while: no newer one seems to come
};

class Audience {
 public:
  // Source and box must outlive it.
  Audience(const ViewScene& scene, const ViewPowers& powers, MomentSource& source, SteeringBox& box);

  void join(Seat& seat);
  void leave(const Seat& seat);
  std::size_t size() const { return seats_.size(); }

  // A text message of a viewer.
  void hear(Seat& seat, std::string_view text);
  // The source may have a newer moment.
  void take_moment();
  // As often as frames are sent. True when somebody could take a newer moment.
  bool tick();

 private:
  template <typename Choice>
  void send_frames(Choice&& chosen);
  void tell_all();
  void send_note(Seat& seat, std::string_view text);
  void send_frame(Seat& seat);
  std::string find_rival(const Seat& seat, const SteerRequest& request) const;
  void pass_on(Seat& seat, SteerRequest request);
  void remember(Seat& seat, const SteerRequest& request);

  ViewScene scene_;
  ViewPowers powers_;
  MomentSource& source_;
  SteeringBox& box_;
  SharedMessage scene_message_;
  std::vector<Seat*> seats_;
  bool has_moment_ = false;
  ViewMoment moment_;
  RoleSet developed_ = 0;
  std::uint64_t frames_ = 0;
  struct Encoded {
    ViewWish wish;
    std::uint64_t frame;
    SharedMessage message;
  };
  std::vector<Encoded> encoded_;  // of this moment: viewers who want the same share it
};

}  // namespace distal
