// The sensors on soft bodies, apart from taxels: points, contours, compression; and the volume of every soft body.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/record/measure_results.hpp"
#include "distal/record/measured_points.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/record/table.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/sensor/surface_points.hpp"

namespace distal {

class SoftMeasures {
 public:
  // Throws InputError for what the scene's checks cannot see: points off the surface, a file that makes no sense.
  SoftMeasures(const Scene& scene, const Model& model);

  // Begins the results anew; open() the tables of a record too.
  void clear();
  void open(const OutputFolder& folder);
  // The end of a control period.
  void add_period(const Model& model, const State& state);
  void add_state(const Model& model, const State& state, const SettledState& settled);
  // What is known at the end of a run; one without a settled state gets its end as the only one.
  MeasureResults finish(const Model& model, const State& state);
  // Measured states that the run did not come to, for the notes.
  std::vector<std::string> missing() const;

 private:
  struct Points {
    std::size_t soft;
    SurfacePoints points;
    std::optional<MeasuredPoints> measured;
    double length_m;
  };
  struct Cut {
    std::size_t soft;
    Vec3 point_m, normal;  // body frame
  };

  void add_sensor(const Model& model, const std::string& name, const SensorDescription& sensor);
  void add_points(std::size_t sensor, const Model& model, const State& state, const SettledState& settled);
  void add_contour(std::size_t sensor, const Model& model, const State& state);
  void add_contour_rows(const std::string& name, std::size_t state, const std::vector<Polyline>& lines);
  void update_volumes(const Model& model, const State& state);

  Vec3 direction_ = Vec3::Zero();  // of the scene's motion, world
  std::vector<Points> points_;
  std::vector<Cut> cuts_;
  std::vector<std::size_t> volumes_;  // soft bodies that have one
  MeasureResults empty_;              // names and rest states, without a state
  MeasureResults results_;
  std::vector<Table> series_;  // one per set of points
  std::optional<Table> points_table_, contour_table_;
};

}  // namespace distal
