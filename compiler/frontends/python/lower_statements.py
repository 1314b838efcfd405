"""From typed statements to blocks of IR.

Loops are rotated: a guard at the top decides whether the loop runs at all, the test stands at its
end.  `for i in range(a, b, s)` counts in `i` itself where nobody can tell the difference.
"""

from __future__ import annotations

from dataclasses import fields

from compiler.frontends.python.frame import Frame, Lowering
from compiler.frontends.python.lower_loops import lower_for
from compiler.frontends.python.lower_values import address, branch_on, load, lower, store
from compiler.python_syntax.tree import (
    Assign,
    Break,
    Call,
    Constant,
    Continue,
    Element,
    Evaluate,
    For,
    FunctionCall,
    If,
    Return,
    Statement,
    ThreadOperation,
    Update,
    Value,
    While,
)


def lower_statements(code: Lowering, frame: Frame, statements: list[Statement]) -> None:
    """Emit the statements; those that control cannot reach are left out."""
    for statement in statements:
        if code.builder.is_terminated:
            return
        _statement(code, frame, statement)


def _statement(code: Lowering, frame: Frame, statement: Statement) -> None:
    match statement:
        case Assign(targets=[str(name)], values=[value]):
            lower(code, frame, value, frame.variable(code, name))
        case Assign():
            _assign(code, frame, statement)
        case Update():
            _update(code, frame, statement)
        case Evaluate():
            lower(code, frame, statement.call)
        case If():
            _if(code, frame, statement)
        case While():
            _while(code, frame, statement)
        case For():
            lower_for(code, frame, statement, lower_statements)
        case Break():
            code.jump(frame.loops[-1][1], statement.location)
        case Continue():
            code.jump(frame.loops[-1][0], statement.location)
        case Return():
            _return(code, frame, statement)
        case _:
            raise TypeError(f"no lowering for {type(statement).__name__}")


def _assign(code: Lowering, frame: Frame, statement: Assign) -> None:
    """All values first; a variable that an earlier target overwrites is copied."""
    written = {frame.variable(code, t) for t in statement.targets if isinstance(t, str)}
    held = []
    for value in statement.values:
        operand = lower(code, frame, value)
        if operand in written and len(statement.values) > 1:
            operand = code.emit(f"copy.{value.type.type}", operand, location=value.location)
        held.append(operand)
    for target, value, operand in zip(statement.targets, statement.values, held, strict=True):
        if isinstance(target, Element):
            store(code, target, address(code, frame, target), operand)
            continue
        row = "copy" if isinstance(operand, str) else "const"
        variable = frame.variable(code, target)
        code.emit(f"{row}.{value.type.type}", operand, result=variable, location=statement.location)


def _update(code: Lowering, frame: Frame, statement: Update) -> None:
    pointer = address(code, frame, statement.target)
    outer, frame.current = frame.current, load(code, statement.target, pointer)
    held = lower(code, frame, statement.value)
    frame.current = outer
    store(code, statement.target, pointer, held)


def _if(code: Lowering, frame: Frame, statement: If) -> None:
    then, otherwise, join = (code.builder.fresh_block(name) for name in ("then", "else", "join"))
    branch_on(code, frame, statement.test, then, otherwise if statement.otherwise else join)
    arms = [(then, statement.then)]
    if statement.otherwise:
        arms.append((otherwise, statement.otherwise))
    for block, body in arms:
        if block in code.targets:
            code.arrive(block)
            lower_statements(code, frame, body)
            code.jump(join, statement.location)
    code.arrive(join)


def _while(code: Lowering, frame: Frame, statement: While) -> None:
    body, following, after = (code.builder.fresh_block(name) for name in ("loop", "next", "after"))
    if _inlines(statement.test):
        # The test is long: it stands once, at the top.
        test = code.builder.fresh_block("test")
        code.jump(test, statement.location)
        code.arrive(test)
        branch_on(code, frame, statement.test, body, after)
        _body(code, frame, statement, body, test, after)
        code.jump(test, statement.location)
    else:
        branch_on(code, frame, statement.test, body, after)
        if body in code.targets:
            _body(code, frame, statement, body, following, after)
            code.arrive(following)
            branch_on(code, frame, statement.test, body, after)
    code.arrive(after)


def _body(
    code: Lowering, frame: Frame, statement: While, body: str, following: str, after: str
) -> None:
    code.arrive(body)
    frame.loops.append((following, after))
    lower_statements(code, frame, statement.body)
    frame.loops.pop()


def _inlines(value: object) -> bool:
    """Whether computing the value makes a call, or meets other threads, which is done once."""
    if isinstance(value, Call | FunctionCall):
        return True
    if isinstance(value, ThreadOperation) and not value.is_constant:
        return True
    if isinstance(value, list):
        return any(_inlines(part) for part in value)
    if not isinstance(value, Value) or isinstance(value, Constant):
        return False
    return any(_inlines(getattr(value, part.name)) for part in fields(value))


def _return(code: Lowering, frame: Frame, statement: Return) -> None:
    """Return from the entry; from an inlined kernel, give its value and go on after the call."""
    if frame.leave is None:
        value = [] if statement.value is None else [lower(code, frame, statement.value)]
        code.builder.emit("return", *value, location=statement.location)
        return
    is_last = statement is frame.kernel.body[-1] and frame.leave not in code.targets
    if is_last:
        if statement.value is not None:
            frame.value = lower(code, frame, statement.value, frame.wanted)
        return
    if statement.value is not None:
        frame.value = lower(code, frame, statement.value, frame.early_result(code))
    code.jump(frame.leave, statement.location)
