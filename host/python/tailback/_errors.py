"""What can go wrong."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._results import Evaluation, RankOrder


class InputError(ValueError):
    """Wrong input or usage: ``problem (why); what to do``.

    Attributes
    ----------
    file : str or None
        The file that is wrong.
    line : int or None
        Its line, from 1.
    option : str or None
        The option it is about, as commands call it.
    """

    file: Optional[str] = None
    line: Optional[int] = None
    option: Optional[str] = None


class InputWarning(UserWarning):
    """Input that is odd, but can be used."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during an evaluation, or a search of an order of ranks, of which some is known.

    Attributes
    ----------
    evaluation : Evaluation or None
        What the first mappings came to.
    order : RankOrder or None
        The best order found by then.
    """

    def __init__(self, evaluation: Optional[Evaluation] = None, order: Optional[RankOrder] = None) -> None:
        super().__init__("interrupted" if evaluation is None else f"interrupted after {evaluation.mappings} mappings")
        self.evaluation = evaluation
        self.order = order
