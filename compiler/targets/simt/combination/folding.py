"""What a row gives for constants, by its own meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from textwrap import indent

from compiler.ir.module import Instruction
from machines.operations.row import Lane, Operation
from machines.vocabulary import lanes, numbers

_NAMESPACE = {
    **numbers.VOCABULARY,
    **lanes.VOCABULARY,
    "abs": abs,
    "inf": float("inf"),
    "nan": float("nan"),
}


def is_computed(operation: Operation) -> bool:
    """Whether what a row writes depends on its register operands and immediates alone."""
    return not (
        operation.has_effect
        or operation.implicit_reads
        or operation.flags - {"software", "machine_code"}
        or not operation.meaning
        or not all(isinstance(o.kind, Lane) for o in operation.writes)
    )


def fold(instruction: Instruction) -> tuple[int, ...] | None:
    """What the registers that a computed row writes would hold; None if it reads a register."""
    values = instruction.operands
    if any(isinstance(value, str) for value in values) or not is_computed(instruction.operation):
        return None
    return _evaluator(instruction.operation)(values)


@cache
def _evaluator(operation: Operation) -> Callable[[Sequence], tuple[int, ...]]:
    names = [operand.name for operand in operation.reads]
    results = [operand.name for operand in operation.writes]
    body = indent(operation.meaning, "    ")
    text = f"def meaning({', '.join(names)}):\n{body}\n    return {', '.join(results)},\n"
    space = dict(_NAMESPACE)
    exec(text, space)
    kinds = [operand.kind for operand in operation.reads]

    def evaluate(values: Sequence[int | float]) -> tuple[int, ...]:
        given = (
            lanes.read_lane(lanes.lane_bits(value, kind.type), kind.type)
            if isinstance(kind, Lane)
            else value
            for kind, value in zip(kinds, values, strict=True)
        )
        found = space["meaning"](*given)
        return tuple(
            lanes.lane_bits(value, operand.kind.type)
            for value, operand in zip(found, operation.writes, strict=True)
        )

    return evaluate
