"""Features of random programs of the IR, as their interpreter executes them.

A feature is executed if an instruction that has it took effect (its guard was true, if it has one),
or if control went along the edges that make it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import Loop, loops
from compiler.interpret.functions import interpret, memory_for
from compiler.interpret.generate_python import source_name, translate_observed
from compiler.ir.memory_spaces import reachable
from compiler.ir.module import AnyOf, Function, Instruction
from machines.types import I1, PTR, Type
from tests.campaign.feature_pairs import between
from tests.campaign.test_optimizations import options as options_of_optimizations
from tests.campaign.test_random_programs_end_to_end import options as options_end_to_end
from tests.campaign.traced import traced_lines
from tests.programs.random_programs import RandomProgram, generate

STEPS = 2_000_000
TYPES = ("i8", "i16", "i32", "i64", "f32", "f64", "ptr")
FAMILIES = {
    "copies": "copy select",
    "integer sums": "add sub neg",
    "integer products": "mul",
    "bitwise": "and or xor not",
    "shifts": "shl shr_s shr_u",
    "signed divisions": "div_s rem_s",
    "unsigned divisions": "div_u rem_u",
    "integer extrema": "min_s max_s min_u max_u",
    "signed comparisons": "lt_s le_s gt_s ge_s",
    "unsigned comparisons": "lt_u le_u gt_u ge_u",
    "equality": "eq ne",
    "extensions": "sext zext",
    "truncations": "trunc",
    "float sums and products": "add mul sub neg abs",
    "fma": "fma",
    "float quotients and roots": "div sqrt",
    "float extrema": "min max",
    "float comparisons": "lt le gt ge",
    "float widths": "extend round",
    "integers to floats": "float_s float_u",
    "floats to integers": "int_s int_u",
    "bits of floats": "bits",
    "pointers and integers": "int ptr",
}
"""Operations that passes and selection treat alike."""
FLOAT_FAMILIES = {"float sums and products", "float quotients and roots", "float extrema",
                  "float comparisons", "fma"}  # fmt: skip
MEMORY = [f"{kind} {t}" for kind in ("load", "store") for t in TYPES]
GUARDED = ("computation", "load", "store", "division", "call", "tensor operation")
TENSORS = ("elementwise", "reduce", "matmul", "transpose", "fill")
FEATURES = {
    **{name: f"operations {rows}" for name, rows in FAMILIES.items()},
    **{f"computes {t}": f"a computation whose result is {t}" for t in ("i1", *TYPES)},
    **dict.fromkeys(MEMORY, "an access of this type"),
    "volatile load": "kept, in order",
    "volatile store": "kept, in order",
    **{f"guard lets {kind}": "a guard that is true" for kind in GUARDED},
    **{f"guard stops {kind}": "a guard that is false" for kind in GUARDED},
    "extreme integer": "a literal that is the least or greatest of its type",
    "special float": "a literal NaN, infinity or -0",
    "shift past the width": "by a literal",
    "loop turns": "a loop with one entry goes round",
    "loop does not turn": "a loop is entered and left without going round",
    "loop left in its middle": "by an edge that does not come from a latch",
    "loop in a loop": "both go round",
    "loop of one block": "goes round",
    "irreducible loop turns": "a loop with several entries goes round",
    "irreducible loop entered twice": "over two of its entries, from outside",
    "branch both ways": "a branch that goes one way now and the other later",
    "branch to one block": "both of its ways lead there",
    "empty block": "a block that only goes on is run",
    "unreachable block": "the program has one",
    "early return": "a return other than the last block's",
    "blocks in another order": "than the source would have them",
    "nothing returned": "a function without a result ends",
    "condition returned": "an i1",
    "float returned": "f32 or f64",
    "pointer returned": "a ptr",
    "integer returned": "i8 to i64",
    "unassigned variable read": "it reads 0",
    "many variables": "more than there are registers",
    "loads what it stored": "the same bytes, all of them, from one store",
    "loads part of a store": "fewer bytes than were stored together",
    "loads over stores": "bytes of several stores, or of a store and of what was there before",
    "stores over a store": "bytes that were stored before",
    "array argument": "accessed through a parameter",
    "aliasing argument": "a parameter that points into what another name stands for",
    "constant buffer": "a load from a buffer in constant space",
    "out of bounds": "the program ends in it",
    "misaligned": "the program ends in it",
    "division by zero": "the program ends in it",
    "call": "of a function of the module",
    "call in a loop": "that goes round",
    "call of a function that calls": "two deep",
    "recursive call": "a function calls itself",
    "unknown condition": "opaque.i1, or a branch on one",
    **{f"tensor {kind}": "a tensor operation" for kind in TENSORS},
    "tensor interval of variables": "with a bound that is a variable",
    "tensor operand one of several": "any(...)",
}
_FAULTS = ("out of bounds", "misaligned", "division by zero")
_RETURNED = ("nothing returned", "condition returned", "float returned", "pointer returned",
             "integer returned")  # fmt: skip
_ENDS = (*_FAULTS, *_RETURNED)
IMPOSSIBLE = between(_ENDS, _ENDS, "a program ends once")


@dataclass(frozen=True)
class Run:
    """What the interpreter did with a function: instructions that took effect, those whose guard
    was false, and edges between blocks."""

    function: Function
    done: set[Instruction]
    stopped: set[Instruction]
    edges: set[tuple[str, str]]
    blocks: set[str]


def executed(seed: int) -> set[str]:
    """Of the program of this seed that goes through the whole chain, or through optimizations."""
    if seed % 2:
        options = options_end_to_end(seed // 2)
        return features(generate(seed // 2, options)) | _written(options)
    options = options_of_optimizations(seed // 2)
    return features(generate(seed // 2, options), seed // 2) | _written(options)


def _written(options) -> set[str]:
    return {"many variables"} if options.variables > 30 else set()


def features(program: RandomProgram, opaque_seed: int = 0) -> set[str]:
    """What a program's run executes."""
    memory = memory_for(program.module, program.arguments)
    accesses = Accesses(program, memory)
    with traced_lines() as lines:
        outcome = interpret(
            program.function,
            program.arguments,
            memory,
            limit=STEPS,
            opaque_seed=opaque_seed,
            observe=accesses.observe,
        )
    assert outcome.status != "limit"
    runs = [
        run_of(function, lines.get(source_name(function.name), set()))
        for function in reachable(program.function).values()
    ]
    found = set(accesses.found)
    for run in runs:
        found.update(_of_instructions(run))
        found.update(of_control(run))
    found.update(_of_calls(runs))
    if outcome.unassigned:
        found.add("unassigned variable read")
    if outcome.fault:
        found.add(outcome.fault.kind)
    else:
        found.add(_returned(program.function.result))
    return found


def run_of(function: Function, lines: set[int], translated=translate_observed) -> Run:
    """Lines back to instructions.  Of a guarded one the first line asks for the guard."""
    generated = translated(function)
    first: dict[tuple[str, int], int] = {}
    for line, point in sorted(generated.points.items()):
        first.setdefault(point, line)
    reached, behind = set(), set()
    for line in lines:
        point = generated.points.get(line)
        if point is None:
            continue
        reached.add(point)
        if line != first[point]:
            behind.add(point)
    done, stopped = set(), set()
    for name, index in reached:
        instruction = function.blocks[name].instructions[index]
        takes_effect = instruction.guard is None or (name, index) in behind
        (done if takes_effect else stopped).add(instruction)
    blocks = {name for name, _ in reached}
    edges = _edges(function, generated.source, generated.points, lines)
    return Run(function, done, stopped, edges, blocks)


def _edges(function, source, points, ran) -> set[tuple[str, str]]:
    """Edges of control: `block = 3` in a terminator's lines goes to the block numbered 3."""
    order, found = control_flow(function).reverse_postorder, set()
    lines = source.splitlines()
    for line in ran:
        text = lines[line - 1].strip()
        if line in points and text.startswith("block = "):
            found.add((points[line][0], order[int(text.removeprefix("block = "))]))
    return found


def _of_instructions(run: Run) -> Iterator[str]:
    for instruction in run.done:
        yield from _of_row(instruction)
        if instruction.guard:
            yield f"guard lets {_kind(instruction)}"
    for instruction in run.stopped:
        yield f"guard stops {_kind(instruction)}"


def _kind(instruction: Instruction) -> str:
    row = instruction.operation
    if row.walk:
        return "tensor operation"
    if row.calls:
        return "call"
    if row.access:
        return row.access.kind
    return "division" if row.faults_if else "computation"


_FAMILY_OF = {
    (row, name in FLOAT_FAMILIES): name for name, rows in FAMILIES.items() for row in rows.split()
}


def _of_row(instruction: Instruction) -> Iterator[str]:
    row = instruction.operation
    name = row.name.split(".")[0]
    types = [o.kind for o in row.operands if isinstance(o.kind, Type)]
    is_float = bool(types) and types[-1].is_float
    if row.walk:
        yield from _of_tensor(instruction)
    elif row.access:
        if name.endswith("_volatile"):
            yield f"volatile {row.access.kind}"
        yield f"{row.access.kind} {types[0] if row.access.kind == 'load' else types[-1]}"
    elif row.implicit_reads or name == "opaque":
        yield "unknown condition"
    elif (name, is_float) in _FAMILY_OF or (name, False) in _FAMILY_OF:
        yield _FAMILY_OF.get((name, is_float)) or _FAMILY_OF[name, False]
        yield f"computes {row.writes[0].kind}"
    if name.startswith("sh") and any(
        type(value) is int and (value < 0 or value >= types[0].bits)
        for value in instruction.operands[1:]
    ):
        yield "shift past the width"
    yield from _of_literals(instruction)


def _of_literals(instruction: Instruction) -> Iterator[str]:
    for operand, value in zip(instruction.operation.reads, instruction.operands, strict=False):
        kind = operand.kind
        if not isinstance(kind, Type) or kind in (I1, PTR):
            continue
        if type(value) is float and (not math.isfinite(value) or str(value) == "-0.0"):
            yield "special float"
        if type(value) is int and value in (-(1 << kind.bits - 1), (1 << kind.bits - 1) - 1):
            yield "extreme integer"


def _of_tensor(instruction: Instruction) -> Iterator[str]:
    kind = instruction.operation.scheduling_class
    yield f"tensor {kind if kind in TENSORS else 'elementwise'}"
    for _, interval in instruction.intervals:
        if interval.variables:
            yield "tensor interval of variables"
        if isinstance(interval, AnyOf):
            yield "tensor operand one of several"


def of_control(run: Run) -> Iterator[str]:
    function, flow = run.function, control_flow(run.function)
    if flow.unreachable:
        yield "unreachable block"
    for name in run.blocks:
        block = function.blocks[name]
        last = block.terminator
        if last not in run.done:
            continue
        if len(last.labels) == 2 and last.labels[0] == last.labels[1]:
            yield "branch to one block"
        elif len(last.labels) == 2 and all((name, to) in run.edges for to in last.labels):
            yield "branch both ways"
        if len(block.instructions) == 1 and last.operation.control == "jump":
            yield "empty block"
        if last.operation.control == "return" and name.startswith("leave"):
            yield "early return"
    if list(flow.reverse_postorder) != [n for n in function.blocks if n in run.blocks]:
        order = [int(n.rpartition(".")[2] or 0) for n in function.blocks if "." in n]
        if order != sorted(order):
            yield "blocks in another order"
    for loop in loops(function).by_header.values():
        yield from _of_loop(loop, run)


def turns(loop: Loop, run: Run) -> bool:
    return any((latch, entry) in run.edges for latch in loop.latches for entry in loop.entries)


def _of_loop(loop: Loop, run: Run) -> Iterator[str]:
    if not turns(loop, run):
        if any(edge in run.edges for edge in loop.entering):
            yield "loop does not turn"
        return
    if loop.is_irreducible:
        yield "irreducible loop turns"
        entered = {target for source, target in loop.entering if (source, target) in run.edges}
        if len(entered) > 1:
            yield "irreducible loop entered twice"
    else:
        yield "loop turns"
    if len(loop.members) == 1:
        yield "loop of one block"
    if any(edge in run.edges and edge[0] not in loop.latches for edge in loop.exits):
        yield "loop left in its middle"
    parent = loops(run.function).by_header.get(loop.parent)
    if parent and turns(parent, run):
        yield "loop in a loop"


def _of_calls(runs: list[Run]) -> Iterator[str]:
    calling = {run.function.name for run in runs if any(i.operation.calls for i in run.done)}
    for run in runs:
        nests = loops(run.function)
        for instruction in run.done:
            if not instruction.operation.calls:
                continue
            yield "call"
            callee = instruction.operands[0]
            if callee == run.function.name:
                yield "recursive call"
            elif callee in calling:
                yield "call of a function that calls"
        for name in run.blocks:
            loop = nests.of(name)
            calls = {i for i in run.function.blocks[name].instructions if i.operation.calls}
            if loop and calls & run.done and turns(loop, run):
                yield "call in a loop"


def _returned(result: Type | None) -> str:
    if result is None:
        return "nothing returned"
    if result is I1 or result is PTR:
        return "condition returned" if result is I1 else "pointer returned"
    return "float returned" if result.is_float else "integer returned"


class Accesses:
    """Told of each access; keeps which store wrote each byte last."""

    def __init__(self, program: RandomProgram, memory):
        self.found: set[str] = set()
        self.stores = 0
        self.written: dict[int, tuple[int, int]] = {}  # byte -> (number of its store, its bytes)
        spans = memory.placements
        names = [name for name, kind in program.function.parameters if kind is PTR]
        given = program.arguments
        self.aliases = [name for name in names if isinstance(given[name], str)]
        self.named = {n: spans[given[n] if n in self.aliases else n] for n in names}
        self.constant = [
            spans[buffer.name]
            for buffer in program.module.buffers.values()
            if buffer.space == "constant"
        ]

    def observe(self, block, index, position, kind, address, size) -> None:
        for name, placement in self.named.items():
            if placement.address <= address < placement.address + placement.size:
                self.found.add("aliasing argument" if name in self.aliases else "array argument")
        if any(p.address <= address < p.address + p.size for p in self.constant):
            self.found.add("constant buffer")
        writers = [self.written.get(byte) for byte in range(address, address + size)]
        if kind == "load":
            if any(writers):
                same = len(set(writers)) == 1
                whole = same and writers[0][1] == size
                self.found.add(
                    "loads what it stored" if whole
                    else ("loads part of a store" if same else "loads over stores")
                )  # fmt: skip
            return
        if any(writers):
            self.found.add("stores over a store")
        self.stores += 1
        self.written.update(dict.fromkeys(range(address, address + size), (self.stores, size)))
