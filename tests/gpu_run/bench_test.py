#!/usr/bin/env python3
"""cuda_bench on the emulated GPU: every case comes to a rate, its lines are complete, and its exit codes are as told.

  bench_test.py --program CUDA_BENCH_ON_EMULATED_GPU      figures mean nothing here"""
import argparse, json, os, pathlib, subprocess, sys, unittest

root = pathlib.Path(__file__).resolve().parent.parent.parent
SELENE = root.parent / "shared/data/public/real-selene-compute/minhop"
program = None


def run(*words, **environment):
    kept = {name: value for name, value in os.environ.items() if name != "TAILBACK_EMULATED_GPU_BREAKS_AT"}
    if SELENE.is_dir():
        kept.setdefault("TAILBACK_SELENE", str(SELENE))
    return subprocess.run([program, *words], capture_output=True, text=True, env={**kept, **environment}, timeout=250)


def cases_of(text):
    """Lines of each case, between its begin and its end; an error where one lacks either."""
    cases, name = {}, None
    for line in map(json.loads, text.splitlines()):
        if line["type"] == "begin":
            assert name is None and line["case"] not in cases, line
            name = line["case"]
            cases[name] = []
        elif line["type"] == "end":
            assert line["case"] == name, line
            name = None
        else:
            assert name is not None, line
            cases[name].append(line)
    assert name is None, f"{name} has no end"
    return cases


class BenchTest(unittest.TestCase):
    def test_every_case_comes_to_a_rate(self):
        names = run("--list").stdout.split()
        self.assertGreater(len(names), 30)
        ran = run("--small", "--seconds", "0", "--windows", "1")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout[-2000:])
        cases = cases_of(ran.stdout)
        self.assertEqual(list(cases), names)
        for name, lines in cases.items():
            skipped = [line["skipped"] for line in lines if "skipped" in line]
            if name.startswith("selene/") and skipped:
                self.assertIn("TAILBACK_SELENE", skipped[0])
                self.assertFalse(SELENE.is_dir() or "TAILBACK_SELENE" in os.environ, name)
                continue
            self.assertEqual(skipped, [], name)
            self.assertTrue(lines, name)
            for line in lines:
                self.assertGreater(line["rate"]["median"], 0, line)
                self.assertIs(line.get("verified", True), True, line)
                self.assertNotIn("error", line)

    def test_bad_options(self):
        for words in (["--tea"], ["tea"], ["--seconds", "-1"], ["--windows", "x"], ["--cases", "("], ["--after", "x"]):
            ran = run(*words)
            self.assertEqual((ran.returncode, ran.stdout, len(ran.stderr.splitlines())), (2, "", 1), words)

    def test_a_device_that_breaks(self):
        ran = run("--small", "--seconds", "0", "--windows", "1", "--no-cpu", TAILBACK_EMULATED_GPU_BREAKS_AT="200")
        self.assertEqual(ran.returncode, 3, ran.stderr)
        lines = list(cases_of(ran.stdout).values())
        self.assertGreater(len(lines), 1)
        self.assertIn("broken on purpose", lines[-1][-1]["error"])
        for before in lines[:-1]:
            self.assertGreater(before[0]["rate"]["median"], 0)

    def test_no_device(self):
        ran = run(TAILBACK_EMULATED_GPU_BREAKS_AT="1")
        self.assertEqual((ran.returncode, ran.stdout), (4, ""))
        self.assertRegex(ran.stderr, "^nothing measured: no CUDA device")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options, rest = parser.parse_known_args()
    program = options.program
    unittest.main(argv=[sys.argv[0], *rest])
