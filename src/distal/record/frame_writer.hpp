// Mesh frames for ParaView: frames/*.vtu and run.pvd, which lists them with their times. A thread of their own writes
// them, so that the loop does not wait for the disk.
#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "distal/record/history.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/record/vtu.hpp"

namespace distal {

class FrameWriter {
 public:
  explicit FrameWriter(const OutputFolder& folder) : folder_(folder) {}

  // Up to three files: soft surfaces with their values, lattices, and everything rigid. They are written later; waits
  // only while many frames do. What went wrong with an earlier frame is thrown here, or by finish().
  void add(std::shared_ptr<const Frame> frame);
  // Writes what waits, and lists the last frames in run.pvd.
  void finish();

 private:
  void serve(const std::stop_token& stop);
  void write(const Frame& frame);
  void write_index();
  void throw_problem();

  // Of the last frame: they seldom change.
  struct KnownCells {
    VtuCells cells;
    std::string text;
  };

  OutputFolder folder_;
  std::array<KnownCells, 3> known_;
  std::string entries_;  // the lines of run.pvd so far
  std::size_t frames_ = 0, listed_ = 0;

  // All below between the two threads.
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<const Frame>> waiting_;  // the first one is being written
  std::exception_ptr problem_;
  std::jthread thread_;  // from the first frame on
};

}  // namespace distal
