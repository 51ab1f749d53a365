// Reads the keys of one table and checks each: type, range, known key.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distal/scenario/field.hpp"
#include "distal/scenario/problems.hpp"
#include "distal/scenario/value.hpp"

namespace distal {

class FieldReader final : public FieldVisitor {
 public:
  // `path` is the table's dotted name, for messages.
  FieldReader(const Value& table, std::string path, Problems& problems);

  void number(const Field& field, double& value) override;
  void integer(const Field& field, std::int64_t& value) override;
  void boolean(const Field& field, bool& value) override;
  void text(const Field& field, std::string& value) override;
  void choice(const Field& field, Names names, int& value) override;
  void numbers(const Field& field, std::span<double> values) override;
  void list(const Field& field, std::vector<double>& values) override;
  void points(const Field& field, std::vector<Vec3>& values) override;
  void two_names(const Field& field, std::string& a, std::string& b) override;

  // The keys that nobody asked for are unknown.
  void report_unknown_keys();

 private:
  // Null when not given; a missing required key is a problem that names what is expected.
  const Value* take(const Field& field, std::string_view expected = "");
  bool read_number(const Field& field, const Value& value, double& result);
  void apply_rule(const Field& field, const Value& value, std::span<double> values);
  void problem(const Value& value, const Field& field, const std::string& message);
  void wrong_type(const Value& value, const Field& field, std::string_view expected);
  std::string unknown_key_message(std::string_view key) const;

  const Value& table_;
  std::string path_;
  Problems& problems_;
  std::vector<Field> known_;
};

}  // namespace distal
