"""The Python module against the command line, byte for byte, and what only it can do.

Needs TAILBACK_PROGRAM, the program of the same build, and the package in PYTHONPATH.
"""
import json
import lzma
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time

import numpy
import pytest

import tailback

PROGRAM = os.environ["TAILBACK_PROGRAM"]
FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures"
TREE16 = FIXTURES / "opensm/ft2-16/minhop"
NETWORK, TABLES = TREE16 / "ibnetdiscover.out.xz", TREE16 / "opensm-lfts.dump.xz"


def command(*words):
    """What the program writes to standard output."""
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False).stdout


def network_words(options):
    return [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), str(value))]


NETWORKS = [
    {"network": "xgft:m=4x4,w=1x4", "routing": "dmodk"},
    {"network": "torus:4x4x4", "routing": "dor"},
    {"network": "torus:4x4x4", "routing": "dor", "routes": "arithmetic"},
    {"network": "dragonfly:a=4,p=2,h=2", "routing": "minimal"},
    {"network": "jellyfish:switches=20,degree=4,hosts=2", "routing": "minhop", "fail_cables": "3%"},
    {"network": "hypercube:n=4", "routing": "updn", "routes": "trees"},
    {"network": str(NETWORK), "tables": str(TABLES)},
]
STUDIES = [
    {},
    {"pattern": "shift:size=3", "mappings": 100, "seed": 7},
    {"pattern": "allreduce:algorithm=ring,size=1MiB", "mapping": "identity"},
    {"pattern": "rand", "metrics": ["all"], "mappings": 300, "seed": 3},
    {"pattern": "bisect", "ranks": 8, "subset": "rand", "mappings": 200},
    {"pattern": "tree", "level": 1, "metrics": "sum_max_cong"},
    {"pattern": "bisect", "until": "hist_acc_band:ci=0.01", "mappings": 5000},
    {"pattern": "ptrnvsptrn", "first": "ring", "first_ranks": 6, "second": "rand", "mappings": 50},
    {"pattern": "bisect", "mappings": 64, "first_mapping": 10 ** 12, "capacities": "unit", "threads": 1},
    {"pattern": "rand", "nodes": "any:4", "ranks_per_node": 2, "mappings": 50, "metrics": "sum_max_cong,hop_bytes"},
    {"pattern": "stencil-2d:dims=4x2,size=1KiB", "nodes": "any:4,contiguous", "ranks_per_node": 2, "mapping": "cyclic", "mappings": 20},
    {"pattern": "alltoall:algorithm=pairwise,size=64", "ranks": 8, "mapping": "shuffle", "adapters": 2, "rail": "round-robin"},
]


@pytest.mark.parametrize("options", NETWORKS, ids=lambda options: options["network"][-24:])
@pytest.mark.parametrize("study", range(len(STUDIES)))
def test_an_evaluation_is_the_commands_byte_for_byte(options, study):
    asked = dict(STUDIES[study])
    if asked.get("level") == 1 and options.get("routes") == "trees":
        asked.pop("level")
    if {"nodes", "rail"} & asked.keys() and "routes" in options:
        pytest.skip("compute nodes want tables")
    words = []
    for name, value in asked.items():
        name = {"metrics": "metric"}.get(name, name.replace("_", "-"))
        words += ["--" + name, ",".join(value) if isinstance(value, list) else str(value)]
    line = ["evaluate", *network_words(options), *words]
    evaluation = tailback.Fabric(**options).evaluate(**asked)
    assert evaluation.to_json() == command(*line, "--format", "json")
    assert evaluation.to_csv() == command(*line, "--format", "csv")
    assert evaluation.to_dict() == json.loads(evaluation.to_json())


@pytest.mark.parametrize("options", [n for n in NETWORKS if "routes" not in n], ids=lambda options: options["network"][-24:])
@pytest.mark.parametrize("more", [{}, {"criticality": True}, {"worst_case": "exact"}], ids=str)
def test_an_audit_is_the_commands_byte_for_byte(options, more):
    words = [word for name, value in more.items() for word in ["--" + name.replace("_", "-")] + [value] * (value is not True)]
    audit = tailback.Fabric(**options).audit(**more)
    for text, form in ((audit.to_json(), "json"), (audit.to_csv(), "csv"), (audit.picture(), "svg"), (str(audit), "text")):
        # What a form does not have is refused there on the command line.
        shown = [] if form == "svg" else words
        assert text == command("audit", *network_words(options), *shown, "--format", form)


def test_the_worst_permutation_puts_its_flows_on_one_link():
    fabric = tailback.make("torus:4x4", routing="dor")
    worst = fabric.worst_permutation()
    sources, destinations = worst["sources"], worst["destinations"]
    assert len(set(sources)) == len(sources) and len(set(destinations)) == len(destinations)
    assert int(fabric.loads(numpy.stack([sources, destinations], 1)).max()) == worst["flows"]
    assert worst["flows"] == fabric.audit(worst_case="exact").to_dict()["worst_permutation"]["flows"]


def test_a_comparison_is_the_commands_byte_for_byte():
    other = FIXTURES / "opensm/ft2-16/file-broken/opensm-lfts.dump.xz"
    compared = tailback.diff(NETWORK, NETWORK, old_tables=TABLES, new_tables=other)
    line = ["diff", NETWORK, NETWORK, "--old-tables", TABLES, "--new-tables", other]
    assert compared.to_json() == command(*line, "--format", "json")
    assert str(compared) == command(*line)
    assert compared.equal == compared.to_dict()["equal"]


def test_a_sweep_is_the_commands_byte_for_byte(tmp_path):
    grid = {"network": ["torus:4x4", {"network": "xgft:m=4x4,w=1x4", "routing": ["dmodk", "minhop"]}],
            "pattern": ["bisect", "rand"], "mappings": 50, "metrics": ["hist_acc_band", "sum_max_cong"]}
    (tmp_path / "grid.yaml").write_text(json.dumps({**{k: v for k, v in grid.items() if k != "metrics"},
                                                    "metric": grid["metrics"]}))
    command("sweep", tmp_path / "grid.yaml", "--output", tmp_path / "out")
    table = tailback.sweep(grid, output=tmp_path / "journal")
    assert table.to_csv() == (tmp_path / "out/sweep.csv").read_text()
    whole = json.loads((tmp_path / "out/sweep.json").read_text())
    assert json.loads(table.to_json()) == {**whole, "files": {}}  # of a map there is no file
    assert tailback.sweep(grid, output=tmp_path / "journal").to_csv() == table.to_csv()
    assert len(table.to_dataframe()) == 6


@pytest.mark.parametrize("network", ["xgft:m=4x4,w=1x2", "torus:4x4"])
def test_a_bracket_is_the_commands_byte_for_byte(network):
    fabric = tailback.make(network, routing="ar:minimal")
    done = []
    found = fabric.bracket("rand", mappings=40, seed=3, optimal_mappings=5, hash_draws=2, progress=done.append)
    line = ["bracket", "--network", network, "--routing", "ar:minimal", "--pattern", "rand", "--mappings", "40",
            "--seed", "3", "--optimal-mappings", "5", "--hash-draws", "2"]
    assert found.to_json() == command(*line, "--format", "json")
    assert found.to_csv() == command(*line, "--format", "csv")
    assert str(found) == command(*line)
    assert done[-1] == 40 and found.verdict == found.to_dict()["verdict"]
    static = fabric.evaluate("rand", mappings=40, seed=3, routes=None)
    assert found.mean("static") == pytest.approx(static.mean(), abs=1e-12)
    low, high = found.ci99("static")
    assert low < found.mean("static") < high
    assert found.to_dataframe()["hist_acc_band_ci99_low"][0] == low
    assert found.mean("equal", "sum_max_cong") >= found.to_dict()["columns"]["optimal"]["sum_max_cong_lower"]["mean"] * 0.5
    assert list(found.to_dataframe()["division"]) == ["static", "equal", "hash", "optimal"]
    given = fabric.bracket("bisect", mapping=numpy.arange(16), optimal_mappings=0)
    assert given.to_dict()["study"]["mappings"] == 1


def test_brackets_want_choices_and_name_what_is_wrong():
    with pytest.raises(tailback.InputError, match="candidate sets"):
        tailback.make("torus:4x4").bracket("rand", mappings=3)
    fabric = tailback.make("torus:4x4", routing="ar:minimal")
    with pytest.raises(tailback.InputError, match="--metric makespan does not go with columns side by side"):
        fabric.bracket("rand", metrics="makespan")
    with pytest.raises(tailback.InputError, match="no division"):
        fabric.bracket("rand", mappings=2).mean("best")
    with pytest.raises(tailback.InputError, match="Fabric.bracket"):
        fabric.evaluate("rand", bracket=True)
    def stop(done):
        raise KeyError("enough")
    with pytest.raises(KeyError):
        fabric.bracket("rand", mappings=100, progress=stop)


def test_arrays_are_views_that_live_as_long_as_they_are_used():
    fabric = tailback.make("xgft:m=4x4,w=1x4", routing="dmodk")
    evaluation = fabric.evaluate(metrics=["hist_acc_band", "get_cable_cong"], per_mapping=True, mappings=200)
    loads, values = evaluation.loads, evaluation.values()
    assert not loads.flags.owndata and not loads.flags.writeable and loads.dtype == numpy.uint64
    assert not values.flags.owndata and values.shape == (200,)
    assert not fabric.links["source"].flags.owndata
    copies = loads.copy(), values.copy()
    mean = evaluation.mean("hist_acc_band")
    del evaluation, fabric
    numpy.testing.assert_array_equal(loads, copies[0])
    numpy.testing.assert_array_equal(values, copies[1])
    assert abs(values.mean() - mean) < 1e-12


def test_loads_over_links_are_bytes_times_hops():
    """Sum over links of load = sum over flows of size x links of the route, whatever the routing."""
    for options in NETWORKS:
        fabric = tailback.Fabric(**options)
        hosts = len(fabric.hosts["name"])
        draw = numpy.random.default_rng(5)
        flows = numpy.stack([draw.integers(0, hosts, 300), draw.integers(0, hosts, 300), draw.integers(0, 10 ** 12, 300)], 1)
        begins, links, fates = fabric.routes(flows[:, 0], flows[:, 1])
        delivered = fates == 0
        assert int(fabric.loads(flows).sum()) == int((numpy.diff(begins.astype(numpy.int64)) * flows[:, 2])[delivered].sum())
        by_hand = numpy.zeros(len(fabric.links["source"]), numpy.int64)
        for i in numpy.flatnonzero(delivered):
            by_hand[links[begins[i]:begins[i + 1]]] += flows[i, 2]
        numpy.testing.assert_array_equal(fabric.loads(flows).astype(numpy.int64), by_hand)


def test_a_route_goes_to_the_lid_that_is_named():
    fabric = tailback.make("xgft:m=4x4,w=1x4", routing="minhop", lmc=2)
    base = int(fabric.hosts["lid"][13])
    routes = [fabric.route(0, str(base + more)) for more in range(4)]
    assert {route["nodes"][-1] for route in routes} == {fabric.hosts["name"][13]}
    assert len({route["nodes"][2] for route in routes}) == 4  # each by a spine of its own
    assert fabric.route(0, 13)["nodes"] == routes[0]["nodes"]


def test_a_route_leads_from_link_to_link():
    fabric = tailback.make("torus:4x4", routing="dor")
    route = fabric.route(0, 10)
    source, target = fabric.links["source"][route["links"]], fabric.links["target"][route["links"]]
    assert route["fate"] == "delivered" and route["why"] == ""
    assert (source[1:] == target[:-1]).all()
    assert source[0] == fabric.hosts["node"][0] and target[-1] == fabric.hosts["node"][10]
    assert route["nodes"][0] == fabric.hosts["name"][0] and route["nodes"][-1] == fabric.hosts["name"][10]
    assert len(route["links"]) == 2 + 4  # host links, and two steps in each dimension
    begins, links, fates = fabric.routes([0, 3], [10, 3])
    numpy.testing.assert_array_equal(links[begins[0]:begins[1]], route["links"])
    assert begins[2] == begins[1] and list(fates) == [0, 0]


@pytest.mark.parametrize("options", NETWORKS, ids=lambda options: options["network"][-24:])
def test_scores_are_those_of_an_evaluation(options):
    """A mapping that is scored has the number that it has when it is drawn."""
    if options.get("routes") == "trees":
        pytest.skip("routes on demand are not for single mappings")
    fabric = tailback.Fabric(**options)
    study = fabric.study(pattern="bisect", mappings=300, metrics=["hist_acc_band", "sum_max_cong"], seed=4)
    evaluation = study.evaluate(per_mapping=True)
    mappings = numpy.stack([evaluation.hosts_of_mapping(m) for m in range(300)])
    numpy.testing.assert_array_equal(study.score(mappings), evaluation.values("hist_acc_band"))
    numpy.testing.assert_array_equal(study.score(mappings, "sum_max_cong"), evaluation.values("sum_max_cong"))
    assert study.score(mappings[7])[0] == evaluation.values("hist_acc_band")[7]
    given = fabric.evaluate(pattern="bisect", mapping=mappings[:50], per_mapping=True)
    numpy.testing.assert_array_equal(given.values(), evaluation.values("hist_acc_band")[:50])


@pytest.mark.parametrize("network, options", [
    ("xgft:m=4x4,w=1x4", {"nodes": "any:5", "ranks_per_node": 3}),
    ("rail:gpus=4,nodes=8", {"nodes": "any:6", "ranks_per_node": 4}),
    ("rail:gpus=4,nodes=8", {"ranks_per_node": 5, "rail_aligned": True}),
    ("torus:4x4,hosts=2", {"nodes": "H[1-9]", "ranks_per_node": 2}),
])
@pytest.mark.parametrize("pattern", ["rand", "all-to-all", "ring"])
def test_scores_of_ranks_that_share_nodes(network, options, pattern):
    fabric = tailback.make(network)
    study = fabric.study(pattern=pattern, mapping="random", mappings=40, metrics=["sum_max_cong", "hist_acc_band"],
                         **options)
    evaluation = study.evaluate(per_mapping=True)
    mappings = numpy.stack([evaluation.hosts_of_mapping(m) for m in range(40)])
    if options["ranks_per_node"] != 4:  # which is an adapter a rank
        assert any(len(set(mapping)) < len(mapping) for mapping in mappings.tolist())
    if pattern != "rand":  # which draws flows, by number of mapping
        for metric in ("sum_max_cong", "hist_acc_band"):
            numpy.testing.assert_array_equal(study.score(mappings, metric), evaluation.values(metric))
    assert numpy.isnan(study.score(numpy.full(mappings.shape[1], mappings[0, 0]), "hist_acc_band")[0])


def test_a_wrong_grid_names_no_file():
    with pytest.raises(tailback.InputError) as error:
        tailback.sweep({"network": "xgft:m=2x2,w=1x2", "patern": ["ring"]})
    assert error.value.file is None and error.value.line is None
    assert "pattern" in str(error.value)


def test_traffic_may_be_an_array():
    fabric = tailback.make("xgft:m=4x4,w=1x4", routing="dmodk")
    matrix = numpy.zeros((16, 16), numpy.int64)
    matrix[0, 5], matrix[3, 5] = 1000, 500
    evaluation = fabric.evaluate(traffic=matrix, mapping="identity", metrics=["sum_max_cong", "get_cable_cong"])
    assert evaluation.loads.max() == 1500  # the link into host 5
    assert evaluation.mean("sum_max_cong") == 1500
    with pytest.raises(tailback.InputError, match="shape"):
        fabric.evaluate(traffic=matrix[:3])
    with pytest.raises(tailback.InputError, match="negative"):
        fabric.evaluate(traffic=-matrix)


def test_errors_tell_file_and_line(tmp_path):
    bad = tmp_path / "bad.flows"
    bad.write_text("0 0 1\n0 x 2\n")
    with pytest.raises(tailback.InputError) as caught:
        tailback.make("torus:4x4").evaluate(pattern=f"file:{bad}")
    assert (caught.value.file, caught.value.line) == (str(bad), 2)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(tailback.InputError) as caught:
        tailback.make("torus:4x")
    assert caught.value.file is None
    for wrong in ({"patern": "bisect"}, {"pattern": "bisec"}, {"metrics": []}, {"mappings": -1}, {"seed": True}):
        with pytest.raises(tailback.InputError):
            tailback.make("torus:4x4").evaluate(**wrong)


@pytest.mark.parametrize("mapping", [
    numpy.zeros((2, 0), int), numpy.zeros((2, 2, 2), int), numpy.array([[0, 0]]), numpy.array([[0, 99]]),
    numpy.array([[-1, 0]]), numpy.array([]), numpy.array([[2 ** 40, 0]])], ids=lambda a: str(a.shape))
def test_wrong_mappings_are_refused(mapping):
    fabric = tailback.make("torus:4x4")
    with pytest.raises(tailback.InputError):
        fabric.evaluate(mapping=mapping)
    with pytest.raises(tailback.InputError):
        fabric.study(pattern="bisect", ranks=2).score(mapping)


def test_wrong_hosts_and_flows_are_refused():
    fabric = tailback.make("torus:4x4")
    for call in (lambda: fabric.route(0, 16), lambda: fabric.route("nobody", 0), lambda: fabric.routes([0], [99]),
                 lambda: fabric.routes([0, 1], [1]), lambda: fabric.loads([[0, 1, -5]]), lambda: fabric.loads([[0, 77]]),
                 lambda: fabric.loads([0, 1]), lambda: fabric.loads([[0, 1, 2 ** 63 - 1]] * 3), lambda: fabric.save("x", "nope"),
                 lambda: fabric.loads([[0.5, 1.0]])):
        with pytest.raises(tailback.InputError):
            call()


def test_ctrl_c_keeps_what_is_known():
    fabric = tailback.make("xgft:m=8x8,w=1x8", routing="dmodk")
    timer = threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        fabric.evaluate(mappings=10 ** 12)
    assert isinstance(caught.value, tailback.Interrupted)
    part = caught.value.evaluation
    assert 0 < part.mappings < 10 ** 12 and 0 < part.mean() <= 1


def test_ctrl_c_inside_progress_keeps_what_is_known():
    fabric = tailback.make("xgft:m=8x8,w=1x8", routing="dmodk")
    timer = threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()

    def slow(done):
        time.sleep(0.2)  # so that the signal arrives here
    with pytest.raises(tailback.Interrupted) as caught:
        fabric.evaluate(mappings=10 ** 12, progress=slow)
    assert 0 < caught.value.evaluation.mappings < 10 ** 12


def test_the_first_metric_is_the_first_asked_for():
    fabric = tailback.make("torus:4x4x4", routing="dor")
    for first, second in (("hist_acc_band", "sum_max_cong"), ("sum_max_cong", "hist_acc_band")):
        found = fabric.evaluate(mappings=20, metrics=[first, second])
        assert found.metrics == [first, second]
        assert found.mean() == found.mean(first) != found.mean(second)


def test_options_of_the_command_alone_are_refused():
    fabric = tailback.make("torus:4x4")
    for name in ("job", "jobs", "checkpoint", "output", "format", "picture", "write_best", "dump_mappings", "timeline"):
        with pytest.raises(tailback.InputError, match=name):
            fabric.evaluate(**{name: "x"})
    for name in ("format", "output", "picture"):
        with pytest.raises(tailback.InputError, match=name):
            fabric.audit(**{name: "x"})


def test_traffic_of_any_size():
    fabric = tailback.make("torus:4x4", routing="dor")
    for n in (2, 3, 4, 5, 16):
        matrix = numpy.arange(n * n).reshape(n, n)
        found = fabric.evaluate(traffic=matrix, mapping="identity", metrics="get_cable_cong")
        total = matrix.sum() - numpy.trace(matrix)
        up = fabric.links["source"] == numpy.array(fabric.hosts["node"])[:, None]
        assert found.loads[up.any(axis=0)].sum() == total
    with pytest.raises(tailback.InputError) as caught:
        fabric.evaluate(traffic=numpy.zeros((3, 3), dtype=int))
    assert ".mtx" not in str(caught.value)


def test_progress_and_exceptions_in_it():
    fabric = tailback.make("xgft:m=8x8,w=1x8", routing="dmodk")
    seen = []
    fabric.evaluate(mappings=20000, progress=seen.append)
    assert seen[-1] == 20000 and seen == sorted(seen)

    class Bar:
        """As tqdm's."""
        def __init__(self, total, unit):
            self.total, self.n = total, 0
            Bar.last = self

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    fabric.evaluate(mappings=20000, progress=Bar)
    assert Bar.last.n == Bar.last.total == 20000 and Bar.last.closed

    def stop(done):
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        fabric.evaluate(mappings=20000, progress=stop)


def test_threads_may_call_at_once():
    fabric = tailback.make("dragonfly:a=4,p=2,h=2", routing="minimal")
    wanted = [fabric.evaluate(seed=seed, mappings=500, threads=1).to_json() for seed in range(8)]
    got = [None] * 8

    def work(seed):
        for _ in range(5):
            got[seed] = fabric.evaluate(seed=seed, mappings=500, threads=1).to_json()
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == wanted


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_flat():
    fabric = tailback.make("torus:4x4", routing="dor")
    study = fabric.study(pattern="bisect", threads=1)
    mapping = numpy.arange(16)

    def calls(count):
        for _ in range(count):
            study.score(mapping)
            fabric.route(0, 5)
            fabric.loads([[0, 1, 3]])
    calls(2000)
    before = resident()
    calls(35000)  # 105,000 calls
    for _ in range(100):
        fabric.evaluate(mappings=5, threads=1).to_dict()
    assert resident() - before < 8 << 20


def test_notes_reach_the_log(caplog):
    with caplog.at_level("INFO", logger="tailback"):
        tailback.make("torus:4x4")
    assert "routed by" in caplog.text


def test_odd_input_is_a_warning(tmp_path):
    """A table's entry leads to a port that the switch has not."""
    text = lzma.open(TABLES, "rt").read()
    (tmp_path / "lfts").write_text(re.sub(r"(?m)^(0x[0-9a-f]{4}) 001 ", r"\1 099 ", text, count=1))
    with pytest.warns(tailback.InputWarning, match="port"):
        tailback.read(NETWORK, tables=tmp_path / "lfts")
    with pytest.raises(tailback.InputError):
        tailback.read(NETWORK, tables=tmp_path / "lfts", strict=True)


def test_files_are_written_whole(tmp_path):
    fabric = tailback.make("torus:3x3", routing="dor")
    fabric.save(tmp_path / "net", format="ibnetdiscover")
    fabric.save(tmp_path / "lfts", format="lft-dump")
    command("generate", "torus:3x3", "--routing", "dor", "--output", tmp_path / "generated")
    again = tailback.read(tmp_path / "net", tables=tmp_path / "lfts")
    assert again.evaluate().mean() == fabric.evaluate().mean()
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["lfts", "net"]


def test_other_libraries_get_what_they_know():
    fabric = tailback.make("torus:3x3", routing="dor")
    networkx = pytest.importorskip("networkx")
    graph = fabric.to_networkx()
    assert graph.number_of_nodes() == 18 and graph.number_of_edges() == len(fabric.links["source"])
    assert networkx.is_strongly_connected(graph)
    pytest.importorskip("pandas")
    frame = fabric.evaluate(metrics=["hist_acc_band", "sum_max_cong"], per_mapping=True, mappings=70).to_dataframe()
    assert list(frame.columns) == ["hist_acc_band", "sum_max_cong"] and len(frame) == 70
    links = fabric.audit().to_dataframe()
    assert list(links.columns)[:3] == ["from", "from_guid", "from_port"] and "efi" in links.columns
    assert len(links) == fabric.audit().to_dict()["network"]["links"]
    assert "<svg" in fabric.evaluate()._repr_html_()


def test_docstrings_say_what_is_true():
    import doctest
    assert doctest.testmod(tailback).failed == 0


def test_broken_numbers_of_hosts_are_refused_and_not_cut_off():
    fabric = tailback.make("xgft:m=4x4,w=1x4")
    study = fabric.study(pattern="ring", ranks=4)
    candidates = numpy.array([[0, 1, 2, 3]])
    assert study.score(candidates).shape == (1,)
    for wrong in (lambda: study.score(candidates + 0.5), lambda: fabric.routes([0.9], [1.9]),
                  lambda: fabric.loads([[0.0, 1.0]]),
                  lambda: fabric.evaluate(pattern="ring", ranks=4, mapping=candidates + 0.5)):
        with pytest.raises(tailback.InputError, match="whole numbers"):
            wrong()


def test_what_was_not_measured_is_named():
    evaluation = tailback.make("xgft:m=4x4,w=1x4").evaluate(mappings=5, metrics=["sum_max_cong", "hist_acc_band"])
    for ask in (evaluation.mean, evaluation.histogram):
        with pytest.raises(tailback.InputError, match="sum_max_cong, hist_acc_band"):
            ask("nonsense")
    with pytest.raises(tailback.InputError, match="from 0 to 4"):
        evaluation.hosts_of_mapping(5)
    assert len(evaluation.hosts_of_mapping(4)) == 16


NETWORKS_OWN = {"network": "torus:4x4", "tables": "/nonexist", "routing": "updn", "routing_seed": 2, "lmc": 1,
                "routes": "tables", "strict": True, "fail_cables": "5%", "fail_switches": 1, "fail_seed": 2,
                "aggregation_nodes": "hosts", "aggregation_nodes_are_hosts": True}


@pytest.mark.parametrize("name", NETWORKS_OWN)
def test_what_belongs_to_the_network_is_refused_by_a_fabric(name):
    """A fabric stays what it was made as: options of the network are refused, with the call that makes another."""
    fabric = tailback.make("xgft:m=4x4,w=1x4", routing="dmodk")
    value = NETWORKS_OWN[name]
    for call in (fabric.evaluate, fabric.study, fabric.bracket, fabric.audit, fabric.worst_permutation, fabric.place,
                 fabric.estimate, fabric.jobs):
        with pytest.raises(tailback.InputError) as refused:
            call(**{name: value})
        assert f"{name} belongs to the network" in str(refused.value)
        assert f"tailback.make(.., {name}={value!r})" in str(refused.value)
    for nothing in (None, False):
        assert fabric.evaluate(mappings=5, **{name: nothing}).to_dict() == fabric.evaluate(mappings=5).to_dict()



def test_means_of_all_flows_beside_those_of_delivered_ones():
    evaluation = tailback.make("xgft:m=4x4,w=1x4", routing="dmodk", fail_cables="20%").evaluate(mappings=50)
    numbers = evaluation.to_dict()["metrics"]["hist_acc_band"]
    assert evaluation.mean() == evaluation.mean(all_flows=True) == numbers["mean_all"] < numbers["mean"]
    assert evaluation.mean(all_flows=False) == numbers["mean"]
    whole = tailback.make("xgft:m=4x4,w=1x4", routing="dmodk").evaluate(mappings=50)
    assert whole.mean() == whole.mean(all_flows=False)
    assert evaluation.mean() < whole.mean(), "failures do not raise what all flows get"


def test_all_to_all_is_the_commands():
    fabric = tailback.make("xgft:m=4x4,w=1x4")
    options = {"pattern": "all-to-all", "ranks": 9, "subset": "rand", "mappings": 20}
    want = command("evaluate", "--network", "xgft:m=4x4,w=1x4", *network_words(options), "--format", "json")
    assert fabric.evaluate(**options).to_json() == want


def test_reprs_tell_what_was_found():
    assert repr(tailback.make("xgft:m=2x2,w=1x2").audit()).startswith("<tailback.Audit: sound, 12 pairs delivered")
    assert repr(tailback.diff(NETWORK, NETWORK, TABLES, TABLES)) == "<tailback.Comparison: nothing differs>"
    sweep = tailback.sweep({"network": "xgft:m=2x2,w=1x2", "pattern": ["ring", "bisect"], "mappings": 5})
    assert repr(sweep) == "<tailback.Sweep: 2 points>"
    assert "usual routing" not in repr(tailback.make("xgft:m=2x2,w=1x2"))


def script(text, timeout=60, **options):
    """A Python of its own that has the module, to the end."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, check=False,
                          timeout=timeout, **options)


def test_a_forked_child_evaluates():
    """Every call that may use threads works in a child of a process that has used them, and gives the same."""
    done = script("""
        import multiprocessing, numpy, tailback
        spec = "xgft:m=8x8,w=1x4"
        fabric = tailback.make(spec, routing="dmodk")
        study = fabric.study(pattern="bisect")
        mapping = numpy.arange(64)
        adaptive = tailback.make("xgft:m=4x4,w=1x2", routing="ar:minimal")
        def everything(_):
            made = tailback.make(spec, routing="updn")
            pairs = numpy.arange(64)
            return (fabric.evaluate(mappings=300).to_json(), study.evaluate().to_json(), float(study.score(mapping)[0]),
                    made.audit(worst_case="exact").to_json(), made.routes(pairs, pairs[::-1])[1].tolist(),
                    made.loads(numpy.stack([pairs, pairs[::-1]], 1)).tolist(),
                    adaptive.bracket("rand", mappings=20).to_json(), fabric.evaluate(mappings=9, per_mapping=True).values().tolist(),
                    tailback.sweep({"network": "torus:3x3", "mappings": 5}).to_csv())
        if __name__ == "__main__":
            want = everything(0)
            with multiprocessing.get_context("fork").Pool(2) as pool:
                got = pool.map(everything, range(2))
            assert got == [want, want]
            assert everything(0) == want
            print("same")
        """)
    assert done.returncode == 0 and done.stdout == "same\n", done.stderr


@pytest.mark.parametrize("work", ["fabric.evaluate(mappings=10**10)", "fabric.evaluate(mappings=10**9, progress=lambda done: None)",
                                  "tailback.make('xgft:m=24x24x12,w=1x12x12').audit()", "study.score(many)"])
def test_a_daemon_thread_at_the_end_of_the_interpreter_does_no_harm(work):
    done = script(f"""
        import numpy, tailback, threading, time
        fabric = tailback.make("xgft:m=8x8,w=1x4", routing="dmodk")
        study = fabric.study(pattern="bisect")
        many = numpy.tile(numpy.arange(64), (300000, 1))
        def work():
            while True:
                {work}
        for _ in range(2):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("ends")
        """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")


@pytest.mark.parametrize("work", [
    "fabric.audit()", "fabric.audit(worst_case='exact')", "torus.study(pattern='bisect')",
    "fabric.routes(flows[:, 0], flows[:, 1])", "fabric.loads(flows)",
    "tailback.make('jellyfish:switches=3000,degree=20,hosts=4', routing='dfsssp')",
    "small.evaluate(mappings=10**12)", "tailback.sweep({'network': 'xgft:m=8x8,w=1x4', 'mappings': 10**12})"])
def test_ctrl_c_is_answered_soon(work):
    """Whatever takes long: KeyboardInterrupt comes soon after the signal, and the interpreter ends. Soon is less than 1.5
    seconds of every processor: a clock on the wall would judge what else the machine does."""
    done = script(f"""
        import numpy, os, signal, tailback, threading, time
        soon = 1.5 * os.cpu_count()
        small = tailback.make("xgft:m=8x8,w=1x4", routing="dmodk")
        fabric = tailback.make("xgft:m=24x24x24,w=1x12x12")
        torus = tailback.make("torus:16x16x16", routing="dor")
        flows = numpy.stack([numpy.arange(2 * 10**7) % 9000, numpy.arange(2 * 10**7) % 8999], 1)
        pressed = []
        def press():
            time.sleep(0.5)
            pressed.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=press)
        try:
            thread.start()
            {work}
            print("too fast to be asked")
        except KeyboardInterrupt:
            used = time.process_time() - pressed[0]
            print("answered" if used < soon else used)
        thread.join()
        """, timeout=120)
    assert done.returncode == 0 and done.stdout == "answered\n", (done.returncode, done.stdout, done.stderr[-500:])


def test_save_writes_as_the_command_does(tmp_path):
    fabric = tailback.make("torus:3x3", routing="dor")
    want = command("convert", "--network", "torus:3x3", "--routing", "dor", "--to", "lft-dump")
    before = os.umask(0o027)
    try:
        fabric.save(tmp_path / "new", format="lft-dump")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "old").write_text("")
    (tmp_path / "old").chmod(0o604)
    (tmp_path / "link").symlink_to("old")
    fabric.save(tmp_path / "link", format="lft-dump")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "old").read_text() == want
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o604
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        fabric.save(tmp_path / "pipe", format="lft-dump")
        assert reader.communicate()[0] == want
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    fabric.save("/dev/null", format="lft-dump")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(tailback.InputError, match="No space left"):
        fabric.save("/dev/full", format="lft-dump")
    with pytest.raises(tailback.InputError, match="directory"):
        fabric.save(tmp_path, format="lft-dump")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "new", "old", "pipe"]


def test_numbers_of_too_many_mappings_are_refused_before_they_are_counted():
    fabric = tailback.make("xgft:m=4x4,w=1x4")
    with pytest.raises(tailback.InputError, match=r"8e\+03 GB do not fit into memory"):
        fabric.evaluate(mappings=10 ** 12, per_mapping=True)
    with pytest.raises(tailback.InputError, match="do not fit into memory"):
        fabric.evaluate(mappings=2 ** 63 - 1, metrics=["hist_acc_band", "sum_max_cong"], per_mapping=True)
    assert len(fabric.evaluate(mappings=5000, until="ci=0.01", per_mapping=True).values()) >= 100


def ring_graph():
    networkx = pytest.importorskip("networkx")
    return networkx.cycle_graph(5)


def wrong_arguments():
    fabric = tailback.make("xgft:m=4x4,w=1x4")
    study = fabric.study(pattern="ring")
    evaluation = fabric.evaluate(mappings=5)
    mask = [True] * 16
    return {
        "zero byte in pattern": (lambda: fabric.evaluate(pattern="rand\0x"), "pattern"),
        "zero byte in a network": (lambda: tailback.make("torus:4x4\0x"), "network"),
        "zero byte in an option's name": (lambda: fabric.evaluate(**{"seed\0x": 1}), "option"),
        "zero byte in a path": (lambda: tailback.diff("a\0b", "c"), "old"),
        "zero byte in a grid": (lambda: tailback.sweep({"network": "torus:3x3", "pattern": "rand\0x"}), "NUL"),
        "zero byte in a host": (lambda: fabric.route("H1\0", 2), "source"),
        "surrogates": (lambda: tailback.read("a\udc80"), "network"),
        "per_mapping": (lambda: fabric.evaluate(per_mapping="yes"), "per_mapping is of type str"),
        "progress": (lambda: fabric.evaluate(progress=3), "progress"),
        "progress of a bracket": (lambda: fabric.bracket("rand", progress=3), "progress"),
        "progress of a sweep": (lambda: tailback.sweep({"network": "torus:3x3"}, progress=3), "progress"),
        "progress of a search": (lambda: fabric.place("ring", progress=3), "progress"),
        "progress of jobs": (lambda: fabric.jobs(job="a:pattern=ring,ranks=4", progress=3), "progress"),
        "a form of placements": (lambda: evaluation.write_best("/dev/null", "launcher"), "launcher"),
        "a form that is not text": (lambda: evaluation.write_best("/dev/null", 3), "form is of type int"),
        "no path for a placement": (lambda: evaluation.write_best(3), "path is of type int"),
        "a node that is no host": (lambda: fabric.place("ring", nodes=[0, 16]), "nodes has no host 16"),
        "an output of a search": (lambda: fabric.place("ring", write="slurm:x"), "RankOrder.save()"),
        "an output of a schedule": (lambda: fabric.schedule("x", timeline="y"), "timeline"),
        "a graph without hosts": (lambda: tailback.read(ring_graph()), "the network has no hosts"),
        "a grid that is none": (lambda: tailback.sweep([1]), "grid"),
        "threads": (lambda: tailback.diff(NETWORK, NETWORK, threads=-1), "threads"),
        "threads of a sweep": (lambda: tailback.sweep({"network": "torus:3x3"}, threads=2 ** 40), "threads"),
        "broken threads": (lambda: tailback.diff(NETWORK, NETWORK, threads=1.5), "threads"),
        "no path": (lambda: tailback.diff(3, NETWORK), "old is of type int"),
        "no path to save": (lambda: fabric.save(3, format="lft-dump"), "path is of type int"),
        "no format": (lambda: fabric.save("x", format=3), "format is of type int"),
        "half a host": (lambda: fabric.route(0.5, 1), "source"),
        "no host": (lambda: fabric.route(0, None), "destination is None"),
        "a host that is a truth value": (lambda: fabric.route(True, 0), "source"),
        "a host below 0": (lambda: fabric.route(-1, 0), "source -1"),
        "a host far away": (lambda: fabric.route(0, 10 ** 30), "destination"),
        "a mapping far away": (lambda: evaluation.hosts_of_mapping(2 ** 70), "mapping"),
        "half a mapping": (lambda: evaluation.hosts_of_mapping(0.5), "mapping"),
        "a metric that is not text": (lambda: study.score(numpy.arange(16), metric=3), "metric"),
        "a mean of a number": (lambda: evaluation.mean(3), "metric"),
        "a picture of a number": (lambda: evaluation.picture(3), "metric"),
        "a histogram of a number": (lambda: evaluation.histogram(3), "metric"),
        "a mask": (lambda: study.score(mask), "flatnonzero"),
        "a mask of sources": (lambda: fabric.routes(mask, mask), "flatnonzero"),
        "a mask as mapping": (lambda: fabric.evaluate(mapping=mask), "flatnonzero"),
        "a mask as subset": (lambda: fabric.evaluate(subset=mask), "subset=True"),
        "a mask of numpy as subset": (lambda: fabric.evaluate(subset=numpy.array(mask)), "subset=True"),
        "rows of unequal length": (lambda: study.score([[0, 1], [2]]), "mappings"),
        "numbers beyond 64 bits": (lambda: fabric.routes([10 ** 30], [0]), "sources"),
        "numbers beyond 63 bits": (lambda: fabric.routes(numpy.array([2 ** 64 - 1], "uint64"), [0]), "sources has"),
        "traffic of unequal rows": (lambda: fabric.evaluate(traffic=[[0, 1], [1]]), "traffic"),
        "traffic in words": (lambda: fabric.evaluate(traffic=[["a", "b"], ["c", "d"]]), "traffic"),
        "traffic that is not a number": (lambda: fabric.evaluate(traffic=[[0, float("nan")], [1, 0]]), "traffic"),
    }


@pytest.mark.parametrize("what", wrong_arguments())
def test_wrong_arguments_are_named_in_plain_words(what):
    call, names = wrong_arguments()[what]
    with pytest.raises(tailback.InputError) as refused:
        call()
    assert names in str(refused.value) and "incompatible" not in str(refused.value)


def test_nested_lists_are_matrices_as_arrays_are():
    fabric = tailback.make("torus:3x3")
    rows = [[0, 5, 0], [0, 0, 7], [1, 0, 0]]
    assert fabric.evaluate(traffic=rows, mappings=9).to_dict()["metrics"] == \
        fabric.evaluate(traffic=numpy.array(rows), mappings=9).to_dict()["metrics"]


@pytest.mark.parametrize("name", ["Fabric", "Study", "Evaluation", "Bracket", "Audit", "RankOrder", "Comparison"])
def test_objects_without_parts_are_refused(name):
    kind = getattr(tailback._native, name)
    for make in (kind, lambda: kind.__new__(kind), lambda: type("Own", (kind,), {})()):
        with pytest.raises(TypeError, match="no parts"):
            make()
    for below in (object, kind.__base__):
        with pytest.raises(TypeError, match="not safe"):
            below.__new__(kind)


def test_a_sub_interpreter_is_refused():
    done = script("""
        import _xxsubinterpreters as interpreters, tailback
        one = interpreters.create()
        try:
            interpreters.run_string(one, "import tailback")
            print("taken")
        except interpreters.RunFailedError as error:
            print(error)
        """)
    assert done.returncode == 0 and "process of its own" in done.stdout, (done.stdout, done.stderr)
