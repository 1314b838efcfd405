"""What a field of a description is: quantities with units, and figures that must have a source.

A quantity is written with its unit (`16 KiB`, `1.0 GHz`, `5 cycles`) and held as a plain number in
its base unit: bytes, cycles of the core clock, hertz, nanoseconds, bytes a second.  A *figure* is
a field whose value is a fact about hardware; `machines.description.load` demands a source for
every one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from machines.diagnostics import nearest


class Description(BaseModel):
    """Base of all described things: frozen, and a key that is not a field is an error.

    Two descriptions are compared by identity, so that tables derived from one can be cached by
    it; `Machine.content_hash` compares what they say.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True, eq=False)
class Quantity:
    """A physical quantity: its base unit, the factor of every unit that may be written, an example.

    What lies outside of `least` … `most` is far beyond any hardware and refused: inside, sums over
    a run stay exact integers.  `whole` quantities must be an integer in the base unit.
    """

    base: str
    units: dict[str, Fraction]
    example: str
    most: int
    least: int = 0
    whole: bool = True

    def parse(self, text: object) -> int | float:
        """The number in the base unit; a text that is no such quantity is a ValueError."""
        match = _QUANTITY.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            problem = "has no unit" if isinstance(text, int | float) else "is not a quantity"
            raise _wrong(f"{text!r} {problem}", f"write it like '{self.example}'")
        number, unit = match.groups()
        if unit not in self.units:
            raise _wrong(f"'{unit}' is not a unit of this field", self._unit_hint(unit))
        value = Fraction(number.replace("_", "")) * self.units[unit]
        if value > self.most:
            raise _wrong(f"'{text}' is more than {self.most:g} {self.base}", None)
        if self.whole and value.denominator != 1:
            raise _wrong(f"'{text}' is not a whole number of {self.base}", None)
        if value < self.least:
            raise _wrong(f"'{text}' is less than {self.least:g} {self.base}", None)
        return int(value) if self.whole else float(value)

    def _unit_hint(self, unit: str) -> str:
        if unit in _DECIMAL_TWINS and _DECIMAL_TWINS[unit] in self.units:
            return f"did you mean '{_DECIMAL_TWINS[unit]}' (1024-based)?"
        return nearest(unit, self.units)


_QUANTITY = re.compile(r"([+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*([A-Za-zµ/]+2?)", re.ASCII)
_DECIMAL_TWINS = {"KB": "KiB", "kB": "KiB", "K": "KiB", "MB": "MiB", "GB": "GiB"}


def _wrong(message: str, hint: str | None) -> PydanticCustomError:
    context = {"text": message} | ({"hint": hint} if hint else {})
    return PydanticCustomError("quantity", "{text}", context)


def _type(python_type: type, quantity: Quantity) -> Any:
    pattern = rf"^\s*\+?[\d_.eE+-]+\s*({'|'.join(map(re.escape, quantity.units))})\s*$"
    schema = {"type": "string", "pattern": pattern, "examples": [quantity.example]}
    return Annotated[python_type, quantity, BeforeValidator(quantity.parse), WithJsonSchema(schema)]


def _powers(prefixes: str, unit: str, step: int) -> dict[str, Fraction]:
    return {f"{p}{unit}": Fraction(step) ** (i + 1) for i, p in enumerate(prefixes.split())}


_BYTES = {"B": Fraction(1), "byte": Fraction(1), "bytes": Fraction(1)}
_RATES = {"B/s": Fraction(1)} | _powers("k M G T", "B/s", 1000) | _powers("Ki Mi Gi", "B/s", 1024)
_TIMES = {f"{p}s": Fraction(1000) ** e for p, e in (("p", -1), ("n", 0), ("u", 1), ("m", 2))}

BYTES = Quantity("bytes", _BYTES | _powers("Ki Mi Gi", "B", 1024), "16 KiB", 1 << 40)
CYCLES = Quantity("cycles", {"cycle": Fraction(1), "cycles": Fraction(1)}, "5 cycles", 10**6)
FINE_CYCLES = Quantity("cycles", CYCLES.units, "3.5 cycles", 10**6, whole=False)
HERTZ = Quantity("Hz", {"Hz": Fraction(1)} | _powers("k M G", "Hz", 1000), "1.0 GHz", 10**11, 1)
NANOSECONDS = Quantity("ns", _TIMES | {"s": Fraction(10**9)}, "160 ns", 10**9, whole=False)
RATE = Quantity("B/s", _RATES, "6.4 GB/s", 10**15, 10**6)
_JOULES = {"fJ": Fraction(1, 1000), "pJ": Fraction(1), "nJ": Fraction(1000)}
PICOJOULES = Quantity("pJ", _JOULES, "3.7 pJ", 10**9, whole=False)
WATTS = Quantity("W", {"mW": Fraction(1, 1000), "W": Fraction(1)}, "80 W", 10**6, whole=False)
_AREAS = {"um2": Fraction(1, 10**6), "mm2": Fraction(1)}
SQUARE_MILLIMETRES = Quantity("mm2", _AREAS, "1.2 mm2", 10**6, whole=False)

MOST_A_CYCLE = (1 << 12) - 1
"""Of what happens within a cycle (accesses, bytes, arrivals): caches keep the number in twelve bits
beside the cycle's."""
MOST_ENTRIES = 1 << 16
"""Of a queue or table of misses: each level, SM and slice has one of its own, a word an entry."""
MOST_TABLE = 1 << 20
"""Of what a machine has one table of: a predictor's entries, the registers of an SM."""
MOST_UNITS = 1 << 10
"""Of units that each have a state of some kilobytes: SMs, slices, channels."""
MOST_WAYS = 1 << 10
"""Of a set, all of which an access may look through."""
MOST_LINE = 1 << 12
"""Bytes of a cache line, a bank, a fetch."""
MOST_CACHE = 1 << 30
"""Bytes of a cache, or of the memory of an SM.  How many lines all have together is a rule of each
kind."""
MOST_NAMED = 64
"""Of ports and pipes, which are named one by one."""
MOST_TURNS = 10**9
"""Of what a group of threads does before something happens: counted one by one."""

Bytes = _type(int, BYTES)
Cycles = _type(int, CYCLES)
FineCycles = _type(float, FINE_CYCLES)
Hertz = _type(int, HERTZ)
Nanoseconds = _type(float, NANOSECONDS)
Rate = _type(int, RATE)
Picojoules = _type(float, PICOJOULES)
Watts = _type(float, WATTS)
SquareMillimetres = _type(float, SQUARE_MILLIMETRES)


@dataclass(frozen=True)
class FieldContext:
    """Where a figure stands: the machine, the mapping around it, the keys that lead to it."""

    machine: Any
    owner: Any
    path: tuple[str, ...]


@dataclass(frozen=True)
class ReadWhen:
    """When a machine reads a figure: in words that complete 'read when …', and as a test."""

    words: str
    holds: Callable[[FieldContext], bool]


@dataclass(frozen=True)
class About:
    """What a field's declaration says of it beside type, bounds and sentence.

    figure       a fact about hardware, which must carry its source
    descriptive  for people: nothing is computed from it
    estimate     no cycle depends on it: estimates of energy and area are made of it
    read_when    a machine that is otherwise reads it nowhere
    """

    figure: bool = False
    estimate: bool = False
    descriptive: bool = False
    read_when: ReadWhen | None = None

    def __call__(self, schema: dict[str, Any]) -> None:
        """Say it in a JSON Schema (pydantic's `json_schema_extra`)."""
        if self.figure:
            schema["figure"] = True
        if self.read_when:
            schema["description"] += f" Read when {self.read_when.words}."
        if self.descriptive:
            schema["description"] += " Descriptive: nothing is computed from it."


def figure(
    *args: Any, read_when: tuple[str, Callable[[FieldContext], bool]] | None = None, **options: Any
) -> Any:
    """A pydantic `Field` whose value is a fact about hardware and must carry its source."""
    about = About(figure=True, read_when=ReadWhen(*read_when) if read_when else None)
    return Field(*args, json_schema_extra=about, **options)


def estimate(*args: Any, **options: Any) -> Any:
    """A pydantic `Field` of which only estimates are made; it must carry its source, too."""
    return Field(*args, json_schema_extra=About(figure=True, estimate=True), **options)


def description_only(*args: Any, **options: Any) -> Any:
    """A pydantic `Field` for people, from which nothing is computed."""
    return Field(*args, json_schema_extra=About(descriptive=True), **options)


def about(declared: FieldInfo) -> About:
    """What a field's declaration says of it."""
    extra = declared.json_schema_extra
    return extra if isinstance(extra, About) else About()


Within = Annotated[float, Field(ge=1, le=1000)]
"""The factor within which an estimate may be wrong, either way."""


class EnergyFigure(Description):
    """What one event takes."""

    energy: Picojoules = estimate(description="Of one operation, byte or instruction.")
    within: Within = estimate(description="The factor within which it may be wrong, either way.")


class AreaFigure(Description):
    """What one structure takes of the chip."""

    area: SquareMillimetres = estimate(description="Of one of them.")
    count: int = estimate(default=1, ge=1, le=MOST_TABLE, description="How many there are.")
    within: Within = estimate(description="The factor within which it may be wrong, either way.")


class StaticPower(Description):
    """What flows whatever runs."""

    power: Watts = estimate(description="Of the whole machine.")
    within: Within = estimate(description="The factor within which it may be wrong, either way.")


class Estimates(Description):
    """Energy and area, as far as something is published; what is not known is left out."""

    node: str = estimate(description="The process for which figures are, or are scaled to.")
    events: dict[str, EnergyFigure] = estimate(
        max_length=MOST_NAMED,
        description="Energy by event: types of operations and levels of memory as rooflines call "
        "them, and what else the kind of machine counts.",
    )
    areas: dict[str, AreaFigure] = estimate(
        default={}, max_length=MOST_NAMED, description="Area by structure."
    )
    static: StaticPower | None = estimate(
        default=None, description="Power that flows whatever runs; left out: none is estimated."
    )


class MachineDescription(Description):
    """Base of the models of machines: what every kind's have."""

    kind: str = Field(description="The kind of machine.")
    name: str = Field(description="What the machine is called in results.")
    title: str = description_only(description="One line for `simrun list machines`.")
    modelled: tuple[str, ...] = description_only(description="What the model contains.")
    left_out: tuple[str, ...] = description_only(
        description="What the hardware has and the model does not."
    )
    sources: dict[str, str] = description_only(
        description="Where figures come from: the name in square brackets -> the publication."
    )
    clock: Hertz = figure(description="Core clock.")
    energy: Estimates | None = estimate(
        default=None, description="Estimates of energy and area; left out: results have none."
    )


Problem = tuple[tuple[str, ...], str, str | None]
"""What a rule across fields finds: the path of keys it concerns, the message, a hint."""
