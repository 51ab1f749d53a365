#include "distal/view/admission.hpp"

#include <gtest/gtest.h>

namespace distal {
namespace {

HttpRequestWords get(std::string_view target) {
  HttpRequestWords words;
  words.method = "GET";
  words.target = target;
  words.hosts = {"127.0.0.1:17811"};
  return words;
}

HttpRequestWords socket(std::string_view target) {
  HttpRequestWords words = get(target);
  words.upgrade = true;
  words.subprotocols = "other, distal.view.1";
  return words;
}

TEST(Admission, ServesThePageAndTheSocketAndNothingElse) {
  const Admission local("127.0.0.1", 17811, "");
  EXPECT_EQ(local.decide(get("/")).file, "index.html");
  EXPECT_EQ(local.decide(get("/?png=1&time_s=0.3")).file, "index.html");
  EXPECT_EQ(local.decide(get("/app.js")).file, "app.js");
  EXPECT_EQ(local.decide(get("/style.css?x")).file, "style.css");
  EXPECT_TRUE(local.decide(socket("/ws")).web_socket);
  for (const char* target : {"/index.html", "/../etc/passwd", "/app.js/", "//", "", "*", "/ws/", "/WS"})
    EXPECT_EQ(local.decide(get(target)).status, 404) << target;
  HttpRequestWords post = get("/");
  post.method = "POST";
  EXPECT_EQ(local.decide(post).status, 405);
  EXPECT_EQ(local.decide(get("/ws")).status, 426);
  HttpRequestWords other = socket("/ws");
  other.subprotocols = "distal.view.10, xdistal.view.1";
  EXPECT_EQ(local.decide(other).status, 400);
}

TEST(Admission, KnowsItsOwnNamesOnly) {
  const Admission local("127.0.0.1", 17811, "");
  HttpRequestWords words = get("/");
  for (const char* host : {"127.0.0.1:17811", "localhost:17811", "LocalHost:17811", "[::1]:17811"}) {
    words.hosts = {host};
    EXPECT_EQ(local.decide(words).status, 200) << host;
  }
  for (const char* host : {"evil.example", "127.0.0.1", "127.0.0.1:80", "localhost:17811.evil.example", ""}) {
    words.hosts = {host};
    EXPECT_EQ(local.decide(words).status, 403) << host;
  }
  words.hosts = {};
  EXPECT_EQ(local.decide(words).status, 403);
  words.hosts = {"127.0.0.1:17811", "evil.example"};
  EXPECT_EQ(local.decide(words).status, 403);
  EXPECT_EQ(Admission("::1", 17811, "").decide(get("/")).status, 200);
}

TEST(Admission, RefusesPagesFromElsewhere) {
  const Admission local("127.0.0.1", 17811, "");
  HttpRequestWords words = socket("/ws");
  words.origins = {"http://127.0.0.1:17811"};
  EXPECT_TRUE(local.decide(words).web_socket);
  for (const char* origin : {"http://evil.example", "https://127.0.0.1:17811", "http://127.0.0.1:17812",
                             "http://127.0.0.1", "null", "", "http://localhost:17811"}) {
    words.origins = {origin};
    EXPECT_EQ(local.decide(words).status, 403) << origin;
  }
  words.origins = {"http://127.0.0.1:17811", "http://evil.example"};
  EXPECT_EQ(local.decide(words).status, 403);
}

TEST(Admission, AsksOthersForTheToken) {
  const Admission open("0.0.0.0", 17811, "0123456789abcdef");
  HttpRequestWords words = get("/?token=0123456789abcdef");
  words.hosts = {"robot.lab:17811"};
  EXPECT_EQ(open.decide(words).status, 200);
  for (const char* target : {"/", "/?token=", "/?token=0123456789abcdee", "/?token=0123456789abcdef0",
                             "/?token=0123456789abcde", "/?xtoken=0123456789abcdef", "/token=0123456789abcdef"}) {
    words.target = target;
    EXPECT_GE(open.decide(words).status, 401) << target;
  }
  words.target = "/?png=1&token=0123456789abcdef";
  EXPECT_EQ(open.decide(words).status, 200);
  EXPECT_EQ(open.decide(socket("/ws")).status, 401);
  EXPECT_TRUE(open.decide(socket("/ws?token=0123456789abcdef")).web_socket);
  EXPECT_EQ(open.decide(get("/app.js")).status, 200) << "holds nothing of the scene";
  HttpRequestWords foreign = socket("/ws?token=0123456789abcdef");
  foreign.origins = {"http://evil.example"};
  EXPECT_EQ(open.decide(foreign).status, 403);
}

TEST(Admission, TokensAreLongAndNeverTheSame) {
  const std::string one = make_token(), two = make_token();
  EXPECT_EQ(one.size(), 32u);
  EXPECT_NE(one, two);
}

}  // namespace
}  // namespace distal
