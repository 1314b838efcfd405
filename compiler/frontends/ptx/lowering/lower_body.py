"""Walks the statements of a kernel, and of the functions that it calls as if they stood there.

call.uni (retval0), f, (param0);      ->      … f's statements, its `ret` a jump to
ld.param.b32 %r2, [retval0+0];            f.end: mov.b32 %r2, %func_retval0
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from compiler.frontends.ptx.findings import Findings, Refused, unsupported
from compiler.frontends.ptx.locations import Locations
from compiler.frontends.ptx.lowering import (
    lower_async,
    lower_clusters,
    lower_compare,
    lower_control,
    lower_convert,
    lower_fences,
    lower_hints,
    lower_matrix,
    lower_mbarrier,
    lower_memory,
    lower_move,
    lower_plain,
    lower_threads,
    lower_warp_group,
    lower_wide,
    lower_wmma,
)
from compiler.frontends.ptx.lowering.assertions import ASSERTION_FAILED
from compiler.frontends.ptx.lowering.call_graph import CallGraph
from compiler.frontends.ptx.lowering.device_runtime import TRAPS
from compiler.frontends.ptx.lowering.lower_print import print_record
from compiler.frontends.ptx.lowering.lower_wide import is_wide
from compiler.frontends.ptx.lowering.modifiers import types_last
from compiler.frontends.ptx.lowering.newer import newer
from compiler.frontends.ptx.lowering.operands import Context
from compiler.frontends.ptx.lowering.parameters import Passed
from compiler.frontends.ptx.lowering.passing import check_counts, declare_passed, give, take_back
from compiler.frontends.ptx.lowering.scope import Scope, Stored, labels_of
from compiler.frontends.ptx.lowering.shared_calls import SharedCalls
from compiler.frontends.ptx.lowering.since import too_early
from compiler.frontends.ptx.reading.tree import (
    Braces,
    Call,
    Label,
    Loc,
    Name,
    Operation,
    Pair,
    Pragma,
    Routine,
    Statement,
    Targets,
    Variable,
)
from compiler.frontends.ptx.types import PRED, U64, words
from compiler.ir.module import Guard
from machines.diagnostics import nearest
from machines.kinds.simt.code import ROLLED
from machines.types import I1

HANDLERS = {
    **lower_plain.HANDLERS,
    **lower_compare.HANDLERS,
    **lower_convert.HANDLERS,
    **lower_move.HANDLERS,
    **lower_memory.HANDLERS,
    **lower_threads.HANDLERS,
    **lower_fences.HANDLERS,
    **lower_clusters.HANDLERS,
    **lower_async.HANDLERS,
    **lower_mbarrier.HANDLERS,
    **lower_hints.HANDLERS,
    **lower_control.HANDLERS,
    **lower_matrix.HANDLERS,
    **lower_warp_group.HANDLERS,
    **lower_wmma.HANDLERS,
}
NOT_SUPPORTED = words(
    "tex tld4 txq istypep suld sust sured suq wmma mma wgmma ldmatrix stmatrix "
    "movmatrix tensormap tcgen05 clusterlaunchcontrol multimem "
    "stacksave stackrestore alloca szext vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 "
    "vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vmin4 vmax4 vset4"
)
"""Instructions of PTX that are known, and not had where nothing above lowers them."""

DEEPEST = 120
"""Scopes in scopes, those of inlined functions too."""


class Walker:
    """Lowers statements into a context's code; findings are gathered statement by statement.

    refused     the calls that cannot be, by identity: they are reported, and left out
    assertions  what calls of `__assertfail` say, by identity
    formats     what calls of `vprintf` print, by identity
    """

    def __init__(
        self,
        findings: Findings,
        locations: Locations,
        refused: Collection[int],
        assertions: Mapping[int, str],
        formats: Mapping[int, bytes | None],
        graph: CallGraph,
        shared: SharedCalls,
    ):
        self.findings, self.locations = findings, locations
        self.refused, self.assertions, self.formats = refused, assertions, formats
        self.graph, self.shared = graph, shared
        self.depth = 0

    def braces(self, context: Context, braces: Braces) -> None:
        """A scope and what is in it."""
        if self.depth >= DEEPEST:
            raise unsupported(f"braces and calls are nested deeper than {DEEPEST}", at=braces.at)
        outer = context.scope
        context.scope = Scope(outer, broken=braces.broken, unhad=braces.unhad)
        self.depth += 1
        self._declare_labels(context, braces)
        for statement in braces.statements:
            context.code.guard = None
            self._statement(context, statement, braces)
        context.code.guard = None
        context.scope = outer
        self.depth -= 1

    def _declare_labels(self, context: Context, braces: Braces) -> None:
        scope = context.scope
        for label in labels_of(braces.statements):
            if label.name in scope.labels:
                message = f"label '{label.name}' stands twice"
                self.findings.add(Refused(message), label.at, len(label.name))
                continue
            scope.labels[label.name] = context.code.unique(block_name(label.name))
        for statement in braces.statements:
            if isinstance(statement, Targets):
                scope.targets[statement.name] = statement

    def _statement(self, context: Context, statement: Statement, braces: Braces) -> None:
        context.code.at = statement.at
        try:
            match statement:
                case Operation():
                    self._operation(context, statement)
                case Label():
                    self._label(context, statement)
                case Pragma(text="nounroll"):
                    if context.code.is_open:
                        ROLLED.say(context.code.builder.current, True)
                case Loc():
                    location = self.locations.location(statement)
                    if location is not None and not self.findings.source.in_assembly(statement.at):
                        context.code.location = location
                case Variable():
                    self._variable(context, statement, braces)
                case Call():
                    self._locate(context, statement)
                    context.code.guard = self._guard(context, statement)
                    self._call(context, statement)
                case Braces():
                    self.braces(context, statement)
        except Refused as refused:
            self.findings.add(refused, statement.at, getattr(statement, "length", 1))

    def _operation(self, context: Context, statement: Operation) -> None:
        self._locate(context, statement)
        statement = types_last(statement)
        context.code.guard = self._guard(context, statement)
        handler = HANDLERS.get(statement.opcode)
        if is_wide(statement):
            handler = lower_wide.HANDLERS.get(statement.opcode, handler)
        if handler is not None:
            try:
                handler(context, statement)
            except Refused as refused:
                raise newer(statement) or refused from None
            if refused := too_early(statement, context.kernel.target):
                raise refused
            return
        if statement.opcode in NOT_SUPPORTED:
            raise newer(statement) or unsupported(f"'{statement.text}' is not supported")
        hint = nearest(statement.opcode, [*HANDLERS, *NOT_SUPPORTED])
        raise Refused(f"there is no instruction '{statement.text}'", hint)

    def _guard(self, context: Context, statement: Operation | Call) -> Guard | None:
        """The guard of the rows to come; a copy of one that the statement itself may write."""
        guard = statement.guard
        if guard is None:
            return None
        name = str(context.read(guard.name, PRED))
        results = statement.operands[:1] if isinstance(statement, Operation) else statement.results
        for result in results:
            parts = (result.first, result.second) if isinstance(result, Pair) else (result,)
            if any(isinstance(part, Name) and part.text == guard.name.text for part in parts):
                name = context.code.compute("mov.pred", I1, name)
        return Guard(name, guard.negated)

    def _locate(self, context: Context, statement: Operation | Call) -> None:
        """Without a CUDA file, code stands where it stands in the PTX file, that of the runtime
        where it is called."""
        source = self.findings.source
        if not self.locations.found and statement.at < source.end:
            context.code.location = source.location(statement.at, statement.length)

    def _label(self, context: Context, label: Label) -> None:
        block = context.scope.labels[label.name]
        if block not in context.code.function.blocks:  # a second label of the name is reported
            context.code.begin(block)

    def _variable(self, context: Context, variable: Variable, braces: Braces) -> None:
        if variable.space == "reg":
            if variable.many is not None:
                context.scope.declare_many(variable)
                return
            meaning = context.new_register(variable.name, variable)
        elif variable.space == "param":
            meaning = declare_passed(context, variable, braces, self.graph)
        else:
            offset = context.kernel.layout.offsets.get(id(variable), 0)
            base = self.shared.base_of(context, variable)
            meaning = Stored(variable.space, variable.name, offset, variable.type.bytes, base)
        context.scope.declare(variable.name, meaning, variable.at)
        if isinstance(meaning, Passed) and meaning.copy is not None:
            self.shared.check_memory(context, variable, braces)

    # Calls

    def _note_trap(self, context: Context, text: str | None) -> None:
        """What a trap of the statement's line says of itself."""
        place = context.code.location
        if place is not None and text is not None:
            noted = (place.file, place.line, place.column, text)
            context.kernel.layout.frame.traps.append(noted)

    def _call(self, context: Context, call: Call) -> None:
        """A call of one function, or of that which a register holds the address of."""
        if call.callee.text == ASSERTION_FAILED:
            context.code.emit("trap")
            self._note_trap(context, self.assertions.get(id(call)))
            return
        if id(call) in self.refused:
            return
        code, guard = context.code, context.code.guard
        over = None
        if guard is not None:
            inside, over = code.unique("call"), code.unique("next")
            code.branch(guard, inside, over)
            code.guard = None
            code.begin(inside)
        if id(call) in self.formats:
            print_record(context, call, self.formats[id(call)])
        elif call.form is None:
            [routine] = self.graph.callees(call)
            self._call_of(context, call, routine)
        else:
            self._call_through(context, call)
        if over is not None:
            code.begin(over)

    def _call_through(self, context: Context, call: Call) -> None:
        """One function after the other is asked whether the address is its own."""
        code, location = context.code, context.code.location
        address = context.read(call.callee, U64)
        end = code.unique("called")
        for routine in self.graph.callees(call):
            this, other = code.unique("call"), code.unique("next")
            is_it = code.compute("setp.eq.s64", I1, address, self.graph.addresses[routine.name])
            code.branch(Guard(is_it), this, other)
            code.begin(this)
            self._call_of(context, call, routine)
            code.jump(end)
            code.location = location
            code.begin(other)
        code.emit("trap.callee")
        code.begin(end)

    def _call_of(self, context: Context, call: Call, routine: Routine) -> None:
        """The callee's statements in a scope of their own, which stands in the module's; or the way
        to where they stand."""
        check_counts(call, routine)
        self._note_trap(context, TRAPS.get(routine.name))
        if routine.name in self.shared.recurs:
            self.shared.call(context, call, routine)
            return
        code = context.code
        outside = Scope(context.kernel.scope, broken=routine.broken)
        inner = Context(code, outside, context.kernel)
        inner.leave = code.unique(f"{block_name(routine.name)}.end")
        inner.within = context.within
        location = code.location
        give(context, inner, call, routine)
        self.braces(inner, routine.body)
        code.location = location
        code.begin(inner.leave)
        take_back(context, inner, call, routine)


def block_name(label: str) -> str:
    """A label without what nvcc puts before all of them.

    >>> block_name("$L__BB0_2")
    'BB0_2'
    """
    return label.removeprefix("$L__") or label
