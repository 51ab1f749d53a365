"""A client for the plant protocol of Distal: this one file, standard library only. Copy it.

    with Plant("127.0.0.1", 17810) as plant:
        while not plant.done:
            finger = plant.step([wrench(0.0, 0.0, 0.1)])[0]
            print(plant.simulated_s, finger.contact)

A hand is commanded joint by joint: plant.step(joints={"hand/left": joint_position(0.02)}).

docs/reference/plant_protocol.md describes the bytes, docs/guide/connect_your_controller.md the first ten minutes.
"""
import collections
import difflib
import socket
import struct
import time

VERSION = 1
HELLO, STEP, RESET, STOP, DESCRIPTION, FEEDBACK = 1, 2, 3, 4, 101, 102
WITH_JOINTS = 16  # added to any type: the same message, with a record of every joint behind its end; so is the answer
WRENCH, TWIST, POSE = 1, 2, 3
OWN, JOINT_TORQUE, JOINT_POSITION = 1, 2, 3
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
JOINT_COMMAND = struct.Struct("<II2d")  # mode, reserved, value, rate
JOINT = struct.Struct("<II3d")
JOINT_NAME = struct.Struct("<72sII5dII")

Counters = collections.namedtuple("Counters", "received lost late repeated malformed refused")
# Pose and twist are of the rod end E in the world; wrenches act on the body, at E, along E's axes, force first.
Body = collections.namedtuple("Body", "mode position_m q_xyzw linear_m_s angular_rad_s contact tip sensor")

# Radians and newton metres, or metres and newtons; `effort` is of the motor, `limited` where it gives all that it can.
Joint = collections.namedtuple("Joint", "mode limited position velocity effort")
# `modes`: bit 0: own, bit 1: joint_torque, bit 2: joint_position; `body`: index of what it moves; `follows`: another
# joint, counted from 1, or 0.
JointDescription = collections.namedtuple(
    "JointDescription", "name turns modes lower upper most_effort motor_stiffness motor_damping body follows")


class Error(RuntimeError):
    """The plant does not answer, or is busy; or a name that it does not have."""


def wrench(fx, fy, fz, tx=0.0, ty=0.0, tz=0.0):
    """Force [N] and torque [N m] on the body, at E, along E's axes."""
    return (WRENCH, fx, fy, fz, tx, ty, tz, 0.0)


def twist(vx, vy, vz, wx=0.0, wy=0.0, wz=0.0):
    """Velocity [m/s] and angular velocity [rad/s] of E in the world."""
    return (TWIST, vx, vy, vz, wx, wy, wz, 0.0)


def pose(position_m, q_xyzw):
    """Where E is to be at the end of the period, in the world."""
    return (POSE, *position_m, *q_xyzw)


def joint_own():
    """The joint's own motor and path, as the scene has them."""
    return (OWN, 0.0, 0.0)


def joint_torque(n_m):
    """Torque [N m] or force [N] of the joint's motor, which gives at most what it can."""
    return (JOINT_TORQUE, n_m, 0.0)


def joint_position(rad, rate_rad_s=0.0):
    """Where the joint is to be at the end of the period [rad] or [m], and how fast that target moves."""
    return (JOINT_POSITION, rad, rate_rad_s)


class Plant:
    """One controller's line to one plant. A message without an answer is sent again, with the same sequence: the plant
    never steps twice for it. Raises Error when there is no answer for `patience_s`, and when the plant is busy."""

    def __init__(self, host, port, patience_s=10.0):
        family = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0][0]
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.connect((host, port))
        self._patience_s = patience_s
        self._with_joints = 0
        # Grows over restarts, so that a controller which comes back from the same port is not taken for an old one.
        self._sequence = time.time_ns() // 1000
        try:
            self._read_description(self._ask(HELLO))
        except Error:
            self._socket.close()
            raise

    def _read_description(self, at):
        (self.period_s, self.watchdog_s, self.max_force_n, self.max_torque_n_m, self.max_speed_m_s,
         self.max_angular_speed_rad_s, self.duration_s, self.scene_hash, self.clock,
         self.safe_action) = PLANT.unpack_from(self._answer, at)
        records = [NAME.unpack_from(self._answer, at + PLANT.size + b * NAME.size) for b in range(len(self.bodies))]
        self.names = [name.rstrip(b"\0").decode() for name, _, _ in records]
        self.modes = [modes for _, modes, _ in records]  # bit 0: wrench, bit 1: twist, bit 2: pose
        self.joint_descriptions = []
        if any(joint for _, _, joint in records):
            self._ask_for_joints()
        self.joint_names = [joint.name for joint in self.joint_descriptions]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def step(self, commands=None, joints=None):
        """Commands of bodies and of joints, held for one control period; returns the bodies at its end. Look at `status`
        and `joints` too. Each is a list with one command for every one, or a dictionary by name; what is not named is
        left alone: no wrench, its own motor."""
        commands = self._in_order("body", commands, self.names, wrench(0.0, 0.0, 0.0))
        joints = self._in_order("joint", joints, self.joint_names, joint_own())
        self._ask(STEP, b"".join(COMMAND.pack(mode, 0, *values) for mode, *values in commands) +
                  b"".join(JOINT_COMMAND.pack(mode, 0, *values) for mode, *values in joints), len(commands))
        return self.bodies

    def body(self, name):
        """The newest feedback of one body."""
        return self.bodies[_find("body", name, self.names)]

    def joint(self, name):
        """The newest feedback of one joint."""
        return self.joints[_find("joint", name, self.joint_names)]

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

    @staticmethod
    def _in_order(what, commands, names, nothing):
        if commands is None:
            return [nothing] * len(names)
        if isinstance(commands, dict):
            ordered = [nothing] * len(names)
            for name, command in commands.items():
                ordered[_find(what, name, names)] = command
            return ordered
        if len(commands) != len(names):
            raise Error(f"step: {len(commands)} commands, there are {len(names)}: one {what} each")
        return commands

    def _ask_for_joints(self):
        """All that follows is about joints too."""
        self._with_joints = WITH_JOINTS
        at = self._ask(HELLO) + PLANT.size + len(self.bodies) * NAME.size
        count = (len(self._answer) - at) // (JOINT.size + JOINT_NAME.size)
        for j in range(count):
            name, kind, *rest = JOINT_NAME.unpack_from(self._answer, at + count * JOINT.size + j * JOINT_NAME.size)
            self.joint_descriptions.append(JointDescription(name.rstrip(b"\0").decode(), kind == 1, *rest))

    def _ask(self, kind, commands=b"", count=0):
        self._sequence += 1
        start_s, wait_s = time.monotonic(), 0.02
        message = HEADER.pack(b"DSTL", VERSION, kind + self._with_joints, self._sequence, start_s, count, HEADER.size + len(commands))
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
            if (magic, version, found, sequence, size) == (b"DSTL", VERSION, kind + self._with_joints, self._sequence,
                                                           len(self._answer)):
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
        self._read_joints(at)
        if self.status & BUSY:
            raise Error("the plant is busy with another controller")
        if self.status & SAY_HELLO:
            raise Error("the plant has given our place away, or was restarted: connect again")
        return at

    def _read_joints(self, bodies_end):
        """They stand behind the plain message."""
        self.joints = []
        if not self._with_joints:
            return
        at, each = bodies_end, JOINT.size
        if HEADER.unpack_from(self._answer)[2] == DESCRIPTION + WITH_JOINTS:
            at += PLANT.size + len(self.bodies) * NAME.size
            each += JOINT_NAME.size
        for j in range((len(self._answer) - at) // each):
            mode, limited, *values = JOINT.unpack_from(self._answer, at + j * JOINT.size)
            self.joints.append(Joint(mode, bool(limited), *values))


def _find(what, name, names):
    if name in names:
        return names.index(name)
    near = difflib.get_close_matches(name, names, 1)
    raise Error(f"the plant has no {what} '{name}'" + (f"; did you mean '{near[0]}'?" if near else f": {names}"))
