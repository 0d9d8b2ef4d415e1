"""Congestion of statically routed networks, evaluated analytically.

>>> import tailback
>>> fabric = tailback.make("xgft:m=4x4,w=1x4", routing="dmodk")
>>> evaluation = fabric.evaluate(pattern="bisect", mappings=1000, seed=1)
>>> round(evaluation.mean(), 4)
0.9117

Options have the names of the command line's, with ``_`` for ``-`` (``tailback evaluate --help`` tells them all), and
results are the same to the last bit. What is wrong with input is an `InputError`; notes go to the logger ``tailback``.
"""
from __future__ import annotations

import json as _json
import tempfile as _tempfile
from pathlib import Path as _Path
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Callable as _Callable
from typing import Optional as _Optional
from typing import TypeVar as _TypeVar
from typing import Union as _Union

from . import _native

if not _native.in_main_interpreter():
    raise ImportError("tailback does not run in a sub-interpreter; use a process of its own")

from ._errors import InputError, InputWarning, Interrupted
from ._graphs import graph_file as _graph_file, is_graph as _is_graph
from ._results import Audit, Bracket, Comparison, Evaluation, RankOrder, Sweep
from ._words import (array as _array, callback as _callback, host_word as _host_word, kind as _kind, path as _path, refuse_network as _refuse_network,
                     refuse_outputs as _refuse_outputs, text as _text, truth as _truth,
                     whole_number as _whole_number, whole_numbers as _whole_numbers, words as _words)

if _TYPE_CHECKING:
    import os as _os

    import numpy
    import numpy.typing

    _Path_ = _Union[str, _os.PathLike[str]]
    _Array = numpy.typing.NDArray[_Any]
    _Progress = _Union[None, type, _Callable[[int], _Any]]

__version__: str = _native.version
__all__ = ["read", "make", "diff", "sweep", "Fabric", "Study", "Evaluation", "Bracket", "Audit", "RankOrder", "Comparison",
           "Sweep", "InputError", "InputWarning", "Interrupted"]


def read(network: _Union[_Path_, _Any], tables: _Optional[_Path_] = None, **options: _Any) -> Fabric:
    """Reads a fabric from files, or takes a graph of networkx.

    Parameters
    ----------
    network : str, path or graph
        ``ibnetdiscover`` output, ``opensm-subnet.lst``, ORCS dot; ``.xz`` and ``.gz`` are unpacked. A graph of networkx
        has attributes as GraphML has them: ``kind`` of nodes (``"host"`` or ``"switch"``; where no node has one, hosts
        are those with a single neighbour), ``name``, ``capacity`` and ``from_port`` of edges; or it comes from
        `Fabric.to_networkx`. It is copied.
    tables : str or path, optional
        Its forwarding tables: an LFT dump or ``.fdbs``.
    **options
        ``routing``, ``routing_seed``, ``link_rate`` (``"400Gb/s"``, where no file tells it), ``fail_cables``,
        ``fail_switches``, ``fail_seed``, ``strict``, ``routes``.

    Returns
    -------
    Fabric

    Raises
    ------
    InputError
        For files that are wrong, with `file` and `line`.
    """
    if not _is_graph(network):
        return Fabric(network=network, tables=tables, **options)
    path, keeper = _graph_file(network)
    try:
        fabric = Fabric(network=path, tables=tables, **options)
    except InputError as error:
        if error.file != path:
            raise
        raise InputError(str(error).partition(": ")[2].replace(path, "graph")) from None
    fabric._keeper = keeper  # audits and others read it again
    return fabric


def make(spec: str, routing: _Optional[str] = None, **options: _Any) -> Fabric:
    """Makes a network from its spec and routes it.

    Parameters
    ----------
    spec : str
        Such as ``"torus:8x8x8"``; ``tailback list topologies`` shows the families.
    routing : str, optional
        Such as ``"dmodk"``; the family's usual one if not given.
    **options
        ``routing_seed``, ``link_rate``, ``fail_cables`` (``"1%"``), ``fail_switches``, ``fail_seed``, ``routes``.

    Returns
    -------
    Fabric
    """
    return Fabric(network=spec, routing=routing, **options)


class Fabric:
    """A network and its routes. Made by `read` and `make`.

    Hosts, nodes and links are numbered from 0, in the order of the file.
    """

    def __init__(self, **options: _Any) -> None:
        self._options = {name: value for name, value in options.items() if value is not None}
        self._native = _native.fabric(_words(options))
        self._hosts: _Optional[dict[str, _Any]] = None
        self._links: _Optional[dict[str, _Array]] = None
        self._nodes: _Optional[dict[str, _Any]] = None
        self._keeper: _Any = None

    def __repr__(self) -> str:
        routing = self._options.get("routing") or self._options.get("tables")
        name = self._options["network"] if self._keeper is None else "of a graph"
        return (f"<tailback.Fabric {name}: {self._native.endpoints:,} endpoints, "
                f"{self._native.switches:,} switches, {self._native.link_count:,} links"
                f"{f', {routing}' if routing else ''}>")

    @property
    def hosts(self) -> dict[str, _Any]:
        """Of every host its ``name``, ``lid``, ``node`` and ``port``: a dict of columns, each as long as there are hosts."""
        if self._hosts is None:
            self._hosts = self._native.hosts()
        return self._hosts

    @property
    def nodes(self) -> dict[str, _Any]:
        """Of every node its ``name``, ``is_switch`` and ``guid``: a dict of columns."""
        if self._nodes is None:
            self._nodes = self._native.nodes()
        return self._nodes

    @property
    def links(self) -> dict[str, _Array]:
        """Of every directed link ``source``, ``source_port``, ``target``, ``target_port`` (nodes and their ports) and
        ``gbps`` (data rate, 0 = not stated): a dict of arrays, of which all but the last are views."""
        if self._links is None:
            self._links = self._native.links()
        return self._links

    def study(self, mapping: _Union[None, str, numpy.typing.ArrayLike] = None, **options: _Any) -> Study:
        """A study that is made ready once and evaluated, or asked for scores, as often as one likes.

        Takes what `evaluate` takes, but for ``progress`` and ``per_mapping``.

        Returns
        -------
        Study
        """
        return Study(self, mapping, options)

    def evaluate(self, pattern: _Optional[str] = None, traffic: _Any = None, mappings: _Optional[int] = None,
                 metrics: _Union[None, str, list[str]] = None, seed: _Optional[int] = None,
                 mapping: _Union[None, str, numpy.typing.ArrayLike] = None, progress: _Progress = None,
                 per_mapping: bool = False, **options: _Any) -> Evaluation:
        """Evaluates mappings of ranks to hosts.

        Parameters
        ----------
        pattern : str, optional
            What ranks send each other, ``"bisect"`` if not given; ``tailback list patterns`` shows all.
        traffic : path, or array or nested list of shape (n, n), optional
            In place of a pattern: bytes from each rank to each rank, or a file that tells them.
        mappings : int, optional
            How many to draw; 1,000 if not given.
        metrics : str or list of str, optional
            ``hist_acc_band`` if not given; ``tailback list metrics`` shows all.
        seed : int, optional
            1 if not given. Equal seeds give equal results, on any device with any number of threads.
        mapping : str, or integer array of shape (mappings, ranks) or (ranks,), optional
            ``"identity"``, ``"file:PATH"``, or the host of every rank of every mapping.
        progress : callable, or a tqdm class, optional
            Called with the number of mappings done. Of ``tqdm.tqdm`` (the class) a bar is made.
        per_mapping : bool
            Keep the numbers of every mapping: 8 bytes each. Refused where they do not fit into memory.
        **options
            Whatever else ``tailback evaluate`` takes: ``ranks``, ``subset``, ``level``, ``until``, ``capacities``,
            ``threads``, ``device``, ..

        Returns
        -------
        Evaluation

        Raises
        ------
        InputError
        Interrupted
            A KeyboardInterrupt that holds what is known by then.
        """
        study = self.study(pattern=pattern, traffic=traffic, mappings=mappings, metrics=metrics, seed=seed,
                           mapping=mapping, **options)
        return study.evaluate(progress=progress, per_mapping=per_mapping)

    def bracket(self, pattern: _Optional[str] = None, traffic: _Any = None, mappings: _Optional[int] = None,
                seed: _Optional[int] = None, mapping: _Union[None, str, numpy.typing.ArrayLike] = None,
                progress: _Optional[_Callable[[int], _Any]] = None, **options: _Any) -> Bracket:
        """What adaptive routing is worth to a study: by the static entries, under equal division at every switch, with
        a hash that picks a port for every flow, and at best, side by side. For fabrics with candidate sets
        (``ar:minimal`` and the like, a folder of ibdiagnet2 with .far, ``frr:DIR``).

        Parameters
        ----------
        pattern, traffic, mappings, seed, mapping
            As of `evaluate`.
        progress : callable, optional
            Called with the number of mappings done.
        **options
            ``optimal_mappings`` (10: of how many the optimum is found), ``hash``, ``queue_pairs``, ``hash_draws``,
            ``one_hash`` (the same for all mappings), and what else ``tailback bracket`` takes.

        Returns
        -------
        Bracket

        Raises
        ------
        InputError
            Also for a fabric whose routes leave no choice.
        """
        options = {"pattern": pattern, "traffic": traffic, "mappings": mappings, "seed": seed, **options}
        _callback("progress", progress)
        return _of_study(mapping, options,
                         lambda words, hosts: Bracket(_native.bracket(self._native, words, hosts, progress)))

    def audit(self, **options: _Any) -> Audit:
        """Checks the routes of all pairs: faults, balance, deadlock, worst cases.

        Parameters
        ----------
        **options
            As ``tailback audit`` takes them: ``hosts``, ``sl2vl``, ``path_sl``, ``criticality``, ``without_cable``,
            ``without_switch``, ``worst_case``, ``shifts``, ..

        Returns
        -------
        Audit
        """
        return self._audit(options, False)

    def _audit(self, options: dict[str, _Any], name_permutation: bool) -> Audit:
        _refuse_outputs(options)
        return Audit(_native.audit(self._with_network(options), name_permutation))

    def _with_network(self, options: dict[str, _Any]) -> list[str]:
        """The words of a command that makes the routes anew."""
        _refuse_network(options)
        kept = {name: value for name, value in self._options.items() if name not in ("routes", "strict")}
        return _words({**kept, **options})

    def place(self, pattern: _Optional[str] = None, traffic: _Any = None, progress: _Progress = None,
              **options: _Any) -> RankOrder:
        """Searches the best order of ranks on given nodes; with ``job``, ``jobs``, ``squeue`` or ``sinfo`` also the
        nodes beside running jobs.

        Parameters
        ----------
        pattern : str
            What ranks send each other.
        traffic : path, or array or nested list of shape (n, n)
            In place of a pattern: bytes from each rank to each rank, or a file that tells them.
        progress : callable, or a tqdm class, optional
            Called with the moves done. Where it returns False, the search ends, and the best so far is returned.
        **options
            As ``tailback place`` takes them: ``goal``, ``moves``, ``nodes`` (a list of hosts by name or number, too),
            ``ranks``, ``ranks_per_node``, ``mapping``, ``keep_together``, ``stay``, ``seed``, ``threads``, ..

        Returns
        -------
        RankOrder

        Raises
        ------
        InputError
        Interrupted
            Ctrl-C: a KeyboardInterrupt that holds the best order by then.
        """
        _callback("progress", progress)
        _refuse_outputs(options, ("job", "jobs", "squeue"))
        options = {"pattern": pattern, **options}
        nodes: _Any = options.get("nodes")
        if hasattr(nodes, "tolist") or isinstance(nodes, (list, tuple)):
            options["nodes"] = [self._host_name(one) for one in nodes]

        def search(words: list[str]) -> tuple[_native.RankOrder, _Optional[BaseException]]:
            with _Bar(progress, "moves") as told:
                return _native.place(words, told)
        found, exception = _with_traffic(traffic, options, lambda complete: search(self._with_network(complete)))
        order = RankOrder(found, lambda: list(self.hosts["name"]))
        if exception is not None:
            raise Interrupted(order=order) if type(exception) is KeyboardInterrupt else exception
        return order

    def _host_name(self, host: _Any) -> str:
        """The name of a host that a name or a number stands for."""
        word = _host_word("nodes", host)
        if isinstance(word, str):
            return word
        names = self.hosts["name"]
        if word >= len(names):
            raise InputError(f"nodes has no host {word} (the fabric has {len(names)}, counted from 0)")
        return str(names[word])

    def estimate(self, progress: _Optional[_Callable[[int], _Any]] = None, **options: _Any) -> dict[str, _Any]:
        """Latency without load of all pairs, and what packets wait for up to saturation.

        Parameters
        ----------
        progress : callable, optional
            Called with the hosts done.
        **options
            As ``tailback estimate`` takes them: ``pattern``, ``packet``, ``load``, ``latency``, ``switching``, ..

        Returns
        -------
        dict
            The JSON report of the command (docs/report.md).
        """
        return self._value("estimate", options, progress)

    def jobs(self, progress: _Optional[_Callable[[int], _Any]] = None, **options: _Any) -> dict[str, _Any]:
        """Several jobs on the fabric: each alone and beside the others, their slowdowns, the links that they share.

        Parameters
        ----------
        progress : callable, optional
            Called with the mappings done. Where it returns False, the report is of these.
        **options
            As ``tailback jobs`` takes them: ``job`` (a list of ``"NAME:KEY=VALUE,.."``), ``jobs`` and ``squeue``
            (files), ``mappings``, ``seed``, ``group_by``, ``time``, ..

        Returns
        -------
        dict
            The JSON report of the command (docs/report.md).
        """
        return self._value("jobs", options, progress, ("job", "jobs", "squeue", "spread"))

    def schedule(self, workload: _Path_, progress: _Optional[_Callable[[int], _Any]] = None,
                 **options: _Any) -> dict[str, _Any]:
        """Jobs over time on the fabric.

        Parameters
        ----------
        workload : str or path
            YAML, or a file in the Standard Workload Format (docs/schedule.md).
        progress : callable, optional
            Called with the jobs that have ended. Where it returns False, the report is of these.
        **options
            As ``tailback schedule`` takes them: ``queue``, ``select``, ``pattern``, ``seed``, ``seeds``, ..

        Returns
        -------
        dict
            The JSON report of the command (docs/schedule.md).
        """
        return self._value("schedule", options, progress, words=["--", _path("workload", workload)])

    def _value(self, command: str, options: dict[str, _Any], progress: _Progress, taken: tuple[str, ...] = (),
               words: _Optional[list[str]] = None) -> dict[str, _Any]:
        _callback("progress", progress)
        _refuse_outputs(options, taken)
        with _Bar(progress, "done") as told:
            return dict(_json.loads(_native.value(command, self._with_network(options) + (words or []), told)))

    def worst_permutation(self, **options: _Any) -> dict[str, _Any]:
        """The permutation of hosts that puts most flows on one link (Towles and Dally, SPAA 2002).

        Returns
        -------
        dict
            ``flows`` on the link, ``links`` that can have as many, ``link`` (both ends), ``sources`` and ``destinations``
            (integer arrays: sources[i] sends to destinations[i]).
        """
        audit = self._audit({"worst_case": "exact", **options}, True)
        sources, destinations = audit._native.worst_permutation()
        return {**audit.to_dict()["worst_permutation"], "sources": sources, "destinations": destinations}

    def route(self, source: _Union[int, str], destination: _Union[int, str]) -> dict[str, _Any]:
        """The route between two hosts.

        Parameters
        ----------
        source, destination : int or str
            A host's number, or its name, LID or GUID.

        Returns
        -------
        dict
            ``fate``, ``why`` (empty when delivered), ``links`` (array), ``nodes`` (their names, those of both ends
            among them).
        """
        return self._native.route(_host_word("source", source), _host_word("destination", destination))

    def routes(self, sources: numpy.typing.ArrayLike,
               destinations: numpy.typing.ArrayLike) -> tuple[_Array, _Array, _Array]:
        """The routes of many pairs of hosts.

        Parameters
        ----------
        sources, destinations : integer arrays of shape (n,)

        Returns
        -------
        begins : uint64 array of shape (n + 1,)
        links : uint32 array
            Route i is ``links[begins[i]:begins[i + 1]]``.
        fates : uint8 array of shape (n,)
            0 = delivered, 1 = unreachable, 2 = loop, 3 = misdelivered.
        """
        return self._native.routes(_whole_numbers("sources", sources), _whole_numbers("destinations", destinations))

    def loads(self, flows: numpy.typing.ArrayLike) -> _Array:
        """Loads of all links under given flows.

        Parameters
        ----------
        flows : integer array of shape (n, 2) or (n, 3)
            Source and destination host of every flow, and its size (1 if not given).

        Returns
        -------
        uint64 array, by link
            Sum of the sizes of the delivered flows over it.
        """
        import numpy

        rows: _Array = _whole_numbers("flows", flows)
        if rows.ndim != 2 or rows.shape[1] not in (2, 3):
            raise InputError(f"flows have shape {rows.shape} ((n, 2) or (n, 3) is meant); give source, destination, size")
        sizes = rows[:, 2] if rows.shape[1] == 3 else numpy.broadcast_to(numpy.int64(1), len(rows))
        return self._native.loads(rows[:, 0], rows[:, 1], sizes)

    def save(self, path: _Path_, format: _Optional[str] = None) -> None:
        """Writes the network and its tables, as ``tailback convert --output`` does: the file appears whole or not at
        all, a symbolic link stays one, a pipe or a device is written to.

        Parameters
        ----------
        path : str or path
            ``"-"`` is standard output.
        format : str
            A format of ``tailback convert``: ``lft-dump``, ``ibnetdiscover``, ``orcs-dot``, ``graphml``, ..
        """
        if format is None:
            raise InputError("no format is named (names of files do not tell it); give format='lft-dump' or another")
        self._native.save(_path("path", path), _text("format", format))

    def to_networkx(self) -> _Any:
        """A ``networkx.MultiDiGraph``: nodes by number with ``name`` and ``is_switch``, an edge a link with its number as
        key, ``source_port``, ``target_port`` and ``gbps``."""
        import networkx

        graph = networkx.MultiDiGraph()
        nodes, links = self.nodes, self.links
        for n, name in enumerate(nodes["name"]):
            graph.add_node(n, name=name, is_switch=bool(nodes["is_switch"][n]))
        for l in range(len(links["source"])):
            graph.add_edge(int(links["source"][l]), int(links["target"][l]), key=l,
                           source_port=int(links["source_port"][l]), target_port=int(links["target_port"][l]),
                           gbps=float(links["gbps"][l]))
        return graph


class Study:
    """A study of a fabric. Made by `Fabric.study`."""

    def __init__(self, fabric: Fabric, mapping: _Any, options: dict[str, _Any]) -> None:
        self._native = _of_study(mapping, options, lambda words, hosts: _native.study(fabric._native, words, hosts))

    @property
    def ranks(self) -> int:
        """How many ranks it has."""
        return self._native.ranks

    def evaluate(self, progress: _Progress = None, per_mapping: bool = False) -> Evaluation:
        """Evaluates its mappings; see `Fabric.evaluate`."""
        keep = _truth("per_mapping", per_mapping)
        _callback("progress", progress)
        with _Bar(progress, "mappings", self._native.mappings) as told:
            found, exception = self._native.evaluate(told, keep)
        evaluation = Evaluation(found)
        if exception is not None:
            raise Interrupted(evaluation) if type(exception) is KeyboardInterrupt else exception
        return evaluation

    def score(self, mappings: numpy.typing.ArrayLike, metric: str = "") -> _Array:
        """Numbers of mappings that one thinks of oneself: fast enough for a loop over candidates.

        Parameters
        ----------
        mappings : integer array of shape (k, ranks) or (ranks,)
            The host of every rank: any of the fabric, or of the subset where one was listed. In a study on compute
            nodes (``nodes``, ``ranks_per_node``) ranks may share a host; flows inside a node then use no link.
        metric : str, optional
            One of the study's metrics; its first if not given.

        Returns
        -------
        float64 array of shape (k,)
            NaN for a mapping of which no flow is delivered.
        """
        return self._native.score(_whole_numbers("mappings", mappings), _text("metric", metric))


class _Bar:
    """What to call with what is done: `progress` itself, or a bar of the class that it is, which is closed at the end."""

    def __init__(self, progress: _Progress, unit: str, total: _Optional[int] = None) -> None:
        self._progress, self._unit, self._total = progress, unit, total
        self._bar: _Any = None
        self._done = 0

    def __enter__(self) -> _Optional[_Callable[[int], _Any]]:
        if not isinstance(self._progress, type):
            return self._progress
        self._bar = self._progress(total=self._total, unit=self._unit)
        return self._show

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _show(self, done: int) -> None:
        self._bar.update(done - self._done)
        self._done = done


_Made = _TypeVar("_Made")


def _of_study(mapping: _Any, options: dict[str, _Any], make: _Callable[[list[str], _Any], _Made]) -> _Made:
    """What `make` makes of the words of a study's options, and of its mappings where they are an array."""
    if isinstance(mapping, str):
        options, mapping = {**options, "mapping": mapping}, None
    _refuse_outputs(options)
    _refuse_network(options)
    if mapping is not None:
        mapping = _whole_numbers("mapping", mapping)
    return _with_traffic(options.get("traffic"), options, lambda complete: make(_words(complete), mapping))


def _with_traffic(traffic: _Any, options: dict[str, _Any], make: _Callable[[dict[str, _Any]], _Made]) -> _Made:
    """What `make` makes of the options with their traffic, which is a file while it does where it is an array."""
    if not hasattr(traffic, "shape") and not isinstance(traffic, (list, tuple)):
        return make({**options, "traffic": traffic})
    file = _traffic_file(traffic)
    try:
        return make({**options, "traffic": file.name})
    except InputError as error:
        if file.name not in str(error):
            raise
        raise InputError(str(error).replace(file.name, "traffic")) from None


def _traffic_file(matrix: _Any) -> _Any:
    """Bytes from rank to rank as a file, which lives until a study has read it."""
    import numpy

    matrix = matrix.toarray() if hasattr(matrix, "toarray") else _array("traffic", matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"traffic has shape {matrix.shape} (bytes from each rank to each rank are meant); give (n, n)")
    if matrix.dtype.kind not in "iuf" or not (matrix >= 0).all() or not numpy.isfinite(matrix).all() or (matrix.dtype.kind == "f" and (matrix != numpy.floor(matrix)).any()):
        raise InputError("traffic has numbers that are no bytes (negative or broken); give whole numbers")
    file = _tempfile.NamedTemporaryFile("w", prefix="traffic", suffix=".mtx")
    file.write(f"%%MatrixMarket matrix array integer general\n{len(matrix)} {len(matrix)}\n")
    numpy.savetxt(file, matrix.T.reshape(-1, 1), fmt="%d")
    file.flush()
    return file


def diff(old: _Path_, new: _Path_, old_tables: _Optional[_Path_] = None, new_tables: _Optional[_Path_] = None,
         aggregation_nodes_are_hosts: bool = False, threads: int = 0) -> Comparison:
    """Compares two dumps of one fabric: cables, LIDs, tables, routes, loads.

    Parameters
    ----------
    old, new : str or path
        Network files.
    old_tables, new_tables : str or path, optional

    Returns
    -------
    Comparison
    """
    return Comparison(_native.comparison(_path("old", old),
                                         None if old_tables is None else _path("old_tables", old_tables),
                                         _path("new", new),
                                         None if new_tables is None else _path("new_tables", new_tables),
                                         _truth("aggregation_nodes_are_hosts", aggregation_nodes_are_hosts),
                                         _whole_number("threads", threads, 1024)))


def sweep(grid: dict[str, _Any], output: _Optional[_Path_] = None, threads: int = 0,
          progress: _Optional[_Callable[[int], _Any]] = None) -> Sweep:
    """Evaluates the product of lists of options.

    Parameters
    ----------
    grid : dict
        Options of `Fabric.evaluate`, and ``network``, ``tables``, ``routing``, ..; a list makes a loop over its
        entries, an entry that is a dict sets several options at once (docs/sweep.md).
    output : str or path, optional
        A file that keeps what is done, so that a sweep that was stopped goes on.
    progress : callable, optional
        Called with the mappings done.

    Returns
    -------
    Sweep
    """
    if not isinstance(grid, dict):
        raise InputError(f"grid is {_kind(grid)} (a dict of options is meant); see help(tailback.sweep)")
    _callback("progress", progress)
    grid = {("metric" if name == "metrics" else _text("a name of grid", name).replace("_", "-")): value for name, value in grid.items()}
    text = _json.dumps(grid, default=str)
    with _tempfile.TemporaryDirectory() as folder:
        journal = _path("output", output if output is not None else _Path(folder) / "journal")
        return Sweep(*_native.sweep(text, journal, _whole_number("threads", threads, 1024), progress))
