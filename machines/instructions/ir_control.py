"""IR rows: what ends a block, phis, and calls.

`return` takes the function's result if it has one, `phi` takes label/value pairs and `call` the
arguments of its callee, so they have more operands than their row says: the verifier treats them by
`control`, by the 'phi' flag and by the callee.
"""

from __future__ import annotations

from machines.operations.row import Callee, Label, Operand, Operation, Prototype
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR


def _rows():
    ends = frozenset({"terminator"})
    yield Operation(
        "jump", "ir", (Operand("to", Label()),), "", "Go to a block.", control="jump", flags=ends
    )
    yield Operation(
        "branch",
        "ir",
        (Operand("p", I1, use="predicate"), Operand("then", Label()), Operand("other", Label())),
        "taken = p",
        "Go to the first block if the condition is true, else to the second.",
        control="branch",
        flags=ends,
    )
    yield Operation(
        "branch.opaque",
        "ir",
        (Operand("then", Label()), Operand("other", Label())),
        "taken = opaque",
        "Go to one of two blocks, nothing is known of which; written `branch opaque, A, B`.",
        implicit_reads=("opaque",),
        control="branch",
        flags=ends,
    )
    yield Operation(
        "return", "ir", (), "", "Leave the function, with its result.", control="return",
        flags=ends,
    )  # fmt: skip
    callee = Operand("f", Callee())
    yield Operation("call", "ir", (callee,), "", "Run a function; written `call @f(a, b)`.")
    prototype = Operand("f", Prototype())
    yield Operation(
        "call_through",
        "ir",
        (prototype,),
        "",
        "Run the function that p points to, which takes what @f takes; written "
        "`call_through @f(p, a, b)`.",
    )
    for t in (I1, I8, I16, I32, I64, F32, F64, PTR):
        yield Operation(
            f"call.{t}",
            "ir",
            (Operand("d", t, "w"), callee),
            "",
            f"Run a function that returns {t}; written `d = call.{t} @f(a, b)`.",
        )
        yield Operation(
            f"call_through.{t}",
            "ir",
            (Operand("d", t, "w"), prototype),
            "",
            f"Run the function that p points to, which returns {t}; written "
            f"`d = call_through.{t} @f(p, a, b)`.",
        )
        yield Operation(
            f"phi.{t}",
            "ir",
            (Operand("d", t, "w"),),
            "",
            "The value that belongs to the predecessor control came from.",
            flags=frozenset({"phi"}),
        )


ROWS = tuple(_rows())
