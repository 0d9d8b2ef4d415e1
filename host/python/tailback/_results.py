"""What evaluations, audits, comparisons and sweeps come to."""
from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ._errors import InputError
from ._words import path as _path, text as _text, truth as _truth, whole_number as _whole_number

if TYPE_CHECKING:
    import os

    import numpy.typing

    from . import _native

    _Array = numpy.typing.NDArray[Any]
    _Path_ = Union[str, os.PathLike[str]]


def _frame(rows: Any) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_dataframe needs pandas (Debian: python3-pandas)") from None
    return pandas.DataFrame(rows)


def _placement(path: _Path_, form: str) -> str:
    """``FORM:PATH``, as command lines have it."""
    return f"{_text('form', form)}:{_path('path', path)}"


class Report:
    """What a command reports."""

    def __init__(self, written: Callable[[str], str]) -> None:
        self._written = written  # by the name of a form
        self._dict: Optional[dict[str, Any]] = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON report (docs/report.md)."""
        if self._dict is None:
            self._dict = json.loads(self.to_json())
        return self._dict

    def to_json(self) -> str:
        """The JSON report, the same bytes that the command writes."""
        return self._written("json")

    def __str__(self) -> str:
        return self._written("text")


class ReportWithCsv(Report):
    def to_csv(self) -> str:
        """The CSV report, the same bytes that the command writes."""
        return self._written("csv")


class Evaluation(ReportWithCsv):
    """What a study came to. Arrays are read-only views of it."""

    def __init__(self, native: _native.Evaluation) -> None:
        super().__init__(native.written)
        self._native = native

    @property
    def mappings(self) -> int:
        """How many mappings were evaluated."""
        return self._native.mappings

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics that were asked for."""
        return self._native.metrics

    @property
    def loads(self) -> _Array:
        """By link, the sum over all mappings of its load: uint64 array. Needs the metric ``get_cable_cong``."""
        return self._native.link_sums()

    @property
    def seconds(self) -> float:
        """Seconds that the evaluation took."""
        return self._native.seconds

    def _metric(self, metric: Optional[str]) -> str:
        known = self.metrics
        if metric is None:
            return known[0]
        if _text("metric", metric) not in known:
            raise InputError(f'"{metric}" was not measured (the study has {", ".join(known)}); add it to metrics')
        return metric

    def mean(self, metric: Optional[str] = None, all_flows: bool = True) -> float:
        """Mean of a metric over mappings: the first one's if none is named. Its unit is that of the JSON report. Of
        bandwidths it covers all flows, those that are not delivered as 0 (``mean_all`` of the report); with
        ``all_flows=False`` the delivered ones alone (``mean``), of which failures may leave the luckier. Without lost
        flows both are the same."""
        name = self._metric(metric)
        numbers = self.to_dict()["metrics"][name]
        if "mean" not in numbers:
            raise InputError(f"{name} has no mean (it is not a number of each mapping); see to_dict()")
        mean = numbers.get("mean_all", numbers["mean"]) if _truth("all_flows", all_flows) else numbers["mean"]
        return float("nan") if mean is None else float(mean)

    def values(self, metric: Optional[str] = None) -> _Array:
        """The number of every mapping, in order: float64 array of shape (mappings,). Bandwidths are of the delivered
        flows; NaN where there are none. Needs ``per_mapping=True``."""
        return self._native.numbers_by_mapping(self._metric(metric))

    def histogram(self, metric: Optional[str] = None) -> tuple[_Array, _Array]:
        """Distinct numbers, ascending, and how many mappings (or flows) have each: float64 and uint64 arrays."""
        return self._native.histogram(self._metric(metric))

    def hosts_of_mapping(self, mapping: int) -> _Array:
        """The host of every rank in a mapping: uint32 array of shape (ranks,).

        Raises
        ------
        InputError
            There is no such mapping in what was evaluated.
        """
        mapping = _whole_number("mapping", mapping, 2 ** 64 - 1)
        study = self.to_dict()["study"]
        first = study.get("first_mapping", 0)
        if not first <= mapping < first + self.mappings:
            raise InputError(f"there is no mapping {mapping} (those from {first} to {first + self.mappings - 1} were "
                             "evaluated); give one of these")
        return self._native.hosts_of_mapping(mapping)

    @property
    def best_mapping(self) -> int:
        """The number of the mapping that is best by the first metric that is a number of each mapping."""
        return self._native.extreme(True)

    @property
    def worst_mapping(self) -> int:
        """The number of the worst one."""
        return self._native.extreme(False)

    def write_best(self, path: _Path_, form: str = "mapping") -> None:
        """Writes the best mapping as the command's ``--write-best FORM:PATH`` does, for a launcher or for
        ``mapping="file:PATH"``.

        Parameters
        ----------
        path : str or path
        form : str
            ``mapping``, ``hostfile``, ``rankfile`` (Open MPI) or ``slurm``.
        """
        self._native.save_mapping(self.best_mapping, _placement(path, form))

    def write_worst(self, path: _Path_, form: str = "mapping") -> None:
        """The same of the worst mapping."""
        self._native.save_mapping(self.worst_mapping, _placement(path, form))

    def picture(self, metric: Optional[str] = None) -> str:
        """An SVG of the histogram over mappings."""
        return self._native.picture(None if metric is None else self._metric(metric))

    def to_dataframe(self) -> Any:
        """A row a mapping and a column a metric, where the numbers of every mapping were kept; else the CSV report."""
        try:
            return _frame({metric: self.values(metric) for metric in self.metrics if self._has_values(metric)})
        except InputError:
            import pandas

            return pandas.read_csv(io.StringIO(self.to_csv()))

    def _has_values(self, metric: str) -> bool:
        return "mean" in self.to_dict()["metrics"][metric]

    def __repr__(self) -> str:
        return f"<tailback.Evaluation: {', '.join(self.metrics)} of {self.mappings:,} mappings>"

    def _repr_html_(self) -> str:
        import html

        try:
            picture = self.picture()
        except InputError:
            picture = ""
        return f"<div>{picture}<pre>{html.escape(str(self))}</pre></div>"


class Bracket(ReportWithCsv):
    """What adaptive routing is worth to a study: ``static``, ``equal``, ``hash`` and ``optimal`` side by side."""

    def __init__(self, native: _native.Bracket) -> None:
        super().__init__(native.written)
        self._native = native

    @property
    def verdict(self) -> str:
        """One sentence: what adaptive routing gains over the static entries, and what is left to gain."""
        return self._native.verdict

    def mean(self, division: str, metric: str = "hist_acc_band") -> float:
        """Mean over mappings of ``hist_acc_band``, ``sum_max_cong`` or ``dep_max_delay`` under ``static``, ``equal``,
        ``hash`` or ``optimal``. NaN where no flow is delivered."""
        columns = self.to_dict()["columns"]
        if _text("division", division) not in columns:
            raise InputError(f'"{division}" is no division (there are {", ".join(columns)}); name one of them')
        if "mean" not in columns[division].get(_text("metric", metric), {}):
            raise InputError(f'"{metric}" is no metric of a bracket (it has hist_acc_band, sum_max_cong and '
                             "dep_max_delay); name one of them")
        mean = columns[division][metric]["mean"]
        return float("nan") if mean is None else float(mean)

    def ci99(self, division: str, metric: str = "hist_acc_band") -> tuple[float, float]:
        """99 % confidence interval of the mean. NaN where it is not known."""
        self.mean(division, metric)
        low, high = self.to_dict()["columns"][division][metric]["ci99"]
        return (float("nan") if low is None else float(low), float("nan") if high is None else float(high))

    def to_dataframe(self) -> Any:
        """A row a division, a column a number: ``hist_acc_band_mean``, .."""
        rows = []
        for division, column in self.to_dict()["columns"].items():
            row = {"division": division, "mappings": column["mappings"], "lost": column["failed"]}
            for metric in ("hist_acc_band", "sum_max_cong", "dep_max_delay"):
                row.update({f"{metric}_{statistic}": value for statistic, value in column[metric].items()
                            if statistic != "ci99"})
                row[f"{metric}_ci99_low"], row[f"{metric}_ci99_high"] = column[metric]["ci99"]
            rows.append(row)
        return _frame(rows)

    def __repr__(self) -> str:
        return f"<tailback.Bracket: {self.verdict}>"


class Audit(ReportWithCsv):
    """What an audit found."""

    def __init__(self, native: _native.Audit) -> None:
        super().__init__(native.written)
        self._native = native

    @property
    def fails(self) -> bool:
        """True where the command's exit code is 1: faults of the kinds that count."""
        return self._native.fails

    @property
    def loads(self) -> _Array:
        """By link, delivered pairs of hosts whose route takes it: uint64 array (the edge forwarding index)."""
        return self._native.pairs_by_link()

    def to_dataframe(self) -> Any:
        """A row a link: what the command's --picture FILE.csv writes."""
        import pandas

        return pandas.read_csv(io.StringIO(self._native.written("links")))

    def picture(self) -> str:
        """An SVG of the fabric, its cables coloured by load."""
        return self._native.written("svg")

    def __repr__(self) -> str:
        report = self.to_dict()
        pairs = report["pairs"]
        return (f"<tailback.Audit: {report['verdict']['result']}, {pairs['delivered']:,} pairs delivered, "
                f"{len(report['findings']):,} findings>")

    def _repr_html_(self) -> str:
        import html

        return f"<div>{self.picture()}<pre>{html.escape(str(self))}</pre></div>"


class Comparison(Report):
    """What differs between two dumps."""

    def __init__(self, native: _native.Comparison) -> None:
        super().__init__(native.written)
        self._native = native

    @property
    def equal(self) -> bool:
        """True where nothing differs."""
        return self._native.equal

    def __repr__(self) -> str:
        report = self.to_dict()
        verdict = (report.get("verdict") or {}).get("verdict", "no routes to compare")
        return f"<tailback.Comparison: {'nothing differs' if self.equal else verdict}>"


class RankOrder(ReportWithCsv):
    """The order of ranks that `Fabric.place` has found."""

    def __init__(self, native: _native.RankOrder, names: Callable[[], list[str]]) -> None:
        super().__init__(native.written)
        self._native = native
        self._names = names

    @property
    def hosts(self) -> _Array:
        """The host of every rank: uint32 array of shape (ranks,), for ``mapping=`` of `Fabric.evaluate`."""
        return self._native.hosts(True)

    @property
    def start(self) -> _Array:
        """The same of the order that the search began at."""
        return self._native.hosts(False)

    @property
    def names(self) -> list[str]:
        """The name of every rank's host."""
        names = self._names()
        return [names[host] for host in self.hosts]

    @property
    def stopped(self) -> bool:
        """True where the search was stopped: it is the best so far."""
        return self._native.stopped

    def save(self, path: _Path_, form: str = "mapping") -> None:
        """Writes the order as the command's ``--write FORM:PATH`` does.

        Parameters
        ----------
        path : str or path
        form : str
            ``mapping``, ``hostfile``, ``rankfile`` (Open MPI) or ``slurm``.
        """
        self._native.save(_placement(path, form))

    def __repr__(self) -> str:
        return f"<tailback.RankOrder: {self.to_dict()['verdict']}>"


class Sweep:
    """The table of a sweep, a row a point."""

    def __init__(self, csv: str, text: str) -> None:
        self._csv, self._json = csv, text

    def to_csv(self) -> str:
        """The same bytes as the command's sweep.csv."""
        return self._csv

    def to_json(self) -> str:
        """The same bytes as the command's sweep.json."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The same as a dict (docs/sweep.md)."""
        return dict(json.loads(self._json))

    def to_dataframe(self) -> Any:
        """A row a point. Needs pandas."""
        import pandas

        return pandas.read_csv(io.StringIO(self._csv))

    def __repr__(self) -> str:
        return f"<tailback.Sweep: {len(self.to_dict()['points']):,} points>"
