"""Datagrams that no controller should send, against a plant that a controller holds."""
import pathlib
import random
import socket

from plants import HOST, distal_client, press

BATCH = 100  # before the plant is asked for its counters: so many fit into its socket


def resident_bytes(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def good_messages():
    header = distal_client.HEADER.pack
    step = distal_client.COMMAND.pack(distal_client.WRENCH, 0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    yield header(b"DSTL", 1, distal_client.STEP, 1 << 62, 0.0, 1, 96) + step
    for kind in (distal_client.HELLO, distal_client.RESET, distal_client.STOP):
        yield header(b"DSTL", 1, kind, 1 << 62, 0.0, 0, 32)


def spoiled(random_numbers, good):
    """A good message with a few bytes changed, a part of it, two in one, or noise."""
    message = bytearray(random_numbers.choice(good))
    for _ in range(random_numbers.randrange(4)):
        message[random_numbers.randrange(len(message))] = random_numbers.randrange(256)
    chance = random_numbers.random()
    if chance < 0.2:
        return bytes(message[:random_numbers.randrange(len(message) + 1)])
    if chance < 0.3:
        return bytes(message) + random_numbers.choice(good)
    if chance < 0.4:
        return random_numbers.randbytes(random_numbers.randrange(2000))
    return bytes(message)


def fuzz(test, process, port, packets):
    """`test` is the unittest.TestCase. Others send `packets` datagrams; the controller looks on and then goes on."""
    plant = distal_client.Plant(HOST, port)
    press(plant, 5)
    before = plant.bodies[0]
    random_numbers = random.Random(5)
    good = list(good_messages())
    strangers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(4)]
    for stranger in strangers:
        stranger.connect((HOST, port))
        stranger.setblocking(False)
    first_bytes = None
    for batch in range(packets // BATCH):
        for _ in range(BATCH):
            strangers[random_numbers.randrange(4)].send(spoiled(random_numbers, good))
        # A refused command is answered with the plant's counters, and moves nothing either.
        plant.step([distal_client.wrench(0.0, 0.0, float("nan"))])
        test.assertTrue(plant.status & distal_client.REFUSED)
        test.assertEqual(plant.period, 5)
        if batch == packets // BATCH // 10:
            first_bytes = resident_bytes(process)
        for stranger in strangers:
            drain(stranger)
    counters = plant.counters
    test.assertEqual(counters.received + counters.malformed, 6 + packets + packets // BATCH + counters.repeated)
    test.assertGreater(counters.malformed, packets // 10)
    test.assertEqual(plant.bodies[0], before, "the finger did not move")
    test.assertLess(resident_bytes(process) - first_bytes, 4 << 20, "no growth in memory")
    press(plant, 5)
    test.assertEqual(plant.period, 10)
    plant.stop()
    for stranger in strangers:
        stranger.close()


def drain(stranger):
    try:
        while True:
            stranger.recv(65536)
    except BlockingIOError:
        pass
