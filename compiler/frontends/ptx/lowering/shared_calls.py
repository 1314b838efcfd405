"""Functions whose statements stand once in a kernel, and how calls come there and back.

    call (r), fib, (p);       mov.b32 %fib.from, 3;  bra.uni fib;
                              fib.landed.3: …                   the third call goes on here

    fib: …  ret;              fib: …  fib.back: setp.eq.s32 %t, %fib.from, 1;  bra %t, fib.landed, …

Arguments and results go through variables of the callee's, or bytes of local memory where it takes
their address.

What a function that recurs keeps over a call (what is read afterwards, and where its own caller
goes on) lies on a stack in local memory, as its `.local` variables do:

    %sp ->  local variables of this call | what it keeps | the next call's …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from compiler.analyses.liveness import kills
from compiler.frontends.ptx.findings import unsupported
from compiler.frontends.ptx.lowering.call_graph import CallGraph
from compiler.frontends.ptx.lowering.code import Code
from compiler.frontends.ptx.lowering.layout import aligned
from compiler.frontends.ptx.lowering.operands import Context
from compiler.frontends.ptx.lowering.parameters import Passed, Piece, overlap, uses_of, walk
from compiler.frontends.ptx.lowering.passing import passed
from compiler.frontends.ptx.lowering.scope import Register, Scope
from compiler.frontends.ptx.reading.tree import (
    Braces,
    Call,
    Name,
    Operand,
    Routine,
    Statement,
    Variable,
)
from compiler.frontends.ptx.types import PRED, TYPES, PtxType, variable_type
from compiler.ir.module import Guard, Value
from machines.diagnostics import Location
from machines.types import I1, I32, I64, Type

STACK_ALIGNMENT = 16
Formal = Passed | Register
"""What a function calls a parameter or a result: pieces of it, or a register."""


@dataclass(slots=True)
class Site:
    """A call of a shared function, by the blocks that are made for it.

    callee   the name of the function
    number   what the callee's `origin` holds when it was called here
    keeps    the block in which a function that recurs puts on the stack what it keeps
    leaves   the block that goes to the callee
    landing  the block that the callee goes back to
    takes    the block in which what was kept is taken back
    """

    callee: str
    number: int
    keeps: str
    leaves: str
    landing: str
    takes: str
    location: Location | None


@dataclass(slots=True)
class SharedRoutine:
    """A function that stands once in a kernel.

    entry, back   blocks: where it begins, and from where it goes back
    origin        the variable that says which call it goes back to
    recurs        whether it may be called while it runs
    sites, calls  the calls of it, and those of shared functions that stand in it
    variables, blocks   of its body, with those of functions inlined in it
    stacked       its `.local` variables that are on the stack, by identity
    local_bytes   of the stack that these take
    """

    routine: Routine
    recurs: bool
    entry: str
    back: str
    origin: str
    parameters: list[Formal] = field(default_factory=list)
    results: list[Formal] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    calls: list[Site] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)
    blocks: list[str] = field(default_factory=list)
    stacked: set[int] = field(default_factory=set)
    local_bytes: int = 0


class SharedCalls:
    """The shared functions of a kernel that is lowered.

    recurs   of each of them, by name: whether it may be called while it runs
    """

    def __init__(self, outside: Context, graph: CallGraph, recurs: dict[str, bool]):
        self.outside, self.graph, self.recurs = outside, graph, recurs
        self.code: Code = outside.code
        self.routines: dict[str, SharedRoutine] = {}
        self.waiting: list[SharedRoutine] = []
        self.stack = self.code.variable("%sp", I32) if any(recurs.values()) else None

    # ── calls ────────────────────────────────────────────────────────────────────────────────

    def call(self, context: Context, call: Call, routine: Routine) -> None:
        """Give the arguments, go to the callee, and take the results."""
        code, callee = self.code, self._routine(routine)
        parts = "keep", "leave", "landed", "take"
        labels = [code.unique(f"{callee.entry}.{part}") for part in parts]
        site = Site(routine.name, 1 + len(callee.sites), *labels, code.location)
        callee.sites.append(site)
        if context.within is not None:
            context.within.calls.append(site)
        given = [
            _copied(context, operand, there.type) if isinstance(there, Register)
            else passed(context, operand, formal)
            for operand, there, formal in zip(
                call.arguments, callee.parameters, routine.parameters, strict=True
            )
        ]  # fmt: skip
        code.begin(site.keeps)
        code.begin(site.leaves)
        for here, there in zip(given, callee.parameters, strict=True):
            if isinstance(there, Register):
                code.emit(_move(there.type), (there.variable,), (here,))
            else:
                _give(context, here, there)
        code.emit("mov.b32", (callee.origin,), (site.number,))
        code.jump(callee.entry)
        code.begin(site.landing)
        taken = [
            code.compute(_move(there.type), variable_type(there.type), there.variable)
            if isinstance(there, Register)
            else _fetched(context, there, passed(context, operand, formal))
            for operand, there, formal in zip(
                call.results, callee.results, routine.results, strict=True
            )
        ]
        code.begin(site.takes)
        code.begin(code.unique(f"{callee.entry}.after"))
        for operand, there, found in zip(call.results, callee.results, taken, strict=True):
            if isinstance(there, Register):
                result = context.write(operand, there.type)
                code.emit(_move(there.type), (result,), (found,))
            else:
                _put(context, context.meaning(operand), found)

    def _routine(self, routine: Routine) -> SharedRoutine:
        code, name = self.code, routine.name
        if name not in self.routines:
            made = SharedRoutine(
                routine,
                self.recurs[name],
                code.unique(name),
                code.unique(f"{name}.back"),
                code.variable(f"%{name}.from", I32),
            )
            for formals, variables in (
                (made.parameters, routine.parameters),
                (made.results, routine.results),
            ):
                formals += [self._formal(made, v, formals is made.results) for v in variables]
            self.routines[name] = made
            self.waiting.append(made)
        return self.routines[name]

    def _formal(self, made: SharedRoutine, variable: Variable, is_result: bool) -> Formal:
        context = self.outside
        if variable.space == "reg":
            return context.new_register(variable.name, variable)
        formal = Passed(variable.name, variable.bytes, variable.alignment)
        uses = context.kernel.uses(made.routine.body.statements).get(variable.name)
        pieces = (uses.stores if is_result else uses.loads) if uses else set()
        if uses and (uses.address_taken or overlap(pieces)):
            if made.recurs:
                message = f"'{made.routine.name}' recurs and takes the address of '{variable.name}'"
                raise unsupported(f"{message}, which is not supported", at=variable.at)
            formal.copy = context.kernel.local_offset(variable)
        for offset, size in sorted(pieces):
            context.piece(formal, offset, TYPES[f"b{8 * size}"], variable.at)
        return formal

    def check_memory(self, context: Context, variable: Variable, braces: Braces) -> None:
        """Refuse a `.param` variable in memory, of which a function that recurs has one for all its
        calls, if a call that may come back to the function stands between what names it."""
        made = context.within
        if made is None or not made.recurs:
            return
        statements = list(walk(braces.statements))
        named = [k for k, one in enumerate(statements) if _names(one, variable.name)]
        for one in statements[min(named, default=0) + 1 : max(named, default=0)]:
            callees = self.graph.known(one) if isinstance(one, Call) else ()
            if any(made.routine.name in self.graph.reached(callee) for callee in callees):
                message = f"'{made.routine.name}' recurs while '{variable.name}' is in memory"
                hint = "store right before the call that takes it, or load right behind its call"
                raise unsupported(f"{message}, which is not supported", hint, at=variable.at)

    # ── bodies ───────────────────────────────────────────────────────────────────────────────

    def lower_bodies(self, walker) -> None:
        """The statements of all functions that are called, those that they call too."""
        if self.waiting and self.code.is_open:
            self.code.exit()  # the kernel ends here without a word
        while self.waiting:
            made = self.waiting.pop(0)
            function, code = self.code.function, self.code
            variables, blocks = set(function.types), set(function.blocks)
            context = Context(code, Scope(self.outside.kernel.scope), self.outside.kernel)
            context.scope.broken = made.routine.broken
            context.leave, context.within = made.back, made
            formals = (*made.routine.parameters, *made.routine.results)
            for variable, formal in zip(formals, (*made.parameters, *made.results), strict=True):
                context.scope.declare(variable.name, formal, variable.at)
            code.begin(made.entry)
            if made.recurs:
                self._lay_out_locals(made)
            walker.braces(context, made.routine.body)
            code.begin(made.back)
            code.close()
            own = set(function.types) - variables
            made.variables = {*own, *_variables_of((*made.parameters, *made.results)), made.origin}
            made.blocks = [name for name in function.blocks if name not in blocks]

    def _lay_out_locals(self, made: SharedRoutine) -> None:
        """Local variables of a function that recurs lie at numbers from the stack's pointer on."""
        for variable in walk(made.routine.body.statements):
            if isinstance(variable, Variable) and variable.space == "local":
                offset = aligned(made.local_bytes, variable.alignment)
                self.outside.kernel.layout.offsets[id(variable)] = offset
                made.local_bytes = offset + variable.bytes
                made.stacked.add(id(variable))

    def base_of(self, context: Context, variable: Variable) -> str | None:
        """The variable from which a `.local` variable's offset counts; None: from 0."""
        made = context.within
        return self.stack if made is not None and id(variable) in made.stacked else None

    # ── ways back, and what is kept ──────────────────────────────────────────────────────────

    def finish(self) -> None:
        """When all statements are lowered: the ways back, and what calls keep on the stack."""
        for made in self.routines.values():
            if made.recurs:
                self._keep(made)
        for made in self.routines.values():
            self._go_back(made)
        if self.stack is not None:
            frame = self.outside.kernel.layout.frame
            frame.local = aligned(frame.local, STACK_ALIGNMENT)
            frame.recurs = True
            self.code.at_head(self.code.function.entry.name)
            self.code.emit("mov.b32", (self.stack,), (frame.local,))
            self.code.close()

    def _go_back(self, made: SharedRoutine) -> None:
        code = self.code
        code.reopen(made.back)
        *others, last = made.sites
        for site in others:
            on = code.unique("next")
            here = code.compute("setp.eq.s32", I1, made.origin, site.number)
            code.branch(Guard(here), site.landing, on)
            code.begin(on)
        code.jump(last.landing)

    def _keep(self, made: SharedRoutine) -> None:
        """Around the calls in a function that recurs: what is live behind one that may come back
        to the function goes to the stack, and the stack's pointer behind all that is there."""
        live = self._live(made)
        for site in made.calls:
            comes_back = made.routine.name in self.graph.reached(self.routines[site.callee].routine)
            names = sorted(live[site.takes] & made.variables) if comes_back else []
            places, end = [], made.local_bytes
            for name in names:
                size = max(4, self.code.function.types[name].bits // 8)
                offset = aligned(end, size)
                places.append((name, offset))
                end = offset + size
            step = aligned(end, STACK_ALIGNMENT)
            self.code.location = site.location
            self.code.at_head(site.keeps)
            for name, offset in places:
                self._store(name, offset)
            self.code.emit("add.s32", (self.stack,), (self.stack, step))
            self.code.at_head(site.takes)
            self.code.emit("add.s32", (self.stack,), (self.stack, -step))
            for name, offset in places:
                self._load(name, offset)
        self.code.close()

    def _store(self, name: str, offset: int) -> None:
        t, value = self.code.function.types[name], name
        if t is I1:
            value = self.code.compute("selp.b32", I32, 1, 0, name)
        self.code.emit(f"st.local.{_stored(t)}", (), (self.stack, offset, value))

    def _load(self, name: str, offset: int) -> None:
        t = self.code.function.types[name]
        if t is I1:
            word = self.code.compute("ld.local.b32", I32, self.stack, offset)
            self.code.emit("setp.ne.s32", (name,), (word, 0))
        else:
            self.code.emit(f"ld.local.{_stored(t)}", (name,), (self.stack, offset))

    def _live(self, made: SharedRoutine) -> dict[str, set[str]]:
        """What a call in a function keeps, by the block that takes it back: what is live there, as
        if the callee had come back at once, but for what has come from it."""
        blocks = {name: self.code.function.blocks[name] for name in made.blocks}
        successors: dict[str, Sequence[str]] = {
            name: [] if name == made.back else block.successors for name, block in blocks.items()
        }
        reads: dict[str, set[str]] = {name: set() for name in blocks}
        writes: dict[str, set[str]] = {name: set() for name in blocks}
        for name, block in blocks.items():
            for instruction in block.instructions:
                reads[name] |= set(instruction.variables_read) - writes[name]
                if kills(instruction):
                    writes[name] |= set(instruction.results)
        reads[made.back] |= {made.origin, *_variables_of(made.results)}
        over: dict[str, Site] = {}
        for site in made.calls:
            over[site.keeps] = site
            successors[site.leaves] = [site.landing]
            writes[site.leaves] |= {*_variables_of(self.routines[site.callee].results)}
        live = {name: set(found) for name, found in reads.items()}
        is_over = False
        while not is_over:
            is_over = True
            for name in reversed(made.blocks):
                behind = set().union(*(live[s] for s in successors[name])) - writes[name]
                if name in over:
                    behind |= live[over[name].takes] - writes[over[name].landing]
                if not behind <= live[name]:
                    live[name] |= behind
                    is_over = False
        return {site.takes: live[site.takes] - writes[site.landing] for site in made.calls}


def _names(statement: Statement, name: str) -> bool:
    if isinstance(statement, Call):
        given = (*statement.arguments, *statement.results)
        return any(isinstance(one, Name) and one.text == name for one in given)
    return name in uses_of([statement])


# ── arguments and results ────────────────────────────────────────────────────────────────────


def _copied(context: Context, operand: Operand, type: PtxType) -> Value:
    """A value in a register of its own: the one it is in may be what another argument goes to."""
    value = context.predicate(operand) if type.kind == "p" else context.read(operand, type)
    return context.code.compute(_move(type), variable_type(type), value)


def _give(context: Context, here: Passed, there: Passed) -> None:
    """An argument: the pieces that the callee loads, or all its bytes."""
    if there.copy is not None:
        _copy_bytes(context, here.copy, there.copy, there)
        return
    for (offset, size), variable in there.pieces.items():
        _move_piece(context, variable, here, offset, size)


def _fetched(context: Context, there: Passed, here: Passed) -> dict[Piece, str]:
    """A result: the pieces that the callee stores, in temporaries, or its bytes copied."""
    if there.copy is not None:
        _copy_bytes(context, there.copy, here.copy, there)
        return {}
    return {
        piece: context.code.compute(f"mov.b{_bits(piece)}", _type(piece), variable)
        for piece, variable in there.pieces.items()
    }


def _put(context: Context, here: Passed, found: dict[Piece, str]) -> None:
    """A result into what the caller calls it."""
    for (offset, size), value in found.items():
        if here.copy is None:
            variable = context.piece(here, offset, TYPES[f"b{8 * size}"], 0)
            context.code.emit(f"mov.b{_bits((offset, size))}", (variable,), (value,))
        else:
            name = f"st.local.{_memory(size)}"
            context.code.emit(name, (), (here.copy, offset, value))


def _move_piece(context: Context, variable: str, here: Passed, offset: int, size: int) -> None:
    if here.copy is None:
        value = context.piece(here, offset, TYPES[f"b{8 * size}"], 0)
        context.code.emit(f"mov.b{_bits((offset, size))}", (variable,), (value,))
    else:
        context.code.emit(f"ld.local.{_memory(size)}", (variable,), (here.copy, offset))


def _copy_bytes(context: Context, source: int, target: int, passed: Passed) -> None:
    step = min(passed.alignment, 4)
    for k in range(0, passed.bytes, step):
        part = context.code.compute(f"ld.local.{_memory(step)}", I32, source + k, 0)
        context.code.emit(f"st.local.{_memory(step)}", (), (target + k, 0, part))


def _variables_of(formals: Iterable[Formal]) -> Iterator[str]:
    for formal in formals:
        yield from [formal.variable] if isinstance(formal, Register) else formal.pieces.values()


def _bits(piece: Piece) -> int:
    return max(32, 8 * piece[1])


def _type(piece: Piece) -> Type:
    return I64 if piece[1] == 8 else I32


def _memory(size: int) -> str:
    return f"u{8 * size}" if size < 4 else f"b{8 * size}"


def _stored(t: Type) -> str:
    return "b64" if t.bits == 64 else "u16" if t.bits == 16 else "b32"


def _move(type: PtxType) -> str:
    return "mov.pred" if type is PRED else f"mov.b{max(type.bits, 16)}"
