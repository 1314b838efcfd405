"""Kernel-only code: one block for all passes of a pipelined loop, and what stands around it.

    loop.set_up:    clrrrb                       no register is rotated
                    mov pr.rot = 1<<16           the first iteration is valid, no other
                    mov ar.ec = 3                stages
                    adds %t = -1, %c
                    mov ar.lc = %t               iterations that follow the first
    loop.values:    mov r35 = %s                 what the first iteration reads of those before
    loop:           (p16) ld8 r32 = [%p], 8      row 0, stage 0
                    (p18) add r34 = r34, r35     row 0, stage 2
                    br.ctop loop                 row 0
    loop.result:    mov %s = r37

A while loop's branch reads the condition itself.  While the passes that fill the pipeline find it
false they use up ar.ec, as those that drain it do; see `_epilogue_count`.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.epic.kernels import PipelinedLoop
from compiler.targets.epic.passes.microschedule import meeting
from compiler.targets.epic.pipelining.kernel_registers import KernelRegisters
from compiler.targets.epic.pipelining.loop_body import LoopBody, Surroundings
from compiler.targets.epic.pipelining.loop_values import LoopValues
from compiler.targets.epic.pipelining.nodes import VALID, Node, Use, Web
from compiler.targets.epic.scheduling.problem import LoopSchedule
from compiler.targets.epic.selection.selector import PSEUDO
from machines.instructions import operations
from machines.kinds.epic.code import ROTATING
from machines.types import I64

IMMEDIATE_8 = range(-128, 128)


@dataclass(frozen=True)
class Kernel:
    """Everything that is known of a loop to be pipelined; the last node is the loop branch.

    pointers register -> the one that it is a copy of when the loop begins
    numbers  predicate -> register that is to hold 1 where it is true, else 0
    count    the number of iterations, if it is known
    """

    loop: LoopBody
    values: LoopValues
    nodes: list[Node]
    pointers: dict[str, str]
    numbers: dict[str, str]
    schedule: LoopSchedule
    registers: KernelRegisters
    count: int | None


def loop_branch(loop: LoopBody, condition: Web | None) -> Node:
    """The branch that turns the kernel."""
    name = "br.ctop" if condition is None else "br.wtop"
    guard = None if condition is None else Use(condition, 0)
    row = operations()["ia64", name]
    return Node(row, (), loop.branch.operands, guard, location=loop.branch.location)


def write_kernel(function: Function, kernel: Kernel, around: Surroundings) -> list[str]:
    """Put the pipelined loop in the place of the loop; returns the blocks that belong there in the
    layout, in their order, the head's among them."""
    return _Writer(function, kernel).write(around)


class _Writer:
    def __init__(self, function: Function, kernel: Kernel):
        self._function, self._kernel = function, kernel
        self._builder = Builder(function)
        self._location = kernel.loop.branch.location

    def write(self, around: Surroundings) -> list[str]:
        block, builder = self._kernel.loop.block, self._builder
        head = block.name
        code_before = {"set_up": self._set_up(), "values": self._initial_values()}
        before = [
            self._new_block(f"{head}.{hint}", code) for hint, code in code_before.items() if code
        ]
        for branch in around.branches[head]:
            if branch is not self._kernel.loop.branch:
                _redirect(builder, branch, head, before[0])
        after = self._new_block(f"{head}.result", self._after())
        builder.set_instructions(block, self._rows())
        registers = self._kernel.registers
        rotating = max(ROTATING.of(self._function), registers.general)
        ROTATING.say(self._function, rotating)
        return [*before, head, after]

    def _new_block(self, hint: str, code: list[Instruction]) -> str:
        block = self._builder.block(
            self._builder.fresh_block(hint), self._kernel.loop.block.location
        )
        self._builder.set_instructions(block, code)
        return block.name

    # Before the loop

    def _set_up(self) -> list[Instruction]:
        kernel = self._kernel
        valid = int(kernel.registers.first_validity()[1:])
        code = [
            self._instruction("clrrrb"),
            self._instruction("mov.to_pr_rot", (), (1 << valid,)),
            self._instruction("mov.to_ar.ec.imm", (), (_epilogue_count(kernel),)),
        ]
        if kernel.count is not None and kernel.count - 1 in IMMEDIATE_8:
            code.append(self._instruction("mov.to_ar.lc.imm", (), (kernel.count - 1,)))
        elif kernel.loop.counter is not None:
            counter = kernel.loop.counter
            follow = self._builder.fresh(counter, I64)
            code.append(self._instruction("adds", (follow,), (-1, counter)))
            code.append(self._instruction("mov.to_ar.lc", (), (follow,)))
        for pointer, source in kernel.pointers.items():
            code.append(self._copy("general", pointer, source))
        for predicate, number in kernel.numbers.items():
            code.append(self._instruction("adds", (number,), (0, "r0")))
            code.append(self._instruction("adds", (number,), (1, "r0"), predicate))
        return code

    def _initial_values(self) -> list[Instruction]:
        registers = self._kernel.registers
        return [
            self._copy(web.file, registers.name_before(web, omega), source)
            for web in registers.stage
            for omega, source in sorted(web.initial.items())
        ]

    # The kernel

    def _rows(self) -> list[Instruction]:
        schedule = self._kernel.schedule
        return [
            self._in_kernel(number)
            for row in range(schedule.ii)
            for number in _in_order(schedule, row)
        ]

    def _in_kernel(self, number: int) -> Instruction:
        schedule, registers = self._kernel.schedule, self._kernel.registers
        node = self._kernel.nodes[number]
        stage = schedule.stage(number)

        def named(value: object) -> Value:
            if isinstance(value, Use):
                return registers.name(value.web, stage + value.omega)
            return registers.name(value, stage) if isinstance(value, Web) else value

        guard = registers.validity(stage) if node.guard is VALID else named(node.guard)
        attributes = {
            **node.attributes,
            "cycle": schedule.times[number] % schedule.ii,
            "stage": stage,
            "node": number,
        }
        if after := _earlier(schedule, number):
            attributes["after"] = after
        if number == schedule.problem.branch:
            attributes["kernel"] = PipelinedLoop(
                schedule.ii, schedule.stages, schedule.res_mii, schedule.rec_mii, schedule.least_ii
            )
        return Instruction(
            node.operation,
            tuple(map(named, node.results)),
            tuple(map(named, node.operands)),
            guard and Guard(guard),
            attributes=attributes,
            location=node.location,
        )

    # After the loop

    def _after(self) -> list[Instruction]:
        kernel = self._kernel
        code = [
            self._copy(use.web.file, name, kernel.registers.name_after(use))
            for name, use in kernel.values.final.items()
        ]
        return [*code, kernel.loop.leave] if kernel.loop.leave else code

    # Instructions

    def _copy(self, file: str, target: str, source: str) -> Instruction:
        """`target` = `source`; a predicate must not be the register that it is copied to."""
        if file == "predicate":
            return self._instruction("cmp.eq.unc", (target, "p0"), ("r0", "r0"), source)
        name, *operands = PSEUDO["mov.f" if file == "floating" else "mov"](source)
        return self._instruction(name, (target,), tuple(operands))

    def _instruction(self, name, results=(), operands=(), guard=None) -> Instruction:
        row = operations()["ia64", name]
        return Instruction(row, results, operands, guard and Guard(guard), location=self._location)


def _redirect(builder: Builder, instruction: Instruction, head: str, to: str) -> None:
    """Let a branch go elsewhere."""
    operands = tuple(to if value == head else value for value in instruction.operands)
    builder.change(instruction, operands=operands)


def _in_order(schedule: LoopSchedule, row: int) -> list[int]:
    """The nodes of a row, each behind those that must stand in an earlier slot."""
    order = schedule.order(row)
    waiting, found = list(schedule.rows[row]), []
    while waiting:
        free = [n for n in waiting if not any(b == n and a in waiting for a, b in order)]
        found.append(free[0])
        waiting.remove(free[0])
    return found


def _earlier(schedule: LoopSchedule, number: int) -> tuple[int, ...]:
    """The nodes of a node's row that must stand in an earlier slot."""
    members = schedule.rows[schedule.times[number] % schedule.ii]
    arcs = meeting(schedule.arcs(members), [schedule.stage(n) for n in members])
    return tuple(sorted({members[a.source] for a in arcs if members[a.target] == number}))


def _epilogue_count(kernel: Kernel) -> int:
    """What ar.ec begins with, so that the last iteration's last stage runs and no more.

    A counted loop drains in as many passes as it has stages, the last iteration's first among them.
    In a while loop the branch sees, in pass k, the condition of iteration k - b, where b is its
    stage, and takes 1 from ar.ec where that is false: in b - 1 passes at the beginning, as only
    that of iteration -1 was set before the loop, and in S - b at the end.
    """
    stages = kernel.schedule.stages
    if kernel.values.condition is None:
        return stages
    branch = kernel.schedule.stage(kernel.schedule.problem.branch)
    return stages - min(branch, 1)
