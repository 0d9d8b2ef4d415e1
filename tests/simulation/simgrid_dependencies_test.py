#!/usr/bin/env python3
"""Fifty random GOAL schedules against SimGrid (Debian: python3-simgrid): messages that wait for others. The time of the
last completion and the mean completion time agree to 1e-9. SimGrid starts a message when those that it waits for have
ended; links and routes are walked through the tables that the program writes (tests/sharing/simgrid_test.py). Exit 77
where SimGrid is not installed, 1 with TAILBACK_REQUIRE_SIMGRID=1.  usage: simgrid_dependencies_test.py PROGRAM"""
import json, multiprocessing, pathlib, random, re, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "sharing"))
from simgrid_test import FLAGS, NETWORKS, SCALE, Tables, run  # ends here where SimGrid is missing
import simgrid

STUDIES_EACH = 10


def simulate(flows, tell):
    """flows: (route, size, numbers of the flows it waits for). In a process of its own: an engine can be made once."""
    engine = simgrid.Engine(["test", "--log=root.thresh:critical"] + [f"--cfg={flag}" for flag in FLAGS])
    zone = simgrid.NetZone.create_full_zone("all")
    links, pairs = {}, []
    for number, (route, _, _) in enumerate(flows):
        pair = [zone.create_host(f"{end}{number}", 1e9) for end in ("from", "to")]
        for link in route:
            if link not in links:
                links[link] = zone.create_link(f"link{len(links)}", SCALE).set_latency(0).seal()
        zone.add_route(pair[0].netpoint, pair[1].netpoint, None, None,
                       [simgrid.LinkInRoute(links[link]) for link in route], False)
        pairs.append(pair)
    master = zone.create_host("master", 1e9)
    zone.seal()
    begun, ended = {}, {}

    def clock():
        return simgrid.Engine.clock if not callable(simgrid.Engine.clock) else engine.clock

    def main():
        going = []
        while len(ended) < len(flows):
            for number, (_, size, needs) in enumerate(flows):
                if number not in begun and all(n in ended for n in needs):
                    begun[number] = clock()
                    going.append((number, simgrid.Comm.sendto_async(*pairs[number], size * SCALE)))
            at = simgrid.Comm.wait_any([comm for _, comm in going])
            ended[going[at][0]] = clock()
            del going[at]

    simgrid.Actor.create("main", master, main)
    engine.run()
    tell.send([(begun[n], ended[n]) for n in range(len(flows))])


def simulated(flows):
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=simulate, args=(flows, there))
    process.start()
    times = here.recv()
    process.join()
    return times


def random_schedule(dice, ranks):
    """Messages (source, destination, size, needs): each waits for some that its source has received, or sent, before."""
    messages = []
    for _ in range(dice.randint(3, 4 * ranks)):
        source, destination = dice.sample(range(ranks), 2)
        own = [n for n, (a, b, _, _) in enumerate(messages) if source in (a, b)]
        needs = dice.sample(own, min(len(own), dice.randint(0, 2)))
        messages.append((source, destination, dice.choice((1, 5, dice.randint(1, 3000))), needs))
    return messages


def goal_text(ranks, messages):
    lines = [[] for _ in range(ranks)]
    for n, (source, destination, size, needs) in enumerate(messages):
        lines[source].append(f"s{n}: send {size}b to {destination} tag {n}")
        lines[destination].append(f"r{n}: recv {size}b from {source} tag {n}")
        for need in needs:
            lines[source].append(f"s{n} requires {'s' if messages[need][0] == source else 'r'}{need}")
    return f"num_ranks {ranks}\n" + "".join(
        f"rank {r} {{\n" + "".join(line + "\n" for line in lines[r]) + "}\n" for r in range(ranks))


def main(program):
    worst, studies = 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for spec, routing in NETWORKS:
            net = folder / re.sub(r"\W", "-", spec)
            run(program, "generate", spec, "--routing", routing, "--output", str(net))
            tables = Tables(net)
            for seed in range(STUDIES_EACH):
                dice = random.Random(f"{spec} schedule {seed}")
                hosts = dice.sample(sorted(tables.hosts), min(len(tables.hosts), dice.randint(3, 12)))
                messages = random_schedule(dice, len(hosts))
                (folder / "some.goal").write_text(goal_text(len(hosts), messages))
                (folder / "mapping").write_text(" ".join(map(str, hosts)) + "\n")
                report = json.loads(run(
                    program, "evaluate", "--network", str(net / "ibnetdiscover.out"), "--tables",
                    str(net / "opensm-lfts.dump"), "--capacities", "unit", "--traffic", f"{folder}/some.goal",
                    "--time", "--mapping", f"file:{folder}/mapping", "--format", "json"))
                unit = 8 / (report["network"]["base_rate_gbps"] * 1e9)
                times = simulated([(tables.route(hosts[a], hosts[b]), size, needs) for a, b, size, needs in messages])
                for name, want in (("makespan", max(end for _, end in times)),
                                   ("completion_time", sum(end - begin for begin, end in times) / len(times))):
                    off = abs(report["metrics"][name]["mean"] / unit / want - 1)
                    worst = max(worst, off)
                    if off > 1e-9:
                        sys.exit(f"{spec}, schedule {seed}: {name} is {report['metrics'][name]['mean'] / unit}, "
                                 f"SimGrid says {want}")
                studies += 1
    print(f"{studies} schedules agree with SimGrid {simgrid.simgrid_version}; at most {worst:.1e} off")


if __name__ == "__main__":
    main(sys.argv[1])
