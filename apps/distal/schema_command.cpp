// distal schema: JSON Schema of scene files, for editors.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "distal/commands.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

void add_schema_command(CLI::App& program, int& exit_code) {
  program.add_subcommand("schema", "Print the JSON Schema of scene files, for editors.")->callback([&exit_code] {
    fmt::print("{}\n", scene_schema().dump(2));
    exit_code = kDone;
  });
}

}  // namespace distal
