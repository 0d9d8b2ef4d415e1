#!/usr/bin/env python3
"""scripts/gpu/run over programs that only pretend: all well, and whatever may go wrong where a GPU is.

  run_test.py [NAMES OF TESTS]      no GPU, no program of Tailback"""
import concurrent.futures, contextlib, json, lzma, os, pathlib, shutil, signal, subprocess, sys, tempfile, time, unittest

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(root / "scripts/gpu"))
sys.dont_write_bytecode = True

TESTS = {"EachKind/CudaSmoke": ["TalliesAreTheCpus/Warp", "TalliesAreTheCpus/Block"],
         "CudaExecutor": ["PacksTheRows", "FlowsWithWeights", "RanksThatShareNodes", "AllToAlls", "SharesLinksAsTheCpu"],
         "Cuda": ["AuditSweepEqualsTheCpus"], "AuditSweep": ["LongWays"], "CudaVolume": ["Warp", "Weights"]}
CASES = ["eval/1142/bisect", "eval/128/bisect", "weights/1152/permutation", "sharing/1152/max-min", "selene/bisect",
         "roofline/rates", "permutation/cells", "shape/1142/turns=1"]
LINES = [*CASES[:5], "roofline/shared_adds", "roofline/copied", *CASES[6:]]  # an instrument tells several

GPU_TESTS = r"""
case $1 in
    --gtest_list_tests) cat "$FAKE/tests"; exit ;;
    --gtest_filter=*) test=${1#*=} ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
esac
echo "$test ${TAILBACK_SMALL_CASES:-0} ${TAILBACK_REQUIRE_GPU:-0}" >>"$FAKE/ran"
[ "$test" = "${HANGS:-}" ] && { trap '' TERM; echo "it hangs"; sleep 300 & sleep 300; }
[ "$test" = "${FAILS:-}" ] && { printf 'x.cpp:1: Failure\nExpected: 1\n'; exit 1; }
[ "$test" = "${ABORTS:-}" ] && { echo "it aborts"; kill -ABRT $$; sleep 9; }
[ "$test" = "${KILLS_DEVICE:-}" ] && { touch "$FAKE/broken"; kill -SEGV $$; sleep 9; }
[ "$test" = "${LEAVES_CHILD:-}" ] && { sleep 300 & }
[ "$test" = "${SLOW:-}" ] && sleep 60
case $test in *Block) echo "[  SKIPPED ] 1 test" ;; *) echo "[       OK ] $test" ;; esac
exit 0
"""
CUDA_BENCH = r"""
cases=. after= all="$*"
while [ $# -gt 0 ]; do
    case $1 in
        --list) cat "$FAKE/cases"; exit ;;
        --cases) cases=$2; shift 2 ;;
        --after) after=$2; shift 2 ;;
        --seconds|--windows) shift 2 ;;
        --no-cpu) shift ;;
        *) exit 2 ;;
    esac
done
echo "bench $all" >>"$FAKE/ran"
echo "this is not JSON"
[ -n "$after" ] && skip=1 || skip=
while read -r name; do
    echo "$name" | grep -Eq "$cases" || continue
    if [ -n "$skip" ]; then [ "$name" = "$after" ] && skip=; continue; fi
    echo "{\"type\":\"begin\",\"case\":\"$name\"}"
    [ "$name" = "${CASE_ABORTS:-}" ] && { kill -ABRT $$; sleep 9; }
    [ "$name" = "${CASE_HANGS:-}" ] && { trap '' TERM; sleep 300; }
    [ "$name" = "${CASE_SLOW:-}" ] && sleep 60
    [ "$name" = "${CASE_BREAKS:-}" ] && { echo "{\"type\":\"case\",\"case\":\"$name\",\"error\":\"illegal address\"}"; exit 3; }
    case $name in
        selene*) [ -n "${TAILBACK_SELENE:-}" ] || { echo "{\"type\":\"case\",\"case\":\"$name\",\"skipped\":\"no tables\"}"; continue; } ;;
        roofline*)
            for what in shared_adds copied; do
                echo "{\"type\":\"case\",\"case\":\"roofline/$what\",\"unit\":\"accesses/s\",\"rate\":{\"median\":3.1e12}}"
            done
            [ "$name" = "${CASE_ABORTS_LATE:-}" ] && { kill -ABRT $$; sleep 9; }
            echo "{\"type\":\"end\",\"case\":\"$name\"}"
            continue ;;
    esac
    [ "$name" = "${CASE_WRONG:-}" ] && { echo "{\"type\":\"case\",\"case\":\"$name\",\"rate\":{\"median\":1},\"verified\":false}"; wrong=1; continue; }
    echo "{\"type\":\"case\",\"case\":\"$name\",\"kind\":\"warp\",\"unit\":\"mappings/s\",\"rate\":{\"median\":85.3e6,\"least\":84e6,\"most\":86e6},\"alone\":9e7,\"one_core\":4e5,\"all_cores\":6e6,\"verified\":true}"
done <"$FAKE/cases"
exit ${wrong:-0}
"""
TAILBACK = r"""
case $* in
    --version) echo "tailback 0.1.0 (fake)" ;;
    "list devices")
        echo "devices"; echo "  cpu   2 threads"
        if [ -e "$FAKE/broken" ]; then echo "  cuda  cannot be used: unspecified launch failure"
        elif [ -n "${NO_DEVICE:-}" ]; then echo "  cuda  none (no driver)"
        else echo "  cuda  Fake H100"; fi ;;
    *) exit 2 ;;
esac
"""
NVIDIA_SMI = r"""
echo "$*" >>"$FAKE/asked"
case $* in
    *-lms*) while :; do echo "now, 1980 MHz"; sleep 0.1; done ;;
    *clocks_event_reasons*) echo "Field is not a valid field"; exit 2 ;;
    *) echo "Fake H100, 570.1, 81559 MiB, 9.0, Default, Enabled, Enabled, Disabled, 1980, 2619, 345, 2619, 700, 30" ;;
esac
"""
NCU = r"""
echo "$*" >>"$FAKE/counted"
[ -n "${NCU_REFUSES:-}" ] && { echo "==ERROR== ERR_NVGPUCTRPERM - no permission"; exit 1; }
echo "Compute (SM) Throughput % 61"
"""
SANITIZER = r"""
[ -n "${SANITIZER_REFUSES:-}" ] && { echo "========= Error: Device not supported. Please refer to the documentation"; exit 1; }
tool=$2
shift 4
[ "$tool $*" != "${TOOL_FINDS:-}" ] || exit 9
case ${TOOL_FINDS:-} in "$tool "*) case $* in *"${TOOL_FINDS#* }") echo "========= Invalid write"; exit 9 ;; esac ;; esac
exec "$@"
"""
TOOLS = {"nvidia-smi": NVIDIA_SMI, "ncu": NCU, "compute-sanitizer": SANITIZER}


def write_program(path, text):
    path.write_text("#!/bin/sh" + text)
    path.chmod(0o755)


class Ran:
    """What a run came to."""

    def __init__(self, folder, code, out, seconds):
        self.code, self.out, self.seconds = code, out, seconds
        self.lines = out.splitlines()
        self.results = read_lines(folder / "results.jsonl")
        self.cases = {line["case"]: line for line in self.results if line["type"] == "case"}
        summary = folder / "summary.json"
        self.summary = json.loads(summary.read_text()) if summary.exists() else None

    def outcomes(self, name, step=None):
        return [line["outcome"] for line in self.results
                if line["type"] == "process" and line["name"] == name and step in (None, line["step"])]


def read_lines(path):
    """Every line is complete, also where its writer was killed."""
    text = path.read_text() if path.exists() else ""
    assert text == "" or text.endswith("\n"), f"{path} ends in the middle of a line"
    return [json.loads(line) for line in text.splitlines()]


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tailback-run-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.programs, self.results, self.tools = (self.folder / name for name in ("programs", "results", "tools"))
        for folder in (self.programs, self.tools):
            folder.mkdir()
        for name, text in (("gpu_tests", GPU_TESTS), ("cuda_bench", CUDA_BENCH), ("tailback", TAILBACK)):
            write_program(self.programs / name, text)
        for name, text in TOOLS.items():
            write_program(self.tools / name, text)
        (self.folder / "tests").write_text("".join(f"{suite}.\n" + "".join(f"  {name}  # GetParam() = 1\n" for name in names)
                                                   for suite, names in TESTS.items()))
        (self.folder / "cases").write_text("".join(f"{name}\n" for name in CASES))
        os.symlink(sys.executable, self.tools / "python3")

    def tearDown(self):
        self.assertEqual(self.left(), [], "processes are left over")

    def left(self):
        """Processes that this test's programs have left: all know its folder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"FAKE={self.folder}\0".encode() in (process / "environ").read_bytes():
                    words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    if words:  # else it has ended
                        found.append(words)
        return found

    def environment(self, words):
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        return {**kept, "PATH": f"{self.tools}:/usr/bin:/bin", "FAKE": str(self.folder), "CUDA_HOME": "/nowhere",
                "TMPDIR": str(self.folder), **words}

    def start(self, *options, program=root / "scripts/gpu/run", programs=True, **environment):
        words = ["sh", program, "--results", self.results, *(["--programs", self.programs] if programs else []), *options]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=self.environment(environment))

    def run_it(self, *options, **environment):
        shutil.rmtree(self.results, ignore_errors=True)
        begun = time.monotonic()
        process = self.start(*options, **environment)
        out, _ = process.communicate(timeout=60)
        return Ran(self.results, process.returncode, out, time.monotonic() - begun)

    def test_all_pass(self):
        ran = self.run_it()
        self.assertEqual((ran.code, ran.lines[-1]), (0, "all passed"), ran.out)
        for case in LINES:
            self.assertIn(case, ran.out)
            line = ran.cases[case]
            self.assertTrue("skipped" in line if case == "selene/bisect" else line["rate"]["median"] > 0, line)
        rows = {line.split()[0]: line for line in ran.lines[ran.lines.index(""):] if line}
        self.assertRegex(rows["eval/1142/bisect"],
                         r"warp +85\.3M +2\.3% +90\.0M +213 +14\.2 +65\.0M-130M +within +yes$")
        self.assertRegex(rows["eval/128/bisect"], "300M-600M +below")
        self.assertRegex(rows["sharing/1152/max-min"], "4.00M-9.00M +above")
        self.assertEqual(ran.cases["eval/1142/bisect"]["judged"], "within")
        self.assertEqual(ran.cases["eval/1142/bisect"]["expected"]["least"], 65e6)
        self.assertIn("3.10T accesses/s", rows["roofline/shared_adds"])
        self.assertEqual({step["name"] for step in ran.summary["steps"]},
                         {"facts", "devices", "smoke", "tests", "volume", "figures", "roofline", "ncu", "sanitizers", "full"})
        self.assertLessEqual({path.name for path in self.results.iterdir()},
                             {"results.jsonl", "log.txt", "clocks.csv", "ncu.txt", "summary.json", "table.txt"})
        self.assertIn("1980 MHz", (self.results / "clocks.csv").read_text())
        self.assertIn("clocks_throttle_reasons", (self.folder / "asked").read_text())
        ran_tests = (self.folder / "ran").read_text().splitlines()
        self.assertEqual(ran_tests.count("CudaVolume.Warp 0 1"), 1)
        self.assertEqual(ran_tests.count("CudaExecutor.FlowsWithWeights 1 1"), 2 + 3)  # smoke, tests, three sanitizers
        self.assertEqual(ran_tests.count("CudaExecutor.FlowsWithWeights 0 1"), 1)
        self.assertEqual(ran_tests.count("AuditSweep.LongWays 1 1"), 1)  # of the CPU: not sanitized
        self.assertEqual(set(ran.outcomes("EachKind/CudaSmoke.TalliesAreTheCpus/Block")), {"skipped"})
        counted = (self.folder / "counted").read_text()
        self.assertRegex(counted, r"-k regex:warp_kernel \S+/cuda_bench --cases \^eval/1142/bisect\$ .*--no-cpu")
        self.assertIn("Throughput", (self.results / "ncu.txt").read_text())

    def test_packed_programs_beside_it(self):
        carried = self.folder / "carried"
        carried.mkdir()
        for name in ("run", "run.py", "processes.py", "table.py"):
            shutil.copy(root / "scripts/gpu" / name, carried)
        for name in ("gpu_tests", "cuda_bench", "tailback"):
            (carried / f"{name}.xz").write_bytes(lzma.compress((self.programs / name).read_bytes()))
        (carried / "about.json").write_text('{"commit": "abc"}')
        (carried / "selene").mkdir()
        ran = self.run_it("--steps", "smoke,figures", program=carried / "run", programs=False)
        self.assertEqual((ran.code, ran.lines[-1], ran.summary["commit"]), (0, "all passed", "abc"), ran.out)
        self.assertIn("rate", ran.cases["selene/bisect"])  # the variable names the folder that was carried
        self.assertNotIn("judged", ran.cases["eval/1142/bisect"])  # no expectations were carried
        self.assertEqual([path.name for path in self.folder.glob("tailback-gpu-*")], [])

    def test_a_test_hangs(self):
        ran = self.run_it("--scale", "0.1", HANGS="CudaExecutor.FlowsWithWeights")
        self.assertEqual(ran.code, 1, ran.out)
        self.assertEqual(ran.outcomes("CudaExecutor.FlowsWithWeights"), ["timed out"] + 3 * ["skipped"])
        self.assertEqual(ran.outcomes("list devices", "smoke"), ["passed"])
        self.assertIn("it hangs", (self.results / "log.txt").read_text())
        self.assertEqual(ran.cases["weights/1152/permutation"].get("wrong"), True)
        self.assertNotIn("wrong", ran.cases["eval/1142/bisect"])
        self.assertRegex(ran.lines[-1], r"^failed: smoke CudaExecutor.FlowsWithWeights \(timed out\)$")

    def test_a_test_fails(self):
        ran = self.run_it("--steps", "smoke,figures", FAILS="EachKind/CudaSmoke.TalliesAreTheCpus/Warp")
        self.assertEqual(ran.code, 1, ran.out)
        name = "EachKind/CudaSmoke.TalliesAreTheCpus/Warp"
        self.assertEqual(ran.outcomes(name), ["failed"])
        self.assertEqual(ran.outcomes(f"memcheck {name}", "smoke"), ["failed"])
        self.assertTrue(ran.cases["eval/1142/bisect"]["wrong"])
        self.assertRegex("\n".join(ran.lines), r"eval/1142/bisect .* wrong\n")
        self.assertIn("x.cpp:1: Failure Expected: 1", (self.results / "results.jsonl").read_text())

    def test_a_test_aborts(self):
        ran = self.run_it("--steps", "smoke,tests", ABORTS="CudaExecutor.AllToAlls")
        self.assertEqual(ran.code, 1, ran.out)
        self.assertEqual(ran.outcomes("CudaExecutor.AllToAlls"), 2 * ["crashed (SIGABRT)"])
        self.assertIn("passed", ran.outcomes("list devices", "smoke"))

    def test_the_device_is_lost(self):
        ran = self.run_it(KILLS_DEVICE="CudaExecutor.PacksTheRows")
        self.assertEqual(ran.code, 5, ran.out)
        self.assertRegex(ran.lines[-1], "^the device was lost: .* lists none")
        self.assertEqual(ran.cases, {})
        self.assertEqual(ran.summary["exit_code"], 5)

    def test_a_test_leaves_a_child(self):
        ran = self.run_it("--steps", "smoke", "--scale", "0.3", LEAVES_CHILD="CudaExecutor.PacksTheRows")
        self.assertEqual((ran.code, ran.lines[-1]), (0, "all passed"), ran.out)

    def check_other_figures(self, case, ran, error):
        self.assertEqual(ran.code, 1, ran.out)
        self.assertRegex(ran.cases[case]["error"], error)
        for other in set(LINES) - {case, "selene/bisect"}:
            self.assertGreater(ran.cases[other]["rate"]["median"], 0)
        self.assertEqual(sum(line["type"] == "case" for line in ran.results), len(set(LINES) | {case}))

    def test_a_case_aborts(self):
        ran = self.run_it("--steps", "figures,roofline", CASE_ABORTS="eval/128/bisect")
        self.check_other_figures("eval/128/bisect", ran, "SIGABRT")

    def test_an_instrument_aborts(self):
        ran = self.run_it("--steps", "figures,roofline", CASE_ABORTS_LATE="roofline/rates")
        self.check_other_figures("roofline/rates", ran, "SIGABRT")

    def test_a_case_hangs(self):
        ran = self.run_it("--steps", "figures,roofline", "--scale", "0.1", CASE_HANGS="permutation/cells")
        self.check_other_figures("permutation/cells", ran, "no line for 2 s")

    def test_a_case_breaks_the_device_for_its_process(self):
        ran = self.run_it("--steps", "figures,roofline", CASE_BREAKS="eval/1142/bisect")
        self.check_other_figures("eval/1142/bisect", ran, "illegal address")

    def test_a_case_is_wrong(self):
        ran = self.run_it("--steps", "figures,roofline", CASE_WRONG="weights/1152/permutation")
        self.assertEqual(ran.code, 1, ran.out)
        self.assertIn("weights/1152/permutation", ran.lines[-1])

    def test_no_device(self):
        ran = self.run_it(NO_DEVICE="1")
        self.assertEqual((ran.code, ran.lines[-1]), (4, "no CUDA device: none (no driver)"), ran.out)

    def test_programs_that_are_broken(self):
        write_program(self.programs / "tailback", "\necho 'no libm here' >&2; exit 127\n")
        ran = self.run_it()
        self.assertEqual((ran.code, "no libm here" in ran.lines[-1]), (2, True), ran.out)
        (self.programs / "tailback").unlink()
        (self.programs / "tailback.xz").write_bytes(b"no archive")
        ran = self.run_it()
        self.assertEqual((ran.code, "cannot be unpacked: tailback.xz" in ran.out), (2, True), ran.out)
        self.assertEqual(ran.summary["exit_code"], 2)
        self.assertIn("cannot be unpacked", ran.summary["ended_by"])

    def test_missing_tools(self):
        for name in TOOLS:
            (self.tools / name).unlink()
        ran = self.run_it()
        self.assertEqual((ran.code, ran.lines[-1]), (0, "all passed"), ran.out)
        for words in ("no nvidia-smi here", "no ncu here", "no compute-sanitizer here"):
            self.assertIn(words, ran.out)

    def test_tools_that_refuse(self):
        ran = self.run_it("--steps", "ncu,sanitizers", NCU_REFUSES="1", SANITIZER_REFUSES="1")
        self.assertEqual((ran.code, ran.lines[-1]), (0, "all passed"), ran.out)
        self.assertRegex(ran.out, "ncu .*ERR_NVGPUCTRPERM")
        self.assertRegex(ran.out, "sanitizers .*Device not supported")
        self.assertEqual((self.folder / "counted").read_text().count("\n"), 1)

    def test_a_sanitizer_finds_something(self):
        ran = self.run_it("--steps", "sanitizers", TOOL_FINDS="synccheck --gtest_filter=CudaExecutor.AllToAlls")
        self.assertEqual(ran.code, 1, ran.out)
        self.assertEqual(ran.outcomes("synccheck CudaExecutor.AllToAlls"), ["failed"])
        self.assertEqual(ran.outcomes("memcheck CudaExecutor.AllToAlls"), ["passed"])

    def stopped(self, number):
        process = self.start("--scale", "0.1", SLOW="CudaExecutor.AllToAlls")
        log = self.results / "results.jsonl"
        for _ in range(300):
            if log.exists() and '"smoke"' in log.read_text():
                break
            time.sleep(0.05)
        process.send_signal(number)
        out, _ = process.communicate(timeout=20)
        for _ in range(100):
            if not self.left():
                break
            time.sleep(0.05)
        return Ran(self.results, process.returncode, out, 0)

    def test_it_is_asked_to_end(self):
        ran = self.stopped(signal.SIGTERM)
        self.assertEqual(ran.code, 143, ran.out)
        self.assertRegex(ran.lines[-1], "^asked to end")
        self.assertEqual(ran.outcomes("CudaExecutor.AllToAlls"), ["not reached"])
        self.assertTrue((self.results / "table.txt").exists())

    def test_it_is_killed(self):
        ran = self.stopped(signal.SIGKILL)
        self.assertEqual(ran.code, -signal.SIGKILL)
        self.assertTrue(any(line["type"] == "process" for line in ran.results))
        self.assertEqual(ran.summary["steps"][-1]["name"], "devices")

    def test_too_short_a_budget(self):
        """The budget ends within a slow case: what came before is kept, the rest is told as not reached."""
        budget = 3  # seconds; where the machine is too busy to come to the case within them, twice as many, and so on
        while True:
            ran = self.run_it("--budget", str(budget), CASE_SLOW="eval/128/bisect")
            if "rate" in ran.cases.get("eval/1142/bisect", {}) or budget > 30:
                break
            budget *= 2
        self.assertLess(ran.seconds, 60)  # what it would take is minutes
        self.assertEqual(ran.code, 0, ran.out)
        self.assertRegex(ran.lines[-1], "^nothing failed; not reached: ")
        self.assertEqual(ran.outcomes("full"), ["not reached"])
        self.assertEqual(ran.cases["eval/128/bisect"]["skipped"], "not reached")
        self.assertIn("rate", ran.cases["eval/1142/bisect"])

    def test_a_step_that_cannot_be_done(self):
        (self.folder / "cases").unlink()  # cuda_bench --list fails
        os.mkdir(self.folder / "cases")
        (self.programs / "gpu_tests").chmod(0o644)
        ran = self.run_it("--steps", "smoke,ncu")
        self.assertEqual(ran.code, 1, ran.out)
        self.assertIn("smoke list of tests (failed)", ran.lines[-1])
        self.assertEqual({line["outcome"] for line in ran.results if line.get("step") == "ncu" and "outcome" in line}, {"skipped"})

    def test_nowhere_to_write(self):
        (self.folder / "results").write_text("a file")
        process = self.start()
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 2, out)
        self.assertRegex(out, r"nothing was run \(.* is a file, or holds the results .*\); name another folder")

    def test_results_of_another_run_stay(self):
        self.assertEqual(self.run_it("--steps", "figures").code, 0)
        before = (self.results / "results.jsonl").read_bytes()
        process = self.start("--steps", "figures")
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 2, out)
        self.assertIn("holds the results of another run", out)
        self.assertEqual((self.results / "results.jsonl").read_bytes(), before)

    def test_a_budget_that_ends_before_a_device_is_tried(self):
        ran = self.run_it("--budget", "0.5")
        self.assertEqual(ran.code, 2, ran.out)
        self.assertIn("the budget was over before a device was tried", ran.lines[-1])

    def test_usage(self):
        for words in (["--steps", "tea"], ["--budget", "0"], ["--budget", "nan"], ["--budget", "-1"], ["--programs", "/nowhere"]):
            process = self.start(*words)
            out, _ = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 2, out)

    def test_without_python(self):
        bare = self.folder / "bare"
        bare.mkdir()
        for name in ("dirname", "grep", "sh"):
            os.symlink(shutil.which(name), bare / name)
        done = subprocess.run(["/bin/sh", root / "scripts/gpu/run"], env={"PATH": str(bare)}, capture_output=True, text=True)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn((done.returncode, done.stderr[:15]), [(4, "no CUDA device:"), (2, "run: nothing wa")])

    def test_numbers_of_the_table(self):
        import table
        for value, wanted in ((85.3e6, "85.3M"), (407e3, "407k"), (1250, "1.25k"), (107, "107"), (999.9e3, "1.00M"), (20, "20.0"),
                              (0.5, "0.50"), (3.1e12, "3.10T"), (None, "-")):
            self.assertEqual(table.short(value), wanted)
        many = [{"case": f"c/{i}", "rate": {"median": i}} for i in range(100)]
        lines = table.table(many, [{"name": "tests", "seconds": 1, "counts": {"passed": 1}}], "all passed", 60)
        self.assertEqual((len(lines), lines[-1]), (60, "all passed"))
        self.assertIn("(44 more cases: table.txt)", lines)


def main():
    """Several at once, as most of them wait."""
    loaded = unittest.defaultTestLoader.loadTestsFromTestCase(RunTest)
    chosen = [test for test in loaded if not sys.argv[1:] or test.id().split(".")[-1] in sys.argv[1:]]
    def run(test):
        result = unittest.TestResult()
        test.run(result)
        return result
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(run, chosen))
    faults = [fault for result in results for fault in result.failures + result.errors]
    for test, text in faults:
        print(f"{test.id()}\n{text}", file=sys.stderr)
    print(f"{len(chosen)} tests, {len(faults)} faults")
    sys.exit(1 if faults or not chosen else 0)


if __name__ == "__main__":
    main()
