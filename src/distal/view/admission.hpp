// Who may see the page: the answer to an HTTP request, from its words alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace distal {

struct HttpRequestWords {
  std::string_view method, target;
  std::vector<std::string_view> hosts, origins;  // header fields; one host is needed
  bool upgrade = false;                          // wants a WebSocket
  std::string_view subprotocols;
};

struct HttpAnswer {
  int status = 200;
  bool web_socket = false;
  std::string_view file;  // of the page; empty where there is none
  std::string text;       // what is wrong
};

inline constexpr std::string_view kViewSubprotocol = "distal.view.1";

class Admission {
 public:
  // `host` as the user gave it. With a token others than this machine can reach the port, under any name.
  Admission(const std::string& host, int port, std::string token);

  HttpAnswer decide(const HttpRequestWords& request) const;

 private:
  bool is_our_name(std::string_view host) const;
  bool has_token(std::string_view query) const;

  std::vector<std::string> names_;  // host:port
  std::string token_;               // empty: none needed
};

// 128 random bits as text.
std::string make_token();

}  // namespace distal
