"""Selection of loads and stores; addresses are plain registers.

Volatile ones are the same machine operations, with the attribute 'ordered'.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir.module import Instruction
from compiler.machine_code.selector import Rule
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import F32, F64, I8, I16, I32, I64, PTR, Type


def _access(name: str, types: tuple[Type, ...]) -> Callable[[Rule], Rule]:
    """A rule for both kinds of access."""
    return lambda function: rule(f"{name}_volatile", types)(rule(name, types)(function))


@_access("load", (I8, I16, I32))
def load_narrow(s: Selector, i: Instruction) -> None:
    """Loads zero-extend; the extension of a guarded load needs the guard too, as its temporary
    keeps an old value when the load is off."""
    size = s.result_type.bytes
    if s.result_name in s.loose:
        s.define(f"ld{size}", s.integer(0))
        return
    loaded = s.temporary("general")
    s.emit(f"ld{size}", (loaded,), (s.integer(0),), s.guard, fresh=True)
    s.define(f"sxt{size}", loaded)


@_access("load", (I64, PTR))
def load_wide(s: Selector, i: Instruction) -> None:
    s.define("ld8", s.integer(0))


@_access("load", (F32, F64))
def load_float(s: Selector, i: Instruction) -> None:
    s.define("ldfs" if s.result_type is F32 else "ldfd", s.integer(0))


@_access("store", (I8, I16, I32, I64, PTR))
def store_integer(s: Selector, i: Instruction) -> None:
    size = s.operand_type(1).bytes
    s.emit(f"st{size}", (), (s.integer(0), s.integer(1)), s.guard)


@_access("store", (F32, F64))
def store_float(s: Selector, i: Instruction) -> None:
    operation = "stfs" if s.operand_type(1) is F32 else "stfd"
    s.emit(operation, (), (s.integer(0), s.float(1)), s.guard)
