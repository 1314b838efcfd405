"""A PTX file as a module: a function for each kernel, a buffer for each variable of its memory.

.visible .entry saxpy(…) { … }   ->   func saxpy of `ptx` rows; Function.frame: its frame
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection

from compiler.frontends.ptx.findings import Findings, Refused, Source, unsupported
from compiler.frontends.ptx.locations import Locations
from compiler.frontends.ptx.lowering.assertions import ASSERTION_FAILED, assertion_texts
from compiler.frontends.ptx.lowering.buffers import SPACES, buffer_of
from compiler.frontends.ptx.lowering.call_graph import CallGraph
from compiler.frontends.ptx.lowering.code import MOST_INSTRUCTIONS, Code, TooLarge
from compiler.frontends.ptx.lowering.device_runtime import with_runtime
from compiler.frontends.ptx.lowering.in_flight import registers_in_flight
from compiler.frontends.ptx.lowering.layout import Layout, lay_out
from compiler.frontends.ptx.lowering.lower_body import Walker
from compiler.frontends.ptx.lowering.lower_grid import meeting_buffer
from compiler.frontends.ptx.lowering.lower_print import formats_printed, print_buffer
from compiler.frontends.ptx.lowering.lower_tensor import MAP_ALIGNMENT, MAP_BYTES, copies_boxes
from compiler.frontends.ptx.lowering.operands import Context, KernelState
from compiler.frontends.ptx.lowering.parameters import calls_in, walk
from compiler.frontends.ptx.lowering.scope import KernelInput, Scope, Stored
from compiler.frontends.ptx.lowering.shared_calls import SharedCalls
from compiler.frontends.ptx.lowering.unfenced import registers_unfenced
from compiler.frontends.ptx.lowering.unwritten import unwritten_registers
from compiler.frontends.ptx.reading.parser import parse
from compiler.frontends.ptx.reading.tree import Call, Routine, Tree, Variable
from compiler.frontends.ptx.target import number_of, objection
from compiler.ir.builder import add_buffer, add_function
from compiler.ir.module import Module
from machines.diagnostics import InputError, input_error
from machines.threads.spaces import MAPS
from machines.types import I32


def read_module(
    text: str,
    file: str,
    warp_width: int = 32,
    runs_on: tuple[str, float] | None = None,
    classes: Collection[str] | None = None,
) -> Module:
    """The module of a PTX text; raises InputError with every finding.

    runs_on   a machine and its compute capability, if it is to be asked whether it runs the code
    classes   the scheduling classes that it describes; None: it has all
    """
    findings = Findings(Source(with_runtime(text), file, len(text)))
    tree = parse(findings)
    if runs_on and tree.target:
        refused = objection(tree.target.text, tree.target.at, *runs_on)
        if refused:
            findings.add(refused, tree.target.at)
    _give_to_routines(findings, tree)
    locations = Locations(tree.files, file)
    return _ModuleLowering(findings, tree, locations, warp_width, classes).run()


def _give_to_routines(findings: Findings, tree: Tree) -> None:
    """Characters that mean nothing are found before functions are; they belong to these."""
    routines = sorted(tree.routines.values(), key=lambda routine: routine.at)
    starts = [routine.at for routine in routines]
    for found in list(findings.found):
        at, _ = found
        before = bisect_right(starts, at) - 1
        if before >= 0 and at < routines[before].end:
            routines[before].findings.found[found] = findings.found.pop(found)


class _ModuleLowering:
    """Lowers kernel after kernel."""

    def __init__(
        self,
        findings: Findings,
        tree: Tree,
        locations: Locations,
        warp_width: int,
        classes: Collection[str] | None,
    ):
        self.findings, self.tree, self.locations = findings, tree, locations
        self.warp_width, self.classes = warp_width, classes
        source = locations.source() or findings.source.text
        self.module = Module(source=source, form="virtual", family="ptx")
        self.unusable: dict[str, Refused] = dict(tree.unusable)
        self.assertions = assertion_texts(tree)
        self.formats = formats_printed(tree)
        self.graph = CallGraph(tree)

    def run(self) -> Module:
        kernels = [r for r in self.tree.routines.values() if r.is_kernel and r.body is not None]
        if not kernels:
            raise self._no_kernel()
        self._buffers()
        everything = Findings(self.findings.source)
        everything.extend(self.findings)
        for kernel in kernels:
            found = Findings(self.findings.source)
            self._kernel(kernel, found)
            if found.found:
                self.module.functions.pop(kernel.name, None)
                self.module.refused[kernel.name] = found.error()
                everything.extend(found)
        if self.findings.found:  # of what stands outside of functions
            for routine in self.tree.routines.values():
                everything.extend(routine.findings)
        if self.findings.found or not self.module.functions:
            raise everything.error()
        self._drop_unused_buffers()
        if len(kernels) == 1:
            self.module.entry = kernels[0].name
        return self.module

    def _no_kernel(self) -> InputError:
        """What is wrong with a file without kernels: what of it could not be read, if anything."""
        everything = Findings(self.findings.source)
        everything.extend(self.findings)
        for refused in self.tree.unusable.values():
            everything.add(refused, 0)
        for routine in self.tree.routines.values():
            everything.extend(routine.findings)
        if everything.found:
            return everything.error()
        message = f"{self.findings.source.file}: the file has no kernel"
        return input_error(message, hint="a kernel is '.visible .entry name(…) { … }'")

    def _buffers(self) -> None:
        """Variables of global and constant memory, those declared in functions too; what kernels
        print into, and where grids meet."""
        add_buffer(self.module, meeting_buffer())
        if self.formats:
            add_buffer(self.module, print_buffer())
        variables = list(self.tree.variables.values())
        for routine in self.tree.routines.values():
            body = routine.body.statements if routine.body else []
            variables += [s for s in walk(body) if isinstance(s, Variable)]
        for variable in variables:
            if variable.space not in SPACES:
                continue
            location = self.findings.source.location(variable.at, len(variable.name))
            try:
                buffer = buffer_of(variable, location, self.graph.addresses)
                if variable.name in self.module.buffers:
                    raise Refused(f"'{variable.name}' is declared twice", at=variable.at)
                self.unusable.pop(variable.name, None)
                add_buffer(self.module, buffer)
            except Refused as refused:
                if not refused.unsupported:
                    self.findings.add(refused, variable.at)
                if variable.name not in self.module.buffers:
                    self.unusable[variable.name] = refused

    def _drop_unused_buffers(self) -> None:
        """Headers declare dozens of variables, each of which would take room in memory."""
        functions = self.module.functions.values()
        used = {
            instruction.operands[0]
            for function in functions
            for _, instruction in function.instructions()
            if instruction.operation.name == "mov.address"
        }
        for name in [name for name in self.module.buffers if name not in used]:
            del self.module.buffers[name]

    def _kernel(self, kernel: Routine, findings: Findings) -> None:
        called: dict[str, Routine] = {}
        findings.extend(kernel.findings)
        not_called: set[int] = set()
        self._called(kernel, called, findings, not_called)
        layout = lay_out(kernel, list(called.values()), self.tree)
        location = findings.source.location(kernel.at, len(kernel.name))
        builder = add_function(self.module, kernel.name, location=location)
        function = builder.function
        function.frame = layout.frame
        target = number_of(self.tree.target.text) if self.tree.target else 0
        state = KernelState(
            layout, self._scope(layout), self.unusable, self.warp_width, target, self.classes
        )
        context = Context(Code(function), Scope(state.scope, broken=kernel.broken), state)
        context.code.begin(context.code.unique("entry"))
        _declare_inputs(context, kernel, layout)
        shared = SharedCalls(context, self.graph, self.graph.shared(kernel))
        walker = Walker(
            findings, self.locations, not_called, self.assertions, self.formats, self.graph, shared
        )
        try:
            walker.braces(context, kernel.body)
            shared.lower_bodies(walker)
            if not findings.found:
                shared.finish()
        except TooLarge:
            message = f"with its calls the kernel has more than {MOST_INSTRUCTIONS} instructions"
            refused = unsupported(message, "call functions from fewer places")
            findings.add(refused, kernel.at, len(kernel.name))
            return
        if not findings.found:
            context.code.finish()
            routines = [kernel, *called.values()]
            for register, at in unwritten_registers(context.code, routines, findings.source):
                message = f"'{register}' is read here, and nothing has written it before"
                findings.add(Refused(message, "write it first"), at)
            _in_flight(context.code, findings)
            _unfenced(context.code, findings)
        if self.locations.found:
            starts = (i.location for _, i in function.instructions() if i.location)
            function.location = next(starts, location)

    def _called(
        self,
        kernel: Routine,
        found: dict[str, Routine],
        findings: Findings,
        refused_calls: set[int],
    ) -> None:
        """The functions that a kernel calls, directly or not, each once; and the calls that cannot
        be, by identity."""
        work = [kernel]
        while work:
            for call in calls_in(work.pop().body.statements):
                if call.callee.text == ASSERTION_FAILED:
                    continue
                try:
                    if self._prints(call):
                        continue
                    callees = self.graph.callees(call)
                except Refused as refused:
                    findings.add(refused, call.at, call.length)
                    refused_calls.add(id(call))
                    continue
                for callee in callees:
                    if callee.name not in found:
                        findings.extend(callee.findings)
                        found[callee.name] = callee
                        work.append(callee)

    def _prints(self, call: Call) -> bool:
        """Whether a call is one of the runtime's `printf`; raises Refused if its format is not
        known."""
        if id(call) not in self.formats:
            return False
        if self.formats[id(call)] is None:
            message = "what printf prints here is not known: its format is none of the file's texts"
            raise unsupported(message, 'call printf with a literal: printf("%s", text)')
        return True

    def _scope(self, layout: Layout) -> Scope:
        """The names of the module as a kernel sees them."""
        scope = Scope(None, broken=self.tree.broken)
        for name in (*self.tree.routines, *self.tree.aliases):
            scope.meanings[name] = Stored("code", name, self.graph.addresses.get(name, 0))
        for name in self.unusable:
            scope.meanings[name] = Stored("global", name, 0)
        for variable in self.tree.variables.values():
            offset = layout.offsets.get(id(variable), 0)
            scope.meanings[variable.name] = Stored(
                variable.space, variable.name, offset, variable.type.bytes
            )
        return scope


def _declare_inputs(context: Context, kernel: Routine, layout: Layout) -> None:
    """The kernel's parameters; those whose address is taken are copied into local memory."""
    uses = context.kernel.uses(kernel.body.statements)
    has_boxes = copies_boxes(kernel.body.statements)
    for variable in kernel.parameters:
        offset, copy = layout.inputs[variable.name], None
        if variable.name in uses and uses[variable.name].address_taken:
            if has_boxes and variable.bytes == MAP_BYTES and variable.alignment >= MAP_ALIGNMENT:
                copy = MAPS + offset  # where copies find it
            else:
                copy = context.kernel.local_offset(variable)
                _copy(context, offset, copy, variable.bytes, variable.alignment)
        meaning = KernelInput(offset, variable.bytes, copy)
        context.scope.declare(variable.name, meaning, variable.at)


def _copy(context: Context, offset: int, copy: int, size: int, alignment: int) -> None:
    step = min(alignment, 4)
    name = {1: "u8", 2: "u16", 4: "b32"}[step]
    for k in range(0, size, step):
        part = context.code.temporary(I32)
        context.code.emit(f"ld.param.{name}", (part,), (offset + k,))
        context.code.emit(f"st.local.{name}", (), (copy, k, part))


def _in_flight(code: Code, findings: Findings) -> None:
    """Report rows that touch registers which a product of a group of warps still uses."""
    for variable, row, product, is_read in registers_in_flight(code.function):
        if variable not in code.registers:
            continue
        at, since = code.positions[id(row)], code.positions[id(product)]
        line = findings.source.location(since).line
        does = "read" if is_read else "written"
        message = f"'{code.registers[variable][0]}' is {does} here, and the product of line {line}"
        message += " that uses it may still be on its way"
        findings.add(Refused(message, "wgmma.commit_group and wgmma.wait_group come before"), at)


def _unfenced(code: Code, findings: Findings) -> None:
    """Report products of a group of warps that use what has changed since the last fence."""
    for variable, product, row in registers_unfenced(code.function):
        at = code.positions[id(product)]
        if row is None:
            message = "the product uses registers, and no wgmma.fence stands before it"
        else:
            line = findings.source.location(code.positions[id(row)]).line
            name = code.registers[variable][0] if variable in code.registers else "a register"
            message = f"the product uses '{name}', which line {line} changes, without a wgmma.fence"
            message += " between"
        findings.add(
            Refused(message, "wgmma.fence.sync.aligned stands behind what changes them"), at
        )
