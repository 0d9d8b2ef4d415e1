#!/usr/bin/env python3
"""Random damages of real dumps, audited, and judged here from the two files alone by a walk of its own.

Entries that are changed, lost or shifted, tables swapped or lost, cables pulled or exchanged: how many pairs are
delivered, not delivered, go round or reach a wrong host, and at which switch, port and for how many LIDs they end, is
what the audit says, damage for damage.
usage: random_damages_test.py --program PROGRAM [--rounds N] [--seed S] [FOLDER of ibnetdiscover and LFTs, ..]"""
import argparse, collections, json, lzma, pathlib, random, re, subprocess, tempfile

FATES = "unreachable", "loop", "misdelivered"
OPENSM = pathlib.Path(__file__).resolve().parent.parent / "fixtures/opensm"


def cables(lines):
    """{(node, port): (node, port)}, {(host, port): lid}; aggregation nodes of switches are no hosts"""
    far, lids, node, is_host = {}, {}, None, False
    for line in lines:
        if head := re.match(r'(?:Ca|Switch)\s+\d+ "([HS]-\w+)"', line):
            node, is_host = head[1], line.startswith("Ca") and "Aggregation Node" not in line
        elif end := re.match(r'\[(\d+)\].*?"([HS]-\w+)"\[(\d+)\]', line):
            far[node, int(end[1])] = end[2], int(end[3])
            if is_host: lids[node, int(end[1])] = int(re.search(r"\blid (\d+)", line)[1])
    return far, lids


def entries(lines):
    """{switch: {lid: port}}"""
    tables, own = {}, {}
    for line in lines:
        if head := re.match(r"Unicast lids .*guid 0x(\w+)", line): own = tables["S-" + head[1]] = {}
        elif entry := re.match(r"0x(\w+) (\d+)", line): own[int(entry[1], 16)] = int(entry[2])
    return tables


def walk(far, tables, source, target, lid):
    """Its fate, and the switch and port where it ends."""
    (at, _), seen = far.get(source, (None, 0)), set()
    if at is None: return "unreachable", source[0], source[1]
    while at[0] == "S":
        port = tables.get(at, {}).get(lid)
        if port in (None, 0, 255): return "unreachable", at, None
        if (at, port) not in far: return "unreachable", at, port
        if at in seen: return "loop", None, None
        seen.add(at)
        here, (at, end) = (at, port), far[at, port]
    return ("delivered" if (at, end) == target else "misdelivered"), *here


def judge(topology, tables):
    """Pairs by fate; {(fate, switch, port): [pairs, LIDs]}"""
    far, lids = cables(topology)
    tables = entries(tables)
    fates, places = collections.Counter(), collections.defaultdict(lambda: [0, set()])
    for target, lid in lids.items():
        for source in lids:
            if source == target: continue
            fate, *place = walk(far, tables, source, target, lid)
            fates[fate] += 1
            if fate in ("unreachable", "misdelivered"):
                places[fate, *place][0] += 1
                places[fate, *place][1].add(lid)
    return fates, {at: [pairs, len(own)] for at, (pairs, own) in places.items()}


def told(findings, places):
    """The same places of an audit's findings, those behind a cause as well."""
    for finding in findings:
        inner, kind = finding.get("symptoms") or [], finding["kind"]
        if kind in ("unreachable", "misdelivered") and all(one["kind"] != kind for one in inner):
            switch = finding["guid"] and "S-" + finding["guid"][2:].zfill(16)
            place = places.setdefault((kind, switch, finding["port"]), [0, 0])
            place[0] += finding["pairs"]
            place[1] += finding["lid_count"]
        told(inner, places)
    return places


def lines_of_cables(topology):
    """Of cables between switches: the lines of both ends."""
    at, node = {}, None
    for i, line in enumerate(topology):
        if head := re.match(r'(?:Ca|Switch)\s+\d+ "([HS]-\w+)"', line): node = head[1]
        elif end := re.match(r'\[(\d+)\]\s*"(S-\w+)"\[(\d+)\]', line):
            at[node, int(end[1])] = i, (end[2], int(end[3]))
    return [(i, at[far][0]) for near, (i, far) in at.items() if near[0][0] == "S" and near < far]


def damage_entries(draw, topology, tables):
    for i in draw.sample([i for i, line in enumerate(tables) if line.startswith("0x")], draw.randint(1, 20)):
        tables[i] = f"{tables[i][:7]}{draw.choice([0, 255, *range(1, 37)]):03d}{tables[i][10:]}"


def lose_entries(draw, topology, tables):
    for i in draw.sample([i for i, line in enumerate(tables) if line.startswith("0x")], draw.randint(1, 20)):
        tables[i] = ""


def tables_in(tables):
    return [i for i, line in enumerate(tables) if line.startswith("Unicast")]


def shift_ports(draw, topology, tables):
    for i in range(draw.choice(tables_in(tables)) + 1, len(tables)):
        if tables[i].startswith("Unicast"): break
        if tables[i].startswith("0x") and (port := int(tables[i][7:10])) > 0:
            tables[i] = f"{tables[i][:7]}{port % 36 + 1:03d}{tables[i][10:]}"


def swap_tables(draw, topology, tables):
    a, b = draw.sample(tables_in(tables), 2)
    tables[a], tables[b] = tables[b], tables[a]


def lose_table(draw, topology, tables):
    first = draw.choice(tables_in(tables))
    behind = [i for i in tables_in(tables) if i > first]
    del tables[first:min(behind, default=len(tables))]


def pull_cables(draw, topology, tables):
    ends = lines_of_cables(topology)
    for i in sum(draw.sample(ends, draw.randint(1, min(6, len(ends)))), ()): topology[i] = ""


def exchange_cables(draw, topology, tables):
    """The far ends of two."""
    (a, b), (c, d) = draw.sample(lines_of_cables(topology), 2)
    for i, k in (a, c), (b, d):
        (port, far), (other_port, other_far) = (topology[j].split('"', 1) for j in (i, k))
        topology[i], topology[k] = f'{port}"{other_far}', f'{other_port}"{far}'


DAMAGES = [damage_entries, lose_entries, shift_ports, swap_tables, lose_table, pull_cables, exchange_cables]


def differences(program, folder, topology, tables):
    for name, lines in ("net", topology), ("lft", tables): (folder / name).write_text("\n".join(lines) + "\n")
    done = subprocess.run([program, "audit", "--network", folder / "net", "--tables", folder / "lft", "--format", "json",
                           "--quiet"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    audit = json.loads(done.stdout)
    fates, places = judge(topology, tables)
    here = {fate: fates[fate] for fate in ("delivered", *FATES)}
    there = {fate: audit["pairs"][fate] for fate in here}
    found = told(audit["findings"], {})
    return [(at, here.get(at), there.get(at)) for at in here if here[at] != there[at]] + \
           [(at, places.get(at), found.get(at)) for at in {*places, *found} if places.get(at) != found.get(at)]


parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--rounds", type=int, default=28)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("folders", nargs="*", default=[OPENSM / "ft2-16/minhop", OPENSM / "dragonfly-a4p2h2/minhop"])
wanted = parser.parse_args()
failed, harmful = 0, 0
for of in map(pathlib.Path, wanted.folders):
    files = [lzma.open(of / name, "rt").read().splitlines() for name in ("ibnetdiscover.out.xz", "opensm-lfts.dump.xz")]
    draw = random.Random(wanted.seed)
    with tempfile.TemporaryDirectory() as name:
        for round_ in range(wanted.rounds):
            topology, tables = map(list, files)
            damages = [DAMAGES[round_ % len(DAMAGES)], *draw.sample(DAMAGES, draw.choice([0, 0, 1]))]
            for damage in damages: damage(draw, topology, tables)
            wrong = differences(wanted.program, pathlib.Path(name), topology, tables)
            failed += bool(wrong)
            harmful += judge(topology, tables)[0]["delivered"] < judge(*files)[0]["delivered"]
            if wrong: print(of, f"round {round_},", *(one.__name__ for one in damages), *wrong[:4], sep="\n    ")
print(f"{wanted.rounds * len(wanted.folders)} damages, {harmful} of which cost pairs: {failed} judged otherwise")
assert harmful > 0 and failed == 0
