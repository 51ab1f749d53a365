"""HTTP and WebSocket inputs that no page should send."""
import json
import os
import random
import socket

from fuzz import resident_bytes
from program import COARSE, overrides
from viewers import SUBPROTOCOL, Viewer, connect, get, watched, web_socket_frame

SCENE = ["press", *COARSE, *overrides(body__finger__position_m="[0.0, 0.0, 0.0101]", run__duration_s=1000)]
BETWEEN_CHECKS = 500
MESSAGES_EACH = 20  # on one WebSocket
MESSAGES = [{"type": "got", "frame": 3}, {"type": "show", "roles": ["surface"], "colour": "none", "contacts": True},
            {"type": "pause"}, {"type": "resume"}, {"type": "step"}, {"type": "speed", "value": 0.5}, {"type": "reset"},
            {"type": "grab", "body": 0, "point_m": [0.0, 0.0, 0.05]}, {"type": "drag", "target_m": [0.0, 0.0, 0.1]},
            {"type": "release"}, {"type": "give_back", "body": 0}, {"type": "push", "position_m": [0.02, 0.0, 0.01]},
            {"type": "push_end"}, {"type": "seek", "time_s": 0.3}]
VALUES = [None, True, -1, 0, 1e308, -1e-300, 2 ** 70, "", "x" * 300, [], {}, [1, 2], [1e99, 0, 0], ["surface"] * 50]


class Fuzzer:
    def __init__(self, address, seed):
        self.random = random.Random(seed)
        self.address = address
        host = address[len("http://"):].rstrip("/")
        self.requests = [
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode() for path in ("/", "/app.js", "/ws", "/?a=b")
            for more in ("", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         f"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n",
                         "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n")]

    def spoiled(self, message):
        message = bytearray(message)
        for _ in range(self.random.randrange(4)):
            message[self.random.randrange(len(message))] = self.random.randrange(256)
        chance = self.random.random()
        if chance < 0.2:
            return bytes(message[:self.random.randrange(len(message) + 1)])
        if chance < 0.3:
            return bytes(message) + self.random.randbytes(self.random.randrange(300))
        if chance < 0.4:
            return self.random.randbytes(self.random.randrange(1000))
        if chance < 0.45:
            at = self.random.randrange(len(message))
            return bytes(message[:at]) + b"A" * self.random.randrange(20000) + bytes(message[at:])
        return bytes(message)

    def request(self):
        """One connection with one HTTP request that is mostly wrong."""
        with connect(self.address) as connection:
            try:
                connection.sendall(self.spoiled(self.random.choice(self.requests)))
                connection.settimeout(0.002)
                connection.recv(4096)
            except (TimeoutError, ConnectionError):
                pass

    def text(self):
        message = dict(self.random.choice(MESSAGES))
        if self.random.random() < 0.5:
            message[self.random.choice(list(message))] = self.random.choice(VALUES)
        text = json.dumps(message).encode()
        return text if self.random.random() < 0.5 else self.spoiled(text)

    def frame(self):
        chance = self.random.random()
        if chance < 0.6:
            return web_socket_frame(self.text())
        if chance < 0.8:
            return self.spoiled(web_socket_frame(self.text()))
        return web_socket_frame(self.text()[:120], code=self.random.randrange(16), final=self.random.random() < 0.5,
                                mask=self.random.random() < 0.9)

    def conversation(self):
        """A good WebSocket on which wrong things are said. Gives how many."""
        try:
            with Viewer(self.address, polite=False) as viewer:
                for said in range(MESSAGES_EACH):
                    viewer.socket.sendall(self.frame())
        except (ConnectionError, socket.timeout):
            return said + 1
        return MESSAGES_EACH


def check_alive(test, address):
    """The program still serves, and the scene still moves."""
    end = 100
    while get(address)[0] != 200:  # connections that were left may still be counted
        end -= 1
        test.assertGreater(end, 0)
    with Viewer(address) as viewer:
        viewer.say("pause")
        viewer.say("reset")
        viewer.frame(lambda head: head["time_s"] == 0.0 and head["status"] in ("paused", "running"))
        viewer.say("speed", value=1)
        viewer.say("resume")
        viewer.frame(lambda head: head["time_s"] > 0.0 and head["status"] == "running")


def fuzz_view(test, inputs):
    """`test` is the unittest.TestCase."""
    # The address sanitizer keeps what is freed for a while: less of it, so that growth would show.
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
    environment = {**os.environ, "ASAN_OPTIONS": options}
    with watched("view", *SCENE, "--quiet", env=environment) as (process, address):
        fuzzer, done, first_bytes, next_check = Fuzzer(address, 11), 0, None, 0
        while done < inputs:
            if done >= next_check:
                next_check += BETWEEN_CHECKS
                check_alive(test, address)
                if first_bytes is None and done >= inputs // 5:
                    first_bytes = resident_bytes(process)
            if fuzzer.random.random() < 0.1:
                done += fuzzer.conversation()
            else:
                fuzzer.request()
                done += 1
        check_alive(test, address)
        test.assertIsNone(process.poll())
        test.assertLess(resident_bytes(process) - first_bytes, 8 << 20, "no growth in memory")
        process.terminate()
        test.assertEqual(process.wait(timeout=60), 0)
