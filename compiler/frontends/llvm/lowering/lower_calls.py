"""Calls: of what LLVM and the C library define, and those that LLVM could not inline.

call i32 @llvm.smax.i32(i32 %a, i32 %b)   ->   max_s.i32 a, b
call double @fabs(double %x)              ->   abs.f64 x
"""

from __future__ import annotations

from compiler.frontends.llvm.lowering import lower_bits, lower_floats, lower_masked, variadic
from compiler.frontends.llvm.lowering.code import Code, Scalar, Value, scalar
from compiler.frontends.llvm.lowering.lower_bits import Lower, known
from compiler.frontends.llvm.lowering.lower_memory import load_scalar, moved, trap
from compiler.frontends.llvm.lowering.lower_moves import copy, fill
from compiler.frontends.llvm.lowering.passing import call_function, call_through
from compiler.frontends.llvm.lowering.widths import as_i64, from_i64
from compiler.frontends.llvm.reading.instructions import UNREAD_CALLS, Refused
from compiler.frontends.llvm.reading.tree import Statement
from machines.types import I64, PTR, TYPES


def call(code: Code, statement: Statement) -> Value | None:
    """What a call gives; raises Refused if nothing is known of its callee."""
    callee = statement.callee
    if callee.startswith(UNREAD_CALLS):
        return None
    head = code.callee(callee) if callee else None
    if head is not None:
        return call_function(code, statement, head, statement.operands)
    lower = known(callee, KNOWN)
    if lower is not None:
        return lower(code, statement)
    if not callee:
        return call_through(code, statement)
    if callee in code.never_return and callee not in NOT_HAD:
        trap(code)
        return None
    if callee in NOT_HAD or callee.startswith("llvm.eh.sjlj"):
        raise Refused(*NOT_HAD.get(callee, _JUMPS))
    if callee.startswith("llvm."):
        raise Refused(f"'{callee}' is not supported", "see LLVM.md for what is")
    raise Refused(
        f"'{callee}' is called, which this file does not define",
        "join the files with llvm-link, or write the function in C",
    )


_JUMPS = (
    "setjmp and longjmp are not supported",
    "give back a value that says what went wrong, and test it in the caller",
)
_ENDS = "a program ends where its entry returns, and nowhere else", "return from the entry"
NOT_HAD = {
    **dict.fromkeys(
        ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp",
         "__longjmp_chk"), _JUMPS,
    ),
    **dict.fromkeys(("exit", "_exit", "_Exit", "quick_exit"), _ENDS),
}  # fmt: skip
"""Functions of the C library that cannot be had: why, and what to do."""


def _stack_save(code: Code, statement: Statement) -> Value:
    used = code.emit("load.i64", code.emit("address.ptr", code.variables.stack_used()))
    return from_i64(code, used, PTR)


def _stack_restore(code: Code, statement: Statement) -> None:
    used = as_i64(code, code.value(statement.operands[0]), PTR, False)
    code.emit("store.i64", code.emit("address.ptr", code.variables.stack_used()), used)


def _nothing(code: Code, statement: Statement) -> None:
    """What has no effect here."""


def _row(name: str) -> Lower:
    """An operation of our IR that does the same."""

    def lower(code: Code, statement: Statement) -> Value:
        operands = map(code.value, statement.operands[: _arity(name)])
        return code.emit(f"{name}.{scalar(statement.type)}", *operands)

    return lower


def _arity(name: str) -> int:
    return {"sqrt": 1, "abs": 1, "fma": 3}.get(name, 2)


def _first(code: Code, statement: Statement) -> Value:
    """A call that gives its first argument, and tells an optimizer something."""
    return code.value(statement.operands[0])


def _number(value: int) -> Lower:
    return lambda code, statement: value


def _trap(code: Code, statement: Statement) -> None:
    trap(code)


def _magnitude(code: Code, statement: Statement) -> Value:
    kind, value = scalar(statement.type), code.value(statement.operands[0])
    return code.emit(f"max_s.{kind}", value, code.emit(f"neg.{kind}", value))


# Saturation, overflow, three-way compares


def _saturated_unsigned(name: str) -> Lower:
    """uadd.sat and usub.sat: a + min(b, ~a), max(a, b) - b."""

    def lower(code: Code, statement: Statement) -> Value:
        kind = scalar(statement.type)
        a, b = map(code.value, statement.operands)
        if name == "sub":
            return code.emit(f"sub.{kind}", code.emit(f"max_u.{kind}", a, b), b)
        rest = code.emit(f"min_u.{kind}", b, code.emit(f"not.{kind}", a))
        return code.emit(f"add.{kind}", a, rest)

    return lower


def _saturated_signed(name: str) -> Lower:
    """sadd.sat and ssub.sat: what does not fit becomes the number of its sign that fits best."""

    def lower(code: Code, statement: Statement) -> Value:
        kind = statement.type
        a, b = map(code.value, statement.operands)
        lowest, highest = -(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1
        if kind is I64:
            result = code.emit(f"{name}.i64", a, b)
            wrapped = _sum_wrapped(code, name, a, b, result, True)
            limit = code.emit("xor.i64", code.emit("shr_s.i64", a, 63), highest)
            return code.emit("select.i64", wrapped, limit, result)
        exact = code.emit(f"{name}.i64", *(as_i64(code, x, kind, True) for x in (a, b)))
        kept = code.emit("max_s.i64", code.emit("min_s.i64", exact, highest), lowest)
        return from_i64(code, kept, kind)

    return lower


def _shift_saturated(name: str) -> Lower:
    """sshl.sat and ushl.sat: a shift that loses bits gives the limit of its sign."""

    def lower(code: Code, statement: Statement) -> Value:
        kind, (value, count) = statement.type, map(code.value, statement.operands)
        a, n = as_i64(code, value, kind, name == "s"), as_i64(code, count, kind, False)
        result = from_i64(code, code.emit("shl.i64", a, n), kind)
        back = code.emit(f"shr_{name}.i64", as_i64(code, result, kind, name == "s"), n)
        limit: Scalar = -1
        if name == "s":
            limit = code.emit("xor.i64", code.emit("shr_s.i64", a, 63), (1 << (kind.bits - 1)) - 1)
        kept = as_i64(code, result, kind, False)
        return from_i64(
            code, code.emit("select.i64", code.emit("eq.i64", back, a), kept, limit), kind
        )

    return lower


def _with_overflow(name: str, signed: bool) -> Lower:
    """The wrapped result, and whether it wrapped: { iN, i1 }."""

    def lower(code: Code, statement: Statement) -> Value:
        kind = statement.operands[0].type
        a, b = (as_i64(code, code.value(o), kind, signed) for o in statement.operands)
        exact = code.emit(f"{name}.i64", a, b)
        result = from_i64(code, exact, kind)
        if name != "mul" and kind is I64:
            return result, _sum_wrapped(code, name, a, b, result, signed)
        beyond = code.emit("ne.i64", exact, as_i64(code, result, kind, signed))
        if name != "mul" or kind.bits <= 32:
            return result, beyond
        high = code.emit(f"mul_high_{'s' if signed else 'u'}.i64", a, b)
        expected = code.emit("shr_s.i64", exact, 63) if signed else 0
        lost = code.emit("ne.i64", high, expected)
        return result, lost if kind is I64 else code.emit("or.i1", lost, beyond)

    return lower


def _sum_wrapped(
    code: Code, name: str, a: Scalar, b: Scalar, result: Scalar, signed: bool
) -> Scalar:
    if not signed:
        return code.emit("lt_u.i64", *((result, a) if name == "add" else (a, b)))
    against = code.emit("xor.i64", b if name == "add" else a, result if name == "add" else b)
    signs = code.emit("and.i64", code.emit("xor.i64", a, result), against)
    return code.emit("lt_s.i64", signs, 0)


def _three_way(sign: str) -> Lower:
    """scmp and ucmp: -1, 0 or 1."""

    def lower(code: Code, statement: Statement) -> Value:
        result, kind = statement.type, statement.operands[0].type
        a, b = (as_i64(code, code.value(o), kind, sign == "s") for o in statement.operands)
        above, below = code.emit(f"gt_{sign}.i64", a, b), code.emit(f"lt_{sign}.i64", a, b)
        order = code.emit("sub.i64", *(code.emit("zext.i1.i64", c) for c in (above, below)))
        return from_i64(code, order, result)

    return lower


# Pointers


def _load_relative(code: Code, statement: Statement) -> Value:
    """A pointer, moved by the i32 that stands at an offset from it."""
    pointer, offset = map(code.value, statement.operands)
    offset = as_i64(code, offset, statement.operands[1].type, True)
    distance = load_scalar(code, TYPES["i32"], moved(code, pointer, offset), 4)
    return moved(code, pointer, code.emit("sext.i32.i64", distance))


def _mask_pointer(code: Code, statement: Statement) -> Value:
    pointer, mask = statement.operands
    wide = as_i64(code, code.value(pointer), PTR, False)
    kept = code.emit("and.i64", wide, as_i64(code, code.value(mask), mask.type, False))
    return from_i64(code, kept, PTR)


KNOWN: dict[str, Lower] = {
    **{f"llvm.{name}": _row(f"{name[1:]}_{name[0]}") for name in ("smax", "smin", "umax", "umin")},
    **dict.fromkeys(("llvm.fabs", "fabs", "fabsf"), _row("abs")),
    **dict.fromkeys(("llvm.sqrt", "sqrt", "sqrtf"), _row("sqrt")),
    **dict.fromkeys(("llvm.fma", "fma", "fmaf"), _row("fma")),
    **dict.fromkeys(("llvm.minnum", "llvm.minimumnum", "fmin", "fminf"), _row("min")),
    **dict.fromkeys(("llvm.maxnum", "llvm.maximumnum", "fmax", "fmaxf"), _row("max")),
    **dict.fromkeys(("llvm.abs", "abs", "labs", "llabs"), _magnitude),
    **dict.fromkeys(
        ("llvm.trap", "llvm.ubsantrap", "llvm.debugtrap", "abort", "__assert_fail"), _trap
    ),
    **dict.fromkeys(("llvm.memcpy", "llvm.memmove", "memcpy", "memmove"), copy),
    **dict.fromkeys(("llvm.memset", "memset"), fill),
    **dict.fromkeys(
        ("llvm.expect", "llvm.ssa.copy", "llvm.threadlocal.address", "llvm.launder.invariant.group",
         "llvm.strip.invariant.group"), _first,
    ),
    **lower_bits.KNOWN,
    **lower_floats.KNOWN,
    **lower_masked.KNOWN,
    "llvm.uadd.sat": _saturated_unsigned("add"),
    "llvm.usub.sat": _saturated_unsigned("sub"),
    "llvm.sadd.sat": _saturated_signed("add"),
    "llvm.ssub.sat": _saturated_signed("sub"),
    "llvm.sshl.sat": _shift_saturated("s"),
    "llvm.ushl.sat": _shift_saturated("u"),
    "llvm.va_start": variadic.start,
    "llvm.va_copy": variadic.copy,
    "llvm.stacksave": _stack_save,
    "llvm.stackrestore": _stack_restore,
    **dict.fromkeys(("llvm.va_end", "llvm.prefetch"), _nothing),
    **{
        f"llvm.{sign}{name}.with.overflow": _with_overflow(name, sign == "s")
        for sign in "su"
        for name in ("add", "sub", "mul")
    },
    "llvm.scmp": _three_way("s"),
    "llvm.ucmp": _three_way("u"),
    "llvm.load.relative": _load_relative,
    "llvm.ptrmask": _mask_pointer,
    "llvm.is.constant": _number(0),
    "llvm.objectsize": _number(-1),
}  # fmt: skip
