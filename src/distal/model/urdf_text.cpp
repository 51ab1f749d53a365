#include "distal/model/urdf_text.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/core/text_file.hpp"
#include "distal/model/urdf_tree.hpp"

namespace distal {
namespace {

constexpr std::size_t kLongestUrdf_mib = 16;
constexpr int kDeepestElement = 200;  // TinyXML reads by recursion

// One attribute with its numbers.
struct Numbers {
  const char *element, *attribute;
  int count;
  bool required;
  double low = -INFINITY;
  bool low_open = false;
};
constexpr Numbers kNumbers[] = {{"origin", "xyz", 3, false},
                                {"origin", "rpy", 3, false},
                                {"mass", "value", 1, true, 0.0},
                                {"inertia", "ixx", 1, true, 0.0},
                                {"inertia", "ixy", 1, true},
                                {"inertia", "ixz", 1, true},
                                {"inertia", "iyy", 1, true, 0.0},
                                {"inertia", "iyz", 1, true},
                                {"inertia", "izz", 1, true, 0.0},
                                {"box", "size", 3, true, 0.0, true},
                                {"sphere", "radius", 1, true, 0.0, true},
                                {"cylinder", "radius", 1, true, 0.0, true},
                                {"cylinder", "length", 1, true, 0.0, true},
                                {"mesh", "scale", 3, false, 0.0, true},
                                {"axis", "xyz", 3, true},
                                {"limit", "lower", 1, false},
                                {"limit", "upper", 1, false},
                                {"limit", "effort", 1, true, 0.0},
                                {"limit", "velocity", 1, true, 0.0},
                                {"dynamics", "damping", 1, false, 0.0},
                                {"dynamics", "friction", 1, false, 0.0},
                                {"mimic", "multiplier", 1, false},
                                {"mimic", "offset", 1, false}};

class UrdfChecker {
 public:
  explicit UrdfChecker(const std::string& file) : file_(file) {}

  void check_link(const TiXmlElement& link) {
    who_ = fmt::format("link \"{}\"", name_of(link));
    for (const TiXmlElement* e = link.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (e->ValueStr() == "inertial") {
        need_child(*e, "mass"), need_child(*e, "inertia");
        check_children(*e);
      }
      if (e->ValueStr() == "collision") check_collision(*e);
    }
  }

  void check_joint(const TiXmlElement& joint) {
    who_ = fmt::format("joint \"{}\"", name_of(joint));
    const char* type = joint.Attribute("type");
    const std::set<std::string> known = {"revolute", "continuous", "prismatic", "fixed"};
    if (type == nullptr || !known.contains(type))
      fail(joint, fmt::format("type is {}, allowed: revolute, continuous, prismatic, fixed", quoted(type)));
    check_children(joint);
    const TiXmlElement* limit = joint.FirstChildElement("limit");
    const bool needs_limit = std::string(type) == "revolute" || std::string(type) == "prismatic";
    if (needs_limit && limit == nullptr)
      fail(joint, fmt::format("is {} and has no <limit>; a joint that turns without end is continuous", type));
    if (limit != nullptr && number(*limit, "lower") > number(*limit, "upper"))
      fail(*limit, fmt::format("lower = {} is above upper = {}", number(*limit, "lower"), number(*limit, "upper")));
    const TiXmlElement* axis = joint.FirstChildElement("axis");
    if (axis != nullptr && read_numbers(axis->Attribute("xyz")) == std::vector<double>(3, 0.0))
      fail(*axis, "xyz is zero, allowed: a direction");
  }

  // The `name` of a link or a joint.
  std::string name_of(const TiXmlElement& element) const {
    const char* name = element.Attribute("name");
    if (name == nullptr || *name == '\0') fail(element, fmt::format("a {} has no name", element.Value()));
    constexpr std::size_t kLongest = 200;  // a file is named after it
    if (const std::size_t length = std::strlen(name); length > kLongest)
      fail(element, fmt::format("a name of {} characters, allowed: up to {}", length, kLongest));
    return name;
  }

  [[noreturn]] void fail(const TiXmlElement& element, const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}{}{}: {}", file_, element.Row(), who_, who_.empty() ? "" : " ",
                                 fmt::format("<{}>", element.Value()), message));
  }

 private:
  static std::string quoted(const char* text) { return text == nullptr ? "not given" : fmt::format("\"{}\"", text); }
  // Empty for anything but finite numbers.
  static std::vector<double> read_numbers(const char* text) {
    std::vector<double> values;
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    for (double value; stream >> value;) values.push_back(value);
    if (!stream.eof()) values.clear();
    return values;
  }
  static double number(const TiXmlElement& element, const char* attribute) {
    const char* text = element.Attribute(attribute);
    return text == nullptr ? 0.0 : read_numbers(text).front();  // zero when not given, as URDF has it
  }

  void need_child(const TiXmlElement& element, const char* child) const {
    if (element.FirstChildElement(child) == nullptr) fail(element, fmt::format("has no <{}>", child));
  }

  void check_collision(const TiXmlElement& collision) const {
    need_child(collision, "geometry");
    const TiXmlElement& geometry = *collision.FirstChildElement("geometry");
    const TiXmlElement* shape = geometry.FirstChildElement();
    const std::set<std::string> known = {"box", "cylinder", "sphere", "mesh"};
    if (shape == nullptr || !known.contains(shape->ValueStr()))
      fail(geometry, fmt::format("found {}, allowed: box, cylinder, sphere, mesh",
                                 shape == nullptr ? "nothing" : fmt::format("<{}>", shape->Value())));
    if (shape->ValueStr() == "mesh" && (shape->Attribute("filename") == nullptr || !*shape->Attribute("filename")))
      fail(*shape, "filename is not given");
    check_children(collision);
    check_children(geometry);
  }

  void check_children(const TiXmlElement& parent) const {
    for (const TiXmlElement* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      for (const Numbers& numbers : kNumbers)
        if (e->ValueStr() == numbers.element) check_numbers(*e, numbers);
  }

  void check_numbers(const TiXmlElement& element, const Numbers& n) const {
    const char* text = element.Attribute(n.attribute);
    if (text == nullptr && !n.required) return;
    const std::vector<double> values = text == nullptr ? std::vector<double>{} : read_numbers(text);
    bool good = static_cast<int>(values.size()) == n.count;
    for (const double v : values) good = good && std::isfinite(v) && (n.low_open ? v > n.low : v >= n.low);
    if (good) return;
    fail(element, fmt::format("{} is {}, allowed: {} {}{}", n.attribute, quoted(text), n.count,
                              n.count == 1 ? "number" : "numbers",
                              std::isinf(n.low) ? "" : fmt::format(" {} {}", n.low_open ? "above" : "from", n.low)));
  }

  std::string file_, who_;
};

void check_depth(const std::string& file, const std::string& text) {
  int depth = 0, line = 1;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] == '<' && text[i + 1] != '/' && text[i + 1] != '!' && text[i + 1] != '?') ++depth;
    if ((text[i] == '<' && text[i + 1] == '/') || (text[i] == '/' && text[i + 1] == '>')) --depth;
    if (depth > kDeepestElement)
      throw InputError(fmt::format("{}:{}: elements are nested more than {} deep", file, line, kDeepestElement));
  }
}

// Removes every child whose name is not among these.
void keep_only(TiXmlElement& element, const std::set<std::string>& names) {
  for (TiXmlElement* e = element.FirstChildElement(); e != nullptr;) {
    TiXmlElement* next = e->NextSiblingElement();
    if (!names.contains(e->ValueStr())) element.RemoveChild(e);
    e = next;
  }
}

}  // namespace

std::string UrdfText::place_of_link(const std::string& name) const {
  return fmt::format("{}:{}: link \"{}\"", file, link_line.at(name), name);
}

std::string UrdfText::place_of_joint(const std::string& name) const {
  return fmt::format("{}:{}: joint \"{}\"", file, joint_line.at(name), name);
}

UrdfText load_urdf_text(const std::string& file) {
  const std::string text = load_text(file, "a URDF file", kLongestUrdf_mib);
  check_depth(file, text);
  TiXmlDocument document;
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  if (document.Error())
    throw InputError(fmt::format("{}:{}: is not good XML: {}", file, document.ErrorRow(), document.ErrorDesc()));
  TiXmlElement* robot = document.FirstChildElement("robot");
  if (robot == nullptr) throw InputError(fmt::format("{}: has no <robot>: not a URDF file", file));
  UrdfText urdf;
  urdf.file = file;
  UrdfChecker checker(file);
  robot->SetAttribute("name", "hand");
  robot->RemoveAttribute("version");
  keep_only(*robot, {"link", "joint"});
  for (TiXmlElement* e = robot->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const bool is_link = e->ValueStr() == "link";
    if (!(is_link ? urdf.link_line : urdf.joint_line).emplace(checker.name_of(*e), e->Row()).second)
      checker.fail(*e, fmt::format("\"{}\" is there twice", checker.name_of(*e)));
    if (is_link)
      checker.check_link(*e);
    else
      checker.check_joint(*e);
    keep_only(*e, is_link ? std::set<std::string>{"inertial", "collision"}
                          : std::set<std::string>{"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
  }
  check_urdf_tree(urdf, *robot);
  TiXmlPrinter printer;
  document.Accept(&printer);
  urdf.xml = printer.Str();
  return urdf;
}

}  // namespace distal
