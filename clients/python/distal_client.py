"""A client for the plant protocol of Distal: this one file, standard library only. Copy it.

    with Plant("127.0.0.1", 17810) as plant:
        while not plant.done:
            finger = plant.step([wrench(0.0, 0.0, 0.1)])[0]
            print(plant.simulated_s, finger.contact)

docs/reference/plant_protocol.md describes the bytes, docs/guide/connect_your_controller.md the first ten minutes.
"""
import collections
import socket
import struct
import time

VERSION = 1
HELLO, STEP, RESET, STOP, DESCRIPTION, FEEDBACK = 1, 2, 3, 4, 101, 102
WRENCH, TWIST, POSE = 1, 2, 3
LOCK_STEP, REAL_TIME = 1, 2

# Bits of `Plant.status`.
DONE, FAILED, REFUSED, NOT_FINITE, OVER_LIMIT, WRONG_MODE = 1, 2, 4, 8, 16, 32
BUSY, SAY_HELLO, SAFE_ACTION, LAGGING, STOPPED = 64, 128, 256, 512, 1024

HEADER = struct.Struct("<4sHHQdII")  # magic, version, type, sequence, time sent, body count, size
COMMAND = struct.Struct("<II7d")     # mode, reserved, values
PROGRESS = struct.Struct("<QddII6Q")
BODY = struct.Struct("<II31d")
PLANT = struct.Struct("<7dQII")
NAME = struct.Struct("<72sII")

Counters = collections.namedtuple("Counters", "received lost late repeated malformed refused")
# Pose and twist are of the rod end E in the world; wrenches act on the body, at E, along E's axes, force first.
Body = collections.namedtuple("Body", "mode position_m q_xyzw linear_m_s angular_rad_s contact tip sensor")


class Error(RuntimeError):
    """The plant does not answer, or is busy."""


def wrench(fx, fy, fz, tx=0.0, ty=0.0, tz=0.0):
    """Force [N] and torque [N m] on the body, at E, along E's axes."""
    return (WRENCH, fx, fy, fz, tx, ty, tz, 0.0)


def twist(vx, vy, vz, wx=0.0, wy=0.0, wz=0.0):
    """Velocity [m/s] and angular velocity [rad/s] of E in the world."""
    return (TWIST, vx, vy, vz, wx, wy, wz, 0.0)


def pose(position_m, q_xyzw):
    """Where E is to be at the end of the period, in the world."""
    return (POSE, *position_m, *q_xyzw)


class Plant:
    """One controller's line to one plant. A message without an answer is sent again, with the same sequence: the plant
    never steps twice for it. Raises Error when there is no answer for `patience_s`, and when the plant is busy."""

    def __init__(self, host, port, patience_s=10.0):
        family = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0][0]
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.connect((host, port))
        self._patience_s = patience_s
        # Grows over restarts, so that a controller which comes back from the same port is not taken for an old one.
        self._sequence = time.time_ns() // 1000
        try:
            at = self._ask(HELLO)
        except Error:
            self._socket.close()
            raise
        (self.period_s, self.watchdog_s, self.max_force_n, self.max_torque_n_m, self.max_speed_m_s,
         self.max_angular_speed_rad_s, self.duration_s, self.scene_hash, self.clock,
         self.safe_action) = PLANT.unpack_from(self._answer, at)
        records = [NAME.unpack_from(self._answer, at + PLANT.size + b * NAME.size) for b in range(len(self.bodies))]
        self.names = [name.rstrip(b"\0").decode() for name, _, _ in records]
        self.modes = [modes for _, modes, _ in records]  # bit 0: wrench, bit 1: twist, bit 2: pose

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def step(self, commands):
        """One command per body, held for one control period; returns the bodies at its end. Look at `status` too."""
        if len(commands) != len(self.bodies):
            raise Error(f"step: {len(commands)} commands for {len(self.bodies)} bodies")
        self._ask(STEP, b"".join(COMMAND.pack(mode, 0, *values) for mode, *values in commands), len(commands))
        return self.bodies

    def reset(self):
        """Back to the first state."""
        self._ask(RESET)
        return self.bodies

    def stop(self):
        """Gives the plant back. No answer is no fault: it may have gone after the first of our messages."""
        if self._socket.fileno() < 0:
            return  # a second time
        self._patience_s = 0.2
        try:
            self._ask(STOP)
        except Error:
            pass
        self._socket.close()

    @property
    def done(self):
        return bool(self.status & (DONE | FAILED))

    def _ask(self, kind, commands=b"", count=0):
        self._sequence += 1
        start_s, wait_s = time.monotonic(), 0.02
        message = HEADER.pack(b"DSTL", VERSION, kind, self._sequence, start_s, count, HEADER.size + len(commands))
        while time.monotonic() - start_s < self._patience_s:
            try:
                self._socket.send(message + commands)
            except OSError:
                pass  # a failure is a loss
            if self._wait_for(DESCRIPTION if kind == HELLO else FEEDBACK, wait_s):
                return self._read()
            wait_s = min(2.0 * wait_s, 0.32)
        raise Error("the plant does not answer; is `distal serve` running at this address?")

    def _wait_for(self, kind, wait_s):
        """True when the answer to our newest message is in _answer."""
        until_s = time.monotonic() + wait_s
        while (left_s := until_s - time.monotonic()) > 0.0:
            self._socket.settimeout(left_s)
            try:
                self._answer = self._socket.recv(65536)
            except ConnectionRefusedError:
                time.sleep(0.01)  # nobody listens there yet
                continue
            except OSError:
                continue
            if len(self._answer) < HEADER.size + PROGRESS.size:
                continue
            magic, version, found, sequence, _, _, size = HEADER.unpack_from(self._answer)
            if (magic, version, found, sequence, size) == (b"DSTL", VERSION, kind, self._sequence, len(self._answer)):
                return True
        return False

    def _read(self):
        """Takes the answer in; returns where the bodies end."""
        count, at = HEADER.unpack_from(self._answer)[5], HEADER.size
        (self.period, self.simulated_s, self.lag_s, self.status, self.episode,
         *counters) = PROGRESS.unpack_from(self._answer, at)
        self.counters = Counters(*counters)
        at += PROGRESS.size
        self.bodies = []
        for _ in range(count):
            mode, _, *v = BODY.unpack_from(self._answer, at)
            self.bodies.append(Body(mode, v[0:3], v[3:7], v[7:10], v[10:13], v[13:19], v[19:25], v[25:31]))
            at += BODY.size
        if self.status & BUSY:
            raise Error("the plant is busy with another controller")
        if self.status & SAY_HELLO:
            raise Error("the plant has given our place away, or was restarted: connect again")
        return at
