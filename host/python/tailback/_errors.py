"""What can go wrong."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._results import Evaluation


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
    """Ctrl-C during an evaluation, of which some is known.

    Attributes
    ----------
    evaluation : Evaluation
        What the first mappings came to.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(f"interrupted after {evaluation.mappings} mappings")
        self.evaluation = evaluation
