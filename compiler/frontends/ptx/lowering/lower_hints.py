"""Instructions that tell the hardware something and change no value: they are checked, and nothing
is left of most of them.

prefetch.global.L2 [%rd1];   discard.global.L2 [%rd1], 128;   griddepcontrol.wait;      ->   nothing
createpolicy.fractional.L2::evict_first.b64 %rd2, 1.0;                   ->   mov.b64 %rd2, 0

What PTX calls opaque, a cache policy, is 0; every instruction that takes one leaves it unread.
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.lower_memory import check_address
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.reading.lexer import Real
from compiler.frontends.ptx.reading.tree import Constant, Operand, Operation
from compiler.frontends.ptx.types import TYPES, words

LINE = 128
"""Bytes that `discard` and `applypriority` speak of."""
PRIMARY = words("L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged")
SECONDARY = words("L2::evict_first L2::evict_unchanged")
FEWEST_REGISTERS, MOST_REGISTERS, REGISTER_UNIT = 24, 256, 8


def prefetch(context: Context, operation: Operation) -> None:
    """`prefetch{.global|.local}.L1|.L2`, `prefetch.global.L2::evict_last`, `prefetchu.L1`,
    `prefetch{.const|.param}.tensormap`."""
    *before, last = operation.parts or ("",)
    if operation.opcode == "prefetchu":
        levels, spaces = ("L1",), ()
    elif last == "tensormap":
        levels, spaces = (last,), ("const", "param")
    elif last.startswith("L2::"):
        levels, spaces = ("L2::evict_last", "L2::evict_normal"), ("global",)
    else:
        levels, spaces = ("L1", "L2"), ("global", "local")
    if last not in levels:
        known = " or ".join(f".{one}" for one in levels)
        message = f"'{operation.text}' does not say a level of the cache"
        raise Refused(message, f"it ends in {known}")
    forbid(operation, before, spaces)
    (address,) = take(operation, 1)
    check_address(context, operation, address)


def of_a_line(context: Context, operation: Operation) -> None:
    """`discard{.global}.L2 [a], 128`, `applypriority{.global}.L2::evict_normal [a], 128`."""
    last = "L2" if operation.opcode == "discard" else "L2::evict_normal"
    if operation.parts not in ((last,), ("global", last)):
        hint = f"{operation.opcode}.global.{last} [a], {LINE}"
        raise Refused(f"'{operation.text}' is no form of {operation.opcode}", hint)
    address, size = take(operation, 2)
    check_address(context, operation, address)
    if _number(operation, size) != LINE:
        raise Refused(f"'{operation.opcode}' is of {LINE} bytes", at=size.at)


def createpolicy(context: Context, operation: Operation) -> None:
    """`createpolicy.fractional`, `.range` and `.cvt`: an opaque number."""
    kind, *parts = operation.parts or ("",)
    if not parts or parts.pop() != "b64":
        raise Refused(f"'{operation.text}' makes no policy", "it ends in .b64")
    if kind == "fractional":
        _check_priorities(operation, parts)
        d, *fraction = take(operation, 1, 2)
        for one in fraction:
            _check_fraction(context, one)
    elif kind == "range":
        _check_priorities(operation, parts[parts[:1] == ["global"] :])
        d, address, *sizes = take(operation, 4)
        check_address(context, operation, address)
        for size in sizes:
            context.read(size, TYPES["b32"])
    elif kind == "cvt" and parts == ["L2"]:
        d, property = take(operation, 2)
        context.read(property, TYPES["b64"])
    else:
        hint = "createpolicy.fractional.L2::evict_first.b64, .range, .cvt.L2"
        raise Refused(f"'{operation.text}' makes no policy", hint)
    context.code.emit("mov.b64", (context.write(d, TYPES["b64"]),), (0,))


def _check_priorities(operation: Operation, parts: list[str]) -> None:
    first, *second = parts or [""]
    if first not in PRIMARY or len(second) > 1 or (second and second[0] not in SECONDARY):
        hint = f"first one of {', '.join(f'.{one}' for one in PRIMARY)}, perhaps a second one of "
        hint += ", ".join(f".{one}" for one in SECONDARY)
        raise Refused(f"'{operation.text}' names no priority", hint)


def _check_fraction(context: Context, operand: Operand) -> None:
    value = context.read(operand, TYPES["f32"])
    if isinstance(value, Real) and not 0 < value.value <= 1:
        raise Refused("a fraction is above 0 and at most 1", at=operand.at)


def griddepcontrol(context: Context, operation: Operation) -> None:
    """`griddepcontrol.wait`, `.launch_dependents`: launches of a stream follow one another."""
    _check_form(operation, ("launch_dependents",), ("wait",))
    take(operation, 0)


def setmaxnreg(context: Context, operation: Operation) -> None:
    """`setmaxnreg.inc|dec.sync.aligned.u32 n`: registers are a kernel's, the same for all warps."""
    _check_form(operation, *((one, "sync", "aligned", "u32") for one in ("inc", "dec")))
    (count,) = take(operation, 1)
    number = _number(operation, count)
    if number % REGISTER_UNIT or not FEWEST_REGISTERS <= number <= MOST_REGISTERS:
        message = f"{FEWEST_REGISTERS} to {MOST_REGISTERS} registers, a multiple of {REGISTER_UNIT}"
        raise Refused(f"'setmaxnreg' takes {message}, not {number}", at=count.at)


def pmevent(context: Context, operation: Operation) -> None:
    """`pmevent n`, `pmevent.mask n`: counters that a profiler reads."""
    _check_form(operation, (), ("mask",))
    (event,) = take(operation, 1)
    most = (1 << 16) - 1 if operation.parts else 15
    if not 0 <= _number(operation, event) <= most:
        raise Refused(f"'{operation.text}' takes 0 to {most}", at=event.at)


def _check_form(operation: Operation, *forms: tuple[str, ...]) -> None:
    if operation.parts not in forms:
        known = ", ".join(".".join((operation.opcode, *form)) for form in forms)
        raise Refused(f"there is no '{operation.text}'", known)


def _number(operation: Operation, operand: Operand) -> int:
    if not isinstance(operand, Constant) or not isinstance(operand.value, int):
        raise Refused(f"'{operation.opcode}' takes a number here", at=operand.at)
    return operand.value


HANDLERS = {
    "prefetch": prefetch,
    "prefetchu": prefetch,
    "discard": of_a_line,
    "applypriority": of_a_line,
    "createpolicy": createpolicy,
    "griddepcontrol": griddepcontrol,
    "setmaxnreg": setmaxnreg,
    "pmevent": pmevent,
}
