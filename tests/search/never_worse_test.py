#!/usr/bin/env python3
"""`tailback improve` is never worse than its input, nor than what a routing gives on the same lanes.

Families of networks x routings to begin with x one lane, eight, a failed cable, a link more: no pair is lost, what was
free stays free, and bandwidth by formula is no less than that of the input and of every routing's tables that keep what
was asked for. What was written is judged by `audit`, which does not know the search.
usage: never_worse_test.py --program PROGRAM [--all] [--network SPEC ..]"""
import argparse, json, pathlib, subprocess, tempfile

FEW = ["ring:n=7", "torus:3x3x3", "mesh:3x4", "dragonfly+:leaves=2,p=2,h=2",
       "nesttree:torus=2x2x2,uplinks=2,m=2x2,w=1x2", "xgft:m=3x3,w=1x2"]
ALL = FEW + ["xgft:m=4x4,w=1x4", "kary-ntree:k=2,n=3", "mport-ntree:m=4,n=3", "thintree:k=4,up=2,n=2",
             "clos:radix=8,levels=2,taper=1", "rail:gpus=2,nodes=4,groups=2", "torus:4x4,hosts=2", "torus:6x6",
             "twisted-torus:6x3", "midimew:13", "triangular-torus:4x4", "hypercube:n=4", "hyperx:3x3,hosts=3",
             "fully-connected:n=5,hosts=3", "dragonfly:a=4,p=2,h=2", "dragonfly:a=2,p=2,h=1", "slimfly:q=3",
             "polarfly:q=3", "jellyfish:switches=12,degree=4,hosts=2", "star:n=4,hosts=3", "crossbar:8",
             "nestghc:torus=2x2x2,uplinks=2,sizes=2x2,each=2"]
ROUTINGS = [None, "bfs", "random", "minhop", "updn", "ftree", "sssp", "dfsssp", "dmodk", "minimal", "dor:ties=parity"]
VARIANTS = [["--lanes", "1"], ["--lanes", "8"], ["--fail-cables", "switch:1"], ["--slack", "1"]]
ROUNDING = 2e-6  # of numbers in JSON


def report(program, *words):
    done = subprocess.run([program, *map(str, words), "--quiet", "--format", "json"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 2), (words, done.stderr)
    return json.loads(done.stdout) if done.returncode < 2 else None


def judged(program, network, tables):
    """Pairs delivered, free on one lane, bandwidth by formula."""
    audit = report(program, "audit", "--network", network, "--tables", tables, "--path-sl", "none", "--bound", "none")
    return audit["pairs"]["delivered"], audit["deadlock"]["free"], audit["bisection"]["expected"]


def check(program, folder, spec, routing, variant, tried):
    """None: the network has no such routing; else what is wrong."""
    failed = variant if variant[0] == "--fail-cables" else []
    input = [spec, *(["--routing", routing] if routing else []), *failed]
    found = report(program, "improve", *input, *([] if failed else variant), "--moves", "50k", "--orders", "20",
                   "--threads", "1", "--capacities", "unit", "--output", folder / "out")
    if found is None: return None
    lanes = 8 if variant == ["--lanes", "8"] else 1
    before, after = found["before"], found["after"]
    delivered, is_free, bandwidth = judged(program, folder / "x" / "ibnetdiscover.out", folder / "out")
    fits = before["deadlock_free"] and before["lanes"] <= lanes and before["pairs_not_delivered"] == 0
    best = max((one["bandwidth"] for one in tried["routings"] if one["bandwidth"] and not one["pairs_not_delivered"] and
                one["routing"] != "as they are" and (one["deadlock_free"] or lanes == 8)), default=0)
    improved = found["outcome"] == "improved"
    wrong = {"pairs lost": after["pairs_not_delivered"] > before["pairs_not_delivered"],
             "audit tells of other pairs": delivered != after["pairs"] - after["pairs_not_delivered"],
             "not free": (improved or before["deadlock_free"]) and not after["deadlock_free"],
             "more lanes than asked for": improved and after["lanes"] > lanes,
             "audit: not free": improved and lanes == 1 and not is_free,
             "less bandwidth than before": fits and before["expected_bandwidth"] is not None and
             (bandwidth is None or bandwidth < before["expected_bandwidth"] - ROUNDING),
             f"less bandwidth than a routing's {best}": best > 0 and found["outcome"] != "refused" and
             (bandwidth is None or bandwidth < best - ROUNDING)}
    return [f"{what}: {bandwidth}" for what, is_so in wrong.items() if is_so]


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--program", required=True)
    words.add_argument("--all", action="store_true")
    words.add_argument("--network", action="append")
    choice = words.parse_args()
    count, faults = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for spec in choice.network or (ALL if choice.all else FEW):
            for variant in VARIANTS:
                failed = variant if variant[0] == "--fail-cables" else []
                made = subprocess.run([choice.program, "generate", spec, "--routing", "bfs", *failed, "--quiet",
                                       "--output", folder / "x"], capture_output=True, text=True)
                if failed and "cannot fail" in made.stderr: continue  # it has no cable between switches
                assert made.returncode == 0, made.stderr
                tried = report(choice.program, "audit", spec, "--try-routings", *failed)
                for routing in ROUTINGS if choice.all or choice.network else ROUTINGS[:3] + ["dfsssp"]:
                    wrong = check(choice.program, folder, spec, routing, variant, tried)
                    count += wrong is not None
                    for one in wrong or []:
                        faults.append(f"{spec} {routing} {' '.join(variant)}: {one}")
                        print(faults[-1], flush=True)
    print(f"{count} searches, {len(faults)} faults")
    assert count > 20 and not faults


main()
