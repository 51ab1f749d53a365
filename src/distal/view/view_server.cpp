// Boost.Beast is slow to compile: it is used in this file alone.
#include "distal/view/view_server.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

// Asio uses std::exchange without including it: behind <utility>.
#include <boost/asio.hpp>
#include <boost/beast.hpp>

#include "distal/core/error.hpp"
#include "distal/core/step_back.hpp"
#include "distal/view/admission.hpp"
#include "distal/view/audience.hpp"
#include "distal/view/page_files.hpp"

namespace distal {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMostConnections = 16;
constexpr std::size_t kMostMessageBytes = 4096, kMostHeaderBytes = 8192;
constexpr auto kHandshake = std::chrono::seconds(10);
constexpr auto kSilence = std::chrono::seconds(60);  // a viewer that does not even answer a ping
constexpr auto kBetweenFrames = std::chrono::nanoseconds(16'666'666);
constexpr auto kMostBehind = 2 * kBetweenFrames;  // is made up for, so that a late tick costs no frame
// The page consists of its files, and talks to this program alone; its icon is written in itself.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

Tcp::endpoint find_endpoint(asio::io_context& context, const ViewServerOptions& options) {
  error_code error;
  Tcp::resolver resolver(context);
  const auto found = resolver.resolve(options.host, std::to_string(options.port), error);
  if (error || found.empty())
    throw InputError(fmt::format("--view-host {}: {}; allowed: a name or an address of this machine, such as 127.0.0.1",
                                 options.host, error.message()));
  const Tcp::endpoint endpoint = found.begin()->endpoint();
  if (!options.allow_remote && !endpoint.address().is_loopback())
    throw InputError(
        fmt::format("--view-host {}: other machines could watch and touch the scene there; add "
                    "--allow-remote if you want that, or take 127.0.0.1 or ::1",
                    options.host));
  return endpoint;
}

std::string text_of(const Tcp::endpoint& endpoint) {
  const bool v6 = endpoint.address().is_v6();
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", endpoint.address().to_string(), v6 ? "]" : "", endpoint.port());
}

// Where a browser finds it: any address of this machine is reached by its name.
std::string reachable(const Tcp::endpoint& endpoint) {
  if (!endpoint.address().is_unspecified()) return text_of(endpoint);
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return fmt::format("{}:{}", name.data(), endpoint.port());
}

}  // namespace

// All but the public part runs in the server's thread.
class ViewServer::Machine {
 public:
  explicit Machine(const ViewServerOptions& options);
  ~Machine() { close(); }

  const std::string& url() const { return url_; }
  void open(const ViewScene& scene, const ViewPowers& powers, MomentSource& source, SteeringBox& box);
  void close();
  bool wants_moment() const { return wanted_.load(std::memory_order_acquire); }
  void announce_moment();
  std::size_t viewers() const { return viewer_count_.load(std::memory_order_relaxed); }

 private:
  class Connection;
  class Viewer;

  void accept();
  void tick();
  void take_moment();
  void join(const std::shared_ptr<Viewer>& viewer);
  void leave(const Viewer* viewer);

  std::size_t connections_ = 0;  // first, as those that are left count themselves out when the context goes
  asio::io_context context_{1};
  Tcp::acceptor acceptor_{context_};
  asio::steady_timer timer_{context_}, retry_{context_};
  asio::steady_timer::time_point next_tick_{};
  std::string url_;
  std::unique_ptr<Admission> admission_;
  std::optional<Audience> audience_;
  std::vector<std::shared_ptr<Viewer>> viewers_;
  bool ticking_ = false;
  std::atomic<bool> wanted_{false}, announced_{false};
  std::atomic<std::size_t> viewer_count_{0};
  std::thread thread_;
};

// A WebSocket, from its handshake on.
class ViewServer::Machine::Viewer : public Seat, public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(Machine& machine, beast::tcp_stream stream) : machine_(machine), socket_(std::move(stream)) {
    ++machine_.connections_;
  }
  ~Viewer() override { --machine_.connections_; }

  void start(const http::request<http::string_body>& request) {
    beast::get_lowest_layer(socket_).expires_never();
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(Tcp::no_delay(true),
                                                         ignored);  // the end of a frame waits for none
    socket_.set_option(beast::websocket::stream_base::timeout{kHandshake, kSilence, true});
    socket_.set_option(beast::websocket::stream_base::decorator([](beast::websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, std::string(kViewSubprotocol));
    }));
    socket_.read_message_max(kMostMessageBytes);
    socket_.auto_fragment(false);  // a frame goes out as it is, without copies in small pieces
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return;
      self->machine_.join(self);
      self->read();
    });
  }

  void send(SharedMessage message) override {
    outgoing_.push_back(std::move(message));
    if (outgoing_.size() == 1) write();
  }
  std::size_t waiting() const override { return outgoing_.size(); }
  void hang_up() { beast::get_lowest_layer(socket_).close(); }

 private:
  void read() {
    socket_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->end();
      if (!self->socket_.got_text()) return self->refuse(beast::websocket::close_code::unknown_data);
      const std::string text = beast::buffers_to_string(self->incoming_.data());
      self->incoming_.consume(self->incoming_.size());
      self->machine_.audience_->hear(*self, text);
      self->read();
    });
  }

  void refuse(beast::websocket::close_code code) {
    machine_.leave(this);
    socket_.async_close(code, [self = shared_from_this()](error_code) {});
  }

  void write() {
    socket_.binary(true);
    socket_.async_write(asio::buffer(*outgoing_.front()), [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->end();
      self->outgoing_.pop_front();
      if (!self->outgoing_.empty()) self->write();
    });
  }

  void end() { machine_.leave(this); }

  Machine& machine_;
  beast::websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer incoming_;
  std::deque<SharedMessage> outgoing_;  // the first is being written
};

// One HTTP request and its answer.
class ViewServer::Machine::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Machine& machine, Tcp::socket socket, bool one_too_many)
      : machine_(machine), stream_(std::move(socket)), one_too_many_(one_too_many) {
    ++machine_.connections_;
    parser_.header_limit(kMostHeaderBytes);
    parser_.body_limit(1);
  }
  ~Connection() { --machine_.connections_; }

  void start() {
    stream_.expires_after(kHandshake);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error == http::error::end_of_stream || (error && error.category() == asio::error::get_system_category()))
        return;
      if (error == beast::error::timeout) return;
      if (error) return self->answer({400, false, {}, "This is not an HTTP request that is understood here."});
      self->handle();
    });
  }

 private:
  void handle() {
    if (one_too_many_) return answer({503, false, {}, "Too many look on already."});
    const auto& request = parser_.get();
    const auto view = [](beast::string_view text) { return std::string_view(text.data(), text.size()); };
    HttpRequestWords words;
    words.method = view(request.method_string());
    words.target = view(request.target());
    for (const auto& field : request) {
      if (field.name() == http::field::host) words.hosts.push_back(view(field.value()));
      if (field.name() == http::field::origin) words.origins.push_back(view(field.value()));
    }
    words.upgrade = beast::websocket::is_upgrade(request);
    words.subprotocols = view(request[http::field::sec_websocket_protocol]);
    const HttpAnswer decided = machine_.admission_->decide(words);
    if (!decided.web_socket) return answer(decided);
    std::make_shared<Viewer>(machine_, std::move(stream_))->start(request);
  }

  void answer(const HttpAnswer& decided) {
    response_.version(11);
    response_.result(static_cast<unsigned>(decided.status));
    response_.keep_alive(false);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Content-Security-Policy", kContentPolicy);
    const auto file = find_page_file(decided.file);
    response_.set(http::field::content_type, std::string(file ? file->type : "text/plain; charset=utf-8"));
    response_.body() = file ? std::string(file->content) : decided.text + "\n";
    response_.prepare_payload();
    stream_.expires_after(kHandshake);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    });
  }

  Machine& machine_;
  beast::tcp_stream stream_;
  bool one_too_many_;
  beast::flat_buffer buffer_{kMostHeaderBytes};
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
};

ViewServer::Machine::Machine(const ViewServerOptions& options) {
  const Tcp::endpoint endpoint = find_endpoint(context_, options);
  error_code error;
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw InputError(fmt::format("cannot listen at {}: {}{}", text_of(endpoint), error.message(),
                                 error == asio::error::address_in_use
                                     ? "; another program listens there, take another --view-port or 0 for any free one"
                                     : ""));
  const Tcp::endpoint local = acceptor_.local_endpoint();
  const std::string token = local.address().is_loopback() ? std::string() : make_token();
  admission_ = std::make_unique<Admission>(options.host, local.port(), token);
  url_ = fmt::format("http://{}/{}{}", reachable(local), token.empty() ? "" : "?token=", token);
}

void ViewServer::Machine::open(const ViewScene& scene, const ViewPowers& powers, MomentSource& source,
                               SteeringBox& box) {
  DISTAL_ASSERT(!thread_.joinable());
  audience_.emplace(scene, powers, source, box);
  accept();
  asio::post(context_, [this] { take_moment(); });
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] {
    step_back();
    context_.run();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ViewServer::Machine::close() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
  // Handlers that never run keep their viewers alive: these are told now.
  for (const auto& viewer : viewers_) viewer->hang_up();
  viewers_.clear();
  error_code ignored;
  acceptor_.close(ignored);
}

void ViewServer::Machine::announce_moment() {
  wanted_.store(false, std::memory_order_relaxed);
  // One call on its way is enough for any number of moments.
  if (!announced_.exchange(true, std::memory_order_acq_rel)) asio::post(context_, [this] { take_moment(); });
}

void ViewServer::Machine::accept() {
  acceptor_.async_accept([this](error_code error, Tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    // A crowd is told that there are too many, a larger one is not even told.
    if (!error && connections_ < 2 * kMostConnections)
      std::make_shared<Connection>(*this, std::move(socket), connections_ >= kMostConnections)->start();
    if (!error) return accept();
    // No descriptors, perhaps: later.
    retry_.expires_after(kHandshake);
    retry_.async_wait([this](error_code stopped) {
      if (!stopped) accept();
    });
  });
}

void ViewServer::Machine::tick() {
  ticking_ = !viewers_.empty();
  wanted_.store(audience_->tick(), std::memory_order_release);
  if (!ticking_) return;
  next_tick_ = std::max(next_tick_ + kBetweenFrames, asio::steady_timer::clock_type::now() - kMostBehind);
  timer_.expires_at(next_tick_);
  timer_.async_wait([this](error_code error) {
    if (!error) tick();
  });
}

void ViewServer::Machine::take_moment() {
  announced_.store(false, std::memory_order_release);
  audience_->take_moment();
}

void ViewServer::Machine::join(const std::shared_ptr<Viewer>& viewer) {
  viewers_.push_back(viewer);
  viewer_count_.store(viewers_.size(), std::memory_order_relaxed);
  audience_->join(*viewer);
  if (!ticking_) tick();
}

void ViewServer::Machine::leave(const Viewer* viewer) {
  const auto found =
      std::find_if(viewers_.begin(), viewers_.end(), [&](const auto& each) { return each.get() == viewer; });
  if (found == viewers_.end()) return;
  audience_->leave(**found);
  viewers_.erase(found);
  viewer_count_.store(viewers_.size(), std::memory_order_relaxed);
}

ViewServer::ViewServer(const ViewServerOptions& options) : machine_(std::make_unique<Machine>(options)) {}
ViewServer::~ViewServer() = default;
const std::string& ViewServer::url() const { return machine_->url(); }
void ViewServer::open(const ViewScene& scene, const ViewPowers& powers, MomentSource& source, SteeringBox& box) {
  machine_->open(scene, powers, source, box);
}
void ViewServer::close() { machine_->close(); }
bool ViewServer::wants_moment() const { return machine_->wants_moment(); }
void ViewServer::announce_moment() { machine_->announce_moment(); }
std::size_t ViewServer::viewers() const { return machine_->viewers(); }

}  // namespace distal
