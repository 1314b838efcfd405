"""A function of a generator that is called with numpy's arrays, as `sim.run` is given it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import InputError, input_error, nearest
from machines.elements import DTYPES, known_array, type_of
from machines.later import Later
from machines.types import ELEMENTS

np = Later("numpy")


@dataclass(frozen=True)
class Call:
    """What is called how.

    machine    that it is compiled for
    grid       the extents over which it is launched; None if the function says that itself
    arguments  by name, or in order
    block      threads of a block, where the generator asks for it
    options    the generator's own: `num_warps` of Triton
    folder     an empty one, for files
    """

    machine: Machine
    grid: Sequence[int] | None
    arguments: Mapping[str, Any] | Sequence[Any]
    block: Sequence[int] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    @property
    def capability(self) -> tuple[int, int]:
        """That of the machine: (9, 0); raises InputError for one that has none."""
        found = getattr(self.machine.description, "compute_capability", None)
        if found is None:
            message = f"machine: {self.machine.name} runs no code of CUDA's"
            raise input_error(message, hint='machine="h200"')
        major, _, minor = str(found).partition(".")
        return int(major), int(minor or 0)

    def extents(self) -> list[int]:
        """The grid; raises InputError if there is none."""
        if self.grid is None:
            raise input_error("grid: expected the extents of a launch", hint="grid=(8,)")
        return list(_whole("grid", self.grid))

    def threads(self) -> list[int]:
        """The block; raises InputError if there is none."""
        if self.block is None:
            raise input_error("block: expected threads of a block", hint="block=(128,)")
        return list(_whole("block", self.block))

    def named(self, function: str, names: Sequence[str], wanted: Sequence[str]) -> dict[str, Any]:
        """The arguments by the names of a function's parameters, of which some must be given.

        Raises InputError.
        """
        found = self._by_name(names)
        for name in wanted:
            if name not in found:
                message = (
                    f"arguments: '{function}' has a parameter '{name}', which is given nothing"
                )
                raise input_error(message, hint=f"its parameters: {', '.join(names)}")
        return found

    def _by_name(self, names: Sequence[str]) -> dict[str, Any]:
        given = self.arguments
        if isinstance(given, Mapping):
            for name in given:
                if name not in names:
                    hint = nearest(str(name), names)
                    raise input_error(f"arguments: there is no parameter '{name}'", hint=hint)
            return dict(given)
        if len(given) > len(names):
            message = f"arguments: {len(given)} are given, the function takes {len(names)}"
            raise input_error(message, hint=f"its parameters: {', '.join(names)}")
        return dict(zip(names, given, strict=False))


@dataclass(frozen=True)
class Made:
    """What became of a call: keys of a workload, of which 'program' is in the call's folder."""

    workload: Mapping[str, Any]


def _whole(what: str, given: Any) -> Sequence[int]:
    extents = (given,) if isinstance(given, int) else given
    fits = isinstance(extents, Sequence) and not isinstance(extents, str)
    if not fits or not 1 <= len(extents) <= 4 or not all(_is_extent(one) for one in extents):
        raise input_error(f"{what}: expected positive integers, found {given!r}", hint="(8, 2)")
    return [int(one) for one in extents]


def _is_extent(one: Any) -> bool:
    return isinstance(one, int | np.integer) and not isinstance(one, bool) and one > 0


def elements_of(name: str, value: Any) -> str | None:
    """The type of an array's elements, by simrun's names; None of what is no array.

    Raises InputError for an array of elements that no program has.
    """
    if isinstance(value, np.ndarray) and value.ndim:
        own = known_array(value)
        if own is None:
            message = f"arguments: no program takes an array of {value.dtype}, as '{name}' is"
            raise input_error(message, hint=f"arrays of {', '.join(DTYPES)}")
        return type_of(own.dtype).name
    if isinstance(value, Mapping):
        dtype = value.get("dtype")
        if dtype not in ELEMENTS:
            hint = "{dtype: f32, shape: [8], value: 0}, or an array of numpy"
            raise input_error(f"arguments: '{name}' says no type of elements", hint=hint)
        return str(dtype)
    if isinstance(value, list | tuple):
        hint = 'numpy.array([…], "f4")'
        raise input_error(f"arguments: '{name}' is a list, which has no type", hint=hint)
    return None


def axes_of(value: Any) -> int:
    """How many axes an array has that `elements_of` took."""
    if isinstance(value, Mapping):
        return len(value.get("shape") or (0,))
    return value.ndim


def failed(generator: str, name: str, error: BaseException, line: int = -1) -> InputError:
    """What is raised where a generator refuses a function: a line of what it said."""
    lines = [one.strip() for one in str(error).splitlines() if one.strip()] or ["nothing more"]
    said = lines[line if line < len(lines) else -1]
    message = f"{generator} does not compile '{name}': {type(error).__name__}: {said[:300]}"
    return input_error(message)
