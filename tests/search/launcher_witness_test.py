#!/usr/bin/env python3
"""The files that `tailback place --write` makes, taken by real launchers.

Open MPI starts the ranks by the rankfile and by the hostfile (as the file says to start it), its daemons of all nodes
here, and every rank says on which node it is. Slurm's controller is asked for the hosts of SLURM_HOSTFILE in arbitrary
distribution: it knows all of them, and not one that the machine lacks.
Exit 77 where neither is installed.  usage: launcher_witness_test.py PROGRAM"""
import json, os, pathlib, shutil, socket, subprocess, sys, tempfile, time

program = os.path.abspath(sys.argv[1])
AGENT = """#!/bin/sh
# In place of ssh: the daemon of another node is started here, with the node's name in its environment and a folder of
# its own. (In one folder for all, a daemon may find what another is about to make or to remove, and end before it
# reports: mpirun then waits for it without end.)
while [ $# -gt 0 ]; do case "$1" in -*) shift ;; *) break ;; esac; done
node=$1; shift
mkdir -p "${0%/*}/of-$node"
TMPDIR=${0%/*}/of-$node NODE_NAME=$node exec sh -c "$*"
"""
CASES = [["--nodes", "H[1-8]", "--mapping", "shuffle"],
         ["--nodes", "H[1-4]", "--ranks-per-node", "2", "--mapping", "cyclic"],
         ["--nodes", "H[2-5]", "--ranks-per-node", "2"]]


def placed(folder, more):
    """By rank: its node, as the report has it."""
    write = [w for form in ("rankfile", "hostfile", "slurm") for w in ("--write", f"{form}:{folder / form}")]
    done = subprocess.run([program, "place", "xgft:m=2x4,w=1x1", "--pattern", "stencil-2d", "--ranks", "8", "--goal",
                           "hop-bytes", "--moves", "20k", "--random-orders", "0", "--quiet", "--format", "json",
                           *more, *write], check=True, capture_output=True, text=True)
    return [one["node"] for one in json.loads(done.stdout)["ranks"]]


def by_openmpi(folder, words):
    agent = folder / "agent"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-mca", "plm_rsh_agent", agent, "-mca",
                           "plm_rsh_no_tree_spawn", "1", *words, "sh", "-c", "echo $OMPI_COMM_WORLD_RANK $NODE_NAME"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [node for _, node in sorted((int(r), n) for r, n in map(str.split, done.stdout.splitlines()))]


def check_openmpi(folder, nodes):
    first = (folder / "hostfile").read_text().splitlines()[0]
    seq = ["--map-by", "seq"] if first.startswith("#") and "--map-by seq" in first else []
    assert by_openmpi(folder, [*seq, "--hostfile", folder / "hostfile"]) == nodes
    slots = {node: nodes.count(node) for node in nodes}
    (folder / "nodes").write_text("".join(f"{node} slots={count}\n" for node, count in slots.items()))
    if max(slots.values()) > os.cpu_count():
        return print("a rankfile binds ranks to cores, of which here are too few")
    assert by_openmpi(folder, ["--hostfile", folder / "nodes", "--rankfile", folder / "rankfile"]) == nodes


def free_port():
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return one.getsockname()[1]


class Slurm:
    """A controller of 16 nodes, none of which is up."""
    def __init__(self, folder):
        self.folder = folder
        (folder / "state").mkdir()
        (folder / "slurm.conf").write_text("\n".join([
            "ClusterName=t", "SlurmctldHost=localhost", "AuthType=auth/none", "CredType=cred/none", "SlurmUser=root",
            f"SlurmctldPort={free_port()}", f"SlurmdPort={free_port()}", f"StateSaveLocation={folder / 'state'}",
            f"SlurmctldPidFile={folder / 'pid'}", "ProctrackType=proctrack/pgid",
            "NodeName=H[1-16] NodeAddr=localhost CPUs=2", "PartitionName=p Nodes=ALL Default=YES"]) + "\n")
        self.environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))
        self.controller = subprocess.Popen(["slurmctld", "-D", "-f", folder / "slurm.conf"], env=self.environment,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_there(self):
        for _ in range(60):
            if subprocess.run(["sinfo", "-h"], env=self.environment, capture_output=True, timeout=60).stdout: return True
            if self.controller.poll() is not None: return False
            time.sleep(0.5)
        return False

    def says_of(self, hosts):
        file = self.folder / "hosts"
        file.write_text("".join(host + "\n" for host in hosts))
        done = subprocess.run(["srun", "--test-only", "--distribution=arbitrary", f"-N{len(set(hosts))}",
                               f"-n{len(hosts)}", "hostname"], env=dict(self.environment, SLURM_HOSTFILE=str(file)),
                              capture_output=True, text=True, timeout=120)
        return done.stderr

    def end(self):
        self.controller.terminate()
        self.controller.wait()


with tempfile.TemporaryDirectory() as name:
    root, lists = pathlib.Path(name), []
    for k, case in enumerate(CASES):
        folder = root / str(k)
        folder.mkdir()
        nodes = placed(folder, case)
        assert (folder / "slurm").read_text().split() == nodes
        lists.append(nodes)
        if shutil.which("mpirun"): check_openmpi(folder, nodes)
    has_slurm = shutil.which("slurmctld") and shutil.which("srun") and os.getuid() == 0
    slurm = Slurm(root) if has_slurm else None
    if slurm:
        try:
            has_slurm = slurm.is_there()
            for nodes in lists if has_slurm else []:
                assert "Invalid node name" not in slurm.says_of(nodes), nodes
            assert not has_slurm or "Invalid node name" in slurm.says_of(["H1", "H17"])
        finally:
            slurm.end()
    print("Open MPI:", shutil.which("mpirun") or "not installed", " Slurm:", "asked" if has_slurm else "not there")
    if not shutil.which("mpirun") and not has_slurm: sys.exit(77)
