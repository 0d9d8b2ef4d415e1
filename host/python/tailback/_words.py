"""Keyword arguments as the words of a command line, which C++ understands and checks."""
from __future__ import annotations

import os
from typing import Any

from ._errors import InputError

#: Keywords whose values a command line takes one by one, each with its own option.
REPEATED = {"without_cable", "without_switch", "job"}
#: Keywords that are called otherwise on the command line.
RENAMED = {"metrics": "metric", "aggregation_nodes_are_hosts": "aggregation-nodes"}


#: What commands write or do on the way, and a module does otherwise; in place of what.
INSTEAD = {"job": "the command's --job", "jobs": "the command's --jobs", "squeue": "the command's --squeue",
           "checkpoint": "the command's --checkpoint", "checkpoint_every": "the command's --checkpoint",
           "format": "to_dict() or to_json()", "output": "to_dict() or to_json()", "picture": "picture()",
           "picture_links": "the command's --picture-links", "write_best": "hosts_of_mapping()",
           "write_worst": "hosts_of_mapping()", "dump_mappings": "hosts_of_mapping()", "run_info": "seconds",
           "timeline": "the command's --timeline", "bracket": "Fabric.bracket()",
           "multipath": "the command's --multipath", "batch": "nothing",
           "help": "help(tailback)"}


def refuse_outputs(arguments: dict[str, Any]) -> None:
    for name, value in arguments.items():
        if name in INSTEAD and value is not None and value is not False:
            raise InputError(f"{name} is an option of the command alone (nothing would come of it here); "
                             f"use {INSTEAD[name]}")


#: What belongs to the network: a fabric that is made has its own.
OF_NETWORK = {"network", "tables", "routing", "routing_seed", "lmc", "routes", "strict", "fail_cables", "fail_switches",
              "fail_seed", "aggregation_nodes", "aggregation_nodes_are_hosts"}


def refuse_network(arguments: dict[str, Any]) -> None:
    for name, value in arguments.items():
        if name in OF_NETWORK and value is not None and value is not False:
            raise InputError(f"{name} belongs to the network (this fabric is made, and stays as it is); make another: "
                             f"tailback.make(.., {name}={value!r}) or tailback.read(.., {name}={value!r})")


def text_of(name: str, value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, bool):
        raise InputError(f"{name}={value} (this option takes no truth value); see help(tailback)")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def words(arguments: dict[str, Any]) -> list[str]:
    """The words of `arguments`; None and False are left out, True is an option without a value."""
    result: list[str] = []
    for name, value in arguments.items():
        if value is None or value is False:
            continue
        option = "--" + RENAMED.get(name, name).replace("_", "-")
        if name == "aggregation_nodes_are_hosts":
            result += [option, "hosts"]
        elif value is True:
            result += [option]
        elif isinstance(value, (list, tuple)) and name in REPEATED:
            for one in value:
                result += [option, text_of(name, one)]
        elif isinstance(value, (list, tuple)):
            result += [option, ",".join(text_of(name, one) for one in value)]
        else:
            result += [option, text_of(name, value)]
    return result


def whole_numbers(name: str, numbers: Any) -> Any:
    """An array of hosts, refused where it has broken numbers, which would be cut off."""
    import numpy

    array = numpy.asarray(numbers)
    if array.dtype.kind not in "iu" and array.size > 0:
        raise InputError(f"{name} are {array.dtype} (whole numbers are meant); convert them with astype('int64')")
    return array
