// What ties the keys of a scene together: names that point somewhere, sizes that fit, time steps that divide.
#pragma once
#include <initializer_list>
#include <string>

#include "distal/core/error.hpp"
#include "distal/scenario/problems.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/scenario/value.hpp"

namespace distal {

// Points a problem at the line where its key is given, or else at the table it belongs to.
class PlacedProblems {
 public:
  PlacedProblems(const Value& root, Problems& problems) : root_(root), problems_(problems) {}
  // `others` are the keys it clashes with: when one of them was overridden, that override is the place to look at.
  void add(const std::string& key, const std::string& message, std::initializer_list<std::string> others = {});
  // An error whose message begins with the key it is about.
  void add(const InputError& error, std::initializer_list<std::string> others = {});
  const Value& root() const { return root_; }

 private:
  const Value& root_;
  Problems& problems_;
};

// All of them; call with a scene whose keys are good by themselves.
void check_scene(const Scene& scene, PlacedProblems& problems);

void check_names(const Scene& scene, PlacedProblems& problems);      // references, and who moves a body
void check_materials(const Scene& scene, PlacedProblems& problems);  // moduli, damping, friction
void check_shapes(const Scene& scene, PlacedProblems& problems);     // sizes of one body against each other
void check_size(const Scene& scene, PlacedProblems& problems);       // memory
void check_channels(const Scene& scene, PlacedProblems& problems);   // one a signal, latency, commands
void check_devices(const Scene& scene, PlacedProblems& problems);    // paths, files, ports, integrator
void check_time(const Scene& scene, PlacedProblems& problems);       // steps, motion

}  // namespace distal
