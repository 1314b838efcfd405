"""Commands that are not possible, said in the words of the program: which interval, of how many
elements, or which number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from machines.operations.row import Operation
from machines.tensors.sizes import misfit
from machines.tensors.work import Number


class CommandFault(Exception):
    """
    kind     as `Failure` has it
    about    what is wrong
    address  of the first element that is not there, None where all are
    """

    def __init__(self, kind: str, about: str, address: int | None = None):
        super().__init__(kind, about, address)
        self.kind, self.about, self.address = kind, about, address


def interval_text(buffer: str, bounds: Sequence[Number]) -> str:
    """`a[0:4, 8 by 16]`, with the numbers that the bounds had."""
    low, high, *steps = bounds
    pairs = zip(steps[::2], steps[1::2], strict=True)
    return f"{buffer}[{low}:{high}{''.join(f', {count} by {stride}' for count, stride in pairs)}]"


def misfit_text(row: Operation, known: Mapping[str, Number], texts: Mapping[str, str]) -> str:
    """Why sizes do not fit; `texts` has the interval of each operand."""
    wrong = misfit(row.walk, known)
    if wrong.wanted is None:
        return f"{wrong.operand} is {known[wrong.operand]}, and {wrong.rule}"
    rule = f": {wrong.rule}" if wrong.rule else ""
    return (
        f"{texts[wrong.operand]} has {known[wrong.operand]} elements, but operand "
        f"'{wrong.operand}' must have {wrong.wanted}{rule}"
    )
