"""Goes through everything that needs a GPU: correctness first, then figures, counters, sanitizers and long tests.

Needs gpu_tests, cuda_bench and tailback, packed (.xz) beside this file or in the folder --programs; no compiler, and
nothing but Python's standard library. Each program runs in a process group with a limit; a step that ends early lets
the next begin. What fails stops nothing but where the device is lost; a missing tool is a line, not a failure.

In the folder of results (--results, or the one that OUT names, or ./results beside this): results.jsonl (a line a
process and a case, as they end), log.txt, clocks.csv, ncu.txt, summary.json, table.txt. What is there is complete lines
at any time. The last lines of the output, at most 60, are the table.

exit codes: 0 all passed; 1 something failed; 2 usage, folder or programs; 4 no device; 5 the device was lost;
129, 130, 143 asked to end (SIGHUP, SIGINT, SIGTERM)."""
import argparse, json, lzma, os, pathlib, platform, re, shutil, signal, subprocess, sys, tempfile, time, traceback
from concurrent.futures import ThreadPoolExecutor

import processes, table

here = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("tailback", "gpu_tests", "cuda_bench")
STEPS = ("facts", "devices", "smoke", "tests", "volume", "figures", "roofline", "ncu", "sanitizers", "full")
LOG_MOST, TABLE_MOST = 14_000_000, 60
BAD = ("failed", "timed out", "crashed")
EVALUATION = {"warp", "block", "cluster", "global"}

# A test's kind, by words in its name; none: all that evaluate.
KINDS = {"packing": "pack", "nodes": "nodes", "all-to-all": "all-?to-?all",
         "sharing": "shares ?links|sharing|max-?min|makespan|times", "weights": "weight|rabenseifner", "audit": "audit",
         "division": "division", "warp": "warp", "block": "block", "cluster": "cluster", "global": "global"}
# The smallest test of a kind, for memcheck.
SMALLEST = {"warp": "CudaSmoke.*Warp", "block": "CudaSmoke.*Block", "cluster": "CudaSmoke.*Cluster",
            "global": "CudaSmoke.*Global", "audit": "^Cuda.AuditSweep"}
# Of CPUs alone: no sanitizer looks at them.
CPU_ONLY = r"^AuditSweep\.|^CudaDevices\.|^EqualDivision\."
# Cases (the first that begins so), the kernels in them that matter, and how many launches are looked at.
COUNTED = [("eval/1142/bisect", "warp_kernel", 1), ("eval/128/bisect", "warp_kernel", 1),
           ("eval/11664/bisect", "block_kernel", 1), ("weights/", "warp_kernel", 1),
           ("sharing/1152/max-min", "contended_kernel", 1), ("all-to-all/", "all_to_all_kernel", 1),
           ("eval/1142/bisect", "key_kernel|DeviceRadixSort", 6), ("eval/65536/bisect", "cluster_kernel", 1),
           ("eval/65536/bisect", "place_kernel", 1), ("sharing/1142/makespan", "contended_kernel", 1),
           ("division/1152-sets/bisect", "division_kernel", 1), ("eval/524288/bisect", "cluster_kernel", 1),
           ("eval/524288/bisect", "place_kernel", 1)]
SECTIONS = ("SpeedOfLight", "Occupancy", "WarpStateStats", "InstructionStats", "MemoryWorkloadAnalysis",
            "MemoryWorkloadAnalysis_Tables")
# racecheck is not among them: it takes for races that bits are looked at before they are set by an atomic
# (CudaTeam::set_bits; bits are never taken back there), and that lanes of a warp read what others wrote before a
# __syncwarp in another branch. The step `volume` is there instead: large sums by all kinds are the CPU's.
SANITIZERS = ("memcheck", "synccheck", "initcheck")


class DeviceLost(Exception):
    pass


class NoPrograms(Exception):
    pass


def kinds_of(test):
    found = {kind for kind, words in KINDS.items() if re.search(words, test, re.IGNORECASE)}
    return found or set(EVALUATION)


def kinds_of_case(line):
    group = str(line.get("case", "")).split("/")[0]
    return {line.get("kind"), group} | ({"audit", "packing"} if group == "selene" else set())


class Files:
    """The folder of results; every write is of whole lines."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND  # never over the results of another run
        self.results, self.log_file = (os.open(folder / name, flags, 0o644) for name in ("results.jsonl", "log.txt"))
        self.logged = 0

    def result(self, **line):
        os.write(self.results, (json.dumps(line) + "\n").encode())

    def log(self, data):
        data = data if isinstance(data, bytes) else data.encode()
        if self.logged < LOG_MOST:
            os.write(self.log_file, data)
            self.logged += len(data)
            if self.logged >= LOG_MOST:
                os.write(self.log_file, b"\n[the log is full: nothing more is written here]\n")

    def whole(self, name, text):
        part = self.folder / f".{name}.part"
        part.write_text(text)
        os.replace(part, self.folder / name)


class Run:
    def __init__(self, options, files):
        self.begun = time.monotonic()
        self.options, self.files, self.scale = options, files, options.scale
        self.end_at = self.begun + options.budget - min(5, options.budget / 10)  # what is left ends processes
        self.starter = processes.Starter(options.scale)
        self.steps, self.cases, self.failures, self.facts = [], [], [], {}
        self.wrong, self.hung, self.checked = set(), set(), set()
        self.step_name, self.counts, self.note, self.failed_now = "", {}, "", []
        self.probing = False
        self.tests, self.names, self.code, self.ended_by = [], [], 0, ""
        self.at_most = 1000
        self.work = self.logger = None
        self.refused = {}  # by tool of compute-sanitizer

    def now(self):
        return time.monotonic() - self.begun

    # ---- what is told ------------------------------------------------------------------------------------------
    def say(self, text):
        tell(f"{self.now():5.0f} s: {text}")

    def count(self, outcome):
        word = outcome.split(" (")[0]
        self.counts[word] = self.counts.get(word, 0) + 1

    def result(self, name, outcome, seconds=0.0, began=None, counted=True, **more):
        """Of a process, or what stands for one."""
        if counted:
            self.count(outcome)
        began = self.now() - seconds if began is None else began
        self.files.result(type="process", step=self.step_name, name=name, outcome=outcome, seconds=round(seconds, 3),
                          **{"from": round(began, 3)}, **{key: value for key, value in more.items() if value})

    def failed(self, what, kinds=()):
        self.failures.append(what)
        self.wrong |= set(kinds)

    def summary(self):
        counted = {"steps": self.steps, "failures": self.failures, "wrong_kinds": sorted(self.wrong)}
        self.files.whole("summary.json", json.dumps({
            "commit": self.facts.get("commit"), "device": self.facts.get("device"), "budget": self.options.budget,
            "seconds": round(self.now(), 1), "exit_code": self.code, "ended_by": self.ended_by, **counted,
            "facts": self.facts}, indent=1) + "\n")

    # ---- processes ----------------------------------------------------------------------------------------------
    def outcome(self, process):
        if process.why in ("limit", "silent"):
            return "timed out"
        if process.why in ("time", "asked"):
            return "not reached"
        if process.code is None or process.code < 0:
            return f"crashed ({signal.Signals(-process.code).name if process.code else 'unknown'})"
        if process.code == 0:
            skipped = "[  SKIPPED ]" in process.output and "[       OK ]" not in process.output
            return "skipped" if skipped else "passed"
        return "failed"

    def told(self, text):
        """Without the folder where the programs lie, which tells a reader nothing."""
        return text.replace(f"{self.work}/", "")

    def header(self, process):
        words = self.told(" ".join(map(str, process.words)))
        began = process.begun if process.code is not None or process.why else time.monotonic()
        self.files.log(f"==== {began - self.begun:.1f} s, {self.step_name}: {process.name}: {words}\n")

    def logged(self, process, outcome):
        if process.on_output is None:
            self.header(process)
            self.files.log(self.told(process.output))
            if process.output and not process.output.endswith("\n"):
                self.files.log("\n")
        self.files.log(f"---- {process.name}: {outcome}, exit code {process.code}, {process.seconds:.1f} s"
                       f"{': ' + process.note if process.note else ''}\n")

    def gist(self, process):
        lines = [line.strip() for line in process.output.splitlines() if line.strip()]
        for i, line in enumerate(lines):
            if line.endswith(": Failure"):
                return " ".join(lines[i:i + 3])[:300]
        return lines[-1][:300] if lines else ""

    def probed(self):
        return [] if self.probing or self.starter.asked else [self.probe()]

    def probe(self):
        """After a process was killed or crashed: does the device still answer?"""
        def ended(process):
            self.probing = False
            outcome = self.outcome(process)
            usable = outcome == "passed" and self.usable(process.output)
            self.logged(process, outcome)
            self.result("list devices", outcome if usable or outcome != "passed" else "failed", process.seconds)
            if not usable and not self.starter.asked:
                raise DeviceLost(f"after a program was stopped or crashed, `tailback list devices` {outcome}"
                                 f"{', and lists none' if outcome == 'passed' else ''}")
        self.probing = True
        return processes.Process("list devices", [self.work / "tailback", "list", "devices"], 10 * self.scale,
                                 urgent=True, about={"ended": ended})

    def ended(self, process):
        if "ended" in process.about:
            return process.about["ended"](process)
        outcome = self.outcome(process)
        test = process.about.get("test")
        if outcome == "timed out" and process.about.get("slow"):  # says nothing of the kernels
            outcome = "not reached"
        if process.about.get("refusal") and (refusal := process.about["refusal"](process)):
            outcome, why = "skipped", refusal
        else:
            why = self.gist(process) if outcome.split(" (")[0] in BAD else ""
        self.logged(process, outcome)
        self.result(process.name, outcome, process.seconds, code=process.code, why=why, note=process.note)
        bad = outcome.split(" (")[0] in BAD
        if bad:
            self.failed(f"{self.step_name} {process.name} ({outcome})", kinds_of(test) if test else ())
            if test and outcome != "timed out":
                self.failed_now.append(test)
            if test and outcome == "timed out":
                self.hung.add(test)
        elif outcome == "not reached" and test:
            self.files.log(f"---- {process.name}: stopped as the step's time was over\n")
        if process.why == "limit" or outcome.startswith("crashed") or process.killed_at:
            return self.probed()

    def go(self, todo, until, at_once):
        for process in self.starter.run(todo, until, self.ended, min(at_once, self.at_most)):
            self.result(process.name, "not reached")

    def captured(self, name, words, limit):
        """(outcome, output) of a program that tells something."""
        got = []
        def ended(process):
            got.append((self.outcome(process), process.output))
            self.logged(process, got[0][0])
        process = processes.Process(name, words, limit * self.scale, about={"ended": ended})
        self.starter.run([process], float("inf"), self.ended)
        return got[0]

    # ---- steps --------------------------------------------------------------------------------------------------
    def step(self, name, limit, body):
        if self.options.steps and name not in self.options.steps and name not in ("facts", "devices"):
            return
        self.step_name, self.counts, self.note = name, {}, ""
        self.failed_now = []
        began = time.monotonic()
        until = min(self.end_at, began + limit * max(1, self.scale))
        try:
            if until - began < 1:
                self.result(name, "not reached", why="the budget was over")
            else:
                body(until)
        except (DeviceLost, NoPrograms, processes.Stopped):
            raise
        except Exception:  # of this script: the other steps are not given up for it
            self.files.log(traceback.format_exc())
            self.note = traceback.format_exc().strip().splitlines()[-1]
            self.result("the step itself", "failed", why=self.note)
            self.failed(f"{name} itself ({self.note}; log.txt)")
        finally:
            self.steps.append({"name": name, "from": round(began - self.begun, 1),
                               "seconds": round(time.monotonic() - began, 1), "counts": self.counts, "note": self.note})
            told = {key: self.steps[-1][key] for key in ("from", "seconds", "counts")}
            self.files.result(type="step", step=name, **told)
            self.say(table.line_of_step(self.steps[-1]))
            self.summary()

    def skip(self, name, why):
        self.note = why
        self.result(name, "skipped", why=why)

    def unpacked(self):
        """The programs, plain, in `self.work`."""
        source = self.options.programs
        if all((source / name).is_file() for name in PROGRAMS):
            self.work = source
            return
        why = ""
        for place in (tempfile.gettempdir(), "/dev/shm", "/var/tmp"):  # a folder may be small, or forbid programs
            try:
                self.work = pathlib.Path(tempfile.mkdtemp(prefix="tailback-gpu-", dir=place))
                self.starter.guard.tell(f"={self.work}")
                with ThreadPoolExecutor(len(PROGRAMS)) as pool:
                    list(pool.map(self.unpack, PROGRAMS))
                subprocess.run([self.work / "tailback", "--version"], capture_output=True, timeout=20)
                return
            except subprocess.TimeoutExpired:
                return
            except OSError as error:
                why = why or str(error)
                shutil.rmtree(self.work or "", ignore_errors=True)
        raise NoPrograms(f"nothing was run (the programs cannot be unpacked: {why}); carry the folder anew, or set "
                         "TMPDIR")

    def unpack(self, name):
        path = self.work / name
        try:
            with lzma.open(self.options.programs / f"{name}.xz") as packed, open(path, "wb") as plain:
                shutil.copyfileobj(packed, plain, 1 << 20)
        except (EOFError, lzma.LZMAError) as error:
            raise OSError(f"{name}.xz: {error}") from error
        path.chmod(0o755)

    def facts_step(self, until):
        self.unpacked()
        about = self.options.programs / "about.json"
        try:
            told = json.loads(about.read_text())
            self.facts.update({key: told.get(key) for key in ("commit", "changed_since", "nvcc", "flags", "made")})
        except (OSError, ValueError):
            pass
        outcome, version = self.captured("version", [self.work / "tailback", "--version"], 5)
        self.facts["version"] = version.strip().splitlines()[:3] if outcome == "passed" else outcome
        cpu = ""
        try:
            cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())[1]
            memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())[1]
            self.facts["memory_gb"] = round(int(memory) / 1e6, 1)
        except (OSError, TypeError):
            pass
        self.facts.update(cpu=cpu, cores=len(os.sched_getaffinity(0)), kernel=platform.release(),
                          python=platform.python_version(), libc=" ".join(platform.libc_ver()))
        self.nvidia_smi()
        self.files.result(type="facts", step="facts", **self.facts)
        self.result("facts", "passed")

    def nvidia_smi(self):
        if not shutil.which("nvidia-smi"):
            self.facts["nvidia_smi"] = "missing"
            self.say("no nvidia-smi here: no clocks, and no facts of the device from it")
            return
        asked = ("name,driver_version,memory.total,compute_cap,compute_mode,persistence_mode,ecc.mode.current,"
                 "mig.mode.current,clocks.max.sm,clocks.max.mem,clocks.sm,clocks.mem,power.limit,temperature.gpu")
        for fields in (asked, "name,driver_version,memory.total"):
            words = ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"]
            outcome, told = self.captured("nvidia-smi", words, 3)
            if outcome == "passed":
                self.facts["nvidia_smi"] = [dict(zip(fields.split(","), map(str.strip, line.split(","))))
                                            for line in told.strip().splitlines()]
                break
            self.facts["nvidia_smi"] = f"{outcome}: {told.strip()[:200]}"
        if "Exclusive" in str(self.facts["nvidia_smi"]):  # one process at a time may use the device
            self.at_most = 1
            self.say("the device is for one process at a time: tests run one after the other")
        clocks = "timestamp,clocks.sm,clocks.mem,power.draw,temperature.gpu"
        for reasons in (",clocks_event_reasons.active", ",clocks_throttle_reasons.active", ""):
            words = ["nvidia-smi", f"--query-gpu={clocks}{reasons}", "--format=csv"]
            if self.captured("clocks", words, 2)[0] == "passed":
                self.logger = self.start_logger([*words, "-lms", "500"])
                break

    def start_logger(self, words):
        guard = self.starter.guard
        with open(self.files.folder / "clocks.csv", "wb") as file:
            return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL,
                                    start_new_session=True,
                                    preexec_fn=lambda: os.write(guard.writing, f"+{os.getpid()}\n".encode()))

    def usable(self, told):
        return [name for name in re.findall(r"^\s+cuda\s+(\S.*)$", told, re.MULTILINE)
                if not re.match(r"none\b|cannot\b", name)]

    def devices_step(self, until):
        for turn in (1, 2):
            began = time.monotonic()
            outcome, told = self.captured("list devices", [self.work / "tailback", "list", "devices"], 10)
            seconds = time.monotonic() - began
            self.result("list devices", outcome, seconds)
            names = self.usable(told)
            self.facts[f"list_devices_s_{turn}"] = round(seconds, 3)
            if outcome == "timed out" or outcome.startswith("crashed"):
                raise DeviceLost(f"`tailback list devices` {outcome}")
            if not names:
                reason = re.search(r"^\s+cuda\s+(.*)$", told, re.MULTILINE)
                if reason:
                    self.code, self.ended_by = 4, f"no CUDA device: {reason[1]}"
                else:
                    said = told.strip()[-200:] or outcome
                    self.code, self.ended_by = 2, f"`tailback list devices` tells nothing: {said}"
                return
        self.facts["device"], self.facts["devices"] = names[0], names

    def test_process(self, test, limit, small, wrapper=(), lane="", **about):
        # Several run at once: threads of OpenMP that wait must not keep the others from the cores.
        environment = {"TAILBACK_REQUIRE_GPU": "1", "OMP_WAIT_POLICY": "passive"}
        if small:
            environment["TAILBACK_SMALL_CASES"] = "1"
        name = f"{lane} {test}" if lane else test
        words = [*wrapper, self.work / "gpu_tests", f"--gtest_filter={test}"]
        return processes.Process(name, words, limit * self.scale,
                                 environment=environment, lane=lane, about={"test": test, **about})

    def list_tests(self):
        if self.tests:
            return True
        outcome, told = self.captured("list of tests", [self.work / "gpu_tests", "--gtest_list_tests"], 15)
        suite = ""
        for line in told.splitlines():
            line = line.split("#")[0].rstrip()
            if re.match(r"^\S+\.$", line):
                suite = line
            elif re.match(r"^  \S", line) and suite:
                self.tests.append(suite + line.strip())
        if outcome != "passed" or not self.tests:
            self.result("list of tests", outcome if outcome != "passed" else "failed", why="gpu_tests lists no tests")
            self.failed(f"{self.step_name} list of tests ({outcome})")
            self.tests = []
        return bool(self.tests)

    def those(self, tests):
        """But those that hung before, which would hang again."""
        for test in tests:
            if test in self.hung:
                self.result(test, "skipped", why="it hung in an earlier step")
        return [test for test in tests if test not in self.hung]

    def smoke_step(self, until):
        if not self.list_tests():
            return
        chosen = [test for test in self.tests if re.search(r"\bCudaSmoke\.|^Cuda\.AuditSweep", test)]
        for kind in ("packing", "sharing", "all-to-all", "weights"):
            chosen += [test for test in self.tests if test.startswith("CudaExecutor.") and kind in kinds_of(test)][:1]
        chosen += [test for test in self.tests if test.startswith("CudaDivision.")][:1]
        chosen = list(dict.fromkeys(chosen))
        self.go([self.test_process(test, 20, True) for test in chosen], until, len(chosen))
        self.memcheck()

    def tests_step(self, until):
        if not self.list_tests():
            return
        chosen = self.those([test for test in self.tests if not test.startswith("CudaVolume.")])
        self.go([self.test_process(test, 40, True) for test in chosen], until, 6)
        self.memcheck()

    def volume_step(self, until):
        if not self.list_tests():
            return
        chosen = [test for test in self.tests if test.startswith("CudaVolume.")]
        self.go([self.test_process(test, 45, False) for test in chosen], until, 3)
        self.memcheck()

    def memcheck(self):
        """The smallest case of a kind that failed, at once; three kinds at most."""
        if not shutil.which("compute-sanitizer"):
            return
        todo = []
        for test in self.failed_now:
            for kind in sorted(kinds_of(test) - self.checked):
                if len(self.checked) >= 3:
                    break
                self.checked.add(kind)
                smallest = [name for name in self.tests if kind in SMALLEST and re.search(SMALLEST[kind], name)]
                name = smallest[0] if smallest and not kinds_of(test) == {kind} else test
                others = [other for other in self.tests
                          if kind in kinds_of(other) and not other.startswith("CudaVolume.")]
                if name.startswith("CudaVolume.") and others:
                    name = (smallest or others)[0]
                if name not in [process.about["test"] for process in todo]:
                    todo.append(self.sanitized("memcheck", name, 25))
        self.failed_now = []
        self.go(todo, min(self.end_at, time.monotonic() + 28), 3)
        self.failed_now = []

    def sanitized(self, tool, test, limit):
        def refusal(process):
            refused = re.search(r"=+ ((?:Internal Sanitizer )?Error: .*(?:not supported|Sanitizer).*)", process.output)
            refused = refused or re.search(r"=+ (Internal Sanitizer Error.*)", process.output)
            if refused:
                self.refused[tool] = refused[1][:200]
            return self.refused.get(tool) if refused else None
        wrapper = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
        return self.test_process(test, limit, True, wrapper, tool, refusal=refusal, slow=True)

    # ---- figures ------------------------------------------------------------------------------------------------
    def cases_of(self, regex):
        if not self.names:
            outcome, told = self.captured("list of cases", [self.work / "cuda_bench", "--list"], 10)
            self.names = [line.strip() for line in told.splitlines() if line.strip()] if outcome == "passed" else []
        return [name for name in self.names if re.search(regex, name)]

    def case(self, line):
        """A line of cuda_bench about a case, with what was expected of it."""
        line = {**line, "step": self.step_name, **table.judged(line, self.options.expectations)}
        if "error" in line or line.get("verified") is False:
            self.failed(f"{self.step_name} {line.get('case')} ({line.get('error', 'other tallies than the CPU')})")
            self.count("failed")
        else:
            self.count("not reached" if line.get("skipped") == "not reached" else
                       "without a figure" if "skipped" in line else "measured")
        if kinds_of_case(line) & self.wrong:
            line["wrong"] = True
        self.cases.append(line)
        self.files.result(**line)

    def bench_step(self, regex, silent):
        return lambda until: self.bench(regex, silent * self.scale, until)

    def bench(self, regex, silent, until):
        names, begun, after = self.cases_of(regex), set(), None
        while True:
            open_case, last, told = [None], [after], len(self.failures)

            def on_line(text):
                try:
                    line = json.loads(text)
                except ValueError:
                    return
                if not isinstance(line, dict) or not isinstance(line.get("case"), str):
                    return
                if line.get("type") == "begin":
                    open_case[0] = last[0] = line["case"]
                    begun.add(line["case"])
                elif line.get("type") == "case":  # instruments tell several, of names of their own
                    self.case(line)
                if line.get("type") == "end" or line.get("type") == "case" and line["case"] == open_case[0]:
                    open_case[0] = None

            again = []

            def ended(process):
                outcome = self.outcome(process)
                if process.code == 1 and outcome == "failed" and open_case[0] is None and len(self.failures) > told:
                    outcome = "passed"  # its cases have told what failed
                self.logged(process, outcome)
                if open_case[0] is not None and process.why in ("time", "asked"):
                    self.case({"type": "case", "case": open_case[0], "skipped": "not reached"})
                elif open_case[0] is not None:
                    error = {"timed out": f"no line for {silent:.0f} s"}.get(outcome, outcome)
                    if process.code is not None and process.code > 0 and outcome == "failed":
                        error = f"ended with exit code {process.code} in the middle"
                    self.case({"type": "case", "case": open_case[0], "error": error})
                elif outcome.split(" (")[0] in BAD and process.code != 3:
                    self.failed(f"{self.step_name} cuda_bench ({outcome}): {self.gist(process)}")
                self.result("cuda_bench", outcome, process.seconds, counted=False, code=process.code,
                            why=self.gist(process) if outcome.split(" (")[0] in BAD else "")
                broken = (outcome == "timed out" or outcome.startswith("crashed") or process.code == 3 or
                          process.killed_at is not None)
                if broken or open_case[0] is not None and process.why is None:
                    again.append(True)
                if broken:
                    return self.probed()

            words = [self.work / "cuda_bench", "--cases", regex, *(["--after", after] if after else [])]
            process = processes.Process("cuda_bench", words, float("inf"), on_line=on_line, silent=silent,
                                        on_output=self.files.log, about={"ended": ended})
            self.header(process)
            for _ in self.starter.run([process], until, self.ended):
                break
            if not again or last[0] == after or (names and last[0] == names[-1]) or time.monotonic() >= until:
                break
            after = last[0]
        for name in names:
            if name not in begun:
                self.case({"type": "case", "case": name, "skipped": "not reached"})

    def ncu_step(self, until):
        if not shutil.which("ncu"):
            return self.skip("ncu", "no ncu here")
        open(self.files.folder / "ncu.txt", "w").close()
        sections = [word for name in SECTIONS for word in ("--section", name)]
        stopped, slow = [], []
        for prefix, kernel, launches in COUNTED:
            names = self.cases_of("^" + re.escape(prefix))
            name = f"{prefix} {kernel}"
            if stopped or not names:
                self.result(name, "skipped", why=stopped[0] if stopped else "no such case")
                continue
            if time.monotonic() >= until:
                self.result(name, "not reached")
                continue

            def ended(process):
                outcome = self.outcome(process)
                self.logged(process, outcome)
                with open(self.files.folder / "ncu.txt", "a") as file:
                    file.write(f"==== {process.name}\n{self.told(process.output).rstrip()}\n")
                error = re.search(r"==ERROR== (.*)", process.output)
                why = ""
                if outcome.split(" (")[0] in BAD or error:
                    why = error[1][:200] if error else f"{outcome}: {self.gist(process)}"[:200]
                    if outcome == "timed out":
                        slow.append(process.name)
                    if outcome != "timed out" or len(slow) > 1:  # one large case may be slow; two are not by chance
                        stopped.append(why)
                        self.note = f"stopped by a failure: {why}"
                    outcome = "skipped"
                elif "No kernels were profiled" in process.output:
                    outcome, why = "skipped", "no such kernel was started"
                self.result(process.name, outcome, process.seconds, why=why)
                if process.why == "limit" or process.killed_at or process.code and process.code < 0:
                    return self.probed()

            only = "^" + re.sub(r"([.+*?()\[\]{}^$|\\])", r"\\\1", names[0]) + "$"
            words = ["ncu", "--clock-control", "none", *sections, "--launch-skip", "5", "--launch-count",
                     str(launches), "-k", f"regex:{kernel}", self.work / "cuda_bench", "--cases", only,
                     "--seconds", "0.05", "--windows", "1", "--no-cpu"]
            process = processes.Process(name, words, 12 * self.scale, about={"ended": ended})
            self.starter.run([process], until, self.ended)

    # ---- what is slow -------------------------------------------------------------------------------------------
    def sanitizers_step(self, until):
        if not shutil.which("compute-sanitizer"):
            return self.skip("compute-sanitizer", "no compute-sanitizer here")
        if not self.list_tests():
            return
        chosen = self.those([test for test in self.tests
                             if not test.startswith("CudaVolume.") and not re.search(CPU_ONLY, test)])
        chosen.sort(key=lambda test: "CudaSmoke." not in test)  # quick ones first
        todo = [self.sanitized(tool, test, 60) for test in chosen for tool in SANITIZERS]
        self.refused = {}
        def ended(process):
            more = self.ended(process)
            if "ended" not in process.about and process.about["test"] and process.lane in self.refused:
                self.note = f"{process.lane} refuses: {self.refused[process.lane]}"
            return more
        # A tool that refuses the device refuses it for every test: the first of each tool goes alone.
        first, rest = todo[:len(SANITIZERS)], todo[len(SANITIZERS):]
        left = self.starter.run(first, until, ended, min(2, self.at_most))
        for process in rest:
            if process.lane in self.refused:
                self.result(process.name, "skipped", why=self.refused[process.lane])
        left += self.starter.run([p for p in rest if p.lane not in self.refused], until, ended, min(2, self.at_most))
        for process in left:
            self.result(process.name, "not reached")

    def full_step(self, until):
        if not self.list_tests():
            return
        chosen = self.those([test for test in self.tests if not test.startswith("CudaVolume.")])
        self.go([self.test_process(test, 240, False) for test in chosen], until, 8)

    # ---- all of it ----------------------------------------------------------------------------------------------
    def plan(self):
        self.step("facts", 10, self.facts_step)
        self.step("devices", 20, self.devices_step)
        if not self.code and not self.facts.get("devices"):
            self.code, self.ended_by = 2, "the budget was over before a device was tried; give --budget more seconds"
        if self.code:
            return
        self.say(f"device: {', '.join(self.facts.get('devices', ['unknown']))}")
        self.step("smoke", 30, self.smoke_step)
        self.step("tests", 60, self.tests_step)
        self.step("volume", 60, self.volume_step)
        self.step("figures", 100, self.bench_step("^(eval|metrics|weights|sharing|division|all-to-all|selene)/", 40))
        self.step("roofline", 60, self.bench_step("^(roofline|permutation|shape)/", 20))
        self.step("ncu", 90, self.ncu_step)
        self.step("sanitizers", 85, self.sanitizers_step)
        self.step("full", float("inf"), self.full_step)

    def all(self):
        try:
            self.plan()
        except DeviceLost as lost:
            self.code, self.ended_by = 5, f"the device was lost: {lost}"
        except NoPrograms as error:
            self.code, self.ended_by = 2, str(error)
        except processes.Stopped:
            number = self.starter.asked
            self.code, self.ended_by = 128 + number, f"asked to end ({signal.Signals(number).name})"
        self.code = self.code or (1 if self.failures else 0)
        self.end()
        return self.code

    def last_line(self):
        more = f"; and {len(self.failures) - 6} more" if len(self.failures) > 6 else ""
        failed = "; ".join(self.failures[:6]) + more
        if self.ended_by:
            return self.ended_by + (f"; failed before: {failed}" if failed else "")
        if failed:
            return f"failed: {failed}"
        unreached = [(step["name"], step["counts"].get("not reached", 0)) for step in self.steps]
        told = ", ".join(f"{name} {count}" for name, count in unreached if count)
        return f"nothing failed; not reached: {told}" if told else "all passed"

    def end(self):
        if self.logger:
            for number in (signal.SIGTERM, signal.SIGKILL):
                processes.kill_group(self.logger.pid, number)
                try:
                    self.logger.wait(1)
                    break
                except subprocess.TimeoutExpired:
                    pass
        if self.work and self.work != self.options.programs:
            shutil.rmtree(self.work, ignore_errors=True)
        for line in self.cases:  # a kind may have failed after its figures were taken
            if kinds_of_case(line) & self.wrong:
                line["wrong"] = True
        self.summary()
        last = self.last_line()
        self.files.whole("table.txt", "\n".join(table.table(self.cases, self.steps, last)) + "\n")
        tell("\n" + "\n".join(table.table(self.cases, self.steps, last[:1000], TABLE_MOST)))
        self.starter.guard.end()


def tell(text):
    try:
        print(text, flush=True)
    except OSError:  # nobody reads it any more: the files of results hold it all
        pass


def stop(text):
    print(f"run: {text}", file=sys.stderr)
    sys.exit(2)


def expectations_of(programs):
    for place in (programs, here, here.parent.parent / "bench"):
        if (place / "expectations.json").is_file():
            try:
                return json.loads((place / "expectations.json").read_text())
            except ValueError as error:
                stop(f"nothing was run ({place / 'expectations.json'}: {error}); mend or remove it")
    return {}


def arguments():
    parser = argparse.ArgumentParser(prog="run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=450, help="seconds in all (450)")
    parser.add_argument("--results", type=pathlib.Path, help="folder of the results")
    parser.add_argument("--programs", type=pathlib.Path, default=here, help="folder of the programs, plain or packed")
    parser.add_argument("--steps", type=lambda text: text.split(","), help=f"only these of: {', '.join(STEPS)}")
    parser.add_argument("--scale", type=float, default=1, help=argparse.SUPPRESS)  # of a process's limits
    options = parser.parse_args()
    if not (0 < options.budget < 1e6 and 0 < options.scale < 1e6):
        parser.error("--budget is a number of seconds above 0")
    if unknown := set(options.steps or ()) - set(STEPS):
        parser.error(f"no such step: {', '.join(sorted(unknown))}; steps are {', '.join(STEPS)}")
    options.programs = options.programs.resolve()
    missing = [name for name in PROGRAMS if not (options.programs / name).is_file()
               and not (options.programs / f"{name}.xz").is_file()]
    if missing:
        stop(f"nothing was run ({', '.join(missing)} not in {options.programs}); name another folder by --programs")
    options.results = options.results or pathlib.Path(os.environ.get("OUT") or here / "results")
    options.expectations = expectations_of(options.programs)
    return options


def main():
    options = arguments()
    os.environ["PATH"] += os.pathsep + str(pathlib.Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda") / "bin")
    if (options.programs / "selene").is_dir():
        os.environ.setdefault("TAILBACK_SELENE", str(options.programs / "selene"))
    try:
        files = Files(options.results)
    except FileExistsError:
        stop(f"nothing was run ({options.results} is a file, or holds the results of another run); "
             "name another folder by --results or OUT")
    except OSError as error:
        stop(f"nothing was run (results cannot be written: {error}); name another folder by --results or OUT")
    sys.exit(Run(options, files).all())


if __name__ == "__main__":
    main()
