#!/usr/bin/env python3
"""Orders of ranks on meshes beside those of Scotch's static mapping (Pellegrini; Debian: apt-get install scotch).

Both get the same drawn matrices, and this adds up the hop-bytes of both: of no matrix those of `tailback place` may be
more, and over all they are less. Exit 77 where scotch_gmap is not installed.  usage: scotch_witness_test.py PROGRAM"""
import json, pathlib, random, shutil, subprocess, sys, tempfile

scotch = shutil.which("scotch_gmap")
if not scotch:
    print("scotch test skipped: no scotch_gmap (Debian: apt-get install scotch)")
    sys.exit(77)


def matrix_of(kind, ranks, draw):
    """Bytes from rank to rank, the same both ways."""
    bytes_ = [[0] * ranks for _ in range(ranks)]
    names = list(range(ranks))
    draw.shuffle(names)
    for a in range(ranks):
        for b in range(a):
            if kind == "drawn":
                weight = draw.choice([0, 0, 0, 1, 2, 3, 5, 10])
            else:  # a chain of squares whose names are drawn
                weight = draw.randint(50, 100) if a - b in (1, 5) else 0
            bytes_[names[a]][names[b]] = bytes_[names[b]][names[a]] = weight
    return bytes_


def hop_bytes(bytes_, place, columns):
    def hops(a, b):
        return abs(place[a] % columns - place[b] % columns) + abs(place[a] // columns - place[b] // columns)
    return sum(w * hops(a, b) for a, row in enumerate(bytes_) for b, w in enumerate(row) if w)


def by_scotch(bytes_, columns, rows, folder):
    ranks = len(bytes_)
    arcs = [[(b, w) for b, w in enumerate(row) if w] for row in bytes_]
    lines = ["0", f"{ranks} {sum(map(len, arcs))}", "0 010"]
    lines += [" ".join([str(len(row)), *(f"{w} {b}" for b, w in row)]) for row in arcs]
    (folder / "graph").write_text("\n".join(lines) + "\n")
    (folder / "target").write_text(f"mesh2D {columns} {rows}\n")
    subprocess.run([scotch, folder / "graph", folder / "target", folder / "map", "-b0"], check=True)
    place = {}
    for line in (folder / "map").read_text().splitlines()[1:]:
        rank, where = map(int, line.split())
        place[rank] = where
    return place


def by_tailback(bytes_, columns, rows, folder):
    (folder / "matrix").write_text("\n".join(" ".join(map(str, row)) for row in bytes_) + "\n")
    done = subprocess.run([sys.argv[1], "place", f"mesh:{columns}x{rows}", "--traffic", folder / "matrix", "--goal",
                           "hop-bytes", "--moves", "1M", "--random-orders", "0", "--format", "json", "--quiet"],
                          check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    return {one["rank"]: one["place"] for one in found["ranks"]}, found["orders"][-1]["value"]


draw, sums = random.Random(1), [0, 0]
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for columns, rows in (4, 3), (5, 4), (6, 5), (7, 6):
        for kind in "drawn", "chain":
            bytes_ = matrix_of(kind, columns * rows, draw)
            theirs = by_scotch(bytes_, columns, rows, folder)
            ours, told = by_tailback(bytes_, columns, rows, folder)
            for place in theirs, ours:
                assert sorted(place.values()) == list(range(columns * rows)), place
            cost = [hop_bytes(bytes_, place, columns) for place in (ours, theirs)]
            print(f"{kind} {columns}x{rows}: tailback {cost[0]}, Scotch {cost[1]}")
            assert cost[0] == told, (cost, told)
            assert cost[0] <= cost[1], cost
            sums = [sums[0] + cost[0], sums[1] + cost[1]]
assert sums[0] < sums[1], sums
print(f"together: tailback {sums[0]}, Scotch {sums[1]} ({100 * sums[1] / sums[0] - 100:.1f} % more)")
