#!/usr/bin/env python3
"""Damaged dumps, which `tailback improve` mends or refuses: judged here from the two files alone.

Tables that are missing, entries that lead round, nowhere, or to ports without a cable, cables that are gone, files
that are cut. Whatever it writes delivers no pair less than before, and all that a way exists for; no links wait for
each other in a circle. Nothing is written (exit code 1) only where links wait so in the input and few entries may change.
usage: damaged_tables_test.py --program PROGRAM [--rounds N]"""
import argparse, graphlib, pathlib, random, re, subprocess, tempfile

NETWORKS = [("xgft:m=4x4x2,w=1x3x2", "minhop"), ("torus:3x4,hosts=2", "updn"), ("dragonfly:a=3,p=2,h=1", "minhop"),
            ("jellyfish:switches=9,degree=4,hosts=2", "sssp"), ("hyperx:3x3,hosts=2", "minhop")]


def cables(text):
    """{(node, port): (node, port)}, {lid of a host: its GUID}"""
    far, lids, node = {}, {}, None
    for line in text.splitlines():
        if head := re.match(r'(?:Ca|Switch)\s+\d+ "([HS]-\w+)"', line): node = head[1]
        elif end := re.match(r'\[(\d+)\].*?"([HS]-\w+)"\[(\d+)\]', line):
            far[node, int(end[1])] = end[2], int(end[3])
            if node[0] == "H" and (lid := re.search(r"# lid (\d+)", line)): lids[int(lid[1])] = node
    return far, lids


def entries(text):
    """{switch: {lid: port}}"""
    tables, own = {}, {}
    for line in text.splitlines():
        if head := re.match(r"Unicast lids .*guid 0x(\w+)", line): own = tables["S-" + head[1]] = {}
        elif entry := re.match(r"0x(\w+) (\d+)", line): own[int(entry[1], 16)] = int(entry[2])
    return tables


def judge(far, lids, tables):
    """Pairs delivered, and the channels that wait for each other."""
    delivered, waits = set(), {}
    for source in lids.values():
        for lid, target in lids.items():
            if source == target: continue
            way, at = [(source, 1)], far.get((source, 1))
            while at and at[0][0] == "S" and len(way) < 99:
                channel = at[0], tables.get(at[0], {}).get(lid)
                way, at = way + [channel], far.get(channel)
            if not at or at[0] != target: continue
            delivered.add((source, target))
            for before, behind in zip(way, way[1:]): waits.setdefault(before, set()).add(behind)
    return delivered, waits


def has_circle(waits):
    try:
        list(graphlib.TopologicalSorter(waits).static_order())
    except graphlib.CycleError:
        return True
    return False


def joined(far, lids):
    """Pairs that some way through switches joins."""
    found = set()
    for source in lids.values():
        todo, seen = [source], {source}
        for node in todo:
            for (at, _), (there, _) in far.items():
                if at == node and there not in seen and (node == source or node[0] == "S"):
                    seen.add(there), todo.append(there)
        found |= {(source, target) for target in lids.values() if target in seen and target != source}
    return found


def damage(draw, net, tables):
    """Both texts with some faults, and whether a file is cut in the middle of a line."""
    head = re.compile(r"(?=^Unicast lids)", re.M)
    for _ in range(draw.randint(1, 4)):
        sections, kind = head.split(tables), draw.randint(0, 4)
        at = draw.randrange(1, len(sections))
        if kind == 0: del sections[at]
        elif kind in (1, 2):
            lines = sections[at].splitlines(True)
            for n in draw.sample(range(1, len(lines)), min(6, len(lines) - 1)):
                lines[n] = "" if kind == 1 else re.sub(r" \d{3} ", f" {draw.randint(1, 12):03} ", lines[n], count=1)
            sections[at] = "".join(lines)
        elif kind == 3 and (ends := re.findall(r'^\[\d+\]\s*"S-.*\n', net, re.M)):
            gone = draw.choice(ends)
            here = re.findall(r'^Switch.*?"(S-\w+)"', net[:net.index(gone)], re.M)[-1]
            port, back = re.match(r"\[(\d+)\]", gone)[1], re.search(r'"S-\w+"\[(\d+)\]', gone)[1]
            net = "".join(line for line in net.splitlines(True) if line != gone and
                          not (line.startswith(f"[{back}]") and f'"{here}"[{port}]' in line))
        tables = "".join(sections)
    if is_cut := draw.random() < 0.2: tables = tables[:draw.randrange(len(tables) // 2, len(tables))]
    return net, tables, is_cut


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--program", required=True)
    words.add_argument("--rounds", type=int, default=8)
    choice = words.parse_args()
    mended = refused = kept = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for spec, routing in NETWORKS:
            subprocess.run([choice.program, "generate", spec, "--routing", routing, "--quiet", "--output", folder / "x"],
                           check=True, capture_output=True)
            whole = [(folder / "x" / file).read_text() for file in ("ibnetdiscover.out", "opensm-lfts.dump")]
            for seed in range(choice.rounds):
                draw = random.Random(f"{spec} {seed}")
                net, tables, is_cut = damage(draw, *whole)
                (folder / "net").write_text(net), (folder / "lfts").write_text(tables)
                (folder / "out").unlink(missing_ok=True)
                done = subprocess.run([choice.program, "improve", "--network", folder / "net", "--tables",
                                       folder / "lfts", "--threads", "1", "--quiet", "--output", folder / "out",
                                       *draw.choice([["--moves", "5k", "--orders", "10"], ["--changes", "20"]])],
                                      capture_output=True, text=True)
                where = f"{spec} {seed}: {done.args[9:]}\n{done.stderr}"
                assert done.returncode in (0, 1, 2), where
                if done.returncode == 2:
                    assert is_cut and "cut off" in done.stderr and not (folder / "out").exists(), where
                    refused += 1
                    continue
                far, lids = cables(net)
                before, waits = judge(far, lids, entries(tables))
                if done.returncode == 1:
                    assert "--changes" in done.args and not (folder / "out").exists() and has_circle(waits), where
                    kept += 1
                    continue
                after, waits = judge(far, lids, entries((folder / "out").read_text()))
                assert len(after) >= len(before), f"{len(after)} < {len(before)} {where}"
                assert "--changes" in done.args or after == joined(far, lids), where
                assert not has_circle(waits), where
                mended += len(after) > len(before)
    print(f"{mended} mended, {refused} refused, {kept} not free with so few entries")
    assert mended >= choice.rounds, "too few of them had faults"


main()
