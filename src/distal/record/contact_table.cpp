#include "distal/record/contact_table.hpp"

#include "distal/record/row_reader.hpp"

namespace distal {

std::vector<std::string> contact_columns() {
  return {"time_s",
          "body_a",
          "body_b",
          "px_m",
          "py_m",
          "pz_m",
          "nx",
          "ny",
          "nz",
          "tx",
          "ty",
          "tz",
          "separation_m",
          "load_n",
          "friction_n",
          "friction_a_n",
          "friction_b_n",
          "moment_n_m",
          "eccentricity_m",
          "semi_axis_a_m",
          "semi_axis_b_m",
          "area_m2",
          "most_friction_n",
          "most_moment_n_m",
          "friction_use",
          "fit_deviation_m",
          "slides"};
}

void add_contact_row(Table& table, double time_s, const ContactRow& row) {
  const HardContact& c = row.contact;
  table.add(time_s);
  table.add(std::string_view(row.body_a)), table.add(std::string_view(row.body_b));
  table.add(c.point), table.add(c.normal), table.add(c.first_tangent);
  table.add(c.separation_m), table.add(c.load_n), table.add(c.friction.head<2>().norm()), table.add(c.friction);
  for (const double value : {c.eccentricity_m, c.semi_axes_m[0], c.semi_axes_m[1], c.area_m2(), row.use.most_force_n,
                             row.use.most_moment_n_m, row.use.use(), c.fit_deviation_m})
    table.add(value);
  table.add(c.slides ? 1 : 0);
  table.end_row();
}

namespace {

ContactRow read_contact_row(RowReader& reader) {
  ContactRow row;
  HardContact& c = row.contact;
  row.body_a = reader.word(), row.body_b = reader.word();
  c.point = reader.vector(), c.normal = reader.vector(), c.first_tangent = reader.vector();
  c.separation_m = reader.number(), c.load_n = reader.number();
  reader.number();  // the friction's size, which its two components give
  c.friction = reader.vector();
  c.eccentricity_m = reader.number();
  for (double& axis : c.semi_axes_m) axis = reader.number();
  reader.number();  // the area, which the axes give
  row.use.most_force_n = reader.number(), row.use.most_moment_n_m = reader.number();
  reader.number();  // the use, which the shares give
  c.fit_deviation_m = reader.number();
  if (row.use.most_force_n > 0.0) row.use.share.head<2>() = c.friction.head<2>() / row.use.most_force_n;
  if (row.use.most_moment_n_m > 0.0) row.use.share.z() = c.friction.z() / row.use.most_moment_n_m;
  c.slides = reader.number() != 0.0;
  reader.expect_end();
  return row;
}

}  // namespace

std::vector<std::vector<ContactRow>> load_contacts_at(const std::filesystem::path& file,
                                                      std::span<const double> times_s) {
  std::vector<std::vector<ContactRow>> found(times_s.size());
  std::size_t next = 0;
  for_each_row(file, contact_columns(), [&](RowReader reader) {
    const double time_s = reader.number();
    while (next < times_s.size() && times_s[next] * kSameTime < time_s) ++next;
    if (next < times_s.size() && time_s * kSameTime >= times_s[next]) found[next].push_back(read_contact_row(reader));
  });
  return found;
}

}  // namespace distal
