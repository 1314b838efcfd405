"""Translates the rows of a kernel into a Python generator: one thread of it.

    0: add.s32  r1, r0, #5              r1 = (i0 + (5)) & 0xFFFFFFFF
    1: bar.sync 0, #0             ->    yield 1, 0, (0)
    2: @!p0 bra 0                       if not p0: block = 0
                                        else: block = 1

Registers are variables: see `register_forms`.  Where a thread waits for others it yields the row
and what it brings, and is sent what the row's `implicit_reads` promise; where a block of rows
begins it may have to give way.  Which row a line belongs to is kept, so that a fault needs no
bookkeeping.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.targets.simt.interpreter.register_forms import WORD, RegisterForms, words
from machines.instructions import operations
from machines.instructions.ptx_operands import CLOCKS
from machines.kinds.simt.program import FIRST_OPERAND, GUARD, OPERATION, Kernel, WarpProgram
from machines.operations.meaning import parsed
from machines.operations.row import Immediate, Label, Lane, Operand, Operation, Symbol
from machines.vocabulary.lanes import read_lane

GIVEN = {"ballot": "ballot", "match": "equal", "reduce": "gathered"}
"""What a warp gives the lanes that bring values to a row, by how it combines them."""
SCHEDULED = ("members", "shared", *GIVEN.values())
"""Implicit reads that the warp provides; the others are known when a thread begins."""


@dataclass(frozen=True, slots=True)
class GeneratedKernel:
    """Source of a kernel's threads: `thread(SPECIALS…)`.

    points     line number -> row
    specials   the parameters of `thread`: special registers it reads, and what finds bytes of the
               spaces that not all threads share ('shared_bytes', 'local_bytes', 'generic_bytes')
    symbols    index of a symbol -> the name that stands for its address
    """

    code: object
    source: str
    points: dict[int, int]
    specials: tuple[str, ...]
    symbols: dict[int, str]


def generate(program: WarpProgram, kernel: Kernel) -> GeneratedKernel:
    """Translate a kernel."""
    return _Generator(program, kernel).generate()


def source_name(kernel: Kernel) -> str:
    """What tracebacks call the source of a kernel."""
    return f"<kernel {kernel.name}>"


@dataclass(slots=True)
class _Block:
    """Rows [first, end); the blocks it may go to, and the registers it reads or writes first."""

    first: int
    end: int
    successors: list[int] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    live_out: set[int] = field(default_factory=set)


class _Generator:
    def __init__(self, program: WarpProgram, kernel: Kernel):
        self.program, self.kernel = program, kernel
        table = operations().family("ptx")
        self.rows = [table[program.operations[n]] for n in program.code[:, OPERATION]]
        self.code = program.code.tolist()
        self.has_copies = any(
            row.asynchronous or row.barrier_object or row.group for row in self.rows
        )
        self.constants = [int(value) for value in program.constants]
        self.lines: list[str] = []
        self.points: dict[int, int] = {}
        self.point: int | None = None
        self.specials: dict[str, None] = dict.fromkeys(["copies"] if self.has_copies else [])
        self.symbols: dict[int, str] = {}
        self.registers = RegisterForms(self.line)

    # ── blocks ───────────────────────────────────────────────────────────────────────────────

    def find_blocks(self) -> list[_Block]:
        first, end = self.kernel.first, self.kernel.end
        heads = {first}
        for index in range(first, end):
            if self.rows[index].control:
                heads.add(index + 1)
                if self.rows[index].control != "return":
                    heads.add(self.code[index][FIRST_OPERAND])
        ordered = sorted(head for head in heads if head < end)
        blocks = [_Block(a, b) for a, b in zip(ordered, [*ordered[1:], end], strict=True)]
        self.number = {block.first: k for k, block in enumerate(blocks)}
        for k, block in enumerate(blocks):
            control, last = self.rows[block.end - 1].control, self.code[block.end - 1]
            falls = control is None or last[GUARD] != 0
            if control in ("jump", "branch"):
                block.successors.append(self.number[last[FIRST_OPERAND]])
            if falls and k + 1 < len(blocks):
                block.successors.append(k + 1)
            self.find_uses(block)
        return blocks

    def find_uses(self, block: _Block) -> None:
        for index in range(block.first, block.end):
            for operand, value in self.lanes(index):
                for n in words(operand.kind, value):
                    if operand.is_read and n not in block.writes:
                        block.reads.add(n)
                    if operand.is_written and not self.code[index][GUARD]:
                        block.writes.add(n)

    def lanes(self, index: int):
        """(operand, number) of the registers of a row: what it reads before what it writes."""
        row = self.rows[index]
        if row.control:
            return []
        numbered = list(zip(row.operands, self.code[index][FIRST_OPERAND:], strict=False))
        found = [(o, n) for o, n in numbered if isinstance(o.kind, Lane)]
        return sorted(
            ((o, n) for o, n in found if n >= 0 or o.is_written), key=lambda one: one[0].is_written
        )

    def find_live(self, blocks: list[_Block]) -> None:
        changed = True
        live_in: list[set[int]] = [set(block.reads) for block in blocks]
        while changed:
            changed = False
            for k in reversed(range(len(blocks))):
                block = blocks[k]
                out = set().union(*(live_in[n] for n in block.successors))
                before = block.reads | (out - block.writes)
                block.live_out = out
                if before != live_in[k]:
                    live_in[k], changed = before, True

    # ── source ───────────────────────────────────────────────────────────────────────────────

    def generate(self) -> GeneratedKernel:
        self.blocks = self.find_blocks()
        self.find_live(self.blocks)
        self.line(1, "block = 0")
        for prefix, count in (("r", self.kernel.registers), ("p", self.kernel.predicates)):
            for start in range(0, count, 16):
                names = [f"{prefix}{n}" for n in range(start, min(count, start + 16))]
                self.line(1, f"{' = '.join(names)} = 0")
        self.line(1, "while True:")
        self.decision(2, 0, len(self.blocks))
        head = f"def thread({', '.join(self.specials)}):"
        source = "\n".join([head, *self.lines]) + "\n"
        points = {line + 1: row for line, row in self.points.items()}
        code = compile(source, source_name(self.kernel), "exec")
        return GeneratedKernel(code, source, points, tuple(self.specials), self.symbols)

    def line(self, depth: int, text: str) -> None:
        self.lines.append(" " * depth + text)
        if self.point is not None:
            self.points[len(self.lines)] = self.point

    def decision(self, depth: int, first: int, end: int) -> None:
        """Choose among the blocks numbered [first, end)."""
        if end - first == 1:
            self.block(depth, first)
            return
        middle = (first + end) // 2
        self.line(depth, f"if block < {middle}:")
        self.decision(depth + 1, first, middle)
        self.line(depth, "else:")
        self.decision(depth + 1, middle, end)

    def block(self, depth: int, number: int) -> None:
        block = self.blocks[number]
        self.registers.start()
        self.point = block.first
        self.line(depth, f"spent[0] += {block.end - block.first}")
        self.line(depth, "if spent[0] > spent[1]: yield")
        for self.point in range(block.first, block.end):
            if self.rows[self.point].control:
                self.terminator(depth, block, number)
            else:
                self.instruction(depth)
        if not self.rows[block.end - 1].control:
            self.leave(depth, block)
            self.line(depth, f"block = {number + 1}")
        self.point = None

    def leave(self, depth: int, block: _Block) -> None:
        """Have what is read later in `r`, as all blocks expect it."""
        for n in sorted(block.live_out & set(self.registers.forms)):
            self.registers.to_word(depth, n)

    def terminator(self, depth: int, block: _Block, number: int) -> None:
        self.leave(depth, block)
        guard = self.guard()
        way = "return"
        if self.rows[self.point].control != "return":
            way = f"block = {self.number[self.code[self.point][FIRST_OPERAND]]}"
        if not guard:
            self.line(depth, way)
            return
        self.line(depth, f"if {guard}: {way}")
        self.line(depth, f"else: block = {number + 1}")

    def guard(self) -> str:
        guard = self.code[self.point][GUARD]
        return "" if not guard else (f"p{guard - 1}" if guard > 0 else f"not p{-guard - 1}")

    def instruction(self, depth: int) -> None:
        row, guard = self.rows[self.point], self.guard()
        names = self.operand_names(depth, row)
        inner = depth
        if guard:
            self.keep_in_words(depth)  # what stays if the guard is false
            self.line(depth, f"if {guard}:")
            inner += 1
        written = self.written(row)
        if row.faults_if:
            condition = parsed(row.faults_if).placed(names)
            self.line(inner, f"if {condition}: raise Fault({row.fault!r})")
        elif row.barrier_object:
            self.barrier_object(inner, row, names)
        elif row.asynchronous:
            self.asynchronous(inner, row, names)
        elif row.combines and row.combines.fragments:
            self.matrix(inner, row, names, written)
        elif row.accesses:
            for access in row.accesses:
                self.access(inner, row, access, names, written)
        elif row.combines:
            self.together(inner, row, names, written)
        elif row.meets and row.meets.among == "block":
            barrier, count = names[row.meets.barrier], names[row.meets.who]
            self.line(inner, f"yield {self.point}, {barrier}, {count}")
        elif row.meets and row.meets.among == "cluster":
            self.line(inner, f"yield {self.point}, 0, 0")
        elif row.meets:
            self.line(inner, f"yield {self.point}, {names[row.meets.who]}, 0")
        elif row.meaning:
            self.meaning(inner, row, names, written)
        elif row.fences and self.has_copies:
            does = "fence_proxies" if row.proxies else "meet"
            self.line(inner, f"copies.{does}()")
        elif row.group:
            count = f", {names[row.group.count]}" if row.group.count else ""
            self.line(inner, f"copies.products({row.group.does!r}{count})")
        else:
            self.line(inner, "pass")
        for operand, n in written:
            self.registers.keep(inner, operand.kind, n, operand.name)
        if guard:
            self.keep_in_words(inner)

    def keep_in_words(self, depth: int) -> None:
        """Have the registers that the row writes in `r`, and nowhere else."""
        for operand, n in self.written(self.rows[self.point]):
            for word in words(operand.kind, n):
                self.registers.to_word(depth, word)
        for operand, n in self.written(self.rows[self.point]):
            for word in words(operand.kind, n):
                self.registers.forget(depth, word)

    def meaning(self, depth, row, names, written) -> None:
        """The meaning, its results in variables `w_<operand>`."""
        names = names | {operand.name: f"w_{operand.name}" for operand, _ in written}
        for text in parsed(row.meaning).placed(names).split("\n"):
            self.line(depth, text)

    def written(self, row: Operation) -> list[tuple[Operand, int]]:
        columns = self.code[self.point][FIRST_OPERAND:]
        return [(o, n) for o, n in zip(row.operands, columns, strict=False) if o.is_written]

    # ── operands ─────────────────────────────────────────────────────────────────────────────

    def operand_names(self, depth: int, row: Operation) -> dict[str, str]:
        """What stands for each operand read, brought into the form in which it is read."""
        names = {}
        for operand, n in zip(row.operands, self.code[self.point][FIRST_OPERAND:], strict=False):
            if operand.is_written:
                continue
            if isinstance(operand.kind, Immediate):
                names[operand.name] = f"({n})"
            elif isinstance(operand.kind, Symbol):
                names[operand.name] = self.symbols.setdefault(n, f"address{n}")
            elif isinstance(operand.kind, Label):
                continue
            elif n < 0:
                names[operand.name] = f"({read_lane(self.constants[-1 - n], operand.kind.type)!r})"
            else:
                names[operand.name] = self.registers.value(depth, operand.kind.type, n)
        for name in row.implicit_reads:
            name = name.replace(".", "_")
            if name in CLOCKS:
                names[name] = "spent[0]"
            elif name not in SCHEDULED:
                self.specials[name] = None
        return names

    # ── memory ───────────────────────────────────────────────────────────────────────────────

    def access(self, depth, row, access, names, written) -> None:
        """One of a row's accesses.  What it loads stands in variables `w_<name>`; a name of no
        operand is for an access behind it."""
        size, results = access.bytes, [f"w_{name}" for name in access.values]
        if access.space == "param":
            extend = "signed_" if access.signed else ""
            self.line(depth, f"{results[0]} = {extend}parameter({names[access.address]}, {size})")
            return
        space = "global" if access.space == "const" else access.space
        address = f"{names[access.address]} + {names[access.offset]}"
        if space in ("shared", "local"):
            address = f"{address} & {WORD}"
        find = self.finder(space, access.kind)
        if self.has_copies and space in ("shared", "generic"):
            self.line(depth, f"copies.row = {self.point}")
        self.line(depth, f"at, data = {find}({address}, {size * access.elements})")
        if access.kind == "load":
            signed = access.signed or size == 8
            for k, result in enumerate(results):
                where = f"at + {size * k}:at + {size * (k + 1)}" if k else f"at:at + {size}"
                value = f"int_from_bytes(data[{where}], 'little', signed={signed})"
                self.line(depth, f"{result} = {value}")
            return
        if access.kind == "load_store":
            where = f"data[at:at + {size}]"
            self.line(depth, f"loaded = int_from_bytes({where}, 'little', signed={size == 8})")
            self.meaning(depth, row, names, written)
            values = ["stored"]
            if self.has_copies:
                self.line(depth, "copies.meet()")
        else:
            values = [names.get(name, f"w_{name}") for name in access.values]
        mask = (1 << 8 * size) - 1
        for k, value in enumerate(values):
            where = f"at + {size * k}:at + {size * (k + 1)}" if k else f"at:at + {size}"
            self.line(depth, f"data[{where}] = ({value} & {mask}).to_bytes({size}, 'little')")

    def finder(self, space: str, kind: str) -> str:
        """What finds the bytes of a space for an access."""
        if space == "global":
            return "global_bytes"
        may_be_read = self.has_copies and kind == "load" and space in ("shared", "generic")
        found = f"{space}_bytes{'_to_load' if may_be_read else ''}"
        self.specials[found] = None
        return found

    # ── copies that go on meanwhile ──────────────────────────────────────────────────────────

    def asynchronous(self, depth, row, names) -> None:
        """A copy, the end of a group, or a wait."""
        does, count = row.asynchronous.does, names.get(row.asynchronous.count)
        if does == "bulk_commit":
            self.line(depth, "copies.bulk_commit()")
        elif does == "bulk_wait":
            self.line(depth, f"copies.bulk_wait({count})")
        elif does in ("bulk_in", "bulk_out"):
            self.bulk(depth, row, names)
        elif does in ("tensor_in", "tensor_out"):
            self.box(depth, row, names)
        elif does == "commit":
            self.line(depth, "copies.commit()")
        elif does == "wait":
            self.line(depth, f"copies.wait({count})")
        else:
            source, to = row.accesses
            into = f"{names[to.address]} + {names[to.offset]} & {WORD}"
            out_of = f"{names[source.address]} + {names[source.offset]}"
            size = names[row.asynchronous.size]
            self.line(depth, f"copies.copy({self.point}, {into}, {out_of}, {to.bytes}, {size})")

    def bulk(self, depth, row, names) -> None:
        """A copy of many bytes."""
        at = {one.space: f"{names[one.address]} + {names[one.offset]}" for one in row.accesses}
        given = f"{self.point}, {at['shared']} & {WORD}, {at['global']}"
        given += f", {names[row.asynchronous.size]}"
        if row.asynchronous.does == "bulk_out":
            kind = names.get(row.asynchronous.reduces, 0)
            self.line(depth, f"copies.bulk_out({given}, {kind})")
            return
        self.specials["objects"] = None
        barrier = " + ".join(names[name] for name in row.asynchronous.barrier)
        self.line(depth, f"objects.bulk_in({given}, {barrier} & {WORD})")

    def box(self, depth, row, names) -> None:
        """A copy of a box of a tensor."""
        does, access = row.asynchronous, row.accesses[1]
        inside = f"{names[access.address]} + {names[access.offset]} & {WORD}"
        coordinates = "".join(f"{names[name]} & {WORD}, " for name in does.coordinates)
        map = " + ".join(names[name] for name in does.map)
        given = f"{self.point}, {inside}, read_map({map}), ({coordinates})"
        if does.does == "tensor_out":
            kind = names.get(does.reduces, 0)
            self.line(depth, f"copies.tensor_out({given}, {kind})")
            return
        self.specials["objects"] = None
        barrier = " + ".join(names[name] for name in does.barrier)
        self.line(depth, f"objects.tensor_in({given}, {barrier} & {WORD})")

    def barrier_object(self, depth, row, names) -> None:
        """Something with a barrier object; a thread that waits for a phase gives way meanwhile."""
        self.specials["objects"] = None
        does, access = row.barrier_object, row.accesses[0]
        address = f"{names[access.address]} + {names[access.offset]} & {WORD}"
        rule = f"rows[{self.point}].barrier_object"
        if does.does != "test":
            count, bytes_ = names.get(does.count, "0"), names.get(does.bytes, "0")
            result = f"w_{row.writes[0].name} = " if row.writes else ""
            self.line(depth, f"{result}objects.do({rule}, {address}, {count}, {bytes_})")
            return
        phase, result = names[does.phase], f"w_{row.writes[0].name}"
        test = f"{result} = int(objects.test({rule}, {address}, {phase}))"
        self.line(depth, test)
        self.line(depth, f"if not {result}:")
        if not does.time:
            self.line(depth + 1, "yield")  # else it would ask until its turn is over
            return
        self.line(depth + 1, f"yield {self.point}, {address}, {phase}")
        self.line(depth + 1, test)

    # ── warps ────────────────────────────────────────────────────────────────────────────────

    def together(self, depth, row, names, written) -> None:
        """A row that the lanes of its mask execute together: bring a value, get what they give."""
        mask, brought = names[row.meets.who], names[row.combines.operand]
        if row.combines.how == "shuffle":
            self.meaning(depth, row, names, written)
            self.line(depth, f"w_d = yield {self.point}, {mask}, ({brought}, source)")
            return
        given = GIVEN[row.combines.how]
        self.line(depth, f"members, {given} = yield {self.point}, {mask}, {brought}")
        if row.combines.how == "reduce":
            self.line(depth, f"w_d = {given}")
            return
        self.meaning(depth, row, names, written)

    def matrix(self, depth, row, names, written) -> None:
        """A row about fragments: bring what it reads of them, get what it writes; what it loads is
        brought, what it gets is stored."""
        loaded = [name for a in row.accesses if a.kind == "load" for name in a.values]
        stored = [name for a in row.accesses if a.kind == "store" for name in a.values]
        got = [*(operand.name for operand, _ in written), *stored]
        if loaded:
            self.line(depth, f"{' = '.join(f'w_{name}' for name in loaded)} = 0")
            self.access_of_lanes(depth, row, names)
        brought = {**names, **{name: f"w_{name}" for name in loaded}}
        parts = [n for f in row.combines.fragments for n in f.operands if n not in got]
        parts += [operand.name for operand in row.alone]
        values = "".join(f"{brought[name]}, " for name in parts)
        self.line(depth, f"found = yield {self.point}, {names[row.meets.who]}, ({values})")
        self.line(depth, "if type(found) is str: raise Fault(found)")
        if row.group:
            self.line(depth, f"copies.multiply({self.point}, found[0], 16)")
            self.line(depth, "found = found[1]")
        self.line(depth, f"{''.join(f'w_{name}, ' for name in got)}= found")
        if stored:
            self.access_of_lanes(depth, row, names)

    def access_of_lanes(self, depth, row, names) -> None:
        """The access of a row about fragments, of those lanes that have one."""
        [access] = row.accesses
        self.specials["laneid"] = None
        self.line(depth, f"if laneid < {access.lanes}:")
        self.access(depth + 1, row, access, names, ())
