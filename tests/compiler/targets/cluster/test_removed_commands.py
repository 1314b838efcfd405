"""Commands that are removed were in vain, those that are in vain are removed, and all that is seen
stays: values, faults, barriers, and what programs count themselves."""

from __future__ import annotations

from collections import Counter

import pytest

from compiler import Compilation, compile
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster import available_commands
from compiler.targets.cluster.available_commands import AvailableCommands
from compiler.targets.cluster.passes import remove_dead_commands, remove_repeated_commands
from compiler.targets.cluster.shared_buffers import SharedBuffers
from compiler.text_form import parse
from machines.description.load import Machine
from machines.diagnostics import InputError
from machines.instructions.cluster_control import BARRIERS, is_send
from tests.campaign.seeds import campaign, check_all, cut, short_form
from tests.compiler.targets.cluster.removals import DEAD, REPEATED, check_in_vain, removed
from tests.programs.random_tiles import Options, TileProgram, generate
from tests.programs.tile_runs import (
    ONE_CORE,
    check_that_all_agree,
    compiled,
    machine_named,
    program_of,
    run_tiles,
    simulate,
)

CHIP = machine_named("teaching_chip")
ONE = machine_named("teaching_chip", *ONE_CORE)
OPTIONS = (Options(again=0.4), Options(again=0.3, exact=True), Options(again=0.3, mem=False))
LEFT_OUT = (
    ["default", f"-{DEAD}"],
    ["default", f"-{REPEATED}"],
    ["default", "-number_values"],
    ["default", "-number_values", "-move_invariants"],
)


def with_passes(program: TileProgram, passes: list, machine: Machine | None = None) -> Compilation:
    source, machine = program.text, machine or CHIP
    return compile("tiles.sir", source=source, machine=machine, entry="main", passes=passes)


# What is removed was in vain


def check(seed: int) -> Counter:
    """With either pass, and with more for it to find, memory ends as that of the source."""
    program = generate(seed, CHIP, OPTIONS[seed % len(OPTIONS)])
    counts = check_in_vain(program, CHIP, check_that_all_agree(program, CHIP))
    code = with_passes(program, LEFT_OUT[seed % len(LEFT_OUT)])
    counts += check_in_vain(program, CHIP, code)
    assert simulate(code, program, CHIP).bytes == run_tiles(program, CHIP).bytes
    return counts


@pytest.mark.parametrize("seeds", short_form([(0, 4), (1, 2, 3, *range(5, 12))], 1), ids=len)
def test_what_is_removed_was_in_vain(seeds):
    counts = sum(map(check, seeds), Counter())
    assert counts[DEAD] > 4 * len(seeds) and (counts[REPEATED] or len(seeds) < 4), counts


@campaign(50, 0, 1000)
def test_campaign(seeds):
    check_all(check, seeds)


# What is in vain is removed


def without_meetings(program: TileProgram) -> TileProgram:
    lines = [k for k in program.text.splitlines() if k.strip().partition(" ")[0] not in BARRIERS]
    return TileProgram("\n".join(lines), program.sizes, program.seed, program.arguments)


def bytes_of(function: Function, instruction: Instruction, access: str) -> set[tuple[str, int]]:
    """The elements of an exact interval without strides."""
    return {
        (interval.buffer, k)
        for kind, interval in instruction.intervals
        if kind.access == access
        for k in range(interval.low, interval.high)
    }


def strongly_live(function: Function) -> tuple[int, int]:
    """Commands that write scratchpads, and those of which an element is read that somebody needs.

    Element by element, backward, until nothing changes: reads count only of what is needed itself.
    What is sent is seen, and so is a result that is read at all.
    """
    read = {name for _, i in function.instructions() for name in i.variables_read}
    live: dict[str, set] = {name: set() for name in function.blocks}
    needed: set[Instruction] = set()
    while True:
        before = len(needed), {name: len(some) for name, some in live.items()}
        for name, block in function.blocks.items():
            now = set().union(*(live[target] for target in block.successors))
            for instruction in reversed(block.instructions):
                written = bytes_of(function, instruction, "store")
                seen = any(function.buffers[b].space == "dram" for b, _ in written)
                if is_send(instruction.operation):
                    seen, written = True, set()
                if written & now or seen or not read.isdisjoint(instruction.results):
                    needed.add(instruction)
                now -= written
                if instruction in needed:
                    now |= bytes_of(function, instruction, "load")
            live[name] = now
        if before == (len(needed), {name: len(some) for name, some in live.items()}):
            break
    commands = [i for _, i in function.instructions() if i.operation.walk]
    return len(commands), sum(i in needed for i in commands)


def check_all_dead_go(seed: int) -> int:
    """Of one core, where all bounds are numbers, without strides and guards, what is dead is known
    to the element."""
    options = Options(exact=True, mem=False, most=12, seen=0.3)
    program = without_meetings(generate(seed, ONE, options))
    commands, needed = strongly_live(compiled(program, ONE).function)
    assert commands == needed
    return len(removed(compiled(program, ONE))[DEAD])


@pytest.mark.parametrize("seeds", cut(4, 12))
def test_all_that_is_dead_goes(seeds):
    assert sum(map(check_all_dead_go, seeds)) > 4 * len(seeds)


@campaign(50, 100, 600)
def test_all_dead_campaign(seeds):
    check_all(check_all_dead_go, seeds)


# The analyses are read


def wrong(seeds: range) -> int:
    """The programs in which something is removed that was not in vain."""
    found = 0
    for seed in seeds:
        try:
            check(seed)
        except AssertionError:
            found += 1
    return found


def test_without_dependences_what_is_needed_goes(monkeypatch):
    monkeypatch.setattr(remove_dead_commands, "readers_of", lambda *_: [])
    assert wrong(range(1)) == 1


def test_without_what_is_overwritten_too_much_is_available(monkeypatch):
    monkeypatch.setattr(AvailableCommands, "_lost_by", lambda self, instruction: 0)
    assert any(wrong(range(seed, seed + 1)) for seed in range(4, 8))


@pytest.mark.parametrize("plugin", [remove_dead_commands, remove_repeated_commands])
def test_a_pass_without_commands_to_remove_says_nothing(plugin):
    function = parse(HANDED_OVER.text).functions["load"]
    assert not plugin.PLUGIN.run(function, CHIP, plugin.PLUGIN.options())


TILES = """x: f32[4096] in dram
y: f32[4096] in dram
a: f32[64] in nram
b: f32[64] in nram
func @main() {{
entry:
{tiles}
return
}}
"""


def test_what_gives_nobody_anything_is_not_followed():
    """Of tiles that each come once there is nothing to know, however many they are."""
    tiles = [
        f"tensor.copy.f32 a[0:64], x[{k}:{k + 64}]\ntensor.exp.f32 b[0:64], a[0:64]\n"
        f"tensor.copy.f32 y[{k}:{k + 64}], b[0:64]"
        for k in range(0, 4096, 64)
    ]
    for more, wanted in (([], 2), (["tensor.copy.f32 a[0:32], x[4032:4064]"], 4)):
        function = parse(TILES.format(tiles="\n".join([*tiles, *more]))).functions["main"]
        assert AvailableCommands(function).followed == wanted  # `exp` comes again and again


# Cores

HANDED_OVER = program_of("""
x: f32[128] in dram
y: f32[256] in dram
s: f32[64] in sram
a: f32[64] in nram

func @main() {
    beside = {mem: "load"}
entry:
    k = task_id
    low = mul.i64 k, 64
    high = add.i64 low, 64
    sync_cluster 0
    tensor.copy.f32 a[0:64], s[0:64]
    tensor.copy.f32 y[low:high], a[0:64]
    sync_cluster 1
    sync_cluster 2
    tensor.copy.f32 a[0:64], s[0:64]
    tensor.add.f32 a[0:64], a[0:64], a[0:64]
    tensor.copy.f32 y[low:high], a[0:64]
    return
}

func @load() {
entry:
    tensor.copy.f32 s[0:64], x[0:64]
    sync_cluster 0
    sync_cluster 1
    tensor.copy.f32 s[0:64], x[64:128]
    sync_cluster 2
    return
}
""")
SENT = program_of("""
x: f32[128] in dram
y: f32[256] in dram
d: f32[64] in nram
a: f32[64] in nram

func @main() {
entry:
    c = core_id
    p = eq.i64 c, 0
    k = task_id
    low = mul.i64 k, 64
    high = add.i64 low, 64
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.copy.f32 d[0:64], x[64:128]
    sync_all_ipu 0
    branch p, send, out
send:
    tensor.unicast.f32 d[0:64], a[0:64], 1
    jump out
out:
    sync_all_ipu 1
    tensor.copy.f32 y[low:high], d[0:64]
    sync_all_ipu 2
    tensor.copy.f32 d[0:64], x[64:128]
    tensor.copy.f32 y[low:high], d[0:64]
    return
}
""")
OWN_IS_READ_BEHIND_A_SEND = program_of("""
x: f32[64] in dram
y: f32[256] in dram
d: f32[64] in nram
a: f32[64] in nram

func @main() {
entry:
    c = core_id
    k = task_id
    low = mul.i64 k, 64
    high = add.i64 low, 64
    p = eq.i64 c, 0
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.fill.f32 d[0:64], 2.0
    branch p, send, out
send:
    tensor.unicast.f32 d[0:64], a[0:64], 1
    tensor.copy.f32 y[low:high], d[0:64]
    jump out
out:
    return
}
""")


@pytest.mark.parametrize("program", [HANDED_OVER, SENT], ids=["handed over", "sent"])
def test_what_others_read_and_write_stays(program):
    code = check_that_all_agree(program, CHIP)
    assert check_in_vain(program, CHIP, code).total() == 0


def test_a_send_overwrites_nothing_of_its_core():
    """Core 0 reads what it has filled itself, though the command between names the same bytes."""
    code = with_passes(OWN_IS_READ_BEHIND_A_SEND, ["default"])
    assert not removed(code)[DEAD]


@pytest.mark.parametrize("module", [remove_dead_commands, available_commands])
def test_without_what_others_read_or_write_cores_miss_it(module, monkeypatch):
    nothing = SharedBuffers(frozenset(), frozenset())
    monkeypatch.setattr(module, "shared_by", lambda function: nothing)
    with pytest.raises(AssertionError):
        check_that_all_agree(HANDED_OVER, CHIP)


# Faults, and waits that count

MAY_FAULT = """
x: f32[64] in dram
y: f32[64] in dram
a: f32[64] in nram

func @main(n: i64) {
entry:
    tensor.copy.f32 a[0:n], x[0:n]
    tensor.fill.f32 a[0:64], 1.0
    tensor.copy.f32 y[0:64], a[0:64]
    return
}
"""


@pytest.mark.parametrize(("n", "status"), [(8, "done"), (65, "fault")])
def test_what_may_fault_stays(n, status):
    program = program_of(MAY_FAULT, n=n)
    code = compiled(program, ONE)
    assert not removed(code)[DEAD]
    assert run_tiles(program, ONE).outcome.status == status
    assert (simulate(code, program, ONE).outcome.status == "done") == (status == "done")


SENT_TO_NOBODY = """
x: f32[64] in dram
a: f32[64] in nram
d: f32[64] in nram

func @main() {
entry:
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.unicast.f32 d[0:64], a[0:64], 9
    return
}
"""


def test_what_is_sent_to_a_core_that_is_not_there_faults():
    program = program_of(SENT_TO_NOBODY)
    code = compiled(program, CHIP)
    assert run_tiles(program, CHIP).outcome.status == "fault"
    assert simulate(code, program, CHIP).outcome.status == "fault"


COUNTED = """
x: f32[64] in dram
y: f32[128] in dram
a: f32[64] in nram
b: f32[64] in nram

func @main() {
entry:
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.copy.f32 b[0:64], x[0:64]
    sync_all_ipu 0
    tensor.copy.f32 a[0:64], x[0:64]
    sync_io LEFT
    tensor.add.f32 b[0:64], b[0:64], b[0:64]
    sync_compute 0
    sync_io 0
    tensor.copy.f32 y[0:64], a[0:64]
    tensor.copy.f32 y[64:128], b[0:64]
    sync_io 0
    return
}
"""


@pytest.mark.parametrize(("left", "gone"), [("0", 1), ("1", 0)])
@pytest.mark.parametrize("barrier", ["    sync_all_ipu 0\n", ""], ids=["met", "alone"])
def test_commands_that_a_program_counts_stay(left, gone, barrier):
    """Without the barrier `number_values` would do it."""
    program = program_of(COUNTED.replace("LEFT", left).replace("    sync_all_ipu 0\n", barrier))
    machine = machine_named("teaching_chip", *ONE_CORE, "waits=counted")
    code = with_passes(program, ["default", {"place_waits": {"none": True}}], machine)
    commands = [i for f in code.functions for _, i in f.instructions() if i.operation.walk]
    assert len(commands) == 6 - gone
    assert simulate(code, program, machine).bytes == run_tiles(program, machine).bytes


SUMMED = """
x: f32[64] in dram
y: f32[128] in dram
a: f32[64] in nram
b: f32[64] in nram

func @main(n: i64) {
entry:
    i = copy.i64 n
    jump loop
loop:
    tensor.fill.f32 a[0:64], 1.0
    s = tensor.sum.f32 a[0:8]
    tensor.mul.f32 b[0:64], a[0:64], a[0:64]
    t = tensor.sum.f32 a[0:8]
    i = sub.i64 i, 1
    more = lt_s.i64 0, i
    branch more, loop, out
out:
    sync_compute LEFT
    tensor.copy.f32 y[0:64], b[0:64]
    return
}
"""


@pytest.mark.parametrize(
    ("left", "stay"),
    [("0", ["fill", "mul", "copy"]), ("1", ["fill", "sum", "mul", "sum", "copy"])],
)
def test_neither_moved_nor_removed_where_they_count(left, stay):
    """The sums are read by nobody, and the same each time."""
    program = program_of(SUMMED.replace("LEFT", left), n=3)
    machine = machine_named("teaching_chip", *ONE_CORE, "waits=counted")
    (function,) = compiled(program, machine).functions
    names = [i.operation.name.split(".")[1] for _, i in function.instructions() if i.operation.walk]
    assert names == stay
    first = function.blocks[function.entry.name].instructions
    assert any(i.operation.name == "tensor.fill.f32" for i in first) == (left == "0")


# Values that change, and intervals that may be others


def test_what_is_available_is_so_for_the_values_of_now():
    """The bounds of the first copy are other ones in the next turn."""
    text = """
x: f32[256] in dram
y: f32[256] in dram
a: f32[64] in nram

func @main(n: i64) {
entry:
    i = const.i64 0
    low = const.i64 0
    jump loop
loop:
    high = add.i64 low, 64
    tensor.copy.f32 a[0:64], x[low:high]
    tensor.copy.f32 y[low:high], a[0:64]
    low = add.i64 low, 64
    i = add.i64 i, 1
    p = lt_s.i64 i, n
    branch p, loop, out
out:
    return
}
"""
    program = program_of(text, n=4)
    assert not any(removed(check_that_all_agree(program, ONE)).values())


def remaining(text: str, plugin) -> int:
    """Commands left in a function of SSA form."""
    function = parse(text).functions["main"]
    plugin.PLUGIN.run(function, CHIP, plugin.PLUGIN.options())
    return sum(bool(i.operation.walk) for _, i in function.instructions())


ANY = """
x: f32[64] in dram
y: f32[64] in dram
a: f32[64] in nram
b: f32[64] in nram

func @main() {{
entry:
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.fill.f32 b[0:64], 1.0
    {between}
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.add.f32 a[0:64], a[0:64], b[0:64]
    tensor.copy.f32 y[0:64], a[0:64]
    return
}}
"""


@pytest.mark.parametrize("n", [1, 9])
def test_what_is_guarded_may_not_overwrite(n):
    text = """
x: f32[64] in dram
y: f32[64] in dram
a: f32[64] in nram

func @main(n: i64) {
entry:
    p = lt_s.i64 n, 8
    tensor.fill.f32 a[0:64], 1.0
    @p tensor.copy.f32 a[0:64], x[0:64]
    tensor.copy.f32 y[0:64], a[0:64]
    return
}
"""
    assert not any(removed(check_that_all_agree(program_of(text, n=n), ONE)).values())


def test_what_may_be_other_intervals_writes_all_of_them():
    writes = ANY.format(between="tensor.fill.f32 any(a[0:8], b[0:8]), 2.0")
    assert remaining(writes, remove_repeated_commands) == 6
    neither = ANY.format(between="tensor.fill.f32 b[0:64], 1.0")
    assert remaining(neither, remove_repeated_commands) == 4
    assert remaining(neither, remove_dead_commands) == 4


def test_what_no_core_does_is_refused_though_nobody_reads_it():
    reads = ANY.format(between="tensor.copy.f32 y[0:8], any(a[0:8], b[0:8])")
    with pytest.raises(InputError, match="which of several intervals is meant"):
        remaining(reads, remove_dead_commands)
    dead = ANY.format(between="tensor.add.f32 b[0:8], x[0:8], x[0:8]")
    with pytest.raises(InputError, match="what is computed is read from nram"):
        remaining(dead, remove_dead_commands)


def test_a_part_for_another_core_is_sent():
    text = ANY.format(between="tensor.unicast.f32 b[0:64], a[0:64], 0").replace(
        "    tensor.copy.f32 a[0:64], x[0:64]\n    tensor.add",
        "    tensor.unicast.f32 b[0:32], a[0:32], 1\n    tensor.add",
    )
    assert remaining(text, remove_repeated_commands) == 6
