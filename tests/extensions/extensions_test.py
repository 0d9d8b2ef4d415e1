#!/usr/bin/env python3
"""What extensions.cmake says of optional domains, held against a program: extensions_test.py PROGRAM.

Of an extension that is built, everything that it HAS is there; of one that is left out, each is refused by its name, with
the extension that has it, and not as unknown; a file that only it reads is refused with what the build lacks. What the
core does without any of them works in every build."""
import pathlib, re, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
program = str(pathlib.Path(sys.argv[1]).resolve())

def run(*words):
    done = subprocess.run([program, *words], cwd=scratch.name, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr

faults = []
def expect(holds, what, *shown):
    if not holds:
        faults.append(what + "".join(f"\n    {line}" for text in shown for line in str(text).splitlines()[-4:]))

# Words that ask for a thing of each kind.
ask = {"command": lambda name: [name, "--help"],
       "topology": lambda name: ["list", "topologies", name],
       "routing": lambda name: ["list", "routings", name],
       "pattern": lambda name: ["evaluate", "--network", "torus:4x4", "--pattern", name, "--mappings", "1"],
       "option of evaluate": lambda name: option_of("evaluate", name),
       "option of jobs": lambda name: option_of("jobs", name),
       "option of place": lambda name: option_of("place", name),
       "finding": lambda name: ["list", "findings", name],
       "kind of folder": lambda name: ["audit", "--network", name + ":no-such-folder"],
       "network file": lambda name: ["audit", "--network", beginning_of(name)],
       "form of traffic": lambda name: ["traffic", beginning_of(name)],
       "key of a sweep": lambda name: ["sweep", sweep_with(name), "--dry-run"]}

# Files are known by how they begin; these go on in no way that their reader takes.
beginnings = {"a plan of cables": "StartDevice,StartPort,EndDevice,EndPort\n",
              "a report of mpiP": "@ mpiP\n",
              "files of Open MPI's monitoring": "# POINT TO POINT\n",
              "an archive of PFProf": "{}\n",
              "a log of NCCL": "node:1:1 [0] NCCL INFO x\n",
              "an algorithm of MSCCL": "<algo name=\"x\">\n"}

def option_of(command, name):
    return [command, "--network", "torus:4x4", "--" + name, "no-such-file"]

def beginning_of(name):
    file = pathlib.Path(scratch.name) / "beginning"
    file.write_text(beginnings[name])
    return str(file)

def sweep_with(key):
    file = pathlib.Path(scratch.name) / f"{key}.yaml"
    file.write_text(f"network: torus:4x4\n{key}: x\n")
    return str(file)

scratch = tempfile.TemporaryDirectory()
here = re.search(r"extensions ([^)]*)\)", run("--version")[1])[1]
text = re.sub(r"(?m)#.*$", "", (root / "extensions.cmake").read_text())
extensions = re.findall(r"tailback_extension\(\s*([\w-]+)(.*?)\)", text, re.S)
expect(len(extensions) > 2, "extensions.cmake is not understood")
for name, words in extensions:
    has = re.search(r"\bHAS\b(.*)", words, re.S)
    things = re.findall(r'"([^"=]+)=([^"]+)"|([\w-]+)=([\w-]+)', has[1] if has else "")
    expect(things, f"{name}: a user cannot see whether it is there")
    for kind, thing in ((a or c, b or d) for a, b, c, d in things):
        code, out, error = run(*ask[kind](thing))
        missing = (f'this build has no {kind} "{thing}" (it was configured without the extension {name})',)
        if kind in ("network file", "form of traffic"):
            missing = ("the format of the file is unknown", f"configured without the extension {name}:", thing)
        if here == "all" or name in here.split():
            expect("this build has no" not in error and "unknown" not in error, f"{name}: no {kind} {thing}", code, error)
        else:
            expect(code == 2 and all(words in error for words in missing), f"{name}, left out: {kind} {thing}", code, error)

for words, shows in ((["--help"], "evaluate"), (["list", "topologies"], "torus"), (["list", "routings"], "minhop"),
                     (["evaluate", "--network", "torus:4x4", "--pattern", "ring", "--mapping", "identity",
                       "--metric", "sum_max_cong"], "mean    16.0000"),
                     (["audit", "--network", "torus:4x4", "--routing", "minhop"], "240 pairs"),
                     (["manual"], "tailback"), (["completion", "bash"], "evaluate")):
    code, out, error = run(*words)
    expect(code in (0, 1) and shows in out, " ".join(words), code, out, error)
code, out, error = run("no-such-command")
expect(code == 2 and 'unknown command "no-such-command"' in error, "a command that no extension has", code, error)

print("\n".join(faults) or f"{len(extensions)} extensions; here: {here}")
sys.exit(1 if faults else 0)
