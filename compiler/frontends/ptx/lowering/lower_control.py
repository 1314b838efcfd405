"""Control flow: branches, branch tables, ends.

@!%p1 bra $L__BB0_2;   ->       bra %p1, next, BB0_2
…                           next: …
brx.idx %r1, ts;       ->       setp.eq.s32 %t, %r1, 0;  bra %t, A, next; …
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.reading.tree import Name, Operation
from compiler.frontends.ptx.types import U32
from compiler.ir.module import Guard
from machines.diagnostics import nearest
from machines.types import I1


def bra(context: Context, operation: Operation) -> None:
    """Go to a label, if the guard holds."""
    forbid(operation, operation.parts, ("uni",))
    (target,) = take(operation, 1)
    if not isinstance(target, Name):
        raise Refused("expected a label", at=target.at)
    go(context, context.scope.label(target))


def ret(context: Context, operation: Operation) -> None:
    """Leave the function: a kernel's thread ends."""
    forbid(operation, operation.parts, ("uni",))
    take(operation, 0)
    if context.leave is None:
        exit_(context, operation)
    else:
        go(context, context.leave)


def exit_(context: Context, operation: Operation) -> None:
    """The thread ends, if the guard holds."""
    if operation.opcode == "exit":
        forbid(operation, operation.parts, ())
    take(operation, 0)
    code, guard = context.code, context.code.guard
    if guard is None:
        code.exit()
        return
    end, on = code.unique("exit"), code.unique("next")
    code.branch(guard, end, on)
    code.begin(end)
    code.exit()
    code.begin(on)


def trap(context: Context, operation: Operation) -> None:
    """The program faults, if the guard holds; so does a `brkpt`, as no debugger is there."""
    forbid(operation, operation.parts, ())
    take(operation, 0)
    context.code.emit("trap")


def go(context: Context, to: str) -> None:
    """To a block, under the guard of the statement; otherwise on."""
    code, guard = context.code, context.code.guard
    if guard is None:
        code.jump(to)
        return
    on = code.unique("next")
    code.branch(guard, to, on)
    code.begin(on)


def brx(context: Context, operation: Operation) -> None:
    """A branch table as a chain of comparisons."""
    index, table = take(operation, 2)
    if operation.parts[:1] != ("idx",) or not isinstance(table, Name):
        raise Refused(f"'{operation.text}' is no branch table", "brx.idx %r1, targets")
    targets = next(
        (s.targets[table.text] for s in context.scope.outwards() if table.text in s.targets), None
    )
    if targets is None:
        known = [name for scope in context.scope.outwards() for name in scope.targets]
        follows = context.scope.is_broken(table.text)
        raise Refused(
            f"there is no table '{table.text}'",
            nearest(table.text, known),
            at=table.at,
            follows=follows,
        )
    code, guard = context.code, context.code.guard
    value = context.read(index, U32)
    labels = [context.scope.label(label) for label in targets.labels]
    over = None
    if guard is not None:
        chosen, over = code.unique("table"), code.unique("next")
        code.branch(guard, chosen, over)
        code.guard = None
        code.begin(chosen)
    for number, label in enumerate(labels[:-1]):
        test = code.compute("setp.eq.s32", I1, value, number)
        on = code.unique("next")
        code.branch(Guard(test), label, on)
        code.begin(on)
    code.jump(labels[-1])
    if over is not None:
        code.begin(over)


HANDLERS = {"bra": bra, "ret": ret, "exit": exit_, "trap": trap, "brkpt": trap, "brx": brx}
