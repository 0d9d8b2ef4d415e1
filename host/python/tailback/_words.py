"""Keyword arguments as the words of a command line, which C++ understands and checks."""
from __future__ import annotations

import operator
import os
from typing import Any

from . import _native
from ._errors import InputError

#: Keywords whose values a command line takes one by one, each with its own option.
REPEATED = {"without_cable", "without_switch", "job"}
#: Keywords that are called otherwise on the command line.
RENAMED = {"metrics": "metric", "aggregation_nodes_are_hosts": "aggregation-nodes"}


#: What commands write or do on the way, and a module does otherwise; in place of what.
INSTEAD = {"job": "Fabric.jobs() or place()", "jobs": "Fabric.jobs() or place()", "squeue": "Fabric.jobs() or place()",
           "checkpoint": "the command's --checkpoint", "checkpoint_every": "the command's --checkpoint",
           "format": "to_dict() or to_json()", "output": "to_dict() or to_json()", "picture": "picture()",
           "picture_links": "the command's --picture-links", "write_best": "write_best()",
           "write_worst": "write_worst()", "write": "RankOrder.save()", "dump_mappings": "hosts_of_mapping()", "run_info": "seconds",
           "timeline": "the command's --timeline", "bracket": "Fabric.bracket()",
           "spread": "tailback multipath", "batch": "nothing", "per_mapping": "evaluate(per_mapping=True)",
           "help": "help(tailback)"}


def refuse_outputs(arguments: dict[str, Any], taken: tuple[str, ...] = ()) -> None:
    """Refuses what a command writes. `taken`: what this one takes as input."""
    for name, value in arguments.items():
        if name in INSTEAD and name not in taken and value is not None and value is not False:
            raise InputError(f"{name} is an option of the command alone (nothing would come of it here); "
                             f"use {INSTEAD[name]}")


#: What belongs to the network: a fabric that is made has its own.
OF_NETWORK = {name.replace("-", "_") for name in _native.network_options} | {"aggregation_nodes_are_hosts"}


def refuse_network(arguments: dict[str, Any]) -> None:
    for name, value in arguments.items():
        if name in OF_NETWORK and value is not None and value is not False:
            raise InputError(f"{name} belongs to the network (this fabric is made, and stays as it is); make another: "
                             f"tailback.make(.., {name}={value!r}) or tailback.read(.., {name}={value!r})")


def kind(value: Any) -> str:
    """What an argument is, for people."""
    return "None" if value is None else f"of type {type(value).__name__}"


def text(name: str, value: Any) -> str:
    """`value`, which must be text that C++ can read."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {kind(value)} (text is meant); see help(tailback)")
    if "\0" in value:
        raise InputError(f"{name}={value!r} has a NUL character (no name and no file has one); leave it out")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}={value!r} is not text (it cannot be written in UTF-8); rename the file") from None
    return value


def path(name: str, value: Any) -> str:
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise InputError(f"{name} is {kind(value)} (a path is meant); see help(tailback)")
    return text(name, os.fsdecode(value))


def truth(name: str, value: Any) -> bool:
    if type(value).__name__ not in ("bool", "bool_"):
        raise InputError(f"{name} is {kind(value)} (True or False is meant); see help(tailback)")
    return bool(value)


def whole_number(name: str, value: Any, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {kind(value)} (a whole number is meant); see help(tailback)") from None
    if not 0 <= number <= most:
        raise InputError(f"{name} {number} is out of range; give a whole number from 0 to {most}")
    return number


def host_word(name: str, value: Any) -> Any:
    """A host's number, or text that stands for it."""
    if isinstance(value, str):
        return text(name, value)
    if isinstance(value, bool):
        raise InputError(f"{name} is {kind(value)} (a host is meant); give its number, name, LID or GUID")
    return whole_number(name, value, 2 ** 63 - 1)


def callback(name: str, value: Any) -> None:
    if value is not None and not callable(value):
        raise InputError(f"{name} is {kind(value)} (something to call is meant); give a function of one number")


def text_of(name: str, value: Any) -> str:
    if isinstance(value, (str, bytes, os.PathLike)):
        return path(name, value)
    if type(value).__name__ in ("bool", "bool_"):
        raise InputError(f"{name}={value} (this option takes no truth value); see help(tailback)")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return text(name, str(value))


def words(arguments: dict[str, Any]) -> list[str]:
    """The words of `arguments`; None and False are left out, True is an option without a value."""
    result: list[str] = []
    for name, value in arguments.items():
        text("the name of an option", name)
        if type(value).__name__ == "bool_":  # numpy's
            value = bool(value)
        if value is None or value is False:
            continue
        if hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1:
            value = value.tolist()
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


def array(name: str, numbers: Any) -> Any:
    """An array of numbers, or of nested lists that have the shape of one."""
    import numpy

    try:
        return numpy.asarray(numbers)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{name} is not an array of numbers ({error}); give rows of equal length") from None


def whole_numbers(name: str, numbers: Any) -> Any:
    """An array of hosts, refused where it has broken numbers, which would be cut off."""
    found = array(name, numbers)
    if found.dtype.kind == "b":
        raise InputError(f"{name} are truth values (numbers of hosts are meant); give numpy.flatnonzero(mask)")
    if found.dtype.kind not in "iu" and found.size > 0:
        raise InputError(f"{name} are {found.dtype} (whole numbers are meant); convert them with astype('int64')")
    if found.dtype.kind == "u" and found.size > 0 and int(found.max()) > 2 ** 63 - 1:
        raise InputError(f"{name} has {int(found.max())} (numbers below 2^63 are meant); no host has such a number")
    return found
