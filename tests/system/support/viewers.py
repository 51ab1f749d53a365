"""Viewers of the live page: HTTP and a WebSocket with the standard library alone."""
import base64
import contextlib
import json
import os
import socket
import struct
import subprocess
import time
import urllib.parse

from program import PROGRAM

SCENE, FRAME, NOTE = 1, 2, 3
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
SUBPROTOCOL = "distal.view.1"


@contextlib.contextmanager
def watched(*arguments, port="0", **options):
    """A `distal` that prints the address of its live page; ended with the block. Gives the process and the address."""
    command = [PROGRAM, *map(str, arguments), "--view-port", port]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    try:
        address = process.stdout.readline().strip()
        if not address.startswith("http://"):
            raise AssertionError("no live page: " + process.communicate()[1])
        yield process, address
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)


def get(address, path="/", headers=()):
    """(status, header text, body) of one GET; `headers` replace or add to the usual ones."""
    with connect(address) as connection:
        fields = {"Host": urllib.parse.urlsplit(address).netloc, **dict(headers)}
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items() if value is not None)]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = read_all(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), body


def connect(address):
    parts = urllib.parse.urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=30)


def read_all(connection):
    chunks = []
    while chunk := connection.recv(65536):
        chunks.append(chunk)
    return b"".join(chunks)


def masked(payload):
    key = os.urandom(4)
    return key + bytes(byte ^ key[i % 4] for i, byte in enumerate(payload))


def web_socket_frame(payload, code=TEXT, final=True, mask=True):
    size, bit = len(payload), 0x80 if mask else 0
    head = bytes([code | (0x80 if final else 0)])
    if size < 126:
        head += bytes([bit | size])
    elif size < 65536:
        head += struct.pack(">BH", bit | 126, size)
    else:
        head += struct.pack(">BQ", bit | 127, size)
    return head + (masked(payload) if mask else payload)


class Message:
    """A message to the page: `type`, `head` (its JSON) and its arrays."""

    def __init__(self, payload):
        self.type, size = struct.unpack_from("<II", payload)
        self.head = json.loads(payload[8:8 + size])
        self.data, self.size = payload[8 + size:], len(payload)

    def array(self, place, kind):
        """`kind` as in the module struct: I, H, f."""
        return struct.unpack_from(f"<{place['count']}{kind}", self.data, place["at"])


class Refused(Exception):
    """`status` is that of the HTTP answer."""

    def __init__(self, status):
        super().__init__(f"refused with {status}")
        self.status = status


class Viewer:
    """One connection. Answers frames with `got` unless told not to."""

    def __init__(self, address, headers=(), polite=True):
        parts = urllib.parse.urlsplit(address)
        self.polite = polite
        self.frames = 0
        self.socket = connect(address)
        fields = {"Host": parts.netloc, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
                  "Sec-WebSocket-Protocol": SUBPROTOCOL, **dict(headers)}
        query = f"?{parts.query}" if parts.query else ""
        lines = [f"GET /ws{query} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items() if value)]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._waiting = b""
        head = self._read_head()
        status = int(head.split()[1])
        if status != 101:
            self.socket.close()
            raise Refused(status)
        if f"Sec-WebSocket-Protocol: {SUBPROTOCOL}" not in head:
            raise AssertionError(head)
        self.scene = self.receive()
        if self.scene.type != SCENE:
            raise AssertionError("the first message is not the scene")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def say(self, kind, **values):
        self.socket.sendall(web_socket_frame(json.dumps({"type": kind, **values}).encode()))

    def receive(self):
        """The next message."""
        payload = b""
        while True:
            code, final, part = self._read_frame()
            if code == PING:
                self.socket.sendall(web_socket_frame(part, PONG))
            elif code == CLOSE:
                raise ConnectionResetError("closed by the program")
            else:
                payload += part
                if final:
                    break
        message = Message(payload)
        if message.type == FRAME:
            self.frames += 1
            if self.polite:
                self.say("got", frame=message.head["frame"])
        return message

    def frame(self, wanted=lambda head: True, timeout_s=60):
        """The next frame whose head is as wanted."""
        end_s = time.monotonic() + timeout_s
        while time.monotonic() < end_s:
            message = self.receive()
            if message.type == FRAME and wanted(message.head):
                return message
        raise AssertionError("no such frame")

    def note(self):
        """The next note."""
        while True:
            message = self.receive()
            if message.type == NOTE:
                return message.head

    def body(self, name):
        return next(i for i, body in enumerate(self.scene.head["bodies"]) if body["name"] == name)

    def _read_head(self):
        while b"\r\n\r\n" not in self._waiting:
            self._fill()
        head, _, self._waiting = self._waiting.partition(b"\r\n\r\n")
        return head.decode()

    def _read_frame(self):
        first, second = self._read(2)
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack(">H", self._read(2))
        elif size == 127:
            size, = struct.unpack(">Q", self._read(8))
        return first & 0x0F, bool(first & 0x80), self._read(size)

    def _read(self, size):
        while len(self._waiting) < size:
            self._fill()
        part, self._waiting = self._waiting[:size], self._waiting[size:]
        return part

    def _fill(self):
        chunk = self.socket.recv(1 << 20)
        if not chunk:
            raise ConnectionResetError("the program has closed the connection")
        self._waiting += chunk
