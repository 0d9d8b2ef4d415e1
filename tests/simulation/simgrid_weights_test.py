#!/usr/bin/env python3
"""Fifty random studies of flows with weights against SimGrid (Debian: python3-simgrid). There a flow's share is in
proportion to 1 / the latency of its route, so every flow gets a link of its own whose latency is a second over its
weight; flows take ten million seconds and more, so that the delay is below 1e-7 of their times. (SimGrid's lazy
updates miss that shares change when latencies are over: they are turned off.)
Exit 77 where SimGrid is not installed, 1 with TAILBACK_REQUIRE_SIMGRID=1.  usage: simgrid_weights_test.py PROGRAM"""
import json, multiprocessing, pathlib, random, re, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "sharing"))
from simgrid_test import FLAGS, NETWORKS, SCALE, Tables, run  # ends here where SimGrid is missing
import simgrid

STUDIES_EACH = 10
MORE_FLAGS = ["network/latency-factor:1", "network/optim:Full"]
LONG = 10_000_000  # sizes are so much larger


def simulate(flows, tell):
    """flows: (route, size, weight). In a process of its own: an engine can be made once."""
    engine = simgrid.Engine(["test", "--log=root.thresh:critical"] + [f"--cfg={flag}" for flag in FLAGS + MORE_FLAGS])
    zone = simgrid.NetZone.create_full_zone("all")
    links, ends = {}, []
    for number, (route, _, weight) in enumerate(flows):
        for link in route:
            if link not in links:
                links[link] = zone.create_link(f"link{len(links)}", SCALE).set_latency(0).seal()
        own = zone.create_link(f"own{number}", 1e6 * SCALE).set_latency(1 / weight).seal()
        pair = [zone.create_host(f"{end}{number}", 1e9) for end in ("from", "to")]
        zone.add_route(pair[0].netpoint, pair[1].netpoint, None, None,
                       [simgrid.LinkInRoute(link) for link in [links[link] for link in route] + [own]], False)
        ends.append(pair)
    master = zone.create_host("master", 1e9)
    zone.seal()
    times = [None] * len(flows)

    def main():
        going = [simgrid.Comm.sendto_async(*pair, size * LONG * SCALE) for pair, (_, size, _) in zip(ends, flows)]
        waiting = list(range(len(going)))
        while waiting:
            at = simgrid.Comm.wait_any([going[i] for i in waiting])
            times[waiting[at]] = (simgrid.Engine.clock if not callable(simgrid.Engine.clock) else engine.clock) / LONG
            del waiting[at]

    simgrid.Actor.create("main", master, main)
    engine.run()
    tell.send(times)


def simulated(flows):
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=simulate, args=(flows, there))
    process.start()
    times = here.recv()
    process.join()
    return times


def main(program):
    worst, studies = 0, 0
    weights = {"one": 1, "two": 2, "five": 5}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for spec, routing in NETWORKS:
            net = folder / re.sub(r"\W", "-", spec)
            run(program, "generate", spec, "--routing", routing, "--output", str(net))
            tables = Tables(net)
            for seed in range(STUDIES_EACH):
                dice = random.Random(f"{spec} weights {seed}")
                hosts = dice.sample(sorted(tables.hosts), min(len(tables.hosts), dice.randint(3, 16)))
                flows = [(*dice.sample(range(len(hosts)), 2), dice.choice((1, 7, dice.randint(1, 500))),
                          dice.choice(list(weights))) for _ in range(dice.randint(2, 3 * len(hosts)))]
                (folder / "flows").write_text(f"ranks {len(hosts)}\nlevel\n" + "".join(
                    f"class {name}\n{a} {b} {size}\n" for a, b, size, name in flows))
                (folder / "mapping").write_text(" ".join(map(str, hosts)) + "\n")
                used = sorted({name for _, _, _, name in flows})
                report = json.loads(run(
                    program, "evaluate", "--network", str(net / "ibnetdiscover.out"), "--tables",
                    str(net / "opensm-lfts.dump"), "--capacities", "unit", "--pattern", f"file:{folder}/flows",
                    "--mapping", f"file:{folder}/mapping", "--priority",
                    ",".join(f"{name}=weight:{weights[name]}" for name in used), "--format", "json"))
                unit = 8 / (report["network"]["base_rate_gbps"] * 1e9)
                if report["study"].get("congestion_unit") != "seconds":
                    unit = 1
                times = simulated([(tables.route(hosts[a], hosts[b]), size, weights[name])
                                   for a, b, size, name in flows])
                for name, want in (("makespan", max(times)), ("completion_time", sum(times) / len(times))):
                    got = report["metrics"][name]["mean"] / unit
                    off = abs(got / want - 1)
                    worst = max(worst, off)
                    if off > 1e-7:
                        sys.exit(f"{spec}, study {seed}: {name} is {got}, SimGrid says {want}")
                studies += 1
    print(f"{studies} studies agree with SimGrid {simgrid.simgrid_version}; at most {worst:.1e} off")


if __name__ == "__main__":
    main(sys.argv[1])
