#include "distal/model/urdf_tree.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <vector>

#include "distal/core/error.hpp"

namespace distal {
namespace {

std::string names_of(const std::map<std::string, int>& lines) {
  std::vector<std::string> names;
  for (const auto& [name, line] : lines) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// What a <parent link="..."/> names.
std::string linked(const UrdfText& urdf, const TiXmlElement& joint, const char* end) {
  const std::string where = urdf.place_of_joint(joint.Attribute("name"));
  const TiXmlElement* element = joint.FirstChildElement(end);
  const char* link = element == nullptr ? nullptr : element->Attribute("link");
  if (link == nullptr) throw InputError(fmt::format("{}: has no <{} link=\"...\"/>", where, end));
  if (!urdf.link_line.contains(link))
    throw InputError(fmt::format("{}: {} is \"{}\", but there is no such link; links: {}", where, end, link,
                                 names_of(urdf.link_line)));
  return link;
}

void check_mimic(const UrdfText& urdf, const TiXmlElement& joint) {
  const TiXmlElement* mimic = joint.FirstChildElement("mimic");
  if (mimic == nullptr) return;
  const char* other = mimic->Attribute("joint");
  if (other == nullptr || !urdf.joint_line.contains(other))
    throw InputError(fmt::format("{}: mimics \"{}\", but there is no such joint; joints: {}",
                                 urdf.place_of_joint(joint.Attribute("name")), other == nullptr ? "" : other,
                                 names_of(urdf.joint_line)));
}

}  // namespace

void check_urdf_tree(const UrdfText& urdf, const TiXmlElement& robot) {
  if (urdf.link_line.empty()) throw InputError(fmt::format("{}: has no <link>", urdf.file));
  std::map<std::string, std::string> parent_of, joint_of;  // by child
  for (const TiXmlElement* e = robot.FirstChildElement("joint"); e != nullptr; e = e->NextSiblingElement("joint")) {
    const std::string name = e->Attribute("name"), parent = linked(urdf, *e, "parent"),
                      child = linked(urdf, *e, "child");
    if (const auto other = joint_of.find(child); other != joint_of.end())
      throw InputError(fmt::format("{}: its child \"{}\" is the child of joint \"{}\" already, allowed: one parent",
                                   urdf.place_of_joint(name), child, other->second));
    parent_of[child] = parent, joint_of[child] = name;
    check_mimic(urdf, *e);
  }
  for (const auto& [child, name] : joint_of) {
    std::string at = child;
    for (std::size_t steps = 0; parent_of.contains(at); at = parent_of[at])
      if (++steps > joint_of.size())
        throw InputError(
            fmt::format("{}: its links and joints form a ring, allowed: a tree", urdf.place_of_joint(name)));
  }
  std::vector<std::string> roots;
  for (const auto& [link, line] : urdf.link_line)
    if (!parent_of.contains(link)) roots.push_back(link);
  if (roots.size() > 1)
    throw InputError(fmt::format("{}: is not the child of a joint, nor is \"{}\"; allowed: one root",
                                 urdf.place_of_link(roots[0]), roots[1]));
}

}  // namespace distal
