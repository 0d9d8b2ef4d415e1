#!/usr/bin/env python3
"""No error advises an option that is refused in the same mode.

Every mode of every command gets each of its options with values that are wrong, and with some that may be right. Where
that is refused, the options that it advises (but for those of the command line, and those of other commands, which
stand in backquotes) are given to the mode by themselves: none of them may be refused because of the mode.
usage: advice_test.py PROGRAM"""
import concurrent.futures, os, re, subprocess, sys, tempfile

program = os.path.abspath(sys.argv[1])
tree = "xgft:m=4x4,w=1x2"
modes = [
    ["evaluate", tree, "--pattern", "bisect", "--mappings", "10"],
    ["evaluate", tree, "--pattern", "1shift", "--ranks-per-node", "2", "--ranks", "8"],
    ["bracket", tree, "--routing", "ar:updn", "--pattern", "1shift", "--mappings", "2"],
    ["multipath", tree, "--routing", "minhop", "--lmc", "1", "--pattern", "1shift", "--mappings", "2"],
    ["jobs", tree, "--job", "a:pattern=1shift,ranks=4", "--job", "b:pattern=1shift,ranks=4"],
    ["jobs", tree, "--job", "a:pattern=1shift:size=1000,ranks=4", "--time"],
    ["place", tree, "--pattern", "1shift", "--moves", "1000", "--random-orders", "5"],
    ["place", tree, "--pattern", "1shift", "--ranks", "4", "--job", "a:pattern=1shift,ranks=4", "--moves", "1000",
     "--random-orders", "5"],
    ["place", tree, "--job", "a:pattern=1shift,ranks=4", "--job", "b:pattern=1shift,ranks=4", "--moves", "1000",
     "--random-orders", "5"],
    ["place", tree, "--routing", "ar:updn", "--pattern", "1shift", "--goal", "hash", "--moves", "1000",
     "--random-orders", "5"],
    ["improve", tree, "--moves", "1000", "--rounds", "1"],
    ["audit", tree],
    ["trace", tree, "--from", "H1", "--to", "H9"],
    ["estimate", tree],
    ["generate", tree],
]
refusals = re.compile(r"does not go with|has no effect|have no effect|unknown option|not an option of|not known|has no ")
option = re.compile(r"--[a-z][-a-z]*[a-z]")


def run(words):
    try:
        done = subprocess.run([program, *words, "--quiet"], capture_output=True, text=True, timeout=60, cwd=folder,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        return 0, ""


def options_of(command):
    """Name -> metavar, as the help has them."""
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout
    return dict(re.findall(r"^ {2,6}(?:-\w, )?(--[a-z][-a-z]*)(?: ([^ \n]+))?", text, re.M))


def values_of(metavar):
    if not metavar: return [None]
    values = ["x", "3"]
    if "|" in metavar: values += metavar.split("|")
    return values


def plausible(name, metavar):
    if not metavar: return [None]
    if "|" in metavar and metavar.islower(): return metavar.split("|")
    return ["1", "4", "block", "name", "H[1-4]", "1shift", "a:pattern=1shift,ranks=4", "name:^(.)"]


def given(words): return {w.split("=")[0] for w in words if w.startswith("--")}


def without(mode, name):
    if name not in mode: return mode
    at = mode.index(name)
    return mode[:at] + mode[at + 2:]


def question(mode, name, value):
    words = without(mode, name) + ([name] if value is None else [f"{name}={value}"])
    code, error = run(words)
    if code != 2: return None
    advice = re.sub("`[^`]*`", "", error.strip().splitlines()[-1]).partition("; ")[2]  # behind what is wrong, and why
    named = set(option.findall(advice)) - given(words) - {"--help", "--quiet"}
    return words, error, named


def why_refused(mode, name, metavar):
    """Is it refused in this mode whatever its value?"""
    last = ""
    for value in plausible(name, metavar):
        code, error = run(mode + ([name] if value is None else [f"{name}={value}"]))
        if code != 2 or not (name in error and refusals.search(error)): return None
        last = error
    return last


failed, seen = 0, {}
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    asked = []
    for mode in modes:
        known = options_of(mode[0])
        for name, metavar in known.items():
            for value in values_of(metavar):
                asked.append((mode, known, pool.submit(question, mode, name, value)))
    count = 0
    for mode, known, answer in asked:
        if answer.result() is None: continue
        words, error, named = answer.result()
        count += 1
        for name in named:
            key = (tuple(mode), name)
            if key not in seen:
                seen[key] = "the command has no such option" if name not in known else why_refused(mode, name, known[name])
            if seen[key]:
                failed += 1
                print("FAILED", " ".join(words), "\n   ", error.strip(), "\n   ", name, "is refused:", seen[key].strip())
print(len(asked), "command lines,", count, "refused,", failed, "with advice that is refused")
sys.exit(failed > 0)
