"""What an output must be and how far it may be off, the comparison, and what that found.

Floats are near enough by a tolerance, or by how many numbers of their type are between them
(*ulps*): then what is expected is rounded to the type, and both zeros are one number.  In either
way NaN equals NaN, whatever its bits, and an infinity only itself.

A tolerance judges nothing if an output that has nothing to do with the expected one is within it:
`accepted_otherwise` looks for such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from machines.elements import as_numbers, ordinals, rounded
from machines.later import Later
from machines.types import ELEMENTS, Type

np = Later("numpy")


RELATIVE = {"f32": 1e-6, "f64": 1e-12}
"""Default relative tolerance of the types of many digits; floats no farther apart count as the
same."""
ULPS = 1
"""Numbers that a rounded float of the other types may be off unless something else is said: what is
computed in more digits, and rounded once, is at most as far from what is expected."""


@dataclass(frozen=True)
class Check:
    """The outcome for one output.

    compared   elements looked at; `differing` of them were wrong
    relative   tolerances as they were applied: relative, and the largest absolute one; both 0 if
    absolute   equality was asked for
    ulps       how many numbers of its type an element may be off, None if tolerances say it
    first      index of the first wrong element (None if all are right), with `expected` and `got`
    lengths    where an array came out longer or shorter than expected: the expected length, and its
               own; then no elements are compared
    is_text    whether lines of a text were compared, and not elements
    dtype      element type of the output
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
    ulps: int | None = None
    dtype: str = ""

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
    ulps       how many numbers of the type an element may be off, in place of a tolerance: then
               `tolerance` is infinite where anything may be right, else 0
    """

    name: str
    value: np.ndarray
    tolerance: np.ndarray
    dtype: str
    source: str
    relative: float
    absolute: float
    prefix: bool
    ulps: int | None = None

    @property
    def type(self) -> Type:
        return ELEMENTS[self.dtype]


def tolerance_text(applied: Check | Expected) -> str:
    """The tolerances for people, nothing if equality was asked for."""
    if applied.ulps is not None:
        many = f"{applied.ulps} ulp{'s' if applied.ulps > 1 else ''}"
        return f" within {many} of {applied.dtype}" if applied.ulps else ""
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
        differing = abs(len(want) - len(got))
        return replace(_all_right(expected, 0), differing=differing, lengths=(len(want), len(got)))
    got = as_numbers(got)
    wrong = ~_close(expected, got) if expected.type.is_float else got != want
    found = _all_right(expected, got.size)
    positions = np.argwhere(wrong)
    if not len(positions):
        return found
    first = tuple(int(i) for i in positions[0])
    wanted = np.broadcast_to(want, got.shape)[first]
    if expected.ulps is not None:
        wanted = rounded(wanted, expected.type)
    values = {"expected": wanted.item(), "got": got[first].item()}
    return replace(found, differing=len(positions), first=first, **values)


def _all_right(expected: Expected, compared: int) -> Check:
    return Check(
        expected.name,
        expected.source,
        compared,
        expected.relative,
        expected.absolute,
        ulps=expected.ulps,
        dtype=expected.dtype,
    )


def _close(expected: Expected, got: np.ndarray) -> np.ndarray:
    """For each element whether it is near enough; NaN equals NaN, an infinity itself."""
    got, want = got.astype(np.float64), expected.value
    with np.errstate(invalid="ignore", over="ignore"):
        if expected.ulps is not None:
            got, want = rounded(got, expected.type), rounded(want, expected.type)
            near = _ulps_between(got, want, expected.type) <= expected.ulps
        else:
            near = np.abs(got - want) <= expected.tolerance
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return same | (near & np.isfinite(want) & np.isfinite(got))


def _ulps_between(a: np.ndarray, b: np.ndarray, type: Type) -> np.ndarray:
    """How many steps from number to number of a type of floats lead from one to the other."""
    here, there = ordinals(a, type), ordinals(b, type)
    # Of two f64 of different signs it may be more than an int64 holds; then it is infinite here.
    is_far = np.abs(here.astype(np.float64) - there.astype(np.float64)) > 2.0**62
    return np.where(is_far, np.inf, np.abs(here - there))


def accepted_otherwise(expected: Expected, inputs: Mapping[str, np.ndarray]) -> str | None:
    """What else than the expected floats would be called right, in words; None if nothing tried.

    An output that is the same up to the type's default relative tolerance is not something else.
    """
    want = expected.value
    if np.any(np.isinf(expected.tolerance) & np.isfinite(want)):
        return "anything"
    for what, other in _other_outputs(expected, inputs):
        same = _are_same(other, want, expected.type)
        if not np.all(same) and np.all(_close(expected, other)):
            return what
    if want.size and not np.any(want):
        largest = max(map(_largest, inputs.values()), default=0.0) or 1.0
        if expected.absolute > largest:
            return "numbers larger than every input"
    return None


def _are_same(a: np.ndarray, b: np.ndarray, type: Type) -> np.ndarray:
    """Where floats are no farther apart than the default of their type."""
    if type.name in RELATIVE:
        return np.isclose(a, b, rtol=RELATIVE[type.name], atol=0.0, equal_nan=True)
    a, b = rounded(a, type), rounded(b, type)
    near = np.isfinite(a) & np.isfinite(b) & (_ulps_between(a, b, type) <= ULPS)
    return near | (a == b) | (np.isnan(a) & np.isnan(b))


def _other_outputs(
    expected: Expected, inputs: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, np.ndarray]]:
    """What a program that does not do its work may leave, in words and as it is."""
    want = expected.value
    yield "zeros", np.zeros(want.shape)
    for name, array in inputs.items():
        array = as_numbers(array)
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
    values = np.abs(as_numbers(array).astype(np.float64))
    return float(np.max(values, initial=0.0, where=np.isfinite(values)))


def index_text(index: tuple[int, ...] | None) -> str:
    """An element's indices as they are written: '[1, 2]', of a single number nothing."""
    return f"[{', '.join(map(str, index))}]" if index else ""
