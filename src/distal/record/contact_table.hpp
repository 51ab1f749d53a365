// contacts.csv: the hard contacts that bear load, one row each per control period.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "distal/record/table.hpp"
#include "distal/sensor/friction_use.hpp"

namespace distal {

// What the table keeps of a contact; forces act on the second body.
struct ContactRow {
  std::string body_a, body_b;
  HardContact contact;
  FrictionUse use;
};

std::vector<std::string> contact_columns();
void add_contact_row(Table& table, double time_s, const ContactRow& row);

// For each time the rows of the control period that ended then. `times_s` rise. A last line that a killed run left
// incomplete is left out; anything else that is damaged throws InputError with file and line.
std::vector<std::vector<ContactRow>> load_contacts_at(const std::filesystem::path& file,
                                                      std::span<const double> times_s);

}  // namespace distal
