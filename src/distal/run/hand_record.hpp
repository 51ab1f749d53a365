// devices/NAME.csv of every hand, and what the report tells about it.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "distal/haptic/hand_port.hpp"
#include "distal/record/device_results.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/record/table.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

// The devices of a scene that touch a skin, in its order.
std::vector<std::string> touching_devices(const Scene& scene);

class HandRecord {
 public:
  // The same ports in every period.
  void add_period(const OutputFolder& folder, double time_s, std::span<HandPort* const> ports);
  void add_loop(LoopReport loop) { loops_.push_back(std::move(loop)); }
  std::vector<DeviceReport> finish(double period_s) const;

 private:
  struct Hand {
    const HandPort* port;
    Table table;
    std::vector<Vec3> places_m;  // of the hand while it is there, one a period; for the spectrum
    Thinned<HandInstant> history{3000};
    std::uint64_t periods = 0;
  };
  std::vector<Hand> hands_;
  std::vector<LoopReport> loops_;
};

}  // namespace distal
