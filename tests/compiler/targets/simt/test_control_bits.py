"""Control bits: hand-worked rows, and a thread of hardware that checks nothing itself."""

from __future__ import annotations

from random import Random

import pytest

from compiler import compile
from compiler.pass_lists import passes
from compiler.targets.simt import TARGET
from compiler.targets.simt.control_bits import set_control_bits
from compiler.text_form import parse
from compiler.transformation import NoOptions
from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.simt.program import (
    FIRST_OPERAND,
    GUARD,
    NO_COUNTER,
    OPERATION,
    READ_COUNTER,
    STALL,
    WAIT_MASK,
    WRITE_COUNTER,
    YIELD,
)
from machines.operations.row import Lane
from machines.types import F32, F64, I32, I64, PTR
from tests.compiler.targets.simt.compiled import allocated, without_result
from tests.programs.random_programs import Options, generate

MACHINES = ("teaching_gpu", "h200", "v100")
TABLE = operations().family("ptx")
VARIABLE = 60  # cycles that a result of no fixed latency takes, at most

VOTE = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 into)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [into];
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 7;
    vote.sync.ballot.b32 %r2, %p1, -1;
    add.s32 %r3, %r2, 1;
    st.global.u32 [%d1], %r3;
    ret;
}
"""


def by_control_bits(name: str):
    return load_machine(name, ["dependences.kind=control_bits"])


def with_bits(function, module, machine):
    set_control_bits(function, machine.description)
    return TARGET.emit([function], module, machine.description)


def kernel(text: str, machine):
    module = parse(text, "k.sir")
    function = allocated(module.functions["k"], machine, ())
    return with_bits(function, module, machine)


def test_a_chain_is_kept_apart_by_stalls_and_a_load_by_a_counter():
    program = kernel(
        """
        func @k(a: ptr, n: i32) {
        entry:
            m = mul.i32 n, 3
            s = add.i32 m, 1
            x = load.i32 a
            y = add.i32 x, s
            store.i32 a, y
            return
        }
        """,
        by_control_bits("teaching_gpu"),
    )
    names = [program.operations[n] for n in program.code[:, OPERATION]]
    bits = dict(zip(names, program.control.tolist(), strict=True))
    assert bits["mul.lo.s32"][STALL] == 4  # the add reads it
    load = bits["ld.global.b32"]
    assert load[WRITE_COUNTER] == 0 and load[READ_COUNTER] == 5
    assert load[STALL] == 3  # 4 cycles behind the row that computes s
    (y,) = (
        k for k, name in enumerate(names) if name == "add.s32" and k > names.index("ld.global.b32")
    )
    assert program.control[y, WAIT_MASK] & 1
    assert program.control[y, STALL] == 4
    assert bits["st.global.b32"][WRITE_COUNTER] == NO_COUNTER


def test_a_branch_waits_for_its_predicate_as_long_as_a_guard_takes():
    machine = by_control_bits("teaching_gpu")
    program = kernel(
        """
        func @k(a: ptr, n: i32) {
        entry:
            p = lt_s.i32 n, 3
            branch p, more, done
        more:
            store.i32 a, n
            jump done
        done:
            return
        }
        """,
        machine,
    )
    names = [program.operations[n] for n in program.code[:, OPERATION]]
    setp = names.index("setp.lt.s32")
    assert program.control[setp, STALL] == machine.description.distance(
        "predicate_compare", guard=True
    )


def test_a_vote_waits_for_its_predicate_as_long_as_a_guard_would(tmp_path):
    """As ptxas has it: thirteen cycles from ISETP to VOTE; who reads the vote comes sooner."""
    path = tmp_path / "k.ptx"
    path.write_text(VOTE)
    program = compile(path, machine=by_control_bits("h200")).program
    names = [program.operations[n] for n in program.code[:, OPERATION]]
    stalls = dict(zip(names, program.control[:, STALL].tolist(), strict=True))
    assert stalls["setp.ne.s32"] == 13
    assert 4 <= stalls["vote.sync.ballot.b32"] <= 5


def test_a_stall_that_hardware_would_cut_short_has_the_yield_bit():
    for name in MACHINES:
        machine = by_control_bits(name)
        for seed in range(3):
            program = random_program(seed, machine)
            stalls, yields = program.control[:, STALL], program.control[:, YIELD]
            assert (yields[stalls > 11] == 1).all()
            assert stalls.max() <= 15 and stalls.min() >= 1


def test_a_machine_with_a_scoreboard_has_no_control_bits():
    machine = load_machine("teaching_gpu")
    module = parse("func @k(a: ptr) {\nentry:\n    store.i32 a, 1\n    return\n}", "k.sir")
    function = allocated(module.functions["k"], machine, ())
    assert not passes("simt")["set_control_bits"].run(function, machine, NoOptions())
    program = TARGET.emit([function], module, machine.description)
    assert program.control.tolist() == [[1, 0, NO_COUNTER, NO_COUNTER, 0]] * len(program.code)


# ── hardware that checks nothing ─────────────────────────────────────────────────────────────


class Thread:
    """Walks through rows by their control bits alone, and finds what is read too early.

    Of what has no fixed latency results come, and sources are read, after random times; a counter
    that is set in one cycle is seen two cycles later.
    """

    def __init__(self, program, description, random):
        self.program, self.description, self.random = program, description, random
        self.time = 0
        self.done: dict[tuple[str, int], tuple[int, str | None]] = {}  # register -> when, class
        self.read_until: dict[tuple[str, int], int] = {}
        self.counters: dict[int, list[tuple[int, int]]] = {k: [] for k in range(6)}

    def walk(self, steps: int) -> None:
        row = 0
        for _ in range(steps):
            operation = TABLE[self.program.operations[self.program.code[row, OPERATION]]]
            self.wait(int(self.program.control[row, WAIT_MASK]))
            self.issue(row, operation)
            self.time += int(self.program.control[row, STALL])
            guard = self.program.code[row, GUARD]
            if operation.control == "return":
                return
            taken = operation.control == "jump" or (
                operation.control == "branch" and self.random.random() < 0.5
            )
            assert operation.control != "branch" or guard
            row = int(self.program.code[row, FIRST_OPERAND]) if taken else row + 1

    def wait(self, mask: int) -> None:
        for k in range(6):
            if mask >> k & 1:
                ends = [end for seen, end in self.counters[k] if seen <= self.time < end]
                self.time = max([self.time, *ends])
        seen = [k for k in range(6) if mask >> k & 1]
        assert all(not (s <= self.time < e) for k in seen for s, e in self.counters[k])

    def issue(self, row: int, operation) -> None:
        code = self.program.code[row]
        name = operation.scheduling_class
        described = self.description.classes[name]
        guard = [("p", abs(int(code[GUARD])) - 1)] if code[GUARD] else []
        reads, writes = self.registers(code, operation)
        for register in (*guard, *reads):
            self.check_read(row, register, name, register in guard)
        lasts = self.random.randint(1, VARIABLE)
        is_fixed = described.result == "fixed" and described.latency is not None
        counter, source = (int(self.program.control[row, c]) for c in (WRITE_COUNTER, READ_COUNTER))
        is_counted = counter != NO_COUNTER
        for register in writes:
            ends = self.time + (described.latency if is_fixed else lasts)
            assert self.time >= self.read_until.get(register, 0), f"row {row} overwrites {register}"
            before = self.done.get(register, (0, None))[0]
            assert ends > before or before == 0, f"row {row}: {register} is overtaken"
            assert is_fixed or is_counted
            self.done[register] = (ends, None) if is_counted else (self.time, name)
        if is_counted:
            ends = self.time + (described.latency if is_fixed else lasts)
            self.counters[counter].append((self.time + 2, ends))
        if described.read and (reads or guard):
            until = self.time + self.random.randint(1, VARIABLE)
            assert source != NO_COUNTER
            self.counters[source].append((self.time + 2, until))
            for register in (*reads, *guard):
                self.read_until[register] = max(until, self.read_until.get(register, 0))

    def check_read(self, row, register, name, is_guard) -> None:
        if register not in self.done:
            return
        when, producer = self.done[register]
        if producer is not None:
            when += self.description.distance(producer, name, is_guard)
        assert self.time >= when, f"row {row} reads {register} {when - self.time} cycles too early"

    def registers(self, code, operation):
        reads, writes = [], []
        if operation.control in ("branch", "jump"):
            return reads, writes
        for operand, number in zip(operation.operands, code[FIRST_OPERAND:], strict=False):
            if isinstance(operand.kind, Lane) and number >= 0:
                file, n = operand.kind.file, int(number)
                found = [("p", n)] if file == "pred" else [("r", n)]
                found += [("r", n + 1)] if file == "b64" else []
                (writes if operand.is_written else reads).extend(found)
        return reads, writes


def random_program(seed: int, machine):
    program = generate(seed, Options(types=(I32, I64, F32, F64, PTR)))
    function = allocated(without_result(program.function), machine)
    return with_bits(function, program.module, machine)


@pytest.mark.parametrize("name", MACHINES)
def test_nothing_is_read_too_early_on_any_path(name):
    machine = by_control_bits(name)
    for seed in range(4):
        program = random_program(seed, machine)
        for walk in range(6):
            Thread(program, machine.description, Random(walk)).walk(400)


def test_a_stall_too_short_is_found():
    machine = by_control_bits("h200")
    program = random_program(1, machine)
    program.control[:, STALL] = 1
    with pytest.raises(AssertionError, match=r"too early|overtaken|overwrites"):
        for walk in range(6):
            Thread(program, machine.description, Random(walk)).walk(400)
