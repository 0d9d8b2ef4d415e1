#!/usr/bin/env python3
"""Bounds of random networks against linear programs of HiGHS, and certificates against a checker of its own.

Nothing is shared with the program: networks are read from what `tailback generate` writes, and the least possible
largest load of divided flows is a linear program of scipy. `audit --bound` must be no larger than its optimum, and
within one part in a thousand of it. So is the least time of an all-to-all. A certificate is added up again from the
network and its prices alone.
Exit 77 where scipy is not installed.  usage: bound_witness_test.py PROGRAM"""
import collections, csv, fractions, heapq, json, pathlib, random, re, subprocess, sys, tempfile

try:
    import numpy
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix
except ImportError:
    print("bound test skipped: no module scipy for this python3 (Debian: apt-get install python3-scipy)")
    sys.exit(77)

SPECS = ["xgft:m=4x4,w=1x4", "xgft:m=3x4x3,w=1x2x3", "torus:4x4,hosts=2", "mesh:4x3", "ring:9", "hypercube:4",
         "dragonfly:a=4,p=2,h=2", "hyperx:3x3,hosts=3", "jellyfish:switches=12,degree=4,hosts=2,seed=5",
         "kary-ntree:k=3,n=3"]


def read(path):
    """Switches, hosts at each, and the links between switches as (from, port, to), of an ibnetdiscover file."""
    links, hosts, node = {}, collections.Counter(), None
    for line in path.read_text().splitlines():
        if header := re.match(r'(Ca|Switch)\s+\d+\s+"([^"]+)"', line):
            node = header[2]
        elif cable := re.match(r'\[(\d+)\][^"]*"([^"]+)"\[(\d+)\]', line):
            if node.startswith("S-") and cable[2].startswith("S-"):
                links[node, int(cable[1])] = cable[2]
            elif node.startswith("S-"):
                hosts[node] += 1
    return links, hosts


def distances(links, price, to):
    """Least sums of prices to a switch."""
    into = collections.defaultdict(list)
    for (node, port), next_one in links.items():
        into[next_one].append((node, price[node, port]))
    away, queue = {}, [(0, to)]
    while queue:
        far, node = heapq.heappop(queue)
        if node in away:
            continue
        away[node] = far
        for other, cost in into[node]:
            heapq.heappush(queue, (far + cost, other))
    return away


def recomputed(path, certificate):
    """The bound that a certificate proves, in one pass."""
    links, hosts = read(path)
    lines = certificate.read_text().splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    price = dict.fromkeys(links, 0)
    price |= {("S-" + row["from_guid"][2:], int(row["from_port"])): int(row["price"]) for row in rows}
    # With shortest routes a link more costs more than all prices together.
    more = sum(price.values()) + 1 if head["routes"] == "shortest" else 0
    total = 0
    for to, count in hosts.items():
        for node, far in distances(links, {link: one + more for link, one in price.items()}, to).items():
            total += count * hosts[node] * (far % more if more else far)
    assert total == int(head["sum of demand x priced distance"]), head
    assert sum(price.values()) == int(head["sum of price x capacity"]), head
    bound = fractions.Fraction(total, sum(price.values()))
    assert bound == fractions.Fraction(head["bound"]), (bound, head)
    return bound


def optimum(path, shortest):
    """The linear program: flows to every switch, by source, conserve; no link has more than the largest load."""
    links, hosts = read(path)
    nodes = sorted({node for node, _ in links} | set(hosts))
    all_links = sorted(links)
    names = {}  # (destination, link) -> column; 0 is the largest load
    rows, columns, values, right = [], [], [], []
    above_rows, above_columns, above_values = [], [], []
    for to in sorted(hosts):
        away = distances(links, dict.fromkeys(links, 1), to)
        for number, link in enumerate(all_links):
            if shortest and away[link[0]] != away[links[link]] + 1 or link[0] == to:
                continue
            column = names[to, link] = len(names) + 1
            above_rows.append(number), above_columns.append(column), above_values.append(1)
        for node in nodes:
            if node == to:
                continue
            for link in all_links:
                if (to, link) in names and node in (link[0], links[link]):
                    rows.append(len(right)), columns.append(names[to, link])
                    values.append(1 if link[0] == node else -1)
            right.append(hosts[node] * hosts[to])
    for number in range(len(all_links)):
        above_rows.append(number), above_columns.append(0), above_values.append(-1)
    width = len(names) + 1
    cost = numpy.zeros(width)
    cost[0] = 1
    found = linprog(cost, coo_matrix((above_values, (above_rows, above_columns)), (len(all_links), width)),
                    numpy.zeros(len(all_links)), coo_matrix((values, (rows, columns)), (len(right), width)), right,
                    method="highs")
    assert found.status == 0, found.message
    return found.fun


def exchange_optimum(cables, hosts):
    """All-to-all of hosts over cables that each carry 1 both ways: every host sends every other 1, by any ways."""
    nodes = sorted({end for cable in cables for end in cable})
    links = [(a, b) for a, b in cables] + [(b, a) for a, b in cables]
    width = len(hosts) * len(links) + 1  # by destination and link; the last is the time
    rows, columns, values, right = [], [], [], []
    for number, to in enumerate(hosts):
        for node in nodes:
            if node == to:
                continue
            for place, (a, b) in enumerate(links):
                if node in (a, b):
                    rows.append(len(right)), columns.append(number * len(links) + place)
                    values.append(1 if a == node else -1)
            right.append(1 if node in hosts else 0)
    above = [(place, number * len(links) + place, 1) for number in range(len(hosts)) for place in range(len(links))]
    above += [(place, width - 1, -1) for place in range(len(links))]
    cost = numpy.zeros(width)
    cost[-1] = 1
    where = numpy.array(above)
    found = linprog(cost, coo_matrix((where[:, 2], (where[:, 0], where[:, 1])), (len(links), width)),
                    numpy.zeros(len(links)), coo_matrix((values, (rows, columns)), (len(right), width)), right,
                    method="highs")
    assert found.status == 0, found.message
    return found.fun


def exchanges(program, folder):
    """The bound of an all-to-all, by the program, of random cabling with hosts of one adapter or more."""
    dice, most = random.Random(3), 0
    for case in range(12):
        switches, nodes, rails = dice.randrange(2, 7), dice.randrange(3, 8), dice.choice([1, 1, 2])
        cables = [(f"s{k}", f"s{dice.randrange(k)}") for k in range(1, switches)]
        cables += [tuple(f"s{k}" for k in dice.sample(range(switches), 2)) for _ in range(dice.randrange(0, 6))]
        cables += [(f"n{n} a{rail}", f"s{dice.randrange(switches)}") for n in range(nodes) for rail in range(rails)]
        ports, lines = collections.Counter(), ["From,From Port,To,To Port"]
        for ends in cables:
            words = []
            for end in ends:
                ports[end] += 1
                words += end.split() if " " in end else [end, f"Port {ports[end]}"]
            lines.append(",".join(words))
        plan = folder / f"exchange{case}.csv"
        plan.write_text("\n".join(lines) + "\n")
        algorithm = "pxn" if rails > 1 else "pairwise"
        done = subprocess.run([program, "evaluate", "--network", plan, "--routing", "minhop", "--ranks-per-node",
                               str(rails), "--pattern", f"alltoall:algorithm={algorithm},size=1000", "--time",
                               "--format", "json"], capture_output=True)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)["metrics"]["makespan"]["collective"]
        node_of = lambda end: end.split()[0]
        joined = [(node_of(a), node_of(b)) for a, b in cables]
        best = exchange_optimum(joined, [f"n{n}" for n in range(nodes)]) * rails * rails * 1000
        assert told["least_time"] <= best * (1 + 1e-7), (cables, told, best)
        assert told["least_time"] * (1 + told["gap_of_cables"]) >= best * (1 - 1e-7), (cables, told, best)
        assert told["share_of_cables"] <= 1 + 1e-9, told
        most = max(most, best / told["least_time"] - 1)
    print(f"12 all-to-alls: bounds are at most {most:.3%} below the optimum")
    assert most <= 1e-3, most


def main(program):
    dice, most = random.Random(7), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        exchanges(program, folder)
        for case in range(30):
            spec, cables = SPECS[case % len(SPECS)], dice.randrange(3)
            failed = ["--fail-cables", f"switch:{cables}", "--fail-seed", str(case)] if cables else []
            subprocess.run([program, "generate", spec, "--routing", "minhop", *failed, "--output", folder / str(case)],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            network = folder / str(case) / "ibnetdiscover.out"
            for routes in "shortest", "any":
                certificate = folder / f"{case}.{routes}.csv"
                done = subprocess.run([program, "audit", "--network", network, "--tables",
                                       folder / str(case) / "opensm-lfts.dump", "--path-sl", "none", "--bound", routes,
                                       "--certificate", certificate, "--format", "json"], capture_output=True)
                assert done.returncode in (0, 1), done.stderr
                told = json.loads(done.stdout)["bound"]
                bound, best = recomputed(network, certificate), optimum(network, routes == "shortest")
                assert fractions.Fraction(told["divided"]["fraction"]) == bound, (spec, told)
                assert bound <= best * (1 + 1e-7), (spec, failed, routes, float(bound), best)
                assert told["divided"]["found"] >= best * (1 - 1e-7), (spec, failed, routes, told, best)
                most = max(most, best / bound - 1)
    print(f"30 networks: bounds are at most {most:.2%} below the optimum, certificates add up")
    assert most <= 1e-3, most


if __name__ == "__main__":
    main(sys.argv[1])
