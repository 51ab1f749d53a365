// The results of a run, as viewers see them: frames/*.vtu and series/*.csv.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "distal/record/series_reader.hpp"
#include "distal/record/vtu_reader.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/view/view_data.hpp"

namespace distal {

class RecordedRun {
 public:
  // Throws InputError for a folder that holds no results with frames, and for damaged ones.
  RecordedRun(const std::filesystem::path& folder, const std::string& version);

  const ViewScene& scene() const { return scene_; }
  std::size_t frames() const { return files_.size(); }
  // Frames that the run wrote and that somebody has deleted.
  std::size_t missing() const { return missing_; }
  double time_s(std::size_t frame) const { return files_[frame].time_s; }
  // At or before that time; the first before it.
  std::size_t frame_at(double time_s) const;
  // All parts of a frame. Throws InputError.
  ViewMoment load(std::size_t frame) const;
  // The numbers of a frame, without its parts.
  ViewMoment numbers(std::size_t frame) const;

 private:
  // Points of a file that make a part.
  struct PartSource {
    std::filesystem::path FrameFiles::*file = nullptr;
    std::size_t points = 0;  // of the whole file
    std::vector<std::size_t> chosen;
    std::string field;  // its name in the files; empty: none
  };
  using Bodies = std::vector<std::size_t>;  // of the scene, by the numbers in the files

  void leave_out_missing(const std::filesystem::path& folder);
  Bodies add_bodies(const Scene& scene);
  void add_surfaces(const Bodies& bodies);
  void add_fields(const Scene& scene);
  void add_lattices(const Bodies& bodies);
  void add_rigid(const Bodies& bodies);
  void add_meshes(const VtuGrid& grid, const Bodies& bodies, std::filesystem::path FrameFiles::*file);
  void add_part(ViewPart part, PartSource source);
  void read_series(const std::filesystem::path& folder);
  void read_patches(const std::filesystem::path& file);
  bool parked(const ViewMoment& moment, std::size_t part) const;

  ViewScene scene_;
  std::vector<FrameFiles> files_;
  std::size_t missing_ = 0;
  std::vector<PartSource> sources_;                       // one per part
  std::map<std::size_t, std::vector<SeriesRow>> series_;  // by body: one row per frame
  std::vector<std::vector<ViewPatch>> patches_;           // one list per frame
  std::vector<double> energy_residual_;                   // one per frame
  std::vector<Pose> initial_pose_;                        // of bodies
};

}  // namespace distal
