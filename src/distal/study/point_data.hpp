// Measured points of a soft body's surface, for a sensor of type = "points".
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "distal/scenario/scene.hpp"
#include "distal/study/lab_data.hpp"
#include "distal/study/measurement.hpp"

namespace distal {

struct PointColumn {
  int axis = 0;
  std::string name;                    // ux_m
  std::vector<double> displacement_m;  // of each row, in the body's undeformed frame
};

struct PointData {
  std::string sensor;
  const PointsDescription* description = nullptr;  // of the scene
  std::vector<std::size_t> points;                 // of each row
  std::vector<PointColumn> columns;

  // Of one row at this abscissa.
  void add(std::size_t row, const std::string& over, double abscissa, std::vector<Observation>& observations) const;
};

// Places become displacements. Null where the data have no columns of points. `sensor`: the chosen one; empty: the only
// one. Throws InputError.
std::unique_ptr<PointData> read_point_data(const Scene& scene, const LabData& data, const std::string& sensor);

// Of an observation's name: 0 for ux_m.
int axis_of_point(const Observation& one);

}  // namespace distal
