"""Plants that listen, controllers, and a bad network between them."""
import contextlib
import heapq
import os
import pathlib
import random
import select
import socket
import struct
import subprocess
import sys
import threading
import time

from program import PROGRAM, SOURCE

sys.path.insert(0, str(SOURCE / "clients" / "python"))
import distal_client  # noqa: E402

EXAMPLES = pathlib.Path(PROGRAM).parent / "examples"
HOST = "127.0.0.1"


@contextlib.contextmanager
def listening(*command, environment=None):
    """A process that prints where it listens; ended with the block. Gives the process and the port."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **(environment or {})})
    try:
        address = process.stdout.readline().strip()
        if ":" not in address:
            raise AssertionError("the plant does not listen: " + process.communicate()[1])
        yield process, int(address.rpartition(":")[2])
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)


def serving(*arguments):
    """`distal serve` at a free port."""
    return listening(PROGRAM, "serve", *arguments, "--port", "0")


def press(plant, periods):
    """Lets the finger of `press` down with a spring and a damper."""
    wanted_m = plant.bodies[0].position_m[2]
    for _ in range(periods):
        finger = plant.bodies[0]
        wanted_m -= 0.02 * plant.period_s
        up_n = 0.22 + 50.0 * (wanted_m - finger.position_m[2]) - 1.0 * finger.linear_m_s[2]
        plant.step([distal_client.wrench(0.0, 0.0, -up_n)])
        if plant.status & (distal_client.REFUSED | distal_client.FAILED):
            raise AssertionError(f"status {plant.status:b}")


class BadNetwork:
    """Carries datagrams between one client and a plant, and loses, doubles and reorders a share of them each way.
    `delivered` is what reached the plant: (type, sequence) in order."""

    def __init__(self, port, seed, share=0.05):
        self.delivered = []
        self.lost = self.doubled = self.delayed = 0
        self._random, self._share = random.Random(seed), share
        self._client, self._waiting, self._count = None, [], 0
        self._near, self._far = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self._near.bind((HOST, 0))
        self._far.connect((HOST, port))
        self.port = self._near.getsockname()[1]
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()

    def close(self):
        self._end.set()
        self._thread.join()
        self._near.close()
        self._far.close()

    def _carry(self):
        while not self._end.is_set() or self._waiting:
            ready, _, _ = select.select([self._near, self._far], [], [], 0.001)
            for side in ready:
                with contextlib.suppress(ConnectionRefusedError):
                    message, sender = side.recvfrom(65536)
                    if side is self._near:
                        self._client = sender
                    self._accept(message, side is self._near)
            while self._waiting and self._waiting[0][0] <= time.monotonic():
                self._deliver(*heapq.heappop(self._waiting)[2:])

    def _accept(self, message, to_plant):
        chance = self._random.random()
        if chance < self._share:
            self.lost += 1
            return
        now_s = time.monotonic()
        due_s = [now_s]
        if chance < 2.0 * self._share:
            self.doubled += 1
            due_s.append(now_s + self._random.uniform(0.0, 0.05))
        elif chance < 3.0 * self._share:
            self.delayed += 1
            due_s = [now_s + self._random.uniform(0.01, 0.05)]
        for due in due_s:
            self._count += 1
            heapq.heappush(self._waiting, (due, self._count, message, to_plant))

    def _deliver(self, message, to_plant):
        with contextlib.suppress(ConnectionRefusedError):
            if to_plant:
                self.delivered.append(struct.unpack_from("<HQ", message, 6))
                self._far.send(message)
            else:
                self._near.sendto(message, self._client)


def expected_counters(delivered):
    """(received, lost, late, repeated) by the rules of docs/reference/plant_protocol.md."""
    newest = lost = late = repeated = 0
    for kind, sequence in delivered:
        if kind == distal_client.HELLO:
            newest = max(newest, sequence)
        elif sequence < newest:
            late += 1
        elif sequence == newest:
            repeated += 1
        else:
            lost += sequence - newest - 1
            newest = sequence
    return len(delivered), lost, late, repeated
