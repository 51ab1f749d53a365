// Mesh frames for ParaView: frames/*.vtu and run.pvd, which lists them with their times.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "distal/record/output_folder.hpp"
#include "distal/record/vtu.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

class FrameWriter {
 public:
  explicit FrameWriter(const OutputFolder& folder) : folder_(folder) {}

  // Up to three files: soft surfaces with their values, lattices, and everything rigid.
  void add(double time_s, std::span<const BodySnapshot> bodies);
  // Lists the last frames in run.pvd.
  void finish();

 private:
  void write_index();

  // Of the last frame: they seldom change.
  struct KnownCells {
    VtuCells cells;
    std::string text;
  };

  OutputFolder folder_;
  std::array<KnownCells, 3> known_;
  std::string entries_;  // the lines of run.pvd so far
  std::size_t frames_ = 0, listed_ = 0;
};

}  // namespace distal
