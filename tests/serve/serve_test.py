"""A test that a server runs ends, says and finds what it would by itself (client.cpp, main.cpp).

    serve_test.py CLIENT BINARY      BINARY: of served_example.cpp

Definitions: what a test says and how it ends is the same with and without a client. A test ends with its client, a
server with its owner. A binary that was replaced, another environment, another folder have servers of their own.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

CLIENT, BINARY = (os.path.abspath(word) for word in sys.argv[1:3])
MARK = b"--serve-tests="


def words_of(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def lives(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def servers(binary):
    """The server of a binary, and those of its tests that run."""
    found = []
    for name in os.listdir("/proc"):
        words = words_of(name) if name.isdigit() else []
        if len(words) > 1 and words[0] == binary.encode() and words[1].startswith(MARK) and lives(name):
            found.append(int(name))
    return found


def becomes_true(question, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if question():
            return True
        time.sleep(0.02)
    return False


class Served(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.binary = os.path.join(self.folder.name, "example")
        shutil.copy(BINARY, self.binary)

    def tearDown(self):
        for process in servers(self.binary):
            os.kill(process, signal.SIGKILL)
        self.folder.cleanup()

    def run_test(self, name, served=True, **more):
        words = [CLIENT] * served + [self.binary, f"--gtest_filter={name}", "--gtest_also_run_disabled_tests"]
        return subprocess.run(words, capture_output=True, text=True, timeout=120, **{"input": "", **more})

    @staticmethod
    def told(done, what):
        return re.findall(rf"^{what} (.*)$", done.stdout, re.M)

    def test_ends_and_output_are_those_of_the_binary_itself(self):
        def without_times(text):
            return re.sub(r"\(\d+ ms( total)?\)", "", text)

        for name in ["Example.Passes", "Example.Fails", "Example.Skips", "Example.IsKilled", "Example.Crashes",
                     "Example.Exits", "No.Such", "Example/Numbered.IsKnown/1"]:
            with self.subTest(name):
                alone, done = self.run_test(name, served=False), self.run_test(name)
                self.assertEqual(done.returncode, alone.returncode)
                self.assertEqual(without_times(done.stdout), without_times(alone.stdout))
                self.assertEqual(done.stderr, alone.stderr)
        self.assertEqual(self.run_test("Example.IsKilled").returncode, -signal.SIGKILL)
        self.assertEqual(self.run_test("Example.Exits").returncode, 77)
        self.assertEqual(len(servers(self.binary)), 1)  # which crashes of its tests did not end

    def test_streams_variables_and_folder_are_the_clients(self):
        for variable in ["one", "two"]:
            with self.subTest(variable), tempfile.TemporaryDirectory() as folder:
                done = self.run_test("Example.Tells", input="a line\n", cwd=folder,
                                     env={**os.environ, "SERVED_EXAMPLE": variable})
                self.assertEqual(self.told(done, "variable"), [variable])
                self.assertEqual(self.told(done, "folder"), [os.path.realpath(folder)])
                self.assertEqual(self.told(done, "input"), ["a line"])
                self.assertEqual(sorted(self.told(done, "open")), ["0", "1", "2"])
                self.assertEqual(done.stderr, "to errors\n")

    def test_tests_are_processes_of_one_server(self):
        told = [self.told(self.run_test("Example.Tells"), "process")[0].split(" of ") for _ in range(3)]
        self.assertEqual(len({process for process, _ in told}), 3)
        self.assertEqual({int(server) for _, server in told}, set(servers(self.binary)))

    def test_tests_at_once_have_one_server(self):
        words = [CLIENT, self.binary, "--gtest_filter=Example.Waits"]
        clients = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        tests = []
        for client in clients:
            for line in client.stdout:
                if line.startswith("waits "):
                    tests.append(int(line.split()[1]))
                    break
        self.assertEqual(len(set(tests)), 4)
        self.assertEqual(len(set(servers(self.binary)) - set(tests)), 1)
        for client, end in zip(clients, [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGKILL]):
            client.send_signal(end)
            self.assertEqual(client.wait(), -end)
            client.stdout.close()
        for test in tests:
            self.assertTrue(becomes_true(lambda: not lives(test)), "a test outlived its client")

    def test_a_replaced_binary_has_a_server_of_its_own(self):
        first = self.told(self.run_test("Example.Tells"), "process")[0].split(" of ")[1]
        os.remove(self.binary)
        shutil.copy(BINARY, self.binary)
        second = self.told(self.run_test("Example.Tells"), "process")[0].split(" of ")[1]
        self.assertNotEqual(first, second)

    def test_a_server_and_its_tests_end_with_their_owner(self):
        for end in [signal.SIGTERM, signal.SIGKILL]:
            with self.subTest(end):
                shell = f"'{CLIENT}' '{self.binary}' --gtest_filter=Example.Waits & wait"
                owner = subprocess.Popen(["sh", "-c", shell], stdout=subprocess.PIPE, text=True)
                test = next(int(line.split()[1]) for line in owner.stdout if line.startswith("waits "))
                self.assertTrue(lives(test))
                owner.send_signal(end)
                owner.wait()
                owner.stdout.close()
                self.assertTrue(becomes_true(lambda: not servers(self.binary) and not lives(test)))

    def test_a_server_that_is_killed_is_no_end_of_tests(self):
        self.run_test("Example.Passes")
        for process in servers(self.binary):
            os.kill(process, signal.SIGKILL)
        done = self.run_test("Example.Passes")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_binary_that_cannot_serve_runs_its_test_itself(self):
        with open(self.binary, "w") as file:
            file.write('#!/bin/sh\necho "$@" >>"$0.calls"\necho ran\n')
        self.assertEqual(self.run_test("Example.Passes").stdout, "ran\n")
        with open(self.binary + ".calls") as file:
            calls = file.read().splitlines()
        self.assertIn("--gtest_filter=Example.Passes --gtest_also_run_disabled_tests", calls)
        self.assertTrue(all("--gtest_filter=-*" in call for call in calls if MARK.decode() in call))

    def test_lists_and_missing_binaries_need_no_server(self):
        listed = subprocess.run([CLIENT, self.binary, "--gtest_list_tests"], capture_output=True, text=True)
        self.assertIn("  IsKilled\n", listed.stdout)
        self.assertEqual(servers(self.binary), [])
        none = subprocess.run([CLIENT, self.binary + "-not", "--gtest_filter=A.B"], capture_output=True, text=True)
        self.assertEqual(none.returncode, 127)
        self.assertIn("No such file", none.stderr)


def can_serve():
    """Where the kernel has no pidfd_open or no abstract sockets, clients run the binary themselves."""
    try:
        os.close(os.pidfd_open(os.getpid()))
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as one:
            one.bind(b"\0tailback-serve-test-%d" % os.getpid())
    except (OSError, AttributeError):
        return False
    return True


if __name__ == "__main__":
    if not can_serve():
        print("skipped: there is no pidfd_open, or there are no abstract sockets")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
