"""What calls of the CUDA runtime are given, as far as the text of a function says it.

mov.u64 %rd5, $str;  cvta.global.u64 %rd6, %rd5;
st.param.b64 [param0], %rd6;                          ->   ['$str', 12]
st.param.b32 [param1], 12;
call.uni f, (param0, param1);
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontends.ptx.lowering.parameters import walk
from compiler.frontends.ptx.reading.tree import (
    Address,
    Call,
    Constant,
    Name,
    Operation,
    Routine,
    Tree,
)

Known = str | int
"""A symbol, or a number."""


def calls_of(tree: Tree, callee: str) -> Iterator[tuple[Call, list[Known | None]]]:
    """The calls of a function with what each of their arguments is; None where it is not known."""
    if callee in tree.routines:
        for routine in tree.routines.values():
            if routine.body is not None:
                yield from _of_routine(routine, callee)


def _of_routine(routine: Routine, callee: str) -> Iterator[tuple[Call, list[Known | None]]]:
    registers: dict[str, Known] = {}
    stored: dict[str, Known] = {}
    for statement in walk(routine.body.statements):
        if isinstance(statement, Call) and statement.callee.text == callee:
            names = [one.text for one in statement.arguments if isinstance(one, Name)]
            yield statement, [stored.get(name) for name in names]
        if not isinstance(statement, Operation):
            continue
        target, source = (*statement.operands, None, None)[:2]
        value = _value(source, registers)
        if isinstance(target, Name):
            registers.pop(target.text, None)
        if statement.opcode in ("mov", "cvta") and isinstance(target, Name):
            if value is not None:
                registers[target.text] = value
        elif statement.text.startswith("st.param") and isinstance(target, Address) and target.base:
            stored.pop(target.base.text, None)
            if value is not None:
                stored[target.base.text] = value


def _value(source: object, registers: dict[str, Known]) -> Known | None:
    if isinstance(source, Constant) and isinstance(source.value, int):
        return source.value
    if isinstance(source, Name) and not source.addend:
        return registers.get(source.text, source.text)
    return None


def string(value: Known | None, tree: Tree) -> bytes | None:
    """The text of a variable of bytes, up to its NUL."""
    variable = tree.variables.get(value) if isinstance(value, str) else None
    if variable is None or variable.type.bytes != 1:
        return None
    data = bytes(one.value & 0xFF for one in variable.data if isinstance(one, Constant))
    return data.partition(b"\0")[0]
