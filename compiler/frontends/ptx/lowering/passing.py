"""How arguments and results go between a caller and the function that is inlined in it.

`parameters.py` says what decides between registers and memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.call_graph import CallGraph
from compiler.frontends.ptx.lowering.operands import Context
from compiler.frontends.ptx.lowering.parameters import Passed, Uses, calls_in, in_registers
from compiler.frontends.ptx.lowering.scope import Register
from compiler.frontends.ptx.reading.tree import Braces, Call, Name, Operand, Routine, Variable


def declare_passed(
    context: Context, variable: Variable, braces: Braces, graph: CallGraph
) -> Passed:
    """A `.param` variable of a caller, on its way to or from the functions it is given to."""
    here = context.kernel.uses(braces.statements).get(variable.name, Uses())
    passed = Passed(variable.name, variable.bytes, variable.alignment)
    for formal, is_result, routine in _formals(variable.name, braces, graph):
        there = context.kernel.uses(routine.body.statements).get(formal.name, Uses())
        stores, loads = (there, here) if is_result else (here, there)
        if not in_registers(stores, loads):
            passed.copy = context.kernel.local_offset(variable)
    return passed


def _formals(
    name: str, braces: Braces, graph: CallGraph
) -> Iterator[tuple[Variable, bool, Routine]]:
    """What callees call a variable, and whether it is a result there."""
    called = (
        (call, routine) for call in calls_in(braces.statements) for routine in graph.known(call)
    )
    for call, routine in called:
        for is_result, given, formals in (
            (True, call.results, routine.results),
            (False, call.arguments, routine.parameters),
        ):
            for operand, formal in zip(given, formals, strict=False):
                if isinstance(operand, Name) and operand.text == name:
                    yield formal, is_result, routine


def give(context: Context, inner: Context, call: Call, routine: Routine) -> None:
    """Declare the parameters and results of a callee as what the call gives."""
    for operand, formal in zip(call.arguments, routine.parameters, strict=True):
        _bind(context, inner, operand, formal, is_argument=True)
    for operand, formal in zip(call.results, routine.results, strict=True):
        _bind(context, inner, operand, formal, is_argument=False)


def check_counts(call: Call, routine: Routine) -> None:
    """Refuse a call with other numbers of arguments or results than a callee has."""
    name = routine.name
    _check_count(name, call, "arguments", call.arguments, routine.parameters, bool(routine.broken))
    _check_count(name, call, "results", call.results, routine.results, False)


def take_back(context: Context, inner: Context, call: Call, routine: Routine) -> None:
    """Move results into the registers that the call names; `.param` ones are shared."""
    for operand, formal in zip(call.results, routine.results, strict=True):
        if formal.space == "reg":
            register = inner.scope.meanings[formal.name]
            result = context.write(operand, formal.type)
            context.code.emit(_move(formal), (result,), (register.variable,))


def _check_count(
    name: str, call: Call, what: str, given: tuple, wanted: list[Variable], is_broken: bool
) -> None:
    if len(given) != len(wanted):
        message = f"'{name}' has {len(wanted)} {what}, {len(given)} are given"
        raise Refused(message, at=call.callee.at, length=len(call.callee.text), follows=is_broken)


def _bind(
    context: Context, inner: Context, operand: Operand, formal: Variable, is_argument: bool
) -> None:
    if formal.space == "reg":
        register = inner.new_register(formal.name, formal)
        inner.scope.declare(formal.name, register, formal.at)
        if is_argument:
            value = context.read(operand, formal.type)
            context.code.emit(_move(formal), (register.variable,), (value,))
        return
    inner.scope.declare(formal.name, passed(context, operand, formal), formal.at)


def passed(context: Context, operand: Operand, formal: Variable) -> Passed:
    """What a call gives for a `.param`, or takes from one."""
    meaning = context.meaning(operand) if isinstance(operand, Name) else None
    if meaning is None or isinstance(meaning, Register):
        message = "a register or number given for a '.param' is not supported"
        raise unsupported(message, "store it with st.param into a .param variable", at=operand.at)
    if not isinstance(meaning, Passed):
        raise Refused(f"'{operand.text}' is no parameter variable", at=operand.at)
    if meaning.bytes != formal.bytes:
        message = f"'{formal.name}' has {formal.bytes} bytes, '{meaning.name}' {meaning.bytes}"
        raise Refused(message, at=operand.at)
    return meaning


def _move(formal: Variable) -> str:
    return "mov.pred" if formal.type.kind == "p" else f"mov.b{formal.type.bits}"
