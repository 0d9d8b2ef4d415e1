#!/usr/bin/env python3
"""Holds tailback against a live RoCE fabric: routers in network namespaces, two cables between every leaf and spine.

usage: roce_test.py TAILBACK

Two fabrics of 2 spines, 4 leaves and 4 hosts: one with routes set by `ip route`, with weights, and one with those that
FRR's bgpd finds. lldpd tells the cables where it is installed; otherwise they are written in its form. tailback reads
what the routers tell, and must pick the next hops that the kernel picks (`ip route get`) for thousands of 5-tuples;
polarisation must be seen and predicted; faults that are made must be found.
Exit: 0 passed, 1 failed, 77 skipped (no namespaces, no FRR; with TAILBACK_REQUIRE_ROCE=1 that is 1)."""

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FRR = "/usr/lib/frr"
LEAVES, SPINES, CABLES = 4, 2, 2
SOURCE_PORTS = (49152, 50175)
INSIDE = "TAILBACK_ROCE_INSIDE"


class Failure(Exception):
    """Something was not as it should be; the message says what."""


def skip(reason):
    print("live RoCE test skipped: " + reason)
    sys.exit(1 if os.environ.get("TAILBACK_REQUIRE_ROCE") == "1" else 77)


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def run(*command, text=None, fine=(0,)):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    if done.returncode not in fine:
        raise Failure("%s\nended with %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()))
    return done.stdout


class Fabric:
    """Namespaces leaf1.., spine1.., host1.. with their cables; routes are set by `static` or found by FRR."""

    def __init__(self, scratch, name):
        self.scratch, self.name = scratch, name
        self.folder = os.path.join(scratch, name)
        self.daemons = []
        self.leaves = ["leaf%d" % i for i in range(1, LEAVES + 1)]
        self.spines = ["spine%d" % i for i in range(1, SPINES + 1)]
        self.hosts = ["host%d" % i for i in range(1, LEAVES + 1)]
        self.cables = []  # (node, interface, address, node, interface, address)
        for s in range(1, SPINES + 1):
            for l in range(1, LEAVES + 1):
                for c in range(CABLES):
                    net = "10.%d.%d." % (s, l)
                    self.cables.append(("leaf%d" % l, "up%d%s" % (s, "ab"[c]), net + str(2 * c + 1), "spine%d" % s,
                                        "dn%d%s" % (l, "ab"[c]), net + str(2 * c)))
        for l in range(1, LEAVES + 1):
            self.cables.append(("host%d" % l, "eth0", "192.168.%d.2" % l, "leaf%d" % l, "h1", "192.168.%d.1" % l))

    def nodes(self):
        return self.leaves + self.spines + self.hosts

    def routers(self):
        return self.leaves + self.spines

    def address(self, host):
        return "192.168.%s.2" % host[4:]

    def build(self, seeds):
        for node in self.nodes():
            run("ip", "netns", "add", node)
            run("ip", "-n", node, "link", "set", "lo", "up")
        for node in self.routers():
            self.sysctl(node, ip_forward=1, fib_multipath_hash_policy=1)
        for a, port_a, address_a, b, port_b, address_b in self.cables:
            run("ip", "link", "add", port_a, "netns", a, "type", "veth", "peer", "name", port_b, "netns", b)
            length = "/24" if a.startswith("host") else "/31"
            for node, port, address in [(a, port_a, address_a), (b, port_b, address_b)]:
                run("ip", "-n", node, "addr", "add", address + length, "dev", port)
                run("ip", "-n", node, "link", "set", port, "up")
        self.set_seeds(seeds)

    def sysctl(self, node, **values):
        run("ip", "netns", "exec", node, "sysctl", "-qw", *["net.ipv4.%s=%d" % item for item in values.items()])

    def set_seeds(self, seeds):
        if seeds is not None:
            for i, node in enumerate(self.routers()):
                self.sysctl(node, fib_multipath_hash_seed=seeds(i))

    def start(self, node, *command):
        self.daemons.append(subprocess.Popen(["ip", "netns", "exec", node, *command], stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL, preexec_fn=die_with_parent))

    def tear_down(self):
        for daemon in self.daemons:
            daemon.kill()
            daemon.wait()
        for node in self.nodes():
            subprocess.run(["ip", "netns", "del", node], capture_output=True)

    # What the routers tell.

    def start_lldp(self):
        for node in self.nodes():
            with open(self.socket(node) + ".conf", "w") as file:
                for words in ["system hostname " + node, "lldp portidsubtype ifname", "lldp tx-interval 1"]:
                    file.write("configure %s\n" % words)
            self.start(node, "lldpd", "-d", "-u", self.socket(node), "-p", self.socket(node) + ".pid",
                       "-O", self.socket(node) + ".conf")

    def socket(self, node):
        return os.path.join(self.scratch, "%s-%s.lldp" % (self.name, node))

    def ports(self, node):
        """{interface: (neighbour, its interface)}"""
        found = {}
        for a, port_a, _, b, port_b, _ in self.cables:
            if a == node:
                found[port_a] = (b, port_b)
            if b == node:
                found[port_b] = (a, port_a)
        return found

    def lldp(self, node):
        if shutil.which("lldpd") is None:
            told = [{port: {"chassis": {far: {"mgmt-ip": self.address(far)} if far.startswith("host") else {}},
                            "port": {"id": {"type": "ifname", "value": far_port}}}}
                    for port, (far, far_port) in self.ports(node).items()]
            return json.dumps({"lldp": {"interface": told}})

        def heard():
            text = run("ip", "netns", "exec", node, "lldpctl", "-u", self.socket(node), "-f", "json")
            interfaces = json.loads(text)["lldp"].get("interface", [])
            interfaces = [interfaces] if isinstance(interfaces, dict) else interfaces
            names = {port: list(one[port]["chassis"])[0] for one in interfaces for port in one}
            return text if names == {port: far for port, (far, _) in self.ports(node).items()} else None

        return wait_for(heard, "LLDP neighbours of " + node)

    def write(self, routes):
        for node in self.routers():
            folder = os.path.join(self.folder, node)
            os.makedirs(folder, exist_ok=True)
            for name, text in [("routes.json", routes(node)), ("lldp.json", self.lldp(node)),
                               ("sysctl.txt", run("ip", "netns", "exec", node, "sysctl", "net.ipv4"))]:
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)

    def kernel_ways(self, source, destination):
        """[(node:interface, ..)] by source port, as `ip route get` of every router on the way says."""
        first, last = SOURCE_PORTS
        ways = {port: [source + ":eth0"] for port in range(first, last + 1)}
        at = {port: self.ports(source)["eth0"] for port in ways}
        while at:
            by_place = {}
            for port, place in at.items():
                by_place.setdefault(place, []).append(port)
            at = {}
            for (node, came_by), ports in by_place.items():
                lines = "".join("route get %s from %s iif %s ipproto udp sport %d dport 4791\n" %
                                (self.address(destination), self.address(source), came_by, port) for port in ports)
                told = run("ip", "-n", node, "-o", "-batch", "-", text=lines).splitlines()
                if len(told) != len(ports):
                    raise Failure("%s answers %d of %d questions" % (node, len(told), len(ports)))
                for port, line in zip(ports, told):
                    out = re.search(r" dev (\S+)", line).group(1)
                    ways[port].append(node + ":" + out)
                    there = self.ports(node)[out]
                    if there[0] != destination:
                        at[port] = there
        return ways


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise Failure("%s: nothing in %d s" % (what, seconds))
        time.sleep(0.2)


class Static(Fabric):
    """Routes as an administrator would set them: the first cable of every pair has weight 2."""

    def __init__(self, scratch):
        super().__init__(scratch, "static")

    def route(self):
        for node in self.routers():
            for l in range(1, LEAVES + 1):
                if node != "leaf%d" % l:
                    self.set_route(node, l)

    def set_route(self, node, l, leave_out=()):
        hops = []
        for a, port_a, address_a, b, port_b, address_b in self.cables:
            if a == node and b in self.spines and port_a not in leave_out:
                hops += ["nexthop", "via", address_b, "dev", port_a, "weight", "2" if port_a.endswith("a") else "1"]
            if b == node and a == "leaf%d" % l and b in self.spines and port_b not in leave_out:
                hops += ["nexthop", "via", address_a, "dev", port_b]
        run("ip", "-n", node, "route", "replace", "192.168.%d.0/24" % l, *hops)

    def routes(self, node):
        return run("ip", "-n", node, "-j", "route")


class Bgp(Fabric):
    """Routes as FRR's bgpd finds them: one AS for the spines, one for each leaf, a session a cable."""

    def __init__(self, scratch):
        super().__init__(scratch, "frr")

    def config(self, node):
        number = 65000 if node in self.spines else 65000 + int(node[4:])
        lines = ["hostname " + node, "router bgp %d" % number,
                 " bgp router-id 1.%d.%s.1" % (node in self.spines, node[-1]),
                 " no bgp ebgp-requires-policy", " bgp bestpath as-path multipath-relax", " timers bgp 1 3"]
        for a, _, address_a, b, _, address_b in self.cables:
            for here, far, address in [(a, b, address_b), (b, a, address_a)]:
                if here == node and not far.startswith("host"):
                    other = 65000 if far in self.spines else 65000 + int(far[4:])
                    lines += [" neighbor %s remote-as %d" % (address, other),
                              " neighbor %s timers connect 1" % address,
                              " neighbor %s advertisement-interval 0" % address]
        lines += [" address-family ipv4 unicast", "  maximum-paths 64"]
        if node in self.leaves:
            lines.append("  network 192.168.%s.0/24" % node[4:])
        return "\n".join(lines + [" exit-address-family", ""])

    def route(self):
        for node in self.routers():
            os.makedirs("/run/frr/" + node)
            os.makedirs("/etc/frr/" + node)
            shutil.chown("/run/frr/" + node, "frr", "frr")
            open("/etc/frr/%s/vtysh.conf" % node, "w").close()
            path = "/etc/frr/%s/bgpd.conf" % node
            with open(path, "w") as file:
                file.write(self.config(node))
            self.start(node, FRR + "/zebra", "-N", node, "-f", "/dev/null")
            wait_for(lambda: os.path.exists("/run/frr/%s/zserv.api" % node), "zebra of " + node)
            self.start(node, FRR + "/bgpd", "-N", node, "-f", path)
        began = time.monotonic()
        wait_for(lambda: all(self.settled(node) for node in self.routers()), "BGP", 120)
        print("  BGP has settled in %.1f s" % (time.monotonic() - began))

    def settled(self, node):
        try:
            table = json.loads(self.routes(node))
        except (Failure, ValueError):
            return False
        for l in range(1, LEAVES + 1):
            if node == "leaf%d" % l:
                continue
            found = table.get("192.168.%d.0/24" % l, [{}])[0]
            wanted = CABLES if node in self.spines else CABLES * SPINES
            if not found.get("installed") or sum(hop.get("fib", False) for hop in found["nexthops"]) != wanted:
                return False
        return True

    def routes(self, node):
        return run("vtysh", "-N", node, "-c", "show ip route json")

    def configure(self, node, *lines):
        words = ["vtysh", "-N", node, "-c", "configure terminal"]
        for line in lines:
            words += ["-c", line]
        run(*words)


def tailback_ways(tailback, fabric, source, destination):
    text = run(tailback, "trace", "--network", "frr:" + fabric.folder, "--source-port", "%d..%d" % SOURCE_PORTS,
               source, destination)
    return {int(line.split()[0]): line.split()[1:] for line in text.splitlines()}


def check_ways(tailback, fabric, what):
    """Our next hops are the kernel's, for every 5-tuple; returns how often every pair of (leaf's, spine's) port is."""
    same, cells = 0, {}
    for source, destination in [("host1", "host3"), ("host2", "host4"), ("host4", "host1")]:
        theirs, ours = fabric.kernel_ways(source, destination), tailback_ways(tailback, fabric, source, destination)
        for port in theirs:
            if ours.get(port) != theirs[port]:
                raise Failure("%s: UDP from port %d of %s to %s goes %s in the kernel, %s by tailback" %
                              (what, port, source, destination, theirs[port], ours.get(port)))
            same += 1
            if source == "host1":
                cell = (theirs[port][1], theirs[port][2])
                cells[cell] = cells.get(cell, 0) + 1
    print("  %s: %d 5-tuples go as the kernel sends them" % (what, same))
    return cells


def audit(tailback, fabric):
    text = run(tailback, "audit", "--network", "frr:" + fabric.folder, "--format", "json", fine=(0, 1))
    return json.loads(text)["findings"]


def expect_findings(tailback, fabric, what, *words):
    """Words that some finding must hold, each; and no finding without one of them."""
    findings = [one for one in audit(tailback, fabric) if one["kind"] in ("groups", "choices", "loop", "unreachable", "inconsistent")]
    texts = ["%s: %s" % (one["where"], one["message"]) for one in findings]
    for word in words:
        if not any(re.search(word, text) for text in texts):
            raise Failure("%s: no finding says \"%s\" but: %s" % (what, word, "; ".join(texts) or "none"))
    for text in texts:
        if not any(re.search(word, text) for word in words):
            raise Failure("%s: a finding that nobody expects: %s" % (what, text))
    print("  %s: %s" % (what, "; ".join(texts) if texts else "no finding"))


def bandwidth(tailback, fabric, *options):
    report = json.loads(run(tailback, "bracket", "--network", "frr:" + fabric.folder, "--pattern", "rand",
                            "--mappings", "50", "--format", "json", *options))
    return {name: column["hist_acc_band"]["mean"] for name, column in report["columns"].items()}


def check_fabric(tailback, fabric, have_seeds):
    print("%s:" % fabric.name)
    fabric.build((lambda i: 1000 + 17 * i) if have_seeds else None)
    try:
        if shutil.which("lldpd"):
            fabric.start_lldp()
        fabric.route()
        fabric.write(fabric.routes)
        expect_findings(tailback, fabric, "sound")
        found = bandwidth(tailback, fabric)
        if not found["hash"] <= found["equal"] + 1e-9:
            raise Failure("a hash is better than equal division: %s" % found)
        if have_seeds:
            cells = check_ways(tailback, fabric, "a seed for each router")
            spread = len(cells)
            fabric.set_seeds(lambda i: 4711)
            fabric.write(fabric.routes)
            polarised = check_ways(tailback, fabric, "one seed for all routers")
            print("  (leaf's port, spine's port): %d with own seeds, %d with one seed" % (spread, len(polarised)))
            if spread != SPINES * CABLES * CABLES or len(polarised) >= spread:
                raise Failure("polarisation is not seen: %s and %s" % (cells, polarised))
            fabric.set_seeds(lambda i: 1000 + 17 * i)
        break_things(tailback, fabric)
    finally:
        fabric.tear_down()


def break_things(tailback, fabric):
    if fabric.name == "static":
        fabric.set_route("leaf1", 3, leave_out=("up2a", "up2b"))
        fabric.write(fabric.routes)
        expect_findings(tailback, fabric, "two members of a set are missing", "leaf1.*up2a.*missing|leaf1.*missing.*up2a")
        fabric.set_route("leaf1", 3)
        run("ip", "-n", "spine1", "route", "del", "192.168.3.0/24")
        fabric.write(fabric.routes)
        expect_findings(tailback, fabric, "a black hole", "spine1")
        run("ip", "-n", "spine1", "route", "add", "192.168.3.0/24", "via", "10.1.1.1", "dev", "dn1a")
        fabric.write(fabric.routes)
        expect_findings(tailback, fabric, "a loop", "spine1|circle|loop")
        run("ip", "-n", "spine1", "route", "del", "192.168.3.0/24")
        fabric.set_route("spine1", 3)
        fabric.write(fabric.routes)
        damage_lldp(fabric)
        expect_findings(tailback, fabric, "a session that one side alone has", "leaf2.*up1b")
        return
    fabric.configure("leaf1", "router bgp 65001", "neighbor 10.2.1.0 shutdown")
    wait_for(lambda: "10.2.1.0" not in fabric.routes("leaf1").replace("10.2.1.0/31", ""), "the session ends")
    time.sleep(1)
    fabric.write(fabric.routes)
    expect_findings(tailback, fabric, "a BGP session is down", "leaf1.*up2a", "spine2.*dn1a")


def damage_lldp(fabric):
    path = os.path.join(fabric.folder, "spine1", "lldp.json")
    with open(path) as file:
        told = json.load(file)
    told["lldp"]["interface"] = [one for one in told["lldp"]["interface"] if "dn2b" not in one]
    with open(path, "w") as file:
        json.dump(told, file)


def enter():
    """Runs this script again with mounts and network of its own, so that nothing is left behind whatever happens."""
    if os.geteuid() != 0 or shutil.which("unshare") is None or shutil.which("ip") is None:
        skip("it needs root, unshare and ip (Debian: iproute2)")
    for folder in ["/run/netns", "/run/lldpd"]:
        os.makedirs(folder, exist_ok=True)
    probe = subprocess.run(["unshare", "--mount", "--net", "sh", "-c", "mount -t tmpfs none /run/netns && ip netns add try && "
                            "ip -n try link add try0 type veth peer name try1"], capture_output=True, text=True)
    if probe.returncode != 0:
        skip("network namespaces cannot be made here: " + probe.stderr.strip())
    os.environ[INSIDE] = "1"
    mounts = "mount -t tmpfs none /run/netns"
    for folder in ["/run/frr", "/etc/frr", "/run/lldpd"]:
        if os.path.isdir(folder):
            mounts += " && mount -t tmpfs none " + folder
    os.execvp("unshare", ["unshare", "--mount", "--net", "sh", "-c", mounts + ' && exec "$@"', "sh", sys.executable, *sys.argv])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if INSIDE not in os.environ:
        enter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    have_seeds = os.path.exists("/proc/sys/net/ipv4/fib_multipath_hash_seed")
    if not have_seeds:
        print("this kernel does not tell the seed of its hash (Linux 6.11 does): hash choices are NOT compared")
    tailback = os.path.abspath(sys.argv[1])
    began = time.monotonic()
    if os.path.isdir("/run/lldpd"):
        os.chmod("/run/lldpd", 0o755)
    with tempfile.TemporaryDirectory(prefix="tailback-roce-") as scratch:
        os.chmod(scratch, 0o755)
        try:
            check_fabric(tailback, Static(scratch), have_seeds)
            if os.path.exists(FRR + "/bgpd"):
                check_fabric(tailback, Bgp(scratch), have_seeds)
            else:
                print("FRR is not installed (Debian: frr): routes by BGP are NOT compared")
                if os.environ.get("TAILBACK_REQUIRE_ROCE") == "1":
                    raise Failure("FRR is missing")
        except (Failure, subprocess.TimeoutExpired) as failure:
            print("live RoCE test FAILED: %s" % failure)
            sys.exit(1)
    print("live RoCE test passed in %.1f s" % (time.monotonic() - began))


if __name__ == "__main__":
    main()
