#!/usr/bin/env python3
"""Every command that README.md and docs/ tell people to type runs as it is printed, on files that are there.

The commands of a document run one after the other in a copy of what the repository has for them. `cd` is from there;
it and variables stay until the document ends. Each begins with the variables of README.md. A command must end with
exit code 0, or with one that its comment names. A question in a comment is answered by what the command prints or
writes (ANSWERS). What cannot run here stands in NOT_RUN, with the reason.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: Parts of commands that are not run, and why.
NOT_RUN = {
    "mpirun ": "it needs several processes of MPI (tests/live has them)",
    "--network /var/tmp/ibdiagnet2": "the reader's own folder; the next command is the same of one that is made",
    "--counters ibdiagnet2.db_csv": "counters of a fabric in use",
    "df.checkpoint": "it takes an hour; tests/commands has checkpoints",
    "tailback traffic trace.0.prof": "the trace of the command before, which needs MPI",
}
#: Documents whose commands are not run, and why.
NOT_READ = {
    "docs/performance.md": "its commands were run on the machines that it names, for minutes",
    "docs/gpu.md": "it needs a GPU, or ten minutes",
    "docs/performance-notebook.md": "a diary of measurements",
    "docs/python.md": "Python; its calls are tested in tests/python",
    "docs/python-reference.md": "Python",
    "docs/architecture.md": "it is about the code",
}
#: What a command prints, or writes into its files, that answers the question in its comment. Every question has one.
ANSWERS = {
    "what bandwidth can a job expect?": r"\(eBB\)\n *mean +0\.\d+ +99 % confidence",
    "how long does it take?": r"in m?s(?:econds)?\n *mean +\d",
    "are the tables right?": r"(?m)^(SOUND|NOT SOUND|UNDECIDED)[:,]",
    "what breaks without this cable?": r"(?m)^ +without the cable from [^:]*: [\d,]+ pairs\n +broken +of +LID +destination\n +[\d,]+ +[\d,]+ +\d",
    "is it cabled as planned?": r"(?m)^(NOT|CABLED) AS PLANNED: [\d,]+ of [\d,]+ planned cables are there",
    "in which order do I start?": r"(?m)^(The order found has|The order block is already best|No order better)",
    "what do the ranks send each other?": r"heaviest pairs\n +source +destination +bytes(?s:.*)</svg>",
    "how does that fit this fabric?": r"get_cable_cong: (?s:.*)hop_bytes: ",
    "which links does it load?": r"of [\d,]+ links carry flows; the most on one link is(?s:.*)</svg>",
    "who waits for whom?": r"completion_time: (?s:.*)kind,source,destination,line,size,start,sent,end",
    "which links hold flows back?": r"of [\d,]+ links are a flow's bottleneck(?s:.*) -> ",
    "what does the hash of equal-cost routes cost?": r"(?m)^The hash costs .*: the mean bandwidth of a flow is 0\.\d+",
    "what changed between two dumps?": r"(?m)^Of 240 pairs in both fabrics, ",
}
COMMAND = re.compile(r"^(tailback|cd|PATH=|[a-z_]+=|cat|mpirun|time|mkdir|printf|for|ln|cp) ?")


def commands_of(text):
    """Commands of the blocks that have any for tailback: (line, command, what its comment says)."""
    found, block = [], []
    lines = text.splitlines() + [""]
    for number, line in enumerate(lines, 1):
        if line.startswith("    ") or (block and not line.strip() and number < len(lines) and lines[number].startswith("    ")):
            block.append((number, line[4:]))
            continue
        if any(re.match(r"(tailback|cd|mpirun|time tailback)\b|fabric=", one) for _, one in block):
            at = 0
            while at < len(block):
                first, command = block[at]
                while command.endswith("\\") and at + 1 < len(block):
                    at += 1
                    command = command[:-1].rstrip() + " " + block[at][1].strip()
                while re.match(r"for .*\bdo$", command.split("\n")[0]) and not re.search(r"\bdone\b", command):
                    at += 1
                    command += "\n" + block[at][1]
                at += 1
                if not COMMAND.match(command):
                    continue
                bare, _, comment = command.partition(" # ")
                found.append((first, bare.strip(), comment.strip()))
        block = []
    return found


def question_of(comment):
    """`# how long, in seconds? exit code 1 if not` asks how long."""
    found = re.match(r"[^?]*\?", comment)
    return found[0] if found else ""


def written(folder, command):
    """The text of the files that a command names and that are there."""
    paths = [folder / word for word in re.findall(r"[\w./-]+\.(?:svg|csv|json|html)\b", command)]
    return "".join(path.read_text(errors="replace") for path in paths if path.is_file())


class Shell:
    """What stays from command to command."""

    def __init__(self, folder, program):
        self.folder = folder
        self.variables = []
        self.environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def run(self, command, limit):
        if command.startswith("PATH="):
            return None
        if re.match(r"[a-z_]+=", command):
            self.variables.append(command)
            return None
        if command.startswith("cd "):
            self.folder = pathlib.Path(os.path.normpath(self.folder / command[3:].strip()))
            assert self.folder.is_dir(), f"{self.folder} is not a folder"
            return None
        script = "\n".join([*self.variables, command])
        return subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=limit, check=False)


def check(document, program, verbose):
    """Faults of a document's commands, how many ran, and the questions that were answered. A question on a line that
    runs nothing (`cd`) is the next command's."""
    faults, ran, question, answered = [], 0, "", set()
    with tempfile.TemporaryDirectory(prefix="tailback-documents-") as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        (folder / "tests").mkdir()
        shutil.copytree(ROOT / "tests/fixtures/opensm/ft2-16", folder / "tests/fixtures/opensm/ft2-16")
        shell = Shell(folder, program)
        if document != "README.md":
            shell.variables = [c for _, c, _ in commands_of((ROOT / "README.md").read_text()) if c.startswith("fabric=")]
            shell.variables = [v.replace("examples/", f"{folder}/examples/") for v in shell.variables]
        text = (ROOT / document).read_text()
        for line, command, comment in commands_of(text):
            if any(part in command for part in NOT_RUN):
                continue
            codes = re.findall(r"exit code (\d+)( if not)?", comment)
            allowed = {int(code) for code, _ in codes} | ({0} if not codes or codes[0][1] else set())
            question = question_of(comment) or question
            started = time.monotonic()
            try:
                done = shell.run(command, 120)
            except subprocess.TimeoutExpired:
                faults.append(f"{document}:{line}: {command}\n    runs for more than 120 s")
                continue
            except AssertionError as error:
                faults.append(f"{document}:{line}: {command}\n    {error}")
                continue
            if done is None:
                continue
            ran += 1
            seconds = time.monotonic() - started
            if verbose:
                print(f"{seconds:6.1f} s  exit {done.returncode}  {document}:{line}: {command}", flush=True)
            if done.returncode not in allowed:
                faults.append(f"{document}:{line}: {command}\n    exit code {done.returncode}, not "
                              f"{' or '.join(map(str, sorted(allowed)))}: {done.stderr.strip()[-400:]}")
            if question and question not in ANSWERS:
                faults.append(f"{document}:{line}: {command}\n    ANSWERS does not say what answers \"{question}\"")
            elif question:
                answered.add(question)
                told = done.stdout + written(shell.folder, command)
                if not re.search(ANSWERS[question], told):
                    faults.append(f"{document}:{line}: {command}\n    does not answer \"{question}\":\n{told[:1500]}")
            question = ""
    return faults, ran, answered


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("documents", nargs="*")
    asked = parser.parse_args()
    documents = asked.documents or ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]
    faults, ran, answered = [], 0, set()
    for document in documents:
        if document in NOT_READ:
            continue
        more, count, answers = check(document, asked.program.resolve(), asked.verbose)
        faults += more
        answered |= answers
        ran += count
    if not asked.documents:
        faults += [f"ANSWERS has \"{question}\", which no command asks" for question in sorted(ANSWERS.keys() - answered)]
    print("\n".join(faults) or f"{ran} commands of the documents ran as they are printed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
