"""What an output must be and how far it may be off, the comparison, and what that found.

A tolerance judges nothing if an output that has nothing to do with the expected one is within it:
`accepted_otherwise` looks for such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from machines.later import Later

np = Later("numpy")


RELATIVE = {"f16": 1e-3, "f32": 1e-6, "f64": 1e-12}
"""Default relative tolerance by type; floats no farther apart count as the same."""


@dataclass(frozen=True)
class Check:
    """The outcome for one output.

    compared   elements looked at; `differing` of them were wrong
    relative   tolerances as they were applied: relative, and the largest absolute one; both 0 if
    absolute   equality was asked for
    first      index of the first wrong element (None if all are right), with `expected` and `got`
    lengths    where an array came out longer or shorter than expected: the expected length, and its
               own; then no elements are compared
    is_text    whether lines of a text were compared, and not elements
    """

    name: str
    source: str
    compared: int
    relative: float = 0.0
    absolute: float = 0.0
    differing: int = 0
    first: tuple[int, ...] | None = None
    expected: int | float | str | None = None
    got: int | float | str | None = None
    lengths: tuple[int, int] | None = None
    is_text: bool = False

    @property
    def ok(self) -> bool:
        return self.differing == 0

    def __str__(self) -> str:
        judged = f"{self.source}{tolerance_text(self)}"
        if self.is_text:
            return self._of_text()
        if self.ok:
            return f"{self.name}: {self.compared} of {self.compared} as {judged}"
        if self.lengths is not None:
            wanted, own = self.lengths
            return f"{self.name} has {own} elements, expected {wanted} by {judged}"
        return (
            f"{self.name}{index_text(self.first)} is {self.got!r}, expected {self.expected!r} "
            f"by {judged}; {self.differing} of {self.compared} differ"
        )

    def _of_text(self) -> str:
        if self.ok:
            return f"{self.name}: {self.compared} of {self.compared} lines as {self.source}"
        got, wanted = (
            "missing" if line is None else repr(line) for line in (self.got, self.expected)
        )
        wanted = "no such line" if self.expected is None else wanted
        return (
            f"{self.name}: line {self.first[0] + 1} is {got}, expected {wanted} by {self.source}; "
            f"{self.differing} of {self.compared} lines differ"
        )


@dataclass(frozen=True)
class Expected:
    """What one output must be.

    value      the expected elements, in the output's shape (or in its first rows) and type, f64 for
               any float
    tolerance  how far each may be off, 0 where it must be equal
    dtype      element type of the output
    source     where the expectation comes from, for messages
    relative   the tolerances as they are applied (see `Check`)
    absolute
    """

    name: str
    value: np.ndarray
    tolerance: np.ndarray
    dtype: str
    source: str
    relative: float
    absolute: float
    prefix: bool


def tolerance_text(applied: Check | Expected) -> str:
    """The tolerances for people, nothing if equality was asked for."""
    if not (applied.relative or applied.absolute):
        return ""
    return f" within rtol {applied.relative:.3g}, atol {applied.absolute:.3g}"


def compare(expected: Expected, got: np.ndarray) -> Check:
    """Compare an output (a single number is an array without axes) with what was expected."""
    want = expected.value
    if expected.prefix:
        got = got[: len(want)]
    if want.ndim and want.shape != got.shape:
        # Of an output whose length the run tells: all others were checked before.
        applied = (expected.relative, expected.absolute)
        differing = abs(len(want) - len(got))
        lengths = (len(want), len(got))
        return Check(expected.name, expected.source, 0, *applied, differing, lengths=lengths)
    wrong = got != want if got.dtype.kind != "f" else ~_close(expected, got)
    found = (expected.name, expected.source, got.size, expected.relative, expected.absolute)
    positions = np.argwhere(wrong)
    if not len(positions):
        return Check(*found)
    first = tuple(int(i) for i in positions[0])
    wanted = np.broadcast_to(want, got.shape)[first].item()
    return Check(*found, len(positions), first, wanted, got[first].item())


def _close(expected: Expected, got: np.ndarray) -> np.ndarray:
    """For each element whether it is near enough; NaN equals NaN, an infinity itself."""
    got, want = got.astype(np.float64), expected.value
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(got - want) <= expected.tolerance
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return same | (near & np.isfinite(want) & np.isfinite(got))


def accepted_otherwise(expected: Expected, inputs: Mapping[str, np.ndarray]) -> str | None:
    """What else than the expected floats would be called right, in words; None if nothing tried.

    An output that is the same up to the type's default relative tolerance is not something else.
    """
    want = expected.value
    if np.any(np.isinf(expected.tolerance) & np.isfinite(want)):
        return "anything"
    for what, other in _other_outputs(expected, inputs):
        same = np.isclose(other, want, rtol=RELATIVE[expected.dtype], atol=0.0, equal_nan=True)
        if not np.all(same) and np.all(_close(expected, other)):
            return what
    if want.size and not np.any(want):
        largest = max(map(_largest, inputs.values()), default=0.0) or 1.0
        if expected.absolute > largest:
            return "numbers larger than every input"
    return None


def _other_outputs(
    expected: Expected, inputs: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, np.ndarray]]:
    """What a program that does not do its work may leave, in words and as it is."""
    want = expected.value
    yield "zeros", np.zeros(want.shape)
    for name, array in inputs.items():
        given = array[: len(want)] if expected.prefix and array.ndim else array
        if given.shape == want.shape:
            what = "as it was" if name == expected.name else "in its place"
            yield f"'{name}' {what}", given.astype(np.float64)
    flat = want.reshape(-1)
    if flat.size > 1:
        for shift, end in ((1, 0), (-1, -1)):
            turned = np.roll(flat, shift)
            moved = turned.copy()
            moved[end] = flat[end]
            for other in (turned, moved):
                yield "the values moved by one element", other.reshape(want.shape)


def _largest(array: np.ndarray) -> float:
    values = np.abs(array.astype(np.float64))
    return float(np.max(values, initial=0.0, where=np.isfinite(values)))


def index_text(index: tuple[int, ...] | None) -> str:
    """An element's indices as they are written: '[1, 2]', of a single number nothing."""
    return f"[{', '.join(map(str, index))}]" if index else ""
