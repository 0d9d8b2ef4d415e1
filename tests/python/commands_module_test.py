"""Commands as methods of a fabric: searched orders of ranks, estimates, jobs, schedules; graphs as networks.

Needs what module_test.py needs.
"""
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import numpy
import pytest

import tailback

PROGRAM = os.environ["TAILBACK_PROGRAM"]
FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures"
TREE = "xgft:m=4x4,w=1x2"
WORKLOAD = """jobs:
  - {name: cfd, nodes: 4, work: 3600, pattern: ring, communication: 0.4}
  - {name: mix, count: 20, every: "exponential:60", nodes: [1, 2, 4, 8], pattern: [bisect, ring], duration: "exponential:900"}
"""


def command(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False).stdout


def sparse_traffic(ranks, seed):
    draw = numpy.random.default_rng(seed)
    return draw.integers(0, 1000, (ranks, ranks)) * (draw.random((ranks, ranks)) < 0.3) * (1 - numpy.eye(ranks, dtype=int))


PLACED = [
    {"pattern": "stencil-2d:dims=4x4", "moves": 20000, "goal": "hop-bytes"},
    {"pattern": "ring", "ranks": 8, "moves": 5000, "mapping": "cyclic", "seed": 3, "random_orders": 50},
    {"pattern": "ring", "ranks": 8, "nodes": "any:4", "ranks_per_node": 2, "moves": 5000},
    {"pattern": "all-to-all:size=1KiB", "ranks": 8, "keep_together": 2, "stay": "0-1", "moves": 3000, "goal": "load"},
    {"pattern": "ring", "ranks": 4, "job": ["a:pattern=bisect,nodes=H[1-4]", "b:pattern=ring,nodes=H[6-8]"], "moves": 3000,
     "set": 1},
]


@pytest.mark.parametrize("options", PLACED, ids=str)
def test_an_order_is_the_commands_byte_for_byte(options, tmp_path):
    line = ["place", "--network", TREE]
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            line += ["--" + name.replace("_", "-"), str(one)]
    fabric = tailback.make(TREE)
    order = fabric.place(**options)
    forms = [] if "stay" in options else ["mapping", "rankfile", "slurm"]
    wanted = command(*line, "--format", "json", *[word for form in forms for word in ("--write", f"{form}:{tmp_path / form}")])
    assert wanted and order.to_json() == wanted
    assert order.to_csv() == command(*line, "--format", "csv") and str(order) == command(*line)
    assert order.to_dict() == json.loads(wanted) and not order.stopped
    for form in forms:
        order.save(tmp_path / "own", form=form)
        assert (tmp_path / "own").read_text() == (tmp_path / form).read_text()
    assert order.hosts.dtype == numpy.uint32 and not order.hosts.flags.writeable
    assert order.names == [fabric.hosts["name"][host] for host in order.hosts]


def test_the_order_found_is_the_best_of_all_orders():
    """By brute force: all 720 orders of 6 ranks, by a sum of bytes that are added up here."""
    fabric, traffic = tailback.make("xgft:m=2x3,w=1x1"), sparse_traffic(6, 5)
    order = fabric.place(traffic=traffic, goal="leaf-bytes", moves=20000)
    def bytes_between_leaves(hosts):
        leaf = numpy.asarray(hosts) // 2
        return int(traffic[leaf[:, None] != leaf[None, :]].sum())
    least = min(bytes_between_leaves(hosts) for hosts in itertools.permutations(range(6)))
    assert bytes_between_leaves(order.hosts) == least < bytes_between_leaves(order.start)
    assert list(order.start) == list(range(6)) and sorted(order.hosts) == list(range(6))


def test_an_evaluation_of_the_order_found_has_the_number_of_the_search():
    fabric = tailback.make(TREE)
    order = fabric.place(traffic=sparse_traffic(16, 2), moves=20000)
    found = fabric.evaluate(traffic=sparse_traffic(16, 2), mapping=order.hosts, metrics="sum_max_cong").mean()
    start = fabric.evaluate(traffic=sparse_traffic(16, 2), mapping=order.start, metrics="sum_max_cong").mean()
    assert found < start
    values = {one["name"]: one["sum_max_cong"] for one in order.to_dict()["orders"]}
    assert values["found"] == found and values["block"] == start


def test_nodes_are_names_or_numbers():
    fabric = tailback.make(TREE)
    names = fabric.hosts["name"]
    asked = {"pattern": "ring", "moves": 2000, "ranks": 4}
    wanted = fabric.place(nodes=",".join(names[n] for n in (3, 5, 8, 9)), **asked)
    for nodes in ([3, 5, 8, 9], numpy.array([3, 5, 8, 9]), [names[3], 5, names[8], numpy.int64(9)]):
        assert fabric.place(nodes=nodes, **asked).to_json() == wanted.to_json()
    assert set(wanted.hosts) == {3, 5, 8, 9}


@pytest.mark.parametrize("beside", [{}, {"job": "a:pattern=ring,nodes=H[1-4]"}], ids=["alone", "beside"])
def test_a_callback_ends_a_search(beside):
    fabric = tailback.make("xgft:m=8x8,w=1x2")
    told = []
    asked = {"traffic": sparse_traffic(32, 4), "moves": 10 ** 11}
    order = fabric.place(**asked, progress=lambda done: told.append(done) or len(told) < 3, **beside)
    assert order.stopped and len(told) >= 3 and len(set(order.hosts)) == 32
    def fails(done):
        raise KeyError("enough")
    with pytest.raises(KeyError, match="enough"):
        fabric.place(**asked, progress=fails, **beside)


def test_ctrl_c_gives_the_best_order_by_then():
    done = subprocess.run([sys.executable, "-c", textwrap.dedent("""
        import numpy, os, signal, tailback, threading, time
        fabric = tailback.make("xgft:m=8x8,w=1x2")
        traffic = numpy.random.default_rng(1).integers(0, 9, (64, 64)) * (1 - numpy.eye(64, dtype=int))
        seen = []
        def press():
            while not seen:
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press, daemon=True).start()  # which runs while the search does: that has no GIL
        try:
            fabric.place(traffic=traffic, moves=10**11, progress=seen.append)
        except tailback.Interrupted as interrupted:
            print(interrupted.evaluation, interrupted.order.stopped, len(interrupted.order.hosts))
        """)], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "None True 64\n", done.stderr[-800:]


def test_the_best_and_the_worst_mapping_are_written_as_the_command_does(tmp_path):
    fabric = tailback.make("xgft:m=4x4,w=1x2")
    for options in ({}, {"pattern": "rand", "nodes": "any:8", "ranks_per_node": 2}, {"pattern": "ring", "metrics": "sum_max_cong"}):
        words = [word for name, value in options.items()
                 for word in ("--" + {"metrics": "metric"}.get(name, name.replace("_", "-")), str(value))]
        found = fabric.evaluate(mappings=50, per_mapping=True, **options)
        for form in ("mapping", "hostfile", "rankfile", "slurm"):
            command("evaluate", "--network", "xgft:m=4x4,w=1x2", "--mappings", 50, *words, "--write-best",
                    f"{form}:{tmp_path / 'best'}", "--write-worst", f"{form}:{tmp_path / 'worst'}")
            found.write_best(tmp_path / "own", form)
            assert (tmp_path / "own").read_text() == (tmp_path / "best").read_text() != ""
            found.write_worst(tmp_path / "own", form)
            assert (tmp_path / "own").read_text() == (tmp_path / "worst").read_text()
        values, small_is_good = found.values(), options.get("metrics") == "sum_max_cong"
        assert found.best_mapping == (values.argmin() if small_is_good else values.argmax())
        assert found.worst_mapping == (values.argmax() if small_is_good else values.argmin())
    with pytest.raises(tailback.InputError, match="number of each mapping"):
        fabric.evaluate(mappings=5, metrics="get_cable_cong").write_best(tmp_path / "none")


def test_estimates_jobs_and_schedules_are_the_commands_values(tmp_path):
    (tmp_path / "work.yaml").write_text(WORKLOAD)
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text("jobs:\n  - {name: a, pattern: rand, ranks: 5}\n  - {name: b, pattern: bisect, ranks: 6}\n")
    fabric = tailback.make("torus:4x4", routing="dor")
    network = ["--network", "torus:4x4", "--routing", "dor"]
    told = []
    for found, line in (
            (fabric.estimate(), ["estimate"]),
            (fabric.estimate(pattern="transpose", load=0.1, packet=256, threads=1, progress=told.append),
             ["estimate", "--pattern", "transpose", "--load", 0.1, "--packet", 256]),
            (fabric.jobs(job=["a:pattern=rand,nodes=any:5", "b:pattern=all-to-all,ranks=4"], mappings=20, seed=2,
                         threads=1, progress=told.append),
             ["jobs", "--job", "a:pattern=rand,nodes=any:5", "--job", "b:pattern=all-to-all,ranks=4", "--mappings", 20,
              "--seed", 2]),
            (fabric.jobs(jobs=jobs, mappings=7, capacities="unit"),
             ["jobs", "--jobs", jobs, "--mappings", 7, "--capacities", "unit"]),
            (fabric.schedule(tmp_path / "work.yaml", seeds=2, queue="easy", progress=told.append),
             ["schedule", tmp_path / "work.yaml", "--seeds", 2, "--queue", "easy"])):
        assert found == json.loads(command(*line, *network, "--format", "json"))
    assert told


def test_callbacks_end_jobs_and_what_is_wrong_is_named(tmp_path):
    fabric = tailback.make("torus:4x4", routing="dor")
    def fails(done):
        raise KeyError("enough")
    with pytest.raises(KeyError):
        fabric.jobs(job="a:pattern=rand,ranks=9", mappings=10 ** 5, progress=fails)
    some = fabric.jobs(job="a:pattern=rand,ranks=9", mappings=10 ** 5, progress=lambda done: False)
    assert some["mappings"] < 10 ** 5
    with pytest.raises(tailback.InputError, match="there is no job"):
        fabric.jobs()
    with pytest.raises(tailback.InputError) as wrong:
        (tmp_path / "w.yaml").write_text("jobs:\n  - {name: a, nodes: many}\n")
        fabric.schedule(tmp_path / "w.yaml")
    assert wrong.value.file == str(tmp_path / "w.yaml") and wrong.value.line == 2


def test_a_graph_is_a_network(tmp_path):
    networkx = pytest.importorskip("networkx")
    fabric = tailback.make("torus:4x4", routing="dor")
    graph = fabric.to_networkx()
    again = tailback.read(graph, routing="minhop")
    assert list(again.hosts["name"]) == list(fabric.hosts["name"])
    assert list(again.nodes["is_switch"]) == list(fabric.nodes["is_switch"])
    for column in ("source", "source_port", "target", "target_port"):
        numpy.testing.assert_array_equal(again.links[column], fabric.links[column])
    graph.clear()  # it was copied
    networkx.write_graphml(fabric.to_networkx(), tmp_path / "as_written.graphml")
    plain = networkx.Graph()
    for leaf in ("left", "right"):
        plain.add_node(leaf, kind="switch")
        for n in range(3):
            plain.add_node((leaf, n), kind="host", colour="<red & \"blue\">")
            plain.add_edge(leaf, (leaf, n), capacity=1)
    plain.add_edge("left", "right", capacity=2)
    made = tailback.read(plain, routing="minhop")
    assert made.hosts["name"] == [str((leaf, n)) for leaf in ("left", "right") for n in range(3)]
    # Three flows one way over a cable of twice the capacity, beside hosts' cables with one each.
    traffic = numpy.zeros((6, 6), int)
    traffic[[0, 1, 2], [3, 4, 5]] = 10
    assert made.evaluate(traffic=traffic, mapping=numpy.arange(6), metrics="sum_max_cong").mean() == 15
    assert made.audit().to_dict()["pairs"]["delivered"] == 30  # which reads it again
    assert repr(made) == "<tailback.Fabric of a graph: 6 endpoints, 2 switches, 14 links, minhop>"
    path = made._options["network"]
    assert os.path.exists(path)
    if os.fork() == 0:
        os._exit(0 if made is not None and (made.__dict__.clear() is None) else 1)
    os.wait()
    assert os.path.exists(path)
    del made
    assert not os.path.exists(path)
    with pytest.raises(tailback.InputError, match="no hosts") as wrong:
        tailback.read(networkx.cycle_graph(5))
    assert wrong.value.file is None and "/tmp" not in str(wrong.value)
