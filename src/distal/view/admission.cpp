#include "distal/view/admission.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "distal/core/error.hpp"

namespace distal {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// An IPv6 address stands in brackets.
std::string with_port(const std::string& host, int port) {
  const bool bare = host.find(':') != std::string::npos && !host.starts_with('[');
  return fmt::format("{}{}{}:{}", bare ? "[" : "", host, bare ? "]" : "", port);
}

// The items of a list with commas, without blanks.
bool contains_item(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view each = list.substr(0, comma);
    while (each.starts_with(' ')) each.remove_prefix(1);
    while (each.ends_with(' ')) each.remove_suffix(1);
    if (each == item) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

HttpAnswer refuse(int status, std::string text) { return {status, false, {}, std::move(text)}; }

}  // namespace

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gives no random numbers for a token");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

Admission::Admission(const std::string& host, int port, std::string token) : token_(std::move(token)) {
  for (const std::string& name : {host, std::string("127.0.0.1"), std::string("localhost"), std::string("::1")})
    names_.push_back(with_port(lower_case(name), port));
}

bool Admission::is_our_name(std::string_view host) const {
  if (!token_.empty()) return !host.empty();
  return std::find(names_.begin(), names_.end(), lower_case(host)) != names_.end();
}

// Takes as long for a token that is nearly right as for one that is not.
bool Admission::has_token(std::string_view query) const {
  constexpr std::string_view kKey = "token=";
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (!item.starts_with(kKey) || item.size() != kKey.size() + token_.size()) continue;
    unsigned difference = 0;
    for (std::size_t i = 0; i < token_.size(); ++i)
      difference |= static_cast<unsigned>(static_cast<unsigned char>(item[kKey.size() + i] ^ token_[i]));
    if (difference == 0) return true;
  }
  return false;
}

HttpAnswer Admission::decide(const HttpRequestWords& request) const {
  if (request.hosts.size() != 1 || !is_our_name(request.hosts.front()))
    return refuse(403, "The name in the address is not one that this program serves.");
  // A page of another site cannot hide where it comes from.
  for (const std::string_view origin : request.origins)
    if (lower_case(origin) != "http://" + lower_case(request.hosts.front()))
      return refuse(403, "Pages from elsewhere may not look at this program.");
  if (request.method != "GET") return refuse(405, "Only GET is served here.");
  const std::size_t mark = std::min(request.target.find('?'), request.target.size());
  const std::string_view path = request.target.substr(0, mark);
  const std::string_view query = request.target.substr(std::min(mark + 1, request.target.size()));
  const bool socket = path == "/ws", page = path == "/", asset = path == "/app.js" || path == "/style.css";
  if (!socket && !page && !asset) return refuse(404, "There is nothing here.");
  // The files beside the page hold nothing of the scene, and are asked for without a token.
  if (!token_.empty() && !asset && !has_token(query))
    return refuse(401, "A token is needed: use the whole address that the program printed.");
  if (!socket) return {200, false, page ? "index.html" : path.substr(1), {}};
  if (!request.upgrade) return refuse(426, "This address is for a WebSocket.");
  if (!contains_item(request.subprotocols, kViewSubprotocol))
    return refuse(400, fmt::format("The WebSocket needs the subprotocol {}.", kViewSubprotocol));
  return {101, true, {}, {}};
}

}  // namespace distal
