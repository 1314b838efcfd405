"""What an assertion says that may fail: `assert(n > 0)` calls `__assertfail` with texts.

    mov.u64 %rd5, $str;  cvta.global.u64 %rd6, %rd5;
    st.param.b64 [param0], %rd6;                                ->   "n > 0, f.cu:12, in f"
    call.uni __assertfail, (param0, param1, param2, param3, param4);

The line of the source is a number and no text, stored as `st.param.b32 [param2], 12`.
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

ASSERTION_FAILED = "__assertfail"
"""What the code of `assert` calls: message, file, line, function, bytes of a character."""

_Known = str | int
"""A symbol, or a number."""


def assertion_texts(tree: Tree) -> dict[int, str]:
    """The text of each failing assertion, by the call's identity; what is not known is left out."""
    if ASSERTION_FAILED not in tree.routines:
        return {}
    bodies = (routine for routine in tree.routines.values() if routine.body is not None)
    return {id(call): text for body in bodies for call, text in _of_routine(body, tree)}


def _of_routine(routine: Routine, tree: Tree) -> Iterator[tuple[Call, str]]:
    registers: dict[str, _Known] = {}
    stored: dict[str, _Known] = {}
    for statement in walk(routine.body.statements):
        if isinstance(statement, Call) and statement.callee.text == ASSERTION_FAILED:
            names = [one.text for one in statement.arguments if isinstance(one, Name)]
            if text := _text([stored.get(name) for name in names], tree):
                yield statement, text
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


def _value(source: object, registers: dict[str, _Known]) -> _Known | None:
    if isinstance(source, Constant) and isinstance(source.value, int):
        return source.value
    if isinstance(source, Name) and not source.addend:
        return registers.get(source.text, source.text)
    return None


def _text(values: list[_Known | None], tree: Tree) -> str | None:
    """'n > 0, f.cu:12, in f' of the values of the parameters."""
    message, file, line, function, *_ = [*values, None, None, None, None]
    if (what := _string(message, tree)) is None:
        return None
    where = _string(file, tree)
    place = f", {where}:{line}" if where and isinstance(line, int) else ""
    caller = _string(function, tree)
    return f"'{what}'{place}" + (f", in {caller}" if caller else "")


def _string(value: _Known | None, tree: Tree) -> str | None:
    """The text of a variable of bytes, up to its NUL."""
    variable = tree.variables.get(value) if isinstance(value, str) else None
    if variable is None or variable.type.bytes != 1:
        return None
    data = bytes(one.value & 0xFF for one in variable.data if isinstance(one, Constant))
    return data.partition(b"\0")[0].decode(errors="replace")
