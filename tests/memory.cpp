// Memory of a fingertip, and allocations in the loop: a program of its own, because every operator new is counted. It
// prints what it finds and ends with 1 where that is more than is allowed.
#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "distal/run/simulated_plant.hpp"

namespace {

std::atomic<std::int64_t> live_bytes{0}, allocations{0};
std::atomic<std::size_t> largest{0};

void* take(std::size_t size, std::size_t alignment) {
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size);
  if (!p) throw std::bad_alloc();
  live_bytes += static_cast<std::int64_t>(malloc_usable_size(p));
  ++allocations;
  if (size > largest) largest = size;
  return p;
}

void give_back(void* p) {
  if (p) live_bytes -= static_cast<std::int64_t>(malloc_usable_size(p));
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return take(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }

namespace {

using namespace distal;

constexpr int kWarmUp = 5, kCounted = 100;  // control periods

ModelDescription describe_finger(IntegratorKind kind, Precision precision) {
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.placement.position_m = Vec3(0.0, 0.0, 0.0101);
  finger.placement.q_xyzw = Quat(0.0, 1.0, 0.0, 0.0);
  finger.mount = Mount::driven;
  ModelDescription model;
  auto& rubber = model.materials["rubber"];
  rubber.density_kg_m3 = 500.0;
  rubber.youngs_modulus_pa = 3922.66;
  rubber.poissons_ratio = 0.4286;
  rubber.relaxation_time_s = 6e-4;
  model.bodies.emplace_back("finger", finger);
  model.bodies.emplace_back("table", PlaneDescription{});
  model.threads = 2;
  model.precision = precision;
  model.integrator.kind = kind;
  return model;
}

// Down at 20 mm/s: in touch after 5 periods, over 2 mm deep at the end, so that contact lists grow while we count.
BodyCommand press() {
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear = Vec3(0.0, 0.0, -0.02);
  return command;
}

// A step that fails writes a message, and what it allocates is not what we count.
void insist(const StepReport& report) {
  if (report.status == StepStatus::good) return;
  fmt::print(stderr, "{}\n", report.message);
  std::exit(1);
}

bool too_much = false;

template <typename Work>
void count_allocations(const char* what, Work&& period) {
  for (int i = 0; i < kWarmUp; ++i) period();
  const std::int64_t before = allocations;
  largest = 0;
  for (int i = 0; i < kCounted; ++i) period();
  const std::int64_t counted = allocations - before;
  fmt::print("  {:<44}{:>8}  (largest {} bytes)\n", what, counted, largest.load());
  too_much |= counted > 0;
}

void measure(IntegratorKind kind, Precision precision, double most_bytes) {
  const ModelDescription description = describe_finger(kind, precision);
  const std::int64_t start = live_bytes;
  auto simulation = std::make_unique<Simulation>(description);
  const BodyCommand command = press();
  for (int i = 0; i < kWarmUp; ++i) insist(simulation->advance({&command, 1}));
  const std::int64_t whole = live_bytes - start;
  const std::int64_t before_model = live_bytes;
  const auto model = std::make_unique<Model>(simulation->model());
  const std::int64_t after_model = live_bytes;
  const auto state = std::make_unique<State>(simulation->state());
  const std::int64_t after_state = live_bytes;

  const double particles = model->active_particles();
  const Lattice& lattice = model->soft.front().lattice;
  fmt::print("{}, {}: {} particles on {} grid nodes, {} full and {} cut cells, {} contact samples, {} ligaments\n",
             name_of(kind), precision == Precision::float_ ? "float" : "double", particles, model->particle_slots,
             lattice.full_cells, lattice.cut.count, model->soft.front().skin.size(),
             model->soft.front().ligaments.size());
  const auto line = [&](const char* name, std::int64_t bytes) {
    fmt::print("  {:<44}{:>8.0f}  bytes a particle\n", name, static_cast<double>(bytes) / particles);
  };
  line("model", after_model - before_model);
  line("state", after_state - after_model);
  line("workspace, sensors, step check", whole - (after_state - before_model));
  line("together", whole);
  too_much |= static_cast<double>(whole) > most_bytes * particles;

  fmt::print("  allocations in {} control periods after the first {}\n", kCounted, kWarmUp);
  SimulatedPlant plant(*simulation);
  count_allocations("with sensors and the step check", [&] {
    plant.exchange({&command, 1});
    insist(plant.report());
  });
}

}  // namespace

int main() {
  fmt::print("fingertip of 1 mm cells, neo_hookean, two threads\n");
  measure(IntegratorKind::semi_implicit_euler, Precision::double_, 800.0);
  measure(IntegratorKind::semi_implicit_euler, Precision::float_, 800.0);
  measure(IntegratorKind::implicit_euler, Precision::double_, 1600.0);
  return too_much ? 1 : 0;
}
