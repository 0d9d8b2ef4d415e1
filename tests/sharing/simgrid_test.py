#!/usr/bin/env python3
"""A hundred random studies against SimGrid (Debian: python3-simgrid): the time of the last completion and the mean
completion time agree to 1e-9. SimGrid gets links and routes that are walked here through the tables that the program
writes, max-min sharing without latency or TCP's windows. Exit 77 where SimGrid is not installed, 1 with
TAILBACK_REQUIRE_SIMGRID=1.  usage: simgrid_test.py PROGRAM"""
import json, multiprocessing, os, pathlib, random, re, subprocess, sys, tempfile

try:
    import simgrid
except ImportError:
    print("SimGrid test skipped: no module simgrid for this python3 (Debian: apt-get install python3-simgrid)")
    sys.exit(1 if os.environ.get("TAILBACK_REQUIRE_SIMGRID") == "1" else 77)

NETWORKS = [("xgft:m=4x4x2,w=1x2x2", "minhop"), ("torus:4x3,hosts=2", "dor"), ("dragonfly:a=4,p=2,h=2", "minhop"),
            ("hypercube:4", "updn"), ("mesh:3x3x2,hosts=2", "dor")]
STUDIES_EACH = 20
# One of its links carries so many bytes a second: sizes below 2^20 of them leave 11 digits.
SCALE = 1_000_000
FLAGS = ["network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0", "network/latency-factor:0",
         "network/weight-S:0", "network/bandwidth-factor:1", "maxmin/precision:1e-9",
         "surf/precision:1e-9"]


class Tables:
    """Cables and forwarding tables of a folder of `tailback generate`."""

    def __init__(self, folder):
        self.far, self.hosts, node = {}, {}, None
        for line in (folder / "ibnetdiscover.out").read_text().splitlines():
            if header := re.match(r'(?:Ca|Switch)\s+\d+\s+"([^"]+)"', line):
                node = header[1]
            elif cable := re.match(r'\[(\d+)\][^"]*"([^"]+)"\[(\d+)\]', line):
                self.far[node, int(cable[1])] = cable[2]
                if node.startswith("H-"):
                    self.hosts[int(re.search(r"# lid (\d+)", line)[1])] = node
        self.out, switch = {}, None
        for line in (folder / "opensm-lfts.dump").read_text().splitlines():
            if header := re.search(r"guid 0x([0-9a-f]+)", line) if line.startswith("Unicast") else None:
                switch = "S-" + header[1]
            elif entry := re.match(r"0x([0-9a-f]+)\s+(\d+)", line):
                self.out[switch, int(entry[1], 16)] = int(entry[2])

    def route(self, source, destination):
        """Links as (node, port)."""
        links, node = [(self.hosts[source], 1)], self.far[self.hosts[source], 1]
        while node != self.hosts[destination]:
            links.append((node, self.out[node, destination]))
            node = self.far[links[-1]]
        return links


def simulate(flows, tell):
    """In a process of its own: an engine can be made once."""
    engine = simgrid.Engine(["test", "--log=root.thresh:critical"] + [f"--cfg={flag}" for flag in FLAGS])
    zone = simgrid.NetZone.create_full_zone("all")
    links = {}
    for route, _ in flows:
        for link in route:
            if link not in links:
                links[link] = zone.create_link(f"link{len(links)}", SCALE).set_latency(0).seal()
    ends = []
    for number, (route, _) in enumerate(flows):
        pair = [zone.create_host(f"{end}{number}", 1e9) for end in ("from", "to")]
        zone.add_route(pair[0].netpoint, pair[1].netpoint, None, None,
                       [simgrid.LinkInRoute(links[link]) for link in route], False)
        ends.append(pair)
    master = zone.create_host("master", 1e9)
    zone.seal()
    times = [None] * len(flows)

    def run():
        going = [simgrid.Comm.sendto_async(pair[0], pair[1], size * SCALE) for pair, (_, size) in zip(ends, flows)]
        waiting = list(range(len(going)))
        while waiting:
            at = simgrid.Comm.wait_any([going[i] for i in waiting])
            times[waiting[at]] = simgrid.Engine.clock if not callable(simgrid.Engine.clock) else engine.clock
            del waiting[at]

    simgrid.Actor.create("run", master, run)
    engine.run()
    tell.send(times)


def simulated(flows):
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=simulate, args=(flows, there))
    process.start()
    times = here.recv()
    process.join()
    return times


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def main(program):
    worst, studies = 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for spec, routing in NETWORKS:
            net = folder / re.sub(r"\W", "-", spec)
            run(program, "generate", spec, "--routing", routing, "--output", str(net))
            tables = Tables(net)
            for seed in range(STUDIES_EACH):
                dice = random.Random(f"{spec} {seed}")
                hosts = dice.sample(sorted(tables.hosts), min(len(tables.hosts), dice.randint(3, 24)))
                pairs = [dice.sample(range(len(hosts)), 2) for _ in range(dice.randint(1, 3 * len(hosts)))]
                sizes = [dice.choice((1, 7, dice.randint(1, 20), dice.randint(1, 5000))) for _ in pairs]
                (folder / "flows").write_text(f"ranks {len(hosts)}\nlevel\n" + "".join(
                    f"{a} {b} {size}\n" for (a, b), size in zip(pairs, sizes)))
                (folder / "mapping").write_text(" ".join(map(str, hosts)) + "\n")
                report = json.loads(run(
                    program, "evaluate", "--network", str(net / "ibnetdiscover.out"), "--tables",
                    str(net / "opensm-lfts.dump"), "--capacities", "unit", "--pattern", f"file:{folder}/flows",
                    "--mapping", f"file:{folder}/mapping", "--metric", "makespan,completion_time", "--device", "cpu",
                    "--format", "json"))
                seconds = 8 / (report["network"]["base_rate_gbps"] * 1e9)
                unit = 1
                if "congestion_unit" in report["study"] and report["study"]["congestion_unit"] == "seconds":
                    unit = seconds
                times = simulated([(tables.route(hosts[a], hosts[b]), size) for (a, b), size in zip(pairs, sizes)])
                for name, want in (("makespan", max(times)), ("completion_time", sum(times) / len(times))):
                    got = report["metrics"][name]["mean"] / unit
                    off = abs(got / want - 1)
                    worst = max(worst, off)
                    if off > 1e-9:
                        sys.exit(f"{spec}, study {seed}: {name} is {got}, SimGrid says {want}")
                studies += 1
    print(f"{studies} studies agree with SimGrid {simgrid.simgrid_version}; at most {worst:.1e} off")


if __name__ == "__main__":
    main(sys.argv[1])
