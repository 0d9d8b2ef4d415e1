"""Graphs of networkx as GraphML, which C++ reads."""
from __future__ import annotations

import os
import tempfile
import weakref
from typing import Any
from xml.sax.saxutils import escape


def is_graph(thing: Any) -> bool:
    """Has it what a graph of networkx has?"""
    return all(hasattr(thing, name) for name in ("nodes", "edges", "is_directed"))


def node_data(node: Any, data: dict[Any, Any]) -> dict[str, Any]:
    """Attributes as the reader of GraphML calls them, those of `Fabric.to_networkx` among them."""
    known = {str(name): value for name, value in data.items()}
    is_switch = known.pop("is_switch", None)
    if is_switch is not None:
        known.setdefault("kind", "switch" if is_switch else "host")
    if "name" not in known and "label" not in known:
        known["name"] = node
    return known


def edge_data(data: dict[Any, Any]) -> dict[str, Any]:
    known = {str(name): value for name, value in data.items()}
    for ours, meant in (("source_port", "from_port"), ("target_port", "to_port")):
        if ours in known:
            known.setdefault(meant, known.pop(ours))
    gbps = known.pop("gbps", None)
    if gbps:
        known.setdefault("capacity", round(float(gbps) * 11, 3))  # data rates of InfiniBand are elevenths
    return known


def graphml(graph: Any) -> str:
    numbers = {node: n for n, node in enumerate(graph.nodes)}
    nodes = [node_data(node, data) for node, data in graph.nodes(data=True)]
    edges = [(numbers[a], numbers[b], edge_data(data)) for a, b, data in graph.edges(data=True)]
    keys: dict[tuple[str, str], str] = {}

    def data_of(of: str, known: dict[str, Any]) -> str:
        return "".join(f'<data key="{keys.setdefault((of, name), f"k{len(keys)}")}">{escape(str(value))}</data>'
                       for name, value in known.items() if value is not None)
    body = [f'<node id="{n}">{data_of("node", known)}</node>' for n, known in enumerate(nodes)]
    body += [f'<edge source="{a}" target="{b}">{data_of("edge", known)}</edge>' for a, b, known in edges]
    head = [f'<key id="{key}" for="{of}" attr.name="{escape(name, {chr(34): "&quot;"})}" attr.type="string"/>'
            for (of, name), key in keys.items()]
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
                      *head, f'<graph edgedefault="{"directed" if graph.is_directed() else "undirected"}">', *body,
                      "</graph>", "</graphml>", ""])


def graph_file(graph: Any) -> tuple[str, Any]:
    """The path of a file of the graph, and what keeps it there."""
    with tempfile.NamedTemporaryFile("w", prefix="graph", suffix=".graphml", delete=False, encoding="utf-8",
                                     errors="surrogatepass") as file:
        keeper = Keeper(file.name)
        file.write(graphml(graph))
    return file.name, keeper


class Keeper:
    """Of a file that goes with it, in the process that has made it."""

    def __init__(self, path: str) -> None:
        weakref.finalize(self, remove, path, os.getpid())


def remove(path: str, process: int) -> None:
    if os.getpid() == process and os.path.exists(path):
        os.unlink(path)
