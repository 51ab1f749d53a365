"""Datagrams that no controller should send, against a plant that a controller holds."""
import pathlib
import random
import socket

from plants import HOST, distal_client, press

BATCH = 100  # before the plant is asked for its counters: so many fit into its socket


def resident_bytes(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def good_messages(bodies, joints):
    header = distal_client.HEADER.pack
    step = bodies * distal_client.COMMAND.pack(distal_client.WRENCH, 0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    turn = joints * distal_client.JOINT_COMMAND.pack(distal_client.JOINT_TORQUE, 0, 1.0, 0.0)
    for more, commands in ((0, step), (distal_client.WITH_JOINTS, step + turn)):
        yield header(b"DSTL", 1, distal_client.STEP + more, 1 << 62, 0.0, bodies, 32 + len(commands)) + commands
        for kind in (distal_client.HELLO, distal_client.RESET, distal_client.STOP):
            yield header(b"DSTL", 1, kind + more, 1 << 62, 0.0, 0, 32)


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


def go_on(plant):
    """Five periods: a finger is let down, a gripper closed."""
    if not plant.joints:
        return press(plant, 5)
    for _ in range(5):
        plant.step(joints={"hand/left": distal_client.joint_position(0.035)})


def fuzz(test, process, port, packets):
    """`test` is the unittest.TestCase. Others send `packets` datagrams; the controller looks on and then goes on."""
    plant = distal_client.Plant(HOST, port)
    go_on(plant)
    before = (plant.bodies, plant.joints)
    random_numbers = random.Random(5)
    good = list(good_messages(len(plant.bodies), len(plant.joints)))
    strangers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(4)]
    for stranger in strangers:
        stranger.connect((HOST, port))
        stranger.setblocking(False)
    first_bytes = None
    for batch in range(packets // BATCH):
        for _ in range(BATCH):
            strangers[random_numbers.randrange(4)].send(spoiled(random_numbers, good))
        # A refused command is answered with the plant's counters, and moves nothing either.
        plant.step({plant.names[0]: distal_client.wrench(0.0, 0.0, float("nan"))})
        test.assertTrue(plant.status & distal_client.REFUSED)
        test.assertEqual(plant.period, 5)
        if batch == packets // BATCH // 10:
            first_bytes = resident_bytes(process)
        for stranger in strangers:
            drain(stranger)
    counters = plant.counters
    hellos = 2 if plant.joints else 1
    test.assertEqual(counters.received + counters.malformed, hellos + 5 + packets + packets // BATCH + counters.repeated)
    test.assertGreater(counters.malformed, packets // 10)
    test.assertEqual((plant.bodies, plant.joints), before, "nothing moved")
    test.assertLess(resident_bytes(process) - first_bytes, 4 << 20, "no growth in memory")
    go_on(plant)
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
