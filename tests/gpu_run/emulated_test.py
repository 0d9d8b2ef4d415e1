#!/usr/bin/env python3
"""scripts/gpu/run over the real programs on the emulated GPU. What may go wrong otherwise is in run_test.py.

  emulated_test.py --programs FOLDER      of the emulated programs: those of a build"""
import argparse, json, os, pathlib, shutil, subprocess, sys, tempfile, unittest

root = pathlib.Path(__file__).resolve().parent.parent.parent
# A quick choice, of each kind: ctest runs all of them by themselves.
SELECTION = ("*CudaSmoke*:Cuda.*:CudaDevices.*:AuditSweep.*:CudaExecutor.FlowsWithWeights:CudaExecutor.AllToAlls*:"
             "CudaExecutor.PacksTheRows*:CudaExecutor.SharesLinks*:CudaVolume.*/Bisect1142:CudaVolume.*/TorusByTables:"
             "CudaVolume.*/AllToAll1152:CudaVolume.*/Packing1152")
STEPS = "smoke,tests,volume,figures,roofline,full"  # without what needs NVIDIA's tools
built = None


class EmulatedTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tailback-emulated-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "programs").mkdir()
        self.program("tailback", f'exec "{built}/tailback_on_emulated_gpu" "$@"')
        self.bench()
        self.program("gpu_tests", f'[ "$1" != --gtest_list_tests ] || set -- "$1" "--gtest_filter={SELECTION}"\n'
                     f'TAILBACK_SMALL_CASES=1 exec "{built}/emulated_gpu_tests" "$@"')

    def program(self, name, text):
        path = self.folder / "programs" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def bench(self, before=""):
        self.program("cuda_bench", f'[ "$1" = --list ] || set -- "$@" --small --seconds 0 --windows 1\n{before}\n'
                     f'exec "{built}/cuda_bench_on_emulated_gpu" "$@"')

    def run_it(self, steps):
        results = self.folder / "results"
        # Limits of processes are those of a GPU; an emulation beside other work takes longer.
        words = ["sh", root / "scripts/gpu/run", "--programs", self.folder / "programs", "--results", results, "--steps", steps,
                 "--scale", "8", "--budget", "900"]
        environment = {**os.environ, "CUDA_HOME": "/nowhere", "TMPDIR": str(self.folder)}
        ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, timeout=900)
        lines = [json.loads(line) for line in (results / "results.jsonl").read_text().splitlines()]
        return ran.returncode, ran.stdout, lines

    def test_all_passes(self):
        code, out, lines = self.run_it(STEPS)
        self.assertEqual((code, out.splitlines()[-1]), (0, "all passed"), out)
        cases = [line for line in lines if line["type"] == "case"]
        self.assertGreater(len(cases), 50)
        for line in cases:
            self.assertTrue("rate" in line or line["case"].startswith("selene/"), line)
        passed = {line["name"] for line in lines if line["type"] == "process" and line["outcome"] == "passed"}
        for name in ("EachKind/CudaSmoke.TalliesAreTheCpus/Cluster", "CudaExecutor.FlowsWithWeights",
                     "CudaVolume.IsTheCpus/Packing1152", "Cuda.AuditSweepEqualsTheCpus", "AuditSweep.LongWays"):
            self.assertIn(name, passed)

    # The first cuda_bench that measures has a device that breaks; `broken` is there from then on.
    BREAKS = '[ "$1" = --list -o -e "{0}" ] || {{ touch "{0}"; export TAILBACK_EMULATED_GPU_BREAKS_AT=200; }}'

    def test_the_device_breaks_for_one_process(self):
        self.bench(self.BREAKS.format(self.folder / "broken"))
        code, out, lines = self.run_it("figures")
        self.assertEqual(code, 1, out)
        cases = [line for line in lines if line["type"] == "case"]
        errors = [line for line in cases if "error" in line]
        self.assertEqual(len(errors), 1, errors)
        self.assertIn("broken on purpose", errors[0]["error"])
        self.assertIn("rate", cases[-1])  # those after it were measured
        self.assertIn(errors[0]["case"], out.splitlines()[-1])

    def test_the_device_is_lost(self):
        self.bench(self.BREAKS.format(self.folder / "broken"))
        self.program("tailback", f'[ ! -e "{self.folder}/broken" ] || export TAILBACK_EMULATED_GPU_BREAKS_AT=1\n'
                     f'exec "{built}/tailback_on_emulated_gpu" "$@"')
        code, out, lines = self.run_it("figures,roofline")
        self.assertEqual(code, 5, out)
        self.assertRegex(out.splitlines()[-1], "^the device was lost: .* lists none")
        self.assertTrue(any("rate" in line for line in lines if line["type"] == "case"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    options, rest = parser.parse_known_args()
    built = options.programs
    unittest.main(argv=[sys.argv[0], *rest])
