#!/usr/bin/env python3
"""The least largest load of small networks, proven, against what `tailback improve` finds with its default budgets.

Tables of shortest routes (one port a switch and destination) are an integer program, which HiGHS solves; the network is
read from what `tailback generate` writes, nothing else is shared with the program.
Exit 77 where scipy is not installed.  usage: exact_loads_test.py PROGRAM [--all]"""
import collections, json, pathlib, subprocess, sys, tempfile

try:
    import numpy
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_matrix
except ImportError:
    print("test skipped: no module scipy for this python3 (Debian: apt-get install python3-scipy)")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from bound_witness_test import read  # of what `tailback generate` writes

# Those of a few seconds first; cables that fail between switches; what an integer program has proven before, if any.
CASES = [("xgft:m=3x3,w=1x2", 0, 0, 9), ("mesh:3x3", 0, 0, 6), ("ring:7", 0, 0, 6), ("hypercube:3", 0, 0, 4),
         ("xgft:m=4x4,w=1x4", 1, 1, 16), ("ring:5", 0, 0, None), ("ring:6", 0, 0, None), ("mesh:2x3", 0, 0, None),
         ("mesh:4x2", 0, 0, None), ("star:n=4,hosts=2", 0, 0, None), ("xgft:m=2x3,w=1x2", 0, 0, None),
         ("xgft:m=2x4,w=1x3", 0, 0, None), ("hyperx:3x2,hosts=1", 0, 0, None), ("torus:3x3", 0, 0, None),
         ("jellyfish:switches=7,degree=3,hosts=1", 0, 0, None), ("kary-ntree:k=2,n=3", 0, 0, None)]
LONG = [("xgft:m=4x4,w=1x4", 3, 2, 24), ("torus:4x4", 0, 0, 8), ("dragonfly:a=2,p=2,h=1", 0, 0, 18),
        ("torus:3x4", 0, 0, None), ("mesh:3x4", 0, 0, None), ("mesh:3x3", 1, 3, None), ("hypercube:3", 1, 2, None),
        ("torus:3x3", 2, 5, None), ("ring:8", 0, 0, None), ("xgft:m=3x3,w=1x3", 2, 1, None),
        ("jellyfish:switches=8,degree=3,hosts=1,seed=2", 0, 0, None), ("hyperx:3x3,hosts=1", 1, 1, None)]


def least_load(links, hosts, most_seconds):
    """(least that is proven, least that was found)"""
    arcs = [(node, to) for (node, _), to in sorted(links.items())]
    leaving, into = collections.defaultdict(list), collections.defaultdict(list)
    for a, (node, to) in enumerate(arcs): leaving[node].append(a), into[to].append(a)
    chosen, flow, row = {}, {}, []  # by (host, arc): columns

    def column():
        row.append(0)
        return len(row) - 1

    most, rules = column(), []  # (entries, low, high)
    on_arc = collections.defaultdict(list)
    total = sum(hosts.values())
    for target, count in hosts.items():
        far, queue = {target: 0}, [target]
        for node in queue:
            for a in into[node]:
                if arcs[a][0] not in far: far[arcs[a][0]] = far[node] + 1; queue.append(arcs[a][0])
        for host in range(count):
            for node in far:
                if node == target: continue
                down = [a for a in leaving[node] if far[arcs[a][1]] == far[node] - 1]
                for a in down:
                    x, f = chosen[target, host, a], flow[target, host, a] = column(), column()
                    rules.append(([(f, 1), (x, -total)], -numpy.inf, 0))
                    on_arc[a].append((f, 1))
                rules.append(([(chosen[target, host, a], 1) for a in down], 1, 1))
            for node in far:
                if node == target: continue
                out = [(flow[target, host, a], 1) for a in leaving[node] if (target, host, a) in flow]
                back = [(flow[target, host, a], -1) for a in into[node] if (target, host, a) in flow]
                rules.append((out + back, hosts.get(node, 0), hosts.get(node, 0)))
    for flows in on_arc.values(): rules.append((flows + [(most, -1)], -numpy.inf, 0))
    at = [(r, c, v) for r, (entries, _, _) in enumerate(rules) for c, v in entries]
    matrix = coo_matrix(([v for _, _, v in at], ([r for r, _, _ in at], [c for _, c, _ in at])),
                        shape=(len(rules), len(row))).tocsr()
    whole = numpy.zeros(len(row))
    whole[most] = 1
    whole[list(chosen.values())] = 1
    cost = numpy.zeros(len(row))
    cost[most] = 1
    high = numpy.full(len(row), numpy.inf)
    high[list(chosen.values())] = 1
    found = milp(cost, constraints=LinearConstraint(matrix, [low for _, low, _ in rules], [up for _, _, up in rules]),
                 bounds=Bounds(0, high), integrality=whole, options={"time_limit": most_seconds})
    least = int(numpy.ceil(found.mip_dual_bound - 1e-6))
    return least, None if found.x is None else round(found.fun)


def main():
    program, every = sys.argv[1], "--all" in sys.argv
    proven = 0
    for spec, failed, seed, known in CASES + LONG * every:
        fail = ["--fail-cables", f"switch:{failed}", "--fail-seed", str(seed)] * (failed > 0)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "generate", spec, "--routing", "minhop", *fail, "--quiet", "--output", folder],
                           check=True, capture_output=True)
            links, hosts = read(pathlib.Path(folder) / "ibnetdiscover.out")
        done = subprocess.run([program, "improve", spec, "--routing", "minhop", *fail, "--objective", "max-load",
                               "--lanes", "8", "--threads", "1", "--quiet", "--format", "json"],
                              check=True, capture_output=True, text=True)
        ours = json.loads(done.stdout)["after"]["largest_load"]
        least, found = least_load(links, hosts, 300 if every else 60)
        print(f"{spec} {' '.join(fail)}: found {ours}, HiGHS proves {least}, known {known}", flush=True)
        assert least <= ours and (known is None or ours == known), "not the least"
        assert found is None or ours <= found, "HiGHS found less"
        proven += least == ours or known == ours
    print(f"{proven} proven")
    assert proven >= len(CASES) - 3


main()
