// A mesh as a file for a scene.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal::test {

// One file for each process: tests run beside each other.
inline std::string save_obj(const std::string& name, const TriangleMesh& mesh) {
  const std::string file = fmt::format("{}distal_{}_{}", testing::TempDir(), getpid(), name);
  std::ofstream out(file);
  for (const Vec3& v : mesh.vertices) out << fmt::format("v {:.17g} {:.17g} {:.17g}\n", v.x(), v.y(), v.z());
  for (const auto& t : mesh.triangles) out << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return file;
}

}  // namespace distal::test
