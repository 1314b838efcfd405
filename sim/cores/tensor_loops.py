"""The loops of tensor rows, compiled: see `machines.tensors.loops`.

    run = jitted_loops(row)
    run({"a": array, "b": array}, {"a": 65536, "b": 65536, "d": 65536, "m": 256, …})["d"]

A row begins in Python; when that has taken as long as it takes to load compiled loops, the row is
compiled, once per version and computer.  Both ways give the same bits.

The text of tensor.add.f32:

    @entry_point
    def run(table):
        words = to_int64(table)
        at_d = to_float32(words[0])
        at_a = to_float32(words[1])
        at_b = to_float32(words[2])
        size = words[3]
        for i in range(size):
            a = float64(at_a[i])
            b = float64(at_b[i])
            d = round_f32(a + b)
            at_d[i] = float32(d)
        for n in range(words[4]):
            if at_d[n] != at_d[n]:
                at_d[n] = float32(nan)
        return 0
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from machines.elements import packed
from machines.operations.meaning import parsed
from machines.operations.row import Operand, Operation, Region
from machines.tensors.elements import as_numbers_of, stored_type
from machines.tensors.loops import (
    Dialect,
    Number,
    Runner,
    Signature,
    element_type,
    loop_lines,
    python_loops,
)
from machines.tensors.sizes import extents_of
from machines.types import F32, F64, IN_MEMORY, Type
from machines.vocabulary.numbers import bits_from_f64
from sim.cores.machine_code import COMPILER, Text, load_code

AT_LEAST = 20_000
"""Turns of a row for which Python takes as long as it takes to load compiled loops: 5 ms."""
MODULES = (
    *COMPILER, "sim.cores.tensor_vocabulary", "sim.cores.numbers",
    "machines.vocabulary.tensors", "machines.types",
)  # fmt: skip
"""Files whose text is part of the loops, too."""
ENTRY = "run"
ENCODED = tuple(type for type in IN_MEMORY if type.is_float)
"""Floats that stand as their encodings."""


class _Words(Dialect):
    """Elements behind pointers.  What a turn gives is held in its type, so that LLVM sees how few
    bits matter: `round_f32(d + a)` of two f32 becomes one addition of f32."""

    together = 8

    def __init__(self, row: Operation):
        self.row = row

    def load(self, operand: Operand, index: str) -> str:
        of, element = loaded_type(self.row, operand), f"at_{operand.name}[{index}]"
        if of in ENCODED:
            return f"{of}_value(int64({element}))"
        return f"float64({element})" if of.is_float else f"int64({element})"

    def store(self, operand: Operand, index: str, value: str) -> str:
        of = element_type(operand)
        encoding = f"{of}_encoding({value})" if of in ENCODED else value
        return f"at_{operand.name}[{index}] = {_word(of)}({encoding})"

    def held(self, operand: Operand, value: str) -> str:
        of = element_type(operand)
        return value if of in ENCODED else f"{_word(of)}({value})"

    def taken(self, operand: Operand, value: str) -> str:
        return f"float64({value})" if element_type(operand).is_float else f"int64({value})"


def loaded_type(row: Operation, operand: Operand) -> Type:
    """What the loops load: small floats that are read again and again (matrices) have become
    f32."""
    of = element_type(operand)
    element = next(e for e in row.walk.elements if e.operand == operand.name)
    once = {index for index, _ in row.walk.loops} <= parsed(element.index).reads
    is_read = isinstance(operand.kind, Region) and operand.kind.access == "load"
    return F32 if of in ENCODED and is_read and not once else of


def _loaded(elements: np.ndarray, of: Type, loaded: Type) -> np.ndarray:
    """Elements of a type as the loops load them, one behind the other."""
    if loaded is not of:
        return np.ascontiguousarray(as_numbers_of(elements, of), stored_type(loaded))
    return np.ascontiguousarray(elements if of.in_byte == 1 else as_numbers_of(elements, of))


def _word(type: Type) -> str:
    """What numba calls the elements of a type as loops have them: those of four bits one a byte."""
    if type in ENCODED:
        return f"uint{type.bits}"
    kind = "float" if type.is_float else "int" if type.signed else "uint"
    return f"{kind}{8 * type.bytes}"


def loops_text(row: Operation) -> str:
    """The module of a row's loops."""
    lines = [*_head(row), *loop_lines(row, _Words(row)), *_canonical(row), "return 0"]
    body = "\n".join(f"    {line}" for line in lines)
    head = "from sim.cores.tensor_vocabulary import *\n\n\n@entry_point\n"
    return f"{head}def {ENTRY}(table):\n{body}\n"


def _head(row: Operation) -> Iterator[str]:
    """What the table says: addresses, numbers, and how many elements are written."""
    signature = Signature(row)
    yield "words = to_int64(table)"
    places = [*signature.written, *signature.read]
    for number, operand in enumerate(places):
        yield f"at_{operand.name} = to_{_word(loaded_type(row, operand))}(words[{number}])"
    floats = {operand.name for operand in signature.scalars if operand.kind.is_float}
    for number, name in enumerate(signature.numbers, start=len(places)):
        word = f"words[{number}]"
        yield f"{name} = " + (f"f64_from_bits({word})" if name in floats else word)
    for number, operand in enumerate(signature.written, start=len(places) + len(signature.numbers)):
        yield f"count_{operand.name} = words[{number}]"


def _canonical(row: Operation) -> Iterator[str]:
    """Every NaN of f32 and f64 becomes the one that is stored; others are encoded so."""
    for operand in Signature(row).written:
        of = element_type(operand)
        if of in (F32, F64):
            element = f"at_{operand.name}[n]"
            yield f"for n in range(count_{operand.name}):"
            yield f"    if {element} != {element}:"
            yield f"        {element} = {_word(of)}(nan)"


@cache
def compiled_loops(row: Operation) -> Runner:
    """The row compiled."""
    signature, name = Signature(row), f"loops_{row.name}"
    code = load_code("tensor", f"the loops of {row}", name, lambda: Text(loops_text(row), MODULES))
    entry = code[ENTRY]
    written = [(o.name, element_type(o)) for o in signature.written]
    made = [(name, stored_type(of)) for name, of in written]
    read = [(o.name, element_type(o), loaded_type(row, o)) for o in signature.read]

    def run(arrays: Mapping[str, np.ndarray], known: Mapping[str, Number]) -> dict[str, np.ndarray]:
        numbers, sizes = signature.given(known)
        found = {name: np.empty(sizes[name], dtype) for name, dtype in made}
        counts = [len(elements) for elements in found.values()]
        given = [_loaded(arrays[name], of, loaded) for name, of, loaded in read]
        words = [*(array.ctypes.data for array in (*found.values(), *given))]
        words += [bits_from_f64(n) if isinstance(n, float) else n for n in numbers]
        if any(counts):
            entry(np.array([*words, *counts], np.int64))
        for name, of in written:
            if of.in_byte > 1:
                found[name] = packed(found[name])
        return found

    return run


_RUNNERS: dict[int, _Jitted] = {}
"""By the identity of rows, which take long to hash."""


def jitted_loops(row: Operation) -> Runner:
    """The row, compiled as soon as that takes less time."""
    found = _RUNNERS.get(id(row))
    if found is None or found.row is not row:
        found = _RUNNERS[id(row)] = _Jitted(row)
    return found


class _Jitted:
    """`turns` is how many it has had in Python, before it was compiled."""

    def __init__(self, row: Operation):
        self.row, self.turns = row, 0
        self._compiled: Runner | None = None

    def __call__(
        self, arrays: Mapping[str, np.ndarray], known: Mapping[str, Number]
    ) -> dict[str, np.ndarray]:
        if self._compiled is not None:
            return self._compiled(arrays, known)
        extents = extents_of(self.row.walk, known)
        self.turns += math.prod(extents[extent] for _, extent in self.row.walk.loops)
        if self.turns < AT_LEAST:
            return python_loops(self.row)(arrays, known)
        self._compiled = compiled_loops(self.row)
        return self._compiled(arrays, known)
