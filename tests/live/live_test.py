#!/usr/bin/env python3
"""Holds tailback against a real subnet manager: OpenSM routes simulated fabrics, no hardware and no root rights needed.

usage: live_test.py TAILBACK FIXTURES

For every fabric and routing engine below: tailback reads what ibnetdiscover and OpenSM wrote, in every form, and traces
as ibtracert does. Then the other way round: OpenSM loads tables that `tailback convert` wrote, and the switches hold them.
Exit: 0 passed, 1 failed, 77 skipped (ibsim or OpenSM not installed; with TAILBACK_REQUIRE_LIVE=1 that is 1)."""

import ctypes
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

START_TIMEOUT = 30  # seconds; a start takes a fraction of one
TOOL_TIMEOUT = 30
TOOLS = ["ibsim", "opensm", "ibnetdiscover", "ibtracert", "dump_fts"]
SEARCH_PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin"


class Failure(Exception):
    """Something was not as it should be; the message says what."""


def skip(reason):
    print("live test skipped: " + reason)
    sys.exit(1 if os.environ.get("TAILBACK_REQUIRE_LIVE") == "1" else 77)


def find_simulator_library():
    for pattern in ["/usr/lib/*/umad2sim/libumad2sim.so", "/usr/lib*/umad2sim/libumad2sim.so",
                    "/usr/local/lib*/umad2sim/libumad2sim.so"]:
        found = sorted(glob.glob(pattern))
        if found:
            return found[0]
    return None


def die_with_parent():
    """Runs in the child: the kernel ends it when this script is killed, so that nothing is ever left behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def text_of(path):
    with open(path, errors="surrogateescape") as file:
        return file.read()


def parse_tables(text):
    """{switch GUID: {LID: port}} of an LFT dump in any of its forms."""
    tables, table = {}, None
    for line in text.splitlines():
        if "Unicast lids" in line:
            table = tables.setdefault(int(re.search(r" guid (0x[0-9a-f]+)", line).group(1), 16), {})
        elif table is not None:
            entry = re.match(r"(0x[0-9a-f]+) (\d+)", line)
            if entry:
                table[int(entry.group(1), 16)] = int(entry.group(2))
    return tables


def adapter_lids(topology):
    """Base LIDs of the adapters in ibnetdiscover's text."""
    return sorted(int(lid) for lid in re.findall(r"^\[\d+\]\([0-9a-f]+\).*?# lid (\d+) lmc", topology, re.M) if lid != "0")


def route_lines(text):
    """The route itself: from, hops, to."""
    return [line.rstrip() for line in text.splitlines() if line.startswith(("From ", "[", "To "))]


class Fabric:
    """A simulated fabric under a running subnet manager, in a folder of its own."""

    count = 0

    def __init__(self, scratch, net, engine, options=()):
        Fabric.count += 1
        self.folder = os.path.join(scratch, "fabric%d" % Fabric.count)
        self.dumps = os.path.join(self.folder, "dumps")
        os.makedirs(self.dumps)
        os.makedirs(os.path.join(self.folder, "cache"))
        self.net = net
        self.engine = engine
        self.options = list(options)
        self.children = []
        text = text_of(net)
        first_adapter = re.search(r'^Ca\s+\d+\s+"(H-[0-9a-f]{16})"', text, re.M).group(1)
        ports = [int(n) for n in re.findall(r'^(?:Switch|Ca)\s+(\d+)\s+"', text, re.M)]
        self.sizes = ["-N", str(len(ports) + 8), "-S", str(len(ports) + 8), "-P", str(sum(ports) + 2 * len(ports) + 64)]
        self.environment = dict(os.environ, PATH=SEARCH_PATH, SIM_HOST=first_adapter, OSM_CACHE_DIR=os.path.join(self.folder, "cache"),
                                OSM_TMP_DIR=self.dumps, IBSIM_SOCKNAME="tailback-%d-%d" % (os.getpid(), Fabric.count))
        self.preloaded = dict(self.environment, LD_PRELOAD=find_simulator_library())

    def __enter__(self):
        try:
            self.start("ibsim.log", ["ibsim", "-s", "-n"] + self.sizes + ["-L", "49152", self.net], self.environment)
            time.sleep(0.1)
            log = os.path.join(self.folder, "opensm.log")
            self.start("opensm.out", ["opensm", "-f", log, "-e", "-D", "0x43", "-d", "2", "--dump_files_dir", self.dumps, "-R",
                                      self.engine + ",no_fallback", "-s", "0", "-t", "4000", "--maxsmps", "16"] + self.options,
                       self.preloaded)
            self.wait_until_up(log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, log, command, environment):
        with open(os.path.join(self.folder, log), "wb") as out:
            self.children.append(subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                                  stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=die_with_parent))

    def wait_until_up(self, log):
        deadline = time.monotonic() + START_TIMEOUT
        while True:
            text = text_of(log) if os.path.exists(log) else ""
            if "SUBNET UP" in text:
                break
            ended = [child.args[0] for child in self.children if child.poll() is not None]
            if ended or time.monotonic() > deadline:
                logs = "".join(text_of(os.path.join(self.folder, name))[-2000:] for name in ["ibsim.log", "opensm.out"])
                raise Failure("%s over %s: %s\n%s%s" % (self.engine, os.path.basename(self.net),
                                                        "%s ended" % ended[0] if ended else "not up in time", logs, text[-2000:]))
            time.sleep(0.02)
        if "%s tables configured on all switches" % self.engine not in text:
            raise Failure("OpenSM did not route %s with %s" % (os.path.basename(self.net), self.engine))

    def __exit__(self, *_):
        for child in reversed(self.children):  # the manager first, then what it talks to
            child.terminate()
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait(5)

    def tool(self, *command):
        """Output of one of the diagnostic tools."""
        result = subprocess.run(command, cwd=self.folder, env=self.preloaded, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=TOOL_TIMEOUT, preexec_fn=die_with_parent)
        out = result.stdout.decode(errors="surrogateescape")
        if result.returncode != 0:
            raise Failure("%s: exit %d\n%s%s" % (" ".join(command), result.returncode, out, result.stderr.decode(errors="replace")))
        return out

    def save(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", errors="surrogateescape") as file:
            file.write(text)
        return path

    def dump(self, name):
        return os.path.join(self.dumps, name)


class Tailback:
    def __init__(self, binary):
        self.binary = os.path.abspath(binary)

    def __call__(self, *arguments):
        result = subprocess.run([self.binary] + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=TOOL_TIMEOUT)
        out = result.stdout.decode(errors="surrogateescape")
        if result.returncode != 0:
            raise Failure("tailback %s: exit %d\n%s%s" % (" ".join(arguments), result.returncode, out,
                                                          result.stderr.decode(errors="replace")))
        return out

    def convert(self, to, output, network, tables=None):
        self("convert", "--network", network, *(["--tables", tables] if tables else []), "--to", to, "--output", output)
        return output


def pairs_of(lids, most):
    """All ordered pairs of different LIDs, or `most` of them, the same ones every time."""
    pairs = [(s, d) for s in lids for d in lids if s != d]
    return pairs if len(pairs) <= most else sorted(random.Random(1).sample(pairs, most))


def traces(tailback, network, tables, pairs):
    """The routes of pairs, a list of lines each."""
    words = [str(end) for pair in pairs for end in pair]
    routes = tailback("trace", "--network", network, *(["--tables", tables] if tables else []), *words).split("\n\n")
    if len(routes) != len(pairs):
        raise Failure("%d routes of %d pairs are traced" % (len(routes), len(pairs)))
    return [route_lines(route) for route in routes]


def compare_traces(tailback, fabric, network, tables, pairs):
    for (source, destination), got in zip(pairs, traces(tailback, network, tables, pairs)):
        wanted = route_lines(fabric.tool("ibtracert", str(source), str(destination)))
        if got != wanted or len(wanted) < 3:
            raise Failure("route from LID %d to LID %d differs\nibtracert:\n  %s\ntailback trace:\n  %s"
                          % (source, destination, "\n  ".join(wanted), "\n  ".join(got)))


def compare_tables(what, got, wanted):
    if got == wanted and wanted:
        return
    for guid in sorted(set(got) | set(wanted)):
        mine, theirs = got.get(guid, {}), wanted.get(guid, {})
        for lid in sorted(set(mine) | set(theirs)):
            if mine.get(lid) != theirs.get(lid):
                raise Failure("%s: switch 0x%016x, LID %d: port %s instead of %s" % (what, guid, lid, mine.get(lid), theirs.get(lid)))
    raise Failure("%s: the switches differ or there are none" % what)


def check_engine(tailback, scratch, net, engine, options, most_pairs):
    """OpenSM routes; every form of its output is read, and traces agree. Returns the paths of topology, tables as .fdbs, tables as the
    switches hold them."""
    with Fabric(scratch, net, engine, options) as fabric:
        topology = fabric.save("ibnetdiscover.out", fabric.tool("ibnetdiscover"))
        switches = fabric.save("dump_fts.out", fabric.tool("dump_fts"))
        held = parse_tables(text_of(switches))
        compare_tables("dump_fts and opensm-lfts.dump", parse_tables(text_of(fabric.dump("opensm-lfts.dump"))), held)
        sources = [(topology, fabric.dump("opensm-lfts.dump")), (topology, switches), (topology, fabric.dump("opensm.fdbs"))]
        if "-l" not in options:  # opensm-subnet.lst states no LMC
            sources.append((fabric.dump("opensm-subnet.lst"), fabric.dump("opensm.fdbs")))
        for i, (network, tables) in enumerate(sources):
            written = tailback.convert("lft-dump", os.path.join(fabric.folder, "again%d.lfts" % i), network, tables)
            compare_tables("tables read from %s" % os.path.basename(tables), parse_tables(text_of(written)), held)
        pairs = pairs_of(adapter_lids(text_of(topology)), most_pairs)
        compare_traces(tailback, fabric, topology, fabric.dump("opensm-lfts.dump"), pairs)
        few = random.Random(2).sample(pairs, 6)
        for network, tables in sources[1:]:
            compare_traces(tailback, fabric, network, tables, few)
        print("%s over %s%s: %d switches, %d routes agree" % (engine, os.path.basename(net), " LMC 2" if "-l" in options else "", len(held),
                                                               len(pairs)))
        return topology, fabric.dump("opensm.fdbs"), switches


def check_written(tailback, scratch, name, network, tables, most_pairs, held_before=None):
    """What tailback writes is what a fresh fabric then holds and routes by; `held_before`: what it must be, where another
    fabric told. Returns the written files."""
    net = tailback.convert("ibnetdiscover", os.path.join(scratch, name + ".net"), network, tables)
    lfts = tailback.convert("lft-dump", os.path.join(scratch, name + ".lfts"), network, tables)
    with Fabric(scratch, net, "file", ["-U", lfts]) as fabric:
        held = parse_tables(fabric.tool("dump_fts"))
        compare_tables("what the switches hold of %s" % os.path.basename(lfts), held, parse_tables(text_of(lfts)))
        if held_before:
            compare_tables("what %s became" % os.path.basename(tables), held, parse_tables(text_of(held_before)))
        if adapter_lids(fabric.tool("ibnetdiscover")) != adapter_lids(text_of(net)):
            raise Failure("%s: OpenSM gave the adapters other LIDs than the file says" % os.path.basename(net))
        pairs = pairs_of(adapter_lids(text_of(net)), most_pairs)
        compare_traces(tailback, fabric, net, lfts, pairs)
        print("loaded %s: %d switches hold what was written, %d routes agree" % (name, len(held), len(pairs)))
    return net, lfts


def check_improved(tailback, scratch, name, network, tables):
    """Better tables load as they are, on one lane, and the switches then hold what was written."""
    net = tailback.convert("ibnetdiscover", os.path.join(scratch, name + ".net"), network, tables)
    better = os.path.join(scratch, name + "-better.lfts")
    report = tailback("improve", "--network", net, "--tables", tables, "--moves", "100k", "--orders", "100", "--output", better,
                      "--format", "json")
    if '"outcome": "improved"' not in report:
        raise Failure("%s: nothing better was found\n%s" % (name, report))
    with Fabric(scratch, net, "file", ["-U", better]) as fabric:
        held = parse_tables(fabric.tool("dump_fts"))
        compare_tables("what the switches hold of better tables", held, parse_tables(text_of(better)))
        compare_traces(tailback, fabric, net, better, pairs_of(adapter_lids(text_of(net)), 20))
        print("improved %s: %d switches hold the %d entries that were written" % (name, len(held), sum(map(len, held.values()))))


def check_dot(tailback, scratch, dot, most_pairs):
    """An ORCS network, through InfiniBand's forms and a real subnet manager, routes as the dot file says."""
    net, lfts = check_written(tailback, scratch, "from-dot", dot, None, most_pairs)
    names = {}
    for record in re.findall(r'^Ca\s.*# "(.*)"\n\[1\]\S+\s.*# lid (\d+) lmc', text_of(net), re.M):
        names[int(record[1])] = record[0]
    if len(names) < 2:
        raise Failure("no hosts in %s" % net)
    pairs = [(names[source], names[destination]) for source, destination in pairs_of(sorted(names), 2 * most_pairs)]
    for (source, destination), direct, through in zip(pairs, traces(tailback, dot, None, pairs), traces(tailback, net, lfts, pairs)):
        # The dot file knows no GUIDs: ports, LIDs and names are compared.
        plain = [[re.sub(r"\{[^}]*\}", "", line) for line in lines] for lines in (direct, through)]
        if plain[0] != plain[1] or len(direct) < 3:
            raise Failure("route %s -> %s of the dot file\n  %s\nbecomes\n  %s"
                          % (source, destination, "\n  ".join(direct), "\n  ".join(through)))
    print("the dot file's own routes agree")


def check_generated(tailback, scratch, spec, routing, most_pairs, engines):
    """A generated network is loaded by ibsim and OpenSM, with our tables and with OpenSM's own routings."""
    folder = os.path.join(scratch, re.sub(r"\W+", "-", spec))
    tailback("generate", spec, "--routing", routing, "--output", folder)
    net, lfts = os.path.join(folder, "ibnetdiscover.out"), os.path.join(folder, "opensm-lfts.dump")
    check_written(tailback, scratch, os.path.basename(folder) + "-" + routing, net, lfts, most_pairs)
    for engine in engines:
        check_engine(tailback, scratch, net, engine, [], most_pairs)
    return net, lfts


def cables_of(text):
    """{(node, port): (node, port)} of a topology file; nodes by their ids."""
    cables, node = {}, None
    for line in text.splitlines():
        head = re.match(r'(?:Switch|Ca)\s+\d+\s+"([SH]-[0-9a-f]{16})"', line)
        port = re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"([SH]-[0-9a-f]{16})"\[(\d+)\]', line)
        if head:
            node = head.group(1)
        elif port:
            cables[node, int(port.group(1))] = (port.group(2), int(port.group(3)))
    return cables


def way_of(cables, tables, leaf, lid):
    """(node, port) of every link from a leaf switch to a LID."""
    node, way = leaf, []
    while node.startswith("S-"):
        way.append((node, tables[int(node[2:], 16)].get(lid)))
        if way[-1] not in cables or len(way) > 64:
            raise Failure("no way from %s to LID %d: %s" % (leaf, lid, way))
        node = cables[way[-1]][0]
    return way


def compare_ftree(tailback, what, network, routing, theirs):
    """The routing ftree has every entry of OpenSM's."""
    written = network + ".ftree.lfts"
    tailback("convert", "--network", network, "--routing", routing, "--to", "lft-dump", "--output", written)
    compare_tables("ftree of %s" % what, parse_tables(text_of(written)), theirs)
    print("ftree on %s is OpenSM's: %d entries of %d switches" % (what, sum(map(len, theirs.values())), len(theirs)))


def check_ftree_from_roots(tailback, scratch, spec, damage, tops):
    """A damaged tree, with its tops as roots."""
    name = re.sub(r"\W+", "-", " ".join([spec] + damage))
    net = os.path.join(scratch, name + ".net")
    tailback("convert", "--network", spec, *damage, "--to", "ibnetdiscover", "--output", net)
    roots = os.path.join(scratch, name + ".roots")
    with open(roots, "w") as file:
        for guid, switch in re.findall(r'^switchguid=(0x[0-9a-f]+).*\nSwitch\s+\d+\s+"[^"]+"\s+# "([^"]*)"', text_of(net), re.M):
            if switch.startswith(tops):
                file.write(guid + "\n")
    with Fabric(scratch, net, "ftree", ["-a", roots]) as fabric:
        topology = fabric.save("ibnetdiscover.out", fabric.tool("ibnetdiscover"))
        compare_ftree(tailback, name, topology, "ftree:roots=file:" + roots, parse_tables(fabric.tool("dump_fts")))


def check_ftree(tailback, scratch, spec):
    """D-mod-K takes the ways of OpenSM's ftree, link by link. Ports need no renumbering: `generate` numbers hosts, GUIDs and ports as
    ftree goes through them. (Entries of both for destinations that no host's packets bring to a switch may differ.)"""
    folder = os.path.join(scratch, "ftree-" + re.sub(r"\W+", "-", spec))
    tailback("generate", spec, "--routing", "dmodk", "--output", folder)
    net = os.path.join(folder, "ibnetdiscover.out")
    ours = parse_tables(text_of(os.path.join(folder, "opensm-lfts.dump")))
    with Fabric(scratch, net, "ftree") as fabric:
        theirs = parse_tables(fabric.tool("dump_fts"))
    compare_ftree(tailback, spec, net, "ftree", theirs)
    cables, ways = cables_of(text_of(net)), 0
    leaves = sorted({there for (node, _), (there, _) in cables.items() if node.startswith("H-")})
    for leaf in leaves:
        for lid in adapter_lids(text_of(net)):
            mine, its = way_of(cables, ours, leaf, lid), way_of(cables, theirs, leaf, lid)
            if mine != its:
                raise Failure("D-mod-K and OpenSM's ftree differ on %s from %s to LID %d: %s instead of %s" % (spec, leaf, lid, mine, its))
            ways += 1
    print("D-mod-K on %s is OpenSM's ftree: %d ways from %d leaves" % (spec, ways, len(leaves)))


def run(tailback, fixtures, scratch):
    tree = os.path.join(fixtures, "tree16.net")
    dragonfly = os.path.join(fixtures, "dragonfly72.net")
    check_engine(tailback, scratch, tree, "minhop", [], 240)
    for engine in ["updn", "ftree", "dfsssp"]:
        check_engine(tailback, scratch, tree, engine, [], 30)
    check_engine(tailback, scratch, tree, "minhop", ["-l", "2"], 30)
    roots = os.path.join(scratch, "roots")
    with open(roots, "w") as file:
        file.write(re.search(r"^switchguid=(0x[0-9a-f]+)", text_of(dragonfly), re.M).group(1) + "\n")
    check_engine(tailback, scratch, dragonfly, "updn", ["-a", roots], 30)
    topology, fdbs, switches = check_engine(tailback, scratch, dragonfly, "dfsssp", [], 30)
    check_written(tailback, scratch, "dragonfly-dfsssp", topology, fdbs, 40, switches)
    topology, fdbs, _ = check_engine(tailback, scratch, dragonfly, "minhop", [], 30)
    check_improved(tailback, scratch, "dragonfly-improved", topology, fdbs)
    check_dot(tailback, scratch, os.path.join(fixtures, "tree16_4ary2.dot"), 60)
    check_generated(tailback, scratch, "xgft:m=4x4x4,w=1x4x4", "dmodk", 15, ["ftree"])
    check_generated(tailback, scratch, "torus:4x3x3,hosts=2", "dor:ties=parity", 15, ["minhop", "dor", "lash"])
    check_generated(tailback, scratch, "dragonfly:a=4,p=2,h=2,arrangement=palmtree", "minimal", 15, ["minhop", "dfsssp"])
    check_generated(tailback, scratch, "jellyfish:switches=20,degree=4,hosts=2", "sssp", 15, ["sssp", "minhop"])
    check_generated(tailback, scratch, "dragonfly+:leaves=2,p=2,h=2", "minimal", 15, ["minhop"])
    check_generated(tailback, scratch, "hyperx:4x3,hosts=2", "dor:order=yx", 15, ["sssp"])
    check_generated(tailback, scratch, "slimfly:q=3,hosts=1", "dfsssp", 15, ["dfsssp"])
    # Whole trees, two of them oversubscribed, and one with hosts missing; the parents of a switch divide its children evenly.
    for spec in ["kary-ntree:k=4,n=2", "kary-ntree:k=2,n=3", "kary-ntree:k=3,n=3", "kary-ntree:k=2,n=4", "mport-ntree:m=8,n=3", "xgft:m=6x4x3,w=1x3x2",
                 "clos:radix=6,levels=3,taper=2", "xgft:m=4x4,w=1x4,hosts=13"]:
        check_ftree(tailback, scratch, spec)
    check_ftree_from_roots(tailback, scratch, "xgft:m=4x4x4,w=1x4x4", ["--fail-cables", "12", "--fail-seed", "5"], "S3_")
    check_ftree_from_roots(tailback, scratch, "xgft:3;2,2,3;1,2,2;1,2,3", ["--fail-cables", "25%", "--fail-seed", "9"], "S3_")
    check_ftree_from_roots(tailback, scratch, "xgft:m=4x6,w=1x5,hosts=19", ["--fail-cables", "switch:1", "--fail-seed", "3"], "S2_")
    check_written(tailback, scratch, "from-oneway-dot", os.path.join(fixtures, "oneway_ring.dot"), None, 6)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    missing = [tool for tool in TOOLS if shutil.which(tool, path=SEARCH_PATH) is None]
    if missing:
        skip("%s not found (Debian: opensm ibsim-utils libumad2sim0 infiniband-diags)" % ", ".join(missing))
    if find_simulator_library() is None:
        skip("libumad2sim.so not found (Debian: libumad2sim0)")
    os.environ["PATH"] = SEARCH_PATH
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    ram = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tailback-live-", dir=ram) as scratch:
        try:
            run(Tailback(sys.argv[1]), os.path.abspath(sys.argv[2]), scratch)
        except (Failure, subprocess.TimeoutExpired) as failure:
            print("live test FAILED: %s" % failure)
            sys.exit(1)
    print("live test passed in %.1f s" % (time.monotonic() - began))


if __name__ == "__main__":
    main()
