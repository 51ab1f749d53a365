// What the report draws, thinned while the run goes on so that memory stays bounded.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "distal/record/thinned.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

struct BodySample {
  double time_s = 0.0, depth_m = 0.0, contact_area_m2 = 0.0;
  double speed_m_s = 0.0;  // of E
  Wrench contact, tip, sensor;
};

struct EnergySample {
  double time_s = 0.0;
  EnergyReading energy;
};

// Of the contacts of rigid bodies, one of each for every pair in History::pair_names.
struct GraspSample {
  double time_s = 0.0;
  std::vector<double> load_n, friction_use;  // together; the largest
};

struct Frame {
  double time_s = 0.0;
  double depth_m = 0.0;  // largest of the bodies
  bool touching = false;
  std::vector<BodySnapshot> bodies;
};

struct TaxelGrid {
  std::string name;
  int rows = 0, columns = 0;
  double time_s = 0.0;
  std::vector<double> pressure_pa;  // row by row
};

struct History {
  explicit History(std::size_t body_count) : bodies(body_count, Thinned<BodySample>(points)) {}

  static constexpr std::size_t points = 3000, kept_frames = 32;
  std::vector<Thinned<BodySample>> bodies;  // in the order of RunHeader::body_names
  Thinned<EnergySample> energy{points};
  Thinned<std::shared_ptr<const Frame>> frames{kept_frames};
  // Thinning may drop these, and the report wants them.
  std::shared_ptr<const Frame> first_contact, deepest, last;
  std::vector<CurveRow> curve;
  std::vector<std::string> pair_names;  // of rigid bodies that may touch
  Thinned<GraspSample> grasp{points};
  std::vector<TaxelGrid> taxels;  // one per sensor, at its largest total pressure

  void add_period(double time_s, std::span<const BodyReading> readings, const EnergyReading& energy_reading);
  void add_frame(std::shared_ptr<const Frame> frame);
  void add_taxels(TaxelGrid grid);
};

}  // namespace distal
