"""What comes round a loop: its basic induction variables, and the tests on them that end it.

    loop: i = phi.i64 [entry: a, loop: next]      basic: start a, step 2·n
          j = add.i64 i, n
          next = add.i64 j, n
          again = lt_s.i64 j, 10                  a test of {a + n, +, 2·n}
          branch again, loop, done

A *basic* induction variable is a phi of a header that comes round with the same invariant sum added
on every way (Aho, Sethi, Ullman, *Compilers*, 1986, section 10.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Loop, loops
from compiler.analyses.values.affine import Polynomial
from compiler.analyses.values.trip_counts import FLIPPED, NEGATED, most_passes
from compiler.ir.module import Function, Instruction, Value


class Forms(Protocol):
    """What is asked of the closed forms of a function: `compiler.analyses.values.induction`."""

    function: Function
    definition: Mapping[str, tuple[str, Instruction]]
    basic: Mapping[str, BasicInduction]

    def is_inside(self, name: str, loop: Loop) -> bool: ...

    def form(self, value: Value, block: str) -> Polynomial: ...

    def fits(self, form: Polynomial, block: str) -> bool: ...

    def range(self, form: Polynomial, block: str) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True)
class BasicInduction:
    """A phi that is `start + step·[header]`."""

    header: str
    start: Value
    step: Polynomial


@dataclass(frozen=True, slots=True)
class LoopTest:
    """A test that lets the loop go on at most `passes` times in one run of it; `stay` is the block
    that runs only if it has passed, None if there is no such block."""

    passes: int
    stay: str | None


def basic_induction(phi: Instruction, loop: Loop, forms: Forms) -> BasicInduction | str:
    """A phi of a header as basic induction variable, or why it is none."""
    members = set(loop.members)
    pairs = list(zip(phi.operands[::2], phi.operands[1::2], strict=True))
    starts = dict.fromkeys(value for label, value in pairs if label not in members)
    if len(starts) != 1:
        return "the loop is entered with several values of it"
    steps = {}
    for label, value in pairs:
        if label in members:
            found = root(value, loop, forms)
            if found is None or found[0] != phi.results[0]:
                return "it does not come round with an invariant sum added"
            steps[found[1]] = None
    if len(steps) != 1:
        return "several ways round the loop add different sums"
    return BasicInduction(loop.header, next(iter(starts)), next(iter(steps)))


def root(value: Value, loop: Loop, forms: Forms) -> tuple[str, Polynomial] | None:
    """The phi of the header that a value of the loop is a sum of, and what is added to it."""
    added = None
    while isinstance(value, str) and forms.is_inside(value, loop):
        block, instruction = forms.definition[value]
        bits = forms.function.types[value].bits
        added = added or Polynomial.number(0, bits)
        if instruction.is_phi and block == loop.header:
            return value, added
        summand = _summand(instruction, loop, bits, forms)
        if summand is None:
            return None
        value, added = summand[0], added + summand[1]
    return None


def _summand(
    i: Instruction, loop: Loop, bits: int, forms: Forms
) -> tuple[Value, Polynomial] | None:
    """What a copy, sum or difference is made of: a value, and an invariant that is added to it."""
    kind = i.operation.name.split(".")[0]
    if i.guard is not None or kind not in ("copy", "add", "sub"):
        return None
    if kind == "copy":
        return i.operands[0], Polynomial.number(0, bits)
    a, b = i.operands
    for value, other in ((a, b), (b, a)) if kind == "add" else ((a, b),):
        invariant = _invariant(other, loop, forms)
        if invariant is not None:
            return value, invariant.with_bits(bits).times(1 if kind == "add" else -1)
    return None


def _invariant(value: Value, loop: Loop, forms: Forms) -> Polynomial | None:
    """The polynomial of a number, or of a variable that the loop does not assign."""
    if isinstance(value, str) and forms.is_inside(value, loop):
        _, instruction = forms.definition[value]
        if "literal" not in instruction.operation.flags or instruction.guard is not None:
            return None
        value = instruction.operands[0]
    return forms.form(value, loop.header)


def tests_of(loop: Loop, forms: Forms) -> tuple[LoopTest, ...]:
    """The tests that every iteration has to pass to come round."""
    function = forms.function
    dominance, flow = dominators(function), control_flow(function)
    innermost = loops(function).innermost
    found = []
    for source, target in loop.exits:
        is_once = innermost[source] == loop.header
        if is_once and all(dominance.dominates(source, latch) for latch in loop.latches):
            passes = _passes(loop, source, target, forms)
            if passes is not None:
                (stay,) = (s for s in flow.successors[source] if s != target)
                is_alone = flow.predecessors[stay] == (source,) and stay != loop.header
                found.append(LoopTest(passes, stay if is_alone else None))
    return tuple(found)


def _passes(loop: Loop, source: str, target: str, forms: Forms) -> int | None:
    """How often the branch at the end of `source` does not go to `target`, at most."""
    branch = forms.function.blocks[source].terminator
    if branch.operation.name != "branch" or branch.operands[0] not in forms.definition:
        return None
    condition, then, _ = branch.operands
    _, compare = forms.definition[condition]
    relation, _, sign = compare.operation.name.split(".")[0].partition("_")
    if relation not in FLIPPED or compare.guard is not None:
        return None
    if compare.operation.reads[0].kind.is_float:
        return None
    if then == target:
        relation = NEGATED[relation]
    a, b = compare.operands
    for counter, bound, how in ((a, b, relation), (b, a, FLIPPED[relation])):
        found, limit = root(counter, loop, forms), _invariant(bound, loop, forms)
        if found is None or limit is None or found[0] not in forms.basic:
            continue
        variable, added = forms.basic[found[0]], found[1]
        bits, step = variable.step.bits, variable.step.constant
        first = forms.form(variable.start, loop.header).with_bits(bits) + added
        limit = limit.with_bits(bits)
        if step is not None and forms.fits(first, loop.header) and forms.fits(limit, loop.header):
            starts, ends = forms.range(first, loop.header), forms.range(limit, loop.header)
            return most_passes(how, starts, step, ends, bits, sign != "u")
    return None
