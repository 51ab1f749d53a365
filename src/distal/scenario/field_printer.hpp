// Turns every field into text: the value as TOML, and what is allowed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distal/scenario/field.hpp"

namespace distal {

std::string toml_text(double value);
std::string toml_text(std::string_view value);

class FieldPrinter : public FieldVisitor {
 public:
  void number(const Field& field, double& value) final;
  void integer(const Field& field, std::int64_t& value) final;
  void boolean(const Field& field, bool& value) final;
  void text(const Field& field, std::string& value) final;
  void choice(const Field& field, Names names, int& value) final;
  void numbers(const Field& field, std::span<double> values) final;
  void list(const Field& field, std::vector<double>& values) final;
  void points(const Field& field, std::vector<Vec3>& values) final;
  void two_names(const Field& field, std::string& a, std::string& b) final;

 protected:
  // `value` is "" for an optional number that is not given.
  virtual void print(const Field& field, const std::string& value, const std::string& allowed) = 0;
};

}  // namespace distal
