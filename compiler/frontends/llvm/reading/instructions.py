"""Reads one instruction line: `%sum = add nsw i32 %a, 1, !dbg !7` as a Statement.

The forms are those of the LLVM Language Reference Manual, as LLVM itself prints them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from compiler.frontends.llvm.reading.lexer import unescape
from compiler.frontends.llvm.reading.terms import VOID, Terms
from compiler.frontends.llvm.reading.tree import Local, Operand, Statement
from compiler.frontends.llvm.reading.types import LlvmType, Structure, Vector
from machines.types import I1, PTR

UNREAD_CALLS = (
    "llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias.scope.decl",
    "llvm.donothing", "llvm.sideeffect", "llvm.pseudoprobe", "llvm.invariant.",
    "llvm.var.annotation",
)  # fmt: skip
"""Calls that only tell an optimizer something; what they are given is not looked at."""

ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")

_DEBUG = re.compile(r", !dbg !(\d+)")


class Refused(Exception):
    """An instruction that cannot be had; `hint` says what to do instead."""

    def __init__(self, what: str, hint: str | None = None):
        super().__init__(what)
        self.hint = hint


def read_statement(line: str, named: Mapping[str, str]) -> Statement:
    """The instruction on a line; raises Unreadable and Refused."""
    terms = Terms(line, named)
    name = None
    if terms.next.kind == "local":
        name = terms.take().text
        terms.expect("=")
    while terms.accept_word("tail", "musttail", "notail"):
        pass
    opcode = terms.name("word")
    if opcode not in _READERS:
        raise Refused(f"'{opcode}' is not supported", HINTS.get(opcode))
    statement = _READERS[opcode](terms, opcode)
    statement.name = name
    statement.text = " ".join(_DEBUG.sub("", line).split())
    debug = _DEBUG.search(line)
    statement.debug = int(debug[1]) if debug else None
    return statement


HINTS = {
    "invoke": "exceptions are not supported: compile with -fno-exceptions",
    "landingpad": "exceptions are not supported: compile with -fno-exceptions",
    "resume": "exceptions are not supported: compile with -fno-exceptions",
    "callbr": "inline assembly has no counterpart: write it in C",
}


def _binary(terms: Terms, opcode: str) -> Statement:
    """`add nsw i32 %a, %b`."""
    terms.flags()
    first, second = _same_type(terms)
    return Statement(opcode, first.type, (first, second))


def _compare(terms: Terms, opcode: str) -> Statement:
    """`icmp ult i32 %a, %b`."""
    terms.flags()
    predicate = terms.name("word")
    operands = _same_type(terms)
    kind = operands[0].type
    result = Vector(kind.count, I1) if isinstance(kind, Vector) else I1
    return Statement(opcode, result, operands, word=predicate)


def _same_type(terms: Terms) -> tuple[Operand, Operand]:
    first = terms.operand()
    terms.expect(",")
    return first, Operand(first.type, terms.value(first.type))


def _unary(terms: Terms, opcode: str) -> Statement:
    """`fneg float %x`, `freeze i32 %a`."""
    terms.flags()
    operand = terms.operand()
    return Statement(opcode, operand.type, (operand,))


def _cast(terms: Terms, opcode: str) -> Statement:
    """`sext i8 %a to i32`."""
    terms.flags()
    operand = terms.operand()
    terms.expect("to")
    return Statement(opcode, terms.type(), (operand,))


def _select(terms: Terms, opcode: str) -> Statement:
    """`select i1 %c, i32 %a, i32 %b`."""
    terms.flags()
    operands = _list(terms)
    return Statement(opcode, operands[1].type, operands)


def _list(terms: Terms) -> tuple[Operand, ...]:
    """Operands with commas between them, up to something else."""
    operands = [terms.operand()]
    while terms.accept(","):
        if not terms.at_type():
            break
        operands.append(terms.operand())
    return tuple(operands)


def _phi(terms: Terms, opcode: str) -> Statement:
    """`phi i32 [ %a, %here ], [ 0, %there ]`."""
    terms.flags()
    kind = terms.type()
    operands, labels = [], []
    while terms.accept("["):
        operands.append(Operand(kind, terms.value(kind)))
        terms.expect(",")
        labels.append(terms.name("local"))
        terms.expect("]")
        if not terms.accept(","):
            break
    return Statement(opcode, kind, tuple(operands), labels=tuple(labels))


def _is_volatile(terms: Terms) -> bool:
    """Atomic accesses are volatile ones: there is one thread."""
    atomic = terms.accept_word("atomic") is not None
    return terms.accept_word("volatile") is not None or atomic


def _ordering(terms: Terms) -> None:
    """`syncscope("singlethread") seq_cst`, which mean nothing to one thread."""
    if terms.accept_word("syncscope"):
        terms.skip_brackets()
    while terms.accept_word(*ORDERINGS):
        pass


def _load(terms: Terms, opcode: str) -> Statement:
    """`load volatile i32, ptr %p, align 4`."""
    volatile = _is_volatile(terms)
    kind = terms.type()
    terms.expect(",")
    operands = _list(terms)
    found = Statement(opcode, kind, operands, pointee=kind, alignment=_alignment(terms))
    found.volatile = volatile
    return found


def _store(terms: Terms, opcode: str) -> Statement:
    """`store volatile i32 %a, ptr %p, align 4`."""
    volatile, operands = _is_volatile(terms), _list(terms)
    kind, alignment = operands[0].type, _alignment(terms)
    found = Statement(opcode, None, operands, pointee=kind, alignment=alignment)
    found.volatile = volatile
    return found


def _modify(terms: Terms, opcode: str) -> Statement:
    """`atomicrmw volatile add ptr %p, i32 %a seq_cst, align 4`: what was there."""
    _is_volatile(terms)
    word, operands = terms.name("word"), _list(terms)
    kind, alignment = operands[1].type, _alignment(terms)
    return Statement(opcode, kind, operands, word=word, alignment=alignment, volatile=True)


def _exchange(terms: Terms, opcode: str) -> Statement:
    """`cmpxchg weak ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4`: what was there, and
    whether it was the old value."""
    terms.accept_word("weak")
    _is_volatile(terms)
    operands = _list(terms)
    kind, alignment = Structure((operands[1].type, I1)), _alignment(terms)
    return Statement(opcode, kind, operands, alignment=alignment, volatile=True)


def _fence(terms: Terms, opcode: str) -> Statement:
    return Statement(opcode)


def _argument(terms: Terms, opcode: str) -> Statement:
    """`va_arg ptr %list, i32`."""
    operand = terms.operand()
    terms.expect(",")
    return Statement(opcode, terms.type(), (operand,))


def _alloca(terms: Terms, opcode: str) -> Statement:
    """`alloca [16 x i8], align 16`, `alloca i32, i64 4, align 4`."""
    kind = terms.type()
    operands = ()
    if terms.accept(",") and terms.at_type():
        operands = _list(terms)
    return Statement(opcode, PTR, operands, pointee=kind, alignment=_alignment(terms))


def _alignment(terms: Terms) -> int:
    """`align 4`; the comma before it has been taken, unless an ordering stands there."""
    _ordering(terms)
    terms.accept(",")
    return terms.number() if terms.accept_word("align") else 1


def _getelementptr(terms: Terms, opcode: str) -> Statement:
    """`getelementptr inbounds %struct.p, ptr %x, i64 %i, i32 1`."""
    terms.flags()
    pointee = terms.type()
    terms.expect(",")
    operands = _list(terms)
    vectors = (operand.type for operand in operands if isinstance(operand.type, Vector))
    kind = next((Vector(vector.count, PTR) for vector in vectors), operands[0].type)
    return Statement(opcode, kind, operands, pointee=pointee)


def _insertvalue(terms: Terms, opcode: str) -> Statement:
    """`insertvalue { i32, i1 } %a, i32 5, 0`."""
    aggregate = terms.operand()
    terms.expect(",")
    value = terms.operand()
    terms.expect(",")
    return Statement(opcode, aggregate.type, (aggregate, value), indices=_indices(terms))


def _extractvalue(terms: Terms, opcode: str) -> Statement:
    """`extractvalue { i32, i1 } %a, 1`; its type is found by walking the aggregate's."""
    aggregate = terms.operand()
    terms.expect(",")
    indices = _indices(terms)
    kind = aggregate.type
    for index in indices:
        kind = kind.fields[index] if hasattr(kind, "fields") else kind.element
    return Statement(opcode, kind, (aggregate,), indices=indices)


def _indices(terms: Terms) -> tuple[int, ...]:
    found = [terms.number()]
    while terms.accept(",") and terms.next.kind == "number":
        found.append(terms.number())
    return tuple(found)


def _branch(terms: Terms, opcode: str) -> Statement:
    """`br label %next`, `br i1 %c, label %then, label %other`."""
    operands = ()
    if terms.next.text != "label":
        operands = (terms.operand(),)
        terms.expect(",")
    labels = []
    while terms.accept_word("label"):
        labels.append(terms.name("local"))
        terms.accept(",")
    return Statement(opcode, None, operands, labels=tuple(labels))


def _return(terms: Terms, opcode: str) -> Statement:
    """`ret void`, `ret i32 %a`."""
    if terms.accept_word("void"):
        return Statement(opcode)
    return Statement(opcode, None, (terms.operand(),))


def _unreachable(terms: Terms, opcode: str) -> Statement:
    return Statement(opcode)


def _call(terms: Terms, opcode: str) -> Statement:
    """`call fast float @f(ptr align 4 %p, i32 1) #3`, `call i32 (ptr, ...) @printf(ptr %p)`."""
    terms.words()
    kind, fixed = terms.type(), None
    if terms.accept("("):
        count = 0
        while not terms.accept(")"):
            if terms.accept_word("..."):
                fixed = count
            else:
                terms.type()
                count += 1
            terms.accept(",")
    if terms.accept_word("asm"):
        return _assembly(terms, None if kind is VOID else kind)
    if terms.next.kind not in ("global", "local"):
        raise Refused("a call of a number is not supported", "call a function")
    through = terms.take()
    callee = through.text if through.kind == "global" else ""
    result = None if kind is VOID else kind
    if callee.startswith(UNREAD_CALLS):
        return Statement(opcode, result, callee=callee)
    terms.expect("(")
    operands = [] if callee else [Operand(PTR, Local(through.text))]
    while not terms.accept(")"):
        operands.append(terms.operand())
        terms.accept(",")
    return Statement(opcode, result, tuple(operands), callee=callee, fixed=fixed)


def _assembly(terms: Terms, kind: LlvmType | None) -> Statement:
    """`call i32 asm sideeffect "", "=r,0,~{memory}"(i32 %a)`: without instructions it only keeps
    an optimizer from knowing a value, or from moving accesses."""
    while terms.accept_word("sideeffect", "alignstack", "inteldialect", "unwind"):
        pass
    text = unescape(terms.name("text")[1:-1]).decode("utf-8", "replace")
    if text.strip():
        raise Refused("inline assembly is not supported", "write it in C")
    terms.expect(",")
    constraints = terms.name("text")[1:-1]
    terms.expect("(")
    operands = []
    while not terms.accept(")"):
        operands.append(terms.operand())
        terms.accept(",")
    return Statement("asm", kind, tuple(operands), word=constraints)


def _extract_element(terms: Terms, opcode: str) -> Statement:
    """`extractelement <2 x float> %v, i64 0`."""
    vector, index = _list(terms)
    return Statement(opcode, vector.type.element, (vector, index))


def _insert_element(terms: Terms, opcode: str) -> Statement:
    """`insertelement <2 x float> %v, float %x, i64 0`."""
    operands = _list(terms)
    return Statement(opcode, operands[0].type, operands)


def _shuffle(terms: Terms, opcode: str) -> Statement:
    """`shufflevector <2 x float> %a, <2 x float> %b, <2 x i32> <i32 0, i32 3>`."""
    operands = _list(terms)
    return Statement(opcode, Vector(operands[2].type.count, operands[0].type.element), operands)


_BINARY = [
    "add",
    "sub",
    "mul",
    "udiv",
    "sdiv",
    "urem",
    "srem",
    "shl",
    "lshr",
    "ashr",
    "and",
    "or",
    "xor",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frem",
]
_CASTS = [
    "zext",
    "sext",
    "trunc",
    "bitcast",
    "ptrtoint",
    "ptrtoaddr",
    "inttoptr",
    "fptosi",
    "fptoui",
    "sitofp",
    "uitofp",
    "fpext",
    "fptrunc",
]
_READERS: dict[str, Callable[[Terms, str], Statement]] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_CASTS, _cast),
    "icmp": _compare, "fcmp": _compare, "fneg": _unary, "freeze": _unary, "select": _select,
    "phi": _phi, "load": _load, "store": _store, "alloca": _alloca,
    "getelementptr": _getelementptr, "insertvalue": _insertvalue, "extractvalue": _extractvalue,
    "extractelement": _extract_element, "insertelement": _insert_element, "shufflevector": _shuffle,
    "atomicrmw": _modify, "cmpxchg": _exchange, "fence": _fence, "va_arg": _argument,
    "br": _branch, "ret": _return, "unreachable": _unreachable, "call": _call,
}  # fmt: skip
