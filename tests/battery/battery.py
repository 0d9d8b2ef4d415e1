#!/usr/bin/env python3
"""Runs the command lines of tests/battery/commands and compares what each writes with tests/battery/expected.

A line runs in an empty folder in which opensm, orcs, examples and inputs lead to the files of those names; `;` divides commands
of one line, `< FILE` gives a command its standard input. Of a line count the exit codes, standard output and every file that it
leaves (a sweep's journal is the program's own business). `expected` holds a digest of that for each line.

  battery.py --program build/default/tailback                 all lines; exit 1 when one differs
  battery.py --program NEW --against OLD --only 17            the differences of line 17, as a diff
  battery.py --program build/default/tailback --update        writes `expected` anew
"""
import argparse, concurrent.futures, difflib, hashlib, os, pathlib, re, shlex, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INPUTS = {"opensm": HERE.parent / "fixtures/opensm", "orcs": HERE.parent / "fixtures/orcs",
          "examples": ROOT / "examples", "inputs": HERE / "inputs"}
SECONDS = 600  # for one command, under a sanitizer too


class Program:
    """A build of tailback, and what it was built with."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True, check=True).stdout
        self.version = said.split()[1].encode()
        self.has = {name: answer == "yes" for name, answer in re.findall(r"(\w+) (yes|no)", said)}
        devices = subprocess.run([self.path, "list", "devices"], capture_output=True, text=True, check=True).stdout
        self.has["GPU"] = re.search(r"^\s+cuda\s+none", devices, re.MULTILINE) is None

    def missing(self, line):
        """What this line needs and is not here; empty when it can run."""
        needs = {"mpirun ": "MPI", "--device cuda": "GPU", ".xz": "xz", ".dot": "cgraph", "sweep ": "YAML", "schedule examples": "YAML", "orcs ": "cgraph",
                 ".tgz": "archives", ".xml": "XML"}
        if "mpirun " in line and not shutil.which("mpirun"):
            return "mpirun"
        return next((need for sign, need in needs.items() if sign in line and not self.has[need]), "")

    def run(self, words, folder):
        """Exit code and standard output of one command."""
        stdin = subprocess.DEVNULL
        if "<" in words:
            at = words.index("<")
            stdin = open(folder / words[at + 1], "rb")
            words = words[:at] + words[at + 2:]
        launcher = []
        if words[0] == "mpirun":
            launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", *words[1:3]]
            words = words[3:]
        with tempfile.TemporaryDirectory(prefix="tb-") as scratch:  # else one mpirun removes what another has just made
            environment = dict(os.environ, LC_ALL="C", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                               OMPI_MCA_orte_tmpdir_base=scratch)
            done = subprocess.run([*launcher, self.path, *words], cwd=folder, stdin=stdin, capture_output=True,
                                  timeout=SECONDS, env=environment)
        return done.returncode, done.stdout, done.stderr

    def outcome(self, line):
        """Everything that counts of a line, as pairs of a title and bytes; and standard error, which does not count."""
        with tempfile.TemporaryDirectory(prefix="tailback-battery-") as name:
            folder = pathlib.Path(name)
            for link, target in INPUTS.items():
                (folder / link).symlink_to(target)
            parts, errors = [], b""
            for command in line.split(" ; "):
                code, out, err = self.run(shlex.split(command), folder)
                parts.append((f"exit code {code} and standard output", out))
                errors += err
            written = sorted(path for path in folder.rglob("*") if path.is_file()
                             and path.relative_to(folder).parts[0] not in INPUTS and path.suffix != ".journal")
            parts += [(str(path.relative_to(folder)), path.read_bytes()) for path in written]
        # A new version of the program, and a new commit of it, write the same reports.
        of_program = rb'("version": ?"|report,version,)' + re.escape(self.version) + rb'|("commit": ?|report,commit,)("[^"]*"|null|\w+)'
        return [(title, re.sub(of_program, rb"\1\2", data)) for title, data in parts], errors


def digest(parts):
    whole = hashlib.sha256()
    for title, data in parts:
        whole.update(f"{title}: {len(data)} bytes\n".encode() + data)
    return whole.hexdigest()[:32]


def lines_of(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def show(line, new, old):
    """Prints how the outcomes of a line differ between two programs; true when they do."""
    ours, theirs = dict(new.outcome(line)[0]), dict(old.outcome(line)[0])
    for title in sorted(ours.keys() | theirs.keys()):
        texts = [side.get(title, b"").decode(errors="replace").splitlines() for side in (theirs, ours)]
        names = [f"{program.path}: {title}" + ("" if title in side else " (absent)") for program, side in ((old, theirs), (new, ours))]
        print("\n".join(difflib.unified_diff(*texts, *names, lineterm="")), end="\n" if texts[0] != texts[1] else "")
    return ours != theirs


def chosen(arguments, lines):
    """The lines to run with their numbers, from 1."""
    numbered = list(enumerate(lines, 1))
    if arguments.only:
        wanted = {int(number) for number in arguments.only.split(",")}
        return [(number, line) for number, line in numbered if number in wanted]
    shard, shards = map(int, arguments.shard.split("/"))
    return [(number, line) for number, line in numbered if number % shards == shard % shards]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--program", required=True, help="the tailback to run")
    words.add_argument("--against", help="another tailback: show how the two differ instead of looking at `expected`")
    words.add_argument("--only", help="numbers of lines, several with commas")
    words.add_argument("--shard", default="1/1", help="the I-th of N shares of the lines, as I/N")
    words.add_argument("--jobs", type=int, default=1, help="lines at once")
    words.add_argument("--update", action="store_true", help="write `expected` anew")
    arguments = words.parse_args()
    program = Program(arguments.program)
    lines = lines_of(HERE / "commands")
    wanted = chosen(arguments, lines)
    if arguments.against:
        old = Program(arguments.against)
        return 1 if sum([show(line, program, old) for _, line in wanted if not program.missing(line)]) else 0

    expected = dict(reversed(line.split("  ", 1)) for line in lines_of(HERE / "expected")) if (HERE / "expected").exists() else {}
    if arguments.update and not program.has["GPU"]:  # a report is the same on every device
        for line in filter(lambda line: "--device cuda" in line, lines):
            expected[line] = digest(program.outcome(line.replace("--device cuda", "--device cpu"))[0])
    skipped = [(line, program.missing(line)) for _, line in wanted if program.missing(line)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = [(number, line, pool.submit(program.outcome, line)) for number, line in wanted if not program.missing(line)]
        different = []
        for number, line, outcome in running:
            parts, errors = outcome.result()
            found = digest(parts)
            if arguments.update:
                expected[line] = found
            elif expected.get(line) != found:
                different.append(number)
                print(f"{number}: {line}\n    {'differs' if line in expected else 'is not in tests/battery/expected'}; "
                      f"{', '.join(f'{title}: {len(data)} bytes' for title, data in parts)}\n"
                      f"    {errors.decode(errors='replace').strip()}")
    for line, need in skipped:
        print(f"not run ({need} is not here): {line}")
    if arguments.update:
        known = [f"{expected[line]}  {line}\n" for line in lines if line in expected]
        (HERE / "expected").write_text("".join(known))
        print(f"{len(known)} lines written to tests/battery/expected")
    elif different:
        print(f"{len(different)} of {len(running)} lines differ; to see how, with a program from before:\n"
              f"  tests/battery/battery.py --program {arguments.program} --against OLD --only {','.join(map(str, different))}\n"
              "where it is meant to be so, --update instead of --against")
    else:
        print(f"{len(running)} lines as expected")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
