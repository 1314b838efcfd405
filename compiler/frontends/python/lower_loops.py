"""`for` loops.

    i = start                            guard: start < stop, else after
    loop:   …                            the body
    next:   i = i + step                 `continue` comes here
            branch i < stop, loop, after

That is exact for steps of 1 and -1, whose counter cannot pass the end of its type.  With a longer
step it could, so the test is made before the step, against the last value that may be followed by
another: `last = max(stop, lowest + step) - step`, computed once; `i < last` is `i + step < stop`.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.frontends.python.frame import Frame, Lowering
from compiler.frontends.python.lower_values import lower
from compiler.ir.module import Value as Operand
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.tree import Constant, For, Statement, Value

LowerStatements = Callable[[Lowering, Frame, list[Statement]], None]


def lower_for(code: Lowering, frame: Frame, loop: For, lower_statements: LowerStatements) -> None:
    """Emit a for loop."""
    type, location = loop.type.type, loop.location
    body, following, after = (code.builder.fresh_block(name) for name in ("loop", "next", "after"))
    name = frame.variable(code, loop.name)
    counter = code.builder.fresh(f"{loop.name}.count", type) if loop.own_counter else name
    start = lower(code, frame, loop.start, None if isinstance(loop.start, Constant) else counter)
    stop = _settled(code, frame, loop, loop.stop)
    step = loop.step if isinstance(loop.step, int) else _settled(code, frame, loop, loop.step)
    if not isinstance(loop.step, int):
        _require_positive(code, loop, step)
    if isinstance(start, int):
        code.emit(f"const.{type}", start, result=counter, location=location)
    last = None if _cannot_pass_end(stop, step, loop.type) else _last(code, loop, stop, step)

    code.branch(_goes_on(code, loop, start, stop, step), body, after, location)
    if body in code.targets:
        code.arrive(body)
        if loop.own_counter:
            code.emit(f"copy.{type}", counter, result=name, location=location)
        frame.loops.append((following, after))
        lower_statements(code, frame, loop.body)
        frame.loops.pop()
        code.arrive(following)
        if last is not None:
            goes_on = _goes_on(code, loop, counter, last, step)
            code.emit(f"add.{type}", counter, step, result=counter, location=location)
        else:
            code.emit(f"add.{type}", counter, step, result=counter, location=location)
            goes_on = _goes_on(code, loop, counter, stop, step)
        code.branch(goes_on, body, after, location)
    code.arrive(after)


def _settled(code: Lowering, frame: Frame, loop: For, value: Value) -> Operand:
    """Stop or step, as it is when the loop begins."""
    held = lower(code, frame, value)
    if loop.copy_range and held in frame.names.values() and isinstance(held, str):
        return code.emit(f"copy.{loop.type.type}", held, location=loop.location)
    return held


def _goes_on(code: Lowering, loop: For, counter: Operand, bound: Operand, step: Operand) -> Operand:
    """Whether the counter is before the bound; decided now if both are literals."""
    downward = isinstance(step, int) and step < 0
    if isinstance(counter, int) and isinstance(bound, int):
        return int(counter > bound) if downward else int(counter < bound)
    relation = "gt" if downward else "lt"
    sign = "s" if loop.type.signed else "u"
    return code.emit(f"{relation}_{sign}.{loop.type.type}", counter, bound, location=loop.location)


def _cannot_pass_end(stop: Operand, step: Operand, scalar: Scalar) -> bool:
    """Whether the counter stays within its type even in the step that ends the loop."""
    if step in (1, -1):
        return True
    if not isinstance(stop, int) or not isinstance(step, int):
        return False
    return scalar.lowest <= stop + step - (1 if step > 0 else -1) <= scalar.highest


def _last(code: Lowering, loop: For, stop: Operand, step: Operand) -> Operand:
    """The value that the counter must be before for another one to follow."""
    scalar, location = loop.type, loop.location
    type, sign = scalar.type, "s" if scalar.signed else "u"
    downward = isinstance(step, int) and step < 0
    end = scalar.highest if downward else scalar.lowest
    if isinstance(step, int) and isinstance(stop, int):
        return (min if downward else max)(stop, end + step) - step
    nearest = end + step if isinstance(step, int) else step
    if isinstance(step, str) and end:
        nearest = code.emit(f"add.{type}", step, end, location=location)
    row = f"{'min' if downward else 'max'}_{sign}.{type}"
    clamped = code.emit(row, stop, nearest, location=location)
    return code.emit(f"sub.{type}", clamped, step, location=location)


def _require_positive(code: Lowering, loop: For, step: Operand) -> None:
    """End the run, as a division by zero, if the step of the range is not positive."""
    type, location = loop.type.type, loop.location
    refused, accepted = code.builder.fresh_block("step"), code.builder.fresh_block("range")
    relation = f"le_s.{type}" if loop.type.signed else f"eq.{type}"
    code.branch(code.emit(relation, step, 0, location=location), refused, accepted, location)
    code.arrive(refused)
    code.emit(f"rem_u.{type}", step, 0, location=location)
    code.jump(accepted, location)
    code.arrive(accepted)
