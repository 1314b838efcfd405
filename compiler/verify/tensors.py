"""What the verifier finds at the intervals of tensor operations.

    tensor.fill.i8 a[0:99], 0     ->   a[0:99] ends beyond 'a', which has 64 elements

A finding is a message, the words of the line that it is about, and a hint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compiler.ir.module import AnyOf, Buffer, Descriptor, Instruction, Interval, Value
from compiler.ir.reading.tensor_sizes import known_sizes
from machines.diagnostics import nearest
from machines.operations.row import OperandKind, Region
from machines.tensors.segments import MOST_ELEMENTS, MOST_STEPS, first_outside, overlap
from machines.tensors.sizes import misfit
from machines.types import Type

Finding = tuple[str, object, str | None]


def kind_findings(
    value: Value, kind: OperandKind, meaning: str, buffers: Mapping[str, Buffer]
) -> Iterator[Finding]:
    """An interval where something else is wanted, or something else where an interval is."""
    if isinstance(value, Interval):
        is_value = isinstance(kind, Type)
        hint = "load its elements one by one, or use a tensor operation" if is_value else None
        wanted = str(kind) if is_value else "a name"
        yield f"{value} is an interval, but {meaning} must be {wanted}", value, hint
    else:
        example = buffers.get(str(value)) or next(iter(buffers.values()), None)
        hint = f"write '{example.name}[0:{example.count}]'" if example else "declare a buffer"
        yield f"'{value}' is no interval, but {meaning} must be an {kind}", value, hint


def interval_findings(
    interval: Interval, region: Region, meaning: str, buffers: Mapping[str, Buffer]
) -> Iterator[Finding]:
    """Buffers, their types and bounds; of bounds that are variables nothing is known here."""
    if isinstance(interval, AnyOf):
        if not interval.candidates:
            yield "any() has no candidate", interval, "write 'any(a[0:32], b[0:64])'"
        for candidate in interval.candidates:
            yield from interval_findings(candidate, region, meaning, buffers)
        return
    buffer = buffers.get(interval.buffer)
    if buffer is None:
        message = f"there is no buffer '{interval.buffer}'"
        yield message, interval, nearest(interval.buffer, buffers)
        return
    if buffer.dtype is not region.type:
        message = f"'{buffer.name}' holds {buffer.dtype}, but {meaning} must be an {region}"
        yield message, interval, f"use the operation of {buffer.dtype}"
    yield from _bound_findings(interval, buffer, region)


def _bound_findings(interval: Descriptor, buffer: Buffer, region: Region) -> Iterator[Finding]:
    """At most one finding."""
    low, high = interval.low, interval.high
    hint = f"'{buffer.name}[0:{buffer.count}]' is all of it"
    known = [bound for bound in (low, high) if isinstance(bound, int)]
    if len(interval.steps) > MOST_STEPS:
        message = f"{interval} has {len(interval.steps)} steps; {MOST_STEPS} are possible"
        yield message, interval, "'a[0:64, 8 by 256, 4 by 4096]' has two"
    elif any(bound < 0 for bound in known):
        yield f"{interval} begins before '{buffer.name}'", interval, hint
    elif len(known) == 2 and high <= low:
        size = high - low
        message = f"{interval} has {'no element' if size == 0 else 'a negative size'}"
        yield message, interval, "the second bound is the element behind the last: a[3:4] has one"
    elif any(bound > buffer.count for bound in known):
        message = f"{interval} ends beyond '{buffer.name}', which has {buffer.count} elements"
        yield message, interval, hint
    elif _is_within(interval, region.type):
        message = f"{interval} begins or ends within a byte"
        half = f"{region.type.in_byte} elements of {region.type} are one: write even numbers"
        yield message, interval, half
    elif any(isinstance(count, int) and count < 1 for count, _ in interval.steps):
        yield f"{interval} has no segment", interval, "a count is 1 or more"
    elif interval.is_exact and interval.steps:
        yield from _segment_findings(interval, buffer, region)


def _is_within(interval: Descriptor, type: Type) -> bool:
    """Whether what is known of an interval of elements that share bytes is no whole byte."""
    numbers = (interval.low, interval.high, *(stride for _, stride in interval.steps))
    return any(isinstance(n, int) and n % type.in_byte for n in numbers)


def _segment_findings(interval: Descriptor, buffer: Buffer, region: Region) -> Iterator[Finding]:
    """At most one finding, at an exact interval whose first segment lies in its buffer."""
    where = interval.low, interval.high, interval.steps
    outside = first_outside(*where, buffer.count)
    if outside is not None:
        first = f"{buffer.name}[{outside[0]}:{outside[1]}]"
        message = f"{interval} leaves '{buffer.name}', which has {buffer.count} elements"
        yield message, interval, f"the first of its segments that does is {first}"
    elif region.access == "store" and overlap(*where):
        message = f"segments of {interval} overlap, and it is written"
        yield message, interval, "a stride is at least what the smaller steps reach"
    elif interval.size > MOST_ELEMENTS:
        message = f"{interval} has {interval.size} elements; {MOST_ELEMENTS} are possible"
        yield message, interval, "make a count smaller"


def size_findings(instruction: Instruction) -> Iterator[Finding]:
    """Sizes that cannot fit together; for instructions that are right otherwise."""
    row = instruction.operation
    known = known_sizes(instruction)
    wrong = misfit(row.walk, known)
    if wrong is None:
        return
    position = [operand.name for operand in row.reads].index(wrong.operand)
    value, meaning = instruction.operands[position], f"operand '{wrong.operand}' of {row}"
    if wrong.wanted is None:
        yield f"{meaning} cannot be {value}", value, wrong.rule
        return
    message = f"{value} has {known[wrong.operand]} elements, but {meaning} must have {wrong.wanted}"
    yield message, value, wrong.rule or "all its intervals have one size"
